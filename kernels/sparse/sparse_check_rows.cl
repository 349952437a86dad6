/* sparse_check_rows.cl: looks whether the columns of compressed rows are in range and rise
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The starts are known to be right. Findings of a work-item: the first entry whose column is out of
 * range; the first in front of which a larger or the same column stands. The host takes the
 * smallest of all.
 * Geometry: groups of ITEMS work-items, a.lanes in all; each has every a.lanes-th row. No barriers.
 * Macros: ITEMS, INDEX_BITS.
 */
#include "sparse_index.h"
#include "sparse_convert_args.h"

#ifndef ITEMS
#error "sparse_check_rows needs ITEMS"
#endif

KERNEL(sparse_check_rows, ITEMS, 1, 1)
(GLOBAL const sparse_index *RESTRICT start, GLOBAL const sparse_index *RESTRICT column,
 GLOBAL i64 *RESTRICT findings, sparse_convert_args a)
{
    BEGIN();
    const i64 lane = GROUP_X * ITEMS + ITEM_X;
    i64 bad = SPARSE_NOWHERE, unsorted = SPARSE_NOWHERE;
    ROLLED
    for (i64 i = lane; i < a.rows; i += a.lanes) {
        const i64 end = start[i + 1];
        i64 before = -1;
        ROLLED
        for (i64 e = start[i]; e < end; e++) {
            const i64 c = column[e];
            if (c < 0 || c >= a.columns)
                bad = e < bad ? e : bad;
            if (c <= before)
                unsorted = e < unsorted ? e : unsorted;
            before = c;
        }
    }
    findings[lane * SPARSE_FINDINGS] = bad;
    findings[lane * SPARSE_FINDINGS + 1] = unsorted;
}

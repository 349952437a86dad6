/* sparse_check_entries.cl: looks whether coordinates are in range and sorted by row, then column
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Findings of a work-item: the first entry whose row is out of range; the first whose column is;
 * the first that does not stand behind the one before it. The host takes the smallest of all.
 * Geometry: groups of ITEMS work-items, a.lanes in all; each has every a.lanes-th entry. No
 * barriers.
 * Macros: ITEMS, INDEX_BITS.
 */
#include "sparse_index.h"
#include "sparse_convert_args.h"

#ifndef ITEMS
#error "sparse_check_entries needs ITEMS"
#endif

KERNEL(sparse_check_entries, ITEMS, 1, 1)
(GLOBAL const sparse_index *RESTRICT row, GLOBAL const sparse_index *RESTRICT column,
 GLOBAL i64 *RESTRICT findings, sparse_convert_args a)
{
    BEGIN();
    const i64 lane = GROUP_X * ITEMS + ITEM_X;
    i64 bad_row = SPARSE_NOWHERE, bad_column = SPARSE_NOWHERE, unsorted = SPARSE_NOWHERE;
    ROLLED
    for (i64 e = lane; e < a.entries; e += a.lanes) {
        const i64 r = row[e], c = column[e];
        if (r < 0 || r >= a.rows)
            bad_row = e < bad_row ? e : bad_row;
        if (c < 0 || c >= a.columns)
            bad_column = e < bad_column ? e : bad_column;
        if (e > 0 && (r < row[e - 1] || (r == row[e - 1] && c <= column[e - 1])))
            unsorted = e < unsorted ? e : unsorted;
    }
    findings[lane * SPARSE_FINDINGS] = bad_row;
    findings[lane * SPARSE_FINDINGS + 1] = bad_column;
    findings[lane * SPARSE_FINDINGS + 2] = unsorted;
}

/* sparse_longer.cl: how many rows are longer than each of a few widths
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Findings of a group: rows with more than a.width entries, with more than a.width + a.step, and so
 * on. Geometry: groups of ITEMS work-items, a.lanes in all; each has every a.lanes-th row.
 * Macros: ITEMS, INDEX_BITS.
 * Barriers: all work-items reach them.
 */
#define FIND_0 SPARSE_SUM
#define FIND_1 SPARSE_SUM
#define FIND_2 SPARSE_SUM
#define FIND_3 SPARSE_SUM
#define FIND_4 SPARSE_SUM
#define FIND_5 SPARSE_SUM
#include "sparse_find.h"

#ifndef ITEMS
#error "sparse_longer needs ITEMS"
#endif

KERNEL(sparse_longer, ITEMS, 1, 1)
(GLOBAL const sparse_index *RESTRICT start, GLOBAL i64 *RESTRICT findings, sparse_convert_args a)
{
    LOCAL sparse_found scratch[ITEMS];
    BEGIN();
    const i64 lane = GROUP_X * ITEMS + ITEM_X;
    sparse_found found = sparse_nothing_found();
    ROLLED
    for (i64 i = lane; i < a.rows; i += a.lanes) {
        const i64 length = start[i + 1] - start[i];
        UNROLLED
        for (i32 k = 0; k < SPARSE_FINDINGS; k++)
            found.v[k] += length > a.width + k * a.step ? 1 : 0;
    }
    sparse_tell(found, scratch, findings);
}

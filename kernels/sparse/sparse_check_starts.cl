/* sparse_check_starts.cl: looks whether the starts of compressed rows rise from 0 to the number of
 * entries
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Findings of a work-item: the first element of `start` that is wrong; the length of its longest
 * row. The host takes the smallest and the largest of all, so the answer does not depend on the
 * launch.
 * Geometry: groups of ITEMS work-items, a.lanes in all; each has every a.lanes-th row. No barriers.
 * Macros: ITEMS, INDEX_BITS.
 */
#include "sparse_index.h"
#include "sparse_convert_args.h"

#ifndef ITEMS
#error "sparse_check_starts needs ITEMS"
#endif

KERNEL(sparse_check_starts, ITEMS, 1, 1)
(GLOBAL const sparse_index *RESTRICT start, GLOBAL i64 *RESTRICT findings, sparse_convert_args a)
{
    BEGIN();
    const i64 lane = GROUP_X * ITEMS + ITEM_X;
    i64 bad = SPARSE_NOWHERE, longest = 0;
    if (lane == 0 && start[0] != 0)
        bad = 0;
    ROLLED
    for (i64 i = lane; i < a.rows; i += a.lanes) {
        const i64 from = start[i], to = start[i + 1];
        if (to < from || (i == a.rows - 1 && to != a.entries))
            bad = i + 1 < bad ? i + 1 : bad;
        longest = to - from > longest ? to - from : longest;
    }
    findings[lane * SPARSE_FINDINGS] = bad;
    findings[lane * SPARSE_FINDINGS + 1] = longest;
}

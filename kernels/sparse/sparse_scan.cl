/* sparse_scan.cl: counts become starts, in place: each the sum of those before it
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Behind sparse_counts.cl, in the same groups. A group adds up the sums of the groups before it,
 * then scans its counts, ITEMS at a time. The last one writes the sum of all behind them and, where
 * 32 bits may not hold it, to `total`.
 * Geometry: groups of ITEMS work-items; each group has a.lanes of the a.places counts.
 * Macros: ITEMS, a power of two; INDEX_BITS.
 * Barriers: all work-items reach them.
 */
#include "sparse_index.h"
#include "sparse_convert_args.h"

#ifndef ITEMS
#error "sparse_scan needs ITEMS"
#endif

/* The sum over all items before this one; *all becomes the sum of all. All work-items must come. */
DEVICE i64 sparse_before(i64 mine, LOCAL_PTR i64 *scratch, i64 *all)
{
    BARRIER(); /* scratch may still be read */
    scratch[ITEM_X] = mine;
    BARRIER();
    i64 sum = mine;
    ROLLED
    for (i32 apart = 1; apart < ITEMS; apart *= 2) {
        const i64 other = ITEM_X >= apart ? scratch[ITEM_X - apart] : 0;
        BARRIER();
        sum += other;
        scratch[ITEM_X] = sum;
        BARRIER();
    }
    *all = scratch[ITEMS - 1];
    return sum - mine;
}

KERNEL(sparse_scan, ITEMS, 1, 1)
(GLOBAL const i64 *RESTRICT sums, GLOBAL sparse_index *RESTRICT counts, GLOBAL i64 *RESTRICT total,
 sparse_convert_args a)
{
    LOCAL i64 scratch[ITEMS];
    BEGIN();
    const i64 begin = GROUP_X * a.lanes,
              end = begin + a.lanes < a.places ? begin + a.lanes : a.places;
    i64 mine = 0, carry, all;
    ROLLED
    for (i64 g = ITEM_X; g < GROUP_X; g += ITEMS)
        mine += sums[g];
    sparse_before(mine, scratch, &carry);
    ROLLED
    for (i64 from = begin; from < end; from += ITEMS) {
        const i64 i = from + ITEM_X, count = i < end ? (i64)counts[i] : 0;
        const i64 before = carry + sparse_before(count, scratch, &all);
        if (i < end)
            counts[i] = (sparse_index)before;
        carry += all;
    }
    if (GROUP_X == GROUPS_X - 1 && ITEM_X == 0) {
        counts[a.places] = (sparse_index)carry;
        *total = carry;
    }
}

/* sparse_coo_finish.cl: the rows that sparse_coo.cl left in parts, because they go on from one
 * group to the next.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Geometry: ITEMS work-items per group, GROUP_Y the column. A work-item has one share of the
 * entries. If a row begins in it and goes on behind it, it adds the parts of that row, share after
 * share. No barriers.
 */
#include "sparse_coo.h"

KERNEL(sparse_coo_finish, ITEMS, 1, 1)
(GLOBAL const R *RESTRICT alpha_at, GLOBAL const sparse_index *RESTRICT row,
 GLOBAL const T *RESTRICT parts, GLOBAL T *RESTRICT y, sparse_coo_args a)
{
    BEGIN();
    const T alpha = alpha_of(alpha_at, a.scalars);
    i64 share = GROUP_X * ITEMS + ITEM_X;
    if (T_is_zero(alpha) || share >= a.shares || !coo_goes_on(row, a, share))
        return;
    const i64 begin = coo_begin(a, share);
    const sparse_index mine = row[coo_end(a, share) - 1];
    if (begin > 0 && row[begin - 1] == mine) /* it began before */
        return;
    GLOBAL const T *at = parts + 2 * (GROUP_Y * a.shares + share);
    T sum = at[1];
    ROLLED
    for (;;) {
        share++;
        at += 2;
        const i64 end = coo_end(a, share);
        /* The share is all of this row, and the row goes on: its part is the tail. */
        if (row[end - 1] != mine || !coo_goes_on(row, a, share))
            break;
        sum = T_add(sum, at[1]);
    }
    sum = T_add(sum, at[0]);
    GLOBAL T *to = y + GROUP_Y * a.ldy + mine;
    *to = T_fma(alpha, sum, *to);
}

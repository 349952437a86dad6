/* sparse_merge_finish.cl: rows that lie in several groups of sparse_merge.cl: adds their parts.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Geometry: ITEMS work-items per group, WIDE neighbours for each group of sparse_merge.cl; GROUP_Y
 * is the column. Where a row begins in that group and goes on, they add its tails, WIDE apart, and
 * the head that ends it, then over the neighbours. All work-items reach the barriers.
 */
#include "scalars.h"
#include "sparse_merge_args.h"

#if !defined(ITEMS) || !defined(WIDE)
#error "sparse_merge_finish needs ITEMS and WIDE"
#endif

KERNEL(sparse_merge_finish, ITEMS, 1, 1)
(GLOBAL const R *RESTRICT alpha_at, GLOBAL const R *RESTRICT beta_at,
 GLOBAL const T *RESTRICT heads, GLOBAL const T *RESTRICT tails,
 GLOBAL const i64 *RESTRICT tail_rows, GLOBAL T *RESTRICT y, sparse_merge_args a)
{
    LOCAL T sums[ITEMS];
    BEGIN();
    const T alpha = alpha_of(alpha_at, a.scalars), beta = beta_of(beta_at, a.scalars);
    const i64 share = GROUP_X * (ITEMS / WIDE) + ITEM_X / WIDE, parts = GROUP_Y * a.shares;
    i64 row = -1;
    T sum = T_make(0, 0);
    if (share < a.shares)
        row = tail_rows[share];
    if (row >= 0 && share > 0 && tail_rows[share - 1] == row)
        row = -1; /* it began before */
    if (row >= 0) {
        i64 s = share + ITEM_X % WIDE;
        ROLLED
        for (; s < a.shares && tail_rows[s] == row; s += WIDE)
            sum = T_add(sum, tails[parts + s]);
        if (s > share && s < a.shares && tail_rows[s - 1] == row)
            sum = T_add(sum, heads[parts + s]);
    }
    sums[ITEM_X] = sum;
    BARRIER();
    ROLLED
    for (i32 apart = WIDE / 2; apart > 0; apart /= 2) {
        if (ITEM_X % WIDE < apart)
            sums[ITEM_X] = T_add(sums[ITEM_X], sums[ITEM_X + apart]);
        BARRIER();
    }
    if (row >= 0 && ITEM_X % WIDE == 0)
        scaled_store(y + GROUP_Y * a.ldy + row, alpha, sums[ITEM_X], beta);
}

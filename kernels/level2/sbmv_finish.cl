/* sbmv_finish.cl: y := alpha sum + beta y, with the partial sums of sbmv.cl
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * An element of y has a partial row sum from each share of its block, and a partial column sum from
 * each block that has its column. WX lanes stand along y; WY = ITEMS / WX share the partial sums of
 * an element and add them in fixed order. alpha = 0: partial sums are not read; beta = 0: y is not.
 * Geometry: groups of ITEMS work-items along x, one for each WX elements of y. Macros: sbmv.h.
 * Barriers: all work-items.
 */
#include "sbmv.h"

#define AT_ONCE 8 /* loads in flight per lane */

/* The blocks that have column i, from the first on. */
DEVICE i32 sbmv_first_block(sbmv_args a, i64 i)
{
    const i64 before = i - a.k > 0 ? i - a.k : 0;
    return (i32)((u64)(UPPER ? before : i) / ROWS);
}

DEVICE i32 sbmv_last_block(sbmv_args a, i64 i)
{
    const i64 behind = i + a.k < a.n ? i + a.k : a.n - 1;
    return (i32)((u64)(UPPER ? i : behind) / ROWS);
}

DEVICE T sbmv_partial(GLOBAL const T *row_sums, GLOBAL const T *column_sums, sbmv_args a, i64 i,
                      i32 first, i32 q)
{
    const i32 shares = (i32)a.shares;
    if (q < shares) {
        const i64 block = (i64)((u64)i / ROWS);
        return row_sums[sbmv_rows_at(a, block, q) + (i - block * ROWS)];
    }
    const i64 block = first + (q - shares);
    return column_sums[sbmv_columns_at(a, block) + (i - sbmv_first_column(a, block))];
}

KERNEL(sbmv_finish, ITEMS, 1, 1)
(GLOBAL const R *RESTRICT alpha_at, GLOBAL const R *RESTRICT beta_at,
 GLOBAL const T *RESTRICT row_sums, GLOBAL const T *RESTRICT column_sums, GLOBAL T *RESTRICT y,
 sbmv_args a)
{
    LOCAL T scratch[ITEMS];
    const i64 i = GROUP_X * WX + ITEM_R;
    const i32 first = sbmv_first_block(a, i);
    const i32 all = (i32)a.shares + sbmv_last_block(a, i) - first + 1;
    GLOBAL T *to = y + i * a.incy;
    T sum = T_make(0, 0), old = T_make(0, 0);
    BEGIN();
    NEXT_MAY_START(); /* groups here are small and short: they leave room on every multiprocessor */
    const T alpha = sbmv_alpha(alpha_at, a), beta = sbmv_beta(beta_at, a);
    if (i < a.n && ITEM_C == 0 && !T_is_zero(beta))
        old = *to; /* asked for together with the sums */
    ROLLED
    for (i32 q = ITEM_C; i < a.n && !T_is_zero(alpha) && q < all; q += AT_ONCE * WY) {
        T some[AT_ONCE];
        UNROLLED
        for (i32 u = 0; u < AT_ONCE; u++) {
            some[u] = T_make(0, 0);
            if (q + u * WY < all)
                some[u] = sbmv_partial(row_sums, column_sums, a, i, first, q + u * WY);
        }
        UNROLLED
        for (i32 u = 0; u < AT_ONCE; u++)
            sum = sbmv_add(some[u], sum);
    }
    if (WY > 1) {
        scratch[ITEM_X] = sum;
        BARRIER();
        if (ITEM_C == 0) {
            UNROLLED
            for (i32 team = 1; team < WY; team++)
                sum = sbmv_add(scratch[team * WX + ITEM_R], sum);
        }
    }
    if (i < a.n && ITEM_C == 0)
        *to = T_is_zero(beta) ? T_mul(alpha, sum) : T_fma(alpha, sum, T_mul(beta, old));
}

/* symv_finish.cl: y := alpha sum + beta y, with the partial sums of symv.cl
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * An element of y has a partial row sum from each group that worked on its block row, and a partial column
 * sum from its own block row and from each that is longer. WX lanes stand along y; WY = ITEMS / WX share the
 * partial sums of an element and add them in fixed order. alpha = 0: partial sums are not read; beta = 0: y
 * is not.
 * Geometry: one row of groups of ITEMS work-items, any number. Macros: ITEMS, WX, UPPER (symv.h).
 * Barriers: all work-items of a group make the same rounds.
 */
#include "symv.h"

#define AT_ONCE 4 /* loads in flight a lane */

/* The partial column sum that a block row left for a place. */
DEVICE T symv_column_sum(GLOBAL const T *sums, symv_args a, i32 place, i32 b)
{
    const i64 start = (symv_before(a, b) + a.lead) * a.columns;
    return sums[start + place - symv_first_column(a, b, (i32)a.rows)];
}

/* This lane's share of the partial sums of element i. */
DEVICE T symv_share(GLOBAL const T *row_sums, GLOBAL const T *column_sums, symv_args a, i64 i)
{
    const i32 place = (i32)(i + a.skip), rows = (i32)a.rows, from = place / rows;
    const i32 blocks = (i32)a.blocks, block = UPPER ? blocks - 1 - from : from;
    T sum = T_make(0, 0);
    ROLLED
    for (i32 b = block + LANE_C; b < blocks; b += AT_ONCE * WY) {
        T some[AT_ONCE];
        UNROLLED
        for (i32 k = 0; k < AT_ONCE; k++) {
            some[k] = T_make(0, 0);
            if (b + k * WY < blocks)
                some[k] = symv_column_sum(column_sums, a, place, b + k * WY);
        }
        UNROLLED
        for (i32 k = 0; k < AT_ONCE; k++)
            sum = symv_add(some[k], sum);
    }
    GLOBAL const T *of_row = row_sums + (i64)block * rows + place - from * rows;
    const i32 last = symv_group_of(a, symv_before(a, block + 1) - 1);
    ROLLED
    for (i32 g = symv_group_of(a, symv_before(a, block)) + LANE_C; g <= last; g += AT_ONCE * WY) {
        T some[AT_ONCE];
        UNROLLED
        for (i32 k = 0; k < AT_ONCE; k++) {
            some[k] = T_make(0, 0);
            if (g + k * WY <= last)
                some[k] = of_row[(i64)(g + k * WY) * rows];
        }
        UNROLLED
        for (i32 k = 0; k < AT_ONCE; k++)
            sum = symv_add(some[k], sum);
    }
    return sum;
}

KERNEL(symv_finish, ITEMS, 1, 1)
(GLOBAL const R *RESTRICT alpha_at, GLOBAL const R *RESTRICT beta_at,
 GLOBAL const T *RESTRICT row_sums, GLOBAL const T *RESTRICT column_sums, GLOBAL T *RESTRICT y,
 symv_args a)
{
    LOCAL T scratch[ITEMS];
    const T alpha = symv_alpha(alpha_at, a), beta = symv_beta(beta_at, a);
    ROLLED
    for (i64 first = GROUP_X * WX; first < a.n; first += GROUPS_X * WX) {
        const i64 i = first + LANE_R;
        T sum = T_make(0, 0);
        if (i < a.n && !T_is_zero(alpha))
            sum = symv_share(row_sums, column_sums, a, i);
        if (WY > 1) {
            BARRIER(); /* scratch may still be read */
            scratch[LANE_X] = sum;
            BARRIER();
            if (LANE_C == 0) {
                UNROLLED
                for (i32 team = 1; team < WY; team++)
                    sum = symv_add(scratch[team * WX + LANE_R], sum);
            }
        }
        if (i < a.n && LANE_C == 0) {
            GLOBAL T *to = y + i * a.incy;
            *to = T_is_zero(beta) ? T_mul(alpha, sum) : T_fma(alpha, sum, T_mul(beta, *to));
        }
    }
}

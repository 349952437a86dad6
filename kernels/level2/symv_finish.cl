/* symv_finish.cl: y := alpha sum + beta y, with the partial sums of symv.cl
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * An element of y has a partial row sum from each group that worked on its block row, and a partial
 * column sum from its own block row and from each that is longer. WX lanes stand along y; WY =
 * ITEMS / WX share the partial sums of an element and add them in fixed order. alpha = 0: partial
 * sums are not read; beta = 0: y is not.
 * Geometry: groups of ITEMS work-items along x, any number. Macros: ITEMS, WX, UPPER (symv.h).
 * Barriers: all work-items of a group make the same rounds.
 */
#include "symv.h"

#define AT_ONCE 8 /* loads in flight per lane */

/* Where the partial sums of an element stand: first its column's, one per block row from `block`
 * on, then its row's, one per group from `group` on. */
typedef struct symv_sums {
    i32 place, block, columns; /* how many of the column */
    i32 group, all;            /* how many in all */
    i64 row;                   /* of the first group's row sum */
} symv_sums;

DEVICE symv_sums symv_find(symv_args a, i64 i)
{
    const i32 rows = (i32)a.rows, blocks = (i32)a.blocks;
    symv_sums at;
    at.place = (i32)(i + a.skip);
    const i32 from = at.place / rows;
    at.block = UPPER ? blocks - 1 - from : from;
    at.columns = blocks - at.block;
    at.group = symv_group_of(a, symv_before(a, at.block));
    at.all = at.columns + 1 + symv_group_of(a, symv_before(a, at.block + 1) - 1) - at.group;
    at.row = (i64)(at.group + at.block) * rows + at.place - from * rows;
    return at;
}

DEVICE T symv_partial(GLOBAL const T *row_sums, GLOBAL const T *column_sums, symv_args a,
                      symv_sums at, i32 q)
{
    const i32 rows = (i32)a.rows;
    if (q >= at.columns)
        return row_sums[at.row + (i64)(q - at.columns) * rows];
    const i32 b = at.block + q;
    const i64 start = (i64)(symv_before(a, b) + (i32)a.lead) * (i32)a.columns;
    return column_sums[start + at.place - symv_first_column(a, b, rows)];
}

/* This lane's share of them. */
DEVICE T symv_share(GLOBAL const T *row_sums, GLOBAL const T *column_sums, symv_args a,
                    symv_sums at)
{
    T sum = T_make(0, 0);
    ROLLED
    for (i32 q = ITEM_C; q < at.all; q += AT_ONCE * WY) {
        T some[AT_ONCE];
        UNROLLED
        for (i32 k = 0; k < AT_ONCE; k++) {
            some[k] = T_make(0, 0);
            if (q + k * WY < at.all)
                some[k] = symv_partial(row_sums, column_sums, a, at, q + k * WY);
        }
        UNROLLED
        for (i32 k = 0; k < AT_ONCE; k++)
            sum = T_add(some[k], sum);
    }
    return sum;
}

KERNEL(symv_finish, ITEMS, 1, 1)
(GLOBAL const R *RESTRICT alpha_at, GLOBAL const R *RESTRICT beta_at,
 GLOBAL const T *RESTRICT row_sums, GLOBAL const T *RESTRICT column_sums, GLOBAL T *RESTRICT y,
 symv_args a)
{
    LOCAL T scratch[ITEMS];
    symv_sums at = symv_find(a, GROUP_X * WX + ITEM_R);
    BEGIN();
    NEXT_MAY_START(); /* groups here are small and short: they leave room on every multiprocessor */
    const T alpha = alpha_of(alpha_at, a.scalars), beta = beta_of(beta_at, a.scalars);
    ROLLED
    for (i64 first = GROUP_X * WX; first < a.n; first += GROUPS_X * WX) {
        const i64 i = first + ITEM_R;
        GLOBAL T *to = y + i * a.incy;
        T sum = T_make(0, 0), old = T_make(0, 0);
        if (i < a.n && ITEM_C == 0 && !T_is_zero(beta))
            old = *to; /* asked for together with the sums */
        if (i < a.n && !T_is_zero(alpha))
            sum = symv_share(row_sums, column_sums, a, at);
        if (WY > 1) {
            BARRIER(); /* scratch may still be read */
            scratch[ITEM_X] = sum;
            BARRIER();
            if (ITEM_C == 0) {
                UNROLLED
                for (i32 team = 1; team < WY; team++)
                    sum = T_add(scratch[team * WX + ITEM_R], sum);
            }
        }
        if (i < a.n && ITEM_C == 0)
            *to = scaled_sum(alpha, sum, beta, old);
        at = symv_find(a, i + GROUPS_X * WX);
    }
}

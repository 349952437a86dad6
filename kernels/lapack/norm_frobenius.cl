/* norm_frobenius.cl: sums of squares of a matrix or of a part of it, one set per group
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Neither overflow nor underflow: norm.h. The elements that a work-item loads from one tile are a
 * chunk. With SYMMETRIC those beside the diagonal count twice. Geometry: strips x parts groups of
 * WX work-items. Macros: norm_walk_matrix.h. Barriers: all work-items reach group_sum.
 * norm_frobenius_finish follows.
 */
#include "norm.h"
#include "norm_walk_matrix.h"

DEVICE i32 times_of(i64 i, i64 j)
{
    return SYMMETRIC && i != j ? 2 : 1;
}

DEVICE sum_t add_chunk(sum_t sum, const T *held, i64 i, i64 j)
{
    f64 plain = 0;
    UNROLLED
    for (i32 c = 0; c < COLUMNS; c++) {
        f64 square = 0;
        UNROLLED
        for (i32 part = 0; part < T_REALS; part++) {
            const f64 wide = T_real(held[c], part);
            square = R_fma(wide, wide, square);
        }
        plain += times_of(i, NORM_COLUMN(j, c)) * square;
    }
#if SUM_N == 1
    sum.v[0] += plain;
#else
    if (plain > NORM_SAFE_FROM && plain < NORM_SAFE_TO) {
        sum.v[NORM_MEDIUM] += plain;
        return sum;
    }
    UNROLLED
    for (i32 c = 0; c < COLUMNS; c++) {
        UNROLLED
        for (i32 part = 0; part < T_REALS; part++) {
            ROLLED
            for (i32 time = times_of(i, NORM_COLUMN(j, c)); time > 0; time--)
                sum = norm_add(sum, T_real(held[c], part));
        }
    }
#endif
    return sum;
}

KERNEL(norm_frobenius, WX, 1, 1)
(GLOBAL const T *RESTRICT A, GLOBAL f64 *RESTRICT partials, norm_args a)
{
    LOCAL sum_t scratch[GROUP_SCRATCH];
    BEGIN();
    sum_t sum = {{0}};
    NORM_STRIPS(a, j)
    NORM_TILES(a, i, j)
    {
        T held[COLUMNS];
        UNROLLED
        for (i32 c = 0; c < COLUMNS; c++)
            held[c] = norm_load(A, a, NORM_ROW(i), NORM_COLUMN(j, c));
        sum = add_chunk(sum, held, NORM_ROW(i), j);
    }
    sum = group_sum(sum, scratch);
    if (ITEM_X == 0)
        sum_store(partials + GROUP_X * SUM_N, sum);
}

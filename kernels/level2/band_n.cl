/* band_n.cl: y := alpha A x + beta y, A a wide band matrix
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A group computes ROWS = WX * DEEP elements of y. A lane keeps the sums of its rows in registers
 * and walks along the columns that meet the group's rows, COLUMNS at a time; WY = ITEMS / WX teams
 * of WX lanes take pieces by turns, and their sums are added through local memory. alpha = 0: A and
 * x are not read; beta = 0: y is not.
 * Geometry: groups of ITEMS work-items along x, one for each ROWS elements of y. Macros:
 * band_wide.h; SIDES is 1. Barriers: all work-items.
 */
#include "band_wide.h"

typedef struct band_sums {
    T v[DEEP];
} band_sums;

/* Adds a piece whose first row (of the lane) and column are given. */
DEVICE band_sums band_add_piece(band_sums sums, GLOBAL const T *A, GLOBAL const T *x, band_args a,
                                i64 row, i64 column, i32 some)
{
    const band_edges edges = band_find(a, row, column);
    const band_piece t = band_load(A, a, edges, row, column, some);
    T xs[COLUMNS];
    UNROLLED
    for (i32 c = 0; c < COLUMNS; c++)
        xs[c] = x[!some || c < edges.columns ? (column + c) * a.incx : 0];
    UNROLLED
    for (i32 c = 0; c < COLUMNS; c++) {
        UNROLLED
        for (i32 e = 0; e < DEEP; e++) {
            const T sum = T_fma(t.v[c][e], xs[c], sums.v[e]);
            sums.v[e] = !some || band_has(edges, a, e, c) ? sum : sums.v[e];
        }
    }
    return sums;
}

KERNEL(band_n, ITEMS, 1, (RESIDENT > ITEMS ? RESIDENT / ITEMS : 1))
(GLOBAL const R *RESTRICT alpha_at, GLOBAL const R *RESTRICT beta_at, GLOBAL const T *RESTRICT A,
 GLOBAL const T *RESTRICT x, GLOBAL T *RESTRICT y, band_args a)
{
    LOCAL T scratch[WY * ROWS];
    BEGIN();
    const T alpha = SCALED ? band_alpha(alpha_at, a) : T_make(1, 0);
    const T beta = SCALED ? band_beta(beta_at, a) : T_make(0, 0);
    const i64 top = GROUP_X * ROWS, end = band_least(top + ROWS + a.ku, a.n);
    band_sums sums;
    UNROLLED
    for (i32 e = 0; e < DEEP; e++)
        sums.v[e] = T_make(0, 0);
    ROLLED
    for (i64 column = band_most(top - a.kl, 0) + ITEM_C * COLUMNS;
         column < end && !T_is_zero(alpha); column += WY * COLUMNS) {
        if (band_whole(a, top, column))
            sums = band_add_piece(sums, A, x, a, top + ITEM_R, column, 0);
        else
            sums = band_add_piece(sums, A, x, a, top + ITEM_R, column, 1);
    }
    UNROLLED
    for (i32 e = 0; e < DEEP; e++)
        scratch[ITEM_C * ROWS + e * WX + ITEM_R] = sums.v[e];
    BARRIER();
    ROLLED
    for (i32 row = ITEM_X; row < ROWS; row += ITEMS) {
        T sum = scratch[row];
        UNROLLED
        for (i32 team = 1; team < WY; team++)
            sum = band_add(sum, scratch[team * ROWS + row]);
        if (top + row < a.m)
            band_store(y, (top + row) * a.incy, alpha, sum, beta);
    }
}

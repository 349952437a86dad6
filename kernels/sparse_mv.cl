/* sparse_mv.cl: Y := alpha A X + beta Y, A sparse: CSR, ELL, SELL.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Geometry: ITEMS work-items per group; LANES of them per row (CSR, where lanes run together), else one. RUN 1, for
 * CPUs: a work-item has a.run rows one behind the other. RUN 0: neighbours have neighbouring rows, and a work-item has
 * ROWS of them, ITEMS / LANES apart, which it requests together. Groups that follow one another make `passes` over the
 * columns of X, COLUMNS at a time, before the next rows come. sparse_row.h explains the other macros. No barriers.
 */
#ifndef LANES
#define LANES 1
#endif
#include "scalars.h"
#include "sparse_mv_args.h"
#include "sparse_row.h"

#if !defined(ITEMS) || !defined(ROWS) || !defined(RUN)
#error "sparse_mv needs ITEMS, ROWS and RUN"
#endif

typedef struct sparse_mv_data {
    sparse_rows m;
    sparse_x x;
    GLOBAL T *y;
    i64 ldy;
    T alpha, beta;
} sparse_mv_data;

DEVICE sparse_sums sparse_mv_sums(sparse_mv_data d, i64 place)
{
#if LANES > 1
    return sparse_row_lanes(d.m, place, d.x);
#else
    return sparse_row_sums(d.m, place, d.x);
#endif
}

DEVICE void sparse_mv_store(sparse_mv_data d, i64 place, sparse_sums sums)
{
    GLOBAL T *y = d.y + sparse_row_at(d.m, place);
    UNROLLED
    for (i32 k = 0; k < COLUMNS; k++)
        if (COLUMNS == 1 || k < d.x.columns)
            scaled_store(y + k * d.ldy, d.alpha, sums.v[k], d.beta);
}

/* ROWS rows; alpha = 0 reads nothing of A and x. */
DEVICE void sparse_mv_rows(sparse_mv_data d, i64 first, i32 stores)
{
    sparse_sums sums[ROWS];
    UNROLLED
    for (i32 r = 0; r < ROWS; r++) {
        const i64 place = first + r * (ITEMS / LANES);
        sums[r] = sparse_nothing();
        if (!T_is_zero(d.alpha) && (LANES > 1 || place < d.m.a.rows))
            sums[r] = sparse_mv_sums(d, place);
    }
    UNROLLED
    for (i32 r = 0; r < ROWS; r++) {
        const i64 place = first + r * (ITEMS / LANES);
        if (stores && place < d.m.a.rows)
            sparse_mv_store(d, place, sums[r]);
    }
}

KERNEL(sparse_mv, ITEMS, 1, 1)
(GLOBAL const R *RESTRICT alpha_at, GLOBAL const R *RESTRICT beta_at,
 GLOBAL const sparse_index *RESTRICT start, GLOBAL const sparse_index *RESTRICT column,
 GLOBAL const T *RESTRICT value, GLOBAL const sparse_index *RESTRICT order,
 GLOBAL const T *RESTRICT x, GLOBAL T *RESTRICT y, sparse_mv_args a)
{
    BEGIN();
    const i32 passes = (i32)a.passes;
    const i64 block = passes > 1 ? (i64)((u32)GROUP_X / (u32)passes) : GROUP_X;
    const i64 skipped = (GROUP_X - block * passes) * COLUMNS;
    sparse_mv_data d;
    d.m = sparse_rows_of(start, column, value, order, a.matrix);
    d.x.at = x + skipped * a.ldx;
    d.x.ld = a.ldx;
    d.x.columns = a.columns - skipped < COLUMNS ? (i32)(a.columns - skipped) : COLUMNS;
    d.y = y + skipped * a.ldy;
    d.ldy = a.ldy;
    d.alpha = alpha_of(alpha_at, a.scalars);
    d.beta = beta_of(beta_at, a.scalars);
#if RUN
    const i64 first = (block * ITEMS + LANE_X) * a.run;
    const i64 end = first + a.run < a.matrix.rows ? first + a.run : a.matrix.rows;
    ROLLED
    for (i64 place = first; place < end; place++)
        sparse_mv_store(d, place, T_is_zero(d.alpha) ? sparse_nothing() : sparse_mv_sums(d, place));
#else
    sparse_mv_rows(d, block * (ITEMS / LANES * ROWS) + LANE_X / LANES, LANE_X % LANES == 0);
#endif
}

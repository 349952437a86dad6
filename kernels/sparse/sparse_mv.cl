/* sparse_mv.cl: Y := alpha A X + beta Y, A sparse: CSR, ELL, SELL.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Geometry: ITEMS work-items per group; LANES of them per row (CSR), else one. Neighbours have
 * neighbouring rows. A work-item has ROWS of them, ITEMS / LANES apart, and requests UNROLL entries
 * of each before it uses the first. Groups that follow one another make `passes` over the columns
 * of X, COLUMNS at a time, before the next rows come. sparse_row.h explains the other macros.
 * Barriers, which all work-items reach, only where LANES do not run together.
 */
#ifndef LANES
#define LANES 1
#endif
#include "scalars.h"
#include "sparse_mv_args.h"
#include "sparse_row.h"

#if !defined(ITEMS) || !defined(ROWS)
#error "sparse_mv needs ITEMS and ROWS"
#endif
#define APART (ITEMS / LANES) /* from one row of a work-item to the next */

typedef struct sparse_mv_data {
    sparse_rows m;
    sparse_x x;
    GLOBAL T *y;
    i64 ldy;
    T alpha, beta;
} sparse_mv_data;

DEVICE sparse_span sparse_mv_span(sparse_rows m, i64 place)
{
#if LANES > 1
    return sparse_lane_span(m, place);
#else
    sparse_span span;
    span.at = 0;
    span.count = 0;
    if (place < m.a.rows)
        span = sparse_row_span(m, place);
    return span;
#endif
}

DEVICE i64 sparse_mv_step(sparse_rows m)
{
    return LANES > 1 ? LANES : sparse_step(m);
}

typedef struct sparse_mv_sums {
    sparse_sums row[ROWS];
} sparse_mv_sums;

#if ROWS > 1
/* ROWS rows side by side: entries of all of them are in flight together. */
DEVICE sparse_mv_sums sparse_mv_walk(sparse_mv_data d, i64 first)
{
    sparse_mv_sums sums;
    sparse_span span[ROWS];
    sparse_index most = 0;
    UNROLLED
    for (i32 r = 0; r < ROWS; r++) {
        sums.row[r] = sparse_nothing();
        span[r] = sparse_mv_span(d.m, first + r * APART);
        most = span[r].count > most ? span[r].count : most;
    }
    ROLLED
    for (sparse_index j = 0; j < most; j += UNROLL) {
        sparse_index c[ROWS][UNROLL];
        T v[ROWS][UNROLL];
        UNROLLED
        for (i32 r = 0; r < ROWS; r++) {
            UNROLLED
            for (i32 u = 0; u < UNROLL; u++) {
                const i64 at = span[r].at + (j + u) * sparse_mv_step(d.m);
                c[r][u] = -1;
                v[r][u] = T_make(0, 0);
                if (j + u < span[r].count) {
                    c[r][u] = d.m.column[at];
                    v[r][u] = d.m.value[at];
                }
            }
        }
        UNROLLED
        for (i32 k = 0; k < COLUMNS; k++) {
            T xs[ROWS][UNROLL];
            UNROLLED
            for (i32 r = 0; r < ROWS; r++) {
                UNROLLED
                for (i32 u = 0; u < UNROLL; u++) {
                    xs[r][u] = T_make(0, 0);
                    if ((COLUMNS == 1 || k < d.x.columns) && c[r][u] >= 0)
                        xs[r][u] = d.x.at[c[r][u] + k * d.x.ld];
                }
            }
            UNROLLED
            for (i32 r = 0; r < ROWS; r++) {
                UNROLLED
                for (i32 u = 0; u < UNROLL; u++)
                    sums.row[r].v[k] = T_fma(sparse_value(v[r][u]), xs[r][u], sums.row[r].v[k]);
            }
        }
    }
    return sums;
}
#else
DEVICE sparse_mv_sums sparse_mv_walk(sparse_mv_data d, i64 first)
{
    sparse_mv_sums sums;
    sums.row[0] = sparse_run(d.m, d.x, sparse_mv_span(d.m, first), sparse_mv_step(d.m));
    return sums;
}
#endif

DEVICE void sparse_mv_store(sparse_mv_data d, i64 place, sparse_sums sums)
{
    GLOBAL T *y = d.y + sparse_row_at(d.m, place);
    UNROLLED
    for (i32 k = 0; k < COLUMNS; k++)
        if (COLUMNS == 1 || k < d.x.columns)
            scaled_store(y + k * d.ldy, d.alpha, sums.v[k], d.beta);
}

#if LANES > WARP_SIZE
/* Sums over the lanes of each row, through local memory. All work-items must come. */
DEVICE sparse_sums sparse_mv_lanes(sparse_sums sums, LOCAL_PTR sparse_sums *scratch)
{
    BARRIER(); /* scratch may still be read */
    scratch[ITEM_X] = sums;
    BARRIER();
    ROLLED
    for (i32 rest = LANES / 2; rest > 0; rest /= 2) {
        if (ITEM_X % LANES < rest) {
            UNROLLED
            for (i32 k = 0; k < COLUMNS; k++)
                scratch[ITEM_X].v[k] = T_add(scratch[ITEM_X].v[k], scratch[ITEM_X + rest].v[k]);
        }
        BARRIER();
    }
    return scratch[ITEM_X];
}
#endif

KERNEL(sparse_mv, ITEMS, 1, 1)
(GLOBAL const R *RESTRICT alpha_at, GLOBAL const R *RESTRICT beta_at,
 GLOBAL const sparse_index *RESTRICT start, GLOBAL const sparse_index *RESTRICT column,
 GLOBAL const T *RESTRICT value, GLOBAL const sparse_index *RESTRICT order,
 GLOBAL const T *RESTRICT x, GLOBAL T *RESTRICT y, sparse_mv_args a)
{
#if LANES > WARP_SIZE
    LOCAL sparse_sums scratch[ITEMS];
#endif
    BEGIN();
    const i32 passes = (i32)a.passes;
    const i64 block = passes > 1 ? (i64)((u32)GROUP_X / (u32)passes) : GROUP_X;
    const i64 skipped = (GROUP_X - block * passes) * COLUMNS;
    const i64 first = block * (APART * ROWS) + ITEM_X / LANES;
    sparse_mv_data d;
    d.m = sparse_rows_of(start, column, value, order, a.matrix);
    d.x.at = x + skipped * a.ldx;
    d.x.ld = a.ldx;
    d.x.columns = a.columns - skipped < COLUMNS ? (i32)(a.columns - skipped) : COLUMNS;
    d.y = y + skipped * a.ldy;
    d.ldy = a.ldy;
    d.alpha = alpha_of(alpha_at, a.scalars);
    d.beta = beta_of(beta_at, a.scalars);
    sparse_mv_sums sums;
    UNROLLED
    for (i32 r = 0; r < ROWS; r++)
        sums.row[r] = sparse_nothing();
    if (!T_is_zero(d.alpha))
        sums = sparse_mv_walk(d, first);
#if LANES > WARP_SIZE
    ROLLED
    for (i32 r = 0; r < ROWS; r++)
        sums.row[r] = sparse_mv_lanes(sums.row[r], scratch);
#elif LANES > 1
    UNROLLED
    for (i32 r = 0; r < ROWS; r++)
        lanes_add(sums.row[r].v, COLUMNS, LANES / 2, 1);
#endif
    UNROLLED
    for (i32 r = 0; r < ROWS; r++)
        if (ITEM_X % LANES == 0 && first + r * APART < a.matrix.rows)
            sparse_mv_store(d, first + r * APART, sums.row[r]);
}

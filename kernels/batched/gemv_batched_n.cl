/* gemv_batched_n.cl: y := alpha A x + beta y, for many A, x and y
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A block is WX * VEC rows of a matrix, VEC per lane: a vector that stands on an aligned address,
 * or, where columns do not start alike (SPREAD, or a matrix of an array of addresses that is not
 * aligned), single rows, WX apart, so that neighbours' loads make whole cache lines. Rows that do
 * not exist count as zeros. The first block starts above the matrix where its first row is not
 * aligned. A lane walks along the columns, WY of them side by side, UNROLL loads in flight. alpha =
 * 0: A and x are not read; beta = 0: y is not read. Geometry: sets of MATRICES matrices along x,
 * blocks of rows along y, groups of ITEMS work-items. Macros: gemv_batched.h; SPREAD 0 or 1.
 * Barriers: all work-items walk the same sets and blocks.
 */
#ifndef SPREAD
#error "gemv_batched_n needs SPREAD"
#endif
#define SUMS        VEC
#define HELPER      ITEM_C
#define HELPERS     WY
#define HELPER_STEP WX
#include "gemv_batched.h"

/* The rows of a lane: row, row + step, ... */
typedef struct batch_rows {
    i64 row;
    i32 step;
} batch_rows;

DEVICE batch_rows batch_n_rows(batch_product p, gemv_batched_args a)
{
    batch_rows rows;
    rows.row = p.block * (WX * VEC) + ITEM_R;
    rows.step = WX;
    if (p.wide) {
        rows.row = p.block * (WX * VEC) + ITEM_R * VEC - (!WHOLE && a.head > 0 ? VEC - a.head : 0);
        rows.step = 1;
    }
    return rows;
}

/* The rows of a lane in one column; `whole`: all exist, as a vector. */
DEVICE TV batch_n_load(GLOBAL const T *column, gemv_batched_args a, batch_rows rows, i32 whole)
{
    TV t;
    if (whole)
        return TV_load(column + rows.row, 0);
    UNROLLED
    for (i32 k = 0; k < VEC; k++) {
        const i64 row = rows.row + k * rows.step;
        t.v[k] = WHOLE || (row >= 0 && row < a.m) ? batch_single(column + row) : T_make(0, 0);
    }
    return t;
}

/* UNROLL columns of a lane, from column j on; `last`: some may not exist. */
DEVICE batch_sums batch_n_round(batch_sums sums, batch_product p, gemv_batched_args a,
                                batch_rows rows, i64 j, i32 whole, i32 last)
{
    GLOBAL const T *column = p.A + j * a.lda;
    TV t[UNROLL];
    T xs[UNROLL];
    UNROLLED
    for (i32 u = 0; u < UNROLL; u++) {
        t[u] = TV_zero();
        if (!last || j + u * WY < a.n)
            t[u] = batch_n_load(column + u * WY * a.lda, a, rows, whole);
    }
    UNROLLED
    for (i32 u = 0; u < UNROLL; u++)
        xs[u] = !last || j + u * WY < a.n ? p.x[(j + u * WY) * a.incx] : T_make(0, 0);
    UNROLLED
    for (i32 u = 0; u < UNROLL; u++) {
        UNROLLED
        for (i32 k = 0; k < VEC; k++)
            sums.v[k] = T_fma(t[u].v[k], xs[u], sums.v[k]);
    }
    return sums;
}

DEVICE batch_sums batch_n_columns(batch_product p, gemv_batched_args a, batch_rows rows, i32 whole)
{
    batch_sums sums = batch_nothing();
    i64 j = 0;
    ROLLED
    for (; j + UNROLL * WY <= a.n; j += UNROLL * WY)
        sums = batch_n_round(sums, p, a, rows, j + ITEM_C, whole, 0);
    if (!WHOLE && j < a.n)
        sums = batch_n_round(sums, p, a, rows, j + ITEM_C, whole, 1);
    return sums;
}

DEVICE batch_sums batch_sum(batch_product p, gemv_batched_args a)
{
    const batch_rows rows = batch_n_rows(p, a);
    if (p.wide && (WHOLE || (rows.row >= 0 && rows.row + VEC <= a.m)))
        return batch_n_columns(p, a, rows, 1);
    return batch_n_columns(p, a, rows, 0);
}

DEVICE i64 batch_output(batch_product p, gemv_batched_args a, i32 k)
{
    const batch_rows rows = batch_n_rows(p, a);
    const i64 row = rows.row + k * rows.step;
    return WHOLE || row < a.m ? row : -1; /* or above the matrix */
}

DEVICE i32 batch_wide(GLOBAL const T *A, GLOBAL const T *x)
{
    (void)x;
#if POINTERS && !SPREAD
    return (u64)A % ALIGN == 0;
#else
    (void)A;
    return !SPREAD;
#endif
}

KERNEL(gemv_batched_n, ITEMS, 1, 1)
(GLOBAL const R *RESTRICT alpha_at, GLOBAL const R *RESTRICT beta_at, GLOBAL const T *A,
 GLOBAL const T *x, GLOBAL T *y, gemv_batched_args a)
{
    LOCAL batch_sums scratch[BATCH_SCRATCH];
    BEGIN();
    const T alpha = alpha_of(alpha_at, a.scalars), beta = beta_of(beta_at, a.scalars);
    batch_walk(A, x, y, alpha, beta, a, scratch);
}

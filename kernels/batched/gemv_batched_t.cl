/* gemv_batched_t.cl: y := alpha A' x + beta y, or with the conjugate transpose, for many A, x and y
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A block is WY * COLUMNS columns of a matrix, COLUMNS per lane, WY apart: a lane loads a piece of
 * x once for its columns and has a sum for each. WX lanes go down the rows, UNROLL vectors at a
 * time; then come the edges: the rows before and behind the vectors, or all rows of a matrix of an
 * array of addresses that is not aligned. Columns that do not exist are loaded as the last one and
 * dropped. alpha = 0: A and x are not read; beta = 0: y is not read. Geometry: sets of MATRICES
 * matrices along x, blocks of columns along y, groups of ITEMS work-items. Macros: gemv_batched.h;
 * COLUMNS; CONJ 0 or 1; X_ALIGN, as ALIGN for x, 0: its elements are apart. Barriers: all
 * work-items walk the same sets and blocks.
 */
#if !defined(COLUMNS) || !defined(CONJ) || !defined(X_ALIGN)
#error "gemv_batched_t needs COLUMNS, CONJ and X_ALIGN"
#endif
#define SUMS        COLUMNS
#define HELPER      ITEM_R
#define HELPERS     WX
#define HELPER_STEP 1
#include "gemv_batched.h"

DEVICE T batch_t_step(T a, T x, T sum)
{
#if CONJ
    return T_fma(T_conj(a), x, sum);
#else
    return T_fma(a, x, sum);
#endif
}

DEVICE i64 batch_t_column(batch_product p, i32 k)
{
    return p.block * (WY * COLUMNS) + k * WY + ITEM_C;
}

/* The part of x beside vector i. */
DEVICE XV batch_t_x(batch_product p, gemv_batched_args a, i64 i)
{
#if X_ALIGN == 0
    return XV_load_spread(p.x, a.head + i * VEC, a.incx);
#else
    return ((GLOBAL const XV *)(p.x + a.head))[i];
#endif
}

/* UNROLL vectors of each column, from vector i on; `last`: some may not exist. */
DEVICE batch_sums batch_t_round(batch_sums sums, batch_product p, gemv_batched_args a,
                                GLOBAL const T **columns, i64 i, i32 last)
{
    TV t[UNROLL][COLUMNS];
    XV xs[UNROLL];
    UNROLLED
    for (i32 u = 0; u < UNROLL; u++) {
        UNROLLED
        for (i32 k = 0; k < VEC; k++) {
            xs[u].v[k] = T_make(0, 0);
            UNROLLED
            for (i32 c = 0; c < COLUMNS; c++)
                t[u][c].v[k] = T_make(0, 0);
        }
        if (!last || i + u * WX < a.vectors) {
            UNROLLED
            for (i32 c = 0; c < COLUMNS; c++)
                t[u][c] = TV_load(columns[c] + a.head, i + u * WX);
            xs[u] = batch_t_x(p, a, i + u * WX);
        }
    }
    UNROLLED
    for (i32 u = 0; u < UNROLL; u++) {
        UNROLLED
        for (i32 c = 0; c < COLUMNS; c++) {
            UNROLLED
            for (i32 k = 0; k < VEC; k++)
                sums.v[c] = batch_t_step(t[u][c].v[k], xs[u].v[k], sums.v[c]);
        }
    }
    return sums;
}

DEVICE batch_sums batch_sum(batch_product p, gemv_batched_args a)
{
    batch_sums sums = batch_nothing();
    GLOBAL const T *columns[COLUMNS];
    const i64 vectors = p.wide ? a.vectors : 0, edges = a.m - vectors * VEC;
    UNROLLED
    for (i32 c = 0; c < COLUMNS; c++) {
        const i64 column = batch_t_column(p, c);
        columns[c] = p.A + (WHOLE || column < a.n ? column : a.n - 1) * a.lda;
    }
    i64 i = 0;
    ROLLED
    for (; i + UNROLL * WX <= vectors; i += UNROLL * WX)
        sums = batch_t_round(sums, p, a, columns, i + ITEM_R, 0);
    if (!WHOLE && i < vectors)
        sums = batch_t_round(sums, p, a, columns, i + ITEM_R, 1);
    ROLLED
    for (i64 e = ITEM_R; (!WHOLE || !p.wide) && e < edges; e += WX) {
        const i64 row = e < a.head ? e : e + vectors * VEC;
        const T x = p.x[row * a.incx];
        UNROLLED
        for (i32 c = 0; c < COLUMNS; c++)
            sums.v[c] = batch_t_step(batch_single(columns[c] + row), x, sums.v[c]);
    }
    return sums;
}

DEVICE i64 batch_output(batch_product p, gemv_batched_args a, i32 k)
{
    const i64 column = batch_t_column(p, k);
    return WHOLE || column < a.n ? column : -1;
}

DEVICE i32 batch_wide(GLOBAL const T *A, GLOBAL const T *x)
{
#if POINTERS && X_ALIGN == 0
    (void)x;
    return (u64)A % ALIGN == 0;
#elif POINTERS
    return (u64)A % ALIGN == 0 && (u64)x % X_ALIGN == 0;
#else
    (void)A, (void)x;
    return 1;
#endif
}

KERNEL(gemv_batched_t, ITEMS, 1, 1)
(GLOBAL const R *RESTRICT alpha_at, GLOBAL const R *RESTRICT beta_at, GLOBAL const T *A,
 GLOBAL const T *x, GLOBAL T *y, gemv_batched_args a)
{
    LOCAL batch_sums scratch[BATCH_SCRATCH];
    BEGIN();
    const T alpha = alpha_of(alpha_at, a.scalars), beta = beta_of(beta_at, a.scalars);
    batch_walk(A, x, y, alpha, beta, a, scratch);
}

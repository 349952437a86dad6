/* maxpy.cl: y := y + alpha (a_0 x_0 + a_1 x_1 + ...)
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A work-item keeps a piece of y in registers while the same piece of every column passes by, BATCH
 * columns requested at a time; y goes through memory once. ON_DEVICE 1: the coefficients are in the
 * buffer values_at; 0: in the arguments, and there are BATCH columns. Geometry: any number of
 * groups of WX work-items. Macros: stream.h; BATCH; ON_DEVICE 0 or 1. No barriers.
 */
#include "stream.h"
#include "maxpy_args.h"
#if !defined(BATCH) || !defined(ON_DEVICE)
#error "maxpy needs BATCH and ON_DEVICE"
#endif

/* The coefficients of `count` (a constant) columns from j on, times alpha. Arguments are indexed by
 * constants only: an index that varies would make each work-item keep a copy of them in memory. */
DEVICE void maxpy_coefficients(T *c, GLOBAL const R *values_at, maxpy_args a, i64 j,
                               const i32 count)
{
    const T alpha = T_make(a.alpha_re, a.alpha_im);
    UNROLLED
    for (i32 b = 0; b < count; b++) {
#if ON_DEVICE
        GLOBAL const R *at = values_at + (j + b) * T_REALS;
        c[b] = T_mul(alpha, T_make(at[0], at[T_REALS - 1]));
#else
        (void)values_at;
        (void)j;
        c[b] = T_mul(alpha, T_make(a.values[2 * b], a.values[2 * b + 1]));
#endif
    }
}

/* Adds `count` (a constant) columns from j on to `vectors` (a constant) vectors at i, i + step,
 * ... */
DEVICE void maxpy_columns(TV *sum, GLOBAL const R *values_at, GLOBAL const T *X, maxpy_args a,
                          i64 i, i64 step, i64 j, const i32 vectors, const i32 count)
{
    TV t[UNROLL][BATCH];
    T c[BATCH];
    UNROLLED
    for (i32 b = 0; b < count; b++) {
        UNROLLED
        for (i32 u = 0; u < vectors; u++)
            t[u][b] = stream_load(X + (j + b) * a.ldx + a.range.head, 1, i + u * step);
    }
    maxpy_coefficients(c, values_at, a, j, count);
    UNROLLED
    for (i32 b = 0; b < count; b++) {
        UNROLLED
        for (i32 u = 0; u < vectors; u++) {
            UNROLLED
            for (i32 k = 0; k < VEC; k++)
                sum[u].v[k] = T_fma(c[b], t[u][b].v[k], sum[u].v[k]);
        }
    }
}

/* All columns for `vectors` (a constant) vectors of y. */
DEVICE void maxpy_vectors(GLOBAL const R *values_at, GLOBAL const T *X, GLOBAL T *y, maxpy_args a,
                          i64 i, i64 step, const i32 vectors)
{
    TV sum[UNROLL];
    UNROLLED
    for (i32 u = 0; u < vectors; u++)
        sum[u] = stream_load(y + a.range.head, a.range.incy, i + u * step);
#if ON_DEVICE
    i64 j = 0;
    ROLLED
    for (; j + BATCH <= a.columns; j += BATCH)
        maxpy_columns(sum, values_at, X, a, i, step, j, vectors, BATCH);
    ROLLED
    for (; j < a.columns; j++)
        maxpy_columns(sum, values_at, X, a, i, step, j, vectors, 1);
#else
    maxpy_columns(sum, values_at, X, a, i, step, 0, vectors, BATCH);
#endif
    UNROLLED
    for (i32 u = 0; u < vectors; u++)
        stream_store(y + a.range.head, a.range.incy, i + u * step, sum[u]);
}

DEVICE T maxpy_edge(T sum, GLOBAL const R *values_at, GLOBAL const T *X, maxpy_args a, i64 at)
{
    T c[BATCH];
#if ON_DEVICE
    ROLLED
    for (i64 j = 0; j < a.columns; j++) {
        maxpy_coefficients(c, values_at, a, j, 1);
        sum = T_fma(c[0], X[j * a.ldx + at], sum);
    }
#else
    maxpy_coefficients(c, values_at, a, 0, BATCH);
    UNROLLED
    for (i32 b = 0; b < BATCH; b++)
        sum = T_fma(c[b], X[b * a.ldx + at], sum);
#endif
    return sum;
}

KERNEL(maxpy, WX, 1, 1)
(GLOBAL const R *RESTRICT values_at, GLOBAL const T *RESTRICT X, GLOBAL T *RESTRICT y, maxpy_args a)
{
    BEGIN();
    const i64 last = stream_last(a.range), step = stream_step();
    i64 i = stream_first(a.range);
    ROLLED
    for (; i + (UNROLL - 1) * step < last; i += UNROLL * step)
        maxpy_vectors(values_at, X, y, a, i, step, UNROLL);
    ROLLED
    for (; i < last; i += step)
        maxpy_vectors(values_at, X, y, a, i, step, 1);
    for (i64 e = ITEM_X; e < stream_edges(a.range); e += WX) {
        const i64 at = stream_edge(a.range, e);
        y[at] = maxpy_edge(y[at], values_at, X, a, at);
    }
}

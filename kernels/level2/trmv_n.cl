/* trmv_n.cl: y := A x, A triangular
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A block is WX pieces of rows, one per lane: a vector, or for the last ones an edge row; where
 * columns do not start alike (SPREAD) VEC single rows, WX apart. A lane keeps the sums of its rows
 * in registers and walks along the columns that all of them have, WY side by side in the group,
 * then along the few on the diagonal, element by element. Geometry: groups of ITEMS work-items
 * along x. Macros: trmv.h; SPREAD 0 or 1. Barriers: all work-items walk the same blocks.
 */
#ifndef SPREAD
#error "trmv_n needs SPREAD"
#endif
#define SUMS    VEC
#define HELPERS WY
#define APART   WX
#include "trmv.h"

/* Row k of a piece; n or more: there is none. */
DEVICE i64 trmv_n_row(trmv_args a, i64 piece, i32 k)
{
#if SPREAD
    (void)a;
    return piece / WX * (WX * VEC) + k * WX + piece % WX;
#else
    if (piece < a.vectors)
        return a.head + piece * VEC + k;
    const i64 edge = piece - a.vectors;
    return k > 0 ? a.n : edge < a.head ? edge : edge + a.vectors * VEC;
#endif
}

/* The rows of a piece in one column that has them all; a row that does not exist is the last
 * one. */
DEVICE TV trmv_n_load(GLOBAL const T *column, trmv_args a, i64 piece)
{
#if SPREAD
    TV t;
    UNROLLED
    for (i32 k = 0; k < VEC; k++) {
        const i64 row = trmv_n_row(a, piece, k);
        t.v[k] = column[row < a.n ? row : a.n - 1];
    }
    return t;
#else
    return trmv_load(column, a, piece);
#endif
}

/* Columns [begin, end), in which all rows of the piece are. */
DEVICE trmv_sums trmv_n_beside(trmv_sums sums, trmv_data d, i64 piece, i64 begin, i64 end)
{
    i64 j = begin + ITEM_C;
    ROLLED
    for (; j + (UNROLL - 1) * WY < end; j += UNROLL * WY) {
        TV t[UNROLL];
        T xs[UNROLL];
        UNROLLED
        for (i32 u = 0; u < UNROLL; u++)
            t[u] = trmv_n_load(d.A + column_start(j + u * WY, d.a.lda, d.a.upper), d.a, piece);
        UNROLLED
        for (i32 u = 0; u < UNROLL; u++)
            xs[u] = d.x[j + u * WY];
        UNROLLED
        for (i32 u = 0; u < UNROLL; u++) {
            UNROLLED
            for (i32 k = 0; k < VEC; k++)
                sums.v[k] = T_fma(t[u].v[k], xs[u], sums.v[k]);
        }
    }
    ROLLED
    for (; j < end; j += WY) {
        const TV t = trmv_n_load(d.A + column_start(j, d.a.lda, d.a.upper), d.a, piece);
        const T xs = d.x[j];
        UNROLLED
        for (i32 k = 0; k < VEC; k++)
            sums.v[k] = T_fma(t.v[k], xs, sums.v[k]);
    }
    return sums;
}

/* The columns on the diagonal, where each row has its own part. */
DEVICE trmv_sums trmv_n_diagonal(trmv_sums sums, trmv_data d, i64 piece, i64 first, i64 last)
{
    ROLLED
    for (i64 j = first + ITEM_C; j <= last; j += WY) {
        UNROLLED
        for (i32 k = 0; k < VEC; k++) {
            const i64 row = trmv_n_row(d.a, piece, k);
            if (row < d.a.n && (d.a.upper ? row <= j : row >= j))
                sums.v[k] = T_fma(trmv_element(d, row, j), d.x[j], sums.v[k]);
        }
    }
    return sums;
}

DEVICE trmv_sums trmv_block(trmv_sums sums, trmv_data d, i64 block)
{
    const trmv_args a = d.a;
    const i64 piece = block * WX + ITEM_R, first = trmv_n_row(a, piece, 0);
    if (first < a.n) {
        i64 last = first;
        UNROLLED
        for (i32 k = 1; k < VEC; k++) {
            const i64 row = trmv_n_row(a, piece, k);
            last = row < a.n ? row : last;
        }
        const i64 begin = a.upper ? last + 1 : 0, end = a.upper ? a.n : first;
        if (SPREAD || piece < a.vectors) {
            sums = trmv_n_beside(sums, d, piece, begin, end);
        } else {
            ROLLED
            for (i64 j = begin + ITEM_C; j < end; j += WY)
                sums.v[0] = T_fma(d.A[first + column_start(j, a.lda, a.upper)], d.x[j], sums.v[0]);
        }
        sums = trmv_n_diagonal(sums, d, piece, first, last);
    }
    return sums;
}

DEVICE void trmv_finish(trmv_sums sums, trmv_data d, i64 block)
{
    const i64 piece = block * WX + ITEM_R;
    UNROLLED
    for (i32 k = 0; k < VEC; k++) {
        const i64 row = trmv_n_row(d.a, piece, k);
        if (row < d.a.n)
            d.y[row * d.a.incx] = sums.v[k];
    }
}

KERNEL(trmv_n, ITEMS, 1, 1)
(GLOBAL const T *RESTRICT A, GLOBAL const T *RESTRICT x, GLOBAL T *RESTRICT y, trmv_args a)
{
    LOCAL trmv_sums scratch[SCRATCH];
    BEGIN();
    trmv_walk(trmv_operands(A, x, y, a), scratch);
}

/* gemv_n.cl: y := alpha A x + beta y
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A block is WX pieces of rows, one per lane: a vector, or for the last ones an edge row. Where
 * columns do not start alike (SPREAD) a piece is VEC single rows, WX apart, so that loads of
 * neighbours still make whole cache lines; rows past the end are loaded as the last one and
 * dropped. A lane keeps the sums of its rows in registers and walks along columns, WY of them side
 * by side in the group, UNROLL loads in flight; the WY sums are then added through local memory.
 * Chunks are ranges of columns; groups share the work as split.h says. alpha = 0: A and x are not
 * read; beta = 0: y is not read. Geometry:
 * groups of ITEMS work-items along x. Macros: gemv.h; SPREAD 0 or 1. Barriers: all work-items walk
 * the same chunks.
 */
#ifndef SPREAD
#error "gemv_n needs SPREAD"
#endif
#define SUMS    VEC
#define OWNER   ITEM_R
#define OWNERS  WX
#define HELPER  ITEM_C
#define HELPERS WY
#include "gemv.h"

#if SPREAD
/* Row k of a piece. */
DEVICE i64 gemv_n_row(i64 piece, i32 k)
{
    return piece / WX * (WX * VEC) + k * WX + piece % WX;
}
#endif

/* The rows of a piece in one column. */
DEVICE TV gemv_n_load(GLOBAL const T *column, gemv_args a, i64 piece)
{
#if SPREAD
    TV t;
    UNROLLED
    for (i32 k = 0; k < VEC; k++) {
        const i64 row = gemv_n_row(piece, k);
        t.v[k] = column[row < a.m ? row : a.m - 1];
    }
    return t;
#else
    return gemv_load(column, a, piece);
#endif
}

/* One round: UNROLL columns, WY apart. Where not all are there (whole is 0) the missing ones count
 * as zeros, so that the loads of the rest are in flight together too. */
DEVICE gemv_sums gemv_n_round(gemv_sums sums, gemv_data d, i64 piece, i64 j, i64 last, i32 whole)
{
    TV t[UNROLL];
    T xs[UNROLL];
    UNROLLED
    for (i32 u = 0; u < UNROLL; u++) {
        if (whole || j + u * WY < last) {
            t[u] = gemv_n_load(d.A + (j + u * WY) * d.a.lda, d.a, piece);
            xs[u] = d.x[(j + u * WY) * d.a.incx];
        } else {
            t[u] = TV_zero();
            xs[u] = T_make(0, 0);
        }
    }
    UNROLLED
    for (i32 u = 0; u < UNROLL; u++) {
        UNROLLED
        for (i32 k = 0; k < VEC; k++)
            sums.v[k] = T_fma(t[u].v[k], xs[u], sums.v[k]);
    }
    return sums;
}

/* A round of an edge row: as many columns. One after the other they would take longer than all the
 * rest. */
DEVICE T gemv_n_edge_round(T sum, gemv_data d, GLOBAL const T *row, i64 j, i64 last)
{
    T t[UNROLL], xs[UNROLL];
    UNROLLED
    for (i32 u = 0; u < UNROLL; u++) {
        t[u] = xs[u] = T_make(0, 0);
        if (j + u * WY < last) {
            t[u] = row[(j + u * WY) * d.a.lda];
            xs[u] = d.x[(j + u * WY) * d.a.incx];
        }
    }
    UNROLLED
    for (i32 u = 0; u < UNROLL; u++)
        sum = T_fma(t[u], xs[u], sum);
    return sum;
}

DEVICE gemv_sums gemv_n_vector(gemv_sums sums, gemv_data d, i64 piece, i64 first, i64 last)
{
    i64 j = first + ITEM_C;
    ROLLED
    for (; j + (UNROLL - 1) * WY < last; j += UNROLL * WY)
        sums = gemv_n_round(sums, d, piece, j, last, 1);
    if (j < last)
        sums = gemv_n_round(sums, d, piece, j, last, 0);
    return sums;
}

DEVICE gemv_sums gemv_chunks(gemv_sums sums, gemv_data d, i32 block, i32 from, i32 to)
{
    const i64 piece = (i64)block * WX + ITEM_R, first = from * d.a.chunk;
    const i64 last = to * d.a.chunk < d.a.n ? to * d.a.chunk : d.a.n;
    if (SPREAD || piece < d.a.vectors) {
        sums = gemv_n_vector(sums, d, piece, first, last);
    } else if (VEC > 1 && piece < d.a.vectors + gemv_edges(d.a)) {
        GLOBAL const T *row = d.A + gemv_edge(d.a, piece - d.a.vectors);
        ROLLED
        for (i64 j = first + ITEM_C; j < last; j += UNROLL * WY)
            sums.v[0] = gemv_n_edge_round(sums.v[0], d, row, j, last);
    }
    return sums;
}

#if WARP_SIZE > 1 && WX < WARP_SIZE
/* of lanes that run together, WX of them with one row each */
#define WARPS        (ITEMS / WARP_SIZE)
#define GEMV_SCRATCH (WARPS * WX)

/* The sums over lanes of a warp that have the same rows. */
DEVICE gemv_sums gemv_n_warp(gemv_sums sums)
{
    lanes_add(sums.v, SUMS, WARP_SIZE / 2, WX);
    return sums;
}

DEVICE gemv_sums gemv_group(gemv_sums sums, LOCAL_PTR gemv_sums *scratch)
{
    sums = gemv_n_warp(sums);
    if (WARPS > 1) {
        BARRIER(); /* scratch may still be read */
        if (ITEM_X % WARP_SIZE < WX)
            scratch[ITEM_X / WARP_SIZE * WX + ITEM_R] = sums;
        BARRIER();
        if (ITEM_X < WARP_SIZE) {
            sums = gemv_nothing();
            UNROLLED
            for (i32 warp = 0; warp < WARPS; warp += WARP_SIZE / WX) {
                const i32 mine = warp + ITEM_C;
                UNROLLED
                for (i32 k = 0; k < SUMS; k++)
                    if (mine < WARPS)
                        sums.v[k] = T_add(scratch[mine * WX + ITEM_R].v[k], sums.v[k]);
            }
            sums = gemv_n_warp(sums);
        }
    }
    return sums;
}
#else
#define GEMV_SCRATCH (WY > 1 ? ITEMS : 1)

DEVICE gemv_sums gemv_group(gemv_sums sums, LOCAL_PTR gemv_sums *scratch)
{
#if WY > 1
    BARRIER(); /* scratch may still be read */
    scratch[ITEM_X] = sums;
    BARRIER();
    ROLLED
    for (i32 rest = WY / 2; rest > 0; rest /= 2) {
        if (ITEM_C < rest) {
            UNROLLED
            for (i32 k = 0; k < SUMS; k++)
                scratch[ITEM_X].v[k] =
                    T_add(scratch[ITEM_X].v[k], scratch[ITEM_X + rest * WX].v[k]);
        }
        BARRIER();
    }
    sums = scratch[ITEM_X];
#else
    (void)scratch;
#endif
    return sums;
}
#endif

DEVICE void gemv_finish(gemv_sums sums, gemv_data d, i32 block)
{
    const i64 piece = (i64)block * WX + ITEM_R;
#if SPREAD
    UNROLLED
    for (i32 k = 0; k < VEC; k++)
        if (gemv_n_row(piece, k) < d.a.m)
            scaled_store(d.y + gemv_n_row(piece, k) * d.a.incy, d.alpha, sums.v[k], d.beta);
#else
    if (piece < d.a.vectors) {
        UNROLLED
        for (i32 k = 0; k < VEC; k++)
            scaled_store(d.y + (d.a.head + piece * VEC + k) * d.a.incy, d.alpha, sums.v[k], d.beta);
    } else if (piece < d.a.vectors + gemv_edges(d.a)) {
        scaled_store(d.y + gemv_edge(d.a, piece - d.a.vectors) * d.a.incy, d.alpha, sums.v[0],
                     d.beta);
    }
#endif
}

KERNEL(gemv_n, ITEMS, 1, 1)
(GLOBAL const R *RESTRICT alpha_at, GLOBAL const R *RESTRICT beta_at, GLOBAL const T *RESTRICT A,
 GLOBAL const T *RESTRICT x, GLOBAL T *RESTRICT y, GLOBAL T *RESTRICT partials,
 GLOBAL i32 *RESTRICT counters, gemv_args a)
{
    LOCAL gemv_sums scratch[GEMV_SCRATCH];
    LOCAL i32 flag[1];
    BEGIN();
    gemv_walk(gemv_operands(alpha_at, beta_at, A, x, y, a), partials, counters, scratch, flag);
}

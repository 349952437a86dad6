/* gemv_t.cl: y := alpha A' x + beta y, or with the conjugate transpose
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A block is WY * BATCH columns, BATCH per lane: a lane loads a piece of x once for its columns and
 * has a sum for each. The WX sums of a column are then added, through registers where lanes run
 * together. In the last block columns that do not exist are loaded as the last one and dropped.
 * Chunks are ranges of vectors; the first has the edges too. Groups share the work as split.h says.
 * alpha = 0: A and x are not read; beta = 0: y is not read. Geometry: groups of ITEMS work-items
 * along x. Macros: gemv.h; BATCH; CONJ 0 or 1; X_ALIGN, as ALIGN for x where it is loaded in
 * vectors, else element by element; X_FORM: 1 and 2 say that it is the one or the other, 0 that
 * a.x_whole does. Barriers: all work-items walk the same chunks.
 */
#if !defined(BATCH) || !defined(CONJ) || !defined(X_ALIGN) || !defined(X_FORM)
#error "gemv_t needs BATCH, CONJ, X_ALIGN and X_FORM"
#endif
#define SUMS    BATCH
#define OWNER   ITEM_C
#define OWNERS  WY
#define HELPER  ITEM_R
#define HELPERS WX
#include "gemv.h"

DEVICE T gemv_t_step(T a, T x, T sum)
{
#if CONJ
    return T_fma(T_conj(a), x, sum);
#else
    return T_fma(a, x, sum);
#endif
}

/* The part of x beside vector i. */
DEVICE XV gemv_t_x(gemv_data d, i64 i, i32 x_whole)
{
    if (x_whole)
        return ((GLOBAL const XV *)(d.x + d.a.head))[i];
    return XV_load_spread(d.x, d.a.head + i * VEC, d.a.incx);
}

DEVICE i64 gemv_t_column(i32 block)
{
    return ((i64)block * WY + ITEM_C) * BATCH;
}

/* One round: UNROLL vectors, WX apart, of BATCH columns. Where not all are there (whole is 0) the
 * missing ones count as zeros, so that the loads of the rest are in flight together too. */
DEVICE gemv_sums gemv_t_round(gemv_sums sums, gemv_data d, GLOBAL const T **columns, i64 i,
                              i64 last, i32 whole, i32 x_whole)
{
    TV t[UNROLL][BATCH];
    XV xs[UNROLL];
    UNROLLED
    for (i32 u = 0; u < UNROLL; u++) {
        if (whole || i + u * WX < last) {
            UNROLLED
            for (i32 b = 0; b < BATCH; b++)
                t[u][b] = gemv_load(columns[b], d.a, i + u * WX);
            xs[u] = gemv_t_x(d, i + u * WX, x_whole);
        } else {
            UNROLLED
            for (i32 k = 0; k < VEC; k++) {
                xs[u].v[k] = T_make(0, 0);
                UNROLLED
                for (i32 b = 0; b < BATCH; b++)
                    t[u][b].v[k] = T_make(0, 0);
            }
        }
    }
    UNROLLED
    for (i32 u = 0; u < UNROLL; u++) {
        UNROLLED
        for (i32 b = 0; b < BATCH; b++) {
            UNROLLED
            for (i32 k = 0; k < VEC; k++)
                sums.v[b] = gemv_t_step(t[u][b].v[k], xs[u].v[k], sums.v[b]);
        }
    }
    return sums;
}

/* The rounds of vectors [i, last). x_whole is a constant where this is called. */
DEVICE gemv_sums gemv_t_rounds(gemv_sums sums, gemv_data d, GLOBAL const T **columns, i64 i,
                               i64 last, i32 x_whole)
{
    ROLLED
    for (; i + (UNROLL - 1) * WX < last; i += UNROLL * WX)
        sums = gemv_t_round(sums, d, columns, i, last, 1, x_whole);
    if (i < last)
        sums = gemv_t_round(sums, d, columns, i, last, 0, x_whole);
    return sums;
}

DEVICE gemv_sums gemv_chunks(gemv_sums sums, gemv_data d, i32 block, i32 from, i32 to)
{
    const i64 column = gemv_t_column(block);
    const i64 last = to * d.a.chunk < d.a.vectors ? to * d.a.chunk : d.a.vectors;
    GLOBAL const T *columns[BATCH];
    UNROLLED
    for (i32 b = 0; b < BATCH; b++)
        columns[b] = d.A + (column + b < d.a.n ? column + b : d.a.n - 1) * d.a.lda;
    const i64 i = from * d.a.chunk + ITEM_R;
#if X_FORM == 0
    if (d.a.x_whole)
        sums = gemv_t_rounds(sums, d, columns, i, last, 1);
    else
        sums = gemv_t_rounds(sums, d, columns, i, last, 0);
#else
    sums = gemv_t_rounds(sums, d, columns, i, last, X_FORM == 1);
#endif
    for (i64 e = ITEM_R; from == 0 && e < gemv_edges(d.a); e += WX) {
        const i64 row = gemv_edge(d.a, e);
        UNROLLED
        for (i32 b = 0; b < BATCH; b++)
            sums.v[b] = gemv_t_step(columns[b][row], d.x[row * d.a.incx], sums.v[b]);
    }
    return sums;
}

#if WARP_SIZE > 1
#define WARPS        (WX > WARP_SIZE ? WX / WARP_SIZE : 1) /* of lanes, along the rows */
#define GEMV_SCRATCH (WARPS > 1 ? WY * WARPS : 1)

DEVICE gemv_sums gemv_group(gemv_sums sums, LOCAL_PTR gemv_sums *scratch)
{
    lanes_add(sums.v, SUMS, (WX < WARP_SIZE ? WX : WARP_SIZE) / 2, 1);
#if WX > WARP_SIZE
    BARRIER(); /* scratch may still be read */
    if (ITEM_X % WARP_SIZE == 0)
        scratch[ITEM_X / WARP_SIZE] = sums;
    BARRIER();
    ROLLED
    for (i32 warp = 1; ITEM_R == 0 && warp < WARPS; warp++) {
        UNROLLED
        for (i32 b = 0; b < SUMS; b++)
            sums.v[b] = T_add(scratch[ITEM_X / WARP_SIZE + warp].v[b], sums.v[b]);
    }
#else
    (void)scratch;
#endif
    return sums;
}
#else
#define GEMV_SCRATCH (WX > 1 ? ITEMS : 1)

DEVICE gemv_sums gemv_group(gemv_sums sums, LOCAL_PTR gemv_sums *scratch)
{
#if WX > 1
    BARRIER(); /* scratch may still be read */
    scratch[ITEM_X] = sums;
    BARRIER();
    ROLLED
    for (i32 rest = WX / 2; rest > 0; rest /= 2) {
        if (ITEM_R < rest) {
            UNROLLED
            for (i32 b = 0; b < SUMS; b++)
                scratch[ITEM_X].v[b] = T_add(scratch[ITEM_X].v[b], scratch[ITEM_X + rest].v[b]);
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
    const i64 column = gemv_t_column(block);
    UNROLLED
    for (i32 b = 0; b < BATCH; b++)
        if (column + b < d.a.n)
            scaled_store(d.y + (column + b) * d.a.incy, d.alpha, sums.v[b], d.beta);
}

KERNEL(gemv_t, ITEMS, 1, 1)
(GLOBAL const R *RESTRICT alpha_at, GLOBAL const R *RESTRICT beta_at, GLOBAL const T *RESTRICT A,
 GLOBAL const T *RESTRICT x, GLOBAL T *RESTRICT y, GLOBAL T *RESTRICT partials,
 GLOBAL i32 *RESTRICT counters, gemv_args a)
{
    LOCAL gemv_sums scratch[GEMV_SCRATCH];
    LOCAL i32 flag[1];
    BEGIN();
    gemv_walk(gemv_operands(alpha_at, beta_at, A, x, y, a), partials, counters, scratch, flag);
}

/* trmv_t.cl: y := A' x, A triangular, or with the conjugate transpose
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A block is WY * BATCH columns, BATCH per lane: a lane loads a piece of x once for its columns and
 * has a sum for each; the WX sums of a column are then added. A lane walks over the vectors of rows
 * that all its columns have, then over the rows beside the diagonal and at the edges, element by
 * element. Columns that do not exist are the last one again, and are dropped. Geometry: groups of
 * ITEMS work-items along x. Macros: trmv.h; BATCH; CONJ 0 or 1; X_ALIGN, as ALIGN for x. Barriers:
 * all work-items walk the same blocks.
 */
#if !defined(BATCH) || !defined(CONJ) || !defined(X_ALIGN)
#error "trmv_t needs BATCH, CONJ and X_ALIGN"
#endif
#define SUMS    BATCH
#define HELPERS WX
#define APART   1
#include "trmv.h"

DEVICE T trmv_t_step(T a, T x, T sum)
{
#if CONJ
    return T_fma(T_conj(a), x, sum);
#else
    return T_fma(a, x, sum);
#endif
}

DEVICE XV trmv_t_x(trmv_data d, i64 i)
{
    return ((GLOBAL const XV *)(d.x + d.a.head))[i];
}

/* Vectors [begin, end), which all of the lane's columns have. */
DEVICE trmv_sums trmv_t_beside(trmv_sums sums, trmv_data d, i64 column, i64 begin, i64 end)
{
    GLOBAL const T *columns[BATCH];
    UNROLLED
    for (i32 b = 0; b < BATCH; b++)
        columns[b] =
            d.A + column_start(column + b < d.a.n ? column + b : d.a.n - 1, d.a.lda, d.a.upper);
    i64 i = begin + ITEM_R;
    ROLLED
    for (; i + (UNROLL - 1) * WX < end; i += UNROLL * WX) {
        TV t[UNROLL][BATCH];
        XV xs[UNROLL];
        UNROLLED
        for (i32 u = 0; u < UNROLL; u++) {
            UNROLLED
            for (i32 b = 0; b < BATCH; b++)
                t[u][b] = trmv_load(columns[b], d.a, i + u * WX);
            xs[u] = trmv_t_x(d, i + u * WX);
        }
        UNROLLED
        for (i32 u = 0; u < UNROLL; u++) {
            UNROLLED
            for (i32 b = 0; b < BATCH; b++) {
                UNROLLED
                for (i32 k = 0; k < VEC; k++)
                    sums.v[b] = trmv_t_step(t[u][b].v[k], xs[u].v[k], sums.v[b]);
            }
        }
    }
    ROLLED
    for (; i < end; i += WX) {
        const XV xs = trmv_t_x(d, i);
        UNROLLED
        for (i32 b = 0; b < BATCH; b++) {
            const TV t = trmv_load(columns[b], d.a, i);
            UNROLLED
            for (i32 k = 0; k < VEC; k++)
                sums.v[b] = trmv_t_step(t.v[k], xs.v[k], sums.v[b]);
        }
    }
    return sums;
}

/* Rows [begin, end), of which each column may have a part. */
DEVICE trmv_sums trmv_t_rows(trmv_sums sums, trmv_data d, i64 column, i64 begin, i64 end)
{
    ROLLED
    for (i64 row = begin + ITEM_R; row < end; row += WX) {
        UNROLLED
        for (i32 b = 0; b < BATCH; b++)
            if (column + b < d.a.n && (d.a.upper ? row <= column + b : row >= column + b))
                sums.v[b] = trmv_t_step(trmv_element(d, row, column + b), d.x[row], sums.v[b]);
    }
    return sums;
}

DEVICE i64 trmv_t_column(i64 block)
{
    return (block * WY + ITEM_C) * BATCH;
}

/* The vectors that all of the lane's columns have are [from, to); what is before and behind them,
 * in the triangle, is done by rows. */
DEVICE trmv_sums trmv_block(trmv_sums sums, trmv_data d, i64 block)
{
    const trmv_args a = d.a;
    const i64 column = trmv_t_column(block), next = column + BATCH < a.n ? column + BATCH : a.n;
    if (column < a.n) {
        i64 from = 0, to = a.vectors;
        if (a.upper)
            to = column > a.head ? (column - a.head) / VEC : 0;
        else
            from = next > a.head ? (next - a.head + VEC - 1) / VEC : 0;
        to = to < a.vectors ? to : a.vectors;
        const i32 some = from < to;
        const i64 top = a.upper ? 0 : column, bottom = a.upper ? next : a.n;
        sums = trmv_t_beside(sums, d, column, from, to);
        sums = trmv_t_rows(sums, d, column, top, some ? a.head + from * VEC : bottom);
        sums = trmv_t_rows(sums, d, column, some ? a.head + to * VEC : bottom, bottom);
    }
    return sums;
}

DEVICE void trmv_finish(trmv_sums sums, trmv_data d, i64 block)
{
    const i64 column = trmv_t_column(block);
    UNROLLED
    for (i32 b = 0; b < BATCH; b++)
        if (column + b < d.a.n)
            d.y[(column + b) * d.a.incx] = sums.v[b];
}

KERNEL(trmv_t, ITEMS, 1, 1)
(GLOBAL const T *RESTRICT A, GLOBAL const T *RESTRICT x, GLOBAL T *RESTRICT y, trmv_args a)
{
    LOCAL trmv_sums scratch[SCRATCH];
    BEGIN();
    trmv_walk(trmv_operands(A, x, y, a), scratch);
}

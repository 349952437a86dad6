/* mdot.cl: result_j := sum of X_ij y_i, or of conj(X_ij) y_i
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A work-item loads a piece of y once and multiplies it with the same piece of BATCH columns, each
 * with its own sums; then as dot.cl. In a short batch the last column is loaded again in place of
 * those that are missing, from the nearest cache, and the sums are dropped. Geometry: any number of
 * groups of WX work-items along x, and of groups along y one per batch. Macros: stream.h; BATCH;
 * CONJ 0 or 1; ONE_PASS 0 or 1. Barriers: all work-items reach reduce_groups.
 */
#include "stream.h"
#include "mdot.h"

DEVICE T mdot_step(T x, T y, T sum)
{
#if CONJ
    return T_fma(T_conj(x), y, sum);
#else
    return T_fma(x, y, sum);
#endif
}

KERNEL(mdot, WX, 1, 1)
(GLOBAL const T *RESTRICT X, GLOBAL const T *RESTRICT y, GLOBAL R *RESTRICT partials,
 GLOBAL i32 *RESTRICT counter, GLOBAL R *RESTRICT result, mdot_args a)
{
    LOCAL sum_t scratch[GROUP_SCRATCH];
    LOCAL i32 flag[1];
    BEGIN();
    const i32 columns = mdot_columns(a);
    TV sum[BATCH];
    GLOBAL const T *RESTRICT column[BATCH];
    UNROLLED
    for (i32 j = 0; j < BATCH; j++) {
        column[j] = X + (GROUP_Y * BATCH + (j < columns ? j : columns - 1)) * a.ldx;
        UNROLLED
        for (i32 k = 0; k < VEC; k++)
            sum[j].v[k] = T_make(0, 0);
    }

    const i64 last = stream_last(a.range), step = stream_step(), head = a.range.head;
    i64 i = stream_first(a.range);
    ROLLED
    for (; i + (UNROLL - 1) * step < last; i += UNROLL * step) {
        TV tx[UNROLL][BATCH], ty[UNROLL];
        UNROLLED
        for (i32 u = 0; u < UNROLL; u++) {
            ty[u] = stream_load(y + head, a.range.incy, i + u * step);
            UNROLLED
            for (i32 j = 0; j < BATCH; j++)
                tx[u][j] = stream_load(column[j] + head, 1, i + u * step);
        }
        UNROLLED
        for (i32 u = 0; u < UNROLL; u++) {
            UNROLLED
            for (i32 j = 0; j < BATCH; j++) {
                UNROLLED
                for (i32 k = 0; k < VEC; k++)
                    sum[j].v[k] = mdot_step(tx[u][j].v[k], ty[u].v[k], sum[j].v[k]);
            }
        }
    }
    ROLLED
    for (; i < last; i += step) {
        const TV ty = stream_load(y + head, a.range.incy, i);
        UNROLLED
        for (i32 j = 0; j < BATCH; j++) {
            const TV tx = stream_load(column[j] + head, 1, i);
            UNROLLED
            for (i32 k = 0; k < VEC; k++)
                sum[j].v[k] = mdot_step(tx.v[k], ty.v[k], sum[j].v[k]);
        }
    }
    for (i64 e = ITEM_X; e < stream_edges(a.range); e += WX) {
        const i64 at = stream_edge(a.range, e);
        UNROLLED
        for (i32 j = 0; j < BATCH; j++)
            sum[j].v[0] = mdot_step(column[j][at], y[at], sum[j].v[0]);
    }

    sum_t mine;
    UNROLLED
    for (i32 j = 0; j < BATCH; j++) {
        UNROLLED
        for (i32 part = 0; part < T_REALS; part++) {
            mine.v[j * T_REALS + part] = 0;
            UNROLLED
            for (i32 k = 0; k < VEC; k++)
                mine.v[j * T_REALS + part] += T_real(sum[j].v[k], part);
        }
    }
    if (reduce_groups(&mine, partials + GROUP_Y * GROUPS_X * SUM_N, counter + GROUP_Y, scratch,
                      flag))
        mdot_store(result, mine, columns);
}

/* dot.cl: result := sum of x_i y_i, or of conj(x_i) y_i
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each work-item sums its vectors in VEC independent accumulators, the group adds them in a fixed
 * order and stores one partial sum. ONE_PASS: the last group to arrive adds the partials, in order
 * of the groups, and writes the result. Otherwise dot_finish does, in a second launch. Geometry:
 * any number of groups of WX work-items. Macros: stream.h; CONJ 0 or 1; ONE_PASS 0 or 1. Barriers:
 * all work-items reach grid_sum or group_sum.
 */
#include "stream.h"
#define SUM_R    R
#define SUM_N    T_REALS
#define SUM_MAIN T_REALS
#include "reduce.h"
#include "reduce_args.h"

DEVICE T dot_step(T x, T y, T sum)
{
#if CONJ
    return T_fma(T_conj(x), y, sum);
#else
    return T_fma(x, y, sum);
#endif
}

KERNEL(dot, WX, 1, 1)
(GLOBAL const T *RESTRICT x, GLOBAL const T *RESTRICT y, GLOBAL R *RESTRICT partials,
 GLOBAL i32 *RESTRICT counter, GLOBAL R *RESTRICT result, reduce_args a)
{
    LOCAL sum_t scratch[GROUP_SCRATCH];
    LOCAL i32 flag[1];

    TV sum;
    UNROLLED
    for (i32 k = 0; k < VEC; k++)
        sum.v[k] = T_make(0, 0);

    const i64 last = stream_last(a.range), step = stream_step();
    GLOBAL const T *RESTRICT xs = x + a.range.head;
    GLOBAL const T *RESTRICT ys = y + a.range.head;
    i64 i = stream_first(a.range);
    ROLLED
    for (; i + (UNROLL - 1) * step < last; i += UNROLL * step) {
        TV tx[UNROLL], ty[UNROLL];
        UNROLLED
        for (i32 u = 0; u < UNROLL; u++) {
            tx[u] = stream_load(xs, a.range.incx, i + u * step);
            ty[u] = stream_load(ys, a.range.incy, i + u * step);
        }
        UNROLLED
        for (i32 u = 0; u < UNROLL; u++) {
            UNROLLED
            for (i32 k = 0; k < VEC; k++)
                sum.v[k] = dot_step(tx[u].v[k], ty[u].v[k], sum.v[k]);
        }
    }
    ROLLED
    for (; i < last; i += step) {
        const TV tx = stream_load(xs, a.range.incx, i);
        const TV ty = stream_load(ys, a.range.incy, i);
        UNROLLED
        for (i32 k = 0; k < VEC; k++)
            sum.v[k] = dot_step(tx.v[k], ty.v[k], sum.v[k]);
    }
    for (i64 e = LANE_X; e < stream_edges(a.range); e += WX) {
        const i64 at = stream_edge(a.range, e);
        sum.v[0] = dot_step(x[at], y[at], sum.v[0]);
    }

    sum_t mine;
    UNROLLED
    for (i32 part = 0; part < T_REALS; part++) {
        mine.v[part] = 0;
        UNROLLED
        for (i32 k = 0; k < VEC; k++)
            mine.v[part] += T_real(sum.v[k], part);
    }
#if ONE_PASS
    if (grid_sum(&mine, partials, counter, scratch, flag))
        sum_store(result, mine);
#else
    (void)flag;
    (void)counter;
    (void)result;
    mine = group_sum(mine, scratch);
    if (LANE_X == 0)
        sum_store(partials + GROUP_X * SUM_N, mine);
#endif
}

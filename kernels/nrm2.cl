/* nrm2.cl: result := sqrt(sum of |x_i|^2), one pass, no overflow or underflow
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * As dot.cl, with the sums of norm.h in place of products: the UNROLL vectors in flight are one chunk.
 * Geometry: any number of groups of WX work-items. Macros: stream.h; ONE_PASS 0 or 1.
 * Barriers: all work-items reach group_sum and last_group; the last group reaches partials_sum whole.
 */
#include "stream.h"
#include "norm.h"
#include "reduce_args.h"

DEVICE sum_t norm_add_element(sum_t s, T value)
{
    UNROLLED
    for (i32 part = 0; part < T_REALS; part++)
        s = norm_add(s, T_real(value, part));
    return s;
}

typedef struct norm_chunk {
    TV t[UNROLL];
} norm_chunk;

DEVICE sum_t norm_add_chunk(sum_t s, norm_chunk c)
{
    f64 lanes[VEC];
    UNROLLED
    for (i32 k = 0; k < VEC; k++)
        lanes[k] = 0;
    UNROLLED
    for (i32 u = 0; u < UNROLL; u++) {
        UNROLLED
        for (i32 k = 0; k < VEC; k++) {
            UNROLLED
            for (i32 part = 0; part < T_REALS; part++) {
                const f64 wide = T_real(c.t[u].v[k], part);
                lanes[k] = R_fma(wide, wide, lanes[k]);
            }
        }
    }
    UNROLLED
    for (i32 width = VEC / 2; width > 0; width /= 2) {
        UNROLLED
        for (i32 k = 0; k < width; k++)
            lanes[k] += lanes[k + width];
    }
#if SUM_N == 1
    s.v[0] += lanes[0];
#else
    if (lanes[0] > NORM_SAFE_FROM && lanes[0] < NORM_SAFE_TO) {
        s.v[NORM_MEDIUM] += lanes[0];
    } else {
        UNROLLED
        for (i32 u = 0; u < UNROLL; u++) {
            UNROLLED
            for (i32 k = 0; k < VEC; k++)
                s = norm_add_element(s, c.t[u].v[k]);
        }
    }
#endif
    return s;
}

KERNEL(nrm2, WX, 1, 1)
(GLOBAL const T *RESTRICT x, GLOBAL f64 *RESTRICT partials, GLOBAL i32 *RESTRICT counter,
 GLOBAL R *RESTRICT result, reduce_args a)
{
    LOCAL sum_t scratch[GROUP_SCRATCH];
    LOCAL i32 flag[1];

    sum_t sum = {{0}};
    const i64 last = stream_last(a.range), step = stream_step();
    GLOBAL const T *RESTRICT xs = x + a.range.head;
    i64 i = stream_first(a.range);
    ROLLED
    for (; i + (UNROLL - 1) * step < last; i += UNROLL * step) {
        norm_chunk c;
        UNROLLED
        for (i32 u = 0; u < UNROLL; u++)
            c.t[u] = stream_load(xs, a.range.incx, i + u * step);
        sum = norm_add_chunk(sum, c);
    }
    ROLLED
    for (; i < last; i += step) {
        const TV t = stream_load(xs, a.range.incx, i);
        UNROLLED
        for (i32 k = 0; k < VEC; k++)
            sum = norm_add_element(sum, t.v[k]);
    }
    for (i64 e = LANE_X; e < stream_edges(a.range); e += WX)
        sum = norm_add_element(sum, x[stream_edge(a.range, e)]);

    sum_t mine = group_sum(sum, scratch);
#if ONE_PASS
    if (GROUPS_X > 1) {
        if (LANE_X == 0)
            partial_store(partials, GROUP_X, mine);
        if (!last_group(counter, flag))
            return;
        mine = partials_sum(partials, GROUPS_X, scratch);
        if (LANE_X == 0)
            counter[0] = 0;
    }
    if (LANE_X == 0)
        result[0] = norm_result(mine);
#else
    (void)flag;
    (void)counter;
    (void)result;
    if (LANE_X == 0)
        partial_store(partials, GROUP_X, mine);
#endif
}

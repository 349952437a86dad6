/* nrm2.cl: result := sqrt(sum of |x_i|^2), one pass, no overflow or underflow
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * As dot.cl, with the sums of norm.h in place of products. Two sets of sums break the dependence of
 * one addition on the last.
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

KERNEL(nrm2, WX, 1, 1)
(GLOBAL const T *RESTRICT x, GLOBAL f64 *RESTRICT partials, GLOBAL i32 *RESTRICT counter,
 GLOBAL R *RESTRICT result, reduce_args a)
{
    LOCAL sum_t scratch[GROUP_SCRATCH];
    LOCAL i32 flag[1];

    sum_t even = {{0}}, odd = {{0}};
    const i64 last = stream_last(a.range), step = stream_step();
    GLOBAL const T *RESTRICT xs = x + a.range.head;
    i64 i = stream_first(a.range);
    ROLLED
    for (; i + (UNROLL - 1) * step < last; i += UNROLL * step) {
        TV t[UNROLL];
        UNROLLED
        for (i32 u = 0; u < UNROLL; u++)
            t[u] = stream_load(xs, a.range.incx, i + u * step);
        UNROLLED
        for (i32 u = 0; u < UNROLL; u++) {
            UNROLLED
            for (i32 k = 0; k < VEC; k++) {
                if ((u * VEC + k) % 2 == 0)
                    even = norm_add_element(even, t[u].v[k]);
                else
                    odd = norm_add_element(odd, t[u].v[k]);
            }
        }
    }
    ROLLED
    for (; i < last; i += step) {
        const TV t = stream_load(xs, a.range.incx, i);
        UNROLLED
        for (i32 k = 0; k < VEC; k++)
            even = norm_add_element(even, t.v[k]);
    }
    for (i64 e = LANE_X; e < stream_edges(a.range); e += WX)
        odd = norm_add_element(odd, x[stream_edge(a.range, e)]);

    sum_t mine = group_sum(sum_add(even, odd), scratch);
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

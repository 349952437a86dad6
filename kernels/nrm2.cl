/* nrm2.cl: result := sqrt(sum of |x_i|^2), one pass, no overflow or underflow
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * As dot.cl, with the sums of norm.h in place of products: the UNROLL vectors in flight are one
 * chunk. Geometry: any number of groups of WX work-items. Macros: stream.h; ONE_PASS 0 or 1.
 * Barriers: all work-items reach grid_sum or group_sum.
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

#if SUM_N == 3
/* The vectors i, i + step, ... once more, value by value. They are read again, from the cache: this
 * is rare, and as registers cannot be indexed in a rolled loop, the code would be large. */
DEVICE sum_t norm_add_again(sum_t s, GLOBAL const T *x, i64 inc, i64 i, i64 step, i32 count)
{
    ROLLED
    for (i32 u = 0; u < count; u++) {
        ROLLED
        for (i32 k = 0; k < VEC; k++)
            s = norm_add_element(s, x[STRIDED ? (i + u * step) * inc : (i + u * step) * VEC + k]);
    }
    return s;
}
#endif

/* The plain sum of squares of one vector, added lane by lane. */
DEVICE void norm_square(f64 *lanes, TV t)
{
    UNROLLED
    for (i32 k = 0; k < VEC; k++) {
        UNROLLED
        for (i32 part = 0; part < T_REALS; part++) {
            const f64 wide = T_real(t.v[k], part);
            lanes[k] = R_fma(wide, wide, lanes[k]);
        }
    }
}

/* `count` (a constant) vectors i, i + step, ... as one chunk. */
DEVICE sum_t norm_add_chunk(sum_t s, GLOBAL const T *x, i64 inc, i64 i, i64 step, const i32 count)
{
    f64 lanes[VEC];
    TV t[UNROLL];
    UNROLLED
    for (i32 u = 0; u < count; u++)
        t[u] = stream_load(x, inc, i + u * step);
    UNROLLED
    for (i32 k = 0; k < VEC; k++)
        lanes[k] = 0;
    UNROLLED
    for (i32 u = 0; u < count; u++)
        norm_square(lanes, t[u]);
    UNROLLED
    for (i32 width = VEC / 2; width > 0; width /= 2) {
        UNROLLED
        for (i32 k = 0; k < width; k++)
            lanes[k] += lanes[k + width];
    }
#if SUM_N == 1
    s.v[0] += lanes[0];
#else
    if (lanes[0] > NORM_SAFE_FROM && lanes[0] < NORM_SAFE_TO)
        s.v[NORM_MEDIUM] += lanes[0];
    else
        s = norm_add_again(s, x, inc, i, step, count);
#endif
    return s;
}

KERNEL(nrm2, WX, 1, 1)
(GLOBAL const T *RESTRICT x, GLOBAL f64 *RESTRICT partials, GLOBAL i32 *RESTRICT counter,
 GLOBAL R *RESTRICT result, reduce_args a)
{
    LOCAL sum_t scratch[GROUP_SCRATCH];
    LOCAL i32 flag[1];
    BEGIN();

    sum_t sum = {{0}};
    const i64 last = stream_last(a.range), step = stream_step();
    GLOBAL const T *RESTRICT xs = x + a.range.head;
    i64 i = stream_first(a.range);
    ROLLED
    for (; i + (UNROLL - 1) * step < last; i += UNROLL * step)
        sum = norm_add_chunk(sum, xs, a.range.incx, i, step, UNROLL);
    ROLLED
    for (; i < last; i += step)
        sum = norm_add_chunk(sum, xs, a.range.incx, i, step, 1);
    for (i64 e = LANE_X; e < stream_edges(a.range); e += WX)
        sum = norm_add_element(sum, x[stream_edge(a.range, e)]);

    if (reduce_groups(&sum, partials, counter, scratch, flag))
        result[0] = norm_result(sum);
}

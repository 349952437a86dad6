/* norm_walk.h: the sums of norm.h over a contiguous or strided vector. Shared by nrm2.cl, mnrm2.cl
 * and mnrm2_teams.cl.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The UNROLL vectors in flight are one chunk. Macros: stream.h.
 */
#include "stream.h"
#include "norm.h"

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

/* The vectors first, first + step ... below last; x is the first of all. */
DEVICE sum_t norm_walk(GLOBAL const T *RESTRICT x, stream_args a, i64 first, i64 last, i64 step)
{
    sum_t sum = {{0}};
    i64 i = first;
    ROLLED
    for (; i + (UNROLL - 1) * step < last; i += UNROLL * step)
        sum = norm_add_chunk(sum, x, a.incx, i, step, UNROLL);
    ROLLED
    for (; i < last; i += step)
        sum = norm_add_chunk(sum, x, a.incx, i, step, 1);
    return sum;
}

/* This work-item's part of a vector that all groups share. */
DEVICE sum_t norm_share(GLOBAL const T *RESTRICT x, stream_args a)
{
    sum_t sum = norm_walk(x + a.head, a, stream_first(a), stream_last(a), stream_step());
    for (i64 e = ITEM_X; e < stream_edges(a); e += WX)
        sum = norm_add_element(sum, x[stream_edge(a, e)]);
    return sum;
}

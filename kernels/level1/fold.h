/* fold.h: the sum of a function of each element of one or two vectors. Shared by dot, dsdot, asum.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Before the include a kernel defines what reduce.h needs, FOLD_ACC, the type that a work-item adds
 * in, and FOLD_Y, 1 where there is a second vector. After it come fold_zero, fold_step and
 * fold_part, declared here. Each work-item sums its vectors in VEC independent accumulators.
 */
#include "stream.h"
#include "reduce.h"
#include "reduce_args.h"

#if !defined(FOLD_ACC) || !defined(FOLD_Y)
#error "fold.h needs FOLD_ACC and FOLD_Y"
#endif

DEVICE FOLD_ACC fold_zero(void);
DEVICE FOLD_ACC fold_step(T x, T y, FOLD_ACC sum); /* without FOLD_Y y is x */
DEVICE SUM_R fold_part(FOLD_ACC sum, i32 part);    /* one of its SUM_N numbers */

/* This work-item's sum. */
DEVICE sum_t fold_vectors(GLOBAL const T *RESTRICT x, GLOBAL const T *RESTRICT y, stream_args a)
{
    FOLD_ACC sum[VEC];
    UNROLLED
    for (i32 k = 0; k < VEC; k++)
        sum[k] = fold_zero();

    const i64 last = stream_last(a), step = stream_step();
    GLOBAL const T *RESTRICT xs = x + a.head;
    GLOBAL const T *RESTRICT ys = y + a.head;
    i64 i = stream_first(a);
    ROLLED
    for (; i + (UNROLL - 1) * step < last; i += UNROLL * step) {
        TV tx[UNROLL], ty[UNROLL];
        UNROLLED
        for (i32 u = 0; u < UNROLL; u++) {
            tx[u] = stream_load(xs, a.incx, i + u * step);
            ty[u] = FOLD_Y ? stream_load(ys, a.incy, i + u * step) : tx[u];
        }
        UNROLLED
        for (i32 u = 0; u < UNROLL; u++) {
            UNROLLED
            for (i32 k = 0; k < VEC; k++)
                sum[k] = fold_step(tx[u].v[k], ty[u].v[k], sum[k]);
        }
    }
    ROLLED
    for (; i < last; i += step) {
        const TV tx = stream_load(xs, a.incx, i);
        const TV ty = FOLD_Y ? stream_load(ys, a.incy, i) : tx;
        UNROLLED
        for (i32 k = 0; k < VEC; k++)
            sum[k] = fold_step(tx.v[k], ty.v[k], sum[k]);
    }
    for (i64 e = ITEM_X; e < stream_edges(a); e += WX) {
        const i64 at = stream_edge(a, e);
        sum[0] = fold_step(x[at], y[at], sum[0]);
    }

    sum_t mine;
    UNROLLED
    for (i32 part = 0; part < SUM_N; part++) {
        mine.v[part] = 0;
        UNROLLED
        for (i32 k = 0; k < VEC; k++)
            mine.v[part] += fold_part(sum[k], part);
    }
    return mine;
}

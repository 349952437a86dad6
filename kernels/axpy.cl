/* axpy.cl: y := alpha x + y
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Loads of x and y for UNROLL vectors are issued before the first is used. alpha comes by value or
 * from device memory; alpha = 0 leaves y alone, as in BLAS. Without a device alpha the buffer alpha
 * is not looked at. Geometry: any number of groups of WX work-items. Tunables and macros: stream.h.
 * No barriers.
 */
#include "stream.h"
#include "axpy_args.h"

DEVICE TV axpy_vector(T alpha, TV x, TV y)
{
    UNROLLED
    for (i32 k = 0; k < VEC; k++)
        y.v[k] = T_fma(alpha, x.v[k], y.v[k]);
    return y;
}

KERNEL(axpy, WX, 1, 1)
(GLOBAL const T *RESTRICT alpha_at, GLOBAL const T *RESTRICT x, GLOBAL T *RESTRICT y, axpy_args a)
{
    const T alpha = a.alpha_on_device ? alpha_at[0] : T_make(a.alpha_re, a.alpha_im);
    if (T_is_zero(alpha))
        return;

    const i64 last = stream_last(a.range), step = stream_step();
    GLOBAL const T *RESTRICT xs = x + a.range.head;
    GLOBAL T *RESTRICT ys = y + a.range.head;
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
        for (i32 u = 0; u < UNROLL; u++)
            stream_store(ys, a.range.incy, i + u * step, axpy_vector(alpha, tx[u], ty[u]));
    }
    ROLLED
    for (; i < last; i += step)
        stream_store(
            ys, a.range.incy, i,
            axpy_vector(alpha, stream_load(xs, a.range.incx, i), stream_load(ys, a.range.incy, i)));

    for (i64 e = LANE_X; e < stream_edges(a.range); e += WX) {
        const i64 at = stream_edge(a.range, e);
        y[at] = T_fma(alpha, x[at], y[at]);
    }
}

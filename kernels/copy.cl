/* copy.cl: y := x
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The simplest stream: UNROLL vector loads in flight, then their stores. It is also the kernel of
 * the parameter study (does tuning the copy tune them all?). Geometry: any number of groups of WX
 * work-items. Tunables and macros: stream.h. No barriers.
 */
#include "stream.h"
#include "copy_args.h"

KERNEL(copy, WX, 1, 1)(GLOBAL const T *RESTRICT x, GLOBAL T *RESTRICT y, copy_args a)
{
    const i64 last = stream_last(a.range), step = stream_step();
    GLOBAL const T *RESTRICT xs = x + a.range.head;
    GLOBAL T *RESTRICT ys = y + a.range.head;
    i64 i = stream_first(a.range);
    ROLLED
    for (; i + (UNROLL - 1) * step < last; i += UNROLL * step) {
        TV t[UNROLL];
        UNROLLED
        for (i32 u = 0; u < UNROLL; u++)
            t[u] = stream_load(xs, a.range.incx, i + u * step);
        UNROLLED
        for (i32 u = 0; u < UNROLL; u++)
            stream_store(ys, a.range.incy, i + u * step, t[u]);
    }
    ROLLED
    for (; i < last; i += step)
        stream_store(ys, a.range.incy, i, stream_load(xs, a.range.incx, i));

    for (i64 e = LANE_X; e < stream_edges(a.range); e += WX)
        y[stream_edge(a.range, e)] = x[stream_edge(a.range, e)];
}

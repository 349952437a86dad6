/* map.h: a function of each element, applied along vectors at the speed of memory.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Before the include a kernel says what it touches: MAP_READS (1 for x, 2 for y) and MAP_WRITES (1,
 * 2 and 4 for w), as sums. After it comes map_element, which gets one element of each vector and
 * changes those that are written, and the kernel, which calls map_run. Optional, before the
 * include:
 *   MAP_SKIP(s)       true: with these scalars there is nothing to do
 *   MAP_READS_NOW(s)  the vectors that must be read with these scalars: the others may hold
 *                     anything
 *   MAP_ALPHA_REALS   1: alpha is a real number whatever T is
 *   MAP_MATRIX        the scalars are the H of rotm
 * From the host, REAL_SCALARS 1: both scalars are real numbers beside complex vectors.
 *
 * w may be x or y, and x may be y: a work-item reads its elements before it writes them, and no
 * other touches them; that is all that RESTRICT is taken to promise here. Loads for UNROLL vectors
 * are issued before the first is used. Buffers that a kernel does not touch are not looked at.
 * Geometry: any number of groups of WX work-items. Macros: stream.h. No barriers.
 */
#include "map_args.h"
#include "scalars.h"
#include "stream.h"

#if !defined(MAP_READS) || !defined(MAP_WRITES)
#error "map.h needs MAP_READS and MAP_WRITES"
#endif
#ifndef MAP_SKIP
#define MAP_SKIP(s) 0
#endif
#ifndef MAP_READS_NOW
#define MAP_READS_NOW(s) MAP_READS
#endif
#ifndef REAL_SCALARS
#define REAL_SCALARS 0
#endif
#define MAP_REALS (REAL_SCALARS ? 1 : T_REALS)
#ifndef MAP_ALPHA_REALS
#define MAP_ALPHA_REALS MAP_REALS
#endif

typedef struct map_scalars {
#ifdef MAP_MATRIX
    R h11, h21, h12, h22;
    i32 identity;
#else
    T alpha, beta;
#endif
} map_scalars;

/* One element of each vector; those not read are 0. */
DEVICE void map_element(map_scalars s, T *x, T *y, T *w);

#ifdef MAP_MATRIX
DEVICE map_scalars map_scalars_of(GLOBAL const R *param, GLOBAL const R *beta_at, map_args a)
{
    map_scalars s;
    (void)beta_at;
    s.h11 = (R)a.scalars.alpha_re;
    s.h21 = (R)a.scalars.alpha_im;
    s.h12 = (R)a.scalars.beta_re;
    s.h22 = (R)a.scalars.beta_im;
    s.identity = 0;
    if (a.scalars.alpha_on_device) {
        const R flag = param[0];
        s.h11 = flag == 0 ? 1 : param[1];
        s.h21 = flag == 1 ? -1 : param[2];
        s.h12 = flag == 1 ? 1 : param[3];
        s.h22 = flag == 0 ? 1 : param[4];
        s.identity = !(flag == -1 || flag == 0 || flag == 1);
    }
    return s;
}
#else
DEVICE map_scalars map_scalars_of(GLOBAL const R *alpha_at, GLOBAL const R *beta_at, map_args a)
{
    map_scalars s;
    s.alpha = scalar_of(alpha_at, a.scalars.alpha_on_device, a.scalars.alpha_re, a.scalars.alpha_im,
                        MAP_ALPHA_REALS);
    s.beta = scalar_of(beta_at, a.scalars.beta_on_device, a.scalars.beta_re, a.scalars.beta_im,
                       MAP_REALS);
    return s;
}
#endif

DEVICE TV map_load(GLOBAL const T *x, i64 inc, i64 i, i32 needed)
{
    TV t;
    if (needed) {
        t = stream_load(x, inc, i);
    } else {
        UNROLLED
        for (i32 k = 0; k < VEC; k++)
            t.v[k] = T_make(0, 0);
    }
    return t;
}

/* Applies the function to the vectors tx and ty at i and stores. */
DEVICE void map_store(map_scalars s, GLOBAL T *x, GLOBAL T *y, GLOBAL T *w, stream_args a, i64 i,
                      TV tx, TV ty)
{
    TV tw = tx;
    UNROLLED
    for (i32 k = 0; k < VEC; k++)
        map_element(s, &tx.v[k], &ty.v[k], &tw.v[k]);
    if (MAP_WRITES & 1)
        stream_store(x, a.incx, i, tx);
    if (MAP_WRITES & 2)
        stream_store(y, a.incy, i, ty);
    if (MAP_WRITES & 4)
        stream_store(w, a.incw, i, tw);
}

DEVICE void map_edge(map_scalars s, GLOBAL T *x, GLOBAL T *y, GLOBAL T *w, i64 at, i32 reads)
{
    T tx = T_make(0, 0), ty = T_make(0, 0), tw = T_make(0, 0);
    if (MAP_READS & reads & 1)
        tx = x[at];
    if (MAP_READS & reads & 2)
        ty = y[at];
    map_element(s, &tx, &ty, &tw);
    if (MAP_WRITES & 1)
        x[at] = tx;
    if (MAP_WRITES & 2)
        y[at] = ty;
    if (MAP_WRITES & 4)
        w[at] = tw;
}

DEVICE void map_walk(map_scalars s, GLOBAL T *RESTRICT x, GLOBAL T *RESTRICT y,
                     GLOBAL T *RESTRICT w, stream_args a)
{
    const i32 reads = MAP_READS_NOW(s);
    const i64 last = stream_last(a), step = stream_step();
    GLOBAL T *RESTRICT xs = x + a.head;
    GLOBAL T *RESTRICT ys = y + a.head;
    GLOBAL T *RESTRICT ws = w + a.head;
    i64 i = stream_first(a);
    ROLLED
    for (; i + (UNROLL - 1) * step < last; i += UNROLL * step) {
        TV tx[UNROLL], ty[UNROLL];
        UNROLLED
        for (i32 u = 0; u < UNROLL; u++) {
            tx[u] = map_load(xs, a.incx, i + u * step, MAP_READS & reads & 1);
            ty[u] = map_load(ys, a.incy, i + u * step, MAP_READS & reads & 2);
        }
        UNROLLED
        for (i32 u = 0; u < UNROLL; u++)
            map_store(s, xs, ys, ws, a, i + u * step, tx[u], ty[u]);
    }
    ROLLED
    for (; i < last; i += step)
        map_store(s, xs, ys, ws, a, i, map_load(xs, a.incx, i, MAP_READS & reads & 1),
                  map_load(ys, a.incy, i, MAP_READS & reads & 2));
    for (i64 e = ITEM_X; e < stream_edges(a); e += WX)
        map_edge(s, x, y, w, stream_edge(a, e), reads);
}

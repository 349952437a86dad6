/* stream.h: walks over vectors at the speed of memory. Shared by the level-1 kernels.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Tunables: WX work-items per group; VEC elements per load; UNROLL loads in flight per work-item
 * before the first is used; RANGE 0: all groups stride over the whole vector, 1: one contiguous
 * range per group. From the host: STRIDED 0 or 1; ALIGN, the alignment in bytes that each vector
 * load may count on.
 *
 * A work-item visits the vectors first, first + step, ... below last. Group 0 also takes the edges:
 * the single elements before the first and behind the last vector.
 */
#include "stream_args.h"

#if !defined(WX) || !defined(VEC) || !defined(UNROLL) || !defined(RANGE) || !defined(STRIDED) ||   \
    !defined(ALIGN)
#error "stream kernels need WX, VEC, UNROLL, RANGE, STRIDED and ALIGN"
#endif
#include "tile.h"

DEVICE i64 stream_first(stream_args a)
{
#if RANGE
    return GROUP_X * a.per_group + ITEM_X;
#else
    (void)a;
    return GROUP_X * WX + ITEM_X;
#endif
}

DEVICE i64 stream_last(stream_args a)
{
#if RANGE
    const i64 end = (GROUP_X + 1) * a.per_group;
    return end < a.vectors ? end : a.vectors;
#else
    return a.vectors;
#endif
}

DEVICE i64 stream_step(void)
{
#if RANGE
    return WX;
#else
    return GROUPS_X * WX;
#endif
}

DEVICE TV stream_load(GLOBAL const T *x, i64 inc, i64 i)
{
#if STRIDED
    TV t;
    t.v[0] = x[i * inc];
    return t;
#else
    (void)inc;
    return ((GLOBAL const TV *)x)[i];
#endif
}

DEVICE void stream_store(GLOBAL T *y, i64 inc, i64 i, TV t)
{
#if STRIDED
    y[i * inc] = t.v[0];
#else
    (void)inc;
    ((GLOBAL TV *)y)[i] = t;
#endif
}

/* Edge elements: edge e in [0, stream_edges) is element stream_edge(e) of the vector. */
DEVICE i64 stream_edges(stream_args a)
{
    return GROUP_X == 0 ? a.n - a.vectors * VEC : 0;
}

DEVICE i64 stream_edge(stream_args a, i64 e)
{
    return e < a.head ? e : e + a.vectors * VEC;
}

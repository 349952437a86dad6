/* sweep.cl: reads a set of any size over and over and keeps nothing: bandwidth of memory and caches
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Every work-item visits vectors of VEC words of 8 bytes: from its first on by steps, around the
 * end of the set. UNROLL of them are in flight, whatever the size of the set, so that one launch is
 * as long as the host likes. A GPU is given steps over all groups, whose multiple of WX shares no
 * factor with the set: a work-item comes back to a vector only after the whole set, which keeps the
 * caches of single multiprocessors out. A CPU is given steps of one. The bits are folded with
 * exclusive-or: no load can be dropped.
 *
 * Geometry: any number of groups of WX work-items. Macros: WX, VEC, UNROLL. No barriers.
 */
#include "roof_args.h"

#if !defined(WX) || !defined(VEC) || !defined(UNROLL)
#error "sweep.cl needs WX, VEC and UNROLL"
#endif

typedef struct ALIGNED(16) sweep_vector {
    i64 v[VEC];
} sweep_vector;

KERNEL(sweep, WX, 1, 1)
(GLOBAL const sweep_vector *RESTRICT x, GLOBAL i64 *RESTRICT out, roof_args a)
{
    BEGIN();
    const i32 size = (i32)a.size, step = (i32)a.step;
    i32 at = (i32)(GROUP_X * a.share + ITEM_X) % size;
    sweep_vector fold;
    UNROLLED
    for (i32 k = 0; k < VEC; k++)
        fold.v[k] = 0;
    ROLLED
    for (i64 round = 0; round < a.rounds; round++) {
        sweep_vector t[UNROLL];
        UNROLLED
        for (i32 u = 0; u < UNROLL; u++) {
            t[u] = x[at];
            at += step;
            at -= at >= size ? size : 0;
        }
        UNROLLED
        for (i32 u = 0; u < UNROLL; u++) {
            UNROLLED
            for (i32 k = 0; k < VEC; k++)
                fold.v[k] ^= t[u].v[k];
        }
    }
    i64 all = 0;
    UNROLLED
    for (i32 k = 0; k < VEC; k++)
        all ^= fold.v[k];
    out[GROUP_X * WX + ITEM_X] = all;
}

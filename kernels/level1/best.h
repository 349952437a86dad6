/* best.h: the largest of many numbers and where it stands. Shared by the amax kernels.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Of equal numbers the first counts, so any order of comparing gives the same answer. NaN loses
 * every comparison; amax.cl gives a NaN at the very beginning its rank. scratch has BEST_SCRATCH
 * best_t.
 */
#include "handover.h"

typedef struct best_t {
    i64 at; /* BEST_NONE: nothing yet */
    f64 size;
} best_t;

#define BEST_NONE 0x7fffffffffffffff

DEVICE best_t best_of(best_t a, best_t b)
{
    const i32 second = b.size > a.size || (b.size == a.size && b.at < a.at);
    return second ? b : a;
}

#if WARP_SIZE > 1
#define BEST_SCRATCH (WX / WARP_SIZE)

DEVICE best_t lanes_best(best_t mine)
{
    UNROLLED
    for (i32 distance = WARP_SIZE / 2; distance > 0; distance /= 2) {
        best_t other;
        other.at = SHUFFLE_XOR(mine.at, distance);
        other.size = SHUFFLE_XOR(mine.size, distance);
        mine = best_of(mine, other);
    }
    return mine;
}

/* The best of the group, valid in lane 0. All work-items must come. */
DEVICE best_t group_best(best_t mine, LOCAL_PTR best_t *scratch)
{
    mine = lanes_best(mine);
    if (BEST_SCRATCH > 1) {
        if (ITEM_X % WARP_SIZE == 0)
            scratch[ITEM_X / WARP_SIZE] = mine;
        BARRIER();
        if (ITEM_X < WARP_SIZE)
            mine = lanes_best(scratch[ITEM_X < BEST_SCRATCH ? ITEM_X : 0]);
    }
    return mine;
}
#else
#define BEST_SCRATCH WX

/* The best of the group, valid in lane 0. All work-items must come. */
DEVICE best_t group_best(best_t mine, LOCAL_PTR best_t *scratch)
{
#if WX > 1
    scratch[ITEM_X] = mine;
    BARRIER();
    for (i32 rest = WX / 2; rest > 0; rest /= 2) {
        if (ITEM_X < rest)
            scratch[ITEM_X] = best_of(scratch[ITEM_X], scratch[ITEM_X + rest]);
        BARRIER();
    }
    return scratch[0];
#else
    (void)scratch;
    return mine;
#endif
}
#endif

/* This work-item's share of the best of `count` partial ones. */
DEVICE best_t partials_best(GLOBAL const volatile best_t *partials, i64 count)
{
    best_t mine;
    mine.at = BEST_NONE;
    mine.size = -1;
    ROLLED
    for (i64 i = ITEM_X; i < count; i += WX) {
        best_t other;
        other.at = partials[i].at;
        other.size = partials[i].size;
        mine = best_of(mine, other);
    }
    return mine;
}

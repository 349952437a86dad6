/* best.h: the largest of many numbers and where it stands. Shared by the amax kernels.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Of equal numbers the first counts, so any order of comparing gives the same answer. NaN loses every
 * comparison; amax.cl gives a NaN at the very beginning its rank. scratch has BEST_SCRATCH best_t.
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

#if LANES_TOGETHER > 1
#define BEST_SCRATCH (WX / LANES_TOGETHER)

DEVICE best_t lanes_best(best_t mine)
{
    UNROLLED
    for (i32 distance = LANES_TOGETHER / 2; distance > 0; distance /= 2) {
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
        if (LANE_X % LANES_TOGETHER == 0)
            scratch[LANE_X / LANES_TOGETHER] = mine;
        BARRIER();
        if (LANE_X < LANES_TOGETHER)
            mine = lanes_best(scratch[LANE_X < BEST_SCRATCH ? LANE_X : 0]);
    }
    return mine;
}
#else
#define BEST_SCRATCH WX

/* The best of the group, valid in lane 0. All work-items must come. */
DEVICE best_t group_best(best_t mine, LOCAL_PTR best_t *scratch)
{
#if WX > 1
    scratch[LANE_X] = mine;
    BARRIER();
    for (i32 rest = WX / 2; rest > 0; rest /= 2) {
        if (LANE_X < rest)
            scratch[LANE_X] = best_of(scratch[LANE_X], scratch[LANE_X + rest]);
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
    for (i64 i = LANE_X; i < count; i += WX) {
        best_t other;
        other.at = partials[i].at;
        other.size = partials[i].size;
        mine = best_of(mine, other);
    }
    return mine;
}

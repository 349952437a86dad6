/* reduce.h: sums over a group, and the hand-over to the last group. Shared by reductions.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Before the include a kernel defines SUM_R, the type summed, SUM_N, how many sums run side by
 * side, and SUM_MAIN, how many of these are not mostly zero; sum_t holds them. The order of
 * additions is fixed by WX alone, so results repeat bit for bit.
 *
 * Where lanes run together (WARP_SIZE > 1) sums go through registers first; the twin through
 * local memory serves everywhere else. scratch has GROUP_SCRATCH sum_t.
 */
#include "handover.h"

#if !defined(SUM_R) || !defined(SUM_N) || !defined(SUM_MAIN)
#error "reduce.h needs SUM_R, SUM_N and SUM_MAIN"
#endif

typedef struct sum_t {
    SUM_R v[SUM_N];
} sum_t;

DEVICE sum_t sum_add(sum_t a, sum_t b)
{
    UNROLLED
    for (i32 k = 0; k < SUM_N; k++)
        a.v[k] += b.v[k];
    return a;
}

#if WARP_SIZE > 1
#if WX % WARP_SIZE != 0
#error "WX must be a multiple of the lanes that run together"
#endif
#define GROUP_SCRATCH (WX / WARP_SIZE)

DEVICE sum_t lanes_sum(sum_t s)
{
    i32 rare = 0; /* beyond SUM_MAIN all lanes are mostly zero, as then is their sum */
    UNROLLED
    for (i32 k = SUM_MAIN; k < SUM_N; k++)
        rare |= s.v[k] != 0;
    rare = SUM_MAIN < SUM_N && WARP_ANY(rare);
    UNROLLED
    for (i32 distance = WARP_SIZE / 2; distance > 0; distance /= 2) {
        UNROLLED
        for (i32 k = 0; k < SUM_MAIN; k++)
            s.v[k] += SHUFFLE_XOR(s.v[k], distance);
    }
    if (rare) {
        ROLLED
        for (i32 distance = WARP_SIZE / 2; distance > 0; distance /= 2) {
            UNROLLED
            for (i32 k = SUM_MAIN; k < SUM_N; k++)
                s.v[k] += SHUFFLE_XOR(s.v[k], distance);
        }
    }
    return s;
}

/* The sum over the group, valid in lane 0. All work-items must come. */
DEVICE sum_t group_sum(sum_t s, LOCAL_PTR sum_t *scratch)
{
    s = lanes_sum(s);
    if (GROUP_SCRATCH > 1) {
        if (ITEM_X % WARP_SIZE == 0)
            scratch[ITEM_X / WARP_SIZE] = s;
        BARRIER();
        if (ITEM_X < WARP_SIZE) {
            sum_t zero = {{0}};
            s = ITEM_X < GROUP_SCRATCH ? scratch[ITEM_X] : zero;
            s = lanes_sum(s);
        }
    }
    return s;
}
#else
#define GROUP_SCRATCH WX

/* The sum over the group, valid in lane 0. All work-items must come. */
DEVICE sum_t group_sum(sum_t s, LOCAL_PTR sum_t *scratch)
{
#if WX > 1
    scratch[ITEM_X] = s;
    BARRIER();
    for (i32 rest = WX / 2; rest > 0; rest /= 2) {
        if (ITEM_X < rest)
            scratch[ITEM_X] = sum_add(scratch[ITEM_X], scratch[ITEM_X + rest]);
        BARRIER();
    }
    return scratch[0];
#else
    (void)scratch;
    return s;
#endif
}
#endif

/* This work-item's share of the sum over `count` partial sums, in an order fixed by WX. */
DEVICE sum_t partials_share(GLOBAL const volatile SUM_R *partials, i64 count)
{
    sum_t s = {{0}};
    ROLLED /* unrolled it takes more registers than the main loop of the kernel */
        for (i64 i = ITEM_X; i < count; i += WX)
    {
        UNROLLED
        for (i32 k = 0; k < SUM_N; k++)
            s.v[k] += partials[i * SUM_N + k];
    }
    return s;
}

DEVICE void sum_store(GLOBAL SUM_R *to, sum_t s)
{
    UNROLLED
    for (i32 k = 0; k < SUM_N; k++)
        to[k] = s.v[k];
}

/* The sum over all groups. True in one work-item of the grid only, whose *mine is then the sum:
 * lane 0 of the last group to arrive. counter is 0 before and after. All work-items must come.
 *
 * The second round runs the instructions of the first once more on purpose: the last group should
 * find them in the instruction cache. H200, 2026-11: with that, one square root instead of four and
 * rare values read again, nrm2 of 10^5 doubles took 3.7 us instead of 5.0; the three were not told
 * apart. */
DEVICE i32 grid_sum(sum_t *mine, GLOBAL SUM_R *partials, GLOBAL i32 *counter,
                    LOCAL_PTR sum_t *scratch, LOCAL_PTR i32 *flag)
{
    ROLLED
    for (i32 round = 0;; round++) {
        *mine = group_sum(*mine, scratch);
        if (round == 1 || GROUPS_X == 1)
            return ITEM_X == 0;
        if (ITEM_X == 0)
            sum_store(partials + GROUP_X * SUM_N, *mine);
        if (!last_group(counter, flag))
            return 0;
        *mine = partials_share(partials, GROUPS_X);
        if (ITEM_X == 0)
            counter[0] = 0;
    }
}

/* The end of a kernel that reduces. ONE_PASS: as grid_sum. Otherwise each group stores its partial
 * sum for the finishing kernel, and this is false everywhere. All work-items must come. */
DEVICE i32 reduce_groups(sum_t *mine, GLOBAL SUM_R *partials, GLOBAL i32 *counter,
                         LOCAL_PTR sum_t *scratch, LOCAL_PTR i32 *flag)
{
#if defined(ONE_PASS) && ONE_PASS
    return grid_sum(mine, partials, counter, scratch, flag);
#else
    (void)counter;
    (void)flag;
    *mine = group_sum(*mine, scratch);
    if (ITEM_X == 0)
        sum_store(partials + GROUP_X * SUM_N, *mine);
    return 0;
#endif
}

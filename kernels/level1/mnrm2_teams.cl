/* mnrm2_teams.cl: result_j := the norm of column j, a team of lanes per column
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * For many columns: TEAM lanes share one, WX / TEAM columns are side by side in a group, and a
 * group takes `partials` such rounds. Vectors of short columns that follow each other without gaps
 * make whole cache lines together. Geometry: groups of WX work-items along x. Macros: stream.h,
 * with RANGE and STRIDED 0; TEAM, a power of two that divides WX. Barriers, where lanes of a team
 * do not run together: all work-items make the same rounds.
 */
#include "norm_walk.h"
#include "mdot_args.h"

#ifndef TEAM
#error "mnrm2_teams needs TEAM"
#endif
#define TEAMS    (WX / TEAM)
#define TOGETHER (TEAM == 1 || TEAM <= WARP_SIZE)

/* The sum over a team, valid in its lane 0. */
DEVICE sum_t team_sum(sum_t s, i32 lane, LOCAL_PTR sum_t *scratch)
{
#if TEAM == 1
    (void)lane;
    (void)scratch;
    return s;
#elif TOGETHER
    (void)lane;
    (void)scratch;
    UNROLLED
    for (i32 distance = TEAM / 2; distance > 0; distance /= 2) {
        UNROLLED
        for (i32 k = 0; k < SUM_N; k++)
            s.v[k] += SHUFFLE_XOR(s.v[k], distance);
    }
    return s;
#else
    BARRIER(); /* scratch may still be read */
    scratch[ITEM_X] = s;
    BARRIER();
    ROLLED
    for (i32 rest = TEAM / 2; rest > 0; rest /= 2) {
        if (lane < rest)
            scratch[ITEM_X] = sum_add(scratch[ITEM_X], scratch[ITEM_X + rest]);
        BARRIER();
    }
    return scratch[ITEM_X - lane];
#endif
}

KERNEL(mnrm2_teams, WX, 1, 1)(GLOBAL const T *RESTRICT X, GLOBAL R *RESTRICT result, mdot_args a)
{
    LOCAL sum_t scratch[TOGETHER ? 1 : WX];
    BEGIN();
    const i32 lane = ITEM_X % TEAM;
    const i64 edges = a.range.n - a.range.vectors * VEC;
    i64 j = GROUP_X * a.partials * TEAMS + ITEM_X / TEAM;
    ROLLED
    for (i64 round = 0; round < a.partials; round++, j += TEAMS) {
        sum_t sum = {{0}};
        if (j < a.columns) {
            GLOBAL const T *RESTRICT x = X + j * a.ldx;
            sum = norm_walk(x + a.range.head, a.range, lane, a.range.vectors, TEAM);
            for (i64 e = lane; e < edges; e += TEAM)
                sum = norm_add_element(sum, x[stream_edge(a.range, e)]);
        }
        sum = team_sum(sum, lane, scratch);
        if (lane == 0 && j < a.columns)
            result[j] = norm_result(sum);
    }
}

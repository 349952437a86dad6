/* level_solve.cl: a sparse triangular solve, level by level
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * y := L^-1 x (UPPER 0) or y := U^-1 D^-1 y (UPPER 1), unit triangles whose entries beside the
 * diagonal are compressed rows in the order of levels: place p has row order[p]; its unknown needs
 * those of levels before its own. Places [level[l], level[l + 1]) are level l. Each row is added up
 * in one order, so the bits do not depend on how levels are launched.
 *
 * WAY 0: one level, `run` places per group. WAY 1: levels [first, end), one group, a barrier of the
 * group behind each. WAY 2: a cooperative launch of all levels: phase k, three numbers, is one
 * level for all groups (`wide`), or levels [first, end) for group 0; a barrier of all groups behind
 * each. LANES neighbours share a row; more than 1 only where lanes run together.
 *
 * Geometry: WX work-items per group. Macros: UPPER, WAY, LANES, WX, INDEX_BITS. Barriers: bounds
 * are the same in all work-items of a group (of WAY 2: of all groups, but for those of group 0
 * within a phase), so all reach each.
 */
#include "sparse_index.h"
#include "lanes.h"
#include "level_solve_args.h"

#if !defined(UPPER) || !defined(WAY) || !defined(LANES) || !defined(WX)
#error "level_solve needs UPPER, WAY, LANES and WX"
#endif
#if WAY == 2
#include "grid_barrier.h"
#endif
#define TEAMS (WX / LANES) /* rows of a group at once */

typedef struct triangle {
    GLOBAL const sparse_index *start, *column;
    GLOBAL const T *value;
    GLOBAL const sparse_index *order;
    GLOBAL const T *inverse, *x;
    GLOBAL T *y; /* written by other groups, in launches or phases before */
} triangle;

/* Rows at places [from, end), as many at once as the group has teams, `step` apart. */
DEVICE void solve_places(const triangle *t, i64 from, i64 end, i64 step)
{
    const i32 team = ITEM_X / LANES, lane = ITEM_X % LANES;
    for (i64 base = from; base < end; base += step) {
        const i64 place = base + team;
        i64 row = 0;
        T sum = T_make(0, 0);
        if (place < end) {
            const i64 last = t->start[place + 1];
            row = t->order[place];
            for (i64 e = t->start[place] + lane; e < last; e += LANES)
                sum = T_fma(t->value[e], t->y[t->column[e]], sum);
        }
#if LANES > 1
        lanes_add(&sum, 1, LANES / 2, 1);
#endif
        if (place < end && lane == 0) {
#if UPPER
            const T right = T_mul(t->inverse[row], t->y[row]);
#else
            const T right = t->x[row];
#endif
            t->y[row] = T_fma_real(-1, sum, right);
        }
    }
}

/* Levels [first, end) by one group. */
DEVICE void solve_levels(const triangle *t, GLOBAL const i64 *level, i64 first, i64 end)
{
    for (i64 l = first; l < end; l++) {
        solve_places(t, level[l], level[l + 1], TEAMS);
        BARRIER();
    }
}

KERNEL(level_solve, WX, 1, 1)
(GLOBAL const sparse_index *RESTRICT start, GLOBAL const sparse_index *RESTRICT column,
 GLOBAL const T *RESTRICT value, GLOBAL const sparse_index *RESTRICT order,
 GLOBAL const i64 *RESTRICT level, GLOBAL const T *RESTRICT inverse, GLOBAL const T *x, GLOBAL T *y,
 GLOBAL const i64 *RESTRICT phase, GLOBAL i32 *counter, level_solve_args a)
{
    BEGIN();
    triangle t;
    t.start = start;
    t.column = column;
    t.value = value;
    t.order = order;
    t.inverse = inverse;
    t.x = x;
    t.y = y;
#if WAY == 0
    const i64 begin = level[a.first] + GROUP_X * a.run;
    const i64 end = level[a.first + 1], last = begin + a.run;
    (void)phase;
    (void)counter;
    solve_places(&t, begin, last < end ? last : end, TEAMS);
#elif WAY == 1
    (void)phase;
    (void)counter;
    solve_levels(&t, level, a.first, a.end);
#else
    i32 passed = 0;
    for (i64 k = a.first; k < a.end; k++) {
        const i64 first = phase[3 * k + 1], end = phase[3 * k + 2];
        if (phase[3 * k])
            solve_places(&t, level[first] + GROUP_X * TEAMS, level[end], GROUPS_X * TEAMS);
        else if (GROUP_X == 0)
            solve_levels(&t, level, first, end);
        grid_barrier(counter, &passed);
    }
#endif
}

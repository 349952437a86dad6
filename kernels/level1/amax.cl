/* amax.cl: result := the position, from 1, of the first largest |Re x_i| + |Im x_i|
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A work-item meets its elements in order, so the first of its equals is the one it keeps; groups
 * are compared by size, then by position. NaN loses every comparison, which passes it over; as the
 * first element of the vector it counts as infinite and so wins, as in the reference BLAS.
 * ONE_PASS: the last group to arrive compares the groups' best. Geometry: any number of groups of
 * WX work-items. Macros: stream.h; ONE_PASS 0 or 1. Barriers: all work-items reach group_best and
 * last_group.
 */
#include "stream.h"
#include "reduce_args.h"
#include "best.h"

DEVICE void amax_vector(R *size, i64 *at, TV t, i64 first)
{
    UNROLLED
    for (i32 k = 0; k < VEC; k++) {
        const R s = T_size(t.v[k]);
        if (s > *size) {
            *size = s;
            *at = first + k;
        }
    }
}

KERNEL(amax, WX, 1, 1)
(GLOBAL const T *RESTRICT x, GLOBAL best_t *RESTRICT partials, GLOBAL i32 *RESTRICT counter,
 GLOBAL i64 *RESTRICT result, reduce_args a)
{
    LOCAL best_t scratch[BEST_SCRATCH];
    LOCAL i32 flag[1];
    BEGIN();

    R size = -1;
    i64 at = BEST_NONE;
    const i64 last = stream_last(a.range), step = stream_step();
    GLOBAL const T *RESTRICT xs = x + a.range.head;
    i64 i = stream_first(a.range);
    ROLLED
    for (; i + (UNROLL - 1) * step < last; i += UNROLL * step) {
        TV t[UNROLL];
        UNROLLED
        for (i32 u = 0; u < UNROLL; u++)
            t[u] = stream_load(xs, a.range.incx, i + u * step);
        UNROLLED
        for (i32 u = 0; u < UNROLL; u++)
            amax_vector(&size, &at, t[u], a.range.head + (i + u * step) * VEC);
    }
    ROLLED
    for (; i < last; i += step)
        amax_vector(&size, &at, stream_load(xs, a.range.incx, i), a.range.head + i * VEC);

    best_t mine;
    mine.at = at;
    mine.size = size;
    for (i64 e = ITEM_X; e < stream_edges(a.range); e += WX) {
        best_t other;
        other.at = stream_edge(a.range, e);
        other.size = T_size(x[other.at]);
        mine = best_of(mine, other);
    }
    if (GROUP_X == 0 && ITEM_X == 0) {
        const R first = T_size(x[0]);
        if (first != first) { /* infinite, and before all others */
            mine.at = 0;
            mine.size = 1 / (f64)0;
        }
    }

    ROLLED
    for (i32 round = 0;; round++) {
        mine = group_best(mine, scratch);
        if (ONE_PASS && (round == 1 || GROUPS_X == 1)) {
            if (ITEM_X == 0)
                result[0] = mine.at + 1;
            return;
        }
        if (ITEM_X == 0)
            partials[GROUP_X] = mine;
        if (!ONE_PASS || !last_group(counter, flag))
            return;
        mine = partials_best(partials, GROUPS_X);
        if (ITEM_X == 0)
            counter[0] = 0;
    }
}

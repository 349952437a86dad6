/* transpose_t.cl: C := X', or with the conjugate transpose
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A group takes tiles one after another, GROUPS_X apart. With AHEAD the next is loaded into
 * registers before the present one is stored, so that memory always has loads to serve; without,
 * every group has one tile and other groups do that. Geometry: any number of groups of ITEMS
 * work-items, with AHEAD 0 as many as there are tiles. Macros: turn.h; AHEAD 0 or 1. Barriers: all
 * work-items walk the same tiles.
 */
#include "turn.h"

#ifndef AHEAD
#error "transpose_t needs AHEAD"
#endif

DEVICE void transpose_t_store(GLOBAL T *C, turn_args a, turn_place at, LOCAL_PTR const TE *tile)
{
    TURN_EACH
    for (i32 k = 0; k < C_LOADS; k++) {
        CV t = turn_take(tile, k);
        UNROLLED
        for (i32 v = 0; v < C_VEC; v++)
            t.v[v] = turn_op(t.v[v]);
        turn_store(C, a.ldc, a, at, k, t);
    }
}

KERNEL(transpose_t, ITEMS, 1, 1)
(GLOBAL const T *RESTRICT X, GLOBAL T *RESTRICT C, turn_args a)
{
    LOCAL TE tile[TILE * TURN_ROW];
    BEGIN();
    const i32 tiles = (i32)(a.across * a.down);
    turn_place at = turn_place_of(a, (i32)GROUP_X);
    turn_x t = turn_load(X, a.ldx, a, at);
#if AHEAD
    ROLLED
    for (i32 next = (i32)(GROUP_X + GROUPS_X);; next += (i32)GROUPS_X) {
        const turn_place now = at;
        turn_put(tile, t);
        BARRIER();
        if (next < tiles) {
            at = turn_place_of(a, next);
            t = turn_load(X, a.ldx, a, at);
        }
        transpose_t_store(C, a, now, tile);
        if (next >= tiles)
            break;
        BARRIER(); /* the tile may still be read */
    }
#else
    (void)tiles;
    turn_put(tile, t);
    BARRIER();
    transpose_t_store(C, a, at, tile);
#endif
}

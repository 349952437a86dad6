/* transpose_in_place.cl: A := A' of a square matrix, or with the conjugate transpose
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A group takes a tile and its mirror image across the diagonal: both are loaded before either is
 * stored, the second in registers while the first goes through local memory. A tile on the diagonal
 * is its own mirror image, and is stored once. Shifts are the same along rows and columns (before_x
 * = before_c), so that mirror images meet. Geometry: one group of ITEMS work-items per pair, across
 * * (across + 1) / 2 of them.
 * Macros: turn.h, with X_VEC = C_VEC. Barriers: none depends on the pair, because PoCL 3.1 stored
 * outside the matrix where barriers stood inside a condition that is the same for the whole group.
 */
#include "turn.h"

DEVICE void in_place_store(GLOBAL T *A, turn_args a, turn_place at, LOCAL_PTR const TE *tile)
{
    TURN_EACH
    for (i32 k = 0; k < C_LOADS; k++) {
        CV t = turn_take(tile, k);
        UNROLLED
        for (i32 v = 0; v < C_VEC; v++)
            t.v[v] = turn_op(t.v[v]);
        turn_store(A, a.ldc, a, at, k, t);
    }
}

KERNEL(transpose_in_place, ITEMS, 1, 1)(GLOBAL T *A, turn_args a)
{
    LOCAL TE tile[TILE * TURN_ROW];
    BEGIN();
    /* Row i of the lower triangle of tiles has i + 1 of them; row i and the i-th from below (or, if
     * their number is odd, the one before that) together have as many as any other two. */
    const i32 n = (i32)a.across, odd = n % 2, width = n + 1 - odd;
    const i32 pair = (i32)GROUP_X, i = pair / width, j = pair - i * width;
    const i32 shorter = odd ? i : i + 1;
    const i32 low = j < shorter ? shorter - 1 : n - 1 - i, high = j < shorter ? j : j - shorter;
    const turn_place here = turn_place_at(a, low, high), there = turn_place_at(a, high, low);
    /* The tile that is stored at `here` is the transpose of what stands at `there`. */
    const turn_x t = turn_load(A, a.ldc, a, here);
    const turn_x mirrored = turn_load(A, a.ldc, a, there);
    turn_put(tile, t);
    BARRIER();
    in_place_store(A, a, here, tile);
    BARRIER(); /* the tile may still be read */
    turn_put(tile, mirrored);
    BARRIER();
    if (low != high)
        in_place_store(A, a, there, tile);
}

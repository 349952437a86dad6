/* transpose_local.cl: C := X', or with the conjugate transpose, through local memory, an element at
 * a time
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The second and third rung of the ladder: a tile of TILE by TILE elements is read along the
 * columns of X and written along those of C, so that neighbours make whole cache lines on both
 * sides. With PAD 0 neighbours read local memory TILE elements apart, which is one bank; with PAD 1
 * they do not meet. Geometry: one group of ITEMS work-items per tile, those below each other first.
 * Macros: ITEMS, at most TILE * TILE; TILE; PAD; CONJ_X. Barriers: all work-items of a group have
 * the same tile.
 */
#include "turn_args.h"

#if !defined(ITEMS) || !defined(TILE) || !defined(PAD) || !defined(CONJ_X)
#error "transpose_local needs ITEMS, TILE, PAD and CONJ_X"
#endif
#define TILE_ROW (TILE + PAD)

KERNEL(transpose_local, ITEMS, 1, 1)
(GLOBAL const T *RESTRICT X, GLOBAL T *RESTRICT C, turn_args a)
{
    LOCAL T tile[TILE * TILE_ROW];
    BEGIN();
    const i32 group = (i32)GROUP_X, across = group / (i32)a.down;
    const i64 column = (i64)across * TILE, row = (i64)(group - across * (i32)a.down) * TILE;
    for (i32 e = ITEM_X; e < TILE * TILE; e += ITEMS) {
        const i32 j = e / TILE, i = e % TILE;
        if (column + j < a.m && row + i < a.n)
            tile[j * TILE_ROW + i] = X[(column + j) * a.ldx + row + i];
    }
    BARRIER();
    for (i32 e = ITEM_X; e < TILE * TILE; e += ITEMS) {
        const i32 i = e / TILE, j = e % TILE;
        if (column + j < a.m && row + i < a.n) {
            const T x = tile[j * TILE_ROW + i];
            C[(row + i) * a.ldc + column + j] = CONJ_X ? T_conj(x) : x;
        }
    }
}

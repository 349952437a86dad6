/* expand.cl: W := A, n by n and symmetric or Hermitian, of which one triangle is stored
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A group loads a tile of the triangle once and stores it twice: as it is, and turned through local
 * memory, so that all accesses go along columns. Of a Hermitian matrix imaginary parts of the
 * diagonal are taken as 0.
 * Geometry: groups of ITEMS work-items. Tiles are numbered as those of a lower triangle: GROUP_Y
 * stands for two columns of them, the one from the left and the one as far from the right, which
 * have tiles + 1 together; GROUP_X counts these. With an odd number of tiles the middle column
 * meets itself, and half of its groups store nothing.
 * Macros: ITEMS, TILE: powers of two, ITEMS at most TILE * TILE; UPPER: 1: the upper triangle is
 * stored; HERMITIAN.
 * Barriers: all work-items reach the only one.
 */
#include "expand_args.h"

#if !defined(ITEMS) || !defined(TILE) || !defined(UPPER) || !defined(HERMITIAN)
#error "expand needs ITEMS, TILE, UPPER and HERMITIAN"
#endif

#define EXPAND_ROW (TILE + 1) /* elements of local memory per column of a tile */
#define EACH       (TILE * TILE / ITEMS)
#define HELD       (EACH < 8 ? EACH : 8) /* elements that a work-item has on their way at once */

DEVICE i32 expand_stored(i64 i, i64 j)
{
    return UPPER ? i <= j : i >= j;
}

KERNEL(expand, ITEMS, 1, 1)
(GLOBAL const T *RESTRICT A, GLOBAL T *RESTRICT W, expand_args a)
{
    LOCAL T tile[TILE * EXPAND_ROW];
    BEGIN();
    const i64 x = GROUP_X, y = GROUP_Y, left = a.tiles - y;
    const i64 across = x < left ? y : a.tiles - 1 - y,
              down = across + (x < left ? x : x - left); /* in a lower triangle */
    const i64 end = x < left || across != y ? a.n : 0;   /* nothing is beyond */
    const i64 row = (UPPER ? across : down) * TILE, column = (UPPER ? down : across) * TILE;
    ROLLED
    for (i32 from = ITEM_X; from < TILE * TILE; from += ITEMS * HELD) {
        T held[HELD];
        UNROLLED
        for (i32 h = 0; h < HELD; h++) {
            const i32 e = from + h * ITEMS;
            const i64 i = row + e % TILE, j = column + e / TILE;
            held[h] = T_make(0, 0);
            if (i < end && j < end && expand_stored(i, j))
                held[h] = A[i + j * a.lda];
        }
        UNROLLED
        for (i32 h = 0; h < HELD; h++) {
            const i32 e = from + h * ITEMS;
            const i64 i = row + e % TILE, j = column + e / TILE;
            const T value = HERMITIAN && i == j ? T_make(T_real(held[h], 0), 0) : held[h];
            tile[e / TILE * EXPAND_ROW + e % TILE] = value;
            if (i < end && j < end && expand_stored(i, j))
                W[i + j * a.ldw] = value;
        }
    }
    BARRIER();
    ROLLED
    for (i32 from = ITEM_X; from < TILE * TILE; from += ITEMS * HELD) {
        UNROLLED
        for (i32 h = 0; h < HELD; h++) {
            const i32 e = from + h * ITEMS;
            const i64 i = column + e % TILE, j = row + e / TILE;
            const T value = tile[e % TILE * EXPAND_ROW + e / TILE];
            if (i < end && j < end && !expand_stored(i, j))
                W[i + j * a.ldw] = HERMITIAN ? T_conj(value) : value;
        }
    }
}

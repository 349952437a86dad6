/* turn.h: tiles of a matrix turned through local memory.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * C is m by n, X is n by m and is read as its transpose. A tile is TILE by TILE elements; its
 * columns in X become its rows in C. The ITEMS work-items of a group load all of a tile, X_VEC
 * elements at a time along the columns of X, put the elements turned into local memory, whose rows
 * are one longer than a tile so that neighbours do not meet in one bank, and store them, C_VEC at a
 * time, along the columns of C. So both sides of memory see whole cache lines.
 *
 * Where a side's columns all start alike modulo 16 bytes the tiles are shifted so that their
 * vectors stand on aligned addresses (before_x, before_c), and only those at the edges of the
 * matrix are taken apart; elsewhere vectors are single elements, and those of neighbours still make
 * whole lines.
 *
 * Macros: ITEMS, TILE, X_VEC, C_VEC: powers of two, ITEMS at most TILE * TILE / X_VEC and / C_VEC.
 * X_ALIGN, C_ALIGN: the alignment in bytes that each access may count on. CONJ_X: 1 for the
 * conjugate transpose.
 */
#include "turn_args.h"

#if !defined(ITEMS) || !defined(TILE) || !defined(X_VEC) || !defined(C_VEC) ||                     \
    !defined(X_ALIGN) || !defined(C_ALIGN) || !defined(CONJ_X)
#error "turning needs ITEMS, TILE, X_VEC, C_VEC, X_ALIGN, C_ALIGN and CONJ_X"
#endif

#define TURN_ROW (TILE + 1) /* elements of local memory a row of the tile */

#define X_PIECES (TILE / X_VEC) /* vectors per column of the tile in X */
#define C_PIECES (TILE / C_VEC)
#define X_LOADS  (TILE * X_PIECES / ITEMS) /* vectors of a tile per work-item */
#define C_LOADS  (TILE * C_PIECES / ITEMS)

/* One work-item has the whole tile: too much to unroll, and it needs no registers. */
#if ITEMS == 1
#define TURN_EACH ROLLED
#else
#define TURN_EACH UNROLLED
#endif

typedef struct ALIGNED(X_ALIGN) XV {
    T v[X_VEC];
} XV;
typedef struct ALIGNED(C_ALIGN) CV {
    T v[C_VEC];
} CV;

/* An element of local memory, which one access takes also where it is complex. */
#if PREC == 0
#define TURN_ALIGN 4
#elif PREC == 3
#define TURN_ALIGN 16
#else
#define TURN_ALIGN 8
#endif
typedef struct ALIGNED(TURN_ALIGN) TE {
    T v;
} TE;

typedef struct turn_x {
    XV v[X_LOADS];
} turn_x;
typedef struct turn_c {
    CV v[C_LOADS];
} turn_c;

/* Where a tile stands: its first row and column in C, which are its first column and row in X. They
 * may be negative. */
typedef struct turn_place {
    i64 row, column;
    i32 inside; /* no element is outside */
} turn_place;

DEVICE turn_place turn_place_at(turn_args a, i32 across, i32 down)
{
    turn_place at;
    at.row = (i64)across * TILE - a.before_c;
    at.column = (i64)down * TILE - a.before_x;
    at.inside = at.row >= 0 && at.column >= 0 && at.row + TILE <= a.m && at.column + TILE <= a.n;
    return at;
}

/* Tiles are numbered strip by strip: `strip` side by side, then those below. */
DEVICE turn_place turn_place_of(turn_args a, i32 tile)
{
    const i32 strip = (i32)a.strip, down = (i32)a.down, across = (i32)a.across;
    const i32 first = tile / (strip * down) * strip, rest = tile - first * down;
    const i32 width = across - first < strip ? across - first : strip;
    const i32 below = rest / width;
    return turn_place_at(a, first + rest - below * width, below);
}

DEVICE T turn_op(T x)
{
#if CONJ_X
    return T_conj(x);
#else
    return x;
#endif
}

/* This work-item's part of a tile of X. What lies outside is zero. */
DEVICE turn_x turn_load(GLOBAL const T *X, i64 ld, turn_args a, turn_place at)
{
    turn_x t;
    if (at.inside) {
        TURN_EACH
        for (i32 k = 0; k < X_LOADS; k++) {
            const i32 e = ITEM_X + k * ITEMS, column = e / X_PIECES, row = e % X_PIECES * X_VEC;
            t.v[k] = *(GLOBAL const XV *)(X + (at.row + column) * ld + at.column + row);
        }
        return t;
    }
    TURN_EACH
    for (i32 k = 0; k < X_LOADS; k++) {
        const i32 e = ITEM_X + k * ITEMS;
        const i64 column = at.row + e / X_PIECES, row = at.column + e % X_PIECES * X_VEC;
        UNROLLED
        for (i32 v = 0; v < X_VEC; v++)
            t.v[k].v[v] = T_make(0, 0);
        if (column >= 0 && column < a.m) {
            if (row >= 0 && row + X_VEC <= a.n) {
                t.v[k] = *(GLOBAL const XV *)(X + column * ld + row);
            } else {
                UNROLLED
                for (i32 v = 0; v < X_VEC; v++)
                    if (row + v >= 0 && row + v < a.n)
                        t.v[k].v[v] = X[column * ld + row + v];
            }
        }
    }
    return t;
}

/* Into local memory, turned. */
DEVICE void turn_put(LOCAL_PTR TE *tile, turn_x t)
{
    TURN_EACH
    for (i32 k = 0; k < X_LOADS; k++) {
        const i32 e = ITEM_X + k * ITEMS, column = e / X_PIECES, row = e % X_PIECES * X_VEC;
        UNROLLED
        for (i32 v = 0; v < X_VEC; v++)
            tile[(row + v) * TURN_ROW + column].v = t.v[k].v[v];
    }
}

/* The part of the turned tile that this work-item stores. */
DEVICE CV turn_take(LOCAL_PTR const TE *tile, i32 k)
{
    const i32 e = ITEM_X + k * ITEMS, column = e / C_PIECES, row = e % C_PIECES * C_VEC;
    CV t;
    UNROLLED
    for (i32 v = 0; v < C_VEC; v++)
        t.v[v] = tile[column * TURN_ROW + row + v].v;
    return t;
}

/* Vector k of this work-item's part of C. */
DEVICE void turn_store(GLOBAL T *C, i64 ld, turn_args a, turn_place at, i32 k, CV t)
{
    const i32 e = ITEM_X + k * ITEMS;
    const i64 column = at.column + e / C_PIECES, row = at.row + e % C_PIECES * C_VEC;
    if (at.inside || (column >= 0 && column < a.n && row >= 0 && row + C_VEC <= a.m)) {
        *(GLOBAL CV *)(C + column * ld + row) = t;
    } else if (column >= 0 && column < a.n) {
        UNROLLED
        for (i32 v = 0; v < C_VEC; v++)
            if (row + v >= 0 && row + v < a.m)
                C[column * ld + row + v] = t.v[v];
    }
}

/* band_wide.h: what the kernels for products with wide bands share: which elements of a piece are
 * there.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A piece is COLUMNS columns and, for each of WX lanes, DEEP rows, WX apart: rows stand side by
 * side in memory. All its loads are in flight together. A piece that the band fills needs no tests;
 * elsewhere elements that are not there are loads of the first diagonal element, and dropped.
 * Macros: band.h; ITEMS; WX; DEEP; COLUMNS.
 */
#include "band.h"

#if !defined(ITEMS) || !defined(WX) || !defined(DEEP) || !defined(COLUMNS)
#error "kernels for wide bands need ITEMS, WX, DEEP and COLUMNS"
#endif
#define WY     (ITEMS / WX)
#define ROWS   (WX * DEEP)
#define ITEM_R (ITEM_X % WX)
#define ITEM_C (ITEM_X / WX)

/* Work-items that a multiprocessor should hold: they have at least 64 registers beside those for a
 * piece. */
#define WORDS    (DEEP * COLUMNS * T_REALS * (PREC % 2 + 1))
#define RESIDENT (WORDS <= 16 && DEEP < 8 ? 768 : 512)

/* What of a piece is there, from a lane's first row and the first column on. */
typedef struct band_edges {
    i32 place;         /* of the lane's first row in the first column */
    i32 rows, columns; /* of the matrix, from there on */
} band_edges;

typedef struct band_piece {
    T v[COLUMNS][DEEP];
} band_piece;

DEVICE i32 band_clamp(i64 value, i32 most)
{
    return (i32)(value < 0 ? 0 : value < most ? value : most);
}

DEVICE band_edges band_find(band_args a, i64 row, i64 column)
{
    band_edges edges;
    edges.place = (i32)(a.ku + row - column);
    edges.rows = band_clamp(a.m - row, ROWS);
    edges.columns = band_clamp(a.n - column, COLUMNS);
    return edges;
}

DEVICE i32 band_has(band_edges edges, band_args a, i32 e, i32 c)
{
    return ((u32)(edges.place + e * WX - c) <= (u32)(a.kl + a.ku)) & (e * WX < edges.rows) &
           (c < edges.columns);
}

/* Whether all of a piece is there, from its first row and column on, and not on a diagonal that is
 * special. */
DEVICE i32 band_whole(band_args a, i64 top, i64 column)
{
    const i64 bottom = top + ROWS - 1, last = column + COLUMNS - 1;
    const i32 beside = !DIAGONAL || column > bottom || last < top;
    return beside && bottom < a.m && last < a.n && last - a.ku <= top && column + a.kl >= bottom;
}

/* The lane's elements of a piece, whose first row and column are given. */
DEVICE band_piece band_load(GLOBAL const T *A, band_args a, band_edges edges, i64 row, i64 column,
                            i32 some)
{
    band_piece t;
    UNROLLED
    for (i32 c = 0; c < COLUMNS; c++) {
        const i64 at = a.ku + row + (column + c) * (a.lda - 1);
        UNROLLED
        for (i32 e = 0; e < DEEP; e++) {
            const T stored = A[!some || band_has(edges, a, e, c) ? at + e * WX : a.ku];
            const i32 on_diagonal = some && DIAGONAL && edges.place + e * WX - c == (i32)a.ku;
            t.v[c][e] = on_diagonal ? band_diagonal(stored) : stored;
        }
    }
    return t;
}

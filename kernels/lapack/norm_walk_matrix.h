/* norm_walk_matrix.h: the moduli of a matrix's elements, and walks over them. Shared by the norms.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A group has WX work-items: ROWS of them stand below each other and WX / ROWS, the lanes, beside
 * each other, so that short columns keep all of them busy, too. A tile is ROWS rows by SPAN
 * columns, of which a work-item loads COLUMNS. Macros: WX, ROWS, COLUMNS; SYMMETRIC: one triangle
 * stands for both; HERMITIAN: imaginary parts of the diagonal are not looked at; BY_PARTS: the
 * larger part of a complex number stands for its modulus.
 */
#if !defined(WX) || !defined(ROWS) || !defined(COLUMNS) || !defined(SYMMETRIC) ||                  \
    !defined(HERMITIAN) || !defined(BY_PARTS)
#error "norms need WX, ROWS, COLUMNS, SYMMETRIC, HERMITIAN and BY_PARTS"
#endif
#include "norm_args.h"

#define SIDE_LANES (WX / ROWS)
#define SPAN       (SIDE_LANES * COLUMNS)

DEVICE i32 norm_has(norm_args a, i64 i, i64 j)
{
    return i < a.m && j < a.n && i - j >= a.first && i - j <= a.last;
}

/* Element (i, j), or 0 where it does not count. */
DEVICE T norm_load(GLOBAL const T *RESTRICT A, norm_args a, i64 i, i64 j)
{
    T value = T_make(0, 0);
    if (norm_has(a, i, j))
        value = A[i + j * a.lda];
#if HERMITIAN
    if (i == j)
        value = T_make(T_real(value, 0), 0);
#endif
    return value;
}

/* The first of the tiles that share `step` rows which may have row `from`: rows are below 2^31
 * wherever `from` is not 0. */
DEVICE i64 norm_tile(i64 from, i64 step)
{
    return from > 0 ? (i64)((i32)from / (i32)step) * step : 0;
}

DEVICE i64 norm_least(i64 a, i64 b)
{
    return a < b ? a : b;
}

/* The strips of this group: j is the first column of each. */
#define NORM_STRIPS(a, j)                                                                          \
    for (i64 j = (i64)((i32)GROUP_X % (i32)(a).strips) * SPAN; j < (a).n; j += (a).strips * SPAN)
/* The tiles of a strip: i is the first row of each. */
#define NORM_TILES(a, i, j)                                                                        \
    for (i64 i = norm_tile(norm_least((j) + (a).first, (a).m - 1), (a).parts * ROWS) +             \
                 (i64)((i32)GROUP_X / (i32)(a).strips) * ROWS;                                     \
         i < norm_least((a).m, (j) + SPAN + (a).last); i += (a).parts * ROWS)
/* The column that this work-item loads as number c of a strip, and its row in a tile. */
#define NORM_COLUMN(j, c) ((j) + (c)*SIDE_LANES + ITEM_X / ROWS)
#define NORM_ROW(i)       ((i) + ITEM_X % ROWS)

#include "norm_size.h"

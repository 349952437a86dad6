/* trsv_diagonal.h: the diagonal block of a triangular matrix in local memory, in order of solving.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Blocks are NB rows, counted in the order in which they are solved: from the last rows to the
 * first where op(A) is upper triangular. So in here every triangle is a lower one. Kept are the
 * negatives of the elements below the diagonal, column by column, packed unless WHOLE is 1, and the
 * reciprocals of those on it. Rows outside the matrix are those of the identity. Macros: ITEMS, NB,
 * TRANS and CONJ 0 or 1; from the kernel's file WHOLE, and AT_ONCE: elements a work-item loads at
 * once.
 */
#include "storage.h"
#include "trsv_args.h"

#if !defined(ITEMS) || !defined(NB) || !defined(TRANS) || !defined(CONJ)
#error "trsv kernels need ITEMS, NB, TRANS and CONJ"
#endif

typedef struct trsv_data {
    GLOBAL const T *A;
    trsv_args a;
    i64 backward; /* the last rows are solved first */
} trsv_data;

/* The row of A that a block starts with; it may be above the matrix. */
DEVICE i64 trsv_start(trsv_data d, i64 block)
{
    return (d.backward ? d.a.blocks - 1 - block : block) * NB - d.a.shift;
}

/* The row or column of a block that is solved as number i of it. */
DEVICE i32 trsv_turn(trsv_data d, i32 i)
{
    return d.backward ? NB - 1 - i : i;
}

/* Whether the element of a row and a column of the triangle exists; only in a band some do not. */
DEVICE i32 trsv_in_band(trsv_data d, i64 row, i64 column)
{
#if BANDED
    return (row < column ? column - row : row - column) <= d.a.band;
#else
    (void)d, (void)row, (void)column;
    return 1;
#endif
}

/* Where element (i, j), i > j, of a diagonal block is kept. Whole columns are STRIDE apart, so that
 * those of a row are in different banks of local memory. */
#define QUICK (16 / (i32)sizeof(T)) /* elements per load from local memory */
#if WHOLE
#define STRIDE (NB + QUICK)
#define KEPT   (NB * STRIDE)
#else
#define STRIDE NB
#define KEPT   (NB * (NB + 1) / 2)
#endif
DEVICE i32 trsv_at(i32 i, i32 j)
{
    return j * STRIDE - (WHOLE ? 0 : j * (j + 1) / 2) + i;
}

#define ALONG (ITEMS < NB ? ITEMS : NB) /* lanes along a column */
#define ASIDE (ITEMS / ALONG)

/* The elements of a row in every ASIDE-th column from `first` on, AT_ONCE of them. */
DEVICE void trsv_take_row(trsv_data d, i64 start, i32 row, i32 first, LOCAL_PTR T *block,
                          LOCAL_PTR T *diagonal)
{
    const i32 exists = start + row >= 0 && start + row < d.a.n;
#if PACKED
    GLOBAL const T *at = d.A + start + row;
#else
    GLOBAL const T *at = d.A + start + row + (start + first) * d.a.lda;
#endif
    T a[AT_ONCE];
    UNROLLED
    for (i32 b = 0; b < AT_ONCE; b++) {
        const i32 column = first + b * ASIDE;
        const i32 stored =
            (d.a.upper ? column > row : column < row) && trsv_in_band(d, row, column);
        const i32 inside = exists && start + column >= 0 && start + column < d.a.n && column < NB;
        a[b] = T_make(column == row ? 1 : 0, 0);
        if (inside && (stored || (column == row && !d.a.unit)))
#if PACKED
            a[b] = at[column_start(start + column, d.a.lda, d.a.upper)];
#else
            a[b] = at[b * (ASIDE * d.a.lda)];
#endif
    }
    UNROLLED
    for (i32 b = 0; b < AT_ONCE; b++) {
        const i32 column = first + b * ASIDE;
        const i32 i = trsv_turn(d, TRANS ? column : row), j = trsv_turn(d, TRANS ? row : column);
        const T value = CONJ ? T_conj(a[b]) : a[b];
        if (column < NB && i > j)
            block[trsv_at(i, j)] = T_neg(value);
        if (column < NB && i == j)
            diagonal[i] = value;
    }
}

/* Puts the diagonal block at row `start` into local memory, its diagonal as it is. */
DEVICE void trsv_take_diagonal(trsv_data d, i64 start, LOCAL_PTR T *block, LOCAL_PTR T *diagonal)
{
    ROLLED
    for (i32 row = ITEM_X % ALONG; row < NB; row += ALONG) {
        ROLLED
        for (i32 first = ITEM_X / ALONG; first < NB; first += ASIDE * AT_ONCE)
            trsv_take_row(d, start, row, first, block, diagonal);
    }
}

/* Makes reciprocals of the diagonal, behind a barrier and before another. */
DEVICE void trsv_invert(LOCAL_PTR T *diagonal)
{
    ROLLED
    for (i32 i = ITEM_X; i < NB; i += ITEMS)
        diagonal[i] = T_reciprocal(diagonal[i]);
}

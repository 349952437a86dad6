/* cpu_triangle.h: triangular matrices cut in halves: what products and solves share on the cpu.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A triangle is two triangles of half its size and a square block between them. So a routine does
 * its halves by itself, in the order that its data flow asks for, and the block with the loops of
 * gemv, which has threads for large ones. Every element is read once; blocks of all sizes are read
 * along columns. Triangles of at most LEAF rows are done in place, on a copy of their piece of x.
 */
#ifndef GBL_CPU_TRIANGLE_H
#define GBL_CPU_TRIANGLE_H

#include "cpu/cpu_columns.h"

#define LEAF (TAILED ? 64 : 32)

typedef struct triangle {
    bool upper, transposed, conj, unit;
    stored_columns A;
    T *x; /* element 0, also where the stride is negative */
    int64_t incx;
} triangle;

static inline triangle triangle_of(const gbl_matrix_args *call)
{
    return (triangle){.upper = call->uplo == GABLE_UPPER,
                      .transposed = call->trans != GABLE_NO_TRANS,
                      .conj = COMPLEX && call->trans == GABLE_CONJ_TRANS,
                      .unit = call->diag == GABLE_UNIT,
                      .A = columns_of(call),
                      .x = (T *)call->x - low_end(call->n, call->incx),
                      .incx = call->incx};
}

/* Rows of the first half of n, a multiple of LEAF. */
static inline int64_t first_half(int64_t n)
{
    return (n / 2 + LEAF - 1) / LEAF * LEAF;
}

/* The low end of elements [first, first + count) of x, where BLAS points. */
static inline T *piece_of_x(const triangle *t, int64_t first, int64_t count)
{
    return t->x + first * t->incx + low_end(count, t->incx);
}

/* Element (i, j) of op(A) lies at row i, column j of A, or the other way round; here for columns
 * [first, first + count) of the stored triangle: the diagonal element of one of them,
 * conjugated. */
static inline T stored(const triangle *t, int64_t row, int64_t column)
{
    T a = column_at(&t->A, column)[row];
#if COMPLEX
    a.im = t->conj ? -a.im : a.im;
#endif
    return a;
}

/* The same, or one on a unit diagonal, which is not read. */
static inline T entry(const triangle *t, int64_t row, int64_t column)
{
    const gbl_scalar one = {.re = 1};
    return t->unit && row == column ? read_scalar(&one) : stored(t, row, column);
}

/* The block between the halves [first, middle) and [middle, end): elements of one half of x get
 * `sign` times its product with the other. The second half gets, where op(A) is lower
 * triangular. */
static inline gable_status add_block(const triangle *t, int64_t first, int64_t middle, int64_t end,
                                     double sign, gbl_message *message)
{
    const int64_t one = middle - first, two = end - middle;
    const bool second_gets = t->upper == t->transposed;
    const int64_t row = t->upper ? first : middle, column = t->upper ? middle : first;
    T *const x_one = piece_of_x(t, first, one), *const x_two = piece_of_x(t, middle, two);
    const gbl_matrix_args block = {.dtype = DTYPE,
                                   .trans = t->conj         ? GABLE_CONJ_TRANS
                                            : t->transposed ? GABLE_TRANS
                                                            : GABLE_NO_TRANS,
                                   .m = t->upper ? one : two,
                                   .n = t->upper ? two : one,
                                   .alpha = {.re = sign},
                                   .beta = {.re = 1},
                                   .A = (T *)(uintptr_t)(column_at(&t->A, column) + row),
                                   .lda = t->A.apart,
                                   .x = second_gets ? x_one : x_two,
                                   .incx = t->incx,
                                   .y = second_gets ? x_two : x_one,
                                   .incy = t->incx};
    return PRIVATE(gemv_omp)(NULL, NULL, &block, message);
}

#endif

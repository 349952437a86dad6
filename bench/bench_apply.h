/* bench_apply.h: matrices, exchanges and reflectors applied to vectors, for checks.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Vectors are elements one behind the other; sums are in double.
 */
#ifndef BENCH_APPLY_H
#define BENCH_APPLY_H

#include "bench_reference.h"

/* A matrix as it was given, whose data repeat, or as it was found. */
typedef struct bench_view {
    const void *data;
    gbl_dtype dtype;
    int64_t start, ld;
    int64_t period; /* 0: the data do not repeat */
    bool ones;      /* on the diagonal, whatever the data are */
} bench_view;

/* A part of a matrix that is multiplied with. */
typedef struct bench_part {
    const bench_view *in;
    int64_t rows, columns;
    gable_uplo part;
    bool unit;
} bench_part;

void bench_clear(bench_element *x, int64_t length);
void bench_copy(bench_element *to, const bench_element *from, int64_t length);
/* 1-norms. */
double bench_vector_norm(const bench_element *x, int64_t length);
double bench_vector_distance(const bench_element *a, const bench_element *b, int64_t length);

bench_part bench_whole(const bench_view *in, int64_t rows, int64_t columns);
/* y := op(F) x */
void bench_multiply(const bench_part *f, gable_trans trans, const bench_element *x,
                    bench_element *y);
/* x := op(F)^-1 x, F triangular. */
void bench_solve(const bench_part *f, gable_trans trans, bench_element *x);
/* y := A x, A Hermitian and one triangle of it stored. */
void bench_multiply_hermitian(const bench_part *f, const bench_element *x, bench_element *y);
/* The largest sum of moduli of a column of op(F), of a Hermitian matrix too; NaN: no host
 * memory. */
double bench_norm1(const bench_part *f, gable_trans trans, bool hermitian);

/* x with its rows exchanged as pivots say, or put back. */
void bench_exchange(const int64_t *pivots, int64_t count, bool back, bench_element *x);
/* x := Q x or Q^H x, x of as many elements as a reflector has. Their vectors are columns, and Q is
 * H_1 ... H_k, or rows, and Q is H_k^H ... H_1^H. */
void bench_reflect(const bench_view *vectors, bool rows, const void *factors, int64_t length,
                   int64_t count, bool adjoint, bench_element *x);
/* The same with vectors that end on the diagonal of a square: Q is H_k ... H_1. */
void bench_reflect_above(const bench_view *vectors, const void *factors, int64_t count,
                         bool adjoint, bench_element *x);

#endif

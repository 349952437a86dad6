/* qr_data.h: Householder reflectors as tests compute them, and the ratios of QR factorizations.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Plain loops in doubles over numbers (number.h), column by column without gaps. F is what a QR
 * factorization leaves: R, and below its diagonal the vectors of reflectors.
 */
#ifndef TEST_QR_DATA_H
#define TEST_QR_DATA_H

#include "harness/lapack_data.h"

/* Permuted triangles of integers, whose reflectors exchange rows: every number of their
 * factorization is an integer. Then random; rank 5; rows and columns that get smaller and smaller;
 * columns of zeros; triangles, where nothing is below the diagonal; zeros; the identity. */
typedef enum qr_kind {
    QR_EXACT,
    QR_RANDOM,
    QR_RANK,
    QR_GRADED,
    QR_ZERO_COLUMNS,
    QR_TRIANGLE,
    QR_ZERO,
    QR_IDENTITY,
    QR_KINDS
} qr_kind;
void qr_matrix(gbl_dtype dtype, qr_kind kind, int64_t m, int64_t n, uint64_t seed, number *A);

/* A becomes F: column by column, with LAPACK's signs. tau has min(m, n) elements. */
void qr_reference(int64_t m, int64_t n, number *A, number *tau);

/* C := Q C or Q^H C: C has m rows, Q k reflectors from F, whose columns are m long. */
void qr_apply(int64_t m, int64_t n, int64_t k, const number *F, const number *tau, bool adjoint,
              number *C);

/* The upper triangle T of the first k reflectors: H_1 ... H_k = I - V T V^H. */
void qr_triangle(int64_t m, int64_t k, const number *F, const number *tau, number *t);

/* norm(A - Q R) / (m norm(A) u) */
double qr_residual_ratio(gbl_dtype dtype, int64_t m, int64_t n, const number *A, const number *F,
                         const number *tau);
/* norm(I - Q^H Q) / (m u), Q m by n */
double qr_orthogonality_ratio(gbl_dtype dtype, int64_t m, int64_t n, const number *Q);
/* norm(A - B) */
double qr_distance(int64_t m, int64_t n, const number *A, const number *B);

/* B := A^H, which is m by n. */
void qr_turn(int64_t m, int64_t n, const number *A, number *B);

#endif

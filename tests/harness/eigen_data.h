/* eigen_data.h: symmetric and Hermitian matrices for tests of eigenvalues, and their ratios.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Numbers (number.h), n by n, column by column without gaps; sums in doubles. Ratios are those of
 * LAPACK's own tests: norms over n norm(A) 2 u and over n 2 u.
 */
#ifndef TEST_EIGEN_DATA_H
#define TEST_EIGEN_DATA_H

#include "harness/lapack_data.h"

/* A diagonal of integers; random; 2 beside ones, of which nothing deflates; Wilkinson's matrices of
 * order 7, glued together; all values equal; smaller and smaller; rank 1; zeros. */
typedef enum eigen_kind {
    EIGEN_EXACT,
    EIGEN_RANDOM,
    EIGEN_TOEPLITZ,
    EIGEN_WILKINSON,
    EIGEN_EQUAL,
    EIGEN_GRADED,
    EIGEN_RANK_ONE,
    EIGEN_ZERO,
    EIGEN_KINDS
} eigen_kind;

void eigen_matrix(gbl_dtype dtype, eigen_kind kind, bool tridiagonal, int64_t n, uint64_t seed,
                  number *A);
/* A factor whose inverse is as small as itself: a triangle, powers of two where kind is
 * EIGEN_EXACT. And its square, L L^H or U^H U. */
void eigen_factor(gbl_dtype dtype, eigen_kind kind, gable_uplo uplo, int64_t n, uint64_t seed,
                  number *F);

/* A := Q A Q^H */
void eigen_similar(int64_t n, const number *Q, number *A);

/* norm(X Z - Y Z W) / (norm(X) n 2 u), Z n by m; Y NULL: the identity. */
double eigen_residual(gbl_dtype dtype, int64_t n, int64_t m, const number *X, const number *Y,
                      const number *Z, const double *w);
/* norm(Z^H Y Z - I) / (n 2 u) */
double eigen_orthogonality(gbl_dtype dtype, int64_t n, int64_t m, const number *Y, const number *Z);
/* norm(A - B) / (norm(A) n 2 u) */
double eigen_distance(gbl_dtype dtype, int64_t n, const number *A, const number *B);
/* How far the farthest of n ascending values is from where Sturm counts of the real tridiagonal
 * part of A have it, over n norm 2 u: 0 if closer than the counts can tell. */
double eigen_sturm(gbl_dtype dtype, int64_t n, const number *A, const double *w);

#endif

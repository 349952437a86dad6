/* lapack_data.h: matrices and ratios for tests of LAPACK's routines.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Matrices are made and judged as numbers (number.h), column by column without gaps; they go to the
 * device through a guarded matrix (dense_data.h). Ratios are those of LAPACK's own tests, with u
 * for its EPS: a norm of a residual over n norm(A) u. Residuals are computed in doubles: what this
 * adds to a ratio is below 1. LAPACK's limit is 30. Right code gives 0.01 to 1, so these tests fail
 * from LAPACK_LIMIT on; a routine that needs more says why.
 */
#ifndef TEST_LAPACK_DATA_H
#define TEST_LAPACK_DATA_H

#include "harness/dense_data.h"
#include "harness/number.h"

#define LAPACK_LIMIT 3.0
/* Ratios of solves are not divided by n, and grow with its root: LAPACK accepts 30. */
#define LAPACK_SOLVE_LIMIT 10.0

/* An m by n matrix of zeros; a test frees it. NULL: no memory, which is counted as a failure. */
number *lapack_matrix(int64_t m, int64_t n);

/* Symmetric (Hermitian) positive definite matrices: integer factors, whose factorization is exact;
 * a diagonal; spectra between 1 and 1 / cond behind two reflections: spaced evenly, geometrically,
 * or all but one at the small end. cond is as large as leaves a rounded matrix definite. */
typedef enum definite_kind {
    DEFINITE_INTEGER,
    DEFINITE_DIAGONAL,
    DEFINITE_EVEN,
    DEFINITE_GEOMETRIC,
    DEFINITE_CLUSTERED,
    DEFINITE_KINDS
} definite_kind;
/* The whole matrix, as elements of a precision hold it. L receives the factor of DEFINITE_INTEGER,
 * and may be NULL. */
void lapack_definite(gbl_dtype dtype, definite_kind kind, int64_t n, uint64_t seed, number *A,
                     number *L);

/* The largest sum of moduli of a column; that of A - B, which takes the place of A. */
double lapack_norm1(int64_t m, int64_t n, const number *A);
double lapack_difference(int64_t m, int64_t n, number *A, const number *B);

/* C := op(A) B, A n by n. */
void lapack_multiply(gable_trans trans, int64_t n, int64_t columns, const number *A,
                     const number *B, number *C);

/* The other triangle of a Hermitian matrix. */
void lapack_complete(gable_uplo uplo, int64_t n, number *A);
/* L L^H or U^H U of a triangle with zeros beside it; swapped: L^H L or U U^H. */
void lapack_square(gable_uplo uplo, bool swapped, int64_t n, const number *F, number *A);

/* norm(L L^H - A) / (n norm(A) u), as far as the first so many columns of L decide. */
double lapack_cholesky_ratio(gbl_dtype dtype, int64_t n, int64_t columns, const number *A,
                             const number *L);

/* Puts a triangle (GABLE_GENERAL: all) of a matrix into a guarded one, times 2^scale, and takes
 * what was fetched back, times 2^-scale. What is not taken stays. */
void lapack_put(gbl_dtype dtype, const dense *d, gable_uplo part, const number *A, int scale);
void lapack_get(gbl_dtype dtype, const dense *d, gable_uplo part, number *A, int scale);
/* After a fetch: what lies outside of the triangle is as it was, and so is what surrounds the
 * matrix. */
bool lapack_untouched(const dense *d, gable_uplo part, const char *name);

/* Whether (i, j) belongs to a part. */
static inline bool lapack_in(gable_uplo part, int64_t i, int64_t j)
{
    return part == GABLE_GENERAL || (part == GABLE_UPPER ? i <= j : i >= j);
}

/* Exponents that bring the matrices above near overflow (1) and underflow (-1): even, so that roots
 * are exact, too. */
int lapack_far_scale(gbl_dtype dtype, int which);

#endif

/* singular_data.h: matrices with known singular values, and the ratios of singular value
 * decompositions.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Plain loops in doubles over numbers (number.h), column by column without gaps. Ratios are
 * LAPACK's, with ulp = 2 u.
 */
#ifndef TEST_SINGULAR_DATA_H
#define TEST_SINGULAR_DATA_H

#include "harness/qr_data.h"

/* A few powers of two in other rows and columns, whose decomposition is exact. Then random; zeros;
 * the identity; values between 1 and ulp behind reflections, with signs: spaced evenly,
 * geometrically, all but one at the small end; rank 1; all values 1; rows and columns that get
 * smaller and smaller. */
typedef enum singular_kind {
    SINGULAR_EXACT,
    SINGULAR_RANDOM,
    SINGULAR_ZERO,
    SINGULAR_IDENTITY,
    SINGULAR_EVEN,
    SINGULAR_GEOMETRIC,
    SINGULAR_CLUSTERED,
    SINGULAR_RANK_1,
    SINGULAR_EQUAL,
    SINGULAR_GRADED,
    SINGULAR_KINDS
} singular_kind;
void singular_matrix(gbl_dtype dtype, singular_kind kind, int64_t m, int64_t n, uint64_t seed,
                     number *A);

/* Descending and not negative; a NaN is neither. */
bool singular_descending(int64_t k, const double *s);

/* norm(A - U S V^H) / (max(m, n) norm(A) ulp): the first k columns of U, k rows of Vt, which are
 * ldu and ldvt apart. */
double singular_residual(gbl_dtype dtype, int64_t m, int64_t n, const number *A, int64_t k,
                         const number *U, int64_t ldu, const double *s, const number *Vt,
                         int64_t ldvt);
/* The same where U alone is known: W = U^H A is S V^H, so that W W^H is S^2:
 * norm(W W^H - S^2) / (max(m, n) norm(A)^2 ulp). */
double singular_one_side(gbl_dtype dtype, int64_t m, int64_t n, const number *A, int64_t k,
                         const number *U, int64_t ldu, const double *s);
/* norm(I - U^H U) / (m ulp), U m by n. */
double singular_orthogonality(gbl_dtype dtype, int64_t m, int64_t n, const number *U);
/* Whether s_i are the values of a bidiagonal matrix, each to `relative` of itself and `absolute`:
 * by Sturm's counts in doubles. The first that is not, or n. */
int64_t singular_counted(int64_t n, const double *d, const double *e, const double *s,
                         double relative, double absolute);
/* max |s_i - t_i| / (max s ulp) */
double singular_distance(gbl_dtype dtype, int64_t k, const double *s, const double *t);

/* The largest difference of columns, whose signs (phases) may differ, over m ulp. */
double singular_columns_apart(gbl_dtype dtype, int64_t m, int64_t n, const number *X,
                              const number *Y);

#endif

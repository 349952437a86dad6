/* typed_names.c: Gable's routines under LAPACK's Fortran names, with 32-bit integers: Cholesky,
 * triangles, LU.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled once per precision. LAPACK leaves the right-hand sides of a singular system as they
 * were, and a singular triangle, too: so what Gable left of them is not copied back.
 */
#include "typed_names.h"

/* ---- Cholesky ---- */

/* spotrf_ dpotrf_ cpotrf_ zpotrf_ */
NAMED(potrf, const char *uplo, const int *n, T *A, const int *lda, int *info)
{
    int64_t outcome = 0;
    *info = names_uplo(uplo) == 0 ? -1 : *n < 0 ? -2 : *lda < names_ld(*n) ? -4 : 0;
    if (*info != 0)
        return;
    T *const copy = MATRIX_IN(A, *n, *n, *lda);
    MAKE(potrf, (gable_uplo)names_uplo(uplo), *n, copy, names_ld(*n), &outcome);
    MATRIX_OUT(copy, A, *n, *n, *lda);
    *info = (int)outcome;
}

/* spotrs_ dpotrs_ cpotrs_ zpotrs_ */
NAMED(potrs, const char *uplo, const int *n, const int *nrhs, T *A, const int *lda, T *B,
      const int *ldb, int *info)
{
    *info = names_uplo(uplo) == 0 ? -1
            : *n < 0              ? -2
            : *nrhs < 0           ? -3
            : *lda < names_ld(*n) ? -5
            : *ldb < names_ld(*n) ? -7
                                  : 0;
    if (*info != 0)
        return;
    T *const factor = MATRIX_IN(A, *n, *n, *lda), *const sides = MATRIX_IN(B, *n, *nrhs, *ldb);
    MAKE(potrs, (gable_uplo)names_uplo(uplo), *n, *nrhs, factor, names_ld(*n), sides, names_ld(*n));
    MATRIX_OUT(factor, A, *n, *n, *lda);
    MATRIX_OUT(sides, B, *n, *nrhs, *ldb);
}

/* spotri_ dpotri_ cpotri_ zpotri_ */
NAMED(potri, const char *uplo, const int *n, T *A, const int *lda, int *info)
{
    int64_t outcome = 0;
    *info = names_uplo(uplo) == 0 ? -1 : *n < 0 ? -2 : *lda < names_ld(*n) ? -4 : 0;
    if (*info != 0)
        return;
    T *const copy = MATRIX_IN(A, *n, *n, *lda);
    MAKE(potri, (gable_uplo)names_uplo(uplo), *n, copy, names_ld(*n), &outcome);
    MATRIX_OUT(copy, A, *n, *n, *lda);
    *info = (int)outcome;
}

/* ---- Triangles ---- */

/* strtri_ dtrtri_ ctrtri_ ztrtri_ */
NAMED(trtri, const char *uplo, const char *diag, const int *n, T *A, const int *lda, int *info)
{
    int64_t outcome = 0;
    *info = names_uplo(uplo) == 0   ? -1
            : names_diag(diag) == 0 ? -2
            : *n < 0                ? -3
            : *lda < names_ld(*n)   ? -5
                                    : 0;
    if (*info != 0)
        return;
    T *const copy = MATRIX_IN(A, *n, *n, *lda);
    MAKE(trtri, (gable_uplo)names_uplo(uplo), (gable_diag)names_diag(diag), *n, copy, names_ld(*n),
         &outcome);
    MATRIX_OUT(copy, outcome == 0 ? A : NULL, *n, *n, *lda);
    *info = (int)outcome;
}

/* strtrs_ dtrtrs_ ctrtrs_ ztrtrs_ */
NAMED(trtrs, const char *uplo, const char *trans, const char *diag, const int *n, const int *nrhs,
      T *A, const int *lda, T *B, const int *ldb, int *info)
{
    int64_t outcome = 0;
    *info = names_uplo(uplo) == 0     ? -1
            : names_trans(trans) == 0 ? -2
            : names_diag(diag) == 0   ? -3
            : *n < 0                  ? -4
            : *nrhs < 0               ? -5
            : *lda < names_ld(*n)     ? -7
            : *ldb < names_ld(*n)     ? -9
                                      : 0;
    if (*info != 0)
        return;
    T *const triangle = MATRIX_IN(A, *n, *n, *lda), *const sides = MATRIX_IN(B, *n, *nrhs, *ldb);
    MAKE(trtrs, (gable_uplo)names_uplo(uplo), (gable_trans)names_trans(trans),
         (gable_diag)names_diag(diag), *n, *nrhs, triangle, names_ld(*n), sides, names_ld(*n),
         &outcome);
    MATRIX_OUT(triangle, A, *n, *n, *lda);
    MATRIX_OUT(sides, outcome == 0 ? B : NULL, *n, *nrhs, *ldb);
    *info = (int)outcome;
}

/* ---- LU ---- */

/* sgetrf_ dgetrf_ cgetrf_ zgetrf_ */
NAMED(getrf, const int *m, const int *n, T *A, const int *lda, int *ipiv, int *info)
{
    int64_t outcome = 0;
    *info = *m < 0 ? -1 : *n < 0 ? -2 : *lda < names_ld(*m) ? -4 : 0;
    if (*info != 0)
        return;
    T *const copy = MATRIX_IN(A, *m, *n, *lda);
    int64_t *const pivots = names_pivots_in(NULL, lesser(*m, *n));
    MAKE(getrf, *m, *n, copy, names_ld(*m), pivots, &outcome);
    MATRIX_OUT(copy, A, *m, *n, *lda);
    names_pivots_out(pivots, ipiv, lesser(*m, *n));
    *info = (int)outcome;
}

/* sgetrs_ dgetrs_ cgetrs_ zgetrs_ */
NAMED(getrs, const char *trans, const int *n, const int *nrhs, T *A, const int *lda,
      const int *ipiv, T *B, const int *ldb, int *info)
{
    *info = names_trans(trans) == 0 ? -1
            : *n < 0                ? -2
            : *nrhs < 0             ? -3
            : *lda < names_ld(*n)   ? -5
            : *ldb < names_ld(*n)   ? -8
                                    : 0;
    if (*info != 0)
        return;
    T *const factors = MATRIX_IN(A, *n, *n, *lda), *const sides = MATRIX_IN(B, *n, *nrhs, *ldb);
    int64_t *const pivots = names_pivots_in(ipiv, *n);
    MAKE(getrs, (gable_trans)names_trans(trans), *n, *nrhs, factors, names_ld(*n), pivots, sides,
         names_ld(*n));
    MATRIX_OUT(factors, A, *n, *n, *lda);
    MATRIX_OUT(sides, B, *n, *nrhs, *ldb);
    names_pivots_out(pivots, NULL, *n);
}

/* sgesv_ dgesv_ cgesv_ zgesv_ */
NAMED(gesv, const int *n, const int *nrhs, T *A, const int *lda, int *ipiv, T *B, const int *ldb,
      int *info)
{
    int64_t outcome = 0;
    *info = *n < 0 ? -1 : *nrhs < 0 ? -2 : *lda < names_ld(*n) ? -4 : *ldb < names_ld(*n) ? -7 : 0;
    if (*info != 0)
        return;
    T *const factors = MATRIX_IN(A, *n, *n, *lda), *const sides = MATRIX_IN(B, *n, *nrhs, *ldb);
    int64_t *const pivots = names_pivots_in(NULL, *n);
    MAKE(gesv, *n, *nrhs, factors, names_ld(*n), pivots, sides, names_ld(*n), &outcome);
    MATRIX_OUT(factors, A, *n, *n, *lda);
    MATRIX_OUT(sides, outcome == 0 ? B : NULL, *n, *nrhs, *ldb);
    names_pivots_out(pivots, ipiv, *n);
    *info = (int)outcome;
}

/* sgetri_ dgetri_ cgetri_ zgetri_ */
NAMED(getri, const int *n, T *A, const int *lda, const int *ipiv, T *work, const int *lwork,
      int *info)
{
    int64_t outcome = 0;
    *info = *n < 0                                       ? -1
            : *lda < names_ld(*n)                        ? -3
            : *lwork != -1 && *lwork < (int)names_ld(*n) ? -6
                                                         : 0;
    if (*info != 0 || answered(work, names_ld(*n), *lwork))
        return;
    T *const copy = MATRIX_IN(A, *n, *n, *lda);
    int64_t *const pivots = names_pivots_in(ipiv, *n);
    MAKE(getri, *n, copy, names_ld(*n), pivots, &outcome);
    MATRIX_OUT(copy, outcome == 0 ? A : NULL, *n, *n, *lda);
    names_pivots_out(pivots, NULL, *n);
    *info = (int)outcome;
}

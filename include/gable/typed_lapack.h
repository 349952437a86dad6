/* typed_lapack.h: LAPACK's routines: declared and documented once.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A part of typed.h, which includes it with its macros set. What is common to all routines stands
 * there. Arguments are those of LAPACK in its order, without work arrays. info is where the outcome
 * goes: in host memory (the call waits) or in device memory (it does not, and can be recorded). It
 * is written by every call that returns GABLE_OK. A wrong argument is a status; then nothing is
 * written, not even info.
 */

/* ---- Copies and fills ---- */

/* gable_slacpy gable_dlacpy gable_clacpy gable_zlacpy: B := A, both m by n: with GABLE_UPPER or
 * GABLE_LOWER that triangle with its diagonal, of which the longer side reaches to the edge; with
 * GABLE_GENERAL all of it. What is not copied is neither read nor written. B must not overlap A. */
GABLE_API gable_status GABLE_FN(lacpy)(gable_context *ctx, gable_uplo uplo, int64_t m, int64_t n,
                                       const GABLE_T *A, int64_t lda, GABLE_T *B, int64_t ldb);

/* gable_slaset gable_dlaset gable_claset gable_zlaset: the diagonal of A, m by n, becomes beta, and
 * what lies above it (GABLE_UPPER), below it (GABLE_LOWER) or both (GABLE_GENERAL) becomes alpha.
 * The rest is not written; nothing is read. */
GABLE_API gable_status GABLE_FN(laset)(gable_context *ctx, gable_uplo uplo, int64_t m, int64_t n,
                                       GABLE_T alpha, GABLE_T beta, GABLE_T *A, int64_t lda);
/* gable_slaset_dev gable_dlaset_dev gable_claset_dev gable_zlaset_dev: alpha and beta on the
 * device */
GABLE_API gable_status GABLE_FN(laset_dev)(gable_context *ctx, gable_uplo uplo, int64_t m,
                                           int64_t n, const GABLE_T *alpha, const GABLE_T *beta,
                                           GABLE_T *A, int64_t lda);

/* ---- Cholesky ---- */

/* gable_spotrf gable_dpotrf gable_cpotrf gable_zpotrf: factors the symmetric (c, z: Hermitian)
 * positive definite n by n matrix A, of which the triangle that uplo names is stored: A = L L^H
 * (GABLE_LOWER) or U^H U (GABLE_UPPER). The factor takes the place of that triangle; the other one
 * is neither read nor written, nor are imaginary parts of the diagonal read. *info is 0, or the
 * order of the first leading minor that is not positive, which NaN is not either: then the columns
 * of L (rows of U) before it are those of the factor, and the rest of the triangle is not
 * defined. */
GABLE_API gable_status GABLE_FN(potrf)(gable_context *ctx, gable_uplo uplo, int64_t n, GABLE_T *A,
                                       int64_t lda, int64_t *info);

/* ---- LU ---- */

/* gable_slaswp gable_dlaswp gable_claswp gable_zlaswp: exchanges row i of A with row ipiv(i), for
 * i = k1 ... k2 in this order, or from k2 down to k1 where incx < 0. Rows and ipiv are counted from
 * 1; the number for row i is element k1 + (i - k1) |incx| of ipiv, which is device memory. All n
 * columns are exchanged. Rows that ipiv names must exist. Where k2 < k1 or incx = 0 nothing is
 * done. */
GABLE_API gable_status GABLE_FN(laswp)(gable_context *ctx, int64_t n, GABLE_T *A, int64_t lda,
                                       int64_t k1, int64_t k2, const int64_t *ipiv, int64_t incx);

/* gable_sgetrf gable_dgetrf gable_cgetrf gable_zgetrf: A = P L U with partial pivoting, A m by n: L
 * is lower triangular with ones on its diagonal, which are not stored, U upper triangular; both
 * take the place of A. ipiv, device memory of min(m, n) numbers, receives which row each row was
 * exchanged with: laswp with k1 = 1, k2 = min(m, n), incx = 1 turns A into L U. The pivot of a
 * column is its first element with the largest |Re| + |Im|; a NaN is one only where it stands on
 * the diagonal. *info is 0, or the first i with U(i, i) = 0, counted from 1: the factorization is
 * complete, but U is singular. */
GABLE_API gable_status GABLE_FN(getrf)(gable_context *ctx, int64_t m, int64_t n, GABLE_T *A,
                                       int64_t lda, int64_t *ipiv, int64_t *info);

/* gable_sgetrs gable_dgetrs gable_cgetrs gable_zgetrs: solves op(A) X = B for nrhs right-hand
 * sides; A and ipiv are what getrf left of an n by n matrix. X takes the place of B. */
GABLE_API gable_status GABLE_FN(getrs)(gable_context *ctx, gable_trans trans, int64_t n,
                                       int64_t nrhs, const GABLE_T *A, int64_t lda,
                                       const int64_t *ipiv, GABLE_T *B, int64_t ldb);

/* gable_sgesv gable_dgesv gable_cgesv gable_zgesv: solves A X = B: getrf, then getrs. A and ipiv
 * become what getrf leaves, X takes the place of B. *info is that of getrf; where it is not 0, B
 * holds no solution. */
GABLE_API gable_status GABLE_FN(gesv)(gable_context *ctx, int64_t n, int64_t nrhs, GABLE_T *A,
                                      int64_t lda, int64_t *ipiv, GABLE_T *B, int64_t ldb,
                                      int64_t *info);

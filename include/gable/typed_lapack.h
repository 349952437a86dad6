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

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

/* ---- QR ---- */

/* gable_sgeqrf gable_dgeqrf gable_cgeqrf gable_zgeqrf: A = Q R, A is m by n. R takes the place of
 * A's upper triangle, which is a trapezoid where m < n. Q = H_1 H_2 ... H_k, k = min(m, n), is kept
 * as reflectors H_i = I - tau_i v_i v_i^H: v_i has zeros above element i, which is 1, and what lies
 * below takes the place of A's column i. tau has k elements in device memory. Signs are LAPACK's:
 * R_ii is real, and its sign is not that of the element that the reflector met there. */
GABLE_API gable_status GABLE_FN(geqrf)(gable_context *ctx, int64_t m, int64_t n, GABLE_T *A,
                                       int64_t lda, GABLE_T *tau);

#if GABLE_COMPLEX
/* gable_cunmqr gable_zunmqr: C := op(Q) C (GABLE_LEFT) or C op(Q) (GABLE_RIGHT), C is m by n, Q is
 * the product of k reflectors as geqrf leaves them in A, of order m or n. op(Q) is Q or Q^H:
 * GABLE_TRANS is an argument error. A is not changed. */
GABLE_API gable_status GABLE_FN(unmqr)(gable_context *ctx, gable_side side, gable_trans trans,
                                       int64_t m, int64_t n, int64_t k, const GABLE_T *A,
                                       int64_t lda, const GABLE_T *tau, GABLE_T *C, int64_t ldc);
/* gable_cungqr gable_zungqr: A := the first n columns of Q, which is of order m and the product of
 * k reflectors as geqrf leaves them in the first k columns of A; m >= n >= k. */
GABLE_API gable_status GABLE_FN(ungqr)(gable_context *ctx, int64_t m, int64_t n, int64_t k,
                                       GABLE_T *A, int64_t lda, const GABLE_T *tau);
#else
/* gable_sormqr gable_dormqr: C := op(Q) C (GABLE_LEFT) or C op(Q) (GABLE_RIGHT), C is m by n, Q is
 * the product of k reflectors as geqrf leaves them in A, of order m or n. A is not changed. */
GABLE_API gable_status GABLE_FN(ormqr)(gable_context *ctx, gable_side side, gable_trans trans,
                                       int64_t m, int64_t n, int64_t k, const GABLE_T *A,
                                       int64_t lda, const GABLE_T *tau, GABLE_T *C, int64_t ldc);
/* gable_sorgqr gable_dorgqr: A := the first n columns of Q, which is of order m and the product of
 * k reflectors as geqrf leaves them in the first k columns of A; m >= n >= k. */
GABLE_API gable_status GABLE_FN(orgqr)(gable_context *ctx, int64_t m, int64_t n, int64_t k,
                                       GABLE_T *A, int64_t lda, const GABLE_T *tau);
#endif

/* ---- LQ ---- */

/* gable_sgelqf gable_dgelqf gable_cgelqf gable_zgelqf: A = L Q, A is m by n. L takes the place of
 * A's lower triangle, which is a trapezoid where m > n. Q = H_k^H ... H_2^H H_1^H, k = min(m, n),
 * H_i = I - tau_i v_i v_i^H: v_i has zeros before element i, which is 1, and the conjugates of what
 * lies behind take the place of A's row i. tau has k elements in device memory. Signs are LAPACK's.
 */
GABLE_API gable_status GABLE_FN(gelqf)(gable_context *ctx, int64_t m, int64_t n, GABLE_T *A,
                                       int64_t lda, GABLE_T *tau);

#if GABLE_COMPLEX
/* gable_cunmlq gable_zunmlq: as unmqr, with the k rows of reflectors that gelqf leaves in A */
GABLE_API gable_status GABLE_FN(unmlq)(gable_context *ctx, gable_side side, gable_trans trans,
                                       int64_t m, int64_t n, int64_t k, const GABLE_T *A,
                                       int64_t lda, const GABLE_T *tau, GABLE_T *C, int64_t ldc);
/* gable_cunglq gable_zunglq: A := the first m rows of Q, which is of order n and the product of k
 * reflectors as gelqf leaves them in the first k rows of A; n >= m >= k. */
GABLE_API gable_status GABLE_FN(unglq)(gable_context *ctx, int64_t m, int64_t n, int64_t k,
                                       GABLE_T *A, int64_t lda, const GABLE_T *tau);
#else
/* gable_sormlq gable_dormlq: as ormqr, with the k rows of reflectors that gelqf leaves in A */
GABLE_API gable_status GABLE_FN(ormlq)(gable_context *ctx, gable_side side, gable_trans trans,
                                       int64_t m, int64_t n, int64_t k, const GABLE_T *A,
                                       int64_t lda, const GABLE_T *tau, GABLE_T *C, int64_t ldc);
/* gable_sorglq gable_dorglq: A := the first m rows of Q, which is of order n and the product of k
 * reflectors as gelqf leaves them in the first k rows of A; n >= m >= k. */
GABLE_API gable_status GABLE_FN(orglq)(gable_context *ctx, int64_t m, int64_t n, int64_t k,
                                       GABLE_T *A, int64_t lda, const GABLE_T *tau);
#endif

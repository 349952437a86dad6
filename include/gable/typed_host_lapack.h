/* typed_host_lapack.h: routines of LAPACK on arrays in host memory: declared and documented once.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A part of typed.h, which includes it with its macros set. gable_host_dgetrf has the arguments of
 * gable_dgetrf (typed_lapack.h) and does the same. What differs:
 *
 * - All arrays are host memory, and so is info. On cpu all memory is host memory.
 * - The call returns when the results are there. It cannot be part of a recording.
 * - Arrays are copied to the device whole. Those that do not fit into half of its memory, or into
 *   $GABLE_HOST_MEMORY, are for the cpu; where it may not be used the call is refused.
 * - Where the context was opened without the name of a device, small calls run on cpu, and so do
 *   calls that the device fails. $GABLE_HOST says otherwise: "auto", or "device" for never.
 * - On failure no array is touched, nor info: results are made in a copy and delivered at the end.
 * - Where info is not 0, the right-hand sides of a solver and a matrix that has no inverse are left
 *   as they were. Of L potrf and posv write the columns that they found, of U the rows.
 * - Drivers of eigenvalues and singular values write nothing but info where that is not 0, and
 *   leave A as it was where it does not become vectors. Of w, Z and ifail syevx writes what it
 *   found.
 * - Only what the routine names is written: not the rows between m and the leading dimension, of
 *   symmetric and triangular matrices one triangle.
 */

/* ---- Cholesky ---- */

/* gable_host_spotrf gable_host_dpotrf gable_host_cpotrf gable_host_zpotrf: A = L L^H or U^H U */
GABLE_API gable_status GABLE_FN_HOST(potrf)(gable_context *ctx, gable_uplo uplo, int64_t n,
                                            GABLE_T *A, int64_t lda, int64_t *info);
/* gable_host_spotrs gable_host_dpotrs gable_host_cpotrs gable_host_zpotrs: A X = B with the factor
 * of A */
GABLE_API gable_status GABLE_FN_HOST(potrs)(gable_context *ctx, gable_uplo uplo, int64_t n,
                                            int64_t nrhs, const GABLE_T *A, int64_t lda, GABLE_T *B,
                                            int64_t ldb);
/* gable_host_sposv gable_host_dposv gable_host_cposv gable_host_zposv: factors A and solves
 * A X = B */
GABLE_API gable_status GABLE_FN_HOST(posv)(gable_context *ctx, gable_uplo uplo, int64_t n,
                                           int64_t nrhs, GABLE_T *A, int64_t lda, GABLE_T *B,
                                           int64_t ldb, int64_t *info);
/* gable_host_spotri gable_host_dpotri gable_host_cpotri gable_host_zpotri: A^-1 in place of the
 * factor of A */
GABLE_API gable_status GABLE_FN_HOST(potri)(gable_context *ctx, gable_uplo uplo, int64_t n,
                                            GABLE_T *A, int64_t lda, int64_t *info);

/* ---- Triangles ---- */

/* gable_host_strtrs gable_host_dtrtrs gable_host_ctrtrs gable_host_ztrtrs: op(A) X = B, A
 * triangular */
GABLE_API gable_status GABLE_FN_HOST(trtrs)(gable_context *ctx, gable_uplo uplo, gable_trans trans,
                                            gable_diag diag, int64_t n, int64_t nrhs,
                                            const GABLE_T *A, int64_t lda, GABLE_T *B, int64_t ldb,
                                            int64_t *info);
/* gable_host_strtri gable_host_dtrtri gable_host_ctrtri gable_host_ztrtri: A := A^-1, A
 * triangular */
GABLE_API gable_status GABLE_FN_HOST(trtri)(gable_context *ctx, gable_uplo uplo, gable_diag diag,
                                            int64_t n, GABLE_T *A, int64_t lda, int64_t *info);

/* ---- LU ---- */

/* gable_host_sgetrf gable_host_dgetrf gable_host_cgetrf gable_host_zgetrf: A = P L U; ipiv has
 * min(m, n) numbers */
GABLE_API gable_status GABLE_FN_HOST(getrf)(gable_context *ctx, int64_t m, int64_t n, GABLE_T *A,
                                            int64_t lda, int64_t *ipiv, int64_t *info);
/* gable_host_sgetrs gable_host_dgetrs gable_host_cgetrs gable_host_zgetrs: op(A) X = B with the
 * factors of A */
GABLE_API gable_status GABLE_FN_HOST(getrs)(gable_context *ctx, gable_trans trans, int64_t n,
                                            int64_t nrhs, const GABLE_T *A, int64_t lda,
                                            const int64_t *ipiv, GABLE_T *B, int64_t ldb);
/* gable_host_sgesv gable_host_dgesv gable_host_cgesv gable_host_zgesv: A X = B */
GABLE_API gable_status GABLE_FN_HOST(gesv)(gable_context *ctx, int64_t n, int64_t nrhs, GABLE_T *A,
                                           int64_t lda, int64_t *ipiv, GABLE_T *B, int64_t ldb,
                                           int64_t *info);
/* gable_host_sgetri gable_host_dgetri gable_host_cgetri gable_host_zgetri: A := A^-1 from the
 * factors of A */
GABLE_API gable_status GABLE_FN_HOST(getri)(gable_context *ctx, int64_t n, GABLE_T *A, int64_t lda,
                                            const int64_t *ipiv, int64_t *info);

/* ---- QR, LQ, least squares ---- */

/* gable_host_sgeqrf gable_host_dgeqrf gable_host_cgeqrf gable_host_zgeqrf: A = Q R; tau has
 * min(m, n) numbers */
GABLE_API gable_status GABLE_FN_HOST(geqrf)(gable_context *ctx, int64_t m, int64_t n, GABLE_T *A,
                                            int64_t lda, GABLE_T *tau);
/* gable_host_sgelqf gable_host_dgelqf gable_host_cgelqf gable_host_zgelqf: A = L Q; tau has
 * min(m, n) numbers */
GABLE_API gable_status GABLE_FN_HOST(gelqf)(gable_context *ctx, int64_t m, int64_t n, GABLE_T *A,
                                            int64_t lda, GABLE_T *tau);
/* gable_host_sgels gable_host_dgels gable_host_cgels gable_host_zgels: least squares, or the
 * solution of least norm, of op(A) X = B; B has max(m, n) rows */
GABLE_API gable_status GABLE_FN_HOST(gels)(gable_context *ctx, gable_trans trans, int64_t m,
                                           int64_t n, int64_t nrhs, GABLE_T *A, int64_t lda,
                                           GABLE_T *B, int64_t ldb, int64_t *info);
#if GABLE_COMPLEX
/* gable_host_cungqr gable_host_zungqr: columns of Q take the place of the k reflectors of geqrf */
GABLE_API gable_status GABLE_FN_HOST(ungqr)(gable_context *ctx, int64_t m, int64_t n, int64_t k,
                                            GABLE_T *A, int64_t lda, const GABLE_T *tau);
/* gable_host_cunmqr gable_host_zunmqr: C := op(Q) C or C op(Q), with the reflectors of geqrf */
GABLE_API gable_status GABLE_FN_HOST(unmqr)(gable_context *ctx, gable_side side, gable_trans trans,
                                            int64_t m, int64_t n, int64_t k, const GABLE_T *A,
                                            int64_t lda, const GABLE_T *tau, GABLE_T *C,
                                            int64_t ldc);
/* gable_host_cunglq gable_host_zunglq: rows of Q take the place of the k reflectors of gelqf */
GABLE_API gable_status GABLE_FN_HOST(unglq)(gable_context *ctx, int64_t m, int64_t n, int64_t k,
                                            GABLE_T *A, int64_t lda, const GABLE_T *tau);
/* gable_host_cunmlq gable_host_zunmlq: C := op(Q) C or C op(Q), with the reflectors of gelqf */
GABLE_API gable_status GABLE_FN_HOST(unmlq)(gable_context *ctx, gable_side side, gable_trans trans,
                                            int64_t m, int64_t n, int64_t k, const GABLE_T *A,
                                            int64_t lda, const GABLE_T *tau, GABLE_T *C,
                                            int64_t ldc);
#else
/* gable_host_sorgqr gable_host_dorgqr: columns of Q take the place of the k reflectors of geqrf */
GABLE_API gable_status GABLE_FN_HOST(orgqr)(gable_context *ctx, int64_t m, int64_t n, int64_t k,
                                            GABLE_T *A, int64_t lda, const GABLE_T *tau);
/* gable_host_sormqr gable_host_dormqr: C := op(Q) C or C op(Q), with the reflectors of geqrf */
GABLE_API gable_status GABLE_FN_HOST(ormqr)(gable_context *ctx, gable_side side, gable_trans trans,
                                            int64_t m, int64_t n, int64_t k, const GABLE_T *A,
                                            int64_t lda, const GABLE_T *tau, GABLE_T *C,
                                            int64_t ldc);
/* gable_host_sorglq gable_host_dorglq: rows of Q take the place of the k reflectors of gelqf */
GABLE_API gable_status GABLE_FN_HOST(orglq)(gable_context *ctx, int64_t m, int64_t n, int64_t k,
                                            GABLE_T *A, int64_t lda, const GABLE_T *tau);
/* gable_host_sormlq gable_host_dormlq: C := op(Q) C or C op(Q), with the reflectors of gelqf */
GABLE_API gable_status GABLE_FN_HOST(ormlq)(gable_context *ctx, gable_side side, gable_trans trans,
                                            int64_t m, int64_t n, int64_t k, const GABLE_T *A,
                                            int64_t lda, const GABLE_T *tau, GABLE_T *C,
                                            int64_t ldc);
#endif

/* ---- Eigenvalues, singular values ---- */

#if GABLE_COMPLEX
/* gable_host_cheevd gable_host_zheevd: all eigenvalues of a Hermitian matrix, and with
 * GABLE_VECTORS their vectors in A */
GABLE_API gable_status GABLE_FN_HOST(heevd)(gable_context *ctx, gable_job jobz, gable_uplo uplo,
                                            int64_t n, GABLE_T *A, int64_t lda, GABLE_R *w,
                                            int64_t *info);
/* gable_host_chegvd gable_host_zhegvd: those of A x = w B x (itype 1), A B x = w x (2) or
 * B A x = w x (3); B becomes its Cholesky factor */
GABLE_API gable_status GABLE_FN_HOST(hegvd)(gable_context *ctx, int64_t itype, gable_job jobz,
                                            gable_uplo uplo, int64_t n, GABLE_T *A, int64_t lda,
                                            GABLE_T *B, int64_t ldb, GABLE_R *w, int64_t *info);
/* gable_host_cheevx gable_host_zheevx: some eigenvalues, and vectors in Z */
GABLE_API gable_status GABLE_FN_HOST(heevx)(gable_context *ctx, gable_job jobz, gable_range range,
                                            gable_uplo uplo, int64_t n, GABLE_T *A, int64_t lda,
                                            GABLE_R vl, GABLE_R vu, int64_t il, int64_t iu,
                                            GABLE_R abstol, int64_t *m, GABLE_R *w, GABLE_T *Z,
                                            int64_t ldz, int64_t *ifail, int64_t *info);
#else
/* gable_host_ssyevd gable_host_dsyevd: all eigenvalues of a symmetric matrix, and with
 * GABLE_VECTORS their vectors in A */
GABLE_API gable_status GABLE_FN_HOST(syevd)(gable_context *ctx, gable_job jobz, gable_uplo uplo,
                                            int64_t n, GABLE_T *A, int64_t lda, GABLE_R *w,
                                            int64_t *info);
/* gable_host_ssygvd gable_host_dsygvd: those of A x = w B x (itype 1), A B x = w x (2) or
 * B A x = w x (3); B becomes its Cholesky factor */
GABLE_API gable_status GABLE_FN_HOST(sygvd)(gable_context *ctx, int64_t itype, gable_job jobz,
                                            gable_uplo uplo, int64_t n, GABLE_T *A, int64_t lda,
                                            GABLE_T *B, int64_t ldb, GABLE_R *w, int64_t *info);
/* gable_host_ssyevx gable_host_dsyevx: some eigenvalues, and vectors in Z */
GABLE_API gable_status GABLE_FN_HOST(syevx)(gable_context *ctx, gable_job jobz, gable_range range,
                                            gable_uplo uplo, int64_t n, GABLE_T *A, int64_t lda,
                                            GABLE_R vl, GABLE_R vu, int64_t il, int64_t iu,
                                            GABLE_R abstol, int64_t *m, GABLE_R *w, GABLE_T *Z,
                                            int64_t ldz, int64_t *ifail, int64_t *info);
#endif
/* gable_host_sgesdd gable_host_dgesdd gable_host_cgesdd gable_host_zgesdd: A = U S V^H */
GABLE_API gable_status GABLE_FN_HOST(gesdd)(gable_context *ctx, gable_job jobz, int64_t m,
                                            int64_t n, GABLE_T *A, int64_t lda, GABLE_R *s,
                                            GABLE_T *U, int64_t ldu, GABLE_T *Vt, int64_t ldvt,
                                            int64_t *info);
/* gable_host_sgesvd gable_host_dgesvd gable_host_cgesvd gable_host_zgesvd: the same, U and Vt asked
 * for one by one */
GABLE_API gable_status GABLE_FN_HOST(gesvd)(gable_context *ctx, gable_job jobu, gable_job jobvt,
                                            int64_t m, int64_t n, GABLE_T *A, int64_t lda,
                                            GABLE_R *s, GABLE_T *U, int64_t ldu, GABLE_T *Vt,
                                            int64_t ldvt, int64_t *info);

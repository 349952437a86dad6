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

/* gable_slascl gable_dlascl gable_clascl gable_zlascl: A := (cto / cfrom) A, A m by n: one triangle
 * with its diagonal or all of it, as lacpy. The quotient need not be in range if the result is.
 * cfrom must not be 0, and neither may be NaN. */
GABLE_API gable_status GABLE_FN(lascl)(gable_context *ctx, gable_uplo uplo, GABLE_R cfrom,
                                       GABLE_R cto, int64_t m, int64_t n, GABLE_T *A, int64_t lda);
/* gable_slascl_dev gable_dlascl_dev gable_clascl_dev gable_zlascl_dev: cfrom and cto on the device;
 * what they hold is not checked */
GABLE_API gable_status GABLE_FN(lascl_dev)(gable_context *ctx, gable_uplo uplo,
                                           const GABLE_R *cfrom, const GABLE_R *cto, int64_t m,
                                           int64_t n, GABLE_T *A, int64_t lda);

/* ---- Norms ---- */

/* gable_slange gable_dlange gable_clange gable_zlange: *result, in device or host memory, becomes a
 * norm of A, m by n: its largest modulus (GABLE_MAX_NORM), its largest sum of moduli of a column
 * (GABLE_ONE_NORM) or of a row (GABLE_INF_NORM), or the root of the sum of all squares
 * (GABLE_FROBENIUS_NORM), which neither overflows nor underflows on the way. It is NaN if an
 * element of A is, and 0 where m or n is 0. */
GABLE_API gable_status GABLE_FN(lange)(gable_context *ctx, gable_norm norm, int64_t m, int64_t n,
                                       const GABLE_T *A, int64_t lda, GABLE_R *result);

/* gable_slansy gable_dlansy gable_clansy gable_zlansy: the same of the symmetric n by n matrix A,
 * of which only the triangle that uplo names is read. */
GABLE_API gable_status GABLE_FN(lansy)(gable_context *ctx, gable_norm norm, gable_uplo uplo,
                                       int64_t n, const GABLE_T *A, int64_t lda, GABLE_R *result);
#if GABLE_COMPLEX
/* gable_clanhe gable_zlanhe: the same of a Hermitian matrix: imaginary parts of its diagonal are
 * taken as 0. */
GABLE_API gable_status GABLE_FN(lanhe)(gable_context *ctx, gable_norm norm, gable_uplo uplo,
                                       int64_t n, const GABLE_T *A, int64_t lda, GABLE_R *result);
#endif

/* gable_slantr gable_dlantr gable_clantr gable_zlantr: the same of an upper or lower triangle or
 * trapezoid: of the m by n matrix A the part on and above (GABLE_UPPER) or below (GABLE_LOWER) the
 * diagonal. The rest is not read. With GABLE_UNIT the diagonal is not read either and counts as
 * ones. */
GABLE_API gable_status GABLE_FN(lantr)(gable_context *ctx, gable_norm norm, gable_uplo uplo,
                                       gable_diag diag, int64_t m, int64_t n, const GABLE_T *A,
                                       int64_t lda, GABLE_R *result);

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

/* gable_spotrs gable_dpotrs gable_cpotrs gable_zpotrs: B, n by nrhs, becomes the solution X of
 * A X = B, where A holds what potrf left in the triangle that uplo names. */
GABLE_API gable_status GABLE_FN(potrs)(gable_context *ctx, gable_uplo uplo, int64_t n, int64_t nrhs,
                                       const GABLE_T *A, int64_t lda, GABLE_T *B, int64_t ldb);

/* gable_sposv gable_dposv gable_cposv gable_zposv: potrf of A, then potrs with B. With nrhs = 0 A
 * is factored and B not looked at. *info is that of potrf; where it is not 0, B holds no
 * solution. */
GABLE_API gable_status GABLE_FN(posv)(gable_context *ctx, gable_uplo uplo, int64_t n, int64_t nrhs,
                                      GABLE_T *A, int64_t lda, GABLE_T *B, int64_t ldb,
                                      int64_t *info);

/* gable_spotri gable_dpotri gable_cpotri gable_zpotri: the triangle of A^-1 that uplo names takes
 * the place of what potrf left there. *info is 0, or the first i, from 1, for which element (i, i)
 * of the factor is 0; then A holds no inverse. */
GABLE_API gable_status GABLE_FN(potri)(gable_context *ctx, gable_uplo uplo, int64_t n, GABLE_T *A,
                                       int64_t lda, int64_t *info);

/* ---- Triangles ---- */

/* gable_strtrs gable_dtrtrs gable_ctrtrs gable_ztrtrs: B, n by nrhs, becomes the solution X of
 * op(A) X = B, A triangular and as trsm takes it. *info is 0, or the first i, from 1, for which
 * A(i, i) is 0; then B holds no solution. With GABLE_UNIT the diagonal is not read and *info is
 * 0. */
GABLE_API gable_status GABLE_FN(trtrs)(gable_context *ctx, gable_uplo uplo, gable_trans trans,
                                       gable_diag diag, int64_t n, int64_t nrhs, const GABLE_T *A,
                                       int64_t lda, GABLE_T *B, int64_t ldb, int64_t *info);

/* gable_strtri gable_dtrtri gable_ctrtri gable_ztrtri: A := A^-1, A triangular, n by n: the
 * triangle that uplo names, with GABLE_UNIT without its diagonal. The rest is neither read nor
 * written. *info is that of trtrs; where it is not 0, A holds no inverse. */
GABLE_API gable_status GABLE_FN(trtri)(gable_context *ctx, gable_uplo uplo, gable_diag diag,
                                       int64_t n, GABLE_T *A, int64_t lda, int64_t *info);

/* gable_slauum gable_dlauum gable_clauum gable_zlauum: the triangle of L^H L (GABLE_LOWER) or U U^H
 * (GABLE_UPPER) takes the place of L or U. The other triangle is neither read nor written. In c and
 * z the diagonal of the product is real. */
GABLE_API gable_status GABLE_FN(lauum)(gable_context *ctx, gable_uplo uplo, int64_t n, GABLE_T *A,
                                       int64_t lda);

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

/* gable_sgetri gable_dgetri gable_cgetri gable_zgetri: A^-1 takes the place of the factors that
 * getrf left of an n by n matrix; ipiv is getrf's. *info is 0, or the first i, from 1, with
 * U(i, i) = 0: then A holds no inverse. */
GABLE_API gable_status GABLE_FN(getri)(gable_context *ctx, int64_t n, GABLE_T *A, int64_t lda,
                                       const int64_t *ipiv, int64_t *info);

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

/* ---- Reflectors ---- */

/* gable_slarfg gable_dlarfg gable_clarfg gable_zlarfg: the reflector H = I - tau v v^H, v(1) = 1,
 * of order n, for which H^H (alpha, x) = (beta, 0) with a real beta. x has n - 1 elements that are
 * incx >= 1 apart. alpha becomes beta, x the rest of v. alpha, x and tau are device memory. Signs
 * are LAPACK's; where x is zero and alpha real, tau is 0. Numbers near overflow or underflow are
 * multiplied by a power of two on the way, once, where LAPACK repeats a multiplication. With n = 0
 * tau becomes 0, and nothing else is looked at. */
GABLE_API gable_status GABLE_FN(larfg)(gable_context *ctx, int64_t n, GABLE_T *alpha, GABLE_T *x,
                                       int64_t incx, GABLE_T *tau);

/* gable_slarft gable_dlarft gable_clarft gable_zlarft: the upper triangular k by k matrix T of a
 * block of k reflectors of order n: H = H_1 H_2 ... H_k = I - V T V^H, k <= n. GABLE_COLUMNWISE: V
 * is n by k, column i has v_i below its diagonal, as geqrf leaves them. GABLE_ROWWISE: V is k by n
 * and H = I - V^H T V, row i has the conjugates of v_i behind its diagonal, as gelqf leaves them.
 * What V has in the place of ones and zeros is not used. direct must be GABLE_FORWARD. Below its
 * diagonal T is not written. */
GABLE_API gable_status GABLE_FN(larft)(gable_context *ctx, gable_direct direct, gable_storev storev,
                                       int64_t n, int64_t k, const GABLE_T *V, int64_t ldv,
                                       const GABLE_T *tau, GABLE_T *t, int64_t ldt);

/* gable_slarfb gable_dlarfb gable_clarfb gable_zlarfb: C := op(H) C (GABLE_LEFT) or C op(H)
 * (GABLE_RIGHT), C is m by n, H the block of k reflectors whose V and T larft describes, of order m
 * or n. op(H) is H, or H^T in s and d, H^H in c and z: there GABLE_TRANS is an argument error. V
 * and T are not changed. */
GABLE_API gable_status GABLE_FN(larfb)(gable_context *ctx, gable_side side, gable_trans trans,
                                       gable_direct direct, gable_storev storev, int64_t m,
                                       int64_t n, int64_t k, const GABLE_T *V, int64_t ldv,
                                       const GABLE_T *t, int64_t ldt, GABLE_T *C, int64_t ldc);

/* ---- Bidiagonal form ---- */

/* gable_sgebrd gable_dgebrd gable_cgebrd gable_zgebrd: A = Q B P^H, A is m by n, B real: upper
 * bidiagonal where m >= n, lower bidiagonal where m < n. d has its min(m, n) diagonal elements, e
 * the min(m, n) - 1 beside them; both take their places in A, too. Q = H_1 H_2 ... and P = G_1 G_2
 * ..., H_i = I - tauq_i v_i v_i^H, G_i = I - taup_i u_i u_i^H. For m >= n, v_i has its 1 in element
 * i and u_i in element i + 1; for m < n the other way round. Behind these ones v_i takes the place
 * of A's column i, and the conjugates of u_i that of row i. tauq and taup have min(m, n) elements.
 * d, e, tauq and taup are device memory. Signs are LAPACK's. Tall matrices are not factored by
 * geqrf first: from m = 11/6 n on that takes less time. */
GABLE_API gable_status GABLE_FN(gebrd)(gable_context *ctx, int64_t m, int64_t n, GABLE_T *A,
                                       int64_t lda, GABLE_R *d, GABLE_R *e, GABLE_T *tauq,
                                       GABLE_T *taup);

/* ---- Q of reductions ---- */

/* op(Q) is Q, or Q^T in s and d, Q^H in c and z: there GABLE_TRANS is an argument error. */
#if GABLE_COMPLEX
/* gable_cungtr gable_zungtr: A := Q, of order n, from the n - 1 reflectors that hetrd leaves in
 * that triangle of A. tau has n - 1 elements. */
GABLE_API gable_status GABLE_FN(ungtr)(gable_context *ctx, gable_uplo uplo, int64_t n, GABLE_T *A,
                                       int64_t lda, const GABLE_T *tau);
/* gable_cunghr gable_zunghr: A := Q, of order n, from the reflectors that gehrd leaves in columns
 * ilo .. ihi - 1 of A, counted from 1: 1 <= ilo <= ihi <= n, and 1 and 0 where n is 0. tau has
 * n - 1 elements. */
GABLE_API gable_status GABLE_FN(unghr)(gable_context *ctx, int64_t n, int64_t ilo, int64_t ihi,
                                       GABLE_T *A, int64_t lda, const GABLE_T *tau);
/* gable_cungbr gable_zungbr: of gebrd's A = Q B P^H. GABLE_VECT_Q: A, m by n, becomes the first n
 * columns of Q, which is of order m; k is how many columns the reduced matrix had, and m >= n >=
 * min(m, k). GABLE_VECT_P: A becomes the first m rows of P^H, which is of order n; k is how many
 * rows that matrix had, and n >= m >= min(n, k). tau is tauq or taup. */
GABLE_API gable_status GABLE_FN(ungbr)(gable_context *ctx, gable_vect vect, int64_t m, int64_t n,
                                       int64_t k, GABLE_T *A, int64_t lda, const GABLE_T *tau);
/* gable_cunmtr gable_zunmtr: C := op(Q) C (GABLE_LEFT) or C op(Q) (GABLE_RIGHT), C is m by n, Q as
 * ungtr has it, of order m or n. A is not changed. */
GABLE_API gable_status GABLE_FN(unmtr)(gable_context *ctx, gable_side side, gable_uplo uplo,
                                       gable_trans trans, int64_t m, int64_t n, const GABLE_T *A,
                                       int64_t lda, const GABLE_T *tau, GABLE_T *C, int64_t ldc);
/* gable_cunmhr gable_zunmhr: the same with Q as unghr has it */
GABLE_API gable_status GABLE_FN(unmhr)(gable_context *ctx, gable_side side, gable_trans trans,
                                       int64_t m, int64_t n, int64_t ilo, int64_t ihi,
                                       const GABLE_T *A, int64_t lda, const GABLE_T *tau,
                                       GABLE_T *C, int64_t ldc);
/* gable_cunmbr gable_zunmbr: the same with Q of gebrd (GABLE_VECT_Q), or with P in its place
 * (GABLE_VECT_P): P, not P^H, where trans is GABLE_NO_TRANS. k is how many columns, or rows for
 * P, the reduced matrix had. */
GABLE_API gable_status GABLE_FN(unmbr)(gable_context *ctx, gable_vect vect, gable_side side,
                                       gable_trans trans, int64_t m, int64_t n, int64_t k,
                                       const GABLE_T *A, int64_t lda, const GABLE_T *tau,
                                       GABLE_T *C, int64_t ldc);
#else
/* gable_sorgtr gable_dorgtr: A := Q, of order n, from the n - 1 reflectors that sytrd leaves in
 * that triangle of A. tau has n - 1 elements. */
GABLE_API gable_status GABLE_FN(orgtr)(gable_context *ctx, gable_uplo uplo, int64_t n, GABLE_T *A,
                                       int64_t lda, const GABLE_T *tau);
/* gable_sorghr gable_dorghr: A := Q, of order n, from the reflectors that gehrd leaves in columns
 * ilo .. ihi - 1 of A, counted from 1: 1 <= ilo <= ihi <= n, and 1 and 0 where n is 0. tau has
 * n - 1 elements. */
GABLE_API gable_status GABLE_FN(orghr)(gable_context *ctx, int64_t n, int64_t ilo, int64_t ihi,
                                       GABLE_T *A, int64_t lda, const GABLE_T *tau);
/* gable_sorgbr gable_dorgbr: of gebrd's A = Q B P^T. GABLE_VECT_Q: A, m by n, becomes the first n
 * columns of Q, which is of order m; k is how many columns the reduced matrix had, and m >= n >=
 * min(m, k). GABLE_VECT_P: A becomes the first m rows of P^T, which is of order n; k is how many
 * rows that matrix had, and n >= m >= min(n, k). tau is tauq or taup. */
GABLE_API gable_status GABLE_FN(orgbr)(gable_context *ctx, gable_vect vect, int64_t m, int64_t n,
                                       int64_t k, GABLE_T *A, int64_t lda, const GABLE_T *tau);
/* gable_sormtr gable_dormtr: C := op(Q) C (GABLE_LEFT) or C op(Q) (GABLE_RIGHT), C is m by n, Q as
 * orgtr has it, of order m or n. A is not changed. */
GABLE_API gable_status GABLE_FN(ormtr)(gable_context *ctx, gable_side side, gable_uplo uplo,
                                       gable_trans trans, int64_t m, int64_t n, const GABLE_T *A,
                                       int64_t lda, const GABLE_T *tau, GABLE_T *C, int64_t ldc);
/* gable_sormhr gable_dormhr: the same with Q as orghr has it */
GABLE_API gable_status GABLE_FN(ormhr)(gable_context *ctx, gable_side side, gable_trans trans,
                                       int64_t m, int64_t n, int64_t ilo, int64_t ihi,
                                       const GABLE_T *A, int64_t lda, const GABLE_T *tau,
                                       GABLE_T *C, int64_t ldc);
/* gable_sormbr gable_dormbr: the same with Q of gebrd (GABLE_VECT_Q), or with P in its place
 * (GABLE_VECT_P): P, not P^T, where trans is GABLE_NO_TRANS. k is how many columns, or rows for
 * P, the reduced matrix had. */
GABLE_API gable_status GABLE_FN(ormbr)(gable_context *ctx, gable_vect vect, gable_side side,
                                       gable_trans trans, int64_t m, int64_t n, int64_t k,
                                       const GABLE_T *A, int64_t lda, const GABLE_T *tau,
                                       GABLE_T *C, int64_t ldc);
#endif

/* ---- Eigenvalues of symmetric matrices ---- */

/* gable_sstedc gable_dstedc gable_cstedc gable_zstedc: eigenvalues of the symmetric tridiagonal
 * matrix T with diagonal d and, beside it, e: d becomes them, ascending. compz GABLE_NO_VECTORS: no
 * more than that, and Z is not looked at. GABLE_IDENTITY_VECTORS: Z, n by n, becomes the
 * eigenvectors. GABLE_VECTORS: Z becomes Z times them, so that the Q of sytrd becomes the vectors
 * of the matrix that was reduced. e has n - 1 elements and is overwritten. d and e are device
 * memory. *info is 0; -3 where d or e has a NaN or an infinity, and then d and Z are NaN; or
 * above 0 where not all values converged, and nothing else holds then. It is LAPACK's number: how
 * many elements beside the diagonal are left (sterf, and QL iteration on cpu), or
 * (first row) (n + 1) + last row of a part that failed, from 1. Workspace with vectors, of variant
 * divide: 2 n^2 real numbers and 17 n, n^2 more with GABLE_VECTORS. Variant host_stage computes on
 * the host: it waits, and cannot be recorded (GABLE_NOT_RECORDABLE). */
GABLE_API gable_status GABLE_FN(stedc)(gable_context *ctx, gable_job compz, int64_t n, GABLE_R *d,
                                       GABLE_R *e, GABLE_T *Z, int64_t ldz, int64_t *info);
#if GABLE_COMPLEX
/* gable_cheevd gable_zheevd: eigenvalues w_1 <= ... <= w_n of a Hermitian matrix, and with jobz
 * GABLE_VECTORS its eigenvectors: A = Z diag(w) Z^H. The triangle of A that uplo names is read.
 * With GABLE_VECTORS A becomes Z, without (GABLE_NO_VECTORS) that triangle is overwritten.
 * Imaginary parts of the diagonal are taken as zeros. w is device memory. *info is 0; -4 where A
 * has a NaN or an infinity, and then w and Z are NaN; or above 0, as that of stedc, where not all
 * values converged. Workspace: n^2 elements and what stedc takes, with GABLE_VECTORS. The call
 * waits for the host, and cannot be recorded, where variant host_stage of stedc or sterf runs. */
GABLE_API gable_status GABLE_FN(heevd)(gable_context *ctx, gable_job jobz, gable_uplo uplo,
                                       int64_t n, GABLE_T *A, int64_t lda, GABLE_R *w,
                                       int64_t *info);
/* gable_chegst gable_zhegst: A x = w B x (itype 1), A B x = w x (2) or B A x = w x (3) as a
 * standard problem. B is what potrf leaves: L or U with B = L L^H or U^H U. A becomes L^-1 A L^-H
 * or U^-H A U^-1 with itype 1, L^H A L or U A U^H with 2 and 3, in the triangle that uplo names.
 * The other one is not looked at. */
GABLE_API gable_status GABLE_FN(hegst)(gable_context *ctx, int64_t itype, gable_uplo uplo,
                                       int64_t n, GABLE_T *A, int64_t lda, const GABLE_T *B,
                                       int64_t ldb);
/* gable_chegvd gable_zhegvd: all eigenvalues of one of these three problems, ascending in w, and
 * with GABLE_VECTORS its vectors: A becomes Z, Z^H B Z = I (itype 1, 2) or Z^H B^-1 Z = I (3). A is
 * Hermitian, B is too, and positive definite; B becomes its factor of potrf. *info is as that of
 * heevd, with -5 for A; but where not all values converged it is 1 to n, of a part that failed the
 * first row. n + i: the first i rows and columns of B are not positive definite, and nothing else
 * holds. A B with NaN or infinities gives n + i, -7 or -5. */
GABLE_API gable_status GABLE_FN(hegvd)(gable_context *ctx, int64_t itype, gable_job jobz,
                                       gable_uplo uplo, int64_t n, GABLE_T *A, int64_t lda,
                                       GABLE_T *B, int64_t ldb, GABLE_R *w, int64_t *info);
/* gable_cheevx gable_zheevx: some eigenvalues, ascending in w, and with GABLE_VECTORS their vectors
 * in the columns of Z: all (GABLE_RANGE_ALL), those with vl < w_i <= vu (GABLE_RANGE_VALUES), or
 * those with numbers il .. iu, from 1 (GABLE_RANGE_INDICES). *m is how many there are, in host or
 * device memory. Room in w, ifail and Z is for n of them, or iu - il + 1. What lies behind the
 * first *m is not specified. Values are at least as accurate as abstol <= 0 asks for in LAPACK:
 * within a few u norm(A); a greater abstol may be made use of or not. ifail has int64_t: 0 for
 * vectors that converged, else LAPACK's numbers, and *info how many did not, or, where all are
 * listed, what that of syevd would be; -5 where A is not finite: then w and Z are NaN, and *m is 0
 * for GABLE_RANGE_VALUES. The triangle of A is overwritten. As heevd otherwise. */
GABLE_API gable_status GABLE_FN(heevx)(gable_context *ctx, gable_job jobz, gable_range range,
                                       gable_uplo uplo, int64_t n, GABLE_T *A, int64_t lda,
                                       GABLE_R vl, GABLE_R vu, int64_t il, int64_t iu,
                                       GABLE_R abstol, int64_t *m, GABLE_R *w, GABLE_T *Z,
                                       int64_t ldz, int64_t *ifail, int64_t *info);
#else
/* gable_ssterf gable_dsterf: the same without vectors; *info is -2 where d or e has a NaN or an
 * infinity. */
GABLE_API gable_status GABLE_FN(sterf)(gable_context *ctx, int64_t n, GABLE_R *d, GABLE_R *e,
                                       int64_t *info);
/* gable_ssyevd gable_dsyevd: eigenvalues w_1 <= ... <= w_n of a symmetric matrix, and with jobz
 * GABLE_VECTORS its eigenvectors: A = Z diag(w) Z^T. The triangle of A that uplo names is read.
 * With GABLE_VECTORS A becomes Z, without (GABLE_NO_VECTORS) that triangle is overwritten. w is
 * device memory. *info is 0; -4 where A has a NaN or an infinity, and then w and Z are NaN; or
 * above 0, as that of stedc, where not all values converged. Workspace: n^2 elements and what stedc
 * takes, with GABLE_VECTORS. The call waits for the host, and cannot be recorded, where variant
 * host_stage of stedc or sterf runs. */
GABLE_API gable_status GABLE_FN(syevd)(gable_context *ctx, gable_job jobz, gable_uplo uplo,
                                       int64_t n, GABLE_T *A, int64_t lda, GABLE_R *w,
                                       int64_t *info);
/* gable_ssygst gable_dsygst: A x = w B x (itype 1), A B x = w x (2) or B A x = w x (3) as a
 * standard problem. B is what potrf leaves: L or U with B = L L^T or U^T U. A becomes L^-1 A L^-T
 * or U^-T A U^-1 with itype 1, L^T A L or U A U^T with 2 and 3, in the triangle that uplo names.
 * The other one is not looked at. */
GABLE_API gable_status GABLE_FN(sygst)(gable_context *ctx, int64_t itype, gable_uplo uplo,
                                       int64_t n, GABLE_T *A, int64_t lda, const GABLE_T *B,
                                       int64_t ldb);
/* gable_ssygvd gable_dsygvd: all eigenvalues of one of these three problems, ascending in w, and
 * with GABLE_VECTORS its vectors: A becomes Z, Z^T B Z = I (itype 1, 2) or Z^T B^-1 Z = I (3). A is
 * symmetric, B is too, and positive definite; B becomes its factor of potrf. *info is as that of
 * syevd, with -5 for A; but where not all values converged it is 1 to n, of a part that failed the
 * first row. n + i: the first i rows and columns of B are not positive definite, and nothing else
 * holds. A B with NaN or infinities gives n + i, -7 or -5. */
GABLE_API gable_status GABLE_FN(sygvd)(gable_context *ctx, int64_t itype, gable_job jobz,
                                       gable_uplo uplo, int64_t n, GABLE_T *A, int64_t lda,
                                       GABLE_T *B, int64_t ldb, GABLE_R *w, int64_t *info);
/* gable_ssyevx gable_dsyevx: some eigenvalues, ascending in w, and with GABLE_VECTORS their vectors
 * in the columns of Z: all (GABLE_RANGE_ALL), those with vl < w_i <= vu (GABLE_RANGE_VALUES), or
 * those with numbers il .. iu, from 1 (GABLE_RANGE_INDICES). *m is how many there are, in host or
 * device memory. Room in w, ifail and Z is for n of them, or iu - il + 1. What lies behind the
 * first *m is not specified. Values are at least as accurate as abstol <= 0 asks for in LAPACK:
 * within a few u norm(A); a greater abstol may be made use of or not. ifail has int64_t: 0 for
 * vectors that converged, else LAPACK's numbers, and *info how many did not, or, where all are
 * listed, what that of syevd would be; -5 where A is not finite: then w and Z are NaN, and *m is 0
 * for GABLE_RANGE_VALUES. The triangle of A is overwritten. As syevd otherwise. */
GABLE_API gable_status GABLE_FN(syevx)(gable_context *ctx, gable_job jobz, gable_range range,
                                       gable_uplo uplo, int64_t n, GABLE_T *A, int64_t lda,
                                       GABLE_R vl, GABLE_R vu, int64_t il, int64_t iu,
                                       GABLE_R abstol, int64_t *m, GABLE_R *w, GABLE_T *Z,
                                       int64_t ldz, int64_t *ifail, int64_t *info);
#endif

/* ---- Singular values ---- */

/* Which vectors are computed is a gable_job: GABLE_ALL_VECTORS, GABLE_SOME_VECTORS (the first
 * min(m, n)), GABLE_OVERWRITE (those, in the place of A), GABLE_NO_VECTORS. Values descend and are
 * not negative. *info (host memory: the call waits; or device memory) is 0; above 0 where not all
 * values converged, and nothing else holds then: LAPACK's number, or one that tells a part, as that
 * of stedc; and where the matrix has a NaN or an infinity minus LAPACK's number of it, and all that
 * is computed is NaN then. Where variant host_stage of bdsdc is
 * forced, the host computes a step by the installed LAPACK: the calls wait, and recordings refuse
 * them (GABLE_NOT_RECORDABLE); without a LAPACK they are GABLE_NOT_SUPPORTED and say why.
 * Workspace with vectors, beside that of the reduction: 6 min(m, n)^2 real numbers on devices with
 * kernels. docs/singular.md has more. */

#if !GABLE_COMPLEX
/* gable_sbdsdc gable_dbdsdc: B = U S V^T, B is bidiagonal of order n with diagonal d and the n - 1
 * elements e beside it: above the diagonal (GABLE_UPPER) or below it (GABLE_LOWER). d becomes S, e
 * is overwritten. compq: GABLE_NO_VECTORS, for which U and Vt may be NULL; GABLE_IDENTITY_VECTORS:
 * U becomes U and Vt becomes V^T, both n by n. LAPACK's compq = P (a compact form) does not exist.
 * ldu, ldvt >= n with vectors, else 1. info of numbers that are not finite is -4. */
GABLE_API gable_status GABLE_FN(bdsdc)(gable_context *ctx, gable_uplo uplo, gable_job compq,
                                       int64_t n, GABLE_R *d, GABLE_R *e, GABLE_R *U, int64_t ldu,
                                       GABLE_R *Vt, int64_t ldvt, int64_t *info);
#endif
/* gable_sgesdd gable_dgesdd gable_cgesdd gable_zgesdd: A = U S V^H, A is m by n and is destroyed. s
 * has min(m, n) elements in device memory. jobz: GABLE_ALL_VECTORS: U is m by m, Vt n by n;
 * GABLE_SOME_VECTORS: U is m by min(m, n), Vt min(m, n) by n; GABLE_OVERWRITE: where m >= n the
 * first n columns of U overwrite A, and Vt is n by n; where m < n the first m rows of V^H overwrite
 * A, and U is m by m; GABLE_NO_VECTORS. What is not written may be NULL, with a leading dimension
 * of 1 or more. Vt is V^H. Workspace: 2 k^2 real numbers with vectors, k^2 numbers more where A is
 * factored first (from max(m, n) = 11/6 k on), k = min(m, n), the size of what overwrites A, and
 * what gebrd takes. info of A that is not finite is -4. */
GABLE_API gable_status GABLE_FN(gesdd)(gable_context *ctx, gable_job jobz, int64_t m, int64_t n,
                                       GABLE_T *A, int64_t lda, GABLE_R *s, GABLE_T *U, int64_t ldu,
                                       GABLE_T *Vt, int64_t ldvt, int64_t *info);
/* gable_sgesvd gable_dgesvd gable_cgesvd gable_zgesvd: the same, U and Vt asked for one by one:
 * jobu and jobvt are GABLE_ALL_VECTORS, GABLE_SOME_VECTORS, GABLE_OVERWRITE (not both) or
 * GABLE_NO_VECTORS. Its method is that of gesdd, but for cpu, where it is LAPACK's gesvd. info of A
 * that is not finite is -5. */
GABLE_API gable_status GABLE_FN(gesvd)(gable_context *ctx, gable_job jobu, gable_job jobvt,
                                       int64_t m, int64_t n, GABLE_T *A, int64_t lda, GABLE_R *s,
                                       GABLE_T *U, int64_t ldu, GABLE_T *Vt, int64_t ldvt,
                                       int64_t *info);

/* ---- Least squares ---- */

/* gable_sgels gable_dgels gable_cgels gable_zgels: solves op(A) X = B for nrhs right-hand sides, A
 * m by n and of full rank. op(A) is A, or A^T in s and d, A^H in c and z: there GABLE_TRANS is an
 * argument error. Where op(A) has at least as many rows as columns, X minimises the 2-norm of each
 * column of B - op(A) X; where it has fewer, X is the solution with the least 2-norm. B has
 * max(m, n) rows. The right-hand sides take as many of them as op(A) has rows, X as many as op(A)
 * has columns. Of least squares the squares in the rows of B behind X add up to that of the
 * residual. A becomes what geqrf (m >= n) or gelqf (m < n) leaves of it, times a power of two where
 * its largest element is near underflow or overflow. *info is 0, or the first i for which element
 * (i, i) of R or L is 0, counted from 1: then A is not of full rank, and B holds no solution. Of an
 * A of zeros, or without elements, X is zero and *info 0. With nrhs = 0 nothing but *info is
 * written. */
GABLE_API gable_status GABLE_FN(gels)(gable_context *ctx, gable_trans trans, int64_t m, int64_t n,
                                      int64_t nrhs, GABLE_T *A, int64_t lda, GABLE_T *B,
                                      int64_t ldb, int64_t *info);

/* ---- Reductions ---- */

#if GABLE_COMPLEX
/* gable_chetrd gable_zhetrd: Q^H A Q = T, A Hermitian and n by n, of which the triangle that uplo
 * names is stored; T is real, symmetric and tridiagonal. Imaginary parts of A's diagonal are taken
 * as zeros. The rest is as in gable_dsytrd. */
GABLE_API gable_status GABLE_FN(hetrd)(gable_context *ctx, gable_uplo uplo, int64_t n, GABLE_T *A,
                                       int64_t lda, GABLE_R *d, GABLE_R *e, GABLE_T *tau);
#else
/* gable_ssytrd gable_dsytrd: Q^H A Q = T, A symmetric and n by n, of which the triangle that uplo
 * names is stored; T is symmetric and tridiagonal. d receives its diagonal, n numbers, e the n - 1
 * beside it, tau n - 1 factors, all in device memory. In A's triangle T takes the place of the
 * diagonal and the numbers beside it, vectors of reflectors H_i = I - tau_i v_i v_i^H that of the
 * rest. GABLE_LOWER: Q = H_1 ... H_(n-1), element i + 1 of v_i is 1, what lies below stands in
 * column i. GABLE_UPPER: Q = H_(n-1) ... H_1, element i of v_i is 1, what lies above stands in
 * column i + 1. The other triangle is neither read nor written. */
GABLE_API gable_status GABLE_FN(sytrd)(gable_context *ctx, gable_uplo uplo, int64_t n, GABLE_T *A,
                                       int64_t lda, GABLE_R *d, GABLE_R *e, GABLE_T *tau);
#endif

/* gable_sgehrd gable_dgehrd gable_cgehrd gable_zgehrd: Q^H A Q = H, A n by n, H an upper Hessenberg
 * matrix. Rows and columns ilo ... ihi, counted from 1, are reduced: outside of them A is upper
 * triangular already, as gebal leaves it, else they are 1 and n. 1 <= ilo <= ihi <= n; without
 * elements ilo = 1 and ihi = 0. H takes the place of A's upper triangle and of the diagonal below
 * it. Q = H_ilo ... H_(ihi-1), H_i = I - tau_i v_i v_i^H: elements 1 ... i of v_i and those behind
 * ihi are 0, element i + 1 is 1, and those between take the place of A's column i. tau has n - 1
 * elements in device memory; those before ilo and from ihi on become 0. */
GABLE_API gable_status GABLE_FN(gehrd)(gable_context *ctx, int64_t n, int64_t ilo, int64_t ihi,
                                       GABLE_T *A, int64_t lda, GABLE_T *tau);

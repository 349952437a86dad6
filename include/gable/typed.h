/* typed.h: each routine that exists in several precisions, declared and documented once.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * gable.h includes this file four times, with
 *   GABLE_T        the element type            float, double, gable_cfloat, gable_cdouble
 *   GABLE_R        its real type               float, double, float, double
 *   GABLE_FN(f)    the typed name              gable_sf gable_df gable_cf gable_zf
 *   GABLE_FN_R(f)  the name of a real result   gable_sf gable_df gable_scf gable_dzf
 *   GABLE_FN_I(f)  the name of an index        gable_isf gable_idf gable_icf gable_izf
 *   GABLE_FN_M(f)  complex with real scalars   gable_csf gable_zdf (complex only)
 *   GABLE_COMPLEX  0 or 1
 *
 * Common to all of them:
 * - x and y are vectors of n elements in memory of the context's device, incx and incy their
 *   strides in elements. A negative stride starts at the far end, as in BLAS: element i (from 0) of
 *   x is x[(i - n + 1) * incx] for incx < 0 and x[i * incx] otherwise. incx = 0 repeats one
 *   element; the stride of an output must not be 0.
 * - n = 0 is legal and touches nothing; pointers are then not checked.
 * - The bytes that an operand reaches over, by its sizes, strides and leading dimensions, must fit
 *   63 bits; more is GABLE_BAD_ARGUMENT. On OpenCL, and everywhere under GABLE_DEBUG=check, so is
 *   an operand that leaves the memory gable_alloc gave.
 * - A call returns when it is checked and enqueued. gable_sync tells whether it ran.
 * - Outputs must not overlap inputs, unless the two are the same vector with the same stride.
 * - A result pointer may be device memory (the call does not wait) or host memory, also pinned or
 *   managed (it waits until the result is there; such a call cannot be recorded). In a recording
 *   the same holds on cpu: results go to memory of gable_alloc, though other calls take any pointer
 *   there.
 * - On a status other than GABLE_OK no output was touched, and gable_message says why; unless the
 *   device failed in the middle of a call that takes several launches (GABLE_DEVICE_FAILED).
 * - Functions that end in _dev take their scalars from device memory, read when the call runs: a
 *   recording sees the values of that moment, and results of other calls need not visit the host.
 */

/* ---- Vectors to vectors ---- */

/* gable_scopy gable_dcopy gable_ccopy gable_zcopy: y := x */
GABLE_API gable_status GABLE_FN(copy)(gable_context *ctx, int64_t n, const GABLE_T *x, int64_t incx,
                                      GABLE_T *y, int64_t incy);

/* gable_saxpy gable_daxpy gable_caxpy gable_zaxpy: y := alpha x + y. With alpha = 0 neither x nor y
 * is read. */
GABLE_API gable_status GABLE_FN(axpy)(gable_context *ctx, int64_t n, GABLE_T alpha,
                                      const GABLE_T *x, int64_t incx, GABLE_T *y, int64_t incy);

/* gable_saxpy_dev gable_daxpy_dev gable_caxpy_dev gable_zaxpy_dev: alpha on the device */
GABLE_API gable_status GABLE_FN(axpy_dev)(gable_context *ctx, int64_t n, const GABLE_T *alpha,
                                          const GABLE_T *x, int64_t incx, GABLE_T *y, int64_t incy);

/* gable_sswap gable_dswap gable_cswap gable_zswap: x and y change places */
GABLE_API gable_status GABLE_FN(swap)(gable_context *ctx, int64_t n, GABLE_T *x, int64_t incx,
                                      GABLE_T *y, int64_t incy);

/* gable_sscal gable_dscal gable_cscal gable_zscal: x := alpha x. NaN and Inf in x stay NaN also
 * with alpha = 0; gable_dfill makes zeros whatever was there. */
GABLE_API gable_status GABLE_FN(scal)(gable_context *ctx, int64_t n, GABLE_T alpha, GABLE_T *x,
                                      int64_t incx);
/* gable_sscal_dev gable_dscal_dev gable_cscal_dev gable_zscal_dev: alpha on the device */
GABLE_API gable_status GABLE_FN(scal_dev)(gable_context *ctx, int64_t n, const GABLE_T *alpha,
                                          GABLE_T *x, int64_t incx);
#if GABLE_COMPLEX
/* gable_csscal gable_zdscal: x := alpha x with a real alpha */
GABLE_API gable_status GABLE_FN_M(scal)(gable_context *ctx, int64_t n, GABLE_R alpha, GABLE_T *x,
                                        int64_t incx);
/* gable_csscal_dev gable_zdscal_dev: alpha on the device */
GABLE_API gable_status GABLE_FN_M(scal_dev)(gable_context *ctx, int64_t n, const GABLE_R *alpha,
                                            GABLE_T *x, int64_t incx);
#endif

/* gable_saxpby gable_daxpby gable_caxpby gable_zaxpby: y := alpha x + beta y. With alpha = 0 x is
 * not read, with beta = 0 y is not: what is there, NaN too, does not matter. */
GABLE_API gable_status GABLE_FN(axpby)(gable_context *ctx, int64_t n, GABLE_T alpha,
                                       const GABLE_T *x, int64_t incx, GABLE_T beta, GABLE_T *y,
                                       int64_t incy);
/* gable_saxpby_dev gable_daxpby_dev gable_caxpby_dev gable_zaxpby_dev: alpha and beta on the
 * device */
GABLE_API gable_status GABLE_FN(axpby_dev)(gable_context *ctx, int64_t n, const GABLE_T *alpha,
                                           const GABLE_T *x, int64_t incx, const GABLE_T *beta,
                                           GABLE_T *y, int64_t incy);

/* gable_swaxpby gable_dwaxpby gable_cwaxpby gable_zwaxpby: w := alpha x + beta y. w may be x or y
 * itself. A scalar 0 means as for axpby that its vector is not read. */
GABLE_API gable_status GABLE_FN(waxpby)(gable_context *ctx, int64_t n, GABLE_T alpha,
                                        const GABLE_T *x, int64_t incx, GABLE_T beta,
                                        const GABLE_T *y, int64_t incy, GABLE_T *w, int64_t incw);
/* gable_swaxpby_dev gable_dwaxpby_dev gable_cwaxpby_dev gable_zwaxpby_dev: alpha and beta on the
 * device */
GABLE_API gable_status GABLE_FN(waxpby_dev)(gable_context *ctx, int64_t n, const GABLE_T *alpha,
                                            const GABLE_T *x, int64_t incx, const GABLE_T *beta,
                                            const GABLE_T *y, int64_t incy, GABLE_T *w,
                                            int64_t incw);

/* gable_sfill gable_dfill gable_cfill gable_zfill: x := (alpha, alpha, ...) */
GABLE_API gable_status GABLE_FN(fill)(gable_context *ctx, int64_t n, GABLE_T alpha, GABLE_T *x,
                                      int64_t incx);
/* gable_sfill_dev gable_dfill_dev gable_cfill_dev gable_zfill_dev: alpha on the device */
GABLE_API gable_status GABLE_FN(fill_dev)(gable_context *ctx, int64_t n, const GABLE_T *alpha,
                                          GABLE_T *x, int64_t incx);

/* gable_sreciprocal gable_dreciprocal gable_creciprocal gable_zreciprocal: y_i := 1 / x_i; y may be
 * x. With n = 1 that of a number on the device: nrm2 into it, its reciprocal, scal_dev by it
 * normalise a vector without the host. Real: rounded once; 0 gives Inf of its sign, Inf gives 0,
 * subnormal numbers are numbers. Complex: no overflow or underflow unless 1 / x_i does so itself;
 * an infinite part gives 0, and 0 gives Inf + NaN i, as in C. NaN gives NaN. */
GABLE_API gable_status GABLE_FN(reciprocal)(gable_context *ctx, int64_t n, const GABLE_T *x,
                                            int64_t incx, GABLE_T *y, int64_t incy);

/* gable_srandom gable_drandom gable_crandom gable_zrandom: x_i uniform in [low, high), real and
 * imaginary part each. The numbers depend on the seed and on first + i alone: every device and
 * every way to cut a vector up gives the same bits, and other seeds give independent streams.
 * Philox4x32-10; of the four words that it makes of a counter, float takes one per number (24
 * bits), double two (53 bits). low and high must be finite, low <= high; by rounding, high itself
 * can come out. */
GABLE_API gable_status GABLE_FN(random)(gable_context *ctx, int64_t n, uint64_t seed,
                                        uint64_t first, GABLE_R low, GABLE_R high, GABLE_T *x,
                                        int64_t incx);

/* ---- Rotations ---- */

/* gable_srot gable_drot gable_crot gable_zrot: (x_i, y_i) := (c x_i + s y_i, c y_i - conj(s)
 * x_i) */
GABLE_API gable_status GABLE_FN(rot)(gable_context *ctx, int64_t n, GABLE_T *x, int64_t incx,
                                     GABLE_T *y, int64_t incy, GABLE_R c, GABLE_T s);
/* gable_srot_dev gable_drot_dev gable_crot_dev gable_zrot_dev: c and s on the device */
GABLE_API gable_status GABLE_FN(rot_dev)(gable_context *ctx, int64_t n, GABLE_T *x, int64_t incx,
                                         GABLE_T *y, int64_t incy, const GABLE_R *c,
                                         const GABLE_T *s);
#if GABLE_COMPLEX
/* gable_csrot gable_zdrot: the same with a real s */
GABLE_API gable_status GABLE_FN_M(rot)(gable_context *ctx, int64_t n, GABLE_T *x, int64_t incx,
                                       GABLE_T *y, int64_t incy, GABLE_R c, GABLE_R s);
/* gable_csrot_dev gable_zdrot_dev: c and s on the device */
GABLE_API gable_status GABLE_FN_M(rot_dev)(gable_context *ctx, int64_t n, GABLE_T *x, int64_t incx,
                                           GABLE_T *y, int64_t incy, const GABLE_R *c,
                                           const GABLE_R *s);
#endif

/* gable_srotg gable_drotg gable_crotg gable_zrotg: the rotation that makes (a, b) into (r, 0), with
 * c^2 + |s|^2 = 1; no overflow or underflow unless r itself does. a becomes r. Real: b becomes the
 * number z from which c and s can be had again (z = s where |a| > |b|, 1/c where not and c != 0,
 * else 1; 0 for a = b = 0); complex: b stays. All four are host memory; nothing is enqueued. */
GABLE_API gable_status GABLE_FN(rotg)(gable_context *ctx, GABLE_T *a, GABLE_T *b, GABLE_R *c,
                                      GABLE_T *s);
/* gable_srotg_dev gable_drotg_dev gable_crotg_dev gable_zrotg_dev: all four in device memory,
 * computed there in turn with the other calls: for algorithms that never visit the host. */
GABLE_API gable_status GABLE_FN(rotg_dev)(gable_context *ctx, GABLE_T *a, GABLE_T *b, GABLE_R *c,
                                          GABLE_T *s);

#if !GABLE_COMPLEX
/* gable_srotm gable_drotm: (x_i, y_i) := H (x_i, y_i). param is host memory, five numbers: a flag
 * and h11, h21, h12, h22. Flag -1: H is as given; 0: h11 = h22 = 1; 1: h12 = 1, h21 = -1; -2: H is
 * the identity, and nothing is done. Another flag is an error. */
GABLE_API gable_status GABLE_FN(rotm)(gable_context *ctx, int64_t n, GABLE_T *x, int64_t incx,
                                      GABLE_T *y, int64_t incy, const GABLE_T *param);
/* gable_srotm_dev gable_drotm_dev: param on the device; there any other flag acts as -2. */
GABLE_API gable_status GABLE_FN(rotm_dev)(gable_context *ctx, int64_t n, GABLE_T *x, int64_t incx,
                                          GABLE_T *y, int64_t incy, const GABLE_T *param);

/* gable_srotmg gable_drotmg: the modified rotation that makes (sqrt(d1) x1, sqrt(d2) y1) into
 * (r, 0). d1, d2 and x1 are brought up to date, param is filled for rotm. d1 < 0 makes everything
 * zero with flag -1, as in BLAS. All in host memory; nothing is enqueued. */
GABLE_API gable_status GABLE_FN(rotmg)(gable_context *ctx, GABLE_T *d1, GABLE_T *d2, GABLE_T *x1,
                                       GABLE_T y1, GABLE_T *param);
/* gable_srotmg_dev gable_drotmg_dev: all in device memory, y1 too */
GABLE_API gable_status GABLE_FN(rotmg_dev)(gable_context *ctx, GABLE_T *d1, GABLE_T *d2,
                                           GABLE_T *x1, const GABLE_T *y1, GABLE_T *param);
#endif

/* ---- Vectors to a number ---- */

#if GABLE_COMPLEX
/* gable_cdotu gable_zdotu: result := sum of x_i y_i (0 for n = 0) */
GABLE_API gable_status GABLE_FN(dotu)(gable_context *ctx, int64_t n, const GABLE_T *x, int64_t incx,
                                      const GABLE_T *y, int64_t incy, GABLE_T *result);

/* gable_cdotc gable_zdotc: result := sum of conj(x_i) y_i (0 for n = 0) */
GABLE_API gable_status GABLE_FN(dotc)(gable_context *ctx, int64_t n, const GABLE_T *x, int64_t incx,
                                      const GABLE_T *y, int64_t incy, GABLE_T *result);
#else
/* gable_sdot gable_ddot: result := sum of x_i y_i (0 for n = 0) */
GABLE_API gable_status GABLE_FN(dot)(gable_context *ctx, int64_t n, const GABLE_T *x, int64_t incx,
                                     const GABLE_T *y, int64_t incy, GABLE_T *result);
#endif

/* gable_snrm2 gable_dnrm2 gable_scnrm2 gable_dznrm2: result := sqrt(sum of |x_i|^2) (0 for n = 0).
 * No overflow or underflow unless the result itself does; one pass over x. NaN gives NaN, and Inf
 * without NaN gives Inf. */
GABLE_API gable_status GABLE_FN_R(nrm2)(gable_context *ctx, int64_t n, const GABLE_T *x,
                                        int64_t incx, GABLE_R *result);

/* gable_sasum gable_dasum gable_scasum gable_dzasum: result := sum of |Re x_i| + |Im x_i| (0 for
 * n = 0) */
GABLE_API gable_status GABLE_FN_R(asum)(gable_context *ctx, int64_t n, const GABLE_T *x,
                                        int64_t incx, GABLE_R *result);

/* gable_isamax gable_idamax gable_icamax gable_izamax: result := the position, counted from 1 as in
 * BLAS, of the first element with the largest |Re x_i| + |Im x_i|; 0 for n = 0. As in the reference
 * BLAS a NaN counts only as the first element, where it wins; later ones are passed over. */
GABLE_API gable_status GABLE_FN_I(amax)(gable_context *ctx, int64_t n, const GABLE_T *x,
                                        int64_t incx, int64_t *result);

/* ---- Several vectors at once: X is n by k, column-major, its columns x_0 ... x_(k-1) are ldx >= n
 * elements apart. The vector that all share is read once for every 8 of them. k = 0 is legal.
 * ---- */

#if GABLE_COMPLEX
/* gable_cmdotu gable_zmdotu: result_j := sum of X_ij y_i, k numbers (0 for n = 0) */
GABLE_API gable_status GABLE_FN(mdotu)(gable_context *ctx, int64_t n, int64_t k, const GABLE_T *X,
                                       int64_t ldx, const GABLE_T *y, int64_t incy,
                                       GABLE_T *result);

/* gable_cmdotc gable_zmdotc: result_j := sum of conj(X_ij) y_i, k numbers (0 for n = 0) */
GABLE_API gable_status GABLE_FN(mdotc)(gable_context *ctx, int64_t n, int64_t k, const GABLE_T *X,
                                       int64_t ldx, const GABLE_T *y, int64_t incy,
                                       GABLE_T *result);
#else
/* gable_smdot gable_dmdot: result_j := sum of X_ij y_i, k numbers (0 for n = 0) */
GABLE_API gable_status GABLE_FN(mdot)(gable_context *ctx, int64_t n, int64_t k, const GABLE_T *X,
                                      int64_t ldx, const GABLE_T *y, int64_t incy, GABLE_T *result);
#endif

/* gable_smnrm2 gable_dmnrm2 gable_scmnrm2 gable_dzmnrm2: result_j := sqrt(sum of |X_ij|^2), k reals
 * (0 for n = 0): the norms of the columns. X is read once; overflow, NaN and Inf as nrm2, column by
 * column. */
GABLE_API gable_status GABLE_FN_R(mnrm2)(gable_context *ctx, int64_t n, int64_t k, const GABLE_T *X,
                                         int64_t ldx, GABLE_R *result);

/* gable_smaxpy gable_dmaxpy gable_cmaxpy gable_zmaxpy: y := y + alpha (a_0 x_0 + a_1 x_1 + ...). a
 * is host memory, k numbers. With alpha = 0 nothing is read; an a_j = 0 does not skip its
 * column. */
GABLE_API gable_status GABLE_FN(maxpy)(gable_context *ctx, int64_t n, int64_t k, GABLE_T alpha,
                                       const GABLE_T *a, const GABLE_T *X, int64_t ldx, GABLE_T *y,
                                       int64_t incy);
/* gable_smaxpy_dev gable_dmaxpy_dev gable_cmaxpy_dev gable_zmaxpy_dev: a on the device (what mdot
 * left there), alpha by value: -1 takes projections away. y passes through memory once, whatever k
 * is. */
GABLE_API gable_status GABLE_FN(maxpy_dev)(gable_context *ctx, int64_t n, int64_t k, GABLE_T alpha,
                                           const GABLE_T *a, const GABLE_T *X, int64_t ldx,
                                           GABLE_T *y, int64_t incy);

/* ---- Matrices and vectors: A is m by n, column-major, lda >= max(1, m) ---- */

/* gable_sgemv gable_dgemv gable_cgemv gable_zgemv: y := alpha op(A) x + beta y, where op(A) is A
 * (GABLE_NO_TRANS; x has n elements, y has m), its transpose or its conjugate transpose (x has m
 * elements, y has n). With alpha = 0 A and x are not read, with beta = 0 y is not. m = 0 or n = 0
 * leaves y as it is, as in BLAS. */
GABLE_API gable_status GABLE_FN(gemv)(gable_context *ctx, gable_trans trans, int64_t m, int64_t n,
                                      GABLE_T alpha, const GABLE_T *A, int64_t lda,
                                      const GABLE_T *x, int64_t incx, GABLE_T beta, GABLE_T *y,
                                      int64_t incy);
/* gable_sgemv_dev gable_dgemv_dev gable_cgemv_dev gable_zgemv_dev: alpha and beta on the device */
GABLE_API gable_status GABLE_FN(gemv_dev)(gable_context *ctx, gable_trans trans, int64_t m,
                                          int64_t n, const GABLE_T *alpha, const GABLE_T *A,
                                          int64_t lda, const GABLE_T *x, int64_t incx,
                                          const GABLE_T *beta, GABLE_T *y, int64_t incy);

/* gable_ssymv gable_dsymv gable_csymv gable_zsymv: y := alpha A x + beta y, where A is n by n and
 * symmetric, also in c and z: only the triangle that uplo names is used. With alpha = 0 A and x are
 * not read, with beta = 0 y is not. n = 0 does nothing. y must not overlap A or x. */
GABLE_API gable_status GABLE_FN(symv)(gable_context *ctx, gable_uplo uplo, int64_t n, GABLE_T alpha,
                                      const GABLE_T *A, int64_t lda, const GABLE_T *x, int64_t incx,
                                      GABLE_T beta, GABLE_T *y, int64_t incy);
/* gable_ssymv_dev gable_dsymv_dev gable_csymv_dev gable_zsymv_dev: alpha and beta on the device */
GABLE_API gable_status GABLE_FN(symv_dev)(gable_context *ctx, gable_uplo uplo, int64_t n,
                                          const GABLE_T *alpha, const GABLE_T *A, int64_t lda,
                                          const GABLE_T *x, int64_t incx, const GABLE_T *beta,
                                          GABLE_T *y, int64_t incy);
#if GABLE_COMPLEX
/* gable_chemv gable_zhemv: the same where A is Hermitian. Imaginary parts of its diagonal are not
 * used. */
GABLE_API gable_status GABLE_FN(hemv)(gable_context *ctx, gable_uplo uplo, int64_t n, GABLE_T alpha,
                                      const GABLE_T *A, int64_t lda, const GABLE_T *x, int64_t incx,
                                      GABLE_T beta, GABLE_T *y, int64_t incy);
/* gable_chemv_dev gable_zhemv_dev: alpha and beta on the device */
GABLE_API gable_status GABLE_FN(hemv_dev)(gable_context *ctx, gable_uplo uplo, int64_t n,
                                          const GABLE_T *alpha, const GABLE_T *A, int64_t lda,
                                          const GABLE_T *x, int64_t incx, const GABLE_T *beta,
                                          GABLE_T *y, int64_t incy);
#endif

/* ---- Triangular matrices: A is n by n; uplo says which triangle is read, the other never is
 * ---- */

/* gable_strmv gable_dtrmv gable_ctrmv gable_ztrmv: x := op(A) x. With GABLE_UNIT the diagonal is
 * taken as ones and not read. A must not overlap x; incx must not be 0. */
GABLE_API gable_status GABLE_FN(trmv)(gable_context *ctx, gable_uplo uplo, gable_trans trans,
                                      gable_diag diag, int64_t n, const GABLE_T *A, int64_t lda,
                                      GABLE_T *x, int64_t incx);
/* gable_strsv gable_dtrsv gable_ctrsv gable_ztrsv: x := op(A)^-1 x, by substitution. As in BLAS
 * there is no test for singular matrices: a zero on the diagonal gives Inf or NaN. Otherwise as
 * trmv. */
GABLE_API gable_status GABLE_FN(trsv)(gable_context *ctx, gable_uplo uplo, gable_trans trans,
                                      gable_diag diag, int64_t n, const GABLE_T *A, int64_t lda,
                                      GABLE_T *x, int64_t incx);

/* ---- Band matrices: column j of A is stored in column j of an array of lda rows, its element on
 * the main diagonal in row ku (in row k of an upper triangle, in row 0 of a lower one). Places
 * outside of the matrix are not read. ---- */

/* gable_sgbmv gable_dgbmv gable_cgbmv gable_zgbmv: y := alpha op(A) x + beta y, A m by n with kl
 * diagonals below the main one and ku above. Otherwise as gemv. */
GABLE_API gable_status GABLE_FN(gbmv)(gable_context *ctx, gable_trans trans, int64_t m, int64_t n,
                                      int64_t kl, int64_t ku, GABLE_T alpha, const GABLE_T *A,
                                      int64_t lda, const GABLE_T *x, int64_t incx, GABLE_T beta,
                                      GABLE_T *y, int64_t incy);
/* gable_sgbmv_dev gable_dgbmv_dev gable_cgbmv_dev gable_zgbmv_dev: alpha and beta on the device */
GABLE_API gable_status GABLE_FN(gbmv_dev)(gable_context *ctx, gable_trans trans, int64_t m,
                                          int64_t n, int64_t kl, int64_t ku, const GABLE_T *alpha,
                                          const GABLE_T *A, int64_t lda, const GABLE_T *x,
                                          int64_t incx, const GABLE_T *beta, GABLE_T *y,
                                          int64_t incy);
/* gable_ssbmv gable_dsbmv gable_csbmv gable_zsbmv: y := alpha A x + beta y, A symmetric with k
 * diagonals on either side of the main one, of which uplo names the side that is stored. Otherwise
 * as symv. */
GABLE_API gable_status GABLE_FN(sbmv)(gable_context *ctx, gable_uplo uplo, int64_t n, int64_t k,
                                      GABLE_T alpha, const GABLE_T *A, int64_t lda,
                                      const GABLE_T *x, int64_t incx, GABLE_T beta, GABLE_T *y,
                                      int64_t incy);
/* gable_ssbmv_dev gable_dsbmv_dev gable_csbmv_dev gable_zsbmv_dev: alpha and beta on the device */
GABLE_API gable_status GABLE_FN(sbmv_dev)(gable_context *ctx, gable_uplo uplo, int64_t n, int64_t k,
                                          const GABLE_T *alpha, const GABLE_T *A, int64_t lda,
                                          const GABLE_T *x, int64_t incx, const GABLE_T *beta,
                                          GABLE_T *y, int64_t incy);
#if GABLE_COMPLEX
/* gable_chbmv gable_zhbmv: the same, A Hermitian; imaginary parts of its diagonal are not read */
GABLE_API gable_status GABLE_FN(hbmv)(gable_context *ctx, gable_uplo uplo, int64_t n, int64_t k,
                                      GABLE_T alpha, const GABLE_T *A, int64_t lda,
                                      const GABLE_T *x, int64_t incx, GABLE_T beta, GABLE_T *y,
                                      int64_t incy);
/* gable_chbmv_dev gable_zhbmv_dev: alpha and beta on the device */
GABLE_API gable_status GABLE_FN(hbmv_dev)(gable_context *ctx, gable_uplo uplo, int64_t n, int64_t k,
                                          const GABLE_T *alpha, const GABLE_T *A, int64_t lda,
                                          const GABLE_T *x, int64_t incx, const GABLE_T *beta,
                                          GABLE_T *y, int64_t incy);
#endif
/* gable_stbmv gable_dtbmv gable_ctbmv gable_ztbmv: x := op(A) x, A triangular with k diagonals
 * beside the main one. Otherwise as trmv. */
GABLE_API gable_status GABLE_FN(tbmv)(gable_context *ctx, gable_uplo uplo, gable_trans trans,
                                      gable_diag diag, int64_t n, int64_t k, const GABLE_T *A,
                                      int64_t lda, GABLE_T *x, int64_t incx);
/* gable_stbsv gable_dtbsv gable_ctbsv gable_ztbsv: x := op(A)^-1 x. Otherwise as trsv. */
GABLE_API gable_status GABLE_FN(tbsv)(gable_context *ctx, gable_uplo uplo, gable_trans trans,
                                      gable_diag diag, int64_t n, int64_t k, const GABLE_T *A,
                                      int64_t lda, GABLE_T *x, int64_t incx);

#include "gable/typed_packed.h"

/* ---- Updates of a matrix: every element is read and written once ---- */

#if GABLE_COMPLEX
/* gable_cgeru gable_zgeru: A := A + alpha x y^T. x has m elements, y has n. With alpha = 0 nothing
 * is read or written. A must not overlap x or y. */
GABLE_API gable_status GABLE_FN(geru)(gable_context *ctx, int64_t m, int64_t n, GABLE_T alpha,
                                      const GABLE_T *x, int64_t incx, const GABLE_T *y,
                                      int64_t incy, GABLE_T *A, int64_t lda);
/* gable_cgeru_dev gable_zgeru_dev: alpha on the device */
GABLE_API gable_status GABLE_FN(geru_dev)(gable_context *ctx, int64_t m, int64_t n,
                                          const GABLE_T *alpha, const GABLE_T *x, int64_t incx,
                                          const GABLE_T *y, int64_t incy, GABLE_T *A, int64_t lda);
/* gable_cgerc gable_zgerc: A := A + alpha x y^H, likewise */
GABLE_API gable_status GABLE_FN(gerc)(gable_context *ctx, int64_t m, int64_t n, GABLE_T alpha,
                                      const GABLE_T *x, int64_t incx, const GABLE_T *y,
                                      int64_t incy, GABLE_T *A, int64_t lda);
/* gable_cgerc_dev gable_zgerc_dev: alpha on the device */
GABLE_API gable_status GABLE_FN(gerc_dev)(gable_context *ctx, int64_t m, int64_t n,
                                          const GABLE_T *alpha, const GABLE_T *x, int64_t incx,
                                          const GABLE_T *y, int64_t incy, GABLE_T *A, int64_t lda);
#else
/* gable_sger gable_dger: A := A + alpha x y^T. x has m elements, y has n. With alpha = 0 nothing is
 * read or written. A must not overlap x or y. */
GABLE_API gable_status GABLE_FN(ger)(gable_context *ctx, int64_t m, int64_t n, GABLE_T alpha,
                                     const GABLE_T *x, int64_t incx, const GABLE_T *y, int64_t incy,
                                     GABLE_T *A, int64_t lda);
/* gable_sger_dev gable_dger_dev: alpha on the device */
GABLE_API gable_status GABLE_FN(ger_dev)(gable_context *ctx, int64_t m, int64_t n,
                                         const GABLE_T *alpha, const GABLE_T *x, int64_t incx,
                                         const GABLE_T *y, int64_t incy, GABLE_T *A, int64_t lda);
#endif

/* gable_ssyr gable_dsyr gable_csyr gable_zsyr: A := A + alpha x x^T, where A is n by n and
 * symmetric, also in c and z: only the triangle that uplo names is read and written. With alpha = 0
 * nothing is. A must not overlap x. */
GABLE_API gable_status GABLE_FN(syr)(gable_context *ctx, gable_uplo uplo, int64_t n, GABLE_T alpha,
                                     const GABLE_T *x, int64_t incx, GABLE_T *A, int64_t lda);
/* gable_ssyr_dev gable_dsyr_dev gable_csyr_dev gable_zsyr_dev: alpha on the device */
GABLE_API gable_status GABLE_FN(syr_dev)(gable_context *ctx, gable_uplo uplo, int64_t n,
                                         const GABLE_T *alpha, const GABLE_T *x, int64_t incx,
                                         GABLE_T *A, int64_t lda);

/* gable_ssyr2 gable_dsyr2 gable_csyr2 gable_zsyr2: A := A + alpha x y^T + alpha y x^T, likewise */
GABLE_API gable_status GABLE_FN(syr2)(gable_context *ctx, gable_uplo uplo, int64_t n, GABLE_T alpha,
                                      const GABLE_T *x, int64_t incx, const GABLE_T *y,
                                      int64_t incy, GABLE_T *A, int64_t lda);
/* gable_ssyr2_dev gable_dsyr2_dev gable_csyr2_dev gable_zsyr2_dev: alpha on the device */
GABLE_API gable_status GABLE_FN(syr2_dev)(gable_context *ctx, gable_uplo uplo, int64_t n,
                                          const GABLE_T *alpha, const GABLE_T *x, int64_t incx,
                                          const GABLE_T *y, int64_t incy, GABLE_T *A, int64_t lda);

#if GABLE_COMPLEX
/* gable_cher gable_zher: A := A + alpha x x^H with a real alpha, where A is n by n and Hermitian:
 * only the triangle that uplo names is read and written. Imaginary parts of the diagonal are not
 * used and become 0. With alpha = 0 nothing is read or written. A must not overlap x. */
GABLE_API gable_status GABLE_FN(her)(gable_context *ctx, gable_uplo uplo, int64_t n, GABLE_R alpha,
                                     const GABLE_T *x, int64_t incx, GABLE_T *A, int64_t lda);
/* gable_cher_dev gable_zher_dev: alpha on the device */
GABLE_API gable_status GABLE_FN(her_dev)(gable_context *ctx, gable_uplo uplo, int64_t n,
                                         const GABLE_R *alpha, const GABLE_T *x, int64_t incx,
                                         GABLE_T *A, int64_t lda);
/* gable_cher2 gable_zher2: A := A + alpha x y^H + conj(alpha) y x^H, likewise */
GABLE_API gable_status GABLE_FN(her2)(gable_context *ctx, gable_uplo uplo, int64_t n, GABLE_T alpha,
                                      const GABLE_T *x, int64_t incx, const GABLE_T *y,
                                      int64_t incy, GABLE_T *A, int64_t lda);
/* gable_cher2_dev gable_zher2_dev: alpha on the device */
GABLE_API gable_status GABLE_FN(her2_dev)(gable_context *ctx, gable_uplo uplo, int64_t n,
                                          const GABLE_T *alpha, const GABLE_T *x, int64_t incx,
                                          const GABLE_T *y, int64_t incy, GABLE_T *A, int64_t lda);
#endif

/* gable_sgemv_batched gable_dgemv_batched gable_cgemv_batched gable_zgemv_batched: gemv for `batch`
 * matrices of one shape at once. A, x and y are arrays of `batch` addresses, and they and what they
 * point to are device memory; the addresses are not checked. Vectors that are written must not
 * overlap. Otherwise as gemv; batch = 0 does nothing. */
GABLE_API gable_status GABLE_FN(gemv_batched)(gable_context *ctx, gable_trans trans, int64_t m,
                                              int64_t n, GABLE_T alpha, const GABLE_T *const *A,
                                              int64_t lda, const GABLE_T *const *x, int64_t incx,
                                              GABLE_T beta, GABLE_T *const *y, int64_t incy,
                                              int64_t batch);
/* gable_sgemv_batched_dev gable_dgemv_batched_dev gable_cgemv_batched_dev gable_zgemv_batched_dev:
 * alpha and beta on the device, one of each for all */
GABLE_API gable_status GABLE_FN(gemv_batched_dev)(gable_context *ctx, gable_trans trans, int64_t m,
                                                  int64_t n, const GABLE_T *alpha,
                                                  const GABLE_T *const *A, int64_t lda,
                                                  const GABLE_T *const *x, int64_t incx,
                                                  const GABLE_T *beta, GABLE_T *const *y,
                                                  int64_t incy, int64_t batch);

/* gable_sgemv_strided gable_dgemv_strided gable_cgemv_strided gable_zgemv_strided: the same where
 * the operands of product b start b * stride_a, b * stride_x and b * stride_y elements behind those
 * of the first. stride_a or stride_x = 0: all products have that operand. stride_y = 0 is refused
 * unless batch is 1. */
GABLE_API gable_status GABLE_FN(gemv_strided)(gable_context *ctx, gable_trans trans, int64_t m,
                                              int64_t n, GABLE_T alpha, const GABLE_T *A,
                                              int64_t lda, int64_t stride_a, const GABLE_T *x,
                                              int64_t incx, int64_t stride_x, GABLE_T beta,
                                              GABLE_T *y, int64_t incy, int64_t stride_y,
                                              int64_t batch);
/* gable_sgemv_strided_dev gable_dgemv_strided_dev gable_cgemv_strided_dev gable_zgemv_strided_dev:
 * alpha and beta on the device */
GABLE_API gable_status GABLE_FN(gemv_strided_dev)(gable_context *ctx, gable_trans trans, int64_t m,
                                                  int64_t n, const GABLE_T *alpha, const GABLE_T *A,
                                                  int64_t lda, int64_t stride_a, const GABLE_T *x,
                                                  int64_t incx, int64_t stride_x,
                                                  const GABLE_T *beta, GABLE_T *y, int64_t incy,
                                                  int64_t stride_y, int64_t batch);

/* ---- Matrices: products of two ---- */

/* gable_sgemm gable_dgemm gable_cgemm gable_zgemm: C := alpha op(A) op(B) + beta C, C m by n, op(A)
 * m by k, op(B) k by n, each op nothing, the transpose or the conjugate transpose. With alpha = 0
 * or k = 0 A and B are not read; with beta = 0 C is not. C must not overlap A or B. */
GABLE_API gable_status GABLE_FN(gemm)(gable_context *ctx, gable_trans transa, gable_trans transb,
                                      int64_t m, int64_t n, int64_t k, GABLE_T alpha,
                                      const GABLE_T *A, int64_t lda, const GABLE_T *B, int64_t ldb,
                                      GABLE_T beta, GABLE_T *C, int64_t ldc);
/* gable_sgemm_dev gable_dgemm_dev gable_cgemm_dev gable_zgemm_dev: alpha and beta on the device */
GABLE_API gable_status GABLE_FN(gemm_dev)(gable_context *ctx, gable_trans transa,
                                          gable_trans transb, int64_t m, int64_t n, int64_t k,
                                          const GABLE_T *alpha, const GABLE_T *A, int64_t lda,
                                          const GABLE_T *B, int64_t ldb, const GABLE_T *beta,
                                          GABLE_T *C, int64_t ldc);

#include "gable/typed_level3.h"

#include "gable/typed_lapack.h"
#include "gable/typed_sparse.h"

#include "gable/typed_host.h"
#include "gable/typed_host_lapack.h"

/* gable_sgemm_batched gable_dgemm_batched gable_cgemm_batched gable_zgemm_batched: gemm for `batch`
 * batch entries of one shape at once. A, B and C are arrays of `batch` addresses, and they and what
 * they point to are device memory; the addresses are not checked.
 * Matrices that are written must not overlap. Otherwise as gemm; batch = 0 does nothing. */
GABLE_API gable_status GABLE_FN(gemm_batched)(gable_context *ctx, gable_trans transa,
                                              gable_trans transb, int64_t m, int64_t n, int64_t k,
                                              GABLE_T alpha, const GABLE_T *const *A, int64_t lda,
                                              const GABLE_T *const *B, int64_t ldb, GABLE_T beta,
                                              GABLE_T *const *C, int64_t ldc, int64_t batch);
/* gable_sgemm_batched_dev gable_dgemm_batched_dev gable_cgemm_batched_dev gable_zgemm_batched_dev:
 * alpha and beta on the device, one of each for all */
GABLE_API gable_status GABLE_FN(gemm_batched_dev)(
    gable_context *ctx, gable_trans transa, gable_trans transb, int64_t m, int64_t n, int64_t k,
    const GABLE_T *alpha, const GABLE_T *const *A, int64_t lda, const GABLE_T *const *B,
    int64_t ldb, const GABLE_T *beta, GABLE_T *const *C, int64_t ldc, int64_t batch);

/* gable_sgemm_strided gable_dgemm_strided gable_cgemm_strided gable_zgemm_strided: the same where
 * the matrices of batch entry b start b * stride_a, b * stride_b and b * stride_c elements behind
 * those of the first. stride_a or stride_b = 0: all batch entries have that matrix. stride_c = 0 is
 * refused unless batch is 1. */
GABLE_API gable_status GABLE_FN(gemm_strided)(gable_context *ctx, gable_trans transa,
                                              gable_trans transb, int64_t m, int64_t n, int64_t k,
                                              GABLE_T alpha, const GABLE_T *A, int64_t lda,
                                              int64_t stride_a, const GABLE_T *B, int64_t ldb,
                                              int64_t stride_b, GABLE_T beta, GABLE_T *C,
                                              int64_t ldc, int64_t stride_c, int64_t batch);
/* gable_sgemm_strided_dev gable_dgemm_strided_dev gable_cgemm_strided_dev gable_zgemm_strided_dev:
 * alpha and beta on the device */
GABLE_API gable_status GABLE_FN(gemm_strided_dev)(gable_context *ctx, gable_trans transa,
                                                  gable_trans transb, int64_t m, int64_t n,
                                                  int64_t k, const GABLE_T *alpha, const GABLE_T *A,
                                                  int64_t lda, int64_t stride_a, const GABLE_T *B,
                                                  int64_t ldb, int64_t stride_b,
                                                  const GABLE_T *beta, GABLE_T *C, int64_t ldc,
                                                  int64_t stride_c, int64_t batch);

/* gable_strsm_batched gable_dtrsm_batched gable_ctrsm_batched gable_ztrsm_batched: B := alpha
 * inv(op(A)) B, or alpha B inv(op(A)) where side is GABLE_RIGHT, for `batch` batch entries of one
 * shape at once. A is triangular, of order m on the left and n on the right; the other triangle is
 * not read, nor is the diagonal where diag is GABLE_UNIT. B is m by n. No test for a singular A is
 * made. With alpha = 0 A and B are not read and B becomes 0. A and B are arrays of `batch`
 * addresses, and they and what they point to are device memory; the addresses are not checked.
 * Matrices that are written must not overlap. batch = 0 does nothing. */
GABLE_API gable_status GABLE_FN(trsm_batched)(gable_context *ctx, gable_side side, gable_uplo uplo,
                                              gable_trans trans, gable_diag diag, int64_t m,
                                              int64_t n, GABLE_T alpha, const GABLE_T *const *A,
                                              int64_t lda, GABLE_T *const *B, int64_t ldb,
                                              int64_t batch);
/* gable_strsm_batched_dev gable_dtrsm_batched_dev gable_ctrsm_batched_dev gable_ztrsm_batched_dev:
 * alpha on the device, one for all */
GABLE_API gable_status GABLE_FN(trsm_batched_dev)(gable_context *ctx, gable_side side,
                                                  gable_uplo uplo, gable_trans trans,
                                                  gable_diag diag, int64_t m, int64_t n,
                                                  const GABLE_T *alpha, const GABLE_T *const *A,
                                                  int64_t lda, GABLE_T *const *B, int64_t ldb,
                                                  int64_t batch);

/* gable_strsm_strided gable_dtrsm_strided gable_ctrsm_strided gable_ztrsm_strided: the same where
 * the matrices of batch entry b start b * stride_a and b * stride_b elements behind those of the
 * first. stride_a = 0: all batch entries have that matrix.
 * stride_b = 0 is refused unless batch is 1. */
GABLE_API gable_status GABLE_FN(trsm_strided)(gable_context *ctx, gable_side side, gable_uplo uplo,
                                              gable_trans trans, gable_diag diag, int64_t m,
                                              int64_t n, GABLE_T alpha, const GABLE_T *A,
                                              int64_t lda, int64_t stride_a, GABLE_T *B,
                                              int64_t ldb, int64_t stride_b, int64_t batch);
/* gable_strsm_strided_dev gable_dtrsm_strided_dev gable_ctrsm_strided_dev gable_ztrsm_strided_dev:
 * alpha on the device */
GABLE_API gable_status GABLE_FN(trsm_strided_dev)(gable_context *ctx, gable_side side,
                                                  gable_uplo uplo, gable_trans trans,
                                                  gable_diag diag, int64_t m, int64_t n,
                                                  const GABLE_T *alpha, const GABLE_T *A,
                                                  int64_t lda, int64_t stride_a, GABLE_T *B,
                                                  int64_t ldb, int64_t stride_b, int64_t batch);

/* ---- Matrices: sums and transposition ---- */

/* gable_sgeam gable_dgeam gable_cgeam gable_zgeam: C := alpha op(A) + beta op(B), C m by n, each op
 * nothing, the transpose or the conjugate transpose: A and B are m by n, or n by m where they are
 * transposed. With alpha = 0 A is not read and may be NULL; with beta = 0 so is B. C may be A where
 * transa is GABLE_NO_TRANS and lda = ldc, likewise B; any other overlap of C with an operand that
 * is read is not allowed. */
GABLE_API gable_status GABLE_FN(geam)(gable_context *ctx, gable_trans transa, gable_trans transb,
                                      int64_t m, int64_t n, GABLE_T alpha, const GABLE_T *A,
                                      int64_t lda, GABLE_T beta, const GABLE_T *B, int64_t ldb,
                                      GABLE_T *C, int64_t ldc);
/* gable_sgeam_dev gable_dgeam_dev gable_cgeam_dev gable_zgeam_dev: alpha and beta on the device. A
 * and B are checked as if neither were 0; what is multiplied by 0 is not read. */
GABLE_API gable_status GABLE_FN(geam_dev)(gable_context *ctx, gable_trans transa,
                                          gable_trans transb, int64_t m, int64_t n,
                                          const GABLE_T *alpha, const GABLE_T *A, int64_t lda,
                                          const GABLE_T *beta, const GABLE_T *B, int64_t ldb,
                                          GABLE_T *C, int64_t ldc);

/* gable_stranspose gable_dtranspose gable_ctranspose gable_ztranspose: B := op(A), A m by n. op is
 * nothing (GABLE_NO_TRANS: a copy of a matrix; B is m by n), the transpose or the conjugate
 * transpose (B is n by m). B may be A where lda = ldb and, unless trans is GABLE_NO_TRANS, m = n:
 * then A is transposed in place. Any other overlap is not allowed. */
GABLE_API gable_status GABLE_FN(transpose)(gable_context *ctx, gable_trans trans, int64_t m,
                                           int64_t n, const GABLE_T *A, int64_t lda, GABLE_T *B,
                                           int64_t ldb);

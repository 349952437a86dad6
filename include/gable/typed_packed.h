/* typed_packed.h: matrices of which one triangle is stored, packed: declared and documented once.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A part of typed.h, which includes it with its macros set. What is common to all routines stands
 * there.
 */

/* ---- Packed triangles: the columns of the triangle that uplo names, one behind the other, n (n +
 * 1) / 2 elements ---- */

/* gable_sspmv gable_dspmv gable_cspmv gable_zspmv: y := alpha A x + beta y, A symmetric. Otherwise
 * as symv. */
GABLE_API gable_status GABLE_FN(spmv)(gable_context *ctx, gable_uplo uplo, int64_t n, GABLE_T alpha,
                                      const GABLE_T *AP, const GABLE_T *x, int64_t incx,
                                      GABLE_T beta, GABLE_T *y, int64_t incy);
/* gable_sspmv_dev gable_dspmv_dev gable_cspmv_dev gable_zspmv_dev: alpha and beta on the device */
GABLE_API gable_status GABLE_FN(spmv_dev)(gable_context *ctx, gable_uplo uplo, int64_t n,
                                          const GABLE_T *alpha, const GABLE_T *AP, const GABLE_T *x,
                                          int64_t incx, const GABLE_T *beta, GABLE_T *y,
                                          int64_t incy);
#if GABLE_COMPLEX
/* gable_chpmv gable_zhpmv: the same, A Hermitian; imaginary parts of its diagonal are not read */
GABLE_API gable_status GABLE_FN(hpmv)(gable_context *ctx, gable_uplo uplo, int64_t n, GABLE_T alpha,
                                      const GABLE_T *AP, const GABLE_T *x, int64_t incx,
                                      GABLE_T beta, GABLE_T *y, int64_t incy);
/* gable_chpmv_dev gable_zhpmv_dev: alpha and beta on the device */
GABLE_API gable_status GABLE_FN(hpmv_dev)(gable_context *ctx, gable_uplo uplo, int64_t n,
                                          const GABLE_T *alpha, const GABLE_T *AP, const GABLE_T *x,
                                          int64_t incx, const GABLE_T *beta, GABLE_T *y,
                                          int64_t incy);
#endif
/* gable_stpmv gable_dtpmv gable_ctpmv gable_ztpmv: x := op(A) x. Otherwise as trmv. */
GABLE_API gable_status GABLE_FN(tpmv)(gable_context *ctx, gable_uplo uplo, gable_trans trans,
                                      gable_diag diag, int64_t n, const GABLE_T *AP, GABLE_T *x,
                                      int64_t incx);
/* gable_stpsv gable_dtpsv gable_ctpsv gable_ztpsv: x := op(A)^-1 x. Otherwise as trsv. */
GABLE_API gable_status GABLE_FN(tpsv)(gable_context *ctx, gable_uplo uplo, gable_trans trans,
                                      gable_diag diag, int64_t n, const GABLE_T *AP, GABLE_T *x,
                                      int64_t incx);

/* gable_sspr gable_dspr gable_cspr gable_zspr: A := A + alpha x x^T, A symmetric, also in c and z.
 * Every element is read and written once; with alpha = 0 none is. AP must not overlap x. */
GABLE_API gable_status GABLE_FN(spr)(gable_context *ctx, gable_uplo uplo, int64_t n, GABLE_T alpha,
                                     const GABLE_T *x, int64_t incx, GABLE_T *AP);
/* gable_sspr_dev gable_dspr_dev gable_cspr_dev gable_zspr_dev: alpha on the device */
GABLE_API gable_status GABLE_FN(spr_dev)(gable_context *ctx, gable_uplo uplo, int64_t n,
                                         const GABLE_T *alpha, const GABLE_T *x, int64_t incx,
                                         GABLE_T *AP);
/* gable_sspr2 gable_dspr2 gable_cspr2 gable_zspr2: A := A + alpha x y^T + alpha y x^T, likewise */
GABLE_API gable_status GABLE_FN(spr2)(gable_context *ctx, gable_uplo uplo, int64_t n, GABLE_T alpha,
                                      const GABLE_T *x, int64_t incx, const GABLE_T *y,
                                      int64_t incy, GABLE_T *AP);
/* gable_sspr2_dev gable_dspr2_dev gable_cspr2_dev gable_zspr2_dev: alpha on the device */
GABLE_API gable_status GABLE_FN(spr2_dev)(gable_context *ctx, gable_uplo uplo, int64_t n,
                                          const GABLE_T *alpha, const GABLE_T *x, int64_t incx,
                                          const GABLE_T *y, int64_t incy, GABLE_T *AP);
#if GABLE_COMPLEX
/* gable_chpr gable_zhpr: A := A + alpha x x^H with a real alpha, A Hermitian. Imaginary parts of
 * the diagonal are not used and become 0. With alpha = 0 nothing is read or written. AP must not
 * overlap x. */
GABLE_API gable_status GABLE_FN(hpr)(gable_context *ctx, gable_uplo uplo, int64_t n, GABLE_R alpha,
                                     const GABLE_T *x, int64_t incx, GABLE_T *AP);
/* gable_chpr_dev gable_zhpr_dev: alpha on the device */
GABLE_API gable_status GABLE_FN(hpr_dev)(gable_context *ctx, gable_uplo uplo, int64_t n,
                                         const GABLE_R *alpha, const GABLE_T *x, int64_t incx,
                                         GABLE_T *AP);
/* gable_chpr2 gable_zhpr2: A := A + alpha x y^H + conj(alpha) y x^H, likewise */
GABLE_API gable_status GABLE_FN(hpr2)(gable_context *ctx, gable_uplo uplo, int64_t n, GABLE_T alpha,
                                      const GABLE_T *x, int64_t incx, const GABLE_T *y,
                                      int64_t incy, GABLE_T *AP);
/* gable_chpr2_dev gable_zhpr2_dev: alpha on the device */
GABLE_API gable_status GABLE_FN(hpr2_dev)(gable_context *ctx, gable_uplo uplo, int64_t n,
                                          const GABLE_T *alpha, const GABLE_T *x, int64_t incx,
                                          const GABLE_T *y, int64_t incy, GABLE_T *AP);
#endif

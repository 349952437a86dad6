/* band_doors.c: the typed doors of routines with band matrices.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled once per precision; no decisions.
 */
#include "api/typed/door.h"
#include "blas/level2/level2.h"

static gbl_matrix_call general(gable_trans trans, int64_t m, int64_t n, int64_t kl, int64_t ku,
                               gbl_scalar alpha, const T *A, int64_t lda, const T *x, int64_t incx,
                               gbl_scalar beta, T *y, int64_t incy)
{
    return (gbl_matrix_call)CALL(.trans = trans, .storage = GBL_BAND, .m = m, .n = n, .kl = kl,
                                 .ku = ku, .alpha = alpha, .beta = beta, .A = IN(A), .lda = lda,
                                 .x = IN(x), .incx = incx, .y = y, .incy = incy);
}

static gbl_matrix_call symmetric(gable_uplo uplo, bool conj, int64_t n, int64_t k, gbl_scalar alpha,
                                 const T *A, int64_t lda, const T *x, int64_t incx, gbl_scalar beta,
                                 T *y, int64_t incy)
{
    return (gbl_matrix_call)CALL(.uplo = uplo, .conj = conj, .storage = GBL_BAND, .m = n, .n = n,
                                 .kl = k, .ku = k, .alpha = alpha, .beta = beta, .A = IN(A),
                                 .lda = lda, .x = IN(x), .incx = incx, .y = y, .incy = incy);
}

static gbl_matrix_call triangular(gable_uplo uplo, gable_trans trans, gable_diag diag, int64_t n,
                                  int64_t k, const T *A, int64_t lda, T *x, int64_t incx)
{
    return (gbl_matrix_call)CALL(.uplo = uplo, .trans = trans, .diag = diag, .storage = GBL_BAND,
                                 .m = n, .n = n, .kl = k, .ku = k, .A = IN(A), .lda = lda, .x = x,
                                 .incx = incx, .incy = 1);
}

/* gable_sgbmv gable_dgbmv gable_cgbmv gable_zgbmv: y := alpha op(A) x + beta y */
gable_status FN(gbmv)(gable_context *ctx, gable_trans trans, int64_t m, int64_t n, int64_t kl,
                      int64_t ku, T alpha, const T *A, int64_t lda, const T *x, int64_t incx,
                      T beta, T *y, int64_t incy)
{
    const gbl_matrix_call call =
        general(trans, m, n, kl, ku, VALUE(alpha), A, lda, x, incx, VALUE(beta), y, incy);
    return gbl_gbmv(ctx, NAME(FN(gbmv)), &call);
}

/* gable_sgbmv_dev gable_dgbmv_dev gable_cgbmv_dev gable_zgbmv_dev: alpha and beta on the device */
gable_status FN(gbmv_dev)(gable_context *ctx, gable_trans trans, int64_t m, int64_t n, int64_t kl,
                          int64_t ku, const T *alpha, const T *A, int64_t lda, const T *x,
                          int64_t incx, const T *beta, T *y, int64_t incy)
{
    const gbl_matrix_call call =
        general(trans, m, n, kl, ku, AT(alpha), A, lda, x, incx, AT(beta), y, incy);
    return gbl_gbmv(ctx, NAME(FN(gbmv_dev)), &call);
}

/* gable_ssbmv gable_dsbmv gable_csbmv gable_zsbmv: y := alpha A x + beta y, A symmetric */
gable_status FN(sbmv)(gable_context *ctx, gable_uplo uplo, int64_t n, int64_t k, T alpha,
                      const T *A, int64_t lda, const T *x, int64_t incx, T beta, T *y, int64_t incy)
{
    const gbl_matrix_call call =
        symmetric(uplo, false, n, k, VALUE(alpha), A, lda, x, incx, VALUE(beta), y, incy);
    return gbl_sbmv(ctx, NAME(FN(sbmv)), &call);
}

/* gable_ssbmv_dev gable_dsbmv_dev gable_csbmv_dev gable_zsbmv_dev: alpha and beta on the device */
gable_status FN(sbmv_dev)(gable_context *ctx, gable_uplo uplo, int64_t n, int64_t k, const T *alpha,
                          const T *A, int64_t lda, const T *x, int64_t incx, const T *beta, T *y,
                          int64_t incy)
{
    const gbl_matrix_call call =
        symmetric(uplo, false, n, k, AT(alpha), A, lda, x, incx, AT(beta), y, incy);
    return gbl_sbmv(ctx, NAME(FN(sbmv_dev)), &call);
}

#if COMPLEX
/* gable_chbmv gable_zhbmv: y := alpha A x + beta y, A Hermitian */
gable_status FN(hbmv)(gable_context *ctx, gable_uplo uplo, int64_t n, int64_t k, T alpha,
                      const T *A, int64_t lda, const T *x, int64_t incx, T beta, T *y, int64_t incy)
{
    const gbl_matrix_call call =
        symmetric(uplo, true, n, k, VALUE(alpha), A, lda, x, incx, VALUE(beta), y, incy);
    return gbl_sbmv(ctx, NAME(FN(hbmv)), &call);
}

/* gable_chbmv_dev gable_zhbmv_dev: alpha and beta on the device */
gable_status FN(hbmv_dev)(gable_context *ctx, gable_uplo uplo, int64_t n, int64_t k, const T *alpha,
                          const T *A, int64_t lda, const T *x, int64_t incx, const T *beta, T *y,
                          int64_t incy)
{
    const gbl_matrix_call call =
        symmetric(uplo, true, n, k, AT(alpha), A, lda, x, incx, AT(beta), y, incy);
    return gbl_sbmv(ctx, NAME(FN(hbmv_dev)), &call);
}
#endif

/* gable_stbmv gable_dtbmv gable_ctbmv gable_ztbmv: x := op(A) x */
gable_status FN(tbmv)(gable_context *ctx, gable_uplo uplo, gable_trans trans, gable_diag diag,
                      int64_t n, int64_t k, const T *A, int64_t lda, T *x, int64_t incx)
{
    const gbl_matrix_call call = triangular(uplo, trans, diag, n, k, A, lda, x, incx);
    return gbl_tbmv(ctx, NAME(FN(tbmv)), &call);
}

/* gable_stbsv gable_dtbsv gable_ctbsv gable_ztbsv: x := op(A)^-1 x */
gable_status FN(tbsv)(gable_context *ctx, gable_uplo uplo, gable_trans trans, gable_diag diag,
                      int64_t n, int64_t k, const T *A, int64_t lda, T *x, int64_t incx)
{
    const gbl_matrix_call call = triangular(uplo, trans, diag, n, k, A, lda, x, incx);
    return gbl_tbsv(ctx, NAME(FN(tbsv)), &call);
}

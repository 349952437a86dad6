/* packed_doors.c: the typed doors of routines with packed triangles.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled once per precision; no decisions.
 */
#include "api/typed/door.h"
#include "blas/level2/level2.h"

static gbl_matrix_call symmetric(gable_uplo uplo, bool conj, int64_t n, gbl_scalar alpha,
                                 const T *AP, const T *x, int64_t incx, gbl_scalar beta, T *y,
                                 int64_t incy)
{
    return (gbl_matrix_call)CALL(.uplo = uplo, .conj = conj, .storage = GBL_PACKED, .m = n, .n = n,
                                 .alpha = alpha, .beta = beta, .A = IN(AP), .x = IN(x),
                                 .incx = incx, .y = y, .incy = incy);
}

static gbl_matrix_call triangular(gable_uplo uplo, gable_trans trans, gable_diag diag, int64_t n,
                                  const T *AP, T *x, int64_t incx)
{
    return (gbl_matrix_call)CALL(.uplo = uplo, .trans = trans, .diag = diag, .storage = GBL_PACKED,
                                 .m = n, .n = n, .A = IN(AP), .x = x, .incx = incx, .incy = 1);
}

static gbl_matrix_call updated(gable_uplo uplo, bool hermitian, int64_t n, gbl_scalar alpha,
                               const T *x, int64_t incx, const T *y, int64_t incy, T *AP)
{
    return (gbl_matrix_call)CALL(.uplo = uplo, .conj = hermitian, .storage = GBL_PACKED, .m = n,
                                 .n = n, .alpha = alpha, .A = AP, .x = IN(x), .incx = incx,
                                 .y = IN(y), .incy = incy);
}

static gable_status update_one(gable_context *ctx, const char *name, bool hermitian,
                               gable_uplo uplo, int64_t n, gbl_scalar alpha, const T *x,
                               int64_t incx, T *AP)
{
    gbl_matrix_call call = updated(uplo, hermitian, n, alpha, x, incx, NULL, 0, AP);
    call.real_scalars = hermitian;
    return gbl_spr(ctx, name, &call);
}

static gable_status update_two(gable_context *ctx, const char *name, bool hermitian,
                               gable_uplo uplo, int64_t n, gbl_scalar alpha, const T *x,
                               int64_t incx, const T *y, int64_t incy, T *AP)
{
    const gbl_matrix_call call = updated(uplo, hermitian, n, alpha, x, incx, y, incy, AP);
    return gbl_spr2(ctx, name, &call);
}

/* gable_sspmv gable_dspmv gable_cspmv gable_zspmv: y := alpha A x + beta y, A symmetric */
gable_status FN(spmv)(gable_context *ctx, gable_uplo uplo, int64_t n, T alpha, const T *AP,
                      const T *x, int64_t incx, T beta, T *y, int64_t incy)
{
    const gbl_matrix_call call =
        symmetric(uplo, false, n, VALUE(alpha), AP, x, incx, VALUE(beta), y, incy);
    return gbl_spmv(ctx, NAME(FN(spmv)), &call);
}

/* gable_sspmv_dev gable_dspmv_dev gable_cspmv_dev gable_zspmv_dev: alpha and beta on the device */
gable_status FN(spmv_dev)(gable_context *ctx, gable_uplo uplo, int64_t n, const T *alpha,
                          const T *AP, const T *x, int64_t incx, const T *beta, T *y, int64_t incy)
{
    const gbl_matrix_call call =
        symmetric(uplo, false, n, AT(alpha), AP, x, incx, AT(beta), y, incy);
    return gbl_spmv(ctx, NAME(FN(spmv_dev)), &call);
}

#if COMPLEX
/* gable_chpmv gable_zhpmv: y := alpha A x + beta y, A Hermitian */
gable_status FN(hpmv)(gable_context *ctx, gable_uplo uplo, int64_t n, T alpha, const T *AP,
                      const T *x, int64_t incx, T beta, T *y, int64_t incy)
{
    const gbl_matrix_call call =
        symmetric(uplo, true, n, VALUE(alpha), AP, x, incx, VALUE(beta), y, incy);
    return gbl_spmv(ctx, NAME(FN(hpmv)), &call);
}

/* gable_chpmv_dev gable_zhpmv_dev: alpha and beta on the device */
gable_status FN(hpmv_dev)(gable_context *ctx, gable_uplo uplo, int64_t n, const T *alpha,
                          const T *AP, const T *x, int64_t incx, const T *beta, T *y, int64_t incy)
{
    const gbl_matrix_call call =
        symmetric(uplo, true, n, AT(alpha), AP, x, incx, AT(beta), y, incy);
    return gbl_spmv(ctx, NAME(FN(hpmv_dev)), &call);
}
#endif

/* gable_stpmv gable_dtpmv gable_ctpmv gable_ztpmv: x := op(A) x */
gable_status FN(tpmv)(gable_context *ctx, gable_uplo uplo, gable_trans trans, gable_diag diag,
                      int64_t n, const T *AP, T *x, int64_t incx)
{
    const gbl_matrix_call call = triangular(uplo, trans, diag, n, AP, x, incx);
    return gbl_tpmv(ctx, NAME(FN(tpmv)), &call);
}

/* gable_stpsv gable_dtpsv gable_ctpsv gable_ztpsv: x := op(A)^-1 x */
gable_status FN(tpsv)(gable_context *ctx, gable_uplo uplo, gable_trans trans, gable_diag diag,
                      int64_t n, const T *AP, T *x, int64_t incx)
{
    const gbl_matrix_call call = triangular(uplo, trans, diag, n, AP, x, incx);
    return gbl_tpsv(ctx, NAME(FN(tpsv)), &call);
}

/* gable_sspr gable_dspr gable_cspr gable_zspr: A := A + alpha x x^T */
gable_status FN(spr)(gable_context *ctx, gable_uplo uplo, int64_t n, T alpha, const T *x,
                     int64_t incx, T *AP)
{
    return update_one(ctx, NAME(FN(spr)), false, uplo, n, VALUE(alpha), x, incx, AP);
}

/* gable_sspr_dev gable_dspr_dev gable_cspr_dev gable_zspr_dev: alpha on the device */
gable_status FN(spr_dev)(gable_context *ctx, gable_uplo uplo, int64_t n, const T *alpha, const T *x,
                         int64_t incx, T *AP)
{
    return update_one(ctx, NAME(FN(spr_dev)), false, uplo, n, AT(alpha), x, incx, AP);
}

/* gable_sspr2 gable_dspr2 gable_cspr2 gable_zspr2: A := A + alpha x y^T + alpha y x^T */
gable_status FN(spr2)(gable_context *ctx, gable_uplo uplo, int64_t n, T alpha, const T *x,
                      int64_t incx, const T *y, int64_t incy, T *AP)
{
    return update_two(ctx, NAME(FN(spr2)), false, uplo, n, VALUE(alpha), x, incx, y, incy, AP);
}

/* gable_sspr2_dev gable_dspr2_dev gable_cspr2_dev gable_zspr2_dev: alpha on the device */
gable_status FN(spr2_dev)(gable_context *ctx, gable_uplo uplo, int64_t n, const T *alpha,
                          const T *x, int64_t incx, const T *y, int64_t incy, T *AP)
{
    return update_two(ctx, NAME(FN(spr2_dev)), false, uplo, n, AT(alpha), x, incx, y, incy, AP);
}

#if COMPLEX
/* gable_chpr gable_zhpr: A := A + alpha x x^H */
gable_status FN(hpr)(gable_context *ctx, gable_uplo uplo, int64_t n, R alpha, const T *x,
                     int64_t incx, T *AP)
{
    return update_one(ctx, NAME(FN(hpr)), true, uplo, n, REAL_VALUE(alpha), x, incx, AP);
}

/* gable_chpr_dev gable_zhpr_dev: alpha on the device */
gable_status FN(hpr_dev)(gable_context *ctx, gable_uplo uplo, int64_t n, const R *alpha, const T *x,
                         int64_t incx, T *AP)
{
    return update_one(ctx, NAME(FN(hpr_dev)), true, uplo, n, AT(alpha), x, incx, AP);
}

/* gable_chpr2 gable_zhpr2: A := A + alpha x y^H + conj(alpha) y x^H */
gable_status FN(hpr2)(gable_context *ctx, gable_uplo uplo, int64_t n, T alpha, const T *x,
                      int64_t incx, const T *y, int64_t incy, T *AP)
{
    return update_two(ctx, NAME(FN(hpr2)), true, uplo, n, VALUE(alpha), x, incx, y, incy, AP);
}

/* gable_chpr2_dev gable_zhpr2_dev: alpha on the device */
gable_status FN(hpr2_dev)(gable_context *ctx, gable_uplo uplo, int64_t n, const T *alpha,
                          const T *x, int64_t incx, const T *y, int64_t incy, T *AP)
{
    return update_two(ctx, NAME(FN(hpr2_dev)), true, uplo, n, AT(alpha), x, incx, y, incy, AP);
}
#endif

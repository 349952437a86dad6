/* level1_doors.c: the typed doors of the routines that map vectors to vectors.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled once per precision; no decisions.
 */
#include "api/typed/door.h"

/* gable_scopy gable_dcopy gable_ccopy gable_zcopy: y := x */
gable_status FN(copy)(gable_context *ctx, int64_t n, const T *x, int64_t incx, T *y, int64_t incy)
{
    const gbl_vector_call call = CALL(.n = n, .x = IN(x), .incx = incx, .y = y, .incy = incy);
    return gbl_copy(ctx, NAME(FN(copy)), &call);
}

/* gable_sreciprocal gable_dreciprocal gable_creciprocal gable_zreciprocal: y_i := 1 / x_i */
gable_status FN(reciprocal)(gable_context *ctx, int64_t n, const T *x, int64_t incx, T *y,
                            int64_t incy)
{
    const gbl_vector_call call = CALL(.n = n, .x = IN(x), .incx = incx, .y = y, .incy = incy);
    return gbl_reciprocal(ctx, NAME(FN(reciprocal)), &call);
}

/* gable_sswap gable_dswap gable_cswap gable_zswap: x and y change places */
gable_status FN(swap)(gable_context *ctx, int64_t n, T *x, int64_t incx, T *y, int64_t incy)
{
    const gbl_vector_call call = CALL(.n = n, .x = x, .incx = incx, .y = y, .incy = incy);
    return gbl_swap(ctx, NAME(FN(swap)), &call);
}

/* gable_sscal gable_dscal gable_cscal gable_zscal: x := alpha x */
gable_status FN(scal)(gable_context *ctx, int64_t n, T alpha, T *x, int64_t incx)
{
    const gbl_vector_call call = CALL(.n = n, .alpha = VALUE(alpha), .x = x, .incx = incx);
    return gbl_scal(ctx, NAME(FN(scal)), &call);
}

/* gable_sscal_dev gable_dscal_dev gable_cscal_dev gable_zscal_dev: alpha on the device */
gable_status FN(scal_dev)(gable_context *ctx, int64_t n, const T *alpha, T *x, int64_t incx)
{
    const gbl_vector_call call = CALL(.n = n, .alpha = AT(alpha), .x = x, .incx = incx);
    return gbl_scal(ctx, NAME(FN(scal_dev)), &call);
}

#if COMPLEX
/* gable_csscal gable_zdscal: x := alpha x, alpha real */
gable_status FN_M(scal)(gable_context *ctx, int64_t n, R alpha, T *x, int64_t incx)
{
    const gbl_vector_call call =
        CALL(.real_scalars = true, .n = n, .alpha = REAL_VALUE(alpha), .x = x, .incx = incx);
    return gbl_scal(ctx, NAME(FN_M(scal)), &call);
}

/* gable_csscal_dev gable_zdscal_dev: alpha on the device */
gable_status FN_M(scal_dev)(gable_context *ctx, int64_t n, const R *alpha, T *x, int64_t incx)
{
    const gbl_vector_call call =
        CALL(.real_scalars = true, .n = n, .alpha = AT(alpha), .x = x, .incx = incx);
    return gbl_scal(ctx, NAME(FN_M(scal_dev)), &call);
}
#endif

/* gable_sfill gable_dfill gable_cfill gable_zfill: x := (alpha, alpha, ...) */
gable_status FN(fill)(gable_context *ctx, int64_t n, T alpha, T *x, int64_t incx)
{
    const gbl_vector_call call = CALL(.n = n, .alpha = VALUE(alpha), .x = x, .incx = incx);
    return gbl_fill(ctx, NAME(FN(fill)), &call);
}

/* gable_sfill_dev gable_dfill_dev gable_cfill_dev gable_zfill_dev: alpha on the device */
gable_status FN(fill_dev)(gable_context *ctx, int64_t n, const T *alpha, T *x, int64_t incx)
{
    const gbl_vector_call call = CALL(.n = n, .alpha = AT(alpha), .x = x, .incx = incx);
    return gbl_fill(ctx, NAME(FN(fill_dev)), &call);
}

/* gable_saxpy gable_daxpy gable_caxpy gable_zaxpy: y := alpha x + y */
gable_status FN(axpy)(gable_context *ctx, int64_t n, T alpha, const T *x, int64_t incx, T *y,
                      int64_t incy)
{
    const gbl_vector_call call =
        CALL(.n = n, .alpha = VALUE(alpha), .x = IN(x), .incx = incx, .y = y, .incy = incy);
    return gbl_axpy(ctx, NAME(FN(axpy)), &call);
}

/* gable_saxpy_dev gable_daxpy_dev gable_caxpy_dev gable_zaxpy_dev: alpha on the device */
gable_status FN(axpy_dev)(gable_context *ctx, int64_t n, const T *alpha, const T *x, int64_t incx,
                          T *y, int64_t incy)
{
    const gbl_vector_call call =
        CALL(.n = n, .alpha = AT(alpha), .x = IN(x), .incx = incx, .y = y, .incy = incy);
    return gbl_axpy(ctx, NAME(FN(axpy_dev)), &call);
}

/* gable_saxpby gable_daxpby gable_caxpby gable_zaxpby: y := alpha x + beta y */
gable_status FN(axpby)(gable_context *ctx, int64_t n, T alpha, const T *x, int64_t incx, T beta,
                       T *y, int64_t incy)
{
    const gbl_vector_call call = CALL(.n = n, .alpha = VALUE(alpha), .beta = VALUE(beta),
                                      .x = IN(x), .incx = incx, .y = y, .incy = incy);
    return gbl_axpby(ctx, NAME(FN(axpby)), &call);
}

/* gable_saxpby_dev gable_daxpby_dev gable_caxpby_dev gable_zaxpby_dev: alpha and beta on the
 * device */
gable_status FN(axpby_dev)(gable_context *ctx, int64_t n, const T *alpha, const T *x, int64_t incx,
                           const T *beta, T *y, int64_t incy)
{
    const gbl_vector_call call = CALL(.n = n, .alpha = AT(alpha), .beta = AT(beta), .x = IN(x),
                                      .incx = incx, .y = y, .incy = incy);
    return gbl_axpby(ctx, NAME(FN(axpby_dev)), &call);
}

/* gable_swaxpby gable_dwaxpby gable_cwaxpby gable_zwaxpby: w := alpha x + beta y */
gable_status FN(waxpby)(gable_context *ctx, int64_t n, T alpha, const T *x, int64_t incx, T beta,
                        const T *y, int64_t incy, T *w, int64_t incw)
{
    const gbl_vector_call call =
        CALL(.n = n, .alpha = VALUE(alpha), .beta = VALUE(beta), .x = IN(x), .incx = incx,
             .y = IN(y), .incy = incy, .w = w, .incw = incw);
    return gbl_waxpby(ctx, NAME(FN(waxpby)), &call);
}

/* gable_swaxpby_dev gable_dwaxpby_dev gable_cwaxpby_dev gable_zwaxpby_dev: alpha and beta on the
 * device */
gable_status FN(waxpby_dev)(gable_context *ctx, int64_t n, const T *alpha, const T *x, int64_t incx,
                            const T *beta, const T *y, int64_t incy, T *w, int64_t incw)
{
    const gbl_vector_call call = CALL(.n = n, .alpha = AT(alpha), .beta = AT(beta), .x = IN(x),
                                      .incx = incx, .y = IN(y), .incy = incy, .w = w, .incw = incw);
    return gbl_waxpby(ctx, NAME(FN(waxpby_dev)), &call);
}

/* gable_srandom gable_drandom gable_crandom gable_zrandom: x_i uniform in [low, high) */
gable_status FN(random)(gable_context *ctx, int64_t n, uint64_t seed, uint64_t first, R low, R high,
                        T *x, int64_t incx)
{
    const gbl_vector_call call =
        CALL(.n = n, .seed = seed, .first = first, .alpha = REAL_VALUE(low),
             .beta = REAL_VALUE(high), .x = x, .incx = incx);
    return gbl_random(ctx, NAME(FN(random)), &call);
}

/* level1_doors.c: the typed doors of the vector routines. Compiled once per precision; no
 * decisions. SPDX-License-Identifier: BSD-3-Clause
 */
#include "blas/level1.h"
#include "core/precision.h"

#if COMPLEX
#define VALUE(alpha) ((gbl_scalar){.re = (alpha).re, .im = (alpha).im})
#else
#define VALUE(alpha) ((gbl_scalar){.re = (alpha)})
#endif

/* gable_scopy gable_dcopy gable_ccopy gable_zcopy: y := x */
gable_status FN(copy)(gable_context *ctx, int64_t n, const T *x, int64_t incx, T *y, int64_t incy)
{
    const gbl_vector_call call = {
        .dtype = DTYPE, .n = n, .x = x, .incx = incx, .y = y, .incy = incy};
    return gbl_copy(ctx, NAME(FN(copy)), &call);
}

/* gable_saxpy gable_daxpy gable_caxpy gable_zaxpy: y := alpha x + y */
gable_status FN(axpy)(gable_context *ctx, int64_t n, T alpha, const T *x, int64_t incx, T *y,
                      int64_t incy)
{
    const gbl_vector_call call = {
        .dtype = DTYPE, .n = n, .alpha = VALUE(alpha), .x = x, .incx = incx, .y = y, .incy = incy};
    return gbl_axpy(ctx, NAME(FN(axpy)), &call);
}

/* gable_saxpy_dev gable_daxpy_dev gable_caxpy_dev gable_zaxpy_dev: y := alpha x + y, alpha on the
 * device */
gable_status FN(axpy_dev)(gable_context *ctx, int64_t n, const T *alpha, const T *x, int64_t incx,
                          T *y, int64_t incy)
{
    const gbl_vector_call call = {.dtype = DTYPE,
                                  .n = n,
                                  .alpha = {.device = alpha},
                                  .x = x,
                                  .incx = incx,
                                  .y = y,
                                  .incy = incy};
    if (ctx != NULL && n > 0 && alpha == NULL) {
        TRY(gbl_enter(ctx, NAME(FN(axpy_dev))));
        return gbl_fail_argument(ctx, 3, "alpha", "is NULL; it must be device memory");
    }
    return gbl_axpy(ctx, NAME(FN(axpy_dev)), &call);
}

#if COMPLEX
/* gable_cdotu gable_zdotu: result := sum of x_i y_i */
gable_status FN(dotu)(gable_context *ctx, int64_t n, const T *x, int64_t incx, const T *y,
                      int64_t incy, T *result)
{
    const gbl_vector_call call = {.dtype = DTYPE,
                                  .n = n,
                                  .x = x,
                                  .incx = incx,
                                  .y = (void *)(uintptr_t)y,
                                  .incy = incy,
                                  .result = result};
    return gbl_dot(ctx, NAME(FN(dotu)), &call);
}

/* gable_cdotc gable_zdotc: result := sum of conj(x_i) y_i */
gable_status FN(dotc)(gable_context *ctx, int64_t n, const T *x, int64_t incx, const T *y,
                      int64_t incy, T *result)
{
    const gbl_vector_call call = {.dtype = DTYPE,
                                  .conj = true,
                                  .n = n,
                                  .x = x,
                                  .incx = incx,
                                  .y = (void *)(uintptr_t)y,
                                  .incy = incy,
                                  .result = result};
    return gbl_dot(ctx, NAME(FN(dotc)), &call);
}
#else
/* gable_sdot gable_ddot: result := sum of x_i y_i */
gable_status FN(dot)(gable_context *ctx, int64_t n, const T *x, int64_t incx, const T *y,
                     int64_t incy, T *result)
{
    const gbl_vector_call call = {.dtype = DTYPE,
                                  .n = n,
                                  .x = x,
                                  .incx = incx,
                                  .y = (void *)(uintptr_t)y,
                                  .incy = incy,
                                  .result = result};
    return gbl_dot(ctx, NAME(FN(dot)), &call);
}
#endif

/* gable_snrm2 gable_dnrm2 gable_scnrm2 gable_dznrm2: result := sqrt(sum of |x_i|^2) */
gable_status FN_R(nrm2)(gable_context *ctx, int64_t n, const T *x, int64_t incx, R *result)
{
    const gbl_vector_call call = {.dtype = DTYPE, .n = n, .x = x, .incx = incx, .result = result};
    return gbl_nrm2(ctx, NAME(FN_R(nrm2)), &call);
}

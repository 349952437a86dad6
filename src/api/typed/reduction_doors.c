/* reduction_doors.c: the typed doors of the routines that make numbers of vectors, and of several
 * vectors.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled once per precision; no decisions.
 */
#include "api/typed/door.h"

#if COMPLEX
/* gable_cdotu gable_zdotu: result := sum of x_i y_i */
gable_status FN(dotu)(gable_context *ctx, int64_t n, const T *x, int64_t incx, const T *y,
                      int64_t incy, T *result)
{
    const gbl_vector_call call =
        CALL(.n = n, .x = IN(x), .incx = incx, .y = IN(y), .incy = incy, .result = result);
    return gbl_dot(ctx, NAME(FN(dotu)), &call);
}

/* gable_cdotc gable_zdotc: result := sum of conj(x_i) y_i */
gable_status FN(dotc)(gable_context *ctx, int64_t n, const T *x, int64_t incx, const T *y,
                      int64_t incy, T *result)
{
    const gbl_vector_call call = CALL(.conj = true, .n = n, .x = IN(x), .incx = incx, .y = IN(y),
                                      .incy = incy, .result = result);
    return gbl_dot(ctx, NAME(FN(dotc)), &call);
}
#else
/* gable_sdot gable_ddot: result := sum of x_i y_i */
gable_status FN(dot)(gable_context *ctx, int64_t n, const T *x, int64_t incx, const T *y,
                     int64_t incy, T *result)
{
    const gbl_vector_call call =
        CALL(.n = n, .x = IN(x), .incx = incx, .y = IN(y), .incy = incy, .result = result);
    return gbl_dot(ctx, NAME(FN(dot)), &call);
}
#endif

#if defined(PREC_S)
/* gable_dsdot: result := sum of x_i y_i, in double */
gable_status gable_dsdot(gable_context *ctx, int64_t n, const float *x, int64_t incx,
                         const float *y, int64_t incy, double *result)
{
    const gbl_vector_call call = CALL(.wide_result = true, .n = n, .x = IN(x), .incx = incx,
                                      .y = IN(y), .incy = incy, .result = result);
    return gbl_dsdot(ctx, "gable_dsdot", &call);
}

/* gable_sdsdot: result := alpha + sum of x_i y_i, added in double */
gable_status gable_sdsdot(gable_context *ctx, int64_t n, float alpha, const float *x, int64_t incx,
                          const float *y, int64_t incy, float *result)
{
    const gbl_vector_call call = CALL(.n = n, .alpha = VALUE(alpha), .x = IN(x), .incx = incx,
                                      .y = IN(y), .incy = incy, .result = result);
    return gbl_dsdot(ctx, "gable_sdsdot", &call);
}

/* gable_sdsdot_dev: alpha on the device */
gable_status gable_sdsdot_dev(gable_context *ctx, int64_t n, const float *alpha, const float *x,
                              int64_t incx, const float *y, int64_t incy, float *result)
{
    const gbl_vector_call call = CALL(.n = n, .alpha = AT(alpha), .x = IN(x), .incx = incx,
                                      .y = IN(y), .incy = incy, .result = result);
    return gbl_dsdot(ctx, "gable_sdsdot_dev", &call);
}
#endif

/* gable_snrm2 gable_dnrm2 gable_scnrm2 gable_dznrm2: result := sqrt(sum of |x_i|^2) */
gable_status FN_R(nrm2)(gable_context *ctx, int64_t n, const T *x, int64_t incx, R *result)
{
    const gbl_vector_call call = CALL(.n = n, .x = IN(x), .incx = incx, .result = result);
    return gbl_nrm2(ctx, NAME(FN_R(nrm2)), &call);
}

/* gable_sasum gable_dasum gable_scasum gable_dzasum: result := sum of |Re x_i| + |Im x_i| */
gable_status FN_R(asum)(gable_context *ctx, int64_t n, const T *x, int64_t incx, R *result)
{
    const gbl_vector_call call = CALL(.n = n, .x = IN(x), .incx = incx, .result = result);
    return gbl_asum(ctx, NAME(FN_R(asum)), &call);
}

/* gable_isamax gable_idamax gable_icamax gable_izamax: the position of the largest, from 1 */
gable_status FN_I(amax)(gable_context *ctx, int64_t n, const T *x, int64_t incx, int64_t *result)
{
    const gbl_vector_call call = CALL(.n = n, .x = IN(x), .incx = incx, .result = result);
    return gbl_amax(ctx, NAME(FN_I(amax)), &call);
}

#if COMPLEX
/* gable_cmdotu gable_zmdotu: result_j := sum of X_ij y_i */
gable_status FN(mdotu)(gable_context *ctx, int64_t n, int64_t k, const T *X, int64_t ldx,
                       const T *y, int64_t incy, T *result)
{
    const gbl_vector_call call = CALL(.n = n, .count = k, .x = IN(X), .ldx = ldx, .y = IN(y),
                                      .incy = incy, .result = result);
    return gbl_mdot(ctx, NAME(FN(mdotu)), &call);
}

/* gable_cmdotc gable_zmdotc: result_j := sum of conj(X_ij) y_i */
gable_status FN(mdotc)(gable_context *ctx, int64_t n, int64_t k, const T *X, int64_t ldx,
                       const T *y, int64_t incy, T *result)
{
    const gbl_vector_call call = CALL(.conj = true, .n = n, .count = k, .x = IN(X), .ldx = ldx,
                                      .y = IN(y), .incy = incy, .result = result);
    return gbl_mdot(ctx, NAME(FN(mdotc)), &call);
}
#else
/* gable_smdot gable_dmdot: result_j := sum of X_ij y_i */
gable_status FN(mdot)(gable_context *ctx, int64_t n, int64_t k, const T *X, int64_t ldx, const T *y,
                      int64_t incy, T *result)
{
    const gbl_vector_call call = CALL(.n = n, .count = k, .x = IN(X), .ldx = ldx, .y = IN(y),
                                      .incy = incy, .result = result);
    return gbl_mdot(ctx, NAME(FN(mdot)), &call);
}
#endif

/* gable_smaxpy gable_dmaxpy gable_cmaxpy gable_zmaxpy: y := y + alpha (a_0 x_0 + a_1 x_1 + ...) */
gable_status FN(maxpy)(gable_context *ctx, int64_t n, int64_t k, T alpha, const T *a, const T *X,
                       int64_t ldx, T *y, int64_t incy)
{
    const gbl_vector_call call = CALL(.n = n, .count = k, .alpha = VALUE(alpha), .x = IN(X),
                                      .ldx = ldx, .y = y, .incy = incy);
    return gbl_maxpy_host(ctx, NAME(FN(maxpy)), &call, a);
}

/* gable_smaxpy_dev gable_dmaxpy_dev gable_cmaxpy_dev gable_zmaxpy_dev: a on the device */
gable_status FN(maxpy_dev)(gable_context *ctx, int64_t n, int64_t k, T alpha, const T *a,
                           const T *X, int64_t ldx, T *y, int64_t incy)
{
    const gbl_vector_call call =
        CALL(.n = n, .count = k, .alpha = VALUE(alpha), .values_at = AT(a).device, .x = IN(X),
             .ldx = ldx, .y = y, .incy = incy);
    return gbl_maxpy(ctx, NAME(FN(maxpy_dev)), &call);
}

/* gable_smnrm2 gable_dmnrm2 gable_scmnrm2 gable_dzmnrm2: result_j := the norm of column j */
gable_status FN_R(mnrm2)(gable_context *ctx, int64_t n, int64_t k, const T *X, int64_t ldx,
                         R *result)
{
    const gbl_vector_call call = CALL(.n = n, .count = k, .x = IN(X), .ldx = ldx, .result = result);
    return gbl_mnrm2(ctx, NAME(FN_R(mnrm2)), &call);
}

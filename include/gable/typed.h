/* typed.h: each routine that exists in several precisions, declared and documented once.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * gable.h includes this file four times, with
 *   GABLE_T        the element type            float, double, gable_cfloat, gable_cdouble
 *   GABLE_R        its real type               float, double, float, double
 *   GABLE_FN(f)    the typed name              gable_sf gable_df gable_cf gable_zf
 *   GABLE_FN_R(f)  the name of a real result   gable_sf gable_df gable_scf gable_dzf
 *   GABLE_COMPLEX  0 or 1
 *
 * Common to all of them:
 * - x and y are vectors of n elements in memory of the context's device, incx and incy their strides
 *   in elements. A negative stride starts at the far end, as in BLAS: element i (from 0) of x is
 *   x[(i - n + 1) * incx] for incx < 0 and x[i * incx] otherwise. incx = 0 repeats one element; the
 *   stride of an output must not be 0.
 * - n = 0 is legal and touches nothing; pointers are then not looked at.
 * - A call returns when it is checked and enqueued. gable_sync tells whether it ran.
 * - Outputs must not overlap inputs, unless the two are the same vector with the same stride.
 * - A result pointer may be device memory (the call does not wait) or host memory (it waits until
 *   the result is there; such a call cannot be recorded).
 * - On a status other than GABLE_OK no output was touched, and gable_message says why.
 */

/* gable_scopy gable_dcopy gable_ccopy gable_zcopy: y := x */
GABLE_API gable_status GABLE_FN(copy)(gable_context *ctx, int64_t n, const GABLE_T *x, int64_t incx,
                                      GABLE_T *y, int64_t incy);

/* gable_saxpy gable_daxpy gable_caxpy gable_zaxpy: y := alpha x + y. With alpha = 0 neither x nor y
 * is read. */
GABLE_API gable_status GABLE_FN(axpy)(gable_context *ctx, int64_t n, GABLE_T alpha,
                                      const GABLE_T *x, int64_t incx, GABLE_T *y, int64_t incy);

/* gable_saxpy_dev gable_daxpy_dev gable_caxpy_dev gable_zaxpy_dev: the same with alpha in device
 * memory, read when the call runs: a recording sees the value of that moment. */
GABLE_API gable_status GABLE_FN(axpy_dev)(gable_context *ctx, int64_t n, const GABLE_T *alpha,
                                          const GABLE_T *x, int64_t incx, GABLE_T *y, int64_t incy);

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

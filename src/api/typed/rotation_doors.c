/* rotation_doors.c: the typed doors of plane rotations.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled once per precision; no decisions.
 */
#include "api/typed/door.h"

/* gable_srot gable_drot gable_crot gable_zrot: (x, y) := (c x + s y, c y - conj(s) x) */
gable_status FN(rot)(gable_context *ctx, int64_t n, T *x, int64_t incx, T *y, int64_t incy, R c,
                     T s)
{
    const gbl_vector_call call = CALL(.n = n, .x = x, .incx = incx, .y = y, .incy = incy,
                                      .alpha = REAL_VALUE(c), .beta = VALUE(s));
    return gbl_rot(ctx, NAME(FN(rot)), &call);
}

/* gable_srot_dev gable_drot_dev gable_crot_dev gable_zrot_dev: c and s on the device */
gable_status FN(rot_dev)(gable_context *ctx, int64_t n, T *x, int64_t incx, T *y, int64_t incy,
                         const R *c, const T *s)
{
    const gbl_vector_call call =
        CALL(.n = n, .x = x, .incx = incx, .y = y, .incy = incy, .alpha = AT(c), .beta = AT(s));
    return gbl_rot(ctx, NAME(FN(rot_dev)), &call);
}

#if COMPLEX
/* gable_csrot gable_zdrot: the same with a real s */
gable_status FN_M(rot)(gable_context *ctx, int64_t n, T *x, int64_t incx, T *y, int64_t incy, R c,
                       R s)
{
    const gbl_vector_call call = CALL(.real_scalars = true, .n = n, .x = x, .incx = incx, .y = y,
                                      .incy = incy, .alpha = REAL_VALUE(c), .beta = REAL_VALUE(s));
    return gbl_rot(ctx, NAME(FN_M(rot)), &call);
}

/* gable_csrot_dev gable_zdrot_dev: c and s on the device */
gable_status FN_M(rot_dev)(gable_context *ctx, int64_t n, T *x, int64_t incx, T *y, int64_t incy,
                           const R *c, const R *s)
{
    const gbl_vector_call call = CALL(.real_scalars = true, .n = n, .x = x, .incx = incx, .y = y,
                                      .incy = incy, .alpha = AT(c), .beta = AT(s));
    return gbl_rot(ctx, NAME(FN_M(rot_dev)), &call);
}
#endif

/* gable_srotg gable_drotg gable_crotg gable_zrotg: the rotation of (a, b), in host memory */
gable_status FN(rotg)(gable_context *ctx, T *a, T *b, R *c, T *s)
{
    const gbl_vector_call call =
        CALL(.x = a, .y = b, .result = c, .w = s, .n = 1, .incx = 1, .incy = 1, .incw = 1);
    return gbl_rotg_host(ctx, NAME(FN(rotg)), &call);
}

/* gable_srotg_dev gable_drotg_dev gable_crotg_dev gable_zrotg_dev: in device memory */
gable_status FN(rotg_dev)(gable_context *ctx, T *a, T *b, R *c, T *s)
{
    const gbl_vector_call call =
        CALL(.x = a, .y = b, .result = c, .w = s, .n = 1, .incx = 1, .incy = 1, .incw = 1);
    return gbl_rotg(ctx, NAME(FN(rotg_dev)), &call);
}

#if !COMPLEX
/* gable_srotm gable_drotm: (x, y) := H (x, y), param in host memory */
gable_status FN(rotm)(gable_context *ctx, int64_t n, T *x, int64_t incx, T *y, int64_t incy,
                      const T *param)
{
    const gbl_vector_call call = CALL(.n = n, .x = x, .incx = incx, .y = y, .incy = incy);
    return gbl_rotm_host(ctx, NAME(FN(rotm)), &call, param);
}

/* gable_srotm_dev gable_drotm_dev: param on the device */
gable_status FN(rotm_dev)(gable_context *ctx, int64_t n, T *x, int64_t incx, T *y, int64_t incy,
                          const T *param)
{
    const gbl_vector_call call =
        CALL(.n = n, .x = x, .incx = incx, .y = y, .incy = incy, .alpha = AT(param));
    return gbl_rotm(ctx, NAME(FN(rotm_dev)), &call);
}

/* gable_srotmg gable_drotmg: the modified rotation, in host memory */
gable_status FN(rotmg)(gable_context *ctx, T *d1, T *d2, T *x1, T y1, T *param)
{
    const gbl_vector_call call = CALL(.x = d1, .y = d2, .w = x1, .result = param, .n = 1, .incx = 1,
                                      .incy = 1, .incw = 1, .alpha = VALUE(y1));
    return gbl_rotmg_host(ctx, NAME(FN(rotmg)), &call);
}

/* gable_srotmg_dev gable_drotmg_dev: in device memory */
gable_status FN(rotmg_dev)(gable_context *ctx, T *d1, T *d2, T *x1, const T *y1, T *param)
{
    const gbl_vector_call call = CALL(.x = d1, .y = d2, .w = x1, .result = param, .n = 1, .incx = 1,
                                      .incy = 1, .incw = 1, .alpha = AT(y1));
    return gbl_rotmg(ctx, NAME(FN(rotmg_dev)), &call);
}
#endif

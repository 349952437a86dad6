/* cpu_reciprocal.c: y_i := 1 / x_i on the cpu.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Complex numbers go Smith's way (Algorithm 116: complex division, 1962), in which the quotient of
 * the parts is at most 1. It overflows only beside the largest numbers: those are a quarter of
 * themselves meanwhile. y may be x.
 */
#include <float.h>
#include <math.h>
#include "cpu/cpu_vector.h"

#if COMPLEX
#define LARGEST (sizeof(R) == sizeof(float) ? (R)FLT_MAX : (R)DBL_MAX)

/* 1 / a */
static T reciprocal_of(T a)
{
    const R re = (R)fabs(a.re), im = (R)fabs(a.im);
    const R scale = re >= LARGEST / 4 || im >= LARGEST / 4 ? (R)0.25 : (R)1;
    if (re > LARGEST || im > LARGEST)
        return (T){0, 0};
    if (re == 0 && im == 0) /* Inf + NaN i, as in C */
        return (T){1 / a.re, (R)NAN};
    const bool turned = re < im;
    const R large = scale * (turned ? a.im : a.re), small = scale * (turned ? a.re : a.im);
    const R ratio = small / large, size = large + small * ratio;
    return (T){scale * ((turned ? ratio : 1) / size), scale * ((turned ? -1 : -ratio) / size)};
}
#else
static T reciprocal_of(T a)
{
    return 1 / a;
}
#endif

static void reciprocal_piece(void *job, int piece, int64_t begin, int64_t end)
{
    (void)piece;
    const gbl_vector_args *call = job;
    const int64_t n = end - begin, incx = call->incx, incy = call->incy;
    const T *x = (const T *)call->x + begin * incx;
    T *y = (T *)call->y + begin * incy;
#if !COMPLEX /* those have branches */
    if (incx == 1 && incy == 1) {
#pragma omp simd
        for (int64_t i = 0; i < n; i++)
            y[i] = reciprocal_of(x[i]);
        return;
    }
#endif
    for (int64_t i = 0; i < n; i++)
        y[i * incy] = reciprocal_of(x[i * incx]);
}

/* gbl_cpu_sreciprocal_omp gbl_cpu_dreciprocal_omp gbl_cpu_creciprocal_omp
 * gbl_cpu_zreciprocal_omp */
WIDE_TASK(PRIVATE(reciprocal_omp))
{
    (void)queue, (void)stream, (void)message;
    gbl_vector_args call = *(const gbl_vector_args *)args;
    if (call.n <= 0)
        return GABLE_OK;
    walk_forward(&call);
    gbl_cpu_share(call.n, sizeof(T), 2 * sizeof(T), reciprocal_piece, &call);
    return GABLE_OK;
}

/* cpu_axpy.c: y := alpha x + y on the cpu, in C with OpenMP and through the installed BLAS.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * x and y may be the same vector, so nothing here promises separate memory (restrict): the loops
 * say that iterations are independent (omp simd) or read a group of x before they write one of y.
 */
#include "cpu/cpu_vector.h"

typedef struct axpy_job {
    gbl_vector_args call;
    T alpha;
} axpy_job;

#if COMPLEX
static inline T axpy_one(T alpha, T x, T y)
{
    y.re += alpha.re * x.re - alpha.im * x.im;
    y.im += alpha.re * x.im + alpha.im * x.re;
    return y;
}

/* As reals, re and im in turn: every number takes alpha.re times itself and +-alpha.im times its
 * neighbour, a group at a time, which gcc makes vector code of and clang does not; with the plain
 * loop it is the other way round (caxpy in cache, Neoverse V1, 2026-11: gcc 12 52 against 26 GB/s,
 * clang 14 12 against 47). Returns how many elements are done. */
static int64_t axpy_groups(int64_t n, T alpha, const T *x_pairs, T *y_pairs)
{
    int64_t i = 0;
#ifndef __clang__
    enum { WIDTH = 64 / sizeof(R) };
    const R *x = (const R *)x_pairs;
    R *y = (R *)y_pairs;
    R cross[WIDTH];
    for (int k = 0; k < WIDTH; k++)
        cross[k] = k % 2 ? alpha.im : -alpha.im;
    for (; i + WIDTH <= 2 * n; i += WIDTH) {
        R term[WIDTH];
        for (int k = 0; k < WIDTH; k++)
            term[k] = alpha.re * x[i + k] + cross[k] * x[i + (k ^ 1)];
        for (int k = 0; k < WIDTH; k++)
            y[i + k] += term[k];
    }
#else
    (void)n, (void)alpha, (void)x_pairs, (void)y_pairs;
#endif
    return i / 2;
}
#else
static inline T axpy_one(T alpha, T x, T y)
{
    return y + alpha * x;
}

static int64_t axpy_groups(int64_t n, T alpha, const T *x, T *y)
{
    (void)n, (void)alpha, (void)x, (void)y;
    return 0;
}
#endif

static void axpy_piece(void *job, int piece, int64_t begin, int64_t end)
{
    (void)piece;
    const gbl_vector_args *call = &((const axpy_job *)job)->call;
    const T alpha = ((const axpy_job *)job)->alpha;
    const int64_t n = end - begin, incx = call->incx, incy = call->incy;
    const T *x = (const T *)call->x + begin * incx;
    T *y = (T *)call->y + begin * incy;
    if (incx == 1 && incy == 1) {
        const int64_t done = axpy_groups(n, alpha, x, y);
#pragma omp simd
        for (int64_t i = done; i < n; i++)
            y[i] = axpy_one(alpha, x[i], y[i]);
        return;
    }
    for (int64_t i = 0; i < n; i++)
        y[i * incy] = axpy_one(alpha, x[i * incx], y[i * incy]);
}

/* alpha, from memory where the call says so; *zero: there is nothing to do. */
static T read_alpha(const gbl_vector_args *call, bool *zero)
{
    T alpha;
    if (call->alpha_at != NULL) {
        memcpy(&alpha, call->alpha_at, sizeof alpha);
    } else {
#if COMPLEX
        alpha.re = (R)call->re;
        alpha.im = (R)call->im;
#else
        alpha = (R)call->re;
#endif
    }
#if COMPLEX
    *zero = alpha.re == 0 && alpha.im == 0;
#else
    *zero = alpha == 0;
#endif
    return alpha;
}

/* gbl_cpu_saxpy_omp gbl_cpu_daxpy_omp gbl_cpu_caxpy_omp gbl_cpu_zaxpy_omp */
GBL_CPU_TASK(PRIVATE(axpy_omp))
{
    (void)queue, (void)stream, (void)message;
    axpy_job job;
    job.call = *(const gbl_vector_args *)args;
    gbl_vector_args *call = &job.call;
    bool zero;
    job.alpha = read_alpha(call, &zero);
    if (call->n <= 0 || zero)
        return GABLE_OK;
    walk_forward(call);
    gbl_cpu_share(call->n, sizeof(T), 3 * sizeof(T), axpy_piece, &job);
    return GABLE_OK;
}

/* gbl_cpu_saxpy_blas gbl_cpu_daxpy_blas gbl_cpu_caxpy_blas gbl_cpu_zaxpy_blas */
GBL_CPU_TASK(PRIVATE(axpy_blas))
{
    const gbl_vector_args *call = args;
    const gbl_cpu_blas *blas = gbl_cpu_blas_get();
    if (blas == NULL)
        return no_blas(message);
    if (omp_in_parallel())
        return PRIVATE(axpy_omp)(queue, stream, args, message);
    const int64_t n = call->n, incx = call->incx, incy = call->incy;
    bool zero;
    const T alpha = read_alpha(call, &zero);
    if (zero) /* not every BLAS leaves a NaN in y alone */
        return GABLE_OK;
    const T *x = (const T *)call->x + low_end(n, incx);
    T *y = (T *)call->y + low_end(n, incy);
#if COMPLEX
    blas->BLAS(axpy)((int)n, &alpha, x, (int)incx, y, (int)incy);
#else
    blas->BLAS(axpy)((int)n, alpha, x, (int)incx, y, (int)incy);
#endif
    return GABLE_OK;
}

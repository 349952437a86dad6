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

#if COMPLEX && TAILED
#define add_multiples add_complex
#else
static void add_multiples(int64_t n, T alpha, const T *x, T *y)
{
    int64_t i = 0;
#if GROUPED
    const factor a = factor_of(alpha);
    for (; i + GROUP <= n; i += GROUP) {
        R term[2 * GROUP], *to = (R *)(y + i);
        group_times(&a, x + i, term);
        for (int k = 0; k < 2 * GROUP; k++)
            to[k] += term[k];
    }
#endif
#pragma omp simd
    for (int64_t j = i; j < n; j++)
        add_multiple(alpha, x + j, y + j);
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
        add_multiples(n, alpha, x, y);
        return;
    }
    for (int64_t i = 0; i < n; i++)
        add_multiple(alpha, x + i * incx, y + i * incy);
}

/* gbl_cpu_saxpy_omp gbl_cpu_daxpy_omp gbl_cpu_caxpy_omp gbl_cpu_zaxpy_omp */
WIDE_TASK(PRIVATE(axpy_omp))
{
    (void)queue, (void)stream, (void)message;
    axpy_job job;
    job.call = *(const gbl_vector_args *)args;
    gbl_vector_args *call = &job.call;
    job.alpha = read_scalar(&call->alpha);
    if (call->n <= 0 || is_zero(job.alpha))
        return GABLE_OK;
    walk_forward(call);
    gbl_cpu_share(call->n, sizeof(T), 3 * sizeof(T), axpy_piece, &job);
    return GABLE_OK;
}

#if !defined(GABLE_WIDE)
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
    const T alpha = read_scalar(&call->alpha);
    if (is_zero(alpha)) /* not every BLAS leaves a NaN in y alone */
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
#endif

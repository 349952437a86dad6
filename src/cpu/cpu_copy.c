/* cpu_copy.c: y := x on the cpu, in C with OpenMP and through the installed BLAS.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Contiguous vectors are copied by memcpy, one piece per thread: the C library knows the CPU's
 * widest moves and when to go past its caches. Other strides are a plain loop.
 */
#include "cpu/cpu_vector.h"

static void copy_piece(void *job, int piece, int64_t begin, int64_t end)
{
    (void)piece;
    const gbl_vector_args *call = job;
    const int64_t n = end - begin, incx = call->incx, incy = call->incy;
    const T *x = (const T *)call->x + begin * incx;
    T *y = (T *)call->y + begin * incy;
    if (incx == 1 && incy == 1) {
        memcpy(y, x, (size_t)n * sizeof(T));
        return;
    }
#pragma GCC unroll 8
    for (int64_t i = 0; i < n; i++)
        y[i * incy] = x[i * incx];
}

/* gbl_cpu_scopy_omp gbl_cpu_dcopy_omp gbl_cpu_ccopy_omp gbl_cpu_zcopy_omp */
WIDE_TASK(PRIVATE(copy_omp))
{
    (void)queue, (void)stream, (void)message;
    gbl_vector_args call = *(const gbl_vector_args *)args;
    if (call.n <= 0 || (call.x == call.y && call.incx == call.incy))
        return GABLE_OK;
    walk_forward(&call);
    gbl_cpu_share(call.n, sizeof(T), 2 * sizeof(T), copy_piece, &call);
    return GABLE_OK;
}

#if !defined(GABLE_WIDE)
/* gbl_cpu_scopy_blas gbl_cpu_dcopy_blas gbl_cpu_ccopy_blas gbl_cpu_zcopy_blas */
GBL_CPU_TASK(PRIVATE(copy_blas))
{
    const gbl_vector_args *call = args;
    const gbl_cpu_blas *blas = gbl_cpu_blas_get();
    if (blas == NULL)
        return no_blas(message);
    if (omp_in_parallel())
        return PRIVATE(copy_omp)(queue, stream, args, message);
    const int64_t n = call->n, incx = call->incx, incy = call->incy;
    const T *x = call->x;
    T *y = call->y;
    blas->BLAS(copy)((int)n, x + low_end(n, incx), (int)incx, y + low_end(n, incy), (int)incy);
    return GABLE_OK;
}
#endif

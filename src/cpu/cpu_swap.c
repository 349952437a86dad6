/* cpu_swap.c: x and y change places on the cpu, in C with OpenMP and through the installed BLAS.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Contiguous vectors are swapped as real numbers, which both compilers make vector code of in every
 * precision.
 */
#include "cpu/cpu_vector.h"

static void swap_piece(void *job, int piece, int64_t begin, int64_t end)
{
    (void)piece;
    const gbl_vector_args *call = job;
    const int64_t n = end - begin, incx = call->incx, incy = call->incy;
    T *x = (T *)call->x + begin * incx, *y = (T *)call->y + begin * incy;
    if (incx == 1 && incy == 1) {
        R *restrict a = (R *)x, *restrict b = (R *)y;
        for (int64_t i = 0; i < n * REALS; i++) {
            const R kept = a[i];
            a[i] = b[i];
            b[i] = kept;
        }
        return;
    }
#pragma GCC unroll 4
    for (int64_t i = 0; i < n; i++) {
        const T kept = x[i * incx];
        x[i * incx] = y[i * incy];
        y[i * incy] = kept;
    }
}

/* gbl_cpu_sswap_omp gbl_cpu_dswap_omp gbl_cpu_cswap_omp gbl_cpu_zswap_omp */
WIDE_TASK(PRIVATE(swap_omp))
{
    (void)queue, (void)stream, (void)message;
    gbl_vector_args call = *(const gbl_vector_args *)args;
    if (call.n <= 0 || (call.x == call.y && call.incx == call.incy))
        return GABLE_OK;
    walk_forward(&call);
    gbl_cpu_share(call.n, sizeof(T), 4 * sizeof(T), swap_piece, &call);
    return GABLE_OK;
}

#if !defined(GABLE_WIDE)
/* gbl_cpu_sswap_blas gbl_cpu_dswap_blas gbl_cpu_cswap_blas gbl_cpu_zswap_blas */
GBL_CPU_TASK(PRIVATE(swap_blas))
{
    const gbl_vector_args *call = args;
    const gbl_cpu_blas *blas = gbl_cpu_blas_get();
    if (blas == NULL)
        return no_blas(message);
    if (omp_in_parallel())
        return PRIVATE(swap_omp)(queue, stream, args, message);
    const int64_t n = call->n, incx = call->incx, incy = call->incy;
    T *x = (T *)call->x + low_end(n, incx), *y = (T *)call->y + low_end(n, incy);
    blas->BLAS(swap)((int)n, x, (int)incx, y, (int)incy);
    return GABLE_OK;
}
#endif

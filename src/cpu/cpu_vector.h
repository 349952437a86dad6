/* cpu_vector.h: what the typed kernels of the cpu share: strides, blocks, the BLAS by precision.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Reductions walk a vector in blocks that fit the first-level cache. A strided block is first
 * packed into a buffer, so that each kernel has one inner loop, over contiguous memory.
 *
 * Inner loops add into LANES independent sums, an array of fixed size: the compilers keep it in
 * vector registers whatever their width, which hides the latency of the addition and fixes the
 * order of summation.
 */
#ifndef GBL_CPU_VECTOR_H
#define GBL_CPU_VECTOR_H

#include <omp.h>
#include <string.h>
#include "core/precision.h"
#include "cpu/cpu_kernels.h"
#include "device/cpu_blas.h"
#include "device/cpu_team.h"

/* Elements a block: 8 KiB, so that two packed vectors take half of a 32 KiB cache. */
#define BLOCK ((int64_t)(8192 / sizeof(T)))

/* Real sums kept side by side: 128 bytes, eight registers of the narrowest vector unit in use. */
#define LANES ((int)(128 / sizeof(R)))

/* The installed BLAS's function for this precision: BLAS(copy) is the member scopy ... zcopy. */
#if defined(PREC_S)
#define BLAS(f) s##f
#elif defined(PREC_D)
#define BLAS(f) d##f
#elif defined(PREC_C)
#define BLAS(f) c##f
#else
#define BLAS(f) z##f
#endif

/* From element 0 to the low end of a vector: 0, or n - 1 elements down when the stride is negative.
 */
static inline int64_t low_end(int64_t n, int64_t inc)
{
    return inc < 0 ? (n - 1) * inc : 0;
}

/* Two vectors with one negative stride, walked from their low ends: the same elements meet, and
 * stride -1 becomes contiguous. */
static inline void walk_forward(gbl_vector_args *call)
{
    if (call->n > 0 && call->incx == call->incy && call->incx < 0) {
        call->x = (const T *)call->x + low_end(call->n, call->incx);
        call->y = (T *)call->y + low_end(call->n, call->incy);
        call->incx = call->incy = -call->incx;
    }
}

/* n elements from x, as contiguous memory: x itself, or the buffer. */
static inline const T *packed(int64_t n, const T *x, int64_t inc, T *buffer)
{
    if (inc == 1)
        return x;
    for (int64_t i = 0; i < n; i++)
        buffer[i] = x[i * inc];
    return buffer;
}

/* A task that calls the BLAS was forced, or recorded, where there is none. */
static inline gable_status no_blas(gbl_message *message)
{
    return gbl_fail(message, GABLE_NOT_SUPPORTED, "the variant blas needs a BLAS library: %s",
                    gbl_cpu_blas_reason());
}

#endif

/* cpu_getrf.c: columns of an LU factorization on the cpu, by one thread.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * As kernels/lapack/getrf_group.cl: column by column the largest element is found, its row brought
 * up, and the column taken out of those behind it, which are walked along.
 */
#include <math.h>
#include "cpu/cpu_vector.h"

static R size_of(T a)
{
#if COMPLEX
    return (R)fabs(a.re) + (R)fabs(a.im);
#else
    return (R)fabs(a);
#endif
}

/* The first of the largest elements. A NaN loses every comparison; in the first place it stays. */
static int64_t largest(const T *column, int64_t rows)
{
    int64_t at = 0;
    R most = size_of(column[0]);
    for (int64_t i = 1; i < rows; i++) {
        const R size = size_of(column[i]);
        if (size > most) {
            most = size;
            at = i;
        }
    }
    return at;
}

/* Divides by the pivot, which no element of the column exceeds. Complex ones near the ends of their
 * range are brought to its middle before. */
static void divide(T *column, int64_t rows, T pivot)
{
#if COMPLEX
    const R large = sizeof(R) == 4 ? (R)0x1p100 : (R)0x1p1000,
            scale = size_of(pivot) > large       ? (R)0x1p-64
                    : size_of(pivot) < 1 / large ? (R)0x1p64
                                                 : 1;
    const R re = pivot.re * scale, im = pivot.im * scale;
    const bool turned = fabs(re) < fabs(im);
    const R ratio = turned ? re / im : im / re, whole = turned ? im + re * ratio : re + im * ratio;
    const R inverse_re = (turned ? ratio : 1) / whole, inverse_im = (turned ? -1 : -ratio) / whole;
    for (int64_t i = 0; i < rows; i++) {
        const R a = column[i].re * scale, b = column[i].im * scale;
        column[i].re = a * inverse_re - b * inverse_im;
        column[i].im = a * inverse_im + b * inverse_re;
    }
#else
    for (int64_t i = 0; i < rows; i++)
        column[i] /= pivot;
#endif
}

static void take_out(const T *restrict left, T times, int64_t rows, T *restrict column)
{
#if COMPLEX
    times.re = -times.re;
    times.im = -times.im;
#else
    times = -times;
#endif
    for (int64_t i = 0; i < rows; i++)
        add_multiple(times, left + i, column + i);
}

/* gbl_cpu_sgetrf_leaf gbl_cpu_dgetrf_leaf gbl_cpu_cgetrf_leaf gbl_cpu_zgetrf_leaf */
GBL_CPU_TASK(PRIVATE(getrf_leaf))
{
    const gbl_cpu_getrf_args *call = args;
    const int64_t m = call->m, n = call->n, lda = call->lda, most = m < n ? m : n;
    T *const A = call->A;
    (void)queue, (void)stream, (void)message;
    if (call->before == 0)
        *call->info = 0;
    for (int64_t j = 0; j < most; j++) {
        T *const column = A + j * lda;
        const int64_t p = j + largest(column + j, m - j);
        call->ipiv[j] = call->before + p + 1;
        for (int64_t c = 0; p != j && c < n; c++) {
            const T kept = A[j + c * lda];
            A[j + c * lda] = A[p + c * lda];
            A[p + c * lda] = kept;
        }
        /* A column without a pivot is zero from here down, or NaN, which goes on. */
        if (!is_zero(column[j]))
            divide(column + j + 1, m - j - 1, column[j]);
        else if (*call->info == 0)
            *call->info = call->before + j + 1;
        for (int64_t c = j + 1; c < n; c++)
            take_out(column + j + 1, A[j + c * lda], m - j - 1, A + j + 1 + c * lda);
    }
    return GABLE_OK;
}

/* cpu_small.h: products of complex matrices of few rows and columns, on the cpu.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * They are made element by element: laying out x and adding up sums of pieces takes longer.
 */
#ifndef GBL_CPU_SMALL_H
#define GBL_CPU_SMALL_H

#include "cpu/cpu_vector.h"

/* Rows, at most. */
#define SMALL_SYMMETRIC 12
#define SMALL_TRIANGLE  7
#define SMALL_BAND      8
#define SMALL_ELEMENTS  32 /* of a whole matrix */

#if COMPLEX
/* y := alpha op(A) x + beta y, alpha not 0; sizes, vectors and scalars are the call's. Element (i,
 * j) is A[i + j * apart], and 0 unless -above <= i - j <= below. */
static inline void multiply_by_element(const gbl_matrix_args *call, const T *A, int64_t apart,
                                       int64_t below, int64_t above)
{
    const bool transposed = call->trans != GABLE_NO_TRANS;
    const int64_t m = call->m, n = call->n, outputs = transposed ? n : m,
                  terms = transposed ? m : n;
    const R sign = call->trans == GABLE_CONJ_TRANS ? -1 : 1;
    const T alpha = read_scalar(&call->alpha), beta = read_scalar(&call->beta);
    const T *x = (const T *)call->x - low_end(terms, call->incx);
    T *y = (T *)call->y - low_end(outputs, call->incy), sums[SMALL_ELEMENTS];
    for (int64_t i = 0; i < outputs; i++)
        sums[i] = (T){0, 0};
    for (int64_t j = 0; j < n; j++, A += apart) {
        const int64_t first = j > above ? j - above : 0, end = m - j > below ? j + below + 1 : m;
        for (int64_t i = first; i < end; i++) {
            const T a = {A[i].re, sign * A[i].im}, f = x[(transposed ? i : j) * call->incx];
            add_multiple(a, &f, &sums[transposed ? j : i]);
        }
    }
    for (int64_t i = 0; i < outputs; i++, y += call->incy) {
        if (is_zero(beta))
            put_multiple(alpha, &sums[i], y);
        else
            put_combination(alpha, &sums[i], beta, y, y);
    }
}
#endif

/* gbmv, where it is small; false: it is not. */
static inline bool small_band(const gbl_matrix_args *call)
{
#if COMPLEX
    if (call->m > SMALL_BAND || call->n > SMALL_BAND || is_zero(read_scalar(&call->alpha)))
        return false;
    multiply_by_element(call, (const T *)call->A + call->ku, call->lda - 1, call->kl, call->ku);
    return true;
#else
    (void)call;
    return false;
#endif
}

#endif

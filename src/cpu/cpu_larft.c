/* cpu_larft.c: T of blocks of reflectors on the cpu, by one thread.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * As kernels/lapack/larft_leaf.cl.
 */
#include "cpu/cpu_vector.h"

static T negative_product(T a, T b)
{
    T c;
    put_multiple(a, &b, &c);
#if COMPLEX
    return (T){-c.re, -c.im};
#else
    return -c;
#endif
}

/* gbl_cpu_slarft_leaf gbl_cpu_dlarft_leaf gbl_cpu_clarft_leaf gbl_cpu_zlarft_leaf */
GBL_CPU_TASK(PRIVATE(larft_leaf))
{
    const gbl_cpu_larft_args *call = args;
    const T *tau = call->tau;
    (void)queue, (void)stream, (void)message;
    for (int64_t first = 0; first < call->k; first += call->columns) {
        const int64_t rest = call->k - first, count = rest < call->columns ? rest : call->columns;
        const T *g = (const T *)call->G + first + first * call->ldg;
        T *t = (T *)call->t + first + first * call->ldt;
        for (int64_t j = 0; j < count; j++) {
            T *column = t + j * call->ldt;
            memset(column, 0, (size_t)count * sizeof *column);
            for (int64_t c = 0; c < j; c++)
                for (int64_t r = 0; r <= c; r++)
                    add_multiple(g[c + j * call->ldg], &t[r + c * call->ldt], &column[r]);
            for (int64_t r = 0; r < j; r++)
                column[r] = negative_product(tau[first + j], column[r]);
            column[j] = tau[first + j];
        }
    }
    return GABLE_OK;
}

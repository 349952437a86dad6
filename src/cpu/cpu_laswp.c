/* cpu_laswp.c: exchanges of rows on the cpu: kernels/lapack/laswp.cl.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Threads share the columns. A column is exchanged whole before the next one.
 */
#include "cpu/cpu_vector.h"

static void exchange_columns(void *given, int piece, int64_t begin, int64_t end)
{
    const gbl_cpu_laswp_args *call = given;
    const int64_t *pivots = call->ipiv + call->first;
    (void)piece;
    for (int64_t j = begin; j < end; j++) {
        T *const column = (T *)call->A + (j < call->skip ? j : j + call->width) * call->lda;
        for (int64_t t = 0; t < call->count; t++) {
            const int64_t i = call->backward ? call->count - 1 - t : t;
            T *const one = column + call->first + i, *const other = column + pivots[i * call->inc];
            const T kept = *one;
            *one = other[-1];
            other[-1] = kept;
        }
    }
}

/* gbl_cpu_slaswp_omp gbl_cpu_dlaswp_omp gbl_cpu_claswp_omp gbl_cpu_zlaswp_omp */
GBL_CPU_TASK(PRIVATE(laswp_omp))
{
    gbl_cpu_laswp_args call = *(const gbl_cpu_laswp_args *)args;
    const int64_t bytes = 4 * call.count * (int64_t)sizeof(T);
    (void)queue, (void)stream, (void)message;
    gbl_cpu_share(call.n, bytes, bytes, exchange_columns, &call);
    return GABLE_OK;
}

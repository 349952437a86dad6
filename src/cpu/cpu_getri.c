/* cpu_getri.c: the columns of an inverse, put into their order, on the cpu.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "cpu/cpu_getri.h"
#include "cpu/cpu_vector.h"

static void copy_columns(void *given, int piece, int64_t begin, int64_t end)
{
    const gbl_cpu_getri_args *call = given;
    (void)piece;
    for (int64_t j = begin; j < end; j++)
        memcpy((T *)call->A + j * call->lda, (const T *)call->W + call->from[j] * call->ldw,
               (size_t)call->n * sizeof(T));
}

/* gbl_cpu_sgetri_columns gbl_cpu_dgetri_columns gbl_cpu_cgetri_columns gbl_cpu_zgetri_columns:
 * kernels/lapack/getri_columns.cl */
GBL_CPU_TASK(PRIVATE(getri_columns))
{
    gbl_cpu_getri_args call = *(const gbl_cpu_getri_args *)args;
    const int64_t bytes = call.n * (int64_t)sizeof(T);
    (void)queue, (void)stream, (void)message;
    for (int64_t j = 0; j < call.n; j++)
        call.from[j] = j;
    for (int64_t j = call.n - 1; j >= 0; j--) {
        const int64_t other = call.ipiv[j] - 1, held = call.from[j];
        call.from[j] = call.from[other];
        call.from[other] = held;
    }
    gbl_cpu_share(call.n, bytes, 2 * bytes, copy_columns, &call);
    return GABLE_OK;
}

/* cpu_diagonal.c: the first zero on a diagonal, on the cpu.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "cpu/cpu_vector.h"

/* gbl_cpu_sdiagonal_zero gbl_cpu_ddiagonal_zero gbl_cpu_cdiagonal_zero gbl_cpu_zdiagonal_zero */
GBL_CPU_TASK(PRIVATE(diagonal_zero))
{
    const gbl_cpu_diagonal_args *call = args;
    const T *A = call->A;
    int64_t i = 0;
    (void)queue, (void)stream, (void)message;
    while (i < call->n && !is_zero(A[i * (call->lda + 1)]))
        i++;
    *call->info = i < call->n ? i + 1 : 0;
    return GABLE_OK;
}

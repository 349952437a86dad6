/* cpu_chase.c: loads that wait for one another, and a team that does nothing: latencies of the cpu.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The twin of kernels/roofs/chase.cl. The same for every precision, so compiled with the doubles
 * only.
 */
#include "cpu/cpu_vector.h"

#ifdef PREC_D

GBL_CPU_TASK(gbl_cpu_chase)
{
    (void)queue, (void)stream, (void)message;
    const gbl_cpu_chase_args *call = args;
    const uint64_t *x = call->x, mask = (uint64_t)call->words - 1;
    uint64_t turn = (uint64_t)call->start, at = turn & mask;
    for (int64_t round = 0; round < call->rounds; round++) {
        at = (x[at] + turn) & mask;
        turn += (uint64_t)call->step;
    }
    *(uint64_t *)call->result = at;
    return GABLE_OK;
}

static void nothing(void *job, int piece, int64_t begin, int64_t end)
{
    (void)job, (void)piece, (void)begin, (void)end;
}

GBL_CPU_TASK(gbl_cpu_fork)
{
    (void)queue, (void)stream, (void)message;
    for (int64_t round = 0; round < ((const gbl_cpu_chase_args *)args)->rounds; round++)
        gbl_cpu_share(GBL_CPU_MAX_PIECES, GBL_CPU_LINE, INT32_MAX, nothing, NULL);
    return GABLE_OK;
}

#endif

/* mdot.h: the sums of BATCH inner products side by side. Shared by the mdot kernels.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Groups with the same GROUP_Y work on one batch: the columns GROUP_Y * BATCH and following. The
 * last batch may be short. Each batch has its own partial sums and its own counter.
 */
#ifndef BATCH
#error "mdot kernels need BATCH"
#endif
#define SUM_R    R
#define SUM_N    (BATCH * T_REALS)
#define SUM_MAIN SUM_N
#include "reduce.h"
#include "mdot_args.h"

/* Columns of this group's batch. */
DEVICE i32 mdot_columns(mdot_args a)
{
    const i64 left = a.columns - GROUP_Y * BATCH;
    return left < BATCH ? (i32)left : BATCH;
}

DEVICE void mdot_store(GLOBAL R *result, sum_t sum, i32 columns)
{
    UNROLLED
    for (i32 k = 0; k < SUM_N; k++)
        if (k < columns * T_REALS)
            result[GROUP_Y * SUM_N + k] = sum.v[k];
}

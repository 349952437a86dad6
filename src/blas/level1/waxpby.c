/* waxpby.c: w := alpha x + beta y
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * x and y are read, w written once; a vector whose scalar is 0 is not read. Variants: the stream
 * kernel, on cpu OpenMP.
 */
#include "blas/level1/level1.h"
#include "blas/level1/stream_plan.h"
#include "cpu/cpu_kernels.h"

static void work(const void *call, gbl_work *least)
{
    *least = gbl_vector_work(call, 2, 1, 3, 14);
}

static const gbl_vector_routine routine = {
    .stem = "waxpby",
    .work = work,
    .omp = {gbl_cpu_swaxpby_omp, gbl_cpu_dwaxpby_omp, gbl_cpu_cwaxpby_omp, gbl_cpu_zwaxpby_omp},
    .kernel = "waxpby.cl",
};

static const gbl_variant variants[] = {GBL_MAP_VARIANTS(&routine, "waxpby.cl"),
                                       GBL_VECTOR_VARIANTS(&routine)};

static const gbl_operand operands[] = {
    GBL_OPERAND_N,    GBL_OPERAND_ALPHA,      GBL_OPERAND_TIMES_ALPHA,
    GBL_OPERAND_BETA, GBL_OPERAND_TIMES_BETA, GBL_OPERAND_W,
};

const gbl_op gbl_waxpby_op = {
    .stem = "waxpby",
    .layout = &gbl_vector_layout,
    GBL_OPERANDS(operands),
    .plain = gbl_plain_xyw,
    .alignment = gbl_stream_alignment,
    .work = work,
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
};

gable_status gbl_waxpby(gable_context *ctx, const char *name, const gbl_vector_call *call)
{
    return gbl_call_run(ctx, name, &gbl_waxpby_op, call);
}

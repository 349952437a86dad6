/* fill.c: x := (alpha, alpha, ...)
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * x is written once and not read. Variants: the stream kernel, on cpu OpenMP.
 */
#include "blas/level1/level1.h"
#include "blas/level1/stream_plan.h"
#include "cpu/cpu_kernels.h"

static void work(const void *call, gbl_work *least)
{
    *least = gbl_vector_work(call, 0, 1, 0, 0);
}

static const gbl_vector_routine routine = {
    .stem = "fill",
    .work = work,
    .omp = {gbl_cpu_sfill_omp, gbl_cpu_dfill_omp, gbl_cpu_cfill_omp, gbl_cpu_zfill_omp},
    .kernel = "fill.cl",
};

static const gbl_variant variants[] = {GBL_MAP_VARIANTS(&routine, "fill.cl"),
                                       GBL_VECTOR_VARIANTS(&routine)};

static const gbl_operand operands[] = {
    GBL_OPERAND_N,
    GBL_OPERAND_ALPHA,
    GBL_OPERAND_X(GBL_WRITE),
};

const gbl_op gbl_fill_op = {
    .stem = "fill",
    .layout = &gbl_vector_layout,
    GBL_OPERANDS(operands),
    .plain = gbl_plain_x,
    .alignment = gbl_stream_alignment,
    .work = work,
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
};

gable_status gbl_fill(gable_context *ctx, const char *name, const gbl_vector_call *call)
{
    return gbl_call_run(ctx, name, &gbl_fill_op, call);
}

/* axpby.c: y := alpha x + beta y
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * x is read, y read and written once; a vector whose scalar is 0 is not read. Variants: the stream
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
    .stem = "axpby",
    .work = work,
    .omp = {gbl_cpu_saxpby_omp, gbl_cpu_daxpby_omp, gbl_cpu_caxpby_omp, gbl_cpu_zaxpby_omp},
    .kernel = "axpby.cl",
};

static const gbl_variant variants[] = {GBL_MAP_VARIANTS(&routine, "axpby.cl"),
                                       GBL_VECTOR_VARIANTS(&routine)};

static const gbl_operand operands[] = {
    GBL_OPERAND_N,
    GBL_OPERAND_ALPHA,
    GBL_OPERAND_TIMES_ALPHA,
    GBL_OPERAND_BETA,
    GBL_OPERAND_Y(GBL_READ_WRITE),
};

const gbl_op gbl_axpby_op = {
    .stem = "axpby",
    .layout = &gbl_vector_layout,
    GBL_OPERANDS(operands),
    .plain = gbl_plain_xy,
    .alignment = gbl_stream_alignment,
    .work = work,
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
};

gable_status gbl_axpby(gable_context *ctx, const char *name, const gbl_vector_call *call)
{
    return gbl_call_run(ctx, name, &gbl_axpby_op, call);
}

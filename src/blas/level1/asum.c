/* asum.c: result := sum of |Re x_i| + |Im x_i|
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * x is read once. Variants: one launch whose last group adds the partial sums, two launches
 * where groups cannot hand over, on cpu the installed BLAS or OpenMP, and the vendor's library.
 */
#include "blas/level1/level1.h"
#include "blas/level1/stream_plan.h"
#include "core/launch.h"
#include "cpu/cpu_kernels.h"

static void work(const void *given, gbl_work *least)
{
    const gbl_vector_call *call = given;
    *least = gbl_vector_work(call, 1, 0, 1, 2);
    least->bytes_written = (double)gbl_dtype_real_bytes(call->dtype);
}

static const gbl_vector_routine routine = {
    .stem = "asum",
    .work = work,
    .omp = {gbl_cpu_sasum_omp, gbl_cpu_dasum_omp, gbl_cpu_casum_omp, gbl_cpu_zasum_omp},
    .blas = {gbl_cpu_sasum_blas, gbl_cpu_dasum_blas, gbl_cpu_casum_blas, gbl_cpu_zasum_blas},
    .forward_only = true,
    .kernel = "asum.cl",
    .finish = "asum_finish.cl",
    .partial_bytes = {4, 8, 4, 8},
};

static const gbl_variant variants[] = {GBL_REDUCE_VARIANTS(&routine, "asum.cl", "asum_finish.cl"),
                                       GBL_VECTOR_VARIANTS(&routine)};

static const gbl_operand operands[] = {
    GBL_OPERAND_N,
    GBL_OPERAND_X(GBL_READ),
    GBL_OPERAND_RESULT(gbl_real_element),
};

const gbl_op gbl_asum_op = {
    .stem = "asum",
    .layout = &gbl_vector_layout,
    GBL_OPERANDS(operands),
    .plain = gbl_plain_x,
    .alignment = gbl_stream_alignment,
    .work = work,
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
};

gable_status gbl_asum(gable_context *ctx, const char *name, const gbl_vector_call *call)
{
    return gbl_vector_result(ctx, name, &gbl_asum_op, call);
}

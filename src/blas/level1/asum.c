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
    .omp = GBL_CPU_FOUR(asum_omp),
    .blas = GBL_CPU_FOUR(asum_blas),
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

const gbl_op gbl_asum_op = {GBL_VECTOR_OP("asum", operands, variants), .plain = gbl_plain_x,
                            .work = work};

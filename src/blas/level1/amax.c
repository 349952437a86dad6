/* amax.c: result := the position of the first largest |Re x_i| + |Im x_i|, from 1
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * x is read once. Variants: one launch whose last group compares the groups' best, two launches
 * where groups cannot hand over, on cpu OpenMP, and the vendor's library.
 */
#include "blas/level1/level1.h"
#include "blas/level1/stream_plan.h"
#include "core/launch.h"
#include "cpu/cpu_kernels.h"

static void work(const void *given, gbl_work *least)
{
    const gbl_vector_call *call = given;
    *least = gbl_vector_work(call, 1, 0, 1, 2);
    least->bytes_written = (double)sizeof(int64_t);
}

/* There is no variant of the BLAS: OpenBLAS 0.3.21 with threads gives a later one of equals, and a
 * NaN inside the vector spoils its answer. */
static const gbl_vector_routine routine = {
    .stem = "amax",
    .work = work,
    .omp = GBL_CPU_FOUR(amax_omp),
    .forward_only = true,
    .kernel = "amax.cl",
    .finish = "amax_finish.cl",
    .partial_bytes = {16, 16, 16, 16},
};

static const gbl_variant variants[] = {GBL_REDUCE_VARIANTS(&routine, "amax.cl", "amax_finish.cl"),
                                       GBL_VECTOR_VARIANTS(&routine)};

static const gbl_operand operands[] = {
    GBL_OPERAND_N,
    GBL_OPERAND_X(GBL_READ),
    GBL_OPERAND_RESULT(gbl_position_element),
};

const gbl_op gbl_amax_op = {GBL_VECTOR_OP("amax", operands, variants), .plain = gbl_plain_x,
                            .work = work};

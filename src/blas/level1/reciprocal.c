/* reciprocal.c: y_i := 1 / x_i
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * For numbers that other calls left on the device: nrm2, then this, then scal_dev normalises a
 * vector. Variants: the stream kernel, on cpu OpenMP.
 */
#include "blas/level1/level1.h"
#include "blas/level1/stream_plan.h"
#include "cpu/cpu_kernels.h"

static void work(const void *call, gbl_work *least)
{
    *least = gbl_vector_work(call, 1, 1, 1, 6);
}

static const gbl_vector_routine routine = {
    .stem = "reciprocal",
    .work = work,
    .omp = GBL_CPU_FOUR(reciprocal_omp),
    .kernel = "reciprocal.cl",
};

static const gbl_variant variants[] = {GBL_MAP_VARIANTS(&routine, "reciprocal.cl"),
                                       GBL_VECTOR_VARIANTS(&routine)};

static const gbl_operand operands[] = {
    GBL_OPERAND_N,
    GBL_OPERAND_X(GBL_READ),
    GBL_OPERAND_Y(GBL_WRITE),
};

const gbl_op gbl_reciprocal_op = {GBL_VECTOR_OP("reciprocal", operands, variants),
                                  .plain = gbl_plain_xy, .work = work};

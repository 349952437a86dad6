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
    .omp = GBL_CPU_FOUR(axpby_omp),
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

const gbl_op gbl_axpby_op = {GBL_VECTOR_OP("axpby", operands, variants), .plain = gbl_plain_xy,
                             .work = work};

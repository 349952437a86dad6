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
    .omp = GBL_CPU_FOUR(waxpby_omp),
    .kernel = "waxpby.cl",
};

static const gbl_variant variants[] = {GBL_MAP_VARIANTS(&routine, "waxpby.cl"),
                                       GBL_VECTOR_VARIANTS(&routine)};

static const gbl_operand operands[] = {
    GBL_OPERAND_N,    GBL_OPERAND_ALPHA,      GBL_OPERAND_TIMES_ALPHA,
    GBL_OPERAND_BETA, GBL_OPERAND_TIMES_BETA, GBL_OPERAND_W,
};

const gbl_op gbl_waxpby_op = {GBL_VECTOR_OP("waxpby", operands, variants), .plain = gbl_plain_xyw,
                              .work = work};

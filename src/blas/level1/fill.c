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
    .omp = GBL_CPU_FOUR(fill_omp),
    .kernel = "fill.cl",
};

static const gbl_variant variants[] = {GBL_MAP_VARIANTS(&routine, "fill.cl"),
                                       GBL_VECTOR_VARIANTS(&routine)};

static const gbl_operand operands[] = {
    GBL_OPERAND_N,
    GBL_OPERAND_ALPHA,
    GBL_OPERAND_X(GBL_WRITE),
};

const gbl_op gbl_fill_op = {GBL_VECTOR_OP("fill", operands, variants), .plain = gbl_plain_x,
                            .work = work};

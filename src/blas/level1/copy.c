/* copy.c: y := x
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Two vectors pass through memory once. Variants: the stream kernel, on cpu the installed BLAS or
 * OpenMP, and the vendor's library.
 */
#include "blas/level1/level1.h"
#include "blas/level1/stream_plan.h"
#include "cpu/cpu_kernels.h"

static void work(const void *call, gbl_work *least)
{
    *least = gbl_vector_work(call, 1, 1, 0, 0);
}

static const gbl_vector_routine routine = {
    .stem = "copy",
    .work = work,
    .omp = GBL_CPU_FOUR(copy_omp),
    .blas = GBL_CPU_FOUR(copy_blas),
    .kernel = "copy.cl",
};

static const gbl_variant variants[] = {GBL_MAP_VARIANTS(&routine, "copy.cl"),
                                       GBL_VECTOR_VARIANTS(&routine)};

static const gbl_operand operands[] = {
    GBL_OPERAND_N,
    GBL_OPERAND_X(GBL_READ),
    GBL_OPERAND_Y(GBL_WRITE),
};

const gbl_op gbl_copy_op = {GBL_VECTOR_OP("copy", operands, variants), .plain = gbl_plain_xy,
                            .work = work};

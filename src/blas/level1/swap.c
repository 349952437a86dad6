/* swap.c: x and y change places
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Both vectors are read and written once. Variants: the stream kernel, on cpu the installed BLAS or
 * OpenMP, and the vendor's library.
 */
#include "blas/level1/level1.h"
#include "blas/level1/stream_plan.h"
#include "cpu/cpu_kernels.h"

static void work(const void *call, gbl_work *least)
{
    *least = gbl_vector_work(call, 2, 2, 0, 0);
}

static const gbl_vector_routine routine = {
    .stem = "swap",
    .work = work,
    .omp = GBL_CPU_FOUR(swap_omp),
    .blas = GBL_CPU_FOUR(swap_blas),
    .kernel = "swap.cl",
};

static const gbl_variant variants[] = {GBL_MAP_VARIANTS(&routine, "swap.cl"),
                                       GBL_VECTOR_VARIANTS(&routine)};

static const gbl_operand operands[] = {
    GBL_OPERAND_N,
    GBL_OPERAND_X(GBL_READ_WRITE),
    GBL_OPERAND_Y(GBL_READ_WRITE),
};

const gbl_op gbl_swap_op = {GBL_VECTOR_OP("swap", operands, variants), .plain = gbl_plain_xy,
                            .work = work};

/* axpy.c: y := alpha x + y
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * x is read, y read and written once. Variants: the stream kernel, on cpu the installed BLAS or
 * OpenMP, and the vendor's library. alpha by value or in device memory; alpha = 0 touches nothing.
 */
#include "blas/level1/level1.h"
#include "blas/level1/stream_plan.h"
#include "cpu/cpu_kernels.h"

static void work(const void *call, gbl_work *least)
{
    *least = gbl_vector_work(call, 2, 1, 2, 8);
}

static const gbl_vector_routine routine = {
    .stem = "axpy",
    .work = work,
    .omp = GBL_CPU_FOUR(axpy_omp),
    .blas = GBL_CPU_FOUR(axpy_blas),
    .kernel = "axpy.cl",
};

static const gbl_variant variants[] = {GBL_MAP_VARIANTS(&routine, "axpy.cl"),
                                       GBL_VECTOR_VARIANTS(&routine)};

static const gbl_operand operands[] = {
    GBL_OPERAND_N,
    GBL_OPERAND_ALPHA,
    GBL_OPERAND_TIMES_ALPHA,
    GBL_OPERAND_Y(GBL_READ_WRITE),
};

static bool idle(const void *call)
{
    return gbl_scalar_zero(&((const gbl_vector_call *)call)->alpha);
}

const gbl_op gbl_axpy_op = {GBL_VECTOR_OP("axpy", operands, variants), .plain = gbl_plain_xy,
                            .idle = idle, .work = work};

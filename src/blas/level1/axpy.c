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
    .omp = {gbl_cpu_saxpy_omp, gbl_cpu_daxpy_omp, gbl_cpu_caxpy_omp, gbl_cpu_zaxpy_omp},
    .blas = {gbl_cpu_saxpy_blas, gbl_cpu_daxpy_blas, gbl_cpu_caxpy_blas, gbl_cpu_zaxpy_blas},
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

const gbl_op gbl_axpy_op = {
    .stem = "axpy",
    .layout = &gbl_vector_layout,
    GBL_OPERANDS(operands),
    .plain = gbl_plain_xy,
    .idle = idle,
    .alignment = gbl_stream_alignment,
    .work = work,
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
};

gable_status gbl_axpy(gable_context *ctx, const char *name, const gbl_vector_call *call)
{
    return gbl_call_run(ctx, name, &gbl_axpy_op, call);
}

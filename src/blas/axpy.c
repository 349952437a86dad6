/* axpy.c: y := alpha x + y
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * x is read, y read and written once. Variants: the stream kernel, on cpu the installed BLAS or
 * OpenMP, and the vendor's library. alpha by value or in device memory; alpha = 0 touches nothing.
 */
#include "blas/level1.h"
#include "blas/stream_plan.h"
#include "cpu/cpu_kernels.h"

static void work(const void *call, gbl_work *least)
{
    *least = gbl_vector_work(call, 2, 1, 2, 8);
}

static const gbl_vector_routine routine = {
    .stem = "axpy",
    .numbers = {.alpha = 3, .x = 4, .y = 6, .writes_y = true},
    .work = work,
    .omp = {gbl_cpu_saxpy_omp, gbl_cpu_daxpy_omp, gbl_cpu_caxpy_omp, gbl_cpu_zaxpy_omp},
    .blas = {gbl_cpu_saxpy_blas, gbl_cpu_daxpy_blas, gbl_cpu_caxpy_blas, gbl_cpu_zaxpy_blas},
    .kernel = "axpy.cl",
};

static const gbl_variant variants[] = {GBL_MAP_VARIANTS(&routine, "axpy.cl"),
                                       GBL_VECTOR_VARIANTS(&routine)};

const gbl_op gbl_axpy_op = {
    .stem = "axpy",
    .family = &gbl_vector_family,
    .work = work,
    .key = gbl_vector_key,
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
    .legal = gbl_stream_legal,
};

gable_status gbl_axpy(gable_context *ctx, const char *name, const gbl_vector_call *call)
{
    if (call->n > 0 && call->alpha.device == NULL && call->alpha.re == 0 && call->alpha.im == 0) {
        TRY(gbl_enter(ctx, name));
        return ctx->depth == 0 ? gbl_vector_check(ctx, call, &routine.numbers) : GABLE_OK;
    }
    return gbl_vector_run(ctx, name, &gbl_axpy_op, &routine.numbers, call);
}

/* axpy.c: y := alpha x + y
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * x is read, y read and written once. Variants: the stream kernel, on cpu the installed BLAS or
 * OpenMP, and the vendor's library. alpha by value or in device memory; alpha = 0 touches nothing.
 */
#include "blas/level1.h"
#include "blas/stream_plan.h"
#include "axpy_args.h"
#include "core/launch.h"
#include "cpu/cpu_kernels.h"

_Static_assert(sizeof(axpy_args) == 9 * 8, "host and device must agree");

static gable_status check(gable_context *ctx, const gbl_vector_call *call)
{
    CHECK_ARG(ctx, call->n >= 0, 2, "n", "is %lld; it must be at least 0", (long long)call->n);
    if (call->n > 0 && call->alpha.device != NULL)
        TRY(gbl_check_address(ctx, 3, "alpha", call->alpha.device));
    if (call->n > 0)
        TRY(gbl_check_address(ctx, 4, "x", call->x));
    if (call->n > 0)
        TRY(gbl_check_address(ctx, 6, "y", call->y));
    CHECK_ARG(ctx, call->incy != 0, 7, "incy", "is 0; the stride of an output must not be");
    return GABLE_OK;
}

gable_status gbl_axpy(gable_context *ctx, const char *routine, const gbl_vector_call *call)
{
    TRY(gbl_enter(ctx, routine));
    if (ctx->depth == 0)
        TRY(check(ctx, call));
    if (call->n == 0 || (call->alpha.device == NULL && call->alpha.re == 0 && call->alpha.im == 0))
        return GABLE_OK;
    return gbl_op_run(ctx, &gbl_axpy_op, call);
}

static void work(const void *given, gbl_work *least)
{
    const gbl_vector_call *call = given;
    const double bytes = (double)call->n * (double)gbl_dtype_bytes(call->dtype);
    const double flops = gbl_dtype_complex(call->dtype) ? 8 : 2;
    *least = (gbl_work){
        .bytes_read = 2 * bytes, .bytes_written = bytes, .flops = flops * (double)call->n};
}

static gable_status run_stream(gable_context *ctx, const gbl_variant *self, const void *given,
                               const gbl_params *params)
{
    (void)self;
    const gbl_vector_call *call = given;
    const gbl_stream_use use = {.file = "axpy.cl"};
    gbl_stream plan;
    gbl_kernel *kernel;
    TRY(gbl_stream_prepare(ctx, call, params, &use, &plan, &kernel));

    const axpy_args args = {plan.args, call->alpha.re, call->alpha.im, call->alpha.device != NULL};
    gbl_launch_spec launch = {
        .groups = {plan.groups, 1},
        .group = {plan.local, 1},
        .buffer_count = 3,
        .buffers = {call->alpha.device != NULL ? call->alpha.device : call->x,
                    gbl_first_element(call->x, call->n, call->incx, call->dtype),
                    gbl_first_element(call->y, call->n, call->incy, call->dtype)},
        .args = &args,
        .args_bytes = sizeof args,
    };
    return gbl_launch(ctx, kernel, &launch);
}

static const gbl_vector_routine routine = {
    .stem = "axpy",
    .work = work,
    .omp = {gbl_cpu_saxpy_omp, gbl_cpu_daxpy_omp, gbl_cpu_caxpy_omp, gbl_cpu_zaxpy_omp},
    .blas = {gbl_cpu_saxpy_blas, gbl_cpu_daxpy_blas, gbl_cpu_caxpy_blas, gbl_cpu_zaxpy_blas},
};

static const gbl_variant variants[] = {
    {"stream", true, false, gbl_stream_fits, run_stream, gbl_stream_cost, gbl_stream_space,
     STREAM_PARAMS, &routine},
    GBL_VECTOR_ROWS(&routine),
};

const gbl_op gbl_axpy_op = {"axpy", work, gbl_vector_key, variants,
                            sizeof variants / sizeof variants[0]};

/* copy.c: y := x
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Two vectors pass through memory once. Variants: the stream kernel, on cpu the installed BLAS or
 * OpenMP, and the vendor's library.
 */
#include "blas/level1.h"
#include "blas/stream_plan.h"
#include "copy_args.h"
#include "core/launch.h"
#include "cpu/cpu_kernels.h"

_Static_assert(sizeof(copy_args) == 6 * 8, "host and device must agree");

static gable_status check(gable_context *ctx, const gbl_vector_call *call)
{
    TRY(gbl_vector_check(ctx, call, 3, 5));
    CHECK_ARG(ctx, call->incy != 0, 6, "incy", "is 0; the stride of an output must not be");
    return GABLE_OK;
}

gable_status gbl_copy(gable_context *ctx, const char *routine, const gbl_vector_call *call)
{
    TRY(gbl_enter(ctx, routine));
    if (ctx->depth == 0)
        TRY(check(ctx, call));
    if (call->n == 0)
        return GABLE_OK;
    return gbl_op_run(ctx, &gbl_copy_op, call);
}

static void work(const void *given, gbl_work *least)
{
    const gbl_vector_call *call = given;
    const double bytes = (double)call->n * (double)gbl_dtype_bytes(call->dtype);
    *least = (gbl_work){.bytes_read = bytes, .bytes_written = bytes, .flops = 0};
}

static gable_status run_stream(gable_context *ctx, const gbl_variant *self, const void *given,
                               const gbl_params *params)
{
    (void)self;
    const gbl_vector_call *call = given;
    const gbl_stream_use use = {.file = "copy.cl"};
    gbl_stream plan;
    gbl_kernel *kernel;
    TRY(gbl_stream_prepare(ctx, call, params, &use, &plan, &kernel));

    const copy_args args = {plan.args};
    gbl_launch_spec launch = {
        .groups = {plan.groups, 1},
        .group = {plan.local, 1},
        .buffer_count = 2,
        .buffers = {gbl_first_element(call->x, call->n, call->incx, call->dtype),
                    gbl_first_element(call->y, call->n, call->incy, call->dtype)},
        .args = &args,
        .args_bytes = sizeof args,
    };
    return gbl_launch(ctx, kernel, &launch);
}

static const gbl_vector_routine routine = {
    .stem = "copy",
    .work = work,
    .omp = {gbl_cpu_scopy_omp, gbl_cpu_dcopy_omp, gbl_cpu_ccopy_omp, gbl_cpu_zcopy_omp},
    .blas = {gbl_cpu_scopy_blas, gbl_cpu_dcopy_blas, gbl_cpu_ccopy_blas, gbl_cpu_zcopy_blas},
};

static const gbl_variant variants[] = {
    {"stream", true, false, gbl_stream_fits, run_stream, gbl_stream_cost, gbl_stream_space,
     STREAM_PARAMS, &routine},
    GBL_VECTOR_ROWS(&routine),
};

const gbl_op gbl_copy_op = {"copy", work, gbl_vector_key, variants,
                            sizeof variants / sizeof variants[0]};

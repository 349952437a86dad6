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
    CHECK_ARG(ctx, call->n >= 0, 2, "n", "is %lld; it must be at least 0", (long long)call->n);
    if (call->n > 0)
        TRY(gbl_check_address(ctx, 3, "x", call->x));
    if (call->n > 0)
        TRY(gbl_check_address(ctx, 5, "y", call->y));
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

static gable_status run_stream(gable_context *ctx, const void *given, const gbl_params *params)
{
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

static void cost_stream(const void *call, const gbl_params *params, const gbl_device *device,
                        gbl_cost *cost)
{
    gbl_work least;
    work(call, &least);
    gbl_stream_cost(call, params, device, &least, 0, cost);
}

static gable_status run_omp(gable_context *ctx, const void *call, const gbl_params *params)
{
    static const gbl_task_function tasks[4] = {gbl_cpu_scopy_omp, gbl_cpu_dcopy_omp,
                                               gbl_cpu_ccopy_omp, gbl_cpu_zcopy_omp};
    (void)params;
    return gbl_vector_run_task(ctx, call, "copy_omp", tasks);
}

static gable_status run_blas(gable_context *ctx, const void *call, const gbl_params *params)
{
    static const gbl_task_function tasks[4] = {gbl_cpu_scopy_blas, gbl_cpu_dcopy_blas,
                                               gbl_cpu_ccopy_blas, gbl_cpu_zcopy_blas};
    (void)params;
    return gbl_vector_run_task(ctx, call, "copy_blas", tasks);
}

static bool fits_vendor(const void *call, const gbl_device *device)
{
    return gbl_vector_fits_vendor(call, device, "copy");
}

static gable_status run_vendor(gable_context *ctx, const void *call, const gbl_params *params)
{
    (void)params;
    return gbl_vector_run_vendor(ctx, call, "copy");
}

static void cost_least(const void *call, const gbl_params *params, const gbl_device *device,
                       gbl_cost *cost)
{
    gbl_work least;
    (void)params;
    work(call, &least);
    gbl_vector_cost(&least, device, cost);
}

static const gbl_variant variants[] = {
    {"stream", true, false, gbl_stream_fits, run_stream, cost_stream, gbl_stream_space,
     STREAM_PARAMS},
    {"blas", true, false, gbl_vector_fits_blas, run_blas, cost_least, NULL, 0},
    {"omp", true, false, gbl_vector_fits_omp, run_omp, cost_least, NULL, 0},
    {"vendor", true, true, fits_vendor, run_vendor, cost_least, NULL, 0},
};

const gbl_op gbl_copy_op = {"copy", work, gbl_vector_key, variants,
                            sizeof variants / sizeof variants[0]};

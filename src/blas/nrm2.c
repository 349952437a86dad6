/* nrm2.c: result := sqrt(sum of |x_i|^2)
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * x is read once; neither overflow nor underflow (kernels/norm.h, src/cpu/cpu_nrm2.c). Variants:
 * one launch whose last group adds the partial sums, two launches where groups cannot hand over, on
 * cpu the installed BLAS or OpenMP, and the vendor's library.
 */
#include "blas/level1.h"
#include "blas/stream_plan.h"
#include "core/launch.h"
#include "cpu/cpu_kernels.h"

static gable_status check(gable_context *ctx, const gbl_vector_call *call)
{
    CHECK_ARG(ctx, call->n >= 0, 2, "n", "is %lld; it must be at least 0", (long long)call->n);
    if (call->n > 0)
        TRY(gbl_check_address(ctx, 3, "x", call->x));
    return GABLE_OK;
}

gable_status gbl_nrm2(gable_context *ctx, const char *routine, const gbl_vector_call *given)
{
    gbl_vector_call call = *given;
    gbl_result result;
    TRY(gbl_enter(ctx, routine));
    if (ctx->depth == 0)
        TRY(check(ctx, &call));
    TRY(gbl_result_begin(ctx, 5, "result", call.result, gbl_dtype_real_bytes(call.dtype), &result));
    call.result = result.address;
    if (call.n == 0)
        TRY(gbl_fill(ctx, result.address, 0, result.bytes));
    else
        TRY(gbl_op_run(ctx, &gbl_nrm2_op, &call));
    return gbl_result_end(ctx, &result);
}

static void work(const void *given, gbl_work *least)
{
    const gbl_vector_call *call = given;
    const double bytes = (double)call->n * (double)gbl_dtype_bytes(call->dtype);
    const double flops = gbl_dtype_complex(call->dtype) ? 4 : 2;
    *least = (gbl_work){.bytes_read = bytes,
                        .bytes_written = (double)gbl_dtype_real_bytes(call->dtype),
                        .flops = flops * (double)call->n};
}

/* One sum of squares for s and c, three (medium, big, small) for d and z, in double. */
static gable_status run_kernels(gable_context *ctx, const gbl_vector_call *call,
                                const gbl_params *params, bool one_pass)
{
    const gbl_reduction how = {.first = "nrm2.cl",
                               .finish = "nrm2_finish.cl",
                               .partial_bytes = gbl_dtype_real_bytes(call->dtype) == 4 ? 8 : 24,
                               .one_pass = one_pass};
    return gbl_stream_reduce(ctx, call, params, &how);
}

static gable_status run_one_pass(gable_context *ctx, const void *call, const gbl_params *params)
{
    return run_kernels(ctx, call, params, true);
}

static gable_status run_two_pass(gable_context *ctx, const void *call, const gbl_params *params)
{
    return run_kernels(ctx, call, params, false);
}

/* Libraries differ on negative strides here: most return 0, cuBLAS too. OpenBLAS 0.3.21 gives 0 or Inf
 * for tiny numbers in double precision, and 0 for a NaN when it uses threads. */
static bool fits_blas(const void *given, const gbl_device *device)
{
    const gbl_vector_call *call = given;
    return gbl_dtype_real_bytes(call->dtype) == 4 && call->incx > 0 &&
           gbl_vector_fits_blas(call, device);
}

static void cost_one_pass(const void *call, const gbl_params *params, const gbl_device *device,
                          gbl_cost *cost)
{
    gbl_work least;
    work(call, &least);
    gbl_stream_cost(call, params, device, &least, 1, cost);
}

static void cost_two_pass(const void *call, const gbl_params *params, const gbl_device *device,
                          gbl_cost *cost)
{
    gbl_work least;
    work(call, &least);
    gbl_stream_cost(call, params, device, &least, 2, cost);
}

static gable_status run_omp(gable_context *ctx, const void *call, const gbl_params *params)
{
    static const gbl_task_function tasks[4] = {gbl_cpu_snrm2_omp, gbl_cpu_dnrm2_omp,
                                               gbl_cpu_cnrm2_omp, gbl_cpu_znrm2_omp};
    (void)params;
    return gbl_vector_run_task(ctx, call, "nrm2_omp", tasks);
}

static gable_status run_blas(gable_context *ctx, const void *call, const gbl_params *params)
{
    static const gbl_task_function tasks[4] = {gbl_cpu_snrm2_blas, gbl_cpu_dnrm2_blas,
                                               gbl_cpu_cnrm2_blas, gbl_cpu_znrm2_blas};
    (void)params;
    return gbl_vector_run_task(ctx, call, "nrm2_blas", tasks);
}

static bool fits_vendor(const void *given, const gbl_device *device)
{
    const gbl_vector_call *call = given;
    return call->incx > 0 && gbl_vector_fits_vendor(call, device, "nrm2");
}

static gable_status run_vendor(gable_context *ctx, const void *call, const gbl_params *params)
{
    (void)params;
    return gbl_vector_run_vendor(ctx, call, "nrm2");
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
    {"two_pass", true, false, gbl_stream_fits, run_two_pass, cost_two_pass, gbl_stream_space,
     STREAM_PARAMS},
    {"one_pass", true, false, gbl_stream_fits_handover, run_one_pass, cost_one_pass,
     gbl_stream_space, STREAM_PARAMS},
    {"blas", true, false, fits_blas, run_blas, cost_least, NULL, 0},
    {"omp", true, false, gbl_vector_fits_omp, run_omp, cost_least, NULL, 0},
    {"vendor", true, true, fits_vendor, run_vendor, cost_least, NULL, 0},
};

const gbl_op gbl_nrm2_op = {"nrm2", work, gbl_vector_key, variants,
                            sizeof variants / sizeof variants[0]};

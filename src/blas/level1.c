/* level1.c: what the rows of the vector routines share.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <string.h>
#include "blas/level1.h"
#include "core/launch.h"
#include "device/cpu_blas.h"
#include "device/vector_args.h"

uint64_t gbl_vector_key(const void *given)
{
    const gbl_vector_call *call = given;
    uint64_t log2 = 0;
    for (uint64_t rest = (uint64_t)call->n + ((uint64_t)call->n >> 1); rest > 1; rest >>= 1)
        log2++; /* floor(log2(1.5 n)): nearly the nearest power of two */
    return log2 | (uint64_t)call->dtype << 8 | (uint64_t)(call->incx != 1) << 10 |
           (uint64_t)(call->y != NULL && call->incy != 1) << 11;
}

const void *gbl_first_element(const void *x, int64_t n, int64_t inc, gbl_dtype dtype)
{
    if (inc >= 0)
        return x;
    return (const char *)x + (1 - n) * inc * (int64_t)gbl_dtype_bytes(dtype);
}

static gbl_vector_args args_of(const gbl_vector_call *call)
{
    const gbl_vector_args args = {
        .dtype = (int)call->dtype,
        .conj = call->conj,
        .n = call->n,
        .re = call->alpha.re,
        .im = call->alpha.im,
        .alpha_at = call->alpha.device,
        .x = call->x,
        .incx = call->incx,
        .y = call->y,
        .incy = call->incy,
        .result = call->result,
    };
    return args;
}

gable_status gbl_vector_check(gable_context *ctx, const gbl_vector_call *call, int x_number,
                              int y_number)
{
    CHECK_ARG(ctx, call->n >= 0, 2, "n", "is %lld; it must be at least 0", (long long)call->n);
    if (call->n > 0)
        TRY(gbl_check_address(ctx, x_number, "x", call->x));
    if (call->n > 0 && y_number > 0)
        TRY(gbl_check_address(ctx, y_number, "y", call->y));
    return GABLE_OK;
}

gable_status gbl_vector_result(gable_context *ctx, const gbl_op *op, const gbl_vector_call *given,
                               int number, size_t bytes)
{
    gbl_vector_call call = *given;
    gbl_result result;
    TRY(gbl_result_begin(ctx, number, "result", call.result, bytes, &result));
    call.result = result.address;
    if (call.n == 0)
        TRY(gbl_fill(ctx, result.address, 0, result.bytes));
    else
        TRY(gbl_op_run(ctx, op, &call));
    return gbl_result_end(ctx, &result);
}

/* ---- The cpu ---- */

static gable_status run_task(gable_context *ctx, const gbl_vector_call *call, const char *name,
                             const gbl_task_function tasks[4])
{
    gbl_vector_args args = args_of(call);
    args.x = gbl_first_element(call->x, call->n, call->incx, call->dtype);
    if (call->y != NULL && call->incy < 0)
        args.y =
            (char *)call->y + (1 - call->n) * call->incy * (int64_t)gbl_dtype_bytes(call->dtype);
    return gbl_task(ctx, name, tasks[call->dtype], &args, sizeof args);
}

bool gbl_vector_fits_omp(const gbl_variant *self, const void *call, const gbl_device *device)
{
    (void)self;
    (void)call;
    return device->props.is_host;
}

gable_status gbl_vector_run_omp(gable_context *ctx, const gbl_variant *self, const void *call,
                                const gbl_params *params)
{
    const gbl_vector_routine *routine = self->detail;
    (void)params;
    return run_task(ctx, call, routine->stem, routine->omp);
}

bool gbl_vector_fits_blas(const gbl_variant *self, const void *given, const gbl_device *device)
{
    const gbl_vector_routine *routine = self->detail;
    const gbl_vector_call *call = given;
    return device->props.is_host && routine->blas[call->dtype] != NULL &&
           (call->incx > 0 || !routine->forward_only) && gbl_cpu_blas_get() != NULL &&
           gbl_cpu_blas_fits(call->n, call->incx, call->y != NULL ? call->incy : 1);
}

gable_status gbl_vector_run_blas(gable_context *ctx, const gbl_variant *self, const void *call,
                                 const gbl_params *params)
{
    const gbl_vector_routine *routine = self->detail;
    (void)params;
    return run_task(ctx, call, routine->stem, routine->blas);
}

/* ---- The vendor's library ---- */

bool gbl_vector_fits_vendor(const gbl_variant *self, const void *given, const gbl_device *device)
{
    const gbl_vector_routine *routine = self->detail;
    const gbl_vector_call *call = given;
    const gbl_vendor *vendor = device->table->vendor;
    /* cuBLAS faults on complex numbers that stand on an address of their real type only. A single
     * vector has a real result. */
    uintptr_t addresses = (uintptr_t)call->x | (uintptr_t)call->y | (uintptr_t)call->alpha.device;
    if (call->y != NULL)
        addresses |= (uintptr_t)call->result;
    return vendor != NULL && call->incx != 0 && (call->incx > 0 || !routine->forward_only) &&
           addresses % gbl_dtype_bytes(call->dtype) == 0 && vendor->task(routine->stem) != NULL &&
           vendor->available(device);
}

gable_status gbl_vector_run_vendor(gable_context *ctx, const gbl_variant *self, const void *call,
                                   const gbl_params *params)
{
    const gbl_vector_routine *routine = self->detail;
    const gbl_vendor *vendor = ctx->device->table->vendor;
    const gbl_vector_args args = args_of(call);
    (void)params;
    TRY(vendor->prepare(ctx->queue, &ctx->message));
    return gbl_task(ctx, vendor->name, vendor->task(routine->stem), &args, sizeof args);
}

void gbl_vector_cost(const gbl_variant *self, const void *call, const gbl_params *params,
                     const gbl_device *device, gbl_cost *cost)
{
    const gbl_vector_routine *routine = self->detail;
    gbl_work least;
    (void)params;
    routine->work(call, &least);
    memset(cost, 0, sizeof *cost);
    cost->memory_bytes = least.bytes_read + least.bytes_written;
    cost->flops = least.flops;
    cost->launches = 1;
    cost->groups = device->props.units;
}

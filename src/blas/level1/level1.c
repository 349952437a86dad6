/* level1.c: what the variants of the vector routines share.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <string.h>
#include "blas/host_cost.h"
#include "blas/level1/level1.h"
#include "core/launch.h"
#include "device/cpu_blas.h"

void *gbl_first_element(void *x, int64_t n, int64_t inc, gbl_dtype dtype)
{
    if (inc >= 0)
        return x;
    return (char *)x + (1 - n) * inc * (int64_t)gbl_dtype_bytes(dtype);
}

gbl_work gbl_vector_work(const gbl_vector_call *call, double reads, double writes,
                         double real_flops, double complex_flops)
{
    const double n = (double)call->n, bytes = n * (double)gbl_dtype_bytes(call->dtype);
    const double flops = gbl_dtype_complex(call->dtype) ? complex_flops : real_flops;
    return (gbl_work){reads * bytes, writes * bytes, flops * n};
}

/* ---- Operands ---- */

_Static_assert(GBL_VECTOR_SHAPE_BYTES == 7 * 8, "the shape of vector calls has gaps");
_Static_assert(sizeof(gbl_vector_call) <= GBL_MAX_CALL_BYTES, "vector calls fit a question");

const gbl_call_layout gbl_vector_layout = {.call_bytes = sizeof(gbl_vector_call),
                                           .shape_bytes = GBL_VECTOR_SHAPE_BYTES,
                                           .sizes_at = VECTOR_AT(n)};

int64_t gbl_vector_rows(const void *call)
{
    return ((const gbl_vector_call *)call)->n;
}

size_t gbl_real_element(const void *call)
{
    return gbl_dtype_real_bytes(((const gbl_call *)call)->dtype);
}

size_t gbl_scalar_element(const void *given)
{
    const gbl_vector_call *call = given;
    return call->real_scalars ? gbl_dtype_real_bytes(call->dtype) : gbl_dtype_bytes(call->dtype);
}

size_t gbl_position_element(const void *call)
{
    (void)call;
    return sizeof(int64_t);
}

#define MODERATE ((int64_t)1 << 28) /* twice of it and 16 bytes are far below 2^63 */

static bool is_moderate(const void *x, int64_t inc)
{
    return x != NULL && inc > -MODERATE && inc < MODERATE && inc != 0;
}

bool gbl_plain_x(const gable_context *ctx, const void *given)
{
    const gbl_vector_call *call = given;
    return ctx->device->props.is_host && !ctx->guarded && call->n > 0 && call->n < MODERATE &&
           call->alpha.device != gbl_null_scalar && call->beta.device != gbl_null_scalar &&
           is_moderate(call->x, call->incx);
}

bool gbl_plain_xy(const gable_context *ctx, const void *given)
{
    const gbl_vector_call *call = given;
    return gbl_plain_x(ctx, call) && is_moderate(call->y, call->incy);
}

bool gbl_plain_xyw(const gable_context *ctx, const void *given)
{
    const gbl_vector_call *call = given;
    return gbl_plain_xy(ctx, call) && is_moderate(call->w, call->incw);
}

/* ---- Entries ---- */

/* The operand that is the result: the last of the arguments. */
static const gbl_operand *result_of(const gbl_op *op)
{
    const gbl_operand *operand = &op->operands[op->operand_count - 1];
    while (operand->kind != GBL_RESULT)
        operand--;
    return operand;
}

gable_status gbl_vector_result(gable_context *ctx, const char *name, const gbl_op *op,
                               const gbl_vector_call *given)
{
    const gbl_operand *operand = result_of(op);
    const size_t bytes = gbl_operand_element(operand, given);
    gbl_result result;
    TRY(gbl_enter(ctx, name));
    if (ctx->depth == 0 && !op->plain(ctx, given))
        TRY(gbl_arguments_check(ctx, op, given));
    TRY(gbl_result_begin(ctx, (int)(operand - op->operands) + 2, operand->name, given->result,
                         bytes, &result));
    if (given->n == 0) {
        TRY(gbl_fill_bytes(ctx, result.address, 0, result.bytes));
    } else if (result.host == NULL) {
        TRY(gbl_op_run(ctx, op, given));
    } else {
        gbl_vector_call call = *given;
        call.result = result.address;
        TRY(gbl_op_run(ctx, op, &call));
    }
    return gbl_result_end(ctx, &result);
}

#define RUN(stem) GBL_RUN_ROUTINE(stem, gbl_vector_call)
GBL_VECTOR_RUN_STEMS(RUN)
#define RUN_RESULT(stem)                                                                           \
    gable_status gbl_##stem(gable_context *ctx, const char *name, const gbl_vector_call *call)     \
    {                                                                                              \
        return gbl_vector_result(ctx, name, &gbl_##stem##_op, call);                               \
    }
GBL_VECTOR_RESULT_STEMS(RUN_RESULT)

/* ---- The cpu ---- */

static gable_status run_task(gable_context *ctx, const gbl_vector_call *call, const char *name,
                             const gbl_task_function tasks[4])
{
    if (call->incx >= 0 && call->incy >= 0 && call->incw >= 0)
        return gbl_task(ctx, name, tasks[call->dtype], call, sizeof *call);
    gbl_vector_args args = *call;
    args.x = gbl_first_element(call->x, call->n, call->incx, call->dtype);
    if (call->y != NULL)
        args.y = gbl_first_element(call->y, call->n, call->incy, call->dtype);
    if (call->w != NULL)
        args.w = gbl_first_element(call->w, call->n, call->incw, call->dtype);
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
    const bool strided = call->incx != 1 || (call->y != NULL && call->incy != 1);
    if (strided && routine->contiguous_complex && gbl_dtype_complex(call->dtype))
        return false;
    if (!gbl_cpu_blas_trusted(call->dtype) || (GBL_CPU_X86 && routine->not_x86[call->dtype]))
        return false;
    return device->props.is_host && routine->blas[call->dtype] != NULL &&
           (call->incx > 0 || !routine->forward_only) && gbl_cpu_blas_get() != NULL &&
           gbl_cpu_blas_has(routine->stem, gbl_dtype_letter(call->dtype)) &&
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
    uintptr_t addresses = (uintptr_t)call->x | (uintptr_t)call->y | (uintptr_t)call->alpha.device |
                          (uintptr_t)call->beta.device;
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
    (void)params;
    TRY(vendor->prepare(ctx->queue, &ctx->message));
    return gbl_task(ctx, vendor->name, vendor->task(routine->stem), call, sizeof(gbl_vector_args));
}

void gbl_vector_cost(const gbl_variant *self, const void *call, const gbl_params *params,
                     const gbl_device *device, gbl_cost *cost)
{
    const gbl_vector_routine *routine = self->detail;
    gbl_work least;
    (void)params;
    routine->work(call, &least);
    const gbl_host_walk walk = gbl_host_vectors();
    gbl_host_cost(&least, &walk, device, cost);
}

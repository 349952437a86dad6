/* level1.c: what the variants of the vector routines share.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <string.h>
#include "blas/host_cost.h"
#include "blas/level1.h"
#include "core/key.h"
#include "core/launch.h"
#include "device/cpu_blas.h"

uint64_t gbl_vector_key(const void *given)
{
    const gbl_vector_call *call = given;
    return gbl_key_sizes(call->dtype, call->n, 0, 0) | gbl_key_flag(call->incx != 1, GBL_KEY_INCX) |
           gbl_key_flag(call->y != NULL && call->incy != 1, GBL_KEY_INCY) |
           gbl_key_flag(call->w != NULL && call->incw != 1, GBL_KEY_INCW);
}

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

/* ---- Checks and entries ---- */

const char gbl_null_scalar[1];

gable_status gbl_scalar_check(gable_context *ctx, int number, const char *name, const void *device)
{
    CHECK_ARG(ctx, device != gbl_null_scalar, number, name, "is NULL; it must be device memory");
    return device != NULL ? gbl_check_address(ctx, number, name, device) : GABLE_OK;
}

static gable_status check_vector(gable_context *ctx, const gbl_vector_call *call, int number,
                                 const char *name, const char *inc_name, const void *x, int64_t inc,
                                 bool written)
{
    if (call->n > 0)
        TRY(gbl_check_address(ctx, number, name, x));
    CHECK_ARG(ctx, !written || inc != 0, number + 1, inc_name,
              "is 0; the stride of an output must not be");
    return gbl_pitch_check(ctx, number + 1, inc_name, name, call->n, inc, 1,
                           gbl_dtype_bytes(call->dtype));
}

/* The argument of a number, if it is a scalar or a vector. */
static gable_status check_numbered(gable_context *ctx, const gbl_vector_call *call,
                                   const gbl_vector_numbers *numbers, int number)
{
    const int64_t n = call->n;
    if (number == numbers->x)
        return check_vector(ctx, call, number, "x", "incx", call->x, call->incx, numbers->writes_x);
    if (number == numbers->y)
        return check_vector(ctx, call, number, "y", "incy", call->y, call->incy, numbers->writes_y);
    if (number == numbers->w)
        return check_vector(ctx, call, number, "w", "incw", call->w, call->incw, true);
    if (number == numbers->alpha && n > 0)
        return gbl_scalar_check(ctx, number,
                                numbers->alpha_name != NULL ? numbers->alpha_name : "alpha",
                                call->alpha.device);
    if (number == numbers->beta && n > 0)
        return gbl_scalar_check(ctx, number,
                                numbers->beta_name != NULL ? numbers->beta_name : "beta",
                                call->beta.device);
    return GABLE_OK;
}

#define MODERATE ((int64_t)1 << 28) /* twice of it and 16 bytes are far below 2^63 */

static bool is_moderate(const void *x, int64_t inc, bool written)
{
    return x != NULL && inc > -MODERATE && inc < MODERATE && (!written || inc != 0);
}

/* A legal call of moderate size on the host, told by few comparisons: most calls are such. */
static bool plainly_legal(const gable_context *ctx, const gbl_vector_call *call,
                          const gbl_vector_numbers *numbers)
{
    return ctx->device->props.is_host && call->n > 0 && call->n < MODERATE &&
           call->alpha.device != gbl_null_scalar && call->beta.device != gbl_null_scalar &&
           (numbers->x == 0 || is_moderate(call->x, call->incx, numbers->writes_x)) &&
           (numbers->y == 0 || is_moderate(call->y, call->incy, numbers->writes_y)) &&
           (numbers->w == 0 || is_moderate(call->w, call->incw, true));
}

gable_status gbl_vector_check(gable_context *ctx, const gbl_vector_call *call,
                              const gbl_vector_numbers *numbers)
{
    const int last = 10; /* of the longest prototype, that of waxpby */
    if (plainly_legal(ctx, call, numbers))
        return GABLE_OK;
    CHECK_ARG(ctx, call->n >= 0, 2, "n", "is %lld; it must be at least 0", (long long)call->n);
    TRY(gbl_count_check(ctx, 2, "n", call->n, gbl_dtype_bytes(call->dtype)));
    for (int number = 3; number <= last; number++)
        TRY(check_numbered(ctx, call, numbers, number));
    return GABLE_OK;
}

static bool is_zero(const gbl_scalar *scalar)
{
    return scalar->device == NULL && scalar->re == 0 && scalar->im == 0;
}

/* Whether a factor by value says that its vector is not read. Those with other names are no factors. */
static bool unread(const gbl_scalar *factor, int number, const char *other_name)
{
    return number != 0 && other_name == NULL && is_zero(factor);
}

gable_status gbl_vector_guard(gable_context *ctx, const gbl_vector_call *call,
                              const gbl_vector_numbers *numbers, size_t result_bytes)
{
    const size_t elem = gbl_dtype_bytes(call->dtype), real = gbl_dtype_real_bytes(call->dtype);
    const bool maps = result_bytes == 0;
    gbl_operand operands[6];
    int count = 0;
    if (call->n == 0)
        return GABLE_OK;
    if (numbers->x != 0 &&
        !(maps && !numbers->writes_x && unread(&call->alpha, numbers->alpha, numbers->alpha_name)))
        operands[count++] =
            gbl_operand_vector("x", numbers->x, numbers->writes_x ? GBL_READ_WRITE : GBL_READ,
                               call->x, call->n, call->incx, elem);
    if (numbers->y != 0 &&
        !(maps && !numbers->writes_y && unread(&call->beta, numbers->beta, numbers->beta_name)))
        operands[count++] =
            gbl_operand_vector("y", numbers->y, numbers->writes_y ? GBL_READ_WRITE : GBL_READ,
                               call->y, call->n, call->incy, elem);
    if (numbers->w != 0)
        operands[count++] =
            gbl_operand_vector("w", numbers->w, GBL_WRITE, call->w, call->n, call->incw, elem);
    for (int i = 0; i < count; i++)
        operands[i].in_place = maps; /* element by element */
    if (numbers->alpha != 0 && call->alpha.device != NULL)
        operands[count++] = gbl_operand_vector(
            numbers->alpha_name != NULL ? numbers->alpha_name : "alpha", numbers->alpha, GBL_READ,
            call->alpha.device, numbers->alpha_count > 0 ? numbers->alpha_count : 1, 1,
            call->real_scalars || numbers->alpha_real ? real : elem);
    if (numbers->beta != 0 && call->beta.device != NULL)
        operands[count++] = gbl_operand_vector(
            numbers->beta_name != NULL ? numbers->beta_name : "beta", numbers->beta, GBL_READ,
            call->beta.device, 1, 1, call->real_scalars ? real : elem);
    if (result_bytes > 0)
        operands[count++] = gbl_operand_vector("result", numbers->result, GBL_WRITE, call->result,
                                               (int64_t)result_bytes, 1, 1);
    return gbl_operands_check(ctx, operands, count);
}

gable_status gbl_vector_run(gable_context *ctx, const char *name, const gbl_op *op,
                            const gbl_vector_numbers *numbers, const gbl_vector_call *call)
{
    TRY(gbl_enter(ctx, name));
    if (ctx->depth == 0) {
        TRY(gbl_vector_check(ctx, call, numbers));
        if (ctx->guarded)
            TRY(gbl_vector_guard(ctx, call, numbers, 0));
    }
    return call->n == 0 ? GABLE_OK : gbl_op_run(ctx, op, call);
}

gable_status gbl_vector_result(gable_context *ctx, const char *name, const gbl_op *op,
                               const gbl_vector_numbers *numbers, const gbl_vector_call *given,
                               size_t bytes)
{
    gbl_result result;
    TRY(gbl_enter(ctx, name));
    if (ctx->depth == 0) {
        TRY(gbl_vector_check(ctx, given, numbers));
        if (ctx->guarded)
            TRY(gbl_vector_guard(ctx, given, numbers, bytes));
    }
    TRY(gbl_result_begin(ctx, numbers->result, "result", given->result, bytes, &result));
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

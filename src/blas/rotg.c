/* rotg.c: the rotation that makes (a, b) into (r, 0), and its modified form
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A handful of numbers: in host memory they are computed at once by the cpu's code, in device memory by
 * one work-item in turn with the other calls. Operands stand in the call as vector_args.h says.
 */
#include "core/kernel_args.h"
#include "blas/level1.h"
#include "core/kernel.h"
#include "core/launch.h"
#include "cpu/cpu_kernels.h"
#include "rotmg_args.h"

_Static_assert(sizeof(rotmg_args) == 2 * 8, "host and device must agree");

static void rotg_work(const void *given, gbl_work *least)
{
    const gbl_vector_call *call = given;
    const double bytes = (double)gbl_dtype_bytes(call->dtype);
    *least = (gbl_work){2 * bytes, 4 * bytes, 10};
}

static void rotmg_work(const void *given, gbl_work *least)
{
    const gbl_vector_call *call = given;
    const double bytes = (double)gbl_dtype_bytes(call->dtype);
    *least = (gbl_work){4 * bytes, 8 * bytes, 15};
}

static const gbl_vector_routine rotg_routine = {
    .stem = "rotg",
    .work = rotg_work,
    .omp = {gbl_cpu_srotg, gbl_cpu_drotg, gbl_cpu_crotg, gbl_cpu_zrotg},
};
static const gbl_vector_routine rotmg_routine = {
    .stem = "rotmg",
    .work = rotmg_work,
    .omp = {gbl_cpu_srotmg, gbl_cpu_drotmg, NULL, NULL},
};

static bool fits_kernel(const gbl_variant *self, const void *call, const gbl_device *device)
{
    (void)self;
    (void)call;
    return device->table->build != NULL;
}

static gable_status launch_one(gable_context *ctx, const char *file, gbl_dtype dtype,
                               gbl_launch_spec *launch)
{
    const gbl_kernel_spec spec = {.file = file, .dtype = dtype};
    gbl_kernel *kernel;
    TRY(gbl_kernel_get(ctx->device, &spec, &kernel, &ctx->message));
    launch->groups[0] = launch->groups[1] = 1;
    launch->group[0] = launch->group[1] = 1;
    return gbl_launch(ctx, kernel, launch);
}

static gable_status run_rotg(gable_context *ctx, const gbl_variant *self, const void *given,
                             const gbl_params *params)
{
    const gbl_vector_call *call = given;
    (void)self;
    (void)params;
    gbl_launch_spec launch = {.buffer_count = 4,
                              .buffers = {call->x, call->y, call->result, call->w}};
    return launch_one(ctx, "rotg.cl", call->dtype, &launch);
}

static gable_status run_rotmg(gable_context *ctx, const gbl_variant *self, const void *given,
                              const gbl_params *params)
{
    const gbl_vector_call *call = given;
    (void)self;
    (void)params;
    const rotmg_args args = {call->alpha.re, call->alpha.device != NULL};
    gbl_launch_spec launch = {
        .buffer_count = 5,
        .buffers = {call->x, call->y, call->w,
                    call->alpha.device != NULL ? call->alpha.device : call->x, call->result},
        .args = &args,
        .args_bytes = sizeof args,
    };
    return launch_one(ctx, "rotmg.cl", call->dtype, &launch);
}

static const gbl_variant rotg_variants[] = {
    {.name = "one_item",
     .deterministic = true,
     .fits = fits_kernel,
     .run = run_rotg,
     .cost = gbl_vector_cost,
     .detail = &rotg_routine,
     .kernels = "rotg.cl"},
    {.name = "omp",
     .deterministic = true,
     .fits = gbl_vector_fits_omp,
     .run = gbl_vector_run_omp,
     .cost = gbl_vector_cost,
     .detail = &rotg_routine},
};
static const gbl_variant rotmg_variants[] = {
    {.name = "one_item",
     .deterministic = true,
     .fits = fits_kernel,
     .run = run_rotmg,
     .cost = gbl_vector_cost,
     .detail = &rotmg_routine,
     .kernels = "rotmg.cl"},
    {.name = "omp",
     .deterministic = true,
     .fits = gbl_vector_fits_omp,
     .run = gbl_vector_run_omp,
     .cost = gbl_vector_cost,
     .detail = &rotmg_routine},
};

const gbl_op gbl_rotg_op = {
    .stem = "rotg",
    .family = &gbl_vector_family,
    .work = rotg_work,
    .key = gbl_vector_key,
    .variants = rotg_variants,
    .variant_count = 2,
};
const gbl_op gbl_rotmg_op = {
    .stem = "rotmg",
    .family = &gbl_vector_family,
    .work = rotmg_work,
    .key = gbl_vector_key,
    .variants = rotmg_variants,
    .variant_count = 2,
};

/* Arguments 2 to 5 or 6, in order; those in host memory must only be there. */
static gable_status check(gable_context *ctx, bool on_device, const char *const *names,
                          void *const *addresses, int count)
{
    for (int i = 0; i < count; i++) {
        if (on_device)
            TRY(gbl_check_address(ctx, 2 + i, names[i], addresses[i]));
        CHECK_ARG(ctx, addresses[i] != NULL, 2 + i, names[i], "is NULL; it must be host memory");
    }
    return GABLE_OK;
}

static gable_status check_rotg(gable_context *ctx, bool on_device, const gbl_vector_call *call)
{
    static const char *const names[] = {"a", "b", "c", "s"};
    void *const addresses[] = {call->x, call->y, call->result, call->w};
    return check(ctx, on_device, names, addresses, 4);
}

static gable_status check_rotmg(gable_context *ctx, bool on_device, const gbl_vector_call *call)
{
    static const char *const names[] = {"d1", "d2", "x1"};
    static const char *const param[] = {"param"};
    void *const addresses[] = {call->x, call->y, call->w};
    TRY(check(ctx, on_device, names, addresses, 3));
    TRY(gbl_scalar_check(ctx, 5, "y1", call->alpha.device));
    if (on_device)
        return gbl_check_address(ctx, 6, param[0], call->result);
    CHECK_ARG(ctx, call->result != NULL, 6, param[0], "is NULL; it must be host memory");
    return GABLE_OK;
}

/* On the device: what check has looked at, against the allocations. */
static gable_status guard_rotg(gable_context *ctx, const gbl_vector_call *call)
{
    const size_t elem = gbl_dtype_bytes(call->dtype), real = gbl_dtype_real_bytes(call->dtype);
    const gbl_operand operands[] = {gbl_operand_vector("a", 2, GBL_READ_WRITE, call->x, 1, 1, elem),
                                    gbl_operand_vector("b", 3, GBL_READ_WRITE, call->y, 1, 1, elem),
                                    gbl_operand_vector("c", 4, GBL_WRITE, call->result, 1, 1, real),
                                    gbl_operand_vector("s", 5, GBL_WRITE, call->w, 1, 1, elem)};
    return gbl_operands_check(ctx, operands, 4);
}

static gable_status guard_rotmg(gable_context *ctx, const gbl_vector_call *call)
{
    const size_t elem = gbl_dtype_bytes(call->dtype);
    const gbl_operand operands[] = {
        gbl_operand_vector("d1", 2, GBL_READ_WRITE, call->x, 1, 1, elem),
        gbl_operand_vector("d2", 3, GBL_READ_WRITE, call->y, 1, 1, elem),
        gbl_operand_vector("x1", 4, GBL_READ_WRITE, call->w, 1, 1, elem),
        gbl_operand_vector("y1", 5, GBL_READ, call->alpha.device, 1, 1, elem),
        gbl_operand_vector("param", 6, GBL_WRITE, call->result, 5, 1, elem)};
    return gbl_operands_check(ctx, operands, 5);
}

gable_status gbl_rotg(gable_context *ctx, const char *name, const gbl_vector_call *call)
{
    TRY(gbl_enter(ctx, name));
    if (ctx->depth == 0) {
        TRY(check_rotg(ctx, true, call));
        if (ctx->guarded)
            TRY(guard_rotg(ctx, call));
    }
    return gbl_op_run(ctx, &gbl_rotg_op, call);
}

gable_status gbl_rotg_host(gable_context *ctx, const char *name, const gbl_vector_call *call)
{
    TRY(gbl_enter(ctx, name));
    TRY(check_rotg(ctx, false, call));
    return rotg_routine.omp[call->dtype](NULL, NULL, call, &ctx->message);
}

gable_status gbl_rotmg(gable_context *ctx, const char *name, const gbl_vector_call *call)
{
    TRY(gbl_enter(ctx, name));
    if (ctx->depth == 0) {
        TRY(check_rotmg(ctx, true, call));
        if (ctx->guarded)
            TRY(guard_rotmg(ctx, call));
    }
    return gbl_op_run(ctx, &gbl_rotmg_op, call);
}

gable_status gbl_rotmg_host(gable_context *ctx, const char *name, const gbl_vector_call *call)
{
    TRY(gbl_enter(ctx, name));
    TRY(check_rotmg(ctx, false, call));
    return rotmg_routine.omp[call->dtype](NULL, NULL, call, &ctx->message);
}

/* rotg.c: the rotation that makes (a, b) into (r, 0), and its modified form
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A handful of numbers: in host memory they are computed at once by the cpu's code, in device
 * memory by one work-item in turn with the other calls. Operands stand in the call as vector_args.h
 * says.
 */
#include "core/kernel_args.h"
#include "blas/level1/level1.h"
#include "blas/level1/stream_plan.h"
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
    .omp = GBL_CPU_FOUR(rotg),
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

static int specs(const gbl_variant *self, const void *call, const gbl_params *params,
                 const gbl_device *device, gbl_kernel_spec *specs)
{
    (void)params, (void)device;
    *specs =
        (gbl_kernel_spec){.file = self->kernels, .dtype = ((const gbl_vector_call *)call)->dtype};
    return 1;
}

static gable_status launch_one(gable_context *ctx, const gbl_variant *self, const void *call,
                               const gbl_params *params, gbl_launch_spec *launch)
{
    gbl_kernel_spec spec;
    gbl_kernel *kernel;
    specs(self, call, params, ctx->device, &spec);
    TRY(gbl_kernel_get(ctx->device, &spec, &kernel, &ctx->message));
    launch->groups[0] = launch->groups[1] = 1;
    launch->group[0] = launch->group[1] = 1;
    return gbl_launch(ctx, kernel, launch);
}

static gable_status run_rotg(gable_context *ctx, const gbl_variant *self, const void *given,
                             const gbl_params *params)
{
    const gbl_vector_call *call = given;
    gbl_launch_spec launch = {.buffer_count = 4,
                              .buffers = {call->x, call->y, call->result, call->w}};
    return launch_one(ctx, self, call, params, &launch);
}

static gable_status run_rotmg(gable_context *ctx, const gbl_variant *self, const void *given,
                              const gbl_params *params)
{
    const gbl_vector_call *call = given;
    const rotmg_args args = {call->alpha.re, call->alpha.device != NULL};
    gbl_launch_spec launch = {
        .buffer_count = 5,
        .buffers = {call->x, call->y, call->w,
                    call->alpha.device != NULL ? call->alpha.device : call->x, call->result},
        .args = &args,
        .args_bytes = sizeof args,
    };
    return launch_one(ctx, self, call, params, &launch);
}

static const gbl_variant rotg_variants[] = {
    GBL_VARIANT("one_item", .fits = fits_kernel, .run = run_rotg, .cost = gbl_vector_cost,
                .detail = &rotg_routine, .kernels = "rotg.cl", .specs = specs),
    GBL_VECTOR_OMP_VARIANT(&rotg_routine),
};
static const gbl_variant rotmg_variants[] = {
    GBL_VARIANT("one_item", .fits = fits_kernel, .run = run_rotmg, .cost = gbl_vector_cost,
                .detail = &rotmg_routine, .kernels = "rotmg.cl", .specs = specs),
    GBL_VECTOR_OMP_VARIANT(&rotmg_routine),
};

#define NUMBER(name_, at_, access_)                                                                \
    .name = name_, .kind = GBL_NUMBERS, .access = access_, .at = VECTOR_AT(at_)

static int64_t one(const void *call)
{
    (void)call;
    return 1;
}

static int64_t param_count(const void *call)
{
    (void)call;
    return 5;
}

static const gbl_operand rotg_operands[] = {
    {NUMBER("a", x, GBL_READ_WRITE), .rows = one},
    {NUMBER("b", y, GBL_READ_WRITE), .rows = one},
    {NUMBER("c", result, GBL_WRITE), .rows = one, .element = gbl_real_element},
    {NUMBER("s", w, GBL_WRITE), .rows = one},
};
static const gbl_operand rotmg_operands[] = {
    {NUMBER("d1", x, GBL_READ_WRITE), .rows = one},
    {NUMBER("d2", y, GBL_READ_WRITE), .rows = one},
    {NUMBER("x1", w, GBL_READ_WRITE), .rows = one},
    {.name = "y1", .kind = GBL_SCALAR, .access = GBL_READ, .at = VECTOR_AT(alpha)},
    {NUMBER("param", result, GBL_WRITE), .rows = param_count},
};

const gbl_op gbl_rotg_op = {GBL_VECTOR_OP("rotg", rotg_operands, rotg_variants), .work = rotg_work};
const gbl_op gbl_rotmg_op = {GBL_VECTOR_OP("rotmg", rotmg_operands, rotmg_variants),
                             .dtypes = 1u << GBL_S | 1u << GBL_D, .work = rotmg_work};

/* Operands in host memory must only be there. */
static gable_status check_host(gable_context *ctx, const gbl_op *op, const gbl_vector_call *call)
{
    for (int i = 0; i < op->operand_count; i++)
        CHECK_ARG(ctx,
                  op->operands[i].kind == GBL_SCALAR ||
                      gbl_call_address(call, op->operands[i].at) != NULL,
                  2 + i, op->operands[i].name, "is NULL; it must be host memory");
    return GABLE_OK;
}

gable_status gbl_rotg_host(gable_context *ctx, const char *name, const gbl_vector_call *call)
{
    TRY(gbl_enter(ctx, name));
    TRY(check_host(ctx, &gbl_rotg_op, call));
    return rotg_routine.omp[call->dtype](NULL, NULL, call, &ctx->message);
}

gable_status gbl_rotmg_host(gable_context *ctx, const char *name, const gbl_vector_call *call)
{
    TRY(gbl_enter(ctx, name));
    TRY(check_host(ctx, &gbl_rotmg_op, call));
    return rotmg_routine.omp[call->dtype](NULL, NULL, call, &ctx->message);
}

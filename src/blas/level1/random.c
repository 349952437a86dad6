/* random.c: x_i uniform in [low, high), from the seed and first + i alone
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * x is written once. alpha is low and beta high in the call that comes in, the width high - low in
 * the one that is run. Variants: the kernel, on cpu OpenMP; both give the same bits.
 */
#include <math.h>
#include "core/kernel_args.h"
#include "blas/level1/level1.h"
#include "blas/level1/stream_plan.h"
#include "core/kernel.h"
#include "core/launch.h"
#include "core/number_text.h"
#include "cpu/cpu_kernels.h"
#include "random_args.h"

_Static_assert(sizeof(random_args) == 7 * 8, "host and device must agree");

enum { RANDOM_LOCAL, RANDOM_GROUPS, RANDOM_PARAMS };
static const int32_t locals[] = {1, 64, 128, 256, 512};
static const int32_t groups_a_unit[] = {1, 4, 8, 16, 32};
static const gbl_param space[RANDOM_PARAMS] = {
    {.name = "local", GBL_VALUES(locals), .fallback = 128},
    {.name = "groups", GBL_VALUES(groups_a_unit), .fallback = 32},
};

/* Integer operations are not counted. */
static void work(const void *call, gbl_work *least)
{
    *least = gbl_vector_work(call, 0, 1, 3, 6);
}

static const gbl_vector_routine routine = {
    .stem = "random",
    .work = work,
    .omp = GBL_CPU_FOUR(random_omp),
};

static bool fits(const gbl_variant *self, const void *call, const gbl_device *device)
{
    (void)self;
    (void)call;
    return device->table->build != NULL;
}

/* Groups for so many counters, of which each makes 16 bytes. */
static int64_t groups_for(const gbl_vector_call *call, const gbl_params *params,
                          const gbl_device *device)
{
    const double counters = (double)call->n * (double)gbl_dtype_bytes(call->dtype) / 16 + 1;
    const double wanted = counters / params->value[RANDOM_LOCAL] + 1;
    const int64_t most = (int64_t)params->value[RANDOM_GROUPS] * device->props.units;
    return wanted < (double)most ? (int64_t)wanted : most;
}

/* Whether x is contiguous and the numbers of each counter stand on a multiple of 16 bytes. */
static bool blocks_aligned(const gbl_vector_call *call)
{
    const uint64_t before = call->first * (uint64_t)gbl_dtype_bytes(call->dtype);
    return call->incx == 1 && ((uintptr_t)call->x - (uintptr_t)before) % 16 == 0;
}

static int specs(const gbl_variant *self, const void *given, const gbl_params *params,
                 const gbl_device *device, gbl_kernel_spec *specs)
{
    (void)self, (void)device;
    *specs = (gbl_kernel_spec){.file = "random.cl",
                               .dtype = ((const gbl_vector_call *)given)->dtype,
                               .macro_count = 1,
                               .macros = {{"WX", params->value[RANDOM_LOCAL]}}};
    return 1;
}

static gable_status run(gable_context *ctx, const gbl_variant *self, const void *given,
                        const gbl_params *params)
{
    const gbl_vector_call *call = given;
    gbl_kernel_spec spec;
    gbl_kernel *kernel;
    specs(self, call, params, ctx->device, &spec);
    TRY(gbl_kernel_get(ctx->device, &spec, &kernel, &ctx->message));
    const random_args args = {.n = call->n,
                              .incx = call->incx,
                              .seed = (int64_t)call->seed,
                              .first = (int64_t)call->first,
                              .low = call->alpha.re,
                              .width = call->beta.re,
                              .aligned = blocks_aligned(call)};
    gbl_launch_spec launch = {
        .groups = {groups_for(call, params, ctx->device), 1},
        .group = {params->value[RANDOM_LOCAL], 1},
        .buffer_count = 1,
        .buffers = {gbl_first_element(call->x, call->n, call->incx, call->dtype)},
        .args = &args,
        .args_bytes = sizeof args,
    };
    return gbl_launch(ctx, kernel, &launch);
}

static void cost(const gbl_variant *self, const void *call, const gbl_params *params,
                 const gbl_device *device, gbl_cost *out)
{
    gbl_vector_cost(self, call, params, device, out);
    out->groups = (double)groups_for(call, params, device);
    out->group_items = params->value[RANDOM_LOCAL];
}

static const gbl_variant variants[] = {
    GBL_VARIANT("counter", .fits = fits, .run = run, .cost = cost, .space = space,
                .space_count = RANDOM_PARAMS, .detail = &routine, .kernels = "random.cl",
                .specs = specs),
    GBL_VECTOR_OMP_VARIANT(&routine),
};

static const gbl_operand operands[] = {
    GBL_OPERAND_N,
    {.name = "seed", .kind = GBL_ANY, .at = VECTOR_AT(seed)},
    {.name = "first", .kind = GBL_ANY, .at = VECTOR_AT(first)},
    {.name = "low", .kind = GBL_ANY, .at = VECTOR_AT(alpha)},
    {.name = "high", .kind = GBL_ANY, .at = VECTOR_AT(beta)},
    GBL_OPERAND_X(GBL_WRITE),
};

static gable_status rules(gable_context *ctx, const void *given)
{
    const gbl_vector_call *call = given;
    const double low = call->alpha.re, high = call->beta.re;
    const bool single = gbl_dtype_real_bytes(call->dtype) == 4;
    CHECK_ARG(ctx, isfinite(low), 5, "low", "is %s; it must be finite", GBL_NUMBER(low));
    CHECK_ARG(ctx, isfinite(high), 6, "high", "is %s; it must be finite", GBL_NUMBER(high));
    CHECK_ARG(ctx, low <= high, 6, "high", "is %s; it must be at least low, which is %s",
              GBL_NUMBER(high), GBL_NUMBER(low));
    CHECK_ARG(ctx, isfinite(single ? (double)((float)high - (float)low) : high - low), 6, "high",
              "is %s and low is %s; their difference must be finite", GBL_NUMBER(high),
              GBL_NUMBER(low));
    return GABLE_OK;
}

const gbl_op gbl_random_op = {GBL_VECTOR_OP("random", operands, variants), .rules = rules,
                              .work = work};

gable_status gbl_random(gable_context *ctx, const char *name, const gbl_vector_call *given)
{
    gbl_vector_call call = *given;
    TRY(gbl_enter(ctx, name));
    if (ctx->depth == 0)
        TRY(gbl_arguments_check(ctx, &gbl_random_op, &call));
    if (call.n == 0)
        return GABLE_OK;
    call.beta.re -= call.alpha.re;
    return gbl_op_run(ctx, &gbl_random_op, &call);
}

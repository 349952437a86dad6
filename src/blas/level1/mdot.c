/* mdot.c: result_j := sum of X_ij y_i, or of conj(X_ij) y_i, for the k columns of X
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * X is read once, y once for each batch of columns, mostly from the cache. Variants: one launch, in
 * which the last group of each batch adds its partial sums; two launches where groups cannot hand
 * over; on cpu OpenMP.
 */
#include <string.h>
#include "blas/level1/columns.h"
#include "blas/kernel_plan.h"
#include "core/launch.h"
#include "cpu/cpu_kernels.h"
#include "mdot_args.h"

_Static_assert(sizeof(mdot_args) == 10 * 8, "host and device must agree");

#define MOST_BATCHES GBL_COUNTERS /* in one launch: each has a counter */

static void work(const void *given, gbl_work *least)
{
    const gbl_vector_call *call = given;
    const double k = (double)call->count;
    *least = gbl_vector_work(call, k + 1, 0, 2 * k, 8 * k);
    least->bytes_written = k * (double)gbl_dtype_bytes(call->dtype);
}

static const gbl_vector_routine routine = {
    .stem = "mdot",
    .work = work,
    .omp = GBL_CPU_FOUR(mdot_omp),
};

/* How many columns a batch has when k are dealt out evenly. */
static int batch_of(int64_t k, const gbl_params *params)
{
    const int64_t most = params->value[COLUMNS_BATCH];
    const int64_t batches = (k + most - 1) / most;
    return (int)((k + batches - 1) / batches);
}

/* The tunables for a batch: all its groups together are as many as one vector would have, and a
 * group's sums fit local memory. */
static gbl_params fitted(const gbl_device *device, const gbl_vector_call *call,
                         const gbl_params *given, int batch)
{
    gbl_params params = *given;
    const int64_t a_group = (int64_t)gbl_dtype_bytes(call->dtype) * batch;
    while (!gbl_lanes_exchange(&device->props) && params.value[STREAM_LOCAL] > 1 &&
           params.value[STREAM_LOCAL] * a_group > gbl_scratch_bytes(&device->props))
        params.value[STREAM_LOCAL] /= 2;
    return params;
}

static int64_t groups_a_batch(const gbl_device *device, const gbl_params *params, int64_t batches)
{
    const int64_t all = (int64_t)params->value[STREAM_GROUPS] * device->props.units;
    if (all == 0)
        return STREAM_MAX_PARTIALS;
    return all / batches > 1 ? all / batches : 1;
}

static void finish_spec(const gbl_vector_call *call, int32_t local, int batch,
                        gbl_kernel_spec *spec)
{
    gbl_kernel_begin(spec, "mdot_finish.cl", call->dtype);
    gbl_kernel_add_macro(spec, "WX", local);
    gbl_kernel_add_macro(spec, "BATCH", batch);
}

static gable_status finish(gable_context *ctx, const gbl_vector_call *call, int32_t local,
                           int batch, int64_t batches, const void *partials, const mdot_args *args)
{
    gbl_kernel_spec spec;
    gbl_kernel *kernel;
    finish_spec(call, local, batch, &spec);
    TRY(gbl_kernel_get(ctx->device, &spec, &kernel, &ctx->message));
    gbl_launch_spec launch = {
        .groups = {1, batches},
        .group = {local, 1},
        .buffer_count = 2,
        .buffers = {partials, call->result},
        .args = args,
        .args_bytes = sizeof *args,
    };
    return gbl_launch(ctx, kernel, &launch);
}

static gbl_stream_use use_of(const gbl_device *device, const gbl_vector_call *call, int batch,
                             const gbl_params *params, bool one_pass)
{
    const int64_t batches = (call->count + batch - 1) / batch;
    return (gbl_stream_use){
        .file = "mdot.cl",
        .max_groups = groups_a_batch(device, params, batches),
        .macro_count = 3,
        .macros = {{"ONE_PASS", one_pass}, {"CONJ", call->conj}, {"BATCH", batch}},
    };
}

/* At most MOST_BATCHES batches of columns. */
static gable_status run_some(gable_context *ctx, const gbl_vector_call *call, int batch,
                             const gbl_params *given, bool one_pass)
{
    const gbl_params params = fitted(ctx->device, call, given, batch);
    const int64_t batches = (call->count + batch - 1) / batch;
    const gbl_vector_call plan_call = gbl_columns_plan_call(call);
    const gbl_stream_use use = use_of(ctx->device, call, batch, &params, one_pass);
    gbl_stream plan;
    gbl_kernel *kernel;
    void *partials, *counters;
    TRY(gbl_stream_prepare(ctx, &plan_call, &params, &use, &plan, &kernel));
    TRY(gbl_arena_take(ctx->arena, ctx->device,
                       (size_t)(plan.groups * batches * batch) * gbl_dtype_bytes(call->dtype),
                       &partials, &ctx->message));
    TRY(gbl_arena_counters(ctx->arena, ctx->queue, (int)batches, &counters, &ctx->message));

    const mdot_args args = {plan.args, call->ldx, call->count, plan.groups};
    gbl_launch_spec launch = {
        .groups = {plan.groups, batches},
        .group = {plan.local, 1},
        .buffer_count = 5,
        .buffers = {call->x, gbl_first_element(call->y, call->n, call->incy, call->dtype), partials,
                    counters, call->result},
        .args = &args,
        .args_bytes = sizeof args,
    };
    TRY(gbl_launch(ctx, kernel, &launch));
    return one_pass ? GABLE_OK : finish(ctx, call, plan.local, batch, batches, partials, &args);
}

/* Columns [j, j + most) of a call, or those that are left. */
static gbl_vector_call some_of(const gbl_vector_call *given, int64_t j, int64_t most)
{
    gbl_vector_call call = *given;
    call.x = gbl_column(given, j);
    call.count = given->count - j < most ? given->count - j : most;
    call.result = (char *)given->result + (size_t)j * gbl_dtype_bytes(given->dtype);
    return call;
}

static gable_status run_all(gable_context *ctx, const gbl_vector_call *given,
                            const gbl_params *params, bool one_pass)
{
    const int batch = batch_of(given->count, params);
    const int64_t most = (int64_t)batch * MOST_BATCHES;
    for (int64_t j = 0; j < given->count; j += most) {
        const gbl_vector_call call = some_of(given, j, most);
        TRY(run_some(ctx, &call, batch, params, one_pass));
    }
    return GABLE_OK;
}

static gable_status run_one_pass(gable_context *ctx, const gbl_variant *self, const void *call,
                                 const gbl_params *params)
{
    (void)self;
    return run_all(ctx, call, params, true);
}

static gable_status run_two_pass(gable_context *ctx, const gbl_variant *self, const void *call,
                                 const gbl_params *params)
{
    (void)self;
    return run_all(ctx, call, params, false);
}

/* Launches of one call start their columns alike; only the last may have a single column, which no
 * other has to be aligned with. */
static int specs_of(const gbl_vector_call *all, const gbl_params *params, const gbl_device *device,
                    bool one_pass, gbl_kernel_spec *specs)
{
    const int batch = batch_of(all->count, params);
    const int64_t most = (int64_t)batch * MOST_BATCHES, last = (all->count - 1) / most * most;
    const gbl_params fit = fitted(device, all, params, batch);
    int count = 0;
    for (int end = 0; end < (last > 0 && all->count - last == 1 ? 2 : 1); end++) {
        const gbl_vector_call call = some_of(all, end ? last : 0, most),
                              plan_call = gbl_columns_plan_call(&call);
        const gbl_stream_use use = use_of(device, &call, batch, &fit, one_pass);
        gbl_stream plan;
        gbl_stream_spec(&plan_call, &fit, device, &use, &plan, &specs[count++]);
        if (!one_pass && !end)
            finish_spec(&call, plan.local, batch, &specs[count++]);
    }
    return count;
}

static int specs_one_pass(const gbl_variant *self, const void *call, const gbl_params *params,
                          const gbl_device *device, gbl_kernel_spec *list)
{
    (void)self;
    return specs_of(call, params, device, true, list);
}

static int specs_two_pass(const gbl_variant *self, const void *call, const gbl_params *params,
                          const gbl_device *device, gbl_kernel_spec *list)
{
    (void)self;
    return specs_of(call, params, device, false, list);
}

static void cost_of(const gbl_vector_call *call, const gbl_params *params, const gbl_device *device,
                    int launches, gbl_cost *cost)
{
    const int batch = call->count > 0 ? batch_of(call->count, params) : 1;
    const int64_t batches = (call->count + batch - 1) / batch;
    const double vector = (double)call->n * (double)gbl_dtype_bytes(call->dtype);
    const gbl_vector_call plan_call = gbl_columns_plan_call(call);
    gbl_stream plan;
    gbl_work least;
    work(call, &least);
    gbl_stream_plan(&plan_call, params, device,
                    groups_a_batch(device, params, batches > 0 ? batches : 1), &plan);
    memset(cost, 0, sizeof *cost);
    cost->memory_bytes = least.bytes_read + least.bytes_written;
    cost->cache_bytes = batches > 1 ? (double)(batches - 1) * vector : 0;
    cost->flops = least.flops;
    cost->launches = launches * (double)((batches + MOST_BATCHES - 1) / MOST_BATCHES);
    cost->barriers = launches == 1 && plan.groups > 1 ? 1 : 0;
    cost->steps = launches * gbl_reduce_steps(device, plan.local);
    cost->groups = (double)(plan.groups * batches);
    cost->group_items = plan.local;
    cost->bytes_in_flight = (double)plan.local * plan.unroll * plan.vec * (batch + 1) *
                            (double)gbl_dtype_bytes(call->dtype);
}

static void cost_one_pass(const gbl_variant *self, const void *call, const gbl_params *params,
                          const gbl_device *device, gbl_cost *cost)
{
    (void)self;
    cost_of(call, params, device, 1, cost);
}

static void cost_two_pass(const gbl_variant *self, const void *call, const gbl_params *params,
                          const gbl_device *device, gbl_cost *cost)
{
    (void)self;
    cost_of(call, params, device, 2, cost);
}

static const gbl_variant variants[] = {
    GBL_VARIANT("two_pass", .fits = gbl_stream_fits, .run = run_two_pass, .cost = cost_two_pass,
                .space = gbl_columns_space, .space_count = COLUMNS_PARAMS,
                .legal = gbl_stream_legal, .detail = &routine, .kernels = "mdot.cl mdot_finish.cl",
                .specs = specs_two_pass),
    GBL_VARIANT("one_pass", .fits = gbl_reduce_fits_one_pass, .run = run_one_pass,
                .cost = cost_one_pass, .space = gbl_columns_space, .space_count = COLUMNS_PARAMS,
                .legal = gbl_stream_legal, .detail = &routine, .kernels = "mdot.cl",
                .specs = specs_one_pass),
    GBL_VECTOR_OMP_VARIANT(&routine),
};

static const gbl_operand operands[] = {
    GBL_COLUMNS_SIZES,
    GBL_COLUMNS_MATRIX,
    {.name = "y",
     .kind = GBL_VECTOR,
     .access = GBL_READ,
     .at = VECTOR_AT(y),
     .step = VECTOR_AT(incy),
     .rows = gbl_vector_rows},
    {.name = "incy", .kind = GBL_INC, .at = VECTOR_AT(incy)},
    {.name = "result",
     .kind = GBL_RESULT,
     .access = GBL_WRITE,
     .at = VECTOR_AT(result),
     .rows = gbl_columns_count},
    {.kind = GBL_SWITCH, .at = VECTOR_AT(conj), .complex = true},
};

const gbl_op gbl_mdot_op = {GBL_VECTOR_OP("mdot", operands, variants), .work = work};

gable_status gbl_mdot(gable_context *ctx, const char *name, const gbl_vector_call *given)
{
    return gbl_columns_result(ctx, name, &gbl_mdot_op, given, 8, gbl_dtype_bytes(given->dtype));
}

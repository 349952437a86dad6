/* mnrm2.c: result_j := the Euclidean norm of column j of X, for its k columns
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * X is read once; neither overflow nor underflow, as in nrm2. Variants: one launch in which several
 * groups share a column and the last of them adds its partial sums, for few long columns; the same
 * in two launches; a team of lanes per column, for many; on cpu OpenMP.
 */
#include <string.h>
#include "blas/level1/columns.h"
#include "blas/kernel_plan.h"
#include "core/launch.h"
#include "cpu/cpu_kernels.h"
#include "mdot_args.h"

#define MOST_GROUPS ((int64_t)1 << 30)

static void work(const void *given, gbl_work *least)
{
    const gbl_vector_call *call = given;
    const double k = (double)call->count;
    *least = gbl_vector_work(call, k, 0, 2 * k, 4 * k);
    least->bytes_written = k * (double)gbl_dtype_real_bytes(call->dtype);
}

static const gbl_vector_routine routine = {
    .stem = "mnrm2",
    .work = work,
    .omp = GBL_CPU_FOUR(mnrm2_omp),
};

/* ---- Groups that share a column ---- */

/* Sums are in double: one for s and c; medium, big and small for d and z
 * (kernels/level1/norm.h). */
static size_t partial_bytes(gbl_dtype dtype)
{
    return gbl_dtype_real_bytes(dtype) == 4 ? 8 : 24;
}

/* All columns together have as many groups as one vector would. */
static gbl_stream_use use_of(const gbl_device *device, const gbl_vector_call *call,
                             const gbl_params *params, bool one_pass)
{
    const int64_t all = (int64_t)params->value[STREAM_GROUPS] * device->props.units;
    const int64_t share = call->count > 0 ? all / call->count : all;
    return (gbl_stream_use){.file = "mnrm2.cl",
                            .max_groups = all == 0    ? STREAM_MAX_PARTIALS
                                          : share > 1 ? share
                                                      : 1,
                            .macro_count = 1,
                            .macros = {{"ONE_PASS", one_pass}}};
}

static void finish_spec(const gbl_vector_call *call, int32_t local, gbl_kernel_spec *spec)
{
    gbl_kernel_begin(spec, "mnrm2_finish.cl", call->dtype);
    gbl_kernel_add_macro(spec, "WX", local);
}

static gable_status finish(gable_context *ctx, const gbl_vector_call *call, int32_t local,
                           const void *partials, const mdot_args *args)
{
    gbl_kernel_spec spec;
    gbl_kernel *kernel;
    finish_spec(call, local, &spec);
    TRY(gbl_kernel_get(ctx->device, &spec, &kernel, &ctx->message));
    gbl_launch_spec launch = {.groups = {1, call->count},
                              .group = {local, 1},
                              .buffer_count = 2,
                              .buffers = {partials, call->result},
                              .args = args,
                              .args_bytes = sizeof *args};
    return gbl_launch(ctx, kernel, &launch);
}

/* At most GBL_COUNTERS columns: each has a counter. */
static gable_status run_some(gable_context *ctx, const gbl_vector_call *call,
                             const gbl_params *params, bool one_pass)
{
    const gbl_vector_call plan_call = gbl_columns_plan_call(call);
    const gbl_stream_use use = use_of(ctx->device, call, params, one_pass);
    gbl_stream plan;
    gbl_kernel *kernel;
    void *partials, *counters;
    TRY(gbl_stream_prepare(ctx, &plan_call, params, &use, &plan, &kernel));
    TRY(gbl_arena_take(ctx->arena, ctx->device,
                       (size_t)(plan.groups * call->count) * partial_bytes(call->dtype), &partials,
                       &ctx->message));
    TRY(gbl_arena_counters(ctx->arena, ctx->queue, (int)call->count, &counters, &ctx->message));
    const mdot_args args = {plan.args, call->ldx, call->count, plan.groups};
    gbl_launch_spec launch = {.groups = {plan.groups, call->count},
                              .group = {plan.local, 1},
                              .buffer_count = 4,
                              .buffers = {call->x, partials, counters, call->result},
                              .args = &args,
                              .args_bytes = sizeof args};
    TRY(gbl_launch(ctx, kernel, &launch));
    return one_pass ? GABLE_OK : finish(ctx, call, plan.local, partials, &args);
}

static gable_status run_split(gable_context *ctx, const gbl_vector_call *given,
                              const gbl_params *params, bool one_pass)
{
    gbl_vector_call call = *given;
    for (int64_t j = 0; j < given->count; j += GBL_COUNTERS) {
        call.x = gbl_column(given, j);
        call.count = given->count - j < GBL_COUNTERS ? given->count - j : GBL_COUNTERS;
        call.result = (char *)given->result + (size_t)j * gbl_dtype_real_bytes(given->dtype);
        TRY(run_some(ctx, &call, params, one_pass));
    }
    return GABLE_OK;
}

static gable_status run_one_pass(gable_context *ctx, const gbl_variant *self, const void *call,
                                 const gbl_params *params)
{
    (void)self;
    return run_split(ctx, call, params, true);
}

static gable_status run_two_pass(gable_context *ctx, const gbl_variant *self, const void *call,
                                 const gbl_params *params)
{
    (void)self;
    return run_split(ctx, call, params, false);
}

/* Launches of one call start their columns alike; a last one of a single column is aligned with no
 * other. */
static int split_specs(const gbl_vector_call *given, const gbl_params *params,
                       const gbl_device *device, bool one_pass, gbl_kernel_spec *specs)
{
    gbl_vector_call call = *given;
    const int64_t all = call.count;
    int count = 0;
    for (int end = 0; end < (all > GBL_COUNTERS && all % GBL_COUNTERS == 1 ? 2 : 1); end++) {
        gbl_stream plan;
        call.count = end ? 1 : all < GBL_COUNTERS ? all : GBL_COUNTERS;
        call.x = end ? gbl_column(given, all - 1) : call.x;
        const gbl_vector_call plan_call = gbl_columns_plan_call(&call);
        const gbl_stream_use use = use_of(device, &call, params, one_pass);
        gbl_stream_spec(&plan_call, params, device, &use, &plan, &specs[count++]);
        if (!one_pass && !end)
            finish_spec(&call, plan.local, &specs[count++]);
    }
    return count;
}

static int specs_one_pass(const gbl_variant *self, const void *call, const gbl_params *params,
                          const gbl_device *device, gbl_kernel_spec *list)
{
    (void)self;
    return split_specs(call, params, device, true, list);
}

static int specs_two_pass(const gbl_variant *self, const void *call, const gbl_params *params,
                          const gbl_device *device, gbl_kernel_spec *list)
{
    (void)self;
    return split_specs(call, params, device, false, list);
}

static void split_cost(const gbl_vector_call *call, const gbl_params *params,
                       const gbl_device *device, bool one_pass, gbl_cost *cost)
{
    const gbl_vector_call plan_call = gbl_columns_plan_call(call);
    const int64_t rounds = gbl_some_parts(call->count, GBL_COUNTERS);
    const gbl_stream_use use = use_of(device, call, params, one_pass);
    gbl_stream plan;
    gbl_work least;
    work(call, &least);
    gbl_stream_plan(&plan_call, params, device, use.max_groups, &plan);
    memset(cost, 0, sizeof *cost);
    cost->memory_bytes = least.bytes_read + least.bytes_written;
    cost->flops = least.flops;
    cost->launches = (double)(one_pass ? rounds : 2 * rounds);
    cost->barriers = one_pass && plan.groups > 1 ? (double)rounds : 0;
    cost->steps = cost->launches * gbl_reduce_steps(device, plan.local);
    cost->groups = (double)(plan.groups * call->count);
    cost->group_items = plan.local;
    cost->bytes_in_flight =
        (double)plan.local * plan.unroll * plan.vec * (double)gbl_dtype_bytes(call->dtype);
}

static void cost_one_pass(const gbl_variant *self, const void *call, const gbl_params *params,
                          const gbl_device *device, gbl_cost *cost)
{
    (void)self;
    split_cost(call, params, device, true, cost);
}

static void cost_two_pass(const gbl_variant *self, const void *call, const gbl_params *params,
                          const gbl_device *device, gbl_cost *cost)
{
    (void)self;
    split_cost(call, params, device, false, cost);
}

/* ---- A team of lanes per column ---- */

enum { TEAMS_TEAM = STREAM_PARAMS, TEAMS_COLUMNS, TEAMS_PARAMS };
static const int32_t locals[] = {1, 32, 64, 128, 256, 512};
static const int32_t no_choice[] = {0};
static const int32_t vectors[] = {1, 2, 4, 8, 16};
static const int32_t unrolls[] = {1, 2, 4, 8};
static const int32_t teams[] = {1, 2, 4, 8, 16, 32, 64, 128, 256};
static const int32_t columns_a_team[] = {1, 2, 4, 8, 16, 64};

static const gbl_param teams_space[TEAMS_PARAMS] = {
    {.name = "local", GBL_VALUES(locals), .fallback = 256},
    {.name = "groups", GBL_VALUES(no_choice), .fallback = 0},
    {.name = "vec", GBL_VALUES(vectors), .fallback = 2},
    {.name = "range", GBL_VALUES(no_choice), .fallback = 0},
    {.name = "unroll", GBL_VALUES(unrolls), .fallback = 4},
    {.name = "team", GBL_VALUES(teams), .fallback = 32},
    {.name = "columns", GBL_VALUES(columns_a_team), .fallback = 1},
};

typedef struct teams_plan {
    gbl_stream stream;
    int64_t groups, columns; /* and columns per team */
    int32_t team;
} teams_plan;

/* More lanes than vectors would idle. Where lanes do not run together they would meet in local
 * memory for each column. */
static int32_t team_of(const gbl_vector_call *call, const gbl_params *params, int32_t local)
{
    const int32_t vec = params->value[STREAM_VEC];
    int32_t team = params->value[TEAMS_TEAM] < local ? params->value[TEAMS_TEAM] : local;
    while (team > 1 && team / 2 * vec >= call->n)
        team /= 2;
    return team;
}

static gbl_stream_use teams_use(int32_t team)
{
    return (gbl_stream_use){.file = "mnrm2_teams.cl", .macro_count = 1, .macros = {{"TEAM", team}}};
}

static void plan_groups(const gbl_vector_call *call, const gbl_params *params, teams_plan *plan)
{
    const int64_t side = plan->stream.local / plan->team;
    plan->columns = params->value[TEAMS_COLUMNS];
    while (gbl_parts(call->count, side * plan->columns) > MOST_GROUPS)
        plan->columns *= 2;
    plan->groups = gbl_some_parts(call->count, side * plan->columns);
}

static void plan_teams(const gbl_vector_call *call, const gbl_params *params,
                       const gbl_device *device, teams_plan *plan)
{
    const gbl_vector_call plan_call = gbl_columns_plan_call(call);
    memset(plan, 0, sizeof *plan);
    gbl_stream_plan(&plan_call, params, device, 0, &plan->stream);
    plan->team = team_of(call, params, plan->stream.local);
    plan_groups(call, params, plan);
}

static gable_status run_teams(gable_context *ctx, const gbl_variant *self, const void *given,
                              const gbl_params *params)
{
    const gbl_vector_call *call = given, plan_call = gbl_columns_plan_call(call);
    teams_plan plan = {.team = team_of(call, params, params->value[STREAM_LOCAL])};
    gbl_kernel *kernel;
    (void)self;
    for (;; plan.team = plan.stream.local) {
        const gbl_stream_use use = teams_use(plan.team);
        TRY(gbl_stream_prepare(ctx, &plan_call, params, &use, &plan.stream, &kernel));
        if (plan.team <= plan.stream.local)
            break;
    }
    plan_groups(call, params, &plan);
    const mdot_args args = {plan.stream.args, call->ldx, call->count, plan.columns};
    gbl_launch_spec launch = {.groups = {plan.groups, 1},
                              .group = {plan.stream.local, 1},
                              .buffer_count = 2,
                              .buffers = {call->x, call->result},
                              .args = &args,
                              .args_bytes = sizeof args};
    return gbl_launch(ctx, kernel, &launch);
}

static int teams_specs(const gbl_variant *self, const void *given, const gbl_params *params,
                       const gbl_device *device, gbl_kernel_spec *specs)
{
    const gbl_vector_call *call = given, plan_call = gbl_columns_plan_call(call);
    const gbl_stream_use use = teams_use(team_of(call, params, params->value[STREAM_LOCAL]));
    gbl_stream plan;
    (void)self;
    gbl_stream_spec(&plan_call, params, device, &use, &plan, specs);
    return 1;
}

static void teams_cost(const gbl_variant *self, const void *given, const gbl_params *params,
                       const gbl_device *device, gbl_cost *cost)
{
    const gbl_vector_call *call = given;
    const double elem = (double)gbl_dtype_bytes(call->dtype);
    teams_plan plan;
    gbl_work least;
    (void)self;
    work(call, &least);
    plan_teams(call, params, device, &plan);
    const double side = (double)(plan.stream.local / plan.team);
    const double loads = (double)plan.team * plan.stream.unroll * plan.stream.vec;
    memset(cost, 0, sizeof *cost);
    cost->memory_bytes = least.bytes_read + least.bytes_written;
    cost->flops = least.flops;
    cost->launches = 1;
    cost->steps = (double)plan.columns * gbl_reduce_steps(device, plan.team);
    cost->groups = (double)plan.groups;
    cost->group_items = plan.stream.local;
    cost->bytes_in_flight = elem * side * (loads < (double)call->n ? loads : (double)call->n);
}

static bool teams_legal(const gbl_variant *self, const void *given, const gbl_params *params,
                        const gbl_device *device, uint64_t *hash)
{
    const gbl_vector_call *call = given;
    teams_plan plan;
    (void)self;
    plan_teams(call, params, device, &plan);
    *hash = gbl_plan_hash(&plan, sizeof plan);
    return gbl_group_legal(device, plan.stream.local,
                           (int64_t)plan.stream.unroll * plan.stream.vec *
                               (int64_t)gbl_dtype_bytes(call->dtype));
}

/* ---- The op ---- */

static const gbl_variant variants[] = {
    GBL_VARIANT("two_pass", .fits = gbl_stream_fits, .run = run_two_pass, .cost = cost_two_pass,
                .space = gbl_stream_space, .space_count = STREAM_PARAMS, .legal = gbl_stream_legal,
                .detail = &routine, .kernels = "mnrm2.cl mnrm2_finish.cl", .specs = specs_two_pass),
    GBL_VARIANT("one_pass", .fits = gbl_reduce_fits_one_pass, .run = run_one_pass,
                .cost = cost_one_pass, .space = gbl_stream_space, .space_count = STREAM_PARAMS,
                .legal = gbl_stream_legal, .detail = &routine, .kernels = "mnrm2.cl",
                .specs = specs_one_pass),
    GBL_VARIANT("teams", .fits = gbl_stream_fits, .run = run_teams, .cost = teams_cost,
                .space = teams_space, .space_count = TEAMS_PARAMS, .legal = teams_legal,
                .detail = &routine, .kernels = "mnrm2_teams.cl", .specs = teams_specs),
    GBL_VECTOR_OMP_VARIANT(&routine),
};

static const gbl_operand operands[] = {
    GBL_COLUMNS_SIZES,
    GBL_COLUMNS_MATRIX,
    {.name = "result",
     .kind = GBL_RESULT,
     .access = GBL_WRITE,
     .at = VECTOR_AT(result),
     .rows = gbl_columns_count,
     .element = gbl_real_element},
};

const gbl_op gbl_mnrm2_op = {GBL_VECTOR_OP("mnrm2", operands, variants), .work = work};

gable_status gbl_mnrm2(gable_context *ctx, const char *name, const gbl_vector_call *call)
{
    return gbl_columns_result(ctx, name, &gbl_mnrm2_op, call, 6, gbl_dtype_real_bytes(call->dtype));
}

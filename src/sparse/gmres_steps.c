/* gmres_steps.c: GMRES on devices with kernels: launches of the steps of a cycle.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "core/kernel_args.h"
#include "blas/stream_plan.h"
#include "core/launch.h"
#include "device/solver_state.h"
#include "gmres_args.h"
#include "sparse/fused_rows_plan.h"
#include "sparse/gmres.h"

_Static_assert(sizeof(gmres_args) == 10 * 8, "host and device must agree");
_Static_assert(STATE_OUTCOME == (int)GBL_STATE_OUTCOME && STATE_RR == (int)GBL_STATE_RR &&
                   STATE_ITERATION == (int)GBL_STATE_ITERATION &&
                   STATE_TARGET == (int)GBL_STATE_TARGET && STATE_LIMIT == (int)GBL_STATE_LIMIT &&
                   STATE_OWN >= (int)GBL_STATE_FIRST && STATE_KEPT == (int)GBL_HISTORY &&
                   STATE_HISTORY == (int)GBL_STATE_HISTORY && STATE_COUNT == (int)GBL_STATE_COUNT,
               "host and device must agree");
_Static_assert(OUTCOME_SOLVED == (int)GABLE_SOLVED && OUTCOME_LIMIT == (int)GABLE_ITERATION_LIMIT &&
                   OUTCOME_STAGNATED == (int)GABLE_STAGNATED &&
                   OUTCOME_BREAKDOWN == (int)GABLE_BREAKDOWN &&
                   OUTCOME_NOT_FINITE == (int)GABLE_NOT_FINITE,
               "host and device must agree");

#define ROW_MULTIPLE 64 /* columns start on 256 bytes in every precision */

int64_t gbl_gmres_most(void)
{
    return GMRES_MOST;
}

void *gbl_gmres_column(const gbl_gmres *cycle, int64_t k)
{
    return (char *)cycle->V + (size_t)(k * cycle->ld) * gbl_dtype_bytes(cycle->dtype);
}

/* ---- The plan ---- */

/* GPUs: loads of 16 bytes, of which 16 are under way per work-item; a group's tile of u and z is in registers. Where
 * lanes do not run together each work-item has sums in local memory, and groups are small. CPUs: one work-item per
 * group and vectors of 64 bytes. */
static void plan(gbl_gmres *cycle)
{
    const gbl_props *props = &cycle->ctx->device->props;
    const int bytes = (int)gbl_dtype_bytes(cycle->dtype);
    const bool together = gbl_lanes_together(cycle->ctx->device) > 1;
    cycle->batch = 4;
    cycle->block = 32;
    cycle->unroll = 4;
    cycle->vec = 16 / bytes;
    if (props->is_gpu) {
        cycle->local = together ? 256 : 64;
        cycle->column_local = together ? 512 : 64;
        if (!together)
            cycle->block = 16;
        cycle->groups = 2 * (int64_t)props->units;
    } else {
        cycle->local = cycle->column_local = 1;
        cycle->unroll = 2;
        cycle->vec = 64 / bytes;
        cycle->groups = 4 * (int64_t)props->units;
    }
    if (cycle->column_local > props->max_group)
        cycle->column_local = props->max_group;
    const int64_t a_tile = (int64_t)cycle->local * cycle->unroll * cycle->vec;
    const int64_t tiles = (cycle->n + a_tile - 1) / a_tile;
    const int64_t rounds = (tiles + cycle->groups - 1) / cycle->groups;
    cycle->groups = (tiles + rounds - 1) / rounds;
}

static int32_t most_columns(int64_t m)
{
    int32_t most = 32;
    while (most < m)
        most *= 2;
    return most;
}

static void tile_spec(const gbl_gmres *cycle, const char *file, gbl_kernel_spec *spec)
{
    const int bytes = cycle->vec * (int)gbl_dtype_bytes(cycle->dtype);
    *spec = (gbl_kernel_spec){.file = file, .dtype = cycle->dtype};
    gbl_kernel_add_macro(spec, "WX", cycle->local);
    gbl_kernel_add_macro(spec, "VEC", cycle->vec);
    gbl_kernel_add_macro(spec, "ALIGN", bytes);
    gbl_kernel_add_macro(spec, "UNROLL", cycle->unroll);
    gbl_kernel_add_macro(spec, "BATCH", cycle->batch);
}

static gable_status get_dots(gbl_gmres *cycle, int last)
{
    gbl_kernel_spec spec;
    tile_spec(cycle, "gmres_dots.cl", &spec);
    gbl_kernel_add_macro(&spec, "BLOCK", cycle->block);
    gbl_kernel_add_macro(&spec, "LAST", last);
    return gbl_kernel_get(cycle->ctx->device, &spec, &cycle->dots[last], &cycle->ctx->message);
}

static gable_status get_update(gbl_gmres *cycle)
{
    gbl_kernel_spec spec;
    tile_spec(cycle, "gmres_update.cl", &spec);
    gbl_kernel_add_macro(&spec, "BLOCK", cycle->block);
    return gbl_kernel_get(cycle->ctx->device, &spec, &cycle->update, &cycle->ctx->message);
}

/* The kernels of one group. last: 0 or 1; 2: gmres_solve. */
static gable_status get_small(gbl_gmres *cycle, int last, gbl_kernel **kernel)
{
    gbl_kernel_spec spec = {.file = last < 2 ? "gmres_column.cl" : "gmres_solve.cl",
                            .dtype = cycle->dtype};
    gbl_kernel_add_macro(&spec, "WX", cycle->column_local);
    gbl_kernel_add_macro(&spec, "MOST", most_columns(cycle->m));
    if (last < 2)
        gbl_kernel_add_macro(&spec, "LAST", last);
    return gbl_kernel_get(cycle->ctx->device, &spec, kernel, &cycle->ctx->message);
}

gable_status gbl_gmres_open(gable_context *ctx, gbl_dtype dtype, int64_t n, int64_t m,
                            gbl_gmres *cycle)
{
    *cycle = (gbl_gmres){.ctx = ctx, .dtype = dtype, .n = n, .m = m};
    cycle->ld = (n + ROW_MULTIPLE - 1) / ROW_MULTIPLE * ROW_MULTIPLE;
    plan(cycle);
    const size_t columns = (size_t)(m + 1) * (size_t)cycle->ld * gbl_dtype_bytes(dtype);
    const size_t reals = gbl_dtype_complex(dtype) ? 2 : 1;
    void *memory;
    TRY(gbl_arena_take(ctx->arena, ctx->device, columns, &memory, &ctx->message));
    cycle->V = memory;
    TRY(gbl_arena_take(ctx->arena, ctx->device, (size_t)GMRES_NUMBERS(m) * sizeof(double), &memory,
                       &ctx->message));
    cycle->numbers = memory;
    TRY(gbl_arena_take(ctx->arena, ctx->device,
                       (size_t)cycle->groups * (size_t)(m + 1) * 2 * reals * sizeof(double),
                       &memory, &ctx->message));
    cycle->partials = memory;
    if (cycle->ld > n)
        TRY(gbl_fill_bytes(ctx, cycle->V, 0, columns));
    TRY(gbl_fill_bytes(ctx, cycle->numbers, 0, (size_t)GMRES_NUMBERS(m) * sizeof(double)));
    for (int last = 0; last < 2; last++) {
        TRY(get_dots(cycle, last));
        TRY(get_small(cycle, last, &cycle->column[last]));
    }
    TRY(get_update(cycle));
    return get_small(cycle, 2, &cycle->solve);
}

/* ---- Launches ---- */

static gmres_args args_of(const gbl_gmres *cycle, int64_t k)
{
    return (gmres_args){.n = cycle->n,
                        .vectors = (cycle->n + cycle->vec - 1) / cycle->vec,
                        .ld = cycle->ld,
                        .step = k,
                        .restart = cycle->m,
                        .groups = cycle->groups,
                        .eps = gbl_dtype_real_bytes(cycle->dtype) == 4 ? 0x1p-24 : 0x1p-53};
}

static gable_status launch(const gbl_gmres *cycle, gbl_kernel *kernel, gbl_launch_spec spec,
                           const gmres_args *args)
{
    spec.args = args;
    spec.args_bytes = sizeof *args;
    return gbl_launch(cycle->ctx, kernel, &spec);
}

/* u is one more column. */
static gable_status launch_dots(const gbl_gmres *cycle, int64_t k, int last)
{
    gmres_args args = args_of(cycle, k);
    const gbl_launch_spec spec = {.groups = {cycle->groups, 1},
                                  .group = {cycle->local, 1},
                                  .buffer_count = 3,
                                  .buffers = {cycle->V, cycle->numbers, cycle->partials}};
    for (args.first = 0; args.first <= k; args.first += cycle->block) {
        args.own = k + 1 - args.first <= cycle->block;
        args.columns = args.own ? k - args.first : cycle->block;
        TRY(launch(cycle, cycle->dots[last], spec, &args));
    }
    return GABLE_OK;
}

static gable_status launch_column(const gbl_gmres *cycle, int64_t k, int last)
{
    const gmres_args args = args_of(cycle, k);
    const gbl_launch_spec spec = {.groups = {1, 1},
                                  .group = {cycle->column_local, 1},
                                  .buffer_count = 2,
                                  .buffers = {cycle->partials, cycle->numbers}};
    return launch(cycle, cycle->column[last], spec, &args);
}

static gable_status launch_update(const gbl_gmres *cycle, int64_t k)
{
    gmres_args args = args_of(cycle, k);
    const gbl_launch_spec spec = {.groups = {cycle->groups, 1},
                                  .group = {cycle->local, 1},
                                  .buffer_count = 2,
                                  .buffers = {cycle->V, cycle->numbers}};
    do {
        const int64_t left = k - args.first;
        args.own = left <= cycle->block;
        args.columns = args.own ? left : cycle->block;
        TRY(launch(cycle, cycle->update, spec, &args));
        args.first += cycle->block;
    } while (!args.own);
    return GABLE_OK;
}

gable_status gbl_gmres_step(const gbl_gmres *cycle, int64_t k)
{
    TRY(launch_dots(cycle, k, 0));
    TRY(launch_column(cycle, k, 0));
    return launch_update(cycle, k);
}

gable_status gbl_gmres_end(const gbl_gmres *cycle)
{
    TRY(launch_dots(cycle, cycle->m, 1));
    return launch_column(cycle, cycle->m, 1);
}

gable_status gbl_gmres_solve(const gbl_gmres *cycle)
{
    const gmres_args args = args_of(cycle, cycle->m);
    const gbl_launch_spec spec = {.groups = {1, 1},
                                  .group = {cycle->column_local, 1},
                                  .buffer_count = 1,
                                  .buffers = {cycle->numbers}};
    return launch(cycle, cycle->solve, spec, &args);
}

gable_status gbl_gmres_correct(const gbl_gmres *cycle, int precond, const void *inverse, void *x)
{
    gbl_kernel_spec spec;
    gbl_kernel *kernel;
    tile_spec(cycle, "gmres_correct.cl", &spec);
    gbl_kernel_add_macro(&spec, "MOST", most_columns(cycle->m));
    gbl_kernel_add_macro(&spec, "PRECOND", precond);
    TRY(gbl_kernel_get(cycle->ctx->device, &spec, &kernel, &cycle->ctx->message));
    const gmres_args args = args_of(cycle, cycle->m);
    const gbl_launch_spec at = {
        .groups = {cycle->groups, 1},
        .group = {cycle->local, 1},
        .buffer_count = 4,
        .buffers = {cycle->V, cycle->numbers, inverse != NULL ? inverse : cycle->V, x}};
    return launch(cycle, kernel, at, &args);
}

/* A state of zeros, but nothing compares with NaN: no outcome, no target, no limit. */
gable_status gbl_gmres_orthogonalise(const gbl_gmres *cycle)
{
    gable_context *ctx = cycle->ctx;
    double *state = cycle->numbers;
    TRY(gbl_fill_bytes(ctx, state, 0, STATE_COUNT * sizeof *state));
    TRY(gbl_fill_bytes(ctx, state + STATE_OUTCOME, 0xff, sizeof *state));
    TRY(gbl_fill_bytes(ctx, state + STATE_TARGET, 0xff, 2 * sizeof *state));
    for (int64_t k = 0; k < cycle->m; k++)
        TRY(gbl_gmres_step(cycle, k));
    return gbl_gmres_end(cycle);
}

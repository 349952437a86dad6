/* gmres_steps.c: GMRES on devices with kernels: launches of the steps of a cycle.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "core/kernel_args.h"
#include "blas/kernel_plan.h"
#include "blas/level1/stream_plan.h"
#include "core/launch.h"
#include "device/iteration_state.h"
#include "gmres_args.h"
#include "sparse/solver/fused_rows_plan.h"
#include "sparse/solver/gmres.h"

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

/* GPUs: loads of 16 bytes, of which 16 are under way per work-item; a group's tile of u and z is in
 * registers. Where lanes do not run together each work-item has sums in local memory, and groups
 * are small. CPUs: one work-item per group, vectors of 64 bytes, and tiles of 4 KiB. */
static void plan(const gbl_device *device, gbl_gmres *cycle)
{
    const gbl_props *props = &device->props;
    const int bytes = (int)gbl_dtype_bytes(cycle->dtype);
    const bool together = gbl_warp_size(device) > 1;
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
        cycle->unroll = 64;
        cycle->vec = 64 / bytes;
        cycle->groups = 4 * (int64_t)props->units;
    }
    const int64_t sums = (int64_t)sizeof(double) * 2 * (gbl_dtype_complex(cycle->dtype) ? 2 : 1);
    while (!together && cycle->block > 1 &&
           cycle->local * cycle->block * sums > gbl_scratch_bytes(props))
        cycle->block /= 2;
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

/* A work-item per row of the triangle is enough. */
static int solve_local(const gbl_gmres *cycle)
{
    return cycle->column_local < GMRES_MOST ? cycle->column_local : GMRES_MOST;
}

static void tile_macros(const gbl_gmres *cycle, gbl_kernel_spec *spec)
{
    const int bytes = cycle->vec * (int)gbl_dtype_bytes(cycle->dtype);
    gbl_kernel_add_macro(spec, "WX", cycle->local);
    gbl_kernel_add_macro(spec, "VEC", cycle->vec);
    gbl_kernel_add_macro(spec, "ALIGN", bytes);
    gbl_kernel_add_macro(spec, "UNROLL", cycle->unroll);
    gbl_kernel_add_macro(spec, "BATCH", cycle->batch);
}

void gbl_gmres_spec(const gbl_gmres *cycle, gbl_gmres_kernel which, gbl_kernel_spec *spec)
{
    static const char *const files[] = {"gmres_dots.cl",    "gmres_dots.cl",    "gmres_column.cl",
                                        "gmres_column.cl",  "gmres_update.cl",  "gmres_solve.cl",
                                        "gmres_correct.cl", "gmres_correct.cl", "gmres_correct.cl"};
    const bool small =
        which == GBL_GMRES_COLUMN || which == GBL_GMRES_COLUMN_LAST || which == GBL_GMRES_SOLVE;
    *spec = (gbl_kernel_spec){.file = files[which], .dtype = cycle->dtype};
    if (small)
        gbl_kernel_add_macro(spec, "WX",
                             which == GBL_GMRES_SOLVE ? solve_local(cycle) : cycle->column_local);
    else
        tile_macros(cycle, spec);
    if (which == GBL_GMRES_DOTS || which == GBL_GMRES_DOTS_LAST || which == GBL_GMRES_UPDATE)
        gbl_kernel_add_macro(spec, "BLOCK", cycle->block);
    else
        gbl_kernel_add_macro(spec, "MOST", most_columns(cycle->m));
    if (which <= GBL_GMRES_COLUMN_LAST)
        gbl_kernel_add_macro(spec, "LAST",
                             which == GBL_GMRES_DOTS_LAST || which == GBL_GMRES_COLUMN_LAST);
    if (which >= GBL_GMRES_CORRECT)
        gbl_kernel_add_macro(spec, "PRECOND", (int32_t)which - GBL_GMRES_CORRECT);
}

static gable_status get(gbl_gmres *cycle, gbl_gmres_kernel which)
{
    gbl_kernel_spec spec;
    gbl_gmres_spec(cycle, which, &spec);
    return gbl_kernel_get(cycle->ctx->device, &spec, &cycle->kernels[which], &cycle->ctx->message);
}

void gbl_gmres_shape(const gbl_device *device, gbl_dtype dtype, int64_t n, int64_t m,
                     gbl_gmres *cycle)
{
    *cycle = (gbl_gmres){.dtype = dtype, .n = n, .m = m};
    cycle->ld = (n + ROW_MULTIPLE - 1) / ROW_MULTIPLE * ROW_MULTIPLE;
    plan(device, cycle);
}

gable_status gbl_gmres_open(gable_context *ctx, gbl_dtype dtype, int64_t n, int64_t m,
                            gbl_gmres *cycle)
{
    gbl_gmres_shape(ctx->device, dtype, n, m, cycle);
    cycle->ctx = ctx;
    const size_t columns = (size_t)(m + 1) * (size_t)cycle->ld * gbl_dtype_bytes(dtype);
    const size_t reals = gbl_dtype_complex(dtype) ? 2 : 1;
    const size_t numbers = (size_t)GMRES_NUMBERS(m) * sizeof(double);
    const size_t partials = (size_t)cycle->groups * (size_t)(m + 1) * 2 * reals * sizeof(double);
    void *memory;
    TRY(gbl_arena_take(ctx->arena, ctx->device, columns, &cycle->V, &ctx->message));
    TRY(gbl_arena_take(ctx->arena, ctx->device, numbers, &memory, &ctx->message));
    cycle->numbers = memory;
    TRY(gbl_arena_take(ctx->arena, ctx->device, partials, &memory, &ctx->message));
    cycle->partials = memory;
    if (cycle->ld > n)
        TRY(gbl_fill_bytes(ctx, cycle->V, 0, columns));
    TRY(gbl_fill_bytes(ctx, cycle->numbers, 0, numbers));
    for (int which = 0; which < GBL_GMRES_CORRECT; which++)
        TRY(get(cycle, (gbl_gmres_kernel)which));
    return GABLE_OK;
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
        TRY(launch(cycle, cycle->kernels[GBL_GMRES_DOTS + last], spec, &args));
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
    return launch(cycle, cycle->kernels[GBL_GMRES_COLUMN + last], spec, &args);
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
        TRY(launch(cycle, cycle->kernels[GBL_GMRES_UPDATE], spec, &args));
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
                                  .group = {solve_local(cycle), 1},
                                  .buffer_count = 1,
                                  .buffers = {cycle->numbers}};
    return launch(cycle, cycle->kernels[GBL_GMRES_SOLVE], spec, &args);
}

gable_status gbl_gmres_correct(gbl_gmres *cycle, gbl_gmres_kernel how, const void *inverse, void *x)
{
    TRY(get(cycle, how));
    const gmres_args args = args_of(cycle, cycle->m);
    /* It keeps less in registers than the others, and a multiprocessor holds twice as many
     * groups. */
    const gbl_launch_spec spec = {
        .groups = {cycle->local > 1 ? 2 * cycle->groups : cycle->groups, 1},
        .group = {cycle->local, 1},
        .buffer_count = 4,
        .buffers = {cycle->V, cycle->numbers, inverse != NULL ? inverse : cycle->V, x}};
    return launch(cycle, cycle->kernels[how], spec, &args);
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

/* incomplete_solve.c: y := M^-1 x of an incomplete factorization: plan and launches.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * On the cpu a task. With kernels L, then U: one launch per phase; where the device has cooperative
 * launches and there are several phases, one launch for all.
 */
#include "core/kernel_args.h"
#include "blas/kernel_plan.h"
#include "blas/level1/stream_plan.h"
#include "core/launch.h"
#include "level_solve_args.h"
#include "sparse/solver/fused_rows_plan.h"
#include "sparse/solver/incomplete.h"

_Static_assert(sizeof(level_solve_args) == 3 * 8, "host and device must agree");
_Static_assert(sizeof(gbl_factor_phase) == 3 * 8, "host and device must agree");

#define WIDE_ITEMS 128 /* per group */
#define THIN_ITEMS                                                                                 \
    512        /* of the one group that takes thin levels, and where all levels are a launch */
#define RUNS 4 /* groups per unit of a CPU */
/* Entries and rows of a level that one thread of the cpu solves for in about the time in which a
 * team meets. */
#define HOST_THIN 4000
/* Mean entries and rows per level from which on a team is asked at all: rows that lie by levels
 * are read more slowly. */
#define HOST_MEAN 20000

/* ---- Plans ---- */

bool gbl_factor_by_levels(const gbl_device *device, const gbl_factor_half *half, int64_t n)
{
    if (!device->props.is_host)
        return true;
    return device->props.units > 1 && (half->entries + n) / HOST_MEAN >= half->levels;
}

/* GPUs: what one group does in two turns. CPUs: a launch takes as long as some thousand entries. */
int64_t gbl_factor_thin(const gbl_device *device, const gbl_factor_half *half)
{
    (void)half;
    return device->props.is_gpu ? 4 * THIN_ITEMS : 2 * HOST_THIN;
}

/* Lanes of a row: about half its mean length. */
static int lanes_of(const gbl_device *device, const gbl_factor_half *half, int64_t n)
{
    const int together = gbl_warp_size(device);
    int lanes = 1;
    while (lanes < together && 4 * (int64_t)lanes * n <= half->entries)
        lanes *= 2;
    return lanes;
}

typedef enum way { WIDE, THIN, ALL } way;

static int32_t items_of(const gbl_device *device, way which)
{
    const int32_t most = device->props.max_group;
    const int32_t wanted = !device->props.is_gpu ? 1 : which == WIDE ? WIDE_ITEMS : THIN_ITEMS;
    return wanted < most ? wanted : most;
}

static void spec_for(const gbl_device *device, gbl_dtype dtype, int index_bytes, bool upper,
                     int lanes, way which, gbl_kernel_spec *spec)
{
    *spec = (gbl_kernel_spec){.file = "level_solve.cl", .dtype = dtype};
    gbl_kernel_add_macro(spec, "INDEX_BITS", 8 * index_bytes);
    gbl_kernel_add_macro(spec, "UPPER", upper);
    gbl_kernel_add_macro(spec, "WAY", which);
    gbl_kernel_add_macro(spec, "LANES", lanes);
    gbl_kernel_add_macro(spec, "WX", items_of(device, which));
}

int gbl_factor_specs(gbl_dtype dtype, gbl_kernel_spec *specs)
{
    static const struct {
        int index_bytes, lanes;
        way which;
    } forms[] = {{4, 1, WIDE}, {8, 8, WIDE}, {4, 1, THIN}, {8, 32, THIN}, {4, 1, ALL}, {4, 4, ALL}};
    const gbl_device gpu = {.props = {.is_gpu = true, .units = 132, .max_group = 1024}};
    const int count = sizeof forms / sizeof forms[0];
    for (int i = 0; i < 2 * count && specs != NULL; i++)
        spec_for(&gpu, dtype, forms[i / 2].index_bytes, i % 2 == 1, forms[i / 2].lanes,
                 forms[i / 2].which, &specs[i]);
    return 2 * count;
}

static gable_status get_kernel(gable_context *ctx, const struct gbl_factor *f,
                               const gbl_factor_half *half, way which, gbl_kernel **kernel)
{
    gbl_kernel_spec spec;
    spec_for(ctx->device, f->dtype, f->index_bytes, half->upper, half->lanes, which, &spec);
    return gbl_kernel_get(ctx->device, &spec, kernel, &ctx->message);
}

/* Groups of a cooperative launch: as many as are resident, no more than the widest level has work
 * for. 0: there are no such launches. */
static gable_status plan_all(gable_context *ctx, const struct gbl_factor *f, gbl_factor_half *half)
{
    if (!ctx->device->props.cooperative || half->phases < 3)
        return GABLE_OK;
    gbl_launch_spec spec = {
        .groups = {1, 1}, .group = {items_of(ctx->device, ALL), 1}, .cooperative = true};
    int64_t resident, widest = 1;
    TRY(get_kernel(ctx, f, half, ALL, &half->all));
    TRY(gbl_launch_resident(ctx, half->all, &spec, &resident));
    for (int64_t l = 0; l < half->levels; l++)
        if (half->level[l + 1] - half->level[l] > widest)
            widest = half->level[l + 1] - half->level[l];
    const int64_t useful = gbl_parts(widest * half->lanes, items_of(ctx->device, ALL));
    half->all_groups = useful < resident ? useful : resident;
    return GABLE_OK;
}

static gable_status plan_half(gable_context *ctx, struct gbl_factor *f, gbl_factor_half *half)
{
    half->lanes = lanes_of(ctx->device, half, f->n);
    TRY(plan_all(ctx, f, half));
    if (half->all_groups > 0)
        return GABLE_OK;
    for (int64_t k = 0; k < half->phases; k++) {
        gbl_kernel **kernel = half->phase[k].wide ? &half->wide : &half->thin;
        if (*kernel == NULL)
            TRY(get_kernel(ctx, f, half, half->phase[k].wide ? WIDE : THIN, kernel));
    }
    return GABLE_OK;
}

gable_status gbl_factor_kernels(gable_solver *solver, struct gbl_factor *factor)
{
    TRY(gable_alloc(solver->ctx, sizeof(int32_t), &factor->counter));
    TRY(plan_half(solver->ctx, factor, &factor->lower));
    return plan_half(solver->ctx, factor, &factor->upper);
}

/* ---- Launches ---- */

static gable_status launch(gable_solver *solver, const gbl_factor_half *half, gbl_kernel *kernel,
                           way which, int64_t groups, const level_solve_args *args, const void *x,
                           void *y)
{
    const struct gbl_factor *f = solver->factor;
    const gbl_factor_rows *rows = &half->device;
    gbl_launch_spec spec = {.groups = {groups, 1},
                            .group = {items_of(solver->ctx->device, which), 1},
                            .cooperative = which == ALL,
                            .buffer_count = 10,
                            .buffers = {rows->start, rows->column, rows->value, rows->order,
                                        half->device_level, f->device_inverse, x, y,
                                        half->device_phase, f->counter},
                            .args = args,
                            .args_bytes = sizeof *args};
    return gbl_launch(solver->ctx, kernel, &spec);
}

static gable_status launch_phase(gable_solver *solver, const gbl_factor_half *half,
                                 const gbl_factor_phase *phase, const void *x, void *y)
{
    const gbl_device *device = solver->ctx->device;
    level_solve_args args = {.first = phase->first, .end = phase->end};
    if (!phase->wide)
        return launch(solver, half, half->thin, THIN, 1, &args, x, y);
    const int64_t rows = half->level[phase->end] - half->level[phase->first];
    args.run = items_of(device, WIDE) / half->lanes;
    if (!device->props.is_gpu)
        args.run = gbl_parts(rows, (int64_t)device->props.units * RUNS);
    return launch(solver, half, half->wide, WIDE, gbl_parts(rows, args.run), &args, x, y);
}

static gable_status solve_half(gable_solver *solver, const gbl_factor_half *half, const void *x,
                               void *y)
{
    if (half->all_groups > 0) {
        const level_solve_args args = {.first = 0, .end = half->phases};
        TRY(gbl_fill_bytes(solver->ctx, solver->factor->counter, 0, sizeof(int32_t)));
        return launch(solver, half, half->all, ALL, half->all_groups, &args, x, y);
    }
    for (int64_t k = 0; k < half->phases; k++)
        TRY(launch_phase(solver, half, &half->phase[k], x, y));
    return GABLE_OK;
}

static struct gbl_cpu_factor_half cpu_half(const gbl_factor_half *half)
{
    return (struct gbl_cpu_factor_half){
        .rows = half->host, .level = half->level, .phase = half->phase, .phases = half->phases};
}

gable_status gbl_factor_solve(gable_solver *solver, const void *x, void *y)
{
    static const gbl_task_function tasks[] = GBL_CPU_FOUR(factor_solve);
    const struct gbl_factor *f = solver->factor;
    if (!solver->ctx->device->props.is_host) {
        TRY(solve_half(solver, &f->lower, x, y));
        return solve_half(solver, &f->upper, x, y);
    }
    const gbl_cpu_factor_solve_args args = {.n = f->n,
                                            .index_bytes = f->index_bytes,
                                            .bytes = (int64_t)gbl_factor_bytes(solver),
                                            .lower = cpu_half(&f->lower),
                                            .upper = cpu_half(&f->upper),
                                            .inverse = f->inverse,
                                            .x = x,
                                            .y = y};
    return gbl_task(solver->ctx, "factor_solve", tasks[f->dtype], &args, sizeof args);
}

/* bisect.c: eigenvalues of symmetric tridiagonal matrices by bisection.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "blas/host_cost.h"
#include "blas/kernel_plan.h"
#include "core/launch.h"
#include "cpu/cpu_eigen.h"
#include "lapack/bisect.h"
#include "sturm_args.h"

_Static_assert(sizeof(sturm_begin_args) == 2 * 8, "host and device must agree");
_Static_assert(sizeof(sturm_values_args) == 4 * 8, "host and device must agree");

#define BEGIN_ITEMS 64 /* every device takes groups of so many */
/* Work-items of a group on GPUs, a warp; on CPUs what their vectors hold. */
#define WARP_LOG2       5
#define HOST_LOG2       3
#define LEAST_LOG2      2
#define GROUPS_PER_UNIT 32
/* So many work-items of a unit keep it busy: a pivot waits for the one before. */
#define UNIT_ITEMS 512
/* A pivot as multiply-adds of its precision: on cpu with a quotient, else with a reciprocal, which
 * some ten are. */
#define QUOTIENT_FLOPS   30
#define RECIPROCAL_FLOPS 12
/* A pivot that waits for the one before, in exchanges between work-items: 102 to 116 ns on an H200
 * (2026-11). */
#define PIVOT_STEPS 4

enum { BEGIN_KERNEL, VALUES_KERNEL, KERNELS };

static int log2_items(const gbl_device *device)
{
    return device->props.is_gpu ? WARP_LOG2 : HOST_LOG2;
}

int gbl_bisect_log2_points(int64_t count, const gbl_device *device)
{
    int log2_points = WARP_LOG2;
    if (!device->props.is_gpu)
        return HOST_LOG2;
    while (log2_points > LEAST_LOG2 &&
           count > (UNIT_ITEMS * (int64_t)device->props.units) >> log2_points)
        log2_points--;
    return log2_points;
}

static int rounds_of(gbl_dtype dtype, int log2_points)
{
    const int bits = dtype == GBL_S ? 32 : 64;
    return (bits + log2_points - 1) / log2_points;
}

/* If each found its values at the same time. */
static int64_t groups_for(int64_t count, const gbl_device *device)
{
    return gbl_parts(count,
                     (int64_t)1 << (log2_items(device) - gbl_bisect_log2_points(count, device)));
}

int gbl_bisect_specs(gbl_dtype dtype, int64_t count, const gbl_device *device,
                     gbl_kernel_spec *specs)
{
    if (device->table->build == NULL)
        return 0;
    gbl_kernel_begin(&specs[BEGIN_KERNEL], "sturm_begin.cl", dtype);
    gbl_kernel_add_macro(&specs[BEGIN_KERNEL], "ITEMS", BEGIN_ITEMS);
    gbl_kernel_begin(&specs[VALUES_KERNEL], "sturm_values.cl", dtype);
    gbl_kernel_add_macro(&specs[VALUES_KERNEL], "ITEMS", 1 << log2_items(device));
    gbl_kernel_add_macro(&specs[VALUES_KERNEL], "LOG2_POINTS",
                         gbl_bisect_log2_points(count, device));
    return KERNELS;
}

double gbl_bisect_bytes(gbl_dtype dtype, int64_t n)
{
    return (double)gbl_dtype_bytes(dtype) * (double)(2 * n + STURM_NUMBERS);
}

static gable_status by_kernels(gable_context *ctx, const gbl_bisection *what)
{
    const size_t real = gbl_dtype_bytes(what->dtype);
    gbl_kernel_spec specs[KERNELS];
    gbl_kernel *kernels[KERNELS];
    void *scaled = what->scaled, *numbers = what->numbers;
    gbl_bisect_specs(what->dtype, what->count, ctx->device, specs);
    for (int i = 0; i < KERNELS; i++)
        TRY(gbl_kernel_get(ctx->device, &specs[i], &kernels[i], &ctx->message));
    if (scaled == NULL)
        TRY(gbl_arena_take(ctx->arena, ctx->device, 2 * (size_t)what->n * real, &scaled,
                           &ctx->message));
    if (numbers == NULL)
        TRY(gbl_arena_take(ctx->arena, ctx->device, STURM_NUMBERS * real, &numbers, &ctx->message));
    const sturm_begin_args begin = {.n = what->n, .diagonal = what->d != NULL};
    const sturm_values_args values = {
        .n = what->n, .first = what->first, .count = what->count, .number = what->number};
    void *const e = (void *)(uintptr_t)(what->n > 1 ? what->e : scaled),
                *const d = (void *)(uintptr_t)(what->d != NULL ? what->d : e);
    gbl_launch_spec launch = {.groups = {1, 1},
                              .group = {BEGIN_ITEMS, 1},
                              .buffer_count = 4,
                              .buffers = {d, e, scaled, numbers},
                              .args = &begin,
                              .args_bytes = sizeof begin};
    TRY(gbl_launch(ctx, kernels[BEGIN_KERNEL], &launch));
    const int64_t most = GROUPS_PER_UNIT * (int64_t)ctx->device->props.units,
                  groups = groups_for(what->count, ctx->device);
    launch = (gbl_launch_spec){.groups = {groups < most ? groups : most, 1},
                               .group = {1 << log2_items(ctx->device), 1},
                               .buffer_count = 4,
                               .buffers = {scaled, numbers, what->w, what->info},
                               .args = &values,
                               .args_bytes = sizeof values};
    return gbl_launch(ctx, kernels[VALUES_KERNEL], &launch);
}

gable_status gbl_bisect(gable_context *ctx, const gbl_bisection *what)
{
    static const gbl_task_function tasks[4] = GBL_CPU_FOUR(sturm_values);
    if (ctx->device->table->build != NULL)
        return by_kernels(ctx, what);
    gbl_cpu_sturm_args args = {.n = what->n,
                               .d = what->d,
                               .e = what->e,
                               .first = what->first,
                               .count = what->count,
                               .w = what->w,
                               .number = what->number,
                               .info = what->info};
    TRY(gbl_arena_take(ctx->arena, ctx->device, 2 * (size_t)what->n * gbl_dtype_bytes(what->dtype),
                       &args.scaled, &ctx->message));
    return gbl_task(ctx, "sturm_values", tasks[what->dtype], &args, sizeof args);
}

/* ---- What it costs ---- */

int gbl_bisect_parts(gbl_dtype dtype, int64_t n, int64_t count, const gbl_device *device,
                     gbl_part_call *parts, int parts_count)
{
    const int log2_points = gbl_bisect_log2_points(count, device);
    const double real = (double)gbl_dtype_bytes(dtype), order = (double)n, values = (double)count,
                 items = (double)(1 << log2_items(device)),
                 rounds = (double)rounds_of(dtype, log2_points),
                 counts = values * (double)(1 << log2_points) * rounds,
                 groups = (double)groups_for(count, device);
    const double most = GROUPS_PER_UNIT * (double)device->props.units;
    const gbl_cost begin = {.memory_bytes = 4 * order * real,
                            .written_bytes = 2 * order * real,
                            .launches = 1,
                            .groups = 1,
                            .group_items = BEGIN_ITEMS,
                            .bytes_in_flight = 2 * real * BEGIN_ITEMS,
                            .steps = 12 * GBL_LOCAL_STEPS},
                   find = {.memory_bytes = (2 * order + values) * real,
                           .written_bytes = values * real,
                           .flops = 2 * RECIPROCAL_FLOPS * counts * order,
                           .launches = 1,
                           .in_waves = true,
                           .groups = groups < most ? groups : most,
                           .group_items = items,
                           .bytes_in_flight = 2 * real,
                           .steps = PIVOT_STEPS * rounds * order};
    parts_count = gbl_composed_kernel(parts, parts_count, &begin, 1);
    return gbl_composed_kernel(parts, parts_count, &find, 1);
}

void gbl_bisect_host_cost(gbl_dtype dtype, int64_t n, int64_t count, const gbl_device *device,
                          gbl_cost *cost)
{
    const gbl_host_walk walk = gbl_host_vectors();
    const double real = (double)gbl_dtype_bytes(dtype), steps = dtype == GBL_S ? 32 : 64;
    const gbl_work least = {.bytes_read = 4 * (double)n * real,
                            .bytes_written = (double)(2 * n + count) * real,
                            .flops = 2 * QUOTIENT_FLOPS * steps * (double)count * (double)n};
    gbl_host_cost(&least, &walk, device, cost);
    cost->workspace_bytes = 2 * (double)n * real;
}

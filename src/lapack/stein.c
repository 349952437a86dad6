/* stein.c: eigenvectors of a symmetric tridiagonal matrix by inverse iteration.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * All vectors take STEIN_STEPS steps, side by side: a system each (stein_solve.cl), then those of
 * tight clusters are made orthogonal one after the other (stein_cluster.cl). Up to STEIN_MOST_STEPS
 * are enqueued, of which the last ones find nothing to do as a rule.
 */
#include "lapack/stein.h"
#include <math.h>
#include "blas/kernel_plan.h"
#include "core/launch.h"
#include "stein_args.h"

_Static_assert(sizeof(stein_args) == 6 * 8, "host and device must agree");

enum { SOLVE, CLUSTER, VECTORS, KERNELS };

/* Systems are one work-item each, in groups of a warp, so that they spread over the units; more
 * than two warps per unit would only take more room. */
#define GPU_SOLVE_ITEMS       32
#define CPU_SOLVE_ITEMS       4
#define SOLVE_GROUPS_PER_UNIT 2
/* Room of systems takes at most this part of the device's memory. */
#define MEMORY_PART 16
#define GPU_DEEP    8
#define CPU_DEEP    2
/* Groups of the others have a vector. */
#define GPU_ITEMS       256
#define CPU_ITEMS       8
#define GPU_COLUMNS     8
#define CPU_COLUMNS     4
#define GROUPS_PER_UNIT 8
/* Rows of a system follow each other, estimated (no GPU was at hand): 150 ns of elimination, three
 * quotients in them, and 75 of substitution; a step is some 15 ns. */
#define ROW_STEPS 15

static int32_t items_of(int which, const gbl_device *device)
{
    const bool gpu = device->props.is_gpu;
    int32_t items = which == SOLVE ? gpu ? GPU_SOLVE_ITEMS : CPU_SOLVE_ITEMS
                    : gpu          ? GPU_ITEMS
                                   : CPU_ITEMS;
    while (items > device->props.max_group && items > 1)
        items /= 2;
    return items;
}

/* A slot is a work-item with room for its system. Vectors are the same however many there are. */
static double slot_bytes(const gbl_stein_call *call)
{
    return 2 * STEIN_ROOM * (double)gbl_dtype_real_bytes(call->dtype) * (double)call->n;
}

static int64_t solve_groups(const gbl_stein_call *call, const gbl_device *device)
{
    const int32_t items = items_of(SOLVE, device);
    const double room = (double)device->props.memory_bytes / MEMORY_PART,
                 fit = floor(room / (slot_bytes(call) * items));
    const int64_t wanted = gbl_parts(call->count, items);
    int64_t most = SOLVE_GROUPS_PER_UNIT * (int64_t)device->props.units;
    if (room > 0 && fit < (double)most)
        most = fit > 1 ? (int64_t)fit : 1;
    return wanted < most ? wanted : most;
}

static int64_t slots_of(const gbl_stein_call *call, const gbl_device *device)
{
    return solve_groups(call, device) * items_of(SOLVE, device);
}

static int64_t vector_groups(int64_t count, const gbl_device *device)
{
    const int64_t most = GROUPS_PER_UNIT * (int64_t)device->props.units;
    return count < most ? count : most;
}

static gbl_dtype real_of(gbl_dtype dtype)
{
    return gbl_dtype_real_bytes(dtype) == 4 ? GBL_S : GBL_D;
}

static gbl_dtype complex_of(gbl_dtype dtype)
{
    return gbl_dtype_real_bytes(dtype) == 4 ? GBL_C : GBL_Z;
}

bool gbl_stein_fits(const gbl_device *device)
{
    return device->table->build != NULL;
}

int gbl_stein_specs(gbl_dtype dtype, const gbl_device *device, gbl_kernel_spec *specs)
{
    static const char *const files[KERNELS] = {"stein_solve.cl", "stein_cluster.cl",
                                               "stein_vectors.cl"};
    const bool gpu = device->props.is_gpu;
    if (device->table->build == NULL)
        return 0;
    for (int i = 0; i < KERNELS; i++) {
        gbl_kernel_begin(&specs[i], files[i],
                         i == VECTORS ? dtype
                         : i == SOLVE ? complex_of(dtype)
                                      : real_of(dtype));
        gbl_kernel_add_macro(&specs[i], "ITEMS", items_of(i, device));
        if (i == SOLVE)
            gbl_kernel_add_macro(&specs[i], "DEEP", gpu ? GPU_DEEP : CPU_DEEP);
        else
            gbl_kernel_add_macro(&specs[i], "COLUMNS", gpu ? GPU_COLUMNS : CPU_COLUMNS);
    }
    return KERNELS;
}

/* ---- A call ---- */

typedef struct stein_room {
    void *room, *X, *sizes, *again, *good;
    int64_t ldx;
} stein_room;

static gable_status take_room(gable_context *ctx, const gbl_stein_call *call, stein_room *r)
{
    const size_t real = gbl_dtype_real_bytes(call->dtype), count = (size_t)call->count,
                 slots = (size_t)slots_of(call, ctx->device);
    TRY(gbl_composed_room(ctx, real_of(call->dtype), call->n, call->count, &r->X, &r->ldx));
    TRY(gbl_arena_take(ctx->arena, ctx->device, slots * (size_t)slot_bytes(call), &r->room,
                       &ctx->message));
    TRY(gbl_arena_take(ctx->arena, ctx->device, count * real, &r->sizes, &ctx->message));
    TRY(gbl_arena_take(ctx->arena, ctx->device, count * sizeof(int32_t), &r->again, &ctx->message));
    return gbl_arena_take(ctx->arena, ctx->device, count * sizeof(int32_t), &r->good,
                          &ctx->message);
}

double gbl_stein_bytes(const gbl_stein_call *call, const gbl_device *device)
{
    const double real = (double)gbl_dtype_real_bytes(call->dtype), count = (double)call->count;
    return gbl_composed_room_bytes(real_of(call->dtype), call->n, call->count) +
           (double)slots_of(call, device) * slot_bytes(call) + count * (real + 8);
}

gable_status gbl_stein(gable_context *ctx, const gbl_stein_call *call)
{
    gbl_kernel_spec specs[KERNELS];
    gbl_kernel *kernels[KERNELS];
    stein_room r;
    gbl_stein_specs(call->dtype, ctx->device, specs);
    for (int i = 0; i < KERNELS; i++)
        TRY(gbl_kernel_get(ctx->device, &specs[i], &kernels[i], &ctx->message));
    TRY(take_room(ctx, call, &r));
    stein_args args = {.n = call->n,
                       .count = call->count,
                       .slots = slots_of(call, ctx->device),
                       .ldx = r.ldx,
                       .ldz = call->ldz};
    void *const scaled = (void *)(uintptr_t)call->scaled,
                *const numbers = (void *)(uintptr_t)call->numbers,
                *const values = (void *)(uintptr_t)call->values;
    gbl_launch_spec solve = {.groups = {solve_groups(call, ctx->device), 1},
                             .group = {items_of(SOLVE, ctx->device), 1},
                             .buffer_count = 7,
                             .buffers = {scaled, numbers, values, r.again, r.room, r.X, r.sizes},
                             .args = &args,
                             .args_bytes = sizeof args},
                    cluster = {.groups = {vector_groups(call->count, ctx->device), 1},
                               .group = {items_of(CLUSTER, ctx->device), 1},
                               .buffer_count = 7,
                               .buffers = {scaled, numbers, values, r.sizes, r.X, r.again, r.good},
                               .args = &args,
                               .args_bytes = sizeof args},
                    vectors = {.groups = {vector_groups(call->count, ctx->device), 1},
                               .group = {items_of(VECTORS, ctx->device), 1},
                               .buffer_count = 7,
                               .buffers = {numbers, values, r.X, r.good, call->Z, call->failed,
                                           call->info},
                               .args = &args,
                               .args_bytes = sizeof args};
    for (args.step = 0; args.step < STEIN_MOST_STEPS; args.step++) {
        TRY(gbl_launch(ctx, kernels[SOLVE], &solve));
        TRY(gbl_launch(ctx, kernels[CLUSTER], &cluster));
    }
    return gbl_launch(ctx, kernels[VECTORS], &vectors);
}

/* ---- What it costs ---- */

/* How many eigenvalues are tight with one and below it, where all are evenly spread over 2 norm(T):
 * in double none. From one on they are a chain, whose vectors follow each other; each takes two
 * walks over the vectors before it. */
static double chain_steps(const gbl_stein_call *call, const gbl_device *device)
{
    const double tight = gbl_dtype_real_bytes(call->dtype) == 4 ? 0x1p-11 : 0x1p-26,
                 below = floor((double)call->n / 2 * tight),
                 walks = 3 + 4 * ceil(below / (device->props.is_gpu ? GPU_COLUMNS : CPU_COLUMNS)),
                 rows = (double)gbl_parts(call->n, items_of(CLUSTER, device));
    return below < 1 ? 0 : (double)call->count * walks * (2 * GBL_LOCAL_STEPS + 2 * rows);
}

/* Of the launches those count that find nothing to do. */
int gbl_stein_parts(const gbl_stein_call *call, const gbl_device *device, gbl_part_call *parts,
                    int count)
{
    const double real = (double)gbl_dtype_real_bytes(call->dtype), n = (double)call->n,
                 values = (double)call->count, matrix = real * n * values,
                 rounds = (double)gbl_parts(call->count, slots_of(call, device)),
                 launches = (double)STEIN_MOST_STEPS / STEIN_STEPS;
    const gbl_cost solve = {.memory_bytes = 2 * (2 * STEIN_ROOM + 1) * matrix,
                            .written_bytes = (2 * STEIN_ROOM + 1) * matrix,
                            .flops = 80 * n * values,
                            .launches = launches,
                            .groups = (double)solve_groups(call, device),
                            .group_items = items_of(SOLVE, device),
                            .bytes_in_flight = 2 * STEIN_ROOM * real * items_of(SOLVE, device) *
                                               (device->props.is_gpu ? GPU_DEEP : CPU_DEEP),
                            .steps = ROW_STEPS * n * rounds},
                   sum = {.memory_bytes = 3 * matrix,
                          .written_bytes = matrix,
                          .flops = 4 * n * values,
                          .launches = 1,
                          .groups = (double)vector_groups(call->count, device),
                          .group_items = items_of(CLUSTER, device),
                          .bytes_in_flight = real * items_of(CLUSTER, device),
                          .steps = 2 * GBL_LOCAL_STEPS};
    gbl_cost cluster = sum;
    cluster.launches = launches;
    cluster.steps += chain_steps(call, device);
    count = gbl_composed_kernel(parts, count, &solve, STEIN_STEPS);
    count = gbl_composed_kernel(parts, count, &cluster, STEIN_STEPS);
    return gbl_composed_kernel(parts, count, &sum, 1);
}

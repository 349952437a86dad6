/* getrf_leaf.c: a few columns of an LU factorization: their plan, their launch, what they cost
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Four ways, fastest last: a task on cpu; one group (getrf_group.cl); many groups with one barrier
 * of all groups for each column (getrf_grid.cl); one cluster of groups on Hopper, with one barrier
 * of the cluster for each column (getrf_cluster.cu). In the last two a work-item keeps a row in
 * registers.
 */
#include "lapack/getrf_leaf.h"
#include <string.h>
#include "blas/kernel_plan.h"
#include "core/launch.h"
#include "cpu/cpu_kernels.h"
#include "getrf_args.h"
#include "getrf_grid_args.h"

_Static_assert(sizeof(getrf_args) == 4 * 8, "host and device must agree");
_Static_assert(sizeof(getrf_grid_args) == 5 * 8, "host and device must agree");

#define TASK_COLUMNS 16 /* on cpu */
/* Of a column's chain in `grid`: the search for its pivot, the exchange, a quotient: 1.7 us beside
 * the barrier, and more for more groups (H200, d, orders 512 to 8192, 2026-11). */
#define GRID_STEPS(groups) (112 + 1.6 * (groups))
/* Of one group: 1.4 us per column, and 56 GB/s of all that it touches, for which its work-items
 * have so many elements requested each (H200, d, orders 1024 to 8192, 2026-11). */
#define ALONE_STEPS (7 * GBL_LOCAL_STEPS)
#define IN_FLIGHT   5
/* Of a cluster: 1 us per column, 0.04 us for each group, to which rows are pushed, and more for
 * larger groups (H200, d, orders 256 to 8192, 2026-11). */
#define CLUSTER_STEPS(groups, items) (63 + 2.4 * (groups) + (items) / 17.0)
/* Of a group that leaves its best to others: kernels/level1/best.h. */
#define BEST_BYTES 16
/* Work-items of a group in `grid` times the elements that each keeps in registers. */
#define KEPT_A_GROUP 8192
/* Clusters that every GPU with clusters has; of larger ones the device is asked. */
#define PORTABLE_CLUSTER 8
#define MOST_CLUSTER     16
/* Of a cluster's groups. Fewer leave warps idle and gain nothing. */
#define FEWEST_ITEMS 128
#define WARP         32
/* Of one group, where nothing else fits. */
#define ALONE_ITEMS   512
#define ALONE_COLUMNS 16

/* ---- Plans ---- */

/* Every work-item has a row, and every unit a group: with more rows groups are larger, and leaves
 * have fewer columns. Of complex numbers in double eight take 32 of the 64 registers that a
 * work-item of the largest group has, which is too many beside the rest. */
static bool grid_plan(const gbl_product_call *call, const gbl_device *device, int32_t most_items,
                      gbl_lu_leaf *leaf)
{
    const int32_t largest = call->dtype == GBL_Z ? 512 : 1024,
                  most = largest < most_items ? largest : most_items;
    for (int32_t n = 32; n >= 8; n /= 2) {
        *leaf = (gbl_lu_leaf){.way = GBL_LU_GRID, .items = KEPT_A_GROUP / n, .columns = n};
        if (leaf->items <= most && call->m <= (int64_t)device->props.units * leaf->items)
            return true;
    }
    return false;
}

/* The largest groups whose work-items have registers for a row of so many columns beside the rest
 * (NVRTC 13.0, sm_90a). With more rows leaves have fewer columns. */
static const struct {
    int32_t columns, items[4];
} cluster_shapes[] = {
    {32, {1024, 512, 512, 256}}, {16, {1024, 768, 768, 512}}, {8, {1024, 1024, 1024, 768}}};

/* As few groups as hold the rows, because each pushes rows to all; where one is enough, it is as
 * small as that. */
static bool cluster_plan(const gbl_product_call *call, const gbl_device *device, int most_cluster,
                         int32_t most_items, gbl_lu_leaf *leaf)
{
    const int64_t most =
        device->props.max_cluster < most_cluster ? device->props.max_cluster : most_cluster;
    for (size_t i = 0; i < sizeof cluster_shapes / sizeof cluster_shapes[0]; i++) {
        *leaf = (gbl_lu_leaf){.way = GBL_LU_CLUSTER,
                              .items = cluster_shapes[i].items[call->dtype],
                              .columns = cluster_shapes[i].columns};
        if (leaf->items > most_items)
            leaf->items = most_items / WARP * WARP;
        while (leaf->items / 2 >= FEWEST_ITEMS && call->m <= leaf->items / 2)
            leaf->items /= 2;
        if (leaf->items >= WARP && call->m <= most * leaf->items)
            return true;
    }
    return false;
}

bool gbl_lu_leaf_fits(gbl_lu_way way, const gbl_product_call *call, const gbl_device *device)
{
    gbl_lu_leaf leaf;
    if (way == GBL_LU_GROUP)
        return device->table->build != NULL || device->props.is_host;
    if (device->table->build == NULL || !device->props.is_gpu)
        return false;
    if (way == GBL_LU_GRID)
        return device->props.cooperative && grid_plan(call, device, INT32_MAX, &leaf);
    return strcmp(device->info.arch, "sm_90a") == 0 && device->props.max_cluster > 1 &&
           device->props.max_dynamic_local_bytes > 0 &&
           cluster_plan(call, device, MOST_CLUSTER, INT32_MAX, &leaf);
}

/* In clusters of at most so many groups, else in `grid`, else by one group. */
static void kept_plan(int most_cluster, const gbl_product_call *call, int32_t most_items,
                      const gbl_device *device, gbl_lu_leaf *leaf)
{
    if ((most_cluster > 0 && cluster_plan(call, device, most_cluster, most_items, leaf)) ||
        (device->props.cooperative && grid_plan(call, device, most_items, leaf)))
        return;
    *leaf = (gbl_lu_leaf){.items = most_items < ALONE_ITEMS ? most_items : ALONE_ITEMS,
                          .columns = ALONE_COLUMNS};
}

/* On CPUs lanes are a loop. */
void gbl_lu_leaf_plan(gbl_lu_way way, const gbl_product_call *call, int32_t items, int32_t columns,
                      const gbl_device *device, int32_t most_items, gbl_lu_leaf *leaf)
{
    if (way != GBL_LU_GROUP) {
        kept_plan(way == GBL_LU_CLUSTER ? MOST_CLUSTER : 0, call, most_items, device, leaf);
        return;
    }
    *leaf = (gbl_lu_leaf){.items = items, .columns = columns};
    if (device->table->build == NULL)
        *leaf = (gbl_lu_leaf){.columns = TASK_COLUMNS};
    else if (!device->props.is_gpu && leaf->items > 16)
        leaf->items = 16;
}

void gbl_lu_leaf_spec(const gbl_lu_leaf *leaf, gbl_dtype dtype, gbl_kernel_spec *spec)
{
    static const char *const files[] = {[GBL_LU_GROUP] = "getrf_group.cl",
                                        [GBL_LU_GRID] = "getrf_grid.cl",
                                        [GBL_LU_CLUSTER] = "getrf_cluster.cu"};
    gbl_kernel_begin(spec, files[leaf->way], dtype);
    gbl_kernel_add_macro(spec, "ITEMS", leaf->items);
    gbl_kernel_add_macro(spec, "NB", leaf->columns);
}

/* ---- Launches ---- */

/* Of a cluster a power of two. */
static int64_t groups_of(const gbl_lu_leaf *leaf, int64_t rows)
{
    const int64_t least = gbl_some_parts(rows, leaf->items);
    int64_t groups = 1;
    if (leaf->way != GBL_LU_CLUSTER)
        return least;
    while (groups < least)
        groups *= 2;
    return groups;
}

/* What getrf_cluster.cu calls ROOM_BYTES: three times 16 offers and rows, one offer for each warp,
 * a row and two elements more. */
static size_t room_bytes(const gbl_lu_leaf *leaf, gbl_dtype dtype)
{
    const size_t elem = gbl_dtype_bytes(dtype), row = (size_t)leaf->columns * elem;
    return 3 * MOST_CLUSTER * (BEST_BYTES + row) + (size_t)leaf->items / 32 * BEST_BYTES + row +
           2 * elem;
}

/* Workspace of `grid`, and its counter at 0. Numbers that are left to others have two places. */
static gable_status prepare_grid(gable_context *ctx, const gbl_product_call *call,
                                 gbl_lu_leaves *leaves)
{
    const size_t groups = (size_t)groups_of(&leaves->leaf, call->m),
                 row = (size_t)leaves->leaf.columns * gbl_dtype_bytes(call->dtype);
    TRY(gbl_arena_take(ctx->arena, ctx->device, 2 * groups * BEST_BYTES, &leaves->bests,
                       &ctx->message));
    TRY(gbl_arena_take(ctx->arena, ctx->device, 2 * groups * row, &leaves->rows, &ctx->message));
    TRY(gbl_arena_take(ctx->arena, ctx->device, sizeof(int32_t), &leaves->counter, &ctx->message));
    return gbl_fill_bytes(ctx, leaves->counter, 0, sizeof(int32_t));
}

/* Whether the device has room for the largest cluster of the factorization. */
static gable_status holds_cluster(gable_context *ctx, const gbl_product_call *call,
                                  const gbl_lu_leaves *leaves, bool *holds)
{
    const int64_t groups = groups_of(&leaves->leaf, call->m);
    int count = 0;
    *holds = true;
    if (groups <= PORTABLE_CLUSTER)
        return GABLE_OK;
    gbl_launch_spec launch = {.groups = {groups, 1},
                              .group = {leaves->leaf.items, 1},
                              .dynamic_local_bytes = room_bytes(&leaves->leaf, call->dtype),
                              .cluster = (int)groups};
    TRY(gbl_launch_clusters(ctx, leaves->kernel, &launch, &count));
    *holds = count > 0;
    return GABLE_OK;
}

/* Where the device has no room for such a cluster: a smaller one with fewer columns, or another
 * way. */
static gable_status take_smaller(gable_context *ctx, const gbl_product_call *call,
                                 gbl_lu_leaves *leaves)
{
    int32_t most = INT32_MAX;
    do {
        gbl_kernel_spec spec;
        kept_plan(PORTABLE_CLUSTER, call, most, ctx->device, &leaves->leaf);
        gbl_lu_leaf_spec(&leaves->leaf, call->dtype, &spec);
        TRY(gbl_kernel_get(ctx->device, &spec, &leaves->kernel, &ctx->message));
        most = leaves->leaf.items / 2;
    } while (most > 0 && !gbl_kernel_takes(leaves->kernel, leaves->leaf.items));
    return GABLE_OK;
}

gable_status gbl_lu_leaves_prepare(gable_context *ctx, const gbl_product_call *call,
                                   gbl_lu_leaves *leaves)
{
    void *state;
    bool holds = true;
    if (leaves->leaf.way == GBL_LU_CLUSTER)
        TRY(holds_cluster(ctx, call, leaves, &holds));
    if (!holds)
        TRY(take_smaller(ctx, call, leaves));
    TRY(gbl_arena_take(ctx->arena, ctx->device, sizeof *leaves->state, &state, &ctx->message));
    leaves->state = state;
    return leaves->leaf.way == GBL_LU_GRID ? prepare_grid(ctx, call, leaves) : GABLE_OK;
}

static gable_status factor_by_task(gable_context *ctx, const gbl_product_call *call, void *A,
                                   int64_t first, int64_t count)
{
    static const gbl_task_function tasks[4] = {gbl_cpu_sgetrf_leaf, gbl_cpu_dgetrf_leaf,
                                               gbl_cpu_cgetrf_leaf, gbl_cpu_zgetrf_leaf};
    const gbl_cpu_getrf_args task = {.m = call->m - first,
                                     .n = count,
                                     .A = A,
                                     .lda = call->lda,
                                     .before = first,
                                     .ipiv = call->ipiv + first,
                                     .info = call->info};
    return gbl_task(ctx, "getrf_leaf", tasks[call->dtype], &task, sizeof task);
}

static gable_status factor_by_grid(gable_context *ctx, const gbl_product_call *call,
                                   gbl_lu_leaves *leaves, void *A, int64_t first, int64_t count)
{
    const int64_t rows = call->m - first, groups = groups_of(&leaves->leaf, rows);
    const getrf_grid_args args = {
        .m = rows, .n = count, .lda = call->lda, .before = first, .arrived = leaves->arrived};
    gbl_launch_spec launch = {
        .groups = {groups, 1},
        .group = {leaves->leaf.items, 1},
        .cooperative = true,
        .buffer_count = 7,
        .buffers = {A, call->ipiv + first, leaves->state, call->info, leaves->bests, leaves->rows,
                    leaves->counter},
        .args = &args,
        .args_bytes = sizeof args,
    };
    leaves->arrived += count * groups;
    return gbl_launch(ctx, leaves->kernel, &launch);
}

gable_status gbl_lu_leaf_run(gable_context *ctx, const gbl_product_call *call,
                             gbl_lu_leaves *leaves, int64_t first, int64_t count)
{
    void *const A = gbl_element(call->dtype, call->A, call->lda, first, first);
    const bool cluster = leaves->leaf.way == GBL_LU_CLUSTER;
    const int64_t groups = cluster ? groups_of(&leaves->leaf, call->m - first) : 1;
    if (leaves->kernel == NULL)
        return factor_by_task(ctx, call, A, first, count);
    if (leaves->leaf.way == GBL_LU_GRID)
        return factor_by_grid(ctx, call, leaves, A, first, count);
    const getrf_args args = {.m = call->m - first, .n = count, .lda = call->lda, .before = first};
    gbl_launch_spec launch = {
        .groups = {groups, 1},
        .group = {leaves->leaf.items, 1},
        .dynamic_local_bytes = cluster ? room_bytes(&leaves->leaf, call->dtype) : 0,
        .cluster = (int)groups,
        .buffer_count = 4,
        .buffers = {A, call->ipiv + first, leaves->state, call->info},
        .args = &args,
        .args_bytes = sizeof args,
    };
    return gbl_launch(ctx, leaves->kernel, &launch);
}

/* ---- What it costs ---- */

/* Rows in registers: each column is a chain of exchanges. */
static void kept_cost(const gbl_product_call *call, const gbl_lu_leaf *leaf, double rows,
                      gbl_cost *out)
{
    const double elem = (double)gbl_dtype_bytes(call->dtype), n = (double)leaf->columns,
                 groups = (double)groups_of(leaf, (int64_t)rows);
    *out = (gbl_cost){.memory_bytes = 2 * elem * rows * n,
                      .written_bytes = elem * rows * n,
                      .flops = gbl_lapack_flops(call, rows * n * n),
                      .launches = 1,
                      .groups = groups,
                      .group_items = leaf->items,
                      .bytes_in_flight = elem * n * leaf->items};
    if (leaf->way == GBL_LU_CLUSTER) {
        out->steps = CLUSTER_STEPS(groups, leaf->items) * n;
    } else {
        /* A barrier for each column, behind which what groups left is loaded, and on either side a
         * search within the group. */
        out->barriers = n;
        out->steps = GRID_STEPS(groups) * n;
    }
}

/* Else every column but the first is read and written again for each before it. */
void gbl_lu_leaf_cost(const gbl_product_call *call, const gbl_lu_leaf *leaf, double rows,
                      gbl_cost *out)
{
    const double elem = (double)gbl_dtype_bytes(call->dtype), n = (double)leaf->columns,
                 touched = rows * n * (n + 1) / 2;
    if (leaf->way != GBL_LU_GROUP) {
        kept_cost(call, leaf, rows, out);
        return;
    }
    *out = (gbl_cost){.memory_bytes = 2 * elem * touched,
                      .written_bytes = elem * touched,
                      .flops = gbl_lapack_flops(call, touched),
                      .launches = 1,
                      .groups = 1,
                      .group_items = leaf->items > 0 ? leaf->items : 1,
                      .bytes_in_flight = IN_FLIGHT * elem * (leaf->items > 0 ? leaf->items : 1)};
    if (leaf->items > 0)
        out->steps = ALONE_STEPS * n;
}

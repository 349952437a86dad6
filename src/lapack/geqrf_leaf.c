/* geqrf_leaf.c: the leaf of a QR factorization: plans, launches, costs
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "lapack/geqrf_leaf.h"
#include <string.h>
#include "blas/kernel_plan.h"
#include "core/launch.h"
#include "cpu/cpu_kernels.h"
#include "geqrf_args.h"

_Static_assert(sizeof(geqrf_args) == 6 * 8, "host and device must agree");

#define FEWEST_COLUMNS  8
#define TASK_COLUMNS    16 /* of a leaf on cpu: at most those of cpu_geqrf.c */
#define SQUARES_BYTES   24 /* three sums of squares: kernels/level1/norm.h */
#define REFLECTOR_BYTES 64
#define MOST_APART      32 /* work-items of a leaf where lanes do not exchange numbers */
/* Of many groups: the chain of a column beside its barrier takes 4 us, and 0.06 us for the sums of
 * every group (H200, d, orders 512 to 8192, 2026-11). */
#define GRID_STEPS       270
#define GRID_GROUP_STEPS 4
/* Of one group: with its walks over few rows, in which each load waits for the one before, 4 us per
 * column (H200, d, orders 1024 to 8192, 2026-11). */
#define ALONE_STEPS 206
/* Of many groups: bytes of rows that a group keeps in registers, beside which its work-items have
 * the sums of as many columns; and its work-items. */
#define FEWEST_ITEMS 256
#define MOST_ITEMS   512
#define KEPT_BYTES   65536
/* Clusters that every GPU with clusters has; of larger ones the device is asked. */
#define PORTABLE_CLUSTER 8
#define CLUSTER_DOWN     8 /* lanes of a column: kernels/sm90/geqrf_cluster.cu */
/* Of its chain per column: 1.2 us, 0.1 us for every group, and more for the sums and updates of
 * more warps (H200, d, orders 256 to 8192, 2026-11). */
#define CLUSTER_STEPS(groups, items) (80 + 7 * (groups) + 70 * ((items) / 256.0 - 1))

/* ---- Plans ---- */

static bool is_alone(const gbl_qr_plan *plan)
{
    return plan->leaf == GBL_QR_ALONE;
}

/* What the leaf of one group declares: shares of sums, T, and a few numbers. */
static int64_t local_bytes(const gbl_qr_plan *plan, gbl_dtype dtype, const gbl_props *props)
{
    const int64_t shares = gbl_lanes_exchange(props) ? plan->items / props->simd : plan->items;
    return (shares + plan->columns + 1) * plan->columns * (int64_t)gbl_dtype_bytes(dtype) +
           shares * SQUARES_BYTES + REFLECTOR_BYTES;
}

/* Rows of a group of a cluster. */
static int64_t cluster_rows(const gbl_qr_plan *plan)
{
    return (int64_t)plan->items / 32 * CLUSTER_DOWN * plan->rows;
}

/* Groups of a leaf over so many rows. */
static int64_t groups_of(const gbl_qr_plan *plan, int64_t rows)
{
    if (is_alone(plan))
        return 1;
    if (plan->leaf == GBL_QR_CLUSTER)
        return gbl_some_parts(rows, cluster_rows(plan));
    const int64_t groups = gbl_some_parts(rows, plan->items);
    return groups < plan->units ? groups : plan->units;
}

/* Work-items of a group, columns of a leaf, rows of a work-item: what registers hold (NVRTC 13.0).
 * The second is for matrices with more rows than a cluster of the first has. */
typedef struct cluster_form {
    int32_t items, columns, rows;
} cluster_form;
static const cluster_form cluster_forms[4][2] = {[GBL_S] = {{256, 32, 4}, {256, 32, 8}},
                                                 [GBL_D] = {{256, 32, 4}, {512, 32, 4}},
                                                 [GBL_C] = {{256, 32, 4}, {512, 16, 4}},
                                                 [GBL_Z] = {{256, 16, 4}, {512, 8, 4}}};

static bool cluster_plan(const gbl_product_call *call, const gbl_device *device, gbl_qr_plan *plan)
{
    plan->units = GEQRF_MOST_GROUPS;
    for (int i = 0; i < 2; i++) {
        const cluster_form *form = &cluster_forms[call->dtype][i];
        plan->items = form->items;
        plan->columns = form->columns;
        plan->rows = form->rows;
        if (call->m <= GEQRF_MOST_GROUPS * cluster_rows(plan))
            break;
    }
    return device->props.max_cluster >= GEQRF_MOST_GROUPS &&
           strcmp(device->info.arch, "sm_90a") == 0 &&
           call->m <= GEQRF_MOST_GROUPS * cluster_rows(plan);
}

/* Rows that are kept: every work-item has one, every unit a group; with more rows groups are
 * larger, and leaves have fewer columns. False where there are too many. Streamed rows: as many
 * columns as registers hold of one row, beside the sums and what is on its way. */
static bool grid_plan(const gbl_product_call *call, const gbl_device *device, gbl_qr_plan *plan)
{
    const int32_t elem = (int32_t)gbl_dtype_bytes(call->dtype), wide = elem < 8 ? 8 : elem;
    const bool kept = plan->leaf == GBL_QR_KEPT;
    plan->units = device->props.units;
    plan->columns = elem > 8 ? 8 : 16;
    plan->items = elem < 8 ? MOST_ITEMS : FEWEST_ITEMS;
    for (int32_t n = 32; kept && n >= FEWEST_COLUMNS; n /= 2) {
        const int32_t fitting = KEPT_BYTES / wide / n;
        if (fitting < FEWEST_ITEMS || fitting > MOST_ITEMS)
            continue;
        plan->columns = n;
        plan->items = fitting;
        if (call->m <= (int64_t)plan->units * fitting)
            break;
    }
    return device->props.cooperative && plan->units > 0 && plan->items <= device->props.max_group &&
           call->m <= UINT32_MAX && (!kept || call->m <= (int64_t)plan->units * plan->items);
}

static bool groups_plan(const gbl_product_call *call, const gbl_device *device, gbl_qr_plan *plan)
{
    return plan->leaf == GBL_QR_CLUSTER ? cluster_plan(call, device, plan)
                                        : grid_plan(call, device, plan);
}

bool gbl_qr_leaf_fits(gbl_qr_leaf leaf, const gbl_product_call *call, const gbl_device *device)
{
    gbl_qr_plan plan = {.leaf = leaf};
    if (leaf == GBL_QR_ALONE)
        return device->table->build != NULL || device->props.is_host;
    return device->table->build != NULL && device->props.is_gpu && groups_plan(call, device, &plan);
}

static void shrink_block(gbl_qr_plan *plan, int64_t order)
{
    while (plan->block > plan->columns && plan->block / 2 >= order)
        plan->block /= 2;
}

/* A matrix with fewer columns has smaller leaves and panels. On CPUs lanes are a loop. */
void gbl_qr_plan_make(const gbl_variant *self, const gbl_product_call *call,
                      const gbl_params *params, const gbl_device *device, gbl_qr_plan *plan)
{
    const gbl_props *props = &device->props;
    const int64_t order = gbl_qr_order(call);
    const gbl_qr_leaf_detail *detail = self->detail;
    if (detail != NULL) {
        *plan = (gbl_qr_plan){.leaf = detail->leaf, .block = params->value[0]};
        groups_plan(call, device, plan);
        if (plan->leaf == GBL_QR_STREAMED && params->value[1] < plan->columns)
            plan->columns = params->value[1];
        shrink_block(plan, order);
        return;
    }
    *plan = (gbl_qr_plan){.items = params->value[GBL_QR_ITEMS],
                          .columns = params->value[GBL_QR_COLUMNS],
                          .block = params->value[GBL_QR_BLOCK],
                          .wide = 4};
    if (!props->is_gpu && plan->items > 16)
        plan->items = 16;
    if (!gbl_lanes_exchange(props) && plan->items > MOST_APART)
        plan->items = MOST_APART;
    if (device->table->build == NULL) {
        plan->items = plan->wide = 0;
        plan->columns = TASK_COLUMNS;
    }
    while (
        plan->columns > FEWEST_COLUMNS &&
        (plan->columns / 2 >= order ||
         (plan->items > 0 && local_bytes(plan, call->dtype, props) > gbl_own_local_bytes(props))))
        plan->columns /= 2;
    shrink_block(plan, order);
}

static int32_t plan_kernel(const gbl_variant *self, const void *given, const gbl_params *params,
                           const gbl_device *device, int32_t most_items, void *planned,
                           gbl_kernel_spec *spec)
{
    static const char *const files[] = {[GBL_QR_ALONE] = "geqrf_leaf.cl",
                                        [GBL_QR_KEPT] = "geqrf_grid.cl",
                                        [GBL_QR_STREAMED] = "geqrf_grid.cl",
                                        [GBL_QR_CLUSTER] = "geqrf_cluster.cu"};
    const gbl_product_call *call = given;
    gbl_qr_plan *plan = planned;
    gbl_qr_plan_make(self, call, params, device, plan);
    if (plan->leaf == GBL_QR_CLUSTER && plan->items > most_items) { /* by more groups than it has */
        plan->leaf = GBL_QR_KEPT;
        grid_plan(call, device, plan);
    }
    while (plan->items > most_items && plan->items > (is_alone(plan) ? 1 : plan->columns))
        plan->items /= 2;
    /* Work-items that keep a row each no longer suffice: they stream them. */
    if (plan->leaf == GBL_QR_KEPT && call->m > (int64_t)plan->units * plan->items)
        plan->leaf = GBL_QR_STREAMED;
    gbl_kernel_begin(spec, files[plan->leaf], call->dtype);
    gbl_kernel_add_macro(spec, "ITEMS", plan->items);
    gbl_kernel_add_macro(spec, "NB", plan->columns);
    if (is_alone(plan))
        gbl_kernel_add_macro(spec, "WIDE", plan->wide);
    else if (plan->leaf == GBL_QR_CLUSTER)
        gbl_kernel_add_macro(spec, "ROWS", plan->rows);
    else
        gbl_kernel_add_macro(spec, "KEPT", plan->leaf == GBL_QR_KEPT);
    return plan->items;
}

int gbl_qr_specs(const gbl_variant *self, const void *call, const gbl_params *params,
                 const gbl_device *device, gbl_kernel_spec *specs)
{
    gbl_qr_plan plan;
    if (device->table->build == NULL)
        return 0;
    plan_kernel(self, call, params, device, INT32_MAX, &plan, specs);
    return 1;
}

bool gbl_qr_legal(const gbl_variant *self, const void *call, const gbl_params *params,
                  const gbl_device *device, uint64_t *hash)
{
    gbl_qr_plan plan;
    gbl_qr_plan_make(self, call, params, device, &plan);
    *hash = gbl_plan_hash(&plan, sizeof plan);
    return device->table->build == NULL ||
           (gbl_group_legal(device, plan.items, 0) &&
            (!gbl_lanes_exchange(&device->props) || plan.items % (int32_t)device->props.simd == 0));
}

/* ---- Launches ---- */

/* Sums have two places, with one for a row in each. */
static gable_status prepare_groups(gable_context *ctx, const gbl_product_call *call,
                                   gbl_qr_leaves *leaves)
{
    const size_t groups = (size_t)groups_of(&leaves->plan, call->m),
                 sums = (size_t)leaves->plan.columns * gbl_dtype_bytes(call->dtype);
    TRY(gbl_arena_take(ctx->arena, ctx->device, 2 * (groups + 1) * sums, &leaves->sums,
                       &ctx->message));
    return gbl_arena_take(ctx->arena, ctx->device, groups * SQUARES_BYTES, &leaves->squares,
                          &ctx->message);
}

static void add_cluster(const gbl_qr_plan *plan, gbl_dtype dtype, gbl_launch_spec *launch)
{
    launch->cluster = (int)launch->groups[0];
    launch->dynamic_local_bytes =
        GEQRF_CLUSTER_BYTES((size_t)plan->items, (size_t)plan->columns, gbl_dtype_bytes(dtype));
}

/* Whether the device has room for the largest cluster of the factorization. */
static gable_status holds_cluster(gable_context *ctx, const gbl_product_call *call,
                                  const gbl_qr_leaves *leaves, bool *room)
{
    int count;
    gbl_launch_spec launch = {.groups = {groups_of(&leaves->plan, call->m), 1},
                              .group = {leaves->plan.items, 1}};
    if (launch.groups[0] <= PORTABLE_CLUSTER)
        return GABLE_OK;
    add_cluster(&leaves->plan, call->dtype, &launch);
    TRY(gbl_launch_clusters(ctx, leaves->kernel, &launch, &count));
    *room = count > 0;
    return GABLE_OK;
}

gable_status gbl_qr_leaves_prepare(gable_context *ctx, const gbl_variant *self,
                                   const gbl_product_call *call, const gbl_params *params,
                                   gbl_qr_leaves *leaves)
{
    *leaves = (gbl_qr_leaves){.kernel = NULL};
    if (ctx->device->table->build == NULL) {
        gbl_qr_plan_make(self, call, params, ctx->device, &leaves->plan);
        return GABLE_OK;
    }
    TRY(gbl_plan_kernel(ctx, self, call, params, GBL_QR_ITEMS, plan_kernel, &leaves->plan,
                        &leaves->kernel));
    bool room = true;
    if (leaves->plan.leaf == GBL_QR_CLUSTER)
        TRY(holds_cluster(ctx, call, leaves, &room));
    if (!room) { /* units of the device are too narrow for such a cluster: by all of them */
        static const gbl_qr_leaf_detail kept = {GBL_QR_KEPT};
        gbl_variant grid = *self;
        grid.detail = &kept;
        TRY(gbl_plan_kernel(ctx, &grid, call, params, GBL_QR_ITEMS, plan_kernel, &leaves->plan,
                            &leaves->kernel));
    }
    return is_alone(&leaves->plan) || leaves->plan.leaf == GBL_QR_CLUSTER
               ? GABLE_OK
               : prepare_groups(ctx, call, leaves);
}

/* What a launch by several groups has beside that by one. */
static gable_status add_groups(gable_context *ctx, const gbl_qr_leaves *leaves, gbl_dtype dtype,
                               gbl_launch_spec *launch)
{
    void *counter;
    if (leaves->plan.leaf == GBL_QR_CLUSTER) {
        add_cluster(&leaves->plan, dtype, launch);
        return GABLE_OK;
    }
    TRY(gbl_arena_counter(ctx->arena, ctx->queue, &counter, &ctx->message));
    launch->cooperative = true;
    launch->buffer_count = 7;
    launch->buffers[4] = leaves->sums;
    launch->buffers[5] = leaves->squares;
    launch->buffers[6] = counter;
    return GABLE_OK;
}

gable_status gbl_qr_leaf_run(gable_context *ctx, const gbl_qr_leaves *leaves,
                             const gbl_product_call *call, const gbl_reflectors *panel,
                             int64_t first, int64_t from, int64_t count)
{
    const int64_t at = first + from;
    void *A = gbl_element(call->dtype, call->A, call->lda, at, at),
         *tau = gbl_element(call->dtype, call->tau, 0, at, 0),
         *V = gbl_element(call->dtype, panel->V, panel->ldv, 0, from),
         *T = gbl_element(call->dtype, panel->T, panel->ldt, from, from);
    if (leaves->kernel == NULL) {
        static const gbl_task_function tasks[4] = {gbl_cpu_sgeqrf_leaf, gbl_cpu_dgeqrf_leaf,
                                                   gbl_cpu_cgeqrf_leaf, gbl_cpu_zgeqrf_leaf};
        const gbl_cpu_geqrf_args task = {.m = call->m - at,
                                         .n = count,
                                         .A = A,
                                         .tau = tau,
                                         .V = V,
                                         .t = T,
                                         .lda = call->lda,
                                         .ldv = panel->ldv,
                                         .ldt = panel->ldt,
                                         .above = from};
        return gbl_task(ctx, "geqrf_leaf", tasks[call->dtype], &task, sizeof task);
    }
    const geqrf_args args = {.m = call->m - at,
                             .n = count,
                             .lda = call->lda,
                             .ldv = panel->ldv,
                             .ldt = panel->ldt,
                             .above = from};
    gbl_launch_spec launch = {
        .groups = {groups_of(&leaves->plan, args.m), 1},
        .group = {leaves->plan.items, 1},
        .buffer_count = 4,
        .buffers = {A, tau, V, T},
        .args = &args,
        .args_bytes = sizeof args,
    };
    if (!is_alone(&leaves->plan))
        TRY(add_groups(ctx, leaves, call->dtype, &launch));
    return gbl_launch(ctx, leaves->kernel, &launch);
}

/* ---- Costs ---- */

/* Of many groups: A is read and written once, or for each column and once more. For each column
 * there is a barrier, behind which every group loads the sums of all, and an exchange within the
 * group before it and three behind it. */
static void grid_cost(const gbl_product_call *call, const gbl_qr_plan *plan, double m, double n,
                      gbl_cost *out)
{
    const bool kept = plan->leaf != GBL_QR_STREAMED;
    const double elem = (double)gbl_dtype_bytes(call->dtype),
                 groups = (double)groups_of(plan, (int64_t)m),
                 read = elem * m * n * (kept ? 1 : n + 1),
                 written = elem * m * n * (kept ? 2 : (n + 3) / 2);
    *out = (gbl_cost){.memory_bytes = read + written,
                      .written_bytes = written,
                      .flops = gbl_lapack_flops(call, m * n * (1.5 * n + 1)),
                      .launches = 1,
                      .groups = groups,
                      .group_items = plan->items,
                      .bytes_in_flight = elem * plan->items * plan->columns};
    if (plan->leaf == GBL_QR_CLUSTER) {
        out->steps = n * CLUSTER_STEPS(groups, plan->items);
        return;
    }
    out->cache_bytes = elem * groups * groups * n * n;
    out->barriers = n;
    out->steps = n * (GRID_STEPS + GRID_GROUP_STEPS * groups);
}

/* For each column one group walks over those behind it twice. */
void gbl_qr_leaf_cost(const gbl_product_call *call, const gbl_qr_plan *plan, int64_t rows,
                      gbl_cost *out)
{
    const double elem = (double)gbl_dtype_bytes(call->dtype), m = (double)rows,
                 n = (double)(gbl_qr_order(call) < plan->columns ? gbl_qr_order(call)
                                                                 : plan->columns);
    if (!is_alone(plan)) {
        grid_cost(call, plan, m, n, out);
        return;
    }
    *out = (gbl_cost){.memory_bytes = elem * m * n * (1.5 * n + 4),
                      .written_bytes = elem * m * n * (n + 4) / 2,
                      .flops = gbl_lapack_flops(call, m * n * (1.5 * n + 1)),
                      .launches = 1,
                      .groups = 1,
                      .group_items = plan->items > 0 ? plan->items : 1,
                      .bytes_in_flight = elem * (plan->items > 0 ? plan->items * plan->wide : 1)};
    if (plan->items > 0)
        out->steps = n * (ALONE_STEPS + 5 * GBL_LOCAL_STEPS);
}

/* geqrf.c: the QR factorization A = Q R, Q as Householder reflectors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * `columns` goes over panels of `block` columns. Within a panel columns are cut in two: the left
 * half is factored, its reflectors are applied to the right half, that is factored, and the block
 * of T between them comes from products (reflect.h). At most `columns` columns are a leaf: one
 * group (geqrf_leaf.cl) or a task factors them over all rows, and makes their V and T. Then the
 * panel's reflectors are applied to the columns behind it. In `grid` and `tall` the leaf is made by
 * many groups with one barrier of all of them per column (geqrf_grid.cl): in `grid` their rows stay
 * in registers, in `tall`, which takes any number of rows, they are streamed.
 */
#include <string.h>
#include "blas/kernel_plan.h"
#include "core/launch.h"
#include "cpu/cpu_kernels.h"
#include "geqrf_args.h"
#include "lapack/factor_copy.h"
#include "lapack/installed.h"
#include "lapack/reflect.h"

_Static_assert(sizeof(geqrf_args) == 6 * 8, "host and device must agree");

#define FEWEST_COLUMNS  8
#define TASK_COLUMNS    16 /* of a leaf on cpu: at most those of cpu_geqrf.c */
#define SQUARES_BYTES   24 /* three sums of squares: kernels/level1/norm.h */
#define REFLECTOR_BYTES 64
#define MOST_APART      32 /* work-items of a leaf where lanes do not exchange numbers */
/* Of the chain of a leaf per column: norm, root, quotients, and sums over the group. */
#define COLUMN_STEPS 16
/* Of one group: with its walks over few rows, in which each load waits for the one before, 4 us per
 * column (H200, d, orders 1024 to 8192, 2026-11). */
#define ALONE_STEPS 206
/* Of many groups: bytes of rows that a group keeps in registers, beside which its work-items have
 * the sums of as many columns; and its work-items. */
#define FEWEST_ITEMS 256
#define MOST_ITEMS   512
#define KEPT_BYTES   65536

enum { LEAF_ITEMS, LEAF_COLUMNS, PANEL_BLOCK, GEQRF_PARAMS };
static const int32_t items[] = {1, 8, 16, 32, 64, 128, 256, 512, 1024};
static const int32_t columns[] = {8, 16, 32};
static const int32_t blocks[] = {32, 64, 128, 256};
static const gbl_param space[GEQRF_PARAMS] = {
    {.name = "items", GBL_VALUES(items), .fallback = 512},
    {.name = "columns", GBL_VALUES(columns), .fallback = 16},
    {.name = "block", GBL_VALUES(blocks), .fallback = 128},
};

static const gbl_param grid_space[] = {{.name = "block", GBL_VALUES(blocks), .fallback = 128}};
#define GRID_BLOCK 0

/* Of variants with leaves of many groups: whether rows stay in registers. */
typedef struct grid_leaf {
    bool kept;
} grid_leaf;
static const grid_leaf kept_leaf = {.kept = true}, streamed_leaf = {.kept = false};

static int64_t order_of(const gbl_product_call *call)
{
    return call->m < call->n ? call->m : call->n;
}

/* ---- The leaf ---- */

typedef struct qr_plan {
    int32_t items, columns, block, wide;
    int32_t units; /* groups of a leaf at most; 0: it is made by one, or by a task */
    bool kept;
} qr_plan;

/* What the leaf declares: shares of sums, T, and a few numbers. */
static int64_t local_bytes(const qr_plan *plan, gbl_dtype dtype, const gbl_props *props)
{
    const int64_t shares = gbl_lanes_exchange(props) ? plan->items / props->simd : plan->items;
    return (shares + plan->columns + 1) * plan->columns * (int64_t)gbl_dtype_bytes(dtype) +
           shares * SQUARES_BYTES + REFLECTOR_BYTES;
}

static void shrink_block(qr_plan *plan, int64_t order)
{
    while (plan->block > plan->columns && plan->block / 2 >= order)
        plan->block /= 2;
}

/* Rows that are kept: every work-item has one, every unit a group; with more rows groups are
 * larger, and leaves have fewer columns. False where there are too many. Streamed rows: as many
 * columns as registers hold of one row, beside the sums and what is on its way. */
static bool grid_plan(const gbl_product_call *call, const grid_leaf *leaf, const gbl_device *device,
                      qr_plan *plan)
{
    const int32_t elem = (int32_t)gbl_dtype_bytes(call->dtype), wide = elem < 8 ? 8 : elem;
    plan->units = device->props.units;
    plan->kept = leaf->kept;
    plan->columns = elem > 8 ? 8 : 16;
    plan->items = elem < 8 ? MOST_ITEMS : FEWEST_ITEMS;
    for (int32_t n = 32; leaf->kept && n >= FEWEST_COLUMNS; n /= 2) {
        const int32_t fitting = KEPT_BYTES / wide / n;
        if (fitting < FEWEST_ITEMS || fitting > MOST_ITEMS)
            continue;
        plan->columns = n;
        plan->items = fitting;
        if (call->m <= (int64_t)plan->units * fitting)
            break;
    }
    return plan->units > 0 && plan->items <= device->props.max_group &&
           (!leaf->kept || call->m <= (int64_t)plan->units * plan->items);
}

/* A matrix with fewer columns has smaller leaves and panels. On CPUs lanes are a loop. */
static void make_plan(const gbl_variant *self, const gbl_product_call *call,
                      const gbl_params *params, const gbl_device *device, qr_plan *plan)
{
    const gbl_props *props = &device->props;
    const int64_t order = order_of(call);
    if (self->detail != NULL) {
        *plan = (qr_plan){.block = params->value[GRID_BLOCK]};
        grid_plan(call, self->detail, device, plan);
        shrink_block(plan, order);
        return;
    }
    *plan = (qr_plan){.items = params->value[LEAF_ITEMS],
                      .columns = params->value[LEAF_COLUMNS],
                      .block = params->value[PANEL_BLOCK],
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
    const gbl_product_call *call = given;
    qr_plan *plan = planned;
    make_plan(self, call, params, device, plan);
    while (plan->items > most_items && plan->items > (plan->units > 0 ? plan->columns : 1))
        plan->items /= 2;
    /* Work-items that keep a row each no longer suffice: they stream them. */
    if (plan->kept && call->m > (int64_t)plan->units * plan->items)
        plan->kept = false;
    memset(spec, 0, sizeof *spec);
    spec->file = plan->units > 0 ? "geqrf_grid.cl" : "geqrf_leaf.cl";
    spec->dtype = call->dtype;
    gbl_kernel_add_macro(spec, "ITEMS", plan->items);
    gbl_kernel_add_macro(spec, "NB", plan->columns);
    if (plan->units > 0)
        gbl_kernel_add_macro(spec, "KEPT", plan->kept);
    else
        gbl_kernel_add_macro(spec, "WIDE", plan->wide);
    return plan->items;
}

static int specs(const gbl_variant *self, const void *call, const gbl_params *params,
                 const gbl_device *device, gbl_kernel_spec *specs)
{
    qr_plan plan;
    if (device->table->build == NULL)
        return 0;
    plan_kernel(self, call, params, device, INT32_MAX, &plan, specs);
    return 1;
}

/* ---- The factorization ---- */

typedef struct factoring {
    gable_context *ctx;
    const gbl_product_call *call;
    qr_plan plan;
    gbl_kernel *kernel;   /* NULL: leaves are tasks */
    gbl_reflectors panel; /* its m: the rows from the panel's first diagonal element on */
    int64_t first;        /* column of the panel */
    gbl_reflect_room room;
    void *sums, *squares; /* that groups of a leaf leave to each other */
} factoring;

/* Groups of a leaf over so many rows. */
static int64_t groups_of(const qr_plan *plan, int64_t rows)
{
    const int64_t groups = gbl_some_parts(rows, plan->items);
    return plan->units == 0 ? 1 : groups < plan->units ? groups : plan->units;
}

/* Columns [from, from + count) of the panel; earlier ones were applied to them. */
static gable_status factor_leaf(const factoring *f, int64_t from, int64_t count)
{
    const gbl_product_call *call = f->call;
    const gbl_reflectors *panel = &f->panel;
    const int64_t at = f->first + from;
    void *A = gbl_element(call->dtype, call->A, call->lda, at, at),
         *tau = gbl_element(call->dtype, call->tau, 0, at, 0),
         *V = gbl_element(call->dtype, panel->V, panel->ldv, 0, from),
         *T = gbl_element(call->dtype, panel->T, panel->ldt, from, from);
    if (f->kernel == NULL) {
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
        return gbl_task(f->ctx, "geqrf_leaf", tasks[call->dtype], &task, sizeof task);
    }
    const geqrf_args args = {.m = call->m - at,
                             .n = count,
                             .lda = call->lda,
                             .ldv = panel->ldv,
                             .ldt = panel->ldt,
                             .above = from};
    gbl_launch_spec launch = {
        .groups = {groups_of(&f->plan, args.m), 1},
        .group = {f->plan.items, 1},
        .buffer_count = 4,
        .buffers = {A, tau, V, T},
        .args = &args,
        .args_bytes = sizeof args,
    };
    if (f->plan.units > 0) {
        gable_context *ctx = f->ctx;
        void *counter;
        TRY(gbl_arena_counter(ctx->arena, ctx->queue, &counter, &ctx->message));
        launch.cooperative = true;
        launch.buffer_count = 7;
        launch.buffers[4] = f->sums;
        launch.buffers[5] = f->squares;
        launch.buffers[6] = counter;
    }
    return gbl_launch(f->ctx, f->kernel, &launch);
}

static gable_status factor_columns(const factoring *f, int64_t from, int64_t count)
{
    if (count <= f->plan.columns)
        return factor_leaf(f, from, count);
    const gbl_product_call *call = f->call;
    const int64_t half = gbl_reflect_half(count, f->plan.columns), middle = from + half;
    TRY(factor_columns(f, from, half));
    const gbl_reflectors left = gbl_reflectors_part(&f->panel, from, half),
                         both = gbl_reflectors_part(&f->panel, from, count);
    TRY(gbl_reflect(
        f->ctx, "geqrf", GABLE_LEFT, true, &left, count - half,
        gbl_element(call->dtype, call->A, call->lda, f->first + from, f->first + middle), call->lda,
        &f->room));
    TRY(factor_columns(f, middle, count - half));
    return gbl_reflect_join(f->ctx, "geqrf", &both, half, &f->room);
}

/* Sums have two places, with one for a row in each. */
static gable_status prepare_groups(gable_context *ctx, factoring *f)
{
    const size_t groups = (size_t)groups_of(&f->plan, f->call->m),
                 sums = (size_t)f->plan.columns * gbl_dtype_bytes(f->call->dtype);
    TRY(gbl_arena_take(ctx->arena, ctx->device, 2 * (groups + 1) * sums, &f->sums, &ctx->message));
    return gbl_arena_take(ctx->arena, ctx->device, groups * SQUARES_BYTES, &f->squares,
                          &ctx->message);
}

/* T's other triangle stays zeros: leaves and products write above it alone. */
static gable_status take_room(gable_context *ctx, factoring *f)
{
    const gbl_product_call *call = f->call;
    const int64_t order = order_of(call), most = f->plan.block < order ? f->plan.block : order;
    f->panel = (gbl_reflectors){.dtype = call->dtype, .m = call->m, .k = most};
    TRY(gbl_composed_room(ctx, call->dtype, call->m, most, &f->panel.V, &f->panel.ldv));
    TRY(gbl_composed_room(ctx, call->dtype, most, most, &f->panel.T, &f->panel.ldt));
    TRY(gbl_fill_bytes(ctx, f->panel.T, 0,
                       (size_t)(f->panel.ldt * most) * gbl_dtype_bytes(call->dtype)));
    return gbl_reflect_take(ctx, call->dtype, most, call->n, &f->room);
}

static gable_status run(gable_context *ctx, const gbl_variant *self, const void *given,
                        const gbl_params *params)
{
    const gbl_product_call *call = given;
    const int64_t order = order_of(call);
    factoring f = {.ctx = ctx, .call = call};
    if (ctx->device->table->build == NULL)
        make_plan(self, call, params, ctx->device, &f.plan);
    else
        TRY(gbl_plan_kernel(ctx, self, call, params, LEAF_ITEMS, plan_kernel, &f.plan, &f.kernel));
    TRY(take_room(ctx, &f));
    if (f.plan.units > 0)
        TRY(prepare_groups(ctx, &f));
    for (f.first = 0; f.first < order; f.first += f.plan.block) {
        const int64_t rest = order - f.first, count = rest < f.plan.block ? rest : f.plan.block,
                      behind = f.first + count;
        f.panel.m = call->m - f.first;
        f.panel.k = count;
        TRY(factor_columns(&f, 0, count));
        TRY(gbl_reflect(ctx, "geqrf", GABLE_LEFT, true, &f.panel, call->n - behind,
                        gbl_element(call->dtype, call->A, call->lda, f.first, behind), call->lda,
                        &f.room));
    }
    return GABLE_OK;
}

/* ---- What it costs ---- */

static void work(const void *given, gbl_work *least)
{
    const gbl_product_call *call = given;
    const double m = (double)call->m, n = (double)call->n, k = (double)order_of(call),
                 bytes = (double)gbl_dtype_bytes(call->dtype) * m * n;
    *least =
        (gbl_work){.bytes_read = bytes,
                   .bytes_written = bytes,
                   .flops = gbl_lapack_flops(call, k * (2 * m * n - (m + n) * k + 2 * k * k / 3))};
}

/* Joins and updates of a panel with so many leaves. */
static double panel_launches(double leaves)
{
    return leaves + 6 * (leaves - 1);
}

static void cost(const gbl_variant *self, const void *given, const gbl_params *params,
                 const gbl_device *device, gbl_cost *out)
{
    const gbl_product_call *call = given;
    qr_plan plan;
    gbl_work least;
    make_plan(self, call, params, device, &plan);
    work(call, &least);
    const double panels = (double)gbl_parts(order_of(call), plan.block),
                 leaves = (double)gbl_parts(plan.block, plan.columns);
    gbl_composed_cost(&least, panels * (panel_launches(leaves) + 3), out);
}

/* One of many groups: A is read and written once, or for each column and once more. For each column
 * there is a barrier, behind which every group loads the sums of all, and an exchange within the
 * group before it and three behind it. */
static void grid_cost(const gbl_product_call *call, const qr_plan *plan, double m, double n,
                      gbl_cost *out)
{
    const double elem = (double)gbl_dtype_bytes(call->dtype),
                 groups = (double)groups_of(plan, (int64_t)m),
                 read = elem * m * n * (plan->kept ? 1 : n + 1),
                 written = elem * m * n * (plan->kept ? 2 : (n + 3) / 2);
    *out = (gbl_cost){.memory_bytes = read + written,
                      .written_bytes = written,
                      .cache_bytes = elem * groups * groups * n * n,
                      .flops = gbl_lapack_flops(call, m * n * (1.5 * n + 1)),
                      .launches = 1,
                      .barriers = n,
                      .steps = n * (COLUMN_STEPS + 4 * GBL_LOCAL_STEPS),
                      .groups = groups,
                      .group_items = plan->items,
                      .bytes_in_flight = elem * plan->items * plan->columns};
}

/* One leaf over so many rows: for each column it walks over those behind it twice. */
static void leaf_cost(const gbl_product_call *call, const qr_plan *plan, int64_t rows,
                      gbl_cost *out)
{
    const double elem = (double)gbl_dtype_bytes(call->dtype), m = (double)rows,
                 n = (double)(order_of(call) < plan->columns ? order_of(call) : plan->columns);
    if (plan->units > 0) {
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

static int parts_of(const gbl_variant *self, const void *given, const gbl_params *params,
                    const gbl_device *device, gbl_part_call *parts)
{
    const gbl_product_call *call = given;
    const int64_t order = order_of(call);
    qr_plan plan;
    gbl_cost leaf;
    make_plan(self, call, params, device, &plan);
    const int64_t mean = call->m - order / 2 > 0 ? call->m - order / 2 : 1;
    const double panels = (double)gbl_parts(order, plan.block);
    leaf_cost(call, &plan, mean, &leaf);
    int count = gbl_composed_kernel(parts, 0, &leaf, (double)gbl_parts(order, plan.columns));
    double nodes = panels;
    for (int64_t half = plan.block / 2; half >= plan.columns && half < order; half /= 2) {
        const gbl_product_call down = gbl_reflect_product(call->dtype, true, false, half, half,
                                                          mean, 1, 0),
                               small = gbl_reflect_product(call->dtype, false, false, half, half,
                                                           half, 1, 0),
                               up = gbl_reflect_product(call->dtype, false, false, mean, half, half,
                                                        -1, 1);
        count = gbl_composed_product(parts, count, &down, 2 * nodes);
        count = gbl_composed_product(parts, count, &small, 3 * nodes);
        count = gbl_composed_product(parts, count, &up, nodes);
        nodes *= 2;
    }
    const int64_t behind = call->n - order / 2 - plan.block / 2;
    if (call->n > order || panels > 1) {
        const int64_t wide = behind > 0 ? behind : 1, k = plan.block;
        const double times = call->n > order ? panels : panels - 1;
        const gbl_product_call down = gbl_reflect_product(call->dtype, true, false, k, wide, mean,
                                                          1, 0),
                               small =
                                   gbl_reflect_product(call->dtype, true, false, k, wide, k, 1, 0),
                               up = gbl_reflect_product(call->dtype, false, false, mean, wide, k,
                                                        -1, 1);
        count = gbl_composed_product(parts, count, &down, times);
        count = gbl_composed_product(parts, count, &small, times);
        count = gbl_composed_product(parts, count, &up, times);
    }
    return count;
}

static bool legal(const gbl_variant *self, const void *call, const gbl_params *params,
                  const gbl_device *device, uint64_t *hash)
{
    qr_plan plan;
    make_plan(self, call, params, device, &plan);
    *hash = gbl_plan_hash(&plan, sizeof plan);
    return device->table->build == NULL ||
           (gbl_group_legal(device, plan.items, 0) &&
            (!gbl_lanes_exchange(&device->props) || plan.items % (int32_t)device->props.simd == 0));
}

/* ---- The table ---- */

static bool fits(const gbl_variant *self, const void *call, const gbl_device *device)
{
    (void)self, (void)call;
    return device->table->build != NULL || device->props.is_host;
}

static bool fits_grid(const gbl_variant *self, const void *call, const gbl_device *device)
{
    qr_plan plan;
    return device->table->build != NULL && device->props.is_gpu && device->props.cooperative &&
           grid_plan(call, self->detail, device, &plan);
}

#define GRID_VARIANT(name_, leaf_)                                                                 \
    {                                                                                              \
        .name = name_, .deterministic = true, .fits = fits_grid, .run = run, .cost = cost,         \
        .space = grid_space, .space_count = 1, .legal = legal, .detail = leaf_,                    \
        .kernels = "geqrf_grid.cl", .specs = specs, .parts = parts_of                              \
    }

static const gbl_factor_copy factor_copy = {
    .op = &gbl_geqrf_op, .routine = gbl_geqrf, .triangle = false};

static bool fits_installed(const gbl_variant *self, const void *call, const gbl_device *device)
{
    (void)self;
    return gbl_installed_fits("geqrf", call, device);
}

static gable_status run_installed(gable_context *ctx, const gbl_variant *self, const void *call,
                                  const gbl_params *params)
{
    const gbl_variant columns_of_own = {.space = space, .space_count = GEQRF_PARAMS};
    gbl_params own;
    (void)params;
    if (gbl_installed_fits("geqrf", call, ctx->device))
        return gbl_installed_geqrf(ctx, call);
    gbl_params_fallback(&columns_of_own, &own);
    return run(ctx, self, call, &own);
}

static void cost_installed(const gbl_variant *self, const void *call, const gbl_params *params,
                           const gbl_device *device, gbl_cost *out)
{
    (void)self, (void)params;
    gbl_installed_cost(&gbl_geqrf_op, call, device, out);
}

static const gbl_variant variants[] = {{.name = "columns",
                                        .deterministic = true,
                                        .fits = fits,
                                        .run = run,
                                        .cost = cost,
                                        .space = space,
                                        .space_count = GEQRF_PARAMS,
                                        .legal = legal,
                                        .kernels = "geqrf_leaf.cl",
                                        .specs = specs,
                                        .parts = parts_of},
                                       GRID_VARIANT("grid", &kept_leaf),
                                       GRID_VARIANT("tall", &streamed_leaf),
                                       GBL_FACTOR_COPY_VARIANT(factor_copy),
                                       {.name = "lapack",
                                        .deterministic = true,
                                        .fits = fits_installed,
                                        .run = run_installed,
                                        .cost = cost_installed}};

static int64_t reflectors(const void *call)
{
    return order_of(call);
}

static const gbl_operand operands[] = {
    GBL_PRODUCT_ROWS,
    GBL_PRODUCT_COLUMNS,
    GBL_PRODUCT_MATRIX(A, "lda", lda, GBL_READ_WRITE, 0, gbl_product_m, gbl_product_n, NULL, "m"),
    GBL_LAPACK_TAU(GBL_WRITE, reflectors),
};

const gbl_op gbl_geqrf_op = {
    .stem = "geqrf",
    .layout = &gbl_product_layout,
    GBL_OPERANDS(operands),
    .work = work,
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
};

gable_status gbl_geqrf(gable_context *ctx, const char *name, const gbl_product_call *call)
{
    return gbl_call_run(ctx, name, &gbl_geqrf_op, call);
}

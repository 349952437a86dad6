/* getrf.c: the LU factorization with partial pivoting, A = P L U
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Columns are cut in two: the left half is factored from its diagonal down, the rows of U beside it
 * are solved for, the product is taken out of the rest, and that is factored. At most `columns` of
 * them are a leaf. In `columns` one group finds pivots and exchanges rows within a leaf
 * (getrf_group.cl), or a task does; in `grid` many groups do, each with its rows in registers and
 * one barrier of all groups for each column (getrf_grid.cl). Behind a leaf its exchanges are made
 * in all other columns of the matrix, left and right, as one permutation (laswp.c). So there is one
 * exchange per leaf and none between: the halves find their rows in place. Of a wide matrix the
 * columns behind the last row are solved for at the end.
 *
 * A pivot that is 0 is noted in the workspace, from where later leaves know that it is not the
 * first.
 */
#include <string.h>
#include "blas/kernel_plan.h"
#include "core/launch.h"
#include "getrf_args.h"
#include "getrf_grid_args.h"
#include "lapack/factor_copy.h"
#include "lapack/installed.h"
#include "lapack/laswp.h"

_Static_assert(sizeof(getrf_args) == 4 * 8, "host and device must agree");
_Static_assert(sizeof(getrf_grid_args) == 5 * 8, "host and device must agree");

#define TASK_COLUMNS 16 /* of a leaf on cpu */
/* Of a column's chain in a leaf: the search for its pivot, the exchange, a quotient. */
#define COLUMN_STEPS (4 * GBL_LOCAL_STEPS)
/* Of one group: 1.4 us per column, and 56 GB/s of all that it touches, for which its work-items
 * have so many elements requested each (H200, d, orders 1024 to 8192, 2026-11). */
#define ALONE_STEPS (7 * GBL_LOCAL_STEPS)
#define IN_FLIGHT   5
/* Of a group that leaves its best to others: kernels/level1/best.h. */
#define BEST_BYTES 16
/* Work-items of a group in `grid` times the elements that each keeps in registers. */
#define KEPT_A_GROUP 8192

enum { LEAF_ITEMS, LEAF_COLUMNS, LEAF_PARAMS };
static const int32_t items[] = {1, 8, 16, 32, 64, 128, 256, 512, 1024};
static const int32_t columns[] = {8, 16, 32};
static const gbl_param space[LEAF_PARAMS] = {
    {.name = "items", GBL_VALUES(items), .fallback = 512},
    {.name = "columns", GBL_VALUES(columns), .fallback = 16},
};

/* ---- The leaf ---- */

typedef struct leaf_plan {
    int32_t items, columns;
    bool grid;
} leaf_plan;

static int64_t pivots_of(const void *given)
{
    const gbl_product_call *call = given;
    return call->m < call->n ? call->m : call->n;
}

static bool is_grid(const gbl_variant *self)
{
    return self->detail != NULL;
}

/* Every work-item has a row, and every unit a group: with more rows groups are larger, and leaves
 * have fewer columns. Of complex numbers in double eight take 32 of the 64 registers that a
 * work-item of the largest group has, which is too many beside the rest. */
static bool grid_plan(const gbl_product_call *call, const gbl_device *device, leaf_plan *plan)
{
    const int64_t most = call->dtype == GBL_Z ? 512 : 1024;
    for (int32_t n = 32; n >= 8; n /= 2) {
        *plan = (leaf_plan){.items = KEPT_A_GROUP / n, .columns = n, .grid = true};
        if (plan->items <= most && call->m <= (int64_t)device->props.units * plan->items)
            return true;
    }
    return false;
}

/* On CPUs lanes are a loop. */
static void make_plan(const gbl_variant *self, const gbl_product_call *call,
                      const gbl_params *params, const gbl_device *device, leaf_plan *plan)
{
    if (is_grid(self)) {
        grid_plan(call, device, plan);
        return;
    }
    *plan = (leaf_plan){.items = params->value[LEAF_ITEMS], .columns = params->value[LEAF_COLUMNS]};
    if (device->table->build == NULL)
        *plan = (leaf_plan){.columns = TASK_COLUMNS};
    else if (!device->props.is_gpu && plan->items > 16)
        plan->items = 16;
}

static int32_t plan_kernel(const gbl_variant *self, const void *given, const gbl_params *params,
                           const gbl_device *device, int32_t most_items, void *planned,
                           gbl_kernel_spec *spec)
{
    const gbl_product_call *call = given;
    leaf_plan *plan = planned;
    (void)most_items;
    make_plan(self, call, params, device, plan);
    memset(spec, 0, sizeof *spec);
    spec->file = plan->grid ? "getrf_grid.cl" : "getrf_group.cl";
    spec->dtype = call->dtype;
    gbl_kernel_add_macro(spec, "ITEMS", plan->items);
    gbl_kernel_add_macro(spec, "NB", plan->columns);
    return plan->items;
}

static int specs(const gbl_variant *self, const void *given, const gbl_params *params,
                 const gbl_device *device, gbl_kernel_spec *specs)
{
    const gbl_product_call *call = given;
    leaf_plan plan;
    if (device->table->build == NULL)
        return 0;
    plan_kernel(self, call, params, device, INT32_MAX, &plan, specs);
    return 1 + gbl_exchange_spec(device, call->dtype, specs + 1);
}

/* ---- The factorization ---- */

typedef struct factoring {
    gable_context *ctx;
    const gbl_product_call *call;
    leaf_plan plan;
    gbl_kernel *kernel; /* NULL: leaves are tasks */
    gbl_exchange exchange;
    int64_t *state; /* as info, and near to the device */
    /* Of `grid`: what groups leave to each other, and how many came to barriers before. */
    void *bests, *rows, *counter;
    int64_t arrived;
} factoring;

static void *at(const gbl_product_call *call, int64_t i, int64_t j)
{
    return gbl_element(call->dtype, call->A, call->lda, i, j);
}

static int64_t groups_of(const leaf_plan *plan, int64_t rows)
{
    return gbl_some_parts(rows, plan->items);
}

static gable_status factor_by_groups(factoring *f, int64_t first, int64_t count)
{
    const gbl_product_call *call = f->call;
    const int64_t rows = call->m - first, groups = groups_of(&f->plan, rows);
    const getrf_grid_args args = {
        .m = rows, .n = count, .lda = call->lda, .before = first, .arrived = f->arrived};
    gbl_launch_spec launch = {
        .groups = {groups, 1},
        .group = {f->plan.items, 1},
        .cooperative = true,
        .buffer_count = 7,
        .buffers = {at(call, first, first), call->ipiv + first, f->state, call->info, f->bests,
                    f->rows, f->counter},
        .args = &args,
        .args_bytes = sizeof args,
    };
    f->arrived += count * groups;
    return gbl_launch(f->ctx, f->kernel, &launch);
}

static gable_status factor_leaf(factoring *f, int64_t first, int64_t count)
{
    const gbl_product_call *call = f->call;
    if (f->plan.grid)
        return factor_by_groups(f, first, count);
    if (f->kernel == NULL) {
        static const gbl_task_function tasks[4] = {gbl_cpu_sgetrf_leaf, gbl_cpu_dgetrf_leaf,
                                                   gbl_cpu_cgetrf_leaf, gbl_cpu_zgetrf_leaf};
        const gbl_cpu_getrf_args task = {.m = call->m - first,
                                         .n = count,
                                         .A = at(call, first, first),
                                         .lda = call->lda,
                                         .before = first,
                                         .ipiv = call->ipiv + first,
                                         .info = call->info};
        return gbl_task(f->ctx, "getrf_leaf", tasks[call->dtype], &task, sizeof task);
    }
    const getrf_args args = {.m = call->m - first, .n = count, .lda = call->lda, .before = first};
    gbl_launch_spec launch = {
        .groups = {1, 1},
        .group = {f->plan.items, 1},
        .buffer_count = 4,
        .buffers = {at(call, first, first), call->ipiv + first, f->state, call->info},
        .args = &args,
        .args_bytes = sizeof args,
    };
    return gbl_launch(f->ctx, f->kernel, &launch);
}

/* The exchanges of a leaf, in all columns but its own. */
static gable_status exchange_beside(const factoring *f, int64_t first, int64_t count)
{
    const gbl_product_call *call = f->call;
    const gbl_cpu_laswp_args rows = {.n = call->n - count,
                                     .lda = call->lda,
                                     .first = first,
                                     .count = count,
                                     .inc = 1,
                                     .skip = first,
                                     .width = count,
                                     .A = call->A,
                                     .ipiv = call->ipiv};
    return gbl_exchange_rows(f->ctx, &f->exchange, call->dtype, &rows);
}

/* Rows [first, middle) of U in columns [middle, end). */
static gbl_product_call solve_of(const gbl_product_call *call, int64_t first, int64_t middle,
                                 int64_t end)
{
    return (gbl_product_call){.dtype = call->dtype,
                              .side = GABLE_LEFT,
                              .uplo = GABLE_LOWER,
                              .trans = GABLE_NO_TRANS,
                              .diag = GABLE_UNIT,
                              .m = middle - first,
                              .n = end - middle,
                              .alpha = {.re = 1},
                              .A = at(call, first, first),
                              .lda = call->lda,
                              .B = at(call, first, middle),
                              .ldb = call->lda};
}

/* Takes columns [first, middle) out of columns [middle, end), rows [middle, m). */
static gbl_product_call product_of(const gbl_product_call *call, int64_t first, int64_t middle,
                                   int64_t end)
{
    return (gbl_product_call){.dtype = call->dtype,
                              .trans = GABLE_NO_TRANS,
                              .trans_b = GABLE_NO_TRANS,
                              .m = call->m - middle,
                              .n = end - middle,
                              .k = middle - first,
                              .alpha = {.re = -1},
                              .A = at(call, middle, first),
                              .lda = call->lda,
                              .B = at(call, first, middle),
                              .ldb = call->lda,
                              .beta = {.re = 1},
                              .C = at(call, middle, middle),
                              .ldc = call->lda};
}

/* Where columns are cut: behind a whole number of leaves. */
static int64_t half_of(int64_t count, int64_t leaf)
{
    return gbl_parts(gbl_parts(count, leaf), 2) * leaf;
}

/* Columns [first, first + count), from the diagonal down; what stands left of them was taken out of
 * them. */
static gable_status factor_columns(factoring *f, int64_t first, int64_t count)
{
    const int64_t end = first + count;
    if (count <= f->plan.columns) {
        TRY(factor_leaf(f, first, count));
        return exchange_beside(f, first, count);
    }
    const int64_t middle = first + half_of(count, f->plan.columns);
    TRY(factor_columns(f, first, middle - first));
    const gbl_product_call solve = solve_of(f->call, first, middle, end),
                           product = product_of(f->call, first, middle, end);
    TRY(gbl_trsm(f->ctx, "getrf", &solve));
    TRY(gbl_gemm(f->ctx, "getrf", &product));
    return factor_columns(f, middle, end - middle);
}

/* Workspace of `grid`, and its counter at 0. Numbers that are left to others have two places. */
static gable_status prepare_groups(factoring *f)
{
    gable_context *ctx = f->ctx;
    const gbl_product_call *call = f->call;
    const size_t groups = (size_t)groups_of(&f->plan, call->m),
                 row = (size_t)f->plan.columns * gbl_dtype_bytes(call->dtype);
    TRY(gbl_arena_take(ctx->arena, ctx->device, 2 * groups * BEST_BYTES, &f->bests, &ctx->message));
    TRY(gbl_arena_take(ctx->arena, ctx->device, 2 * groups * row, &f->rows, &ctx->message));
    TRY(gbl_arena_take(ctx->arena, ctx->device, sizeof(int32_t), &f->counter, &ctx->message));
    return gbl_fill_bytes(ctx, f->counter, 0, sizeof(int32_t));
}

static gable_status run(gable_context *ctx, const gbl_variant *self, const void *given,
                        const gbl_params *params)
{
    const gbl_product_call *call = given;
    const int64_t pivots = pivots_of(call);
    factoring f = {.ctx = ctx, .call = call};
    if (ctx->device->table->build == NULL) {
        make_plan(self, call, params, ctx->device, &f.plan);
    } else {
        void *state;
        TRY(gbl_plan_kernel(ctx, self, call, params, LEAF_ITEMS, plan_kernel, &f.plan, &f.kernel));
        TRY(gbl_arena_take(ctx->arena, ctx->device, sizeof *f.state, &state, &ctx->message));
        f.state = state;
        if (f.plan.grid)
            TRY(prepare_groups(&f));
    }
    TRY(gbl_exchange_prepare(ctx, call->dtype, &f.exchange));
    TRY(factor_columns(&f, 0, pivots));
    if (pivots == call->n)
        return GABLE_OK;
    const gbl_product_call solve = solve_of(call, 0, pivots, call->n);
    return gbl_trsm(ctx, "getrf", &solve);
}

/* ---- What it costs ---- */

/* Each of `least` steps takes out of (most - i) (least - i) elements. */
static void work(const void *given, gbl_work *least)
{
    const gbl_product_call *call = given;
    const double m = (double)call->m, n = (double)call->n, k = m < n ? m : n,
                 bytes = (double)gbl_dtype_bytes(call->dtype) * m * n;
    *least = (gbl_work){
        .bytes_read = bytes,
        .bytes_written = bytes,
        .flops = gbl_lapack_flops(call, m * n * k - (m + n) * k * k / 2 + k * k * k / 3)};
}

static void cost(const gbl_variant *self, const void *given, const gbl_params *params,
                 const gbl_device *device, gbl_cost *out)
{
    const gbl_product_call *call = given;
    leaf_plan plan;
    gbl_work least;
    make_plan(self, call, params, device, &plan);
    work(call, &least);
    gbl_composed_cost(&least, 4 * (double)gbl_parts(pivots_of(call), plan.columns) - 2, out);
}

/* One leaf of so many rows: every column but the first is read and written again for each before
 * it. */
static void leaf_cost(const gbl_product_call *call, const leaf_plan *plan, double rows,
                      gbl_cost *out)
{
    const double elem = (double)gbl_dtype_bytes(call->dtype), n = (double)plan->columns,
                 touched = rows * n * (n + 1) / 2;
    if (plan->grid) {
        /* A barrier for each column, behind which what groups left is loaded, and on either side a
         * search within the group. */
        *out = (gbl_cost){.memory_bytes = 2 * elem * rows * n,
                          .written_bytes = elem * rows * n,
                          .flops = gbl_lapack_flops(call, rows * n * n),
                          .launches = 1,
                          .barriers = n,
                          .steps = COLUMN_STEPS * n,
                          .groups = (double)groups_of(plan, (int64_t)rows),
                          .group_items = plan->items,
                          .bytes_in_flight = elem * n * plan->items};
        return;
    }
    *out = (gbl_cost){.memory_bytes = 2 * elem * touched,
                      .written_bytes = elem * touched,
                      .flops = gbl_lapack_flops(call, touched),
                      .launches = 1,
                      .groups = 1,
                      .group_items = plan->items > 0 ? plan->items : 1,
                      .bytes_in_flight = IN_FLIGHT * elem * (plan->items > 0 ? plan->items : 1)};
    if (plan->items > 0)
        out->steps = ALONE_STEPS * n;
}

#define MOST_LEVELS 16

/* How often columns are cut, level by level, and the rows of their products. */
typedef struct level {
    int64_t terms, wide; /* the most */
    double cuts, rows;
} level;

static int count_levels(int64_t m, int64_t leaf, int64_t first, int64_t count, int depth,
                        level levels[MOST_LEVELS])
{
    if (count <= leaf || depth == MOST_LEVELS)
        return depth;
    const int64_t half = half_of(count, leaf);
    level *here = &levels[depth];
    here->terms = half > here->terms ? half : here->terms;
    here->wide = count - half > here->wide ? count - half : here->wide;
    here->cuts++;
    here->rows += (double)(m - first - half);
    const int a = count_levels(m, leaf, first, half, depth + 1, levels),
              b = count_levels(m, leaf, first + half, count - half, depth + 1, levels);
    return a > b ? a : b;
}

static int parts_of(const gbl_variant *self, const void *given, const gbl_params *params,
                    const gbl_device *device, gbl_part_call *parts)
{
    const gbl_product_call *call = given;
    const int64_t pivots = pivots_of(call);
    leaf_plan plan;
    gbl_cost leaf, exchange;
    level levels[MOST_LEVELS] = {{0}};
    make_plan(self, call, params, device, &plan);
    const double leaves = (double)gbl_parts(pivots, plan.columns);
    leaf_cost(call, &plan, (double)call->m - (double)pivots / 2, &leaf);
    gbl_exchange_plain_cost(call->dtype, call->n, plan.columns, device, &exchange);
    int count = gbl_composed_kernel(parts, 0, &leaf, leaves);
    count = gbl_composed_kernel(parts, count, &exchange, leaves);
    const int depth = count_levels(call->m, plan.columns, 0, pivots, 0, levels);
    for (int i = 0; i < depth; i++) {
        const level *here = &levels[i];
        const int64_t end = here->terms + here->wide;
        const gbl_product_call solve = solve_of(call, 0, here->terms, end);
        gbl_product_call product = product_of(call, 0, here->terms, end);
        product.m = (int64_t)(here->rows / here->cuts);
        count = gbl_composed_call(parts, count, &gbl_trsm_op, &solve, here->cuts);
        count = gbl_composed_product(parts, count, &product, here->cuts);
    }
    if (pivots < call->n) {
        const gbl_product_call solve = solve_of(call, 0, pivots, call->n);
        count = gbl_composed_call(parts, count, &gbl_trsm_op, &solve, 1);
    }
    return count;
}

static bool legal(const gbl_variant *self, const void *call, const gbl_params *params,
                  const gbl_device *device, uint64_t *hash)
{
    leaf_plan plan;
    make_plan(self, call, params, device, &plan);
    *hash = gbl_plan_hash(&plan, sizeof plan);
    return device->table->build == NULL || gbl_group_legal(device, plan.items, 0);
}

/* ---- The table ---- */

static bool fits(const gbl_variant *self, const void *call, const gbl_device *device)
{
    (void)self, (void)call;
    return device->table->build != NULL || device->props.is_host;
}

static bool fits_grid(const gbl_variant *self, const void *call, const gbl_device *device)
{
    leaf_plan plan;
    (void)self;
    return device->table->build != NULL && device->props.is_gpu && device->props.cooperative &&
           grid_plan(call, device, &plan);
}

static const gbl_factor_copy factor_copy = {
    .op = &gbl_getrf_op, .routine = gbl_getrf, .triangle = false};

static bool fits_installed(const gbl_variant *self, const void *call, const gbl_device *device)
{
    (void)self;
    return gbl_installed_fits("getrf", call, device);
}

static gable_status run_installed(gable_context *ctx, const gbl_variant *self, const void *call,
                                  const gbl_params *params)
{
    return gbl_installed_fits("getrf", call, ctx->device) ? gbl_installed_getrf(ctx, call)
                                                          : run(ctx, self, call, params);
}

static void cost_installed(const gbl_variant *self, const void *call, const gbl_params *params,
                           const gbl_device *device, gbl_cost *out)
{
    (void)self, (void)params;
    gbl_installed_cost(&gbl_getrf_op, call, device, out);
}

static const gbl_variant variants[] = {{.name = "columns",
                                        .deterministic = true,
                                        .fits = fits,
                                        .run = run,
                                        .cost = cost,
                                        .space = space,
                                        .space_count = LEAF_PARAMS,
                                        .legal = legal,
                                        .kernels = "getrf_group.cl laswp.cl",
                                        .specs = specs,
                                        .parts = parts_of},
                                       {.name = "grid",
                                        .deterministic = true,
                                        .fits = fits_grid,
                                        .run = run,
                                        .cost = cost,
                                        .legal = legal,
                                        .detail = "getrf_grid.cl",
                                        .kernels = "getrf_grid.cl laswp.cl",
                                        .specs = specs,
                                        .parts = parts_of},
                                       GBL_FACTOR_COPY_VARIANT(factor_copy),
                                       {.name = "lapack",
                                        .deterministic = true,
                                        .fits = fits_installed,
                                        .run = run_installed,
                                        .cost = cost_installed}};

static const gbl_operand operands[] = {
    GBL_PRODUCT_ROWS,
    GBL_PRODUCT_COLUMNS,
    GBL_PRODUCT_MATRIX(A, "lda", lda, GBL_READ_WRITE, 0, gbl_product_m, gbl_product_n, NULL, "m"),
    {.name = "ipiv",
     .kind = GBL_NUMBERS,
     .access = GBL_WRITE,
     .at = PRODUCT_AT(ipiv),
     .rows = pivots_of,
     .element = gbl_info_element},
    GBL_LAPACK_INFO,
};

const gbl_op gbl_getrf_op = {
    .stem = "getrf",
    .layout = &gbl_product_layout,
    GBL_OPERANDS(operands),
    .work = work,
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
};

gable_status gbl_getrf(gable_context *ctx, const char *name, const gbl_product_call *call)
{
    return gbl_info_run(ctx, name, &gbl_getrf_op, call);
}

/* getrf.c: the LU factorization with partial pivoting, A = P L U
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Columns are cut in two: the left half is factored from its diagonal down, the rows of U beside it
 * are solved for, the product is taken out of the rest, and that is factored. At most `columns` of
 * them are a leaf (getrf_leaf.c). In `columns` one group finds pivots and exchanges rows within a
 * leaf, or a task does; in `grid` many groups do, in `cluster` the groups of one cluster. Behind a
 * leaf its exchanges are made in all other columns of the matrix, left and right, as one
 * permutation (laswp.c). So there is one exchange per leaf and none between: the halves find their
 * rows in place. Of a wide matrix the columns behind the last row are solved for at the end.
 *
 * A pivot that is 0 is noted in the workspace, from where later leaves know that it is not the
 * first.
 */
#include "blas/kernel_plan.h"
#include "lapack/factor_copy.h"
#include "lapack/getrf_leaf.h"
#include "lapack/installed.h"
#include "lapack/laswp.h"

enum { LEAF_ITEMS, LEAF_COLUMNS, LEAF_PARAMS };
static const int32_t items[] = {1, 8, 16, 32, 64, 128, 256, 512, 1024};
static const int32_t columns[] = {8, 16, 32};
static const gbl_param space[LEAF_PARAMS] = {
    {.name = "items", GBL_VALUES(items), .fallback = 512},
    {.name = "columns", GBL_VALUES(columns), .fallback = 16},
};

/* ---- The leaf ---- */

static int64_t pivots_of(const void *given)
{
    const gbl_product_call *call = given;
    return call->m < call->n ? call->m : call->n;
}

static gbl_lu_way way_of(const gbl_variant *self)
{
    static const gbl_lu_way group = GBL_LU_GROUP;
    return *(const gbl_lu_way *)(self->detail != NULL ? self->detail : &group);
}

static void make_plan(const gbl_variant *self, const gbl_product_call *call,
                      const gbl_params *params, const gbl_device *device, gbl_lu_leaf *leaf)
{
    gbl_lu_leaf_plan(way_of(self), call, params->value[LEAF_ITEMS], params->value[LEAF_COLUMNS],
                     device, INT32_MAX, leaf);
}

static int32_t plan_kernel(const gbl_variant *self, const void *given, const gbl_params *params,
                           const gbl_device *device, int32_t most_items, void *planned,
                           gbl_kernel_spec *spec)
{
    const gbl_product_call *call = given;
    gbl_lu_leaf *leaf = planned;
    gbl_lu_leaf_plan(way_of(self), call, params->value[LEAF_ITEMS], params->value[LEAF_COLUMNS],
                     device, most_items, leaf);
    gbl_lu_leaf_spec(leaf, call->dtype, spec);
    return leaf->items;
}

static int specs(const gbl_variant *self, const void *given, const gbl_params *params,
                 const gbl_device *device, gbl_kernel_spec *specs)
{
    const gbl_product_call *call = given;
    gbl_lu_leaf leaf;
    if (device->table->build == NULL)
        return 0;
    plan_kernel(self, call, params, device, INT32_MAX, &leaf, specs);
    return 1 + gbl_exchange_spec(device, call->dtype, specs + 1);
}

/* ---- The factorization ---- */

typedef struct factoring {
    gable_context *ctx;
    const gbl_product_call *call;
    gbl_lu_leaves leaves;
    gbl_exchange exchange;
} factoring;

static void *at(const gbl_product_call *call, int64_t i, int64_t j)
{
    return gbl_element(call->dtype, call->A, call->lda, i, j);
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
    const int64_t leaf = f->leaves.leaf.columns;
    if (count <= leaf) {
        TRY(gbl_lu_leaf_run(f->ctx, f->call, &f->leaves, first, count));
        return exchange_beside(f, first, count);
    }
    const int64_t middle = first + half_of(count, leaf);
    TRY(factor_columns(f, first, middle - first));
    const gbl_product_call solve = solve_of(f->call, first, middle, end),
                           product = product_of(f->call, first, middle, end);
    TRY(gbl_trsm(f->ctx, "getrf", &solve));
    TRY(gbl_gemm(f->ctx, "getrf", &product));
    return factor_columns(f, middle, end - middle);
}

static gable_status run(gable_context *ctx, const gbl_variant *self, const void *given,
                        const gbl_params *params)
{
    const gbl_product_call *call = given;
    const int64_t pivots = pivots_of(call);
    factoring f = {.ctx = ctx, .call = call};
    gbl_lu_leaves *leaves = &f.leaves;
    if (ctx->device->table->build == NULL) {
        make_plan(self, call, params, ctx->device, &leaves->leaf);
    } else {
        TRY(gbl_plan_kernel(ctx, self, call, params, LEAF_ITEMS, plan_kernel, &leaves->leaf,
                            &leaves->kernel));
        TRY(gbl_lu_leaves_prepare(ctx, call, leaves));
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
    gbl_lu_leaf plan;
    gbl_work least;
    make_plan(self, call, params, device, &plan);
    work(call, &least);
    gbl_composed_cost(&least, 4 * (double)gbl_parts(pivots_of(call), plan.columns) - 2, out);
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
    gbl_lu_leaf plan;
    gbl_cost leaf, exchange;
    level levels[MOST_LEVELS] = {{0}};
    make_plan(self, call, params, device, &plan);
    const double leaves = (double)gbl_parts(pivots, plan.columns);
    gbl_lu_leaf_cost(call, &plan, (double)call->m - (double)pivots / 2, &leaf);
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
    gbl_lu_leaf plan;
    make_plan(self, call, params, device, &plan);
    *hash = gbl_plan_hash(&plan, sizeof plan);
    return device->table->build == NULL || gbl_group_legal(device, plan.items, 0);
}

/* ---- The table ---- */

static bool fits(const gbl_variant *self, const void *call, const gbl_device *device)
{
    return gbl_lu_leaf_fits(way_of(self), call, device);
}

static const gbl_lu_way by_grid = GBL_LU_GRID, by_cluster = GBL_LU_CLUSTER;

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
                                        .fits = fits,
                                        .run = run,
                                        .cost = cost,
                                        .legal = legal,
                                        .detail = &by_grid,
                                        .kernels = "getrf_grid.cl laswp.cl",
                                        .specs = specs,
                                        .parts = parts_of},
                                       {.name = "cluster",
                                        .deterministic = true,
                                        .fits = fits,
                                        .run = run,
                                        .cost = cost,
                                        .legal = legal,
                                        .detail = &by_cluster,
                                        .kernels = "getrf_cluster.cu laswp.cl",
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
    .rounded_parts = true,
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
};

gable_status gbl_getrf(gable_context *ctx, const char *name, const gbl_product_call *call)
{
    return gbl_info_run(ctx, name, &gbl_getrf_op, call);
}

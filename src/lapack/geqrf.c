/* geqrf.c: the QR factorization A = Q R, Q as Householder reflectors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * `columns` goes over panels of `block` columns. Within a panel columns are cut in two: the left
 * half is factored, its reflectors are applied to the right half, that is factored, and the block
 * of T between them comes from products (reflect.h). At most `columns` columns are a leaf: one
 * group (geqrf_leaf.cl) or a task factors them over all rows, and makes their V and T. Then the
 * panel's reflectors are applied to the columns behind it. In `grid` and `tall` the leaf is made by
 * many groups with one barrier of all of them per column (geqrf_grid.cl): in `grid` their rows stay
 * in registers, in `tall`, which takes any number of rows, they are streamed. In `cluster` the
 * groups of one cluster send sums to each other (geqrf_cluster.cu).
 */
#include "blas/kernel_plan.h"
#include "core/launch.h"
#include "lapack/factor_copy.h"
#include "lapack/geqrf_leaf.h"
#include "lapack/installed.h"

static const int32_t items[] = {1, 8, 16, 32, 64, 128, 256, 512, 1024};
static const int32_t columns[] = {8, 16, 32};
static const int32_t blocks[] = {32, 64, 128, 256};
static const gbl_param space[GBL_QR_PARAMS] = {
    {.name = "items", GBL_VALUES(items), .fallback = 512},
    {.name = "columns", GBL_VALUES(columns), .fallback = 16},
    {.name = "block", GBL_VALUES(blocks), .fallback = 128},
};
static const gbl_param block_space[] = {{.name = "block", GBL_VALUES(blocks), .fallback = 128}};
static const int32_t few_columns[] = {8, 16};
static const gbl_param tall_space[] = {
    {.name = "block", GBL_VALUES(blocks), .fallback = 128},
    {.name = "columns", GBL_VALUES(few_columns), .fallback = 16},
};

static const gbl_qr_leaf_detail kept = {GBL_QR_KEPT}, streamed = {GBL_QR_STREAMED},
                                cluster = {GBL_QR_CLUSTER};

/* ---- The factorization ---- */

typedef struct factoring {
    gable_context *ctx;
    const gbl_product_call *call;
    gbl_qr_leaves leaves;
    gbl_reflectors panel; /* its m: the rows from the panel's first diagonal element on */
    int64_t first;        /* column of the panel */
    gbl_reflect_room room;
} factoring;

/* Columns [from, from + count) of the panel; earlier ones were applied to them. */
static gable_status factor_columns(const factoring *f, int64_t from, int64_t count)
{
    const gbl_product_call *call = f->call;
    const int32_t leaf = f->leaves.plan.columns;
    if (count <= leaf)
        return gbl_qr_leaf_run(f->ctx, &f->leaves, call, &f->panel, f->first, from, count);
    const int64_t half = gbl_reflect_half(count, leaf), middle = from + half;
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

/* T's other triangle stays zeros: leaves and products write above it alone. */
static gable_status take_room(gable_context *ctx, factoring *f)
{
    const gbl_product_call *call = f->call;
    const int64_t order = gbl_qr_order(call), block = f->leaves.plan.block,
                  most = block < order ? block : order;
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
    const int64_t order = gbl_qr_order(call);
    factoring f = {.ctx = ctx, .call = call};
    TRY(gbl_qr_leaves_prepare(ctx, self, call, params, &f.leaves));
    const int64_t block = f.leaves.plan.block;
    TRY(take_room(ctx, &f));
    for (f.first = 0; f.first < order; f.first += block) {
        const int64_t rest = order - f.first, count = rest < block ? rest : block,
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
    const double m = (double)call->m, n = (double)call->n, k = (double)gbl_qr_order(call),
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
    gbl_qr_plan plan;
    gbl_work least;
    gbl_qr_plan_make(self, call, params, device, &plan);
    work(call, &least);
    const double panels = (double)gbl_parts(gbl_qr_order(call), plan.block),
                 leaves = (double)gbl_parts(plan.block, plan.columns);
    gbl_composed_cost(&least, panels * (panel_launches(leaves) + 3), out);
}

static int parts_of(const gbl_variant *self, const void *given, const gbl_params *params,
                    const gbl_device *device, gbl_part_call *parts)
{
    const gbl_product_call *call = given;
    const int64_t order = gbl_qr_order(call);
    gbl_qr_plan plan;
    gbl_cost leaf;
    gbl_qr_plan_make(self, call, params, device, &plan);
    const int64_t mean = call->m - order / 2 > 0 ? call->m - order / 2 : 1;
    const double panels = (double)gbl_parts(order, plan.block);
    gbl_qr_leaf_cost(call, &plan, mean, &leaf);
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

/* ---- The table ---- */

static bool fits(const gbl_variant *self, const void *call, const gbl_device *device)
{
    const gbl_qr_leaf_detail *detail = self->detail;
    return gbl_qr_leaf_fits(detail != NULL ? detail->leaf : GBL_QR_ALONE, call, device);
}

#define GROUPS_VARIANT(name_, leaf_, kernel_, space_)                                              \
    {                                                                                              \
        .name = name_, .deterministic = true, .fits = fits, .run = run, .cost = cost,              \
        .space = space_, .space_count = sizeof space_ / sizeof space_[0], .legal = gbl_qr_legal,   \
        .detail = leaf_, .kernels = kernel_, .specs = gbl_qr_specs, .parts = parts_of              \
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
    const gbl_variant columns_of_own = {.space = space, .space_count = GBL_QR_PARAMS};
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

static const gbl_variant variants[] = {
    {.name = "columns",
     .deterministic = true,
     .fits = fits,
     .run = run,
     .cost = cost,
     .space = space,
     .space_count = GBL_QR_PARAMS,
     .legal = gbl_qr_legal,
     .kernels = "geqrf_leaf.cl",
     .specs = gbl_qr_specs,
     .parts = parts_of},
    GROUPS_VARIANT("cluster", &cluster, "geqrf_cluster.cu", block_space),
    GROUPS_VARIANT("grid", &kept, "geqrf_grid.cl", block_space),
    GROUPS_VARIANT("tall", &streamed, "geqrf_grid.cl", tall_space),
    GBL_FACTOR_COPY_VARIANT(factor_copy),
    {.name = "lapack",
     .deterministic = true,
     .fits = fits_installed,
     .run = run_installed,
     .cost = cost_installed}};

static int64_t reflectors(const void *call)
{
    return gbl_qr_order(call);
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
    .rounded_parts = true,
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
};

gable_status gbl_geqrf(gable_context *ctx, const char *name, const gbl_product_call *call)
{
    return gbl_call_run(ctx, name, &gbl_geqrf_op, call);
}

/* stedc_divide_plan.c: how divide and conquer is cut into launches, and what it costs.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "lapack/stedc_divide_plan.h"
#include <math.h>
#include "blas/kernel_plan.h"

/* 32 rows of a leaf: LAPACK's laed0 has 25. Neither this nor the order of merges from which gemm
 * multiplies was measured on a GPU: there a merge of order 1024 has 32 tiles of a pipeline's for
 * each half. */
static const int32_t leaves[] = {16, 32};
static const int32_t orders[] = {128, 512, 1024, 2048};
const gbl_param gbl_divide_space[GBL_DIVIDE_PARAMS] = {
    {.name = "leaf", GBL_VALUES(leaves), .fallback = 32},
    {.name = "gemm", GBL_VALUES(orders), .fallback = 1024},
};

#define MOST_LEVELS 15 /* merges are along y, two products each */
#define MOST_ROWS   ((int64_t)1 << 30)

/* Of eigenvalues, and of singular values. */
static const char *const files[2][GBL_DIVIDE_STEPS] = {
    {"stedc_begin.cl", "stedc_leaf.cl", "stedc_sort.cl", "stedc_deflate.cl", "stedc_gather.cl",
     "stedc_secular.cl", "stedc_weights.cl", "stedc_vectors.cl", "stedc_product.cl",
     "stedc_columns.cl", NULL},
    {"stedc_begin.cl", "bdsdc_leaf.cl", "bdsdc_sort.cl", "bdsdc_deflate.cl", "stedc_gather.cl",
     "stedc_secular.cl", "stedc_weights.cl", "bdsdc_vectors.cl", "stedc_product.cl",
     "stedc_columns.cl", "bdsdc_end.cl"}};

/* ---- Plans ---- */

/* Work-items of a group on a GPU, and elsewhere, where they are a loop. Two warps have a leaf: one
 * goes on with the next sweep while the other applies the last. */
static const int32_t gpu_items[GBL_DIVIDE_STEPS] = {256, 64,  128, 128, 128, 128,
                                                    256, 128, 256, 128, 256};
static const int32_t cpu_items[GBL_DIVIDE_STEPS] = {16, 1, 16, 16, 64, 16, 16, 16, 1, 64, 16};

#define CHUNK       256 /* places of stedc_deflate.cl */
#define WEIGHT_ROWS 32  /* beside each other; the rest of a group are slices */
#define TERMS       16
#define GPU_SIDE    16 /* work-items along a tile's column */

static bool has_gpu_shape(int32_t items)
{
    return items >= GPU_SIDE;
}

gbl_divide_tile gbl_divide_tile_of(int32_t items)
{
    return has_gpu_shape(items)
               ? (gbl_divide_tile){.wx = GPU_SIDE, .wy = items / GPU_SIDE, .tm = 4, .tn = 4}
               : (gbl_divide_tile){.wx = 1, .wy = items, .tm = 8, .tn = 4};
}

int32_t gbl_divide_weight_rows(int32_t items)
{
    return items < WEIGHT_ROWS ? items : WEIGHT_ROWS;
}

gbl_divide_plan gbl_divide_make_plan(const gbl_divide_call *call, const gbl_params *params,
                                     const gbl_device *device)
{
    gbl_divide_plan p = {.squares = call->squares,
                         .leaf = params->value[0],
                         .gemm = device->props.is_gpu ? params->value[1] : INT64_MAX};
    while (gbl_parts(call->n, (int64_t)1 << p.levels) > p.leaf)
        p.levels++;
    for (int i = 0; i < GBL_DIVIDE_STEPS; i++) {
        p.items[i] = device->props.is_gpu ? gpu_items[i] : cpu_items[i];
        while (p.items[i] > device->props.max_group && p.items[i] > 1)
            p.items[i] /= 2;
    }
    return p;
}

void gbl_divide_make_spec(const gbl_divide_plan *p, gbl_divide_step which, gbl_dtype real,
                          gbl_kernel_spec *spec)
{
    const int32_t items = p->items[which];
    gbl_kernel_begin(spec, files[p->squares][which], real);
    if (which == GBL_DIVIDE_SECULAR || which == GBL_DIVIDE_WEIGHTS)
        gbl_kernel_add_macro(spec, "SQUARES", p->squares);
    if (which == GBL_DIVIDE_PRODUCT) {
        const gbl_divide_tile t = gbl_divide_tile_of(items);
        gbl_kernel_add_macro(spec, "WX", t.wx);
        gbl_kernel_add_macro(spec, "WY", t.wy);
        gbl_kernel_add_macro(spec, "TM", t.tm);
        gbl_kernel_add_macro(spec, "TN", t.tn);
        gbl_kernel_add_macro(spec, "TERMS", TERMS);
        return;
    }
    if (which == GBL_DIVIDE_WEIGHTS) {
        gbl_kernel_add_macro(spec, "ROWS", gbl_divide_weight_rows(items));
        gbl_kernel_add_macro(spec, "SLICES", items / gbl_divide_weight_rows(items));
        return;
    }
    gbl_kernel_add_macro(spec, "ITEMS", items);
    if (which == GBL_DIVIDE_LEAF)
        gbl_kernel_add_macro(spec, "LEAF", p->leaf);
    if (which == GBL_DIVIDE_DEFLATE)
        gbl_kernel_add_macro(spec, "CHUNK", CHUNK);
    if (which == GBL_DIVIDE_GATHER || which == GBL_DIVIDE_COLUMNS)
        gbl_kernel_add_macro(spec, "COLUMNS", GBL_DIVIDE_COPIED);
    if (which == GBL_DIVIDE_END)
        gbl_kernel_add_macro(spec, "SIDE", GBL_DIVIDE_SIDE);
}

bool gbl_divide_uses(const gbl_divide_plan *p, gbl_divide_step which)
{
    if (which == GBL_DIVIDE_END)
        return p->squares;
    if (which == GBL_DIVIDE_COLUMNS && p->squares)
        return p->levels > 0;
    return p->levels > 0 || which == GBL_DIVIDE_BEGIN || which == GBL_DIVIDE_LEAF ||
           which == GBL_DIVIDE_SORT || which == GBL_DIVIDE_COLUMNS;
}

int gbl_divide_specs(const gbl_divide_call *call, const gbl_params *params,
                     const gbl_device *device, gbl_kernel_spec *specs)
{
    const gbl_divide_plan p = gbl_divide_make_plan(call, params, device);
    int count = 0;
    for (int i = 0; i < GBL_DIVIDE_STEPS && device->table->build != NULL; i++)
        if (gbl_divide_uses(&p, (gbl_divide_step)i))
            gbl_divide_make_spec(&p, (gbl_divide_step)i, gbl_divide_real(call->dtype),
                                 &specs[count++]);
    return count;
}

bool gbl_divide_fits(const gbl_divide_call *call, const gbl_device *device)
{
    /* With leaves of 16 rows at most. */
    return device->table->build != NULL && call->n < MOST_ROWS &&
           call->n <= (int64_t)leaves[0] << MOST_LEVELS;
}

/* ---- Calls ---- */

gbl_product_call gbl_divide_product(gbl_dtype real, int64_t rows, int64_t columns,
                                    const int64_t *sizes)
{
    return (gbl_product_call){.dtype = real,
                              .trans = GABLE_NO_TRANS,
                              .trans_b = GABLE_NO_TRANS,
                              .m = rows,
                              .n = columns,
                              .k = rows,
                              .alpha = {.re = 1},
                              .sizes = sizes};
}

gbl_product_call gbl_divide_update(const gbl_divide_call *call)
{
    const int64_t wide = gbl_dtype_complex(call->dtype) ? 2 : 1;
    gbl_product_call update =
        gbl_divide_product(gbl_divide_real(call->dtype), call->n, call->n, NULL);
    update.m = wide * call->n;
    update.A = call->Z;
    update.lda = wide * call->ldz;
    return update;
}

gbl_product_call gbl_divide_copy(const gbl_product_call *update)
{
    return (gbl_product_call){.dtype = update->dtype,
                              .uplo = GABLE_GENERAL,
                              .m = update->m,
                              .n = update->n,
                              .A = update->C,
                              .lda = update->ldc,
                              .B = update->A,
                              .ldb = update->lda};
}

/* ---- What it costs ---- */

/* Chains of steps, estimated (no GPU was at hand): a place of the deflation scan takes 50 ns; a
 * rotation of a leaf's sweep, with its root and quotients, 250 ns, and there are 1.7 sweeps per
 * eigenvalue of blocks that are half a leaf in the mean. A step takes some 15 ns. */
#define SCAN_STEPS     3
#define ROTATION_STEPS 17
#define LEAF_SWEEPS    1.7
/* The secular equation's sums: evaluations per root, and flops per term, a quotient among them. */
#define EVALUATIONS 8
#define TERM_FLOPS  20
/* Launches of a level beside its products: of eigenvectors, and of vectors on two sides. */
#define LEVEL_STEPS     7
#define TWO_SIDED_STEPS 10

static int level_steps(const gbl_divide_plan *p)
{
    return p->squares ? TWO_SIDED_STEPS : LEVEL_STEPS;
}

static double sides_of(const gbl_divide_plan *p)
{
    return p->squares ? 2 : 1;
}

double gbl_divide_launches(const gbl_divide_call *call, const gbl_params *params,
                           const gbl_device *device)
{
    const gbl_divide_plan p = gbl_divide_make_plan(call, params, device);
    double launches = 5 + (call->update ? 2 : 0);
    for (int level = 0; level < p.levels; level++) {
        const bool own = gbl_divide_rows(call->n, level) < p.gemm;
        launches += level_steps(&p) + sides_of(&p) * (own ? 1 : (double)((int64_t)2 << level));
    }
    return launches;
}

/* Everything of a level but its products, where nothing deflates. Matrices are walked over six
 * times, half of each of them. */
static gbl_cost level_cost(const gbl_divide_call *call, const gbl_divide_plan *p, int level)
{
    const double n = (double)call->n, rows = (double)gbl_divide_rows(call->n, level),
                 elem = (double)gbl_dtype_real_bytes(call->dtype), half = elem * n * rows / 2;
    return (gbl_cost){.memory_bytes = (2 + 6 * sides_of(p)) * half,
                      .written_bytes = 3 * sides_of(p) * half,
                      .flops = n * rows * (EVALUATIONS * TERM_FLOPS + TERM_FLOPS),
                      .launches = level_steps(p),
                      .steps = SCAN_STEPS * rows,
                      .groups = n,
                      .group_items = p->items[GBL_DIVIDE_SECULAR],
                      .bytes_in_flight = 4 * elem * p->items[GBL_DIVIDE_SECULAR]};
}

static gbl_cost product_cost(const gbl_divide_call *call, const gbl_divide_plan *p, int level)
{
    const gbl_divide_tile t = gbl_divide_tile_of(p->items[GBL_DIVIDE_PRODUCT]);
    const double n = (double)call->n, rows = (double)gbl_divide_rows(call->n, level),
                 elem = (double)gbl_dtype_real_bytes(call->dtype);
    const double tiles = n / (t.wx * t.tm) * ceil(rows / (t.wy * t.tn));
    return (gbl_cost){.memory_bytes = elem * n * rows * 2,
                      .written_bytes = elem * n * rows,
                      .flops = n * rows * rows,
                      .launches = 1,
                      .groups = tiles,
                      .group_items = p->items[GBL_DIVIDE_PRODUCT],
                      .bytes_in_flight = elem * TERMS * (t.wx * t.tm + t.wy * t.tn),
                      .steps = rows / 2 / TERMS * 2 * GBL_LOCAL_STEPS,
                      .in_waves = true};
}

/* Leaves, and what comes after the last merge. */
static gbl_cost ends_cost(const gbl_divide_call *call, const gbl_divide_plan *p)
{
    const double n = (double)call->n, elem = (double)gbl_dtype_real_bytes(call->dtype),
                 leaf = (double)gbl_divide_rows(call->n, p->levels);
    return (gbl_cost){.memory_bytes = elem * (4 * n * n + sides_of(p) * n * leaf),
                      .written_bytes = elem * 2 * n * n,
                      .flops = sides_of(p) * n * leaf * leaf * 6 + n * n,
                      .launches = 5,
                      .groups = n / leaf,
                      .group_items = p->items[GBL_DIVIDE_LEAF],
                      .bytes_in_flight = elem * p->items[GBL_DIVIDE_COLUMNS],
                      .steps = LEAF_SWEEPS * leaf * leaf / 2 * ROTATION_STEPS};
}

int gbl_divide_parts(const gbl_divide_call *call, const gbl_params *params,
                     const gbl_device *device, gbl_part_call *parts, int count)
{
    static const int64_t told[3]; /* parts are not run: sizes stand somewhere, and that is all */
    const gbl_divide_plan p = gbl_divide_make_plan(call, params, device);
    const gbl_dtype real = gbl_divide_real(call->dtype);
    const int64_t ld = gbl_composed_ld(real, call->n);
    const gbl_cost ends = ends_cost(call, &p);
    count = gbl_composed_kernel(parts, count, &ends, 1);
    for (int level = p.levels - 1; level >= 0; level--) {
        const int64_t rows = gbl_divide_rows(call->n, level),
                      upper = gbl_divide_rows(call->n, level + 1);
        const gbl_cost merge = level_cost(call, &p, level);
        count = gbl_composed_kernel(parts, count, &merge, 1);
        if (rows < p.gemm) {
            const gbl_cost product = product_cost(call, &p, level);
            count = gbl_composed_kernel(parts, count, &product, sides_of(&p));
        } else {
            gbl_product_call product = gbl_divide_product(real, upper, rows, told);
            product.lda = product.ldb = product.ldc = ld;
            count = gbl_composed_product(parts, count, &product,
                                         sides_of(&p) * (double)((int64_t)2 << level));
        }
    }
    if (call->update) {
        gbl_product_call product = gbl_divide_update(call);
        product.ldb = ld;
        product.ldc = product.m > call->n ? 2 * ld : ld;
        const gbl_product_call copy = gbl_divide_copy(&product);
        count = gbl_composed_product(parts, count, &product, 1);
        count = gbl_composed_call(parts, count, &gbl_lacpy_op, &copy, 1);
    }
    return count;
}

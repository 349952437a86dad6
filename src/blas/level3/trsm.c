/* trsm.c: B := alpha op(A)^-1 B or alpha B op(A)^-1, A triangular
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * `halves` and `strips` cut A in two, solve for one half of the unknowns, take them out of the
 * other by one product and go on there (trsm_blocks.c); blocks of at most `rows` are solved by
 * trsm_leaf.cl or trsm_strip.cl. So nearly all of the work is in products, the larger the better,
 * and it is substitution all the same: no block is inverted. The leaf keeps its block of A in local
 * memory. A strip lets it pass by, so its blocks are larger, and it needs fewer launches and
 * products (trsm_strip.c). `vector` is for one right-hand side: trsv does it in one launch.
 */
#include <string.h>
#include "blas/level3/composed.h"
#include "blas/kernel_plan.h"
#include "blas/level1/stream_plan.h"
#include "blas/level3/trsm_blocks.h"
#include "core/kernel.h"
#include "cpu/cpu_kernels.h"

#define FEWEST_ROWS 16
#define ROWS_A_LANE 4 /* at least: lanes that share a right-hand side all find its unknowns */
/* Groups on CPUs: few, because each loads the triangle; more than one, so that units end
 * together. */
#define GROUPS_A_UNIT 4
/* Of the chain of a block, per pair of its unknowns: one of 128 took 26 us on an H200, one of 64
 * took 13 (2026-11). */
#define PAIR_STEPS 0.04

enum { LEAF_ITEMS, LEAF_ROWS, LEAF_SLAB, LEAF_STEP, LEAF_EACH, LEAF_PARAMS };
static const int32_t items[] = {8, 16, 32, 64, 128, 256};
static const int32_t rows[] = {16, 32, 64, 128};
static const int32_t slabs[] = {8, 16, 32};
static const int32_t steps[] = {1, 2, 4, 8};
static const int32_t sides_a_lane[] = {1, 2, 4};
static const gbl_param space[LEAF_PARAMS] = {
    {.name = "items", GBL_VALUES(items), .fallback = 128},
    {.name = "rows", GBL_VALUES(rows), .fallback = 64},
    {.name = "slab", GBL_VALUES(slabs), .fallback = 32},
    {.name = "step", GBL_VALUES(steps), .fallback = 8},
    {.name = "each", GBL_VALUES(sides_a_lane), .fallback = 2},
};

typedef struct leaf_plan {
    int32_t items, rows, slab, step, each;
} leaf_plan;

static int64_t local_bytes(const leaf_plan *plan, gbl_dtype dtype)
{
    const int64_t n = plan->rows;
    return (n * (n + 1) / 2 + n + n * (plan->slab + 1)) * (int64_t)gbl_dtype_bytes(dtype);
}

/* A triangle with fewer rows is solved in a block that is not larger than it needs. Of few
 * right-hand sides groups take fewer, so that each unit has some. On CPUs lanes do not share a
 * right-hand side. */
static void make_plan(const gbl_product_call *call, const gbl_params *params,
                      const gbl_device *device, leaf_plan *plan)
{
    const gbl_props *props = &device->props;
    *plan = (leaf_plan){.items = params->value[LEAF_ITEMS],
                        .rows = params->value[LEAF_ROWS],
                        .slab = params->value[LEAF_SLAB],
                        .step = params->value[LEAF_STEP],
                        .each = props->is_gpu ? params->value[LEAF_EACH] : 1};
    if (plan->slab > plan->items)
        plan->slab = plan->items;
    if (!props->is_gpu)
        plan->items = plan->slab;
    while (props->is_gpu && plan->slab > slabs[0] &&
           gbl_parts(gbl_trsm_sides(call), plan->slab) < props->units)
        plan->slab /= 2;
    while (plan->each > plan->slab)
        plan->each /= 2;
    while (plan->rows > FEWEST_ROWS && (plan->rows / 2 >= gbl_trsm_unknowns(call) ||
                                        local_bytes(plan, call->dtype) > gbl_trsm_room(props)))
        plan->rows /= 2;
    while (plan->items / (plan->slab / plan->each) > plan->rows / ROWS_A_LANE)
        plan->items /= 2;
}

static int32_t plan_kernel(const gbl_variant *self, const void *given, const gbl_params *params,
                           const gbl_device *device, int32_t most_items, void *planned,
                           gbl_kernel_spec *spec)
{
    const gbl_product_call *call = given;
    leaf_plan *plan = planned;
    (void)self, (void)most_items;
    make_plan(call, params, device, plan);
    gbl_kernel_begin(spec, "trsm_leaf.cl", call->dtype);
    gbl_kernel_add_macro(spec, "ITEMS", plan->items);
    gbl_kernel_add_macro(spec, "NB", plan->rows);
    gbl_kernel_add_macro(spec, "SLAB", plan->slab);
    gbl_kernel_add_macro(spec, "STEP", plan->step);
    gbl_kernel_add_macro(spec, "EACH", plan->each);
    gbl_kernel_add_macro(spec, "TRANS", gbl_trsm_turned(call));
    gbl_kernel_add_macro(spec, "CONJ", gbl_trsm_conjugated(call));
    gbl_kernel_add_macro(spec, "RIGHT", call->side == GABLE_RIGHT);
    return plan->items;
}

static int specs(const gbl_variant *self, const void *call, const gbl_params *params,
                 const gbl_device *device, gbl_kernel_spec *specs)
{
    leaf_plan plan;
    plan_kernel(self, call, params, device, INT32_MAX, &plan, specs);
    return 1;
}

/* ---- halves ---- */

static int64_t group_count(const leaf_plan *plan, const gbl_product_call *call,
                           const gbl_device *device)
{
    const int64_t all = gbl_parts(gbl_trsm_sides(call), plan->slab),
                  few = GROUPS_A_UNIT * (int64_t)device->props.units;
    return device->props.is_gpu || all < few ? all : few;
}

static gbl_trsm_leaf leaf_of(const leaf_plan *plan, const gbl_product_call *call,
                             const gbl_device *device, gbl_kernel *kernel)
{
    return (gbl_trsm_leaf){.kernel = kernel,
                           .rows = plan->rows,
                           .slabs = gbl_parts(gbl_trsm_sides(call), plan->slab),
                           .groups = group_count(plan, call, device),
                           .items = plan->items,
                           .local_bytes = local_bytes(plan, call->dtype)};
}

static gable_status run(gable_context *ctx, const gbl_variant *self, const void *given,
                        const gbl_params *params)
{
    const gbl_product_call *call = given;
    leaf_plan plan;
    gbl_kernel *kernel;
    if (gbl_scalar_zero(&call->alpha))
        return gbl_trsm_clear(ctx, call);
    TRY(gbl_plan_kernel(ctx, self, call, params, LEAF_ITEMS, plan_kernel, &plan, &kernel));
    const gbl_trsm_leaf leaf = leaf_of(&plan, call, ctx->device, kernel);
    return gbl_trsm_solve(ctx, call, &leaf);
}

static void cost(const gbl_variant *self, const void *given, const gbl_params *params,
                 const gbl_device *device, gbl_cost *out)
{
    const gbl_product_call *call = given;
    leaf_plan plan;
    (void)self;
    make_plan(call, params, device, &plan);
    const gbl_trsm_leaf leaf = leaf_of(&plan, call, device, NULL);
    gbl_trsm_cost(call, &leaf, out);
}

/* One block for all right-hand sides. Its steps are a chain: products with reciprocals and
 * multiply-adds that wait for each other, then the rows behind, between two barriers, whose
 * elements come from local memory. */
static void leaf_cost(const gbl_product_call *call, const leaf_plan *plan, const gbl_device *device,
                      gbl_cost *out)
{
    const double elem = (double)gbl_dtype_bytes(call->dtype), n = (double)plan->rows,
                 many = (double)gbl_trsm_sides(call);
    *out = (gbl_cost){.memory_bytes = elem * (n * (n + 1) / 2 + 2 * n * many),
                      .written_bytes = elem * n * many,
                      .flops = gbl_product_flops(call->dtype) * many * n * (n + 1) / 2,
                      .launches = 1,
                      .steps = n + n / plan->step * 2 * GBL_LOCAL_STEPS + PAIR_STEPS * n * n,
                      .groups = (double)group_count(plan, call, device),
                      .group_items = plan->items,
                      .bytes_in_flight = elem * plan->items};
}

static int parts_of(const gbl_variant *self, const void *given, const gbl_params *params,
                    const gbl_device *device, gbl_part_call *parts)
{
    const gbl_product_call *call = given;
    leaf_plan plan;
    gbl_cost leaf;
    (void)self;
    make_plan(call, params, device, &plan);
    leaf_cost(call, &plan, device, &leaf);
    return gbl_trsm_parts(call, plan.rows, &leaf, parts);
}

/* ---- vector ---- */

static bool right(const gbl_product_call *call)
{
    return call->side == GABLE_RIGHT;
}

/* trsv has no form for the conjugate without the transpose. With alpha on the device nobody knows
 * here whether it is 0, and trsv reads A. */
static bool fits_vector(const gbl_variant *self, const void *given, const gbl_device *device)
{
    const gbl_product_call *call = given;
    return gbl_composed_fits(self, call, device) && gbl_trsm_sides(call) == 1 &&
           call->alpha.device == NULL && !(right(call) && gbl_trsm_conjugated(call));
}

static gbl_matrix_call solve_of(const gbl_product_call *call)
{
    const gable_trans other = call->trans != GABLE_NO_TRANS ? GABLE_NO_TRANS : GABLE_TRANS;
    return (gbl_matrix_call){.dtype = call->dtype,
                             .uplo = call->uplo,
                             .trans = right(call) ? other : call->trans,
                             .diag = call->diag,
                             .m = gbl_trsm_unknowns(call),
                             .n = gbl_trsm_unknowns(call),
                             .A = call->A,
                             .lda = call->lda,
                             .x = call->B,
                             .incx = right(call) ? call->ldb : 1};
}

static gbl_vector_call scaling_of(const gbl_product_call *call)
{
    return (gbl_vector_call){.dtype = call->dtype,
                             .n = gbl_trsm_unknowns(call),
                             .alpha = call->alpha,
                             .x = call->B,
                             .incx = right(call) ? call->ldb : 1};
}

static bool scaled(const gbl_product_call *call)
{
    return call->alpha.re != 1 || call->alpha.im != 0;
}

static gable_status run_vector(gable_context *ctx, const gbl_variant *self, const void *given,
                               const gbl_params *params)
{
    const gbl_product_call *call = given;
    (void)self, (void)params;
    if (gbl_scalar_zero(&call->alpha))
        return gbl_trsm_clear(ctx, call);
    const gbl_vector_call scaling = scaling_of(call);
    const gbl_matrix_call solving = solve_of(call);
    if (scaled(call))
        TRY(gbl_scal(ctx, "trsm", &scaling));
    return gbl_trsv(ctx, "trsm", &solving);
}

static void cost_vector(const gbl_variant *self, const void *call, const gbl_params *params,
                        const gbl_device *device, gbl_cost *out)
{
    gbl_work least;
    (void)self, (void)params, (void)device;
    gbl_triangle_work(call, &least);
    gbl_composed_cost(&least, scaled(call) ? 2 : 1, out);
}

static int parts_of_vector(const gbl_variant *self, const void *call, const gbl_params *params,
                           const gbl_device *device, gbl_part_call *parts)
{
    const gbl_matrix_call solving = solve_of(call);
    const gbl_vector_call scaling = scaling_of(call);
    (void)self, (void)params, (void)device;
    gbl_composed_call(parts, 0, &gbl_trsv_op, &solving, 1);
    return scaled(call) ? gbl_composed_call(parts, 1, &gbl_scal_op, &scaling, 1) : 1;
}

/* ---- the table ---- */

static bool legal(const gbl_variant *self, const void *call, const gbl_params *params,
                  const gbl_device *device, uint64_t *hash)
{
    leaf_plan plan;
    (void)self;
    make_plan(call, params, device, &plan);
    *hash = gbl_plan_hash(&plan, sizeof plan);
    return gbl_group_legal(device, plan.items, 0);
}

static const gbl_product_routine routine = {
    .stem = "trsm",
    .work = gbl_triangle_work,
    .omp = GBL_CPU_FOUR(trsm_omp),
    .blas = GBL_CPU_FOUR(trsm_blas),
    .one_scalar = true,
};

static const gbl_variant variants[] = {
    GBL_VARIANT("halves", .fits = gbl_composed_fits, .run = run, .cost = cost, .space = space,
                .space_count = LEAF_PARAMS, .legal = legal, .kernels = "trsm_leaf.cl",
                .specs = specs, .parts = parts_of),
    GBL_VARIANT("strips", .fits = gbl_composed_fits, .run = gbl_strip_run, .cost = gbl_strip_cost,
                .space = gbl_strip_space, .space_count = GBL_STRIP_PARAMS, .legal = gbl_strip_legal,
                .kernels = "trsm_strip.cl", .specs = gbl_strip_specs, .parts = gbl_strip_parts),
    GBL_VARIANT("vector", .fits = fits_vector, .run = run_vector, .cost = cost_vector,
                .parts = parts_of_vector),
    GBL_PRODUCT_VARIANTS(&routine),
};

static const gbl_operand operands[] = {GBL_TRIANGLE_OPERANDS};

const gbl_op gbl_trsm_op = {GBL_PRODUCT_OP("trsm", operands, variants), .work = gbl_triangle_work};

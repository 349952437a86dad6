/* trsm.c: B := alpha op(A)^-1 B or alpha B op(A)^-1, A triangular
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * `halves` cuts A in two, solves for one half of the unknowns, takes them out of the other by one product and goes on
 * there; blocks of at most `rows` are solved by trsm_leaf.cl. So nearly all of the work is in products, the larger the
 * better, and it is substitution all the same: no block is inverted. B is scaled where it is touched first: by the leaf
 * that solves the first block, and as beta of the products that reach the others. `vector` is for one right-hand side:
 * trsv does it in one launch.
 */
#include <string.h>
#include "core/kernel_args.h"
#include "blas/composed.h"
#include "blas/kernel_plan.h"
#include "blas/stream_plan.h"
#include "core/kernel.h"
#include "core/launch.h"
#include "cpu/cpu_kernels.h"
#include "trsm_args.h"

_Static_assert(sizeof(trsm_args) == (9 + 4 + 6) * 8, "host and device must agree");

#define FEWEST_ROWS  16
#define STATIC_BYTES 49152 /* of local memory that a kernel may name without asking for more */
#define ROWS_A_LANE  4     /* at least: lanes that share a right-hand side all find its unknowns */
/* Groups on CPUs: few, because each loads the triangle; more than one, so that units end together. */
#define GROUPS_A_UNIT 4
/* Of the chain of a block, per pair of its unknowns: one of 128 took 26 us on an H200, one of 64 took 13 (2026-11). */
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

/* The unknowns of one right-hand side, and how many of those there are. */
static int64_t unknowns(const gbl_product_call *call)
{
    return gbl_product_order(call);
}

static int64_t sides(const gbl_product_call *call)
{
    return call->side == GABLE_RIGHT ? call->m : call->n;
}

static bool right(const gbl_product_call *call)
{
    return call->side == GABLE_RIGHT;
}

static bool transposed(const gbl_product_call *call)
{
    return call->trans != GABLE_NO_TRANS;
}

/* The matrix of the equations is A turned: op(A), or its transpose where it is on the right. */
static bool turned(const gbl_product_call *call)
{
    return transposed(call) != right(call);
}

/* The last unknowns are found first. */
static bool backward(const gbl_product_call *call)
{
    return (call->uplo == GABLE_UPPER) != turned(call);
}

static int64_t local_bytes(const leaf_plan *plan, gbl_dtype dtype)
{
    const int64_t n = plan->rows;
    return (n * (n + 1) / 2 + n + n * (plan->slab + 1)) * (int64_t)gbl_dtype_bytes(dtype);
}

/* Bytes of local memory that a group can have. */
static int64_t room_bytes(const gbl_props *props)
{
    const int64_t most = (int64_t)props->max_local_bytes;
    if (props->max_dynamic_local_bytes > 0)
        return (int64_t)props->max_dynamic_local_bytes;
    return most > 0 && most < STATIC_BYTES ? most : STATIC_BYTES;
}

/* A triangle with fewer rows is solved in a block that is not larger than it needs. Of few right-hand sides groups take
 * fewer, so that each unit has some. On CPUs lanes do not share a right-hand side. */
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
           gbl_parts(sides(call), plan->slab) < props->units)
        plan->slab /= 2;
    while (plan->each > plan->slab)
        plan->each /= 2;
    while (plan->rows > FEWEST_ROWS &&
           (plan->rows / 2 >= unknowns(call) || local_bytes(plan, call->dtype) > room_bytes(props)))
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
    memset(spec, 0, sizeof *spec);
    spec->file = "trsm_leaf.cl";
    spec->dtype = call->dtype;
    gbl_kernel_add_macro(spec, "ITEMS", plan->items);
    gbl_kernel_add_macro(spec, "NB", plan->rows);
    gbl_kernel_add_macro(spec, "SLAB", plan->slab);
    gbl_kernel_add_macro(spec, "STEP", plan->step);
    gbl_kernel_add_macro(spec, "EACH", plan->each);
    gbl_kernel_add_macro(spec, "TRANS", turned(call));
    gbl_kernel_add_macro(spec, "CONJ",
                         call->trans == GABLE_CONJ_TRANS && gbl_dtype_complex(call->dtype));
    gbl_kernel_add_macro(spec, "RIGHT", right(call));
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

/* A solve on its way. */
typedef struct solve {
    const gbl_product_call *call;
    leaf_plan plan;
    gbl_kernel *leaf;
} solve;

static void *element(const void *matrix, gbl_dtype dtype, int64_t row, int64_t column, int64_t ld)
{
    return (char *)(uintptr_t)matrix + (row + column * ld) * (int64_t)gbl_dtype_bytes(dtype);
}

static void *a_at(const gbl_product_call *call, int64_t row, int64_t column)
{
    return element(call->A, call->dtype, row, column, call->lda);
}

/* From unknown number `first` on: rows of B, or columns. */
static void *b_at(const gbl_product_call *call, int64_t first)
{
    return right(call) ? element(call->B, call->dtype, 0, first, call->ldb)
                       : element(call->B, call->dtype, first, 0, call->ldb);
}

static int64_t group_count(const leaf_plan *plan, const gbl_product_call *call,
                           const gbl_device *device)
{
    const int64_t all = gbl_parts(sides(call), plan->slab),
                  few = GROUPS_A_UNIT * (int64_t)device->props.units;
    return device->props.is_gpu || all < few ? all : few;
}

/* Solves for unknowns [first, first + count), at most as many as the kernel takes. */
static gable_status solve_leaf(gable_context *ctx, const solve *s, int64_t first, int64_t count,
                               bool scale)
{
    const gbl_product_call *call = s->call;
    const trsm_args args = {.triangle = {.n = count,
                                         .lda = call->lda,
                                         .blocks = 1,
                                         .upper = call->uplo == GABLE_UPPER,
                                         .unit = call->diag == GABLE_UNIT},
                            .ldb = call->ldb,
                            .sides = sides(call),
                            .slabs = gbl_parts(sides(call), s->plan.slab),
                            .scale = scale,
                            .scalars = gbl_scalars(&call->alpha, &call->beta)};
    gbl_launch_spec launch = {
        .groups = {group_count(&s->plan, call, ctx->device), 1},
        .group = {s->plan.items, 1},
        .dynamic_local_bytes = ctx->device->props.max_dynamic_local_bytes > 0
                                   ? (size_t)local_bytes(&s->plan, call->dtype)
                                   : 0,
        .buffer_count = 3,
        .buffers = {gbl_scalar_buffer(&call->alpha, call->A), a_at(call, first, first),
                    b_at(call, first)},
        .args = &args,
        .args_bytes = sizeof args,
    };
    return gbl_launch(ctx, s->leaf, &launch);
}

/* Takes `found_count` unknowns from `found` on out of those from `rest` on, which are scaled by alpha before. */
static gbl_product_call product_of(const gbl_product_call *call, int64_t found, int64_t found_count,
                                   int64_t rest, int64_t rest_count, bool scale)
{
    /* The block of op(A) between them, as it is stored. */
    void *block = turned(call) ? a_at(call, found, rest) : a_at(call, rest, found);
    const gbl_scalar one = {.re = 1};
    gbl_product_call product = {.dtype = call->dtype,
                                .k = found_count,
                                .C = b_at(call, rest),
                                .ldc = call->ldb,
                                .alpha = {.re = -1},
                                .beta = scale ? call->alpha : one};
    if (right(call)) {
        product.trans = GABLE_NO_TRANS;
        product.trans_b = call->trans;
        product.m = call->m;
        product.n = rest_count;
        product.A = b_at(call, found);
        product.lda = call->ldb;
        product.B = block;
        product.ldb = call->lda;
    } else {
        product.trans = call->trans;
        product.trans_b = GABLE_NO_TRANS;
        product.m = rest_count;
        product.n = call->n;
        product.A = block;
        product.lda = call->lda;
        product.B = b_at(call, found);
        product.ldb = call->ldb;
    }
    return product;
}

/* Where unknowns are cut: behind a whole number of blocks. */
static int64_t half_of(int64_t count, int64_t block)
{
    return gbl_parts(gbl_parts(count, block), 2) * block;
}

static gable_status solve_range(gable_context *ctx, const solve *s, int64_t first, int64_t count,
                                bool scale)
{
    if (count <= s->plan.rows)
        return solve_leaf(ctx, s, first, count, scale);
    const int64_t half = half_of(count, s->plan.rows), middle = first + half;
    const int64_t from[2] = {first, middle}, counts[2] = {half, count - half};
    const int a = backward(s->call) ? 1 : 0, b = 1 - a;
    TRY(solve_range(ctx, s, from[a], counts[a], scale));
    const gbl_product_call product =
        product_of(s->call, from[a], counts[a], from[b], counts[b], scale);
    TRY(gbl_gemm(ctx, "trsm", &product));
    return solve_range(ctx, s, from[b], counts[b], false);
}

/* alpha = 0: B := 0. */
static gable_status clear(gable_context *ctx, const gbl_product_call *call)
{
    const gbl_product_call product = {.dtype = call->dtype,
                                      .trans = GABLE_NO_TRANS,
                                      .trans_b = GABLE_NO_TRANS,
                                      .m = call->m,
                                      .n = call->n,
                                      .A = call->B,
                                      .lda = call->ldb,
                                      .B = call->B,
                                      .ldb = call->ldb,
                                      .C = call->B,
                                      .ldc = call->ldb};
    return gbl_gemm(ctx, "trsm", &product);
}

static gable_status run(gable_context *ctx, const gbl_variant *self, const void *given,
                        const gbl_params *params)
{
    solve s = {.call = given};
    if (gbl_scalar_zero(&s.call->alpha))
        return clear(ctx, s.call);
    TRY(gbl_plan_kernel(ctx, self, s.call, params, LEAF_ITEMS, plan_kernel, &s.plan, &s.leaf));
    return solve_range(ctx, &s, 0, unknowns(s.call), true);
}

/* Every block is solved once; B goes through memory twice for each, by its leaf and by the products that reach it. */
static void cost(const gbl_variant *self, const void *given, const gbl_params *params,
                 const gbl_device *device, gbl_cost *out)
{
    const gbl_product_call *call = given;
    leaf_plan plan;
    gbl_work least;
    (void)self;
    make_plan(call, params, device, &plan);
    gbl_triangle_work(call, &least);
    const double leaves = (double)gbl_parts(unknowns(call), plan.rows);
    gbl_composed_cost(&least, 2 * leaves - 1, out);
    out->memory_bytes += least.bytes_written * (leaves > 1 ? 2 : 0);
    out->written_bytes = least.bytes_written * (leaves > 1 ? 2 : 1);
    out->groups = (double)group_count(&plan, call, device);
}

/* One block for all right-hand sides. Its steps are a chain: products with reciprocals and multiply-adds that wait for each
 * other, then the rows behind, between two barriers, whose elements come from local memory. */
static void leaf_cost(const gbl_product_call *call, const leaf_plan *plan, const gbl_device *device,
                      gbl_cost *out)
{
    const double elem = (double)gbl_dtype_bytes(call->dtype), n = (double)plan->rows,
                 many = (double)sides(call);
    *out = (gbl_cost){.memory_bytes = elem * (n * (n + 1) / 2 + 2 * n * many),
                      .written_bytes = elem * n * many,
                      .flops = gbl_product_flops(call->dtype) * many * n * (n + 1) / 2,
                      .launches = 1,
                      .steps = n + n / plan->step * 2 * GBL_LOCAL_STEPS + PAIR_STEPS * n * n,
                      .groups = (double)group_count(plan, call, device),
                      .group_items = plan->items,
                      .bytes_in_flight = elem * plan->items};
}

/* Level by level: twice as many products, each with a quarter of the terms. */
static int parts_of(const gbl_variant *self, const void *given, const gbl_params *params,
                    const gbl_device *device, gbl_part_call *parts)
{
    const gbl_product_call *call = given;
    leaf_plan plan;
    gbl_cost leaf;
    (void)self;
    make_plan(call, params, device, &plan);
    leaf_cost(call, &plan, device, &leaf);
    int count = gbl_composed_kernel(parts, 0, &leaf, (double)gbl_parts(unknowns(call), plan.rows));
    double times = 1;
    for (int64_t size = unknowns(call); size > plan.rows && count < GBL_MAX_PARTS; times *= 2) {
        const int64_t half = half_of(size, plan.rows);
        const gbl_product_call product = product_of(call, 0, half, half, size - half, count == 1);
        count = gbl_composed_product(parts, count, &product, times);
        size = half;
    }
    return count;
}

/* ---- vector ---- */

static bool conjugated(const gbl_product_call *call)
{
    return call->trans == GABLE_CONJ_TRANS && gbl_dtype_complex(call->dtype);
}

/* trsv has no form for the conjugate without the transpose. With alpha on the device nobody knows here whether it is 0, and
 * trsv reads A. */
static bool fits_vector(const gbl_variant *self, const void *given, const gbl_device *device)
{
    const gbl_product_call *call = given;
    return gbl_composed_fits(self, call, device) && sides(call) == 1 &&
           call->alpha.device == NULL && !(right(call) && conjugated(call));
}

static gbl_matrix_call solve_of(const gbl_product_call *call)
{
    const gable_trans other = transposed(call) ? GABLE_NO_TRANS : GABLE_TRANS;
    return (gbl_matrix_call){.dtype = call->dtype,
                             .uplo = call->uplo,
                             .trans = right(call) ? other : call->trans,
                             .diag = call->diag,
                             .m = unknowns(call),
                             .n = unknowns(call),
                             .A = call->A,
                             .lda = call->lda,
                             .x = call->B,
                             .incx = right(call) ? call->ldb : 1};
}

static gbl_vector_call scaling_of(const gbl_product_call *call)
{
    return (gbl_vector_call){.dtype = call->dtype,
                             .n = unknowns(call),
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
        return clear(ctx, call);
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
    parts[0].op = &gbl_trsv_op;
    parts[1].op = &gbl_scal_op;
    parts[0].count = parts[1].count = 1;
    memcpy(parts[0].call, &solving, sizeof solving);
    memcpy(parts[1].call, &scaling, sizeof scaling);
    return scaled(call) ? 2 : 1;
}

/* ---- the table ---- */

static bool legal(const gbl_variant *variant, const void *given, const gbl_params *params,
                  const gbl_device *device, uint64_t *hash)
{
    leaf_plan plan;
    *hash = 0;
    if (variant->space_count == 0)
        return true;
    make_plan(given, params, device, &plan);
    *hash = gbl_plan_hash(&plan, sizeof plan);
    return gbl_group_legal(device, plan.items, 0);
}

static const gbl_product_routine routine = {
    .stem = "trsm",
    .work = gbl_triangle_work,
    .omp = {gbl_cpu_strsm_omp, gbl_cpu_dtrsm_omp, gbl_cpu_ctrsm_omp, gbl_cpu_ztrsm_omp},
    .blas = {gbl_cpu_strsm_blas, gbl_cpu_dtrsm_blas, gbl_cpu_ctrsm_blas, gbl_cpu_ztrsm_blas},
    .one_scalar = true,
};

static const gbl_variant variants[] = {
    {.name = "halves",
     .deterministic = true,
     .fits = gbl_composed_fits,
     .run = run,
     .cost = cost,
     .space = space,
     .space_count = LEAF_PARAMS,
     .kernels = "trsm_leaf.cl",
     .specs = specs,
     .parts = parts_of},
    {.name = "vector",
     .deterministic = true,
     .fits = fits_vector,
     .run = run_vector,
     .cost = cost_vector,
     .parts = parts_of_vector},
    GBL_PRODUCT_VARIANTS(&routine),
};

static const gbl_operand operands[] = {GBL_TRIANGLE_OPERANDS};

const gbl_op gbl_trsm_op = {
    .stem = "trsm",
    .layout = &gbl_product_layout,
    GBL_OPERANDS(operands),
    .work = gbl_triangle_work,
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
    .legal = legal,
};

gable_status gbl_trsm(gable_context *ctx, const char *name, const gbl_product_call *call)
{
    return gbl_call_run(ctx, name, &gbl_trsm_op, call);
}

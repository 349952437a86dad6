/* potrf.c: the Cholesky factorization A = L L^H or U^H U
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * `columns` cuts the columns in two: it factors the left half from its diagonal down, takes it out
 * of the right half, and factors that. At most `rows` columns are a leaf: their diagonal block is
 * factored by one group (potrf_leaf.cl) or by a task, and what lies below it is solved by trsm. So
 * every solve is as narrow as a leaf, and the products have as many terms as the halves have
 * columns. In `panels` one launch does both: every group factors the diagonal block for itself, and
 * solves for its own rows below it.
 *
 * Where a pivot is not positive, the blocks behind it are left out: a number in the workspace says
 * so. Solves and products go on with whatever they find; no column before the pivot depends on
 * them. U is computed as L^H is: rows take the place of columns.
 */
#include <math.h>
#include <string.h>
#include "blas/kernel_plan.h"
#include "core/launch.h"
#include "cpu/cpu_kernels.h"
#include "lapack/installed.h"
#include "lapack/factor_copy.h"
#include "lapack/lapack.h"
#include "potrf_args.h"

_Static_assert(sizeof(potrf_args) == 4 * 8, "host and device must agree");

#define FEWEST_ROWS 16
#define TASK_ROWS   64 /* of a leaf on cpu: cpu_potrf.c */
/* Rows of a group below the block. */
#define FEWEST_BELOW 32
#define MOST_BELOW   128
/* Of the chain of a leaf: a root, a quotient and a few multiply-adds per column. */
#define COLUMN_STEPS 10
/* And of the rows below: what every few columns take longer with them. */
#define BELOW_STEPS 6

enum { LEAF_ITEMS, LEAF_ROWS, LEAF_STEP, LEAF_PARAMS };
static const int32_t items[] = {1, 8, 16, 32, 64, 128, 256};
static const int32_t rows[] = {16, 32, 64, 128};
static const int32_t steps[] = {2, 4, 8};
static const gbl_param space[LEAF_PARAMS] = {
    {.name = "items", GBL_VALUES(items), .fallback = 256},
    {.name = "rows", GBL_VALUES(rows), .fallback = 64},
    {.name = "step", GBL_VALUES(steps), .fallback = 8},
};

/* ---- The leaf ---- */

typedef struct leaf_plan {
    int32_t items, rows, step, wide;
    int32_t below; /* rows of a group below the block; 0: they are left to trsm */
} leaf_plan;

static int64_t local_bytes(const leaf_plan *plan, gbl_dtype dtype)
{
    const int64_t n = plan->rows, kept = plan->below > 0 ? n * (n + plan->below) : n * (n + 1) / 2;
    return (kept + plan->step * plan->step) * (int64_t)gbl_dtype_bytes(dtype);
}

/* Of `panels`: so few that every unit has a group, if there is room for them. */
static int32_t rows_below(const leaf_plan *plan, const gbl_product_call *call,
                          const gbl_props *props)
{
    leaf_plan wide = *plan;
    wide.below = FEWEST_BELOW;
    while (wide.below < MOST_BELOW && (int64_t)wide.below * props->units < call->n)
        wide.below *= 2;
    while (wide.below > FEWEST_BELOW &&
           local_bytes(&wide, call->dtype) > gbl_launch_local_bytes(props))
        wide.below /= 2;
    return wide.below;
}

/* A matrix with fewer rows is factored in a block that is not larger than it needs. Complex numbers
 * in double take four registers each. On CPUs lanes are a loop. */
static void make_plan(const gbl_variant *self, const gbl_product_call *call,
                      const gbl_params *params, const gbl_device *device, leaf_plan *plan)
{
    const gbl_props *props = &device->props;
    const bool panels = self->detail != NULL;
    *plan = (leaf_plan){.items = params->value[LEAF_ITEMS],
                        .rows = params->value[LEAF_ROWS],
                        .step = params->value[LEAF_STEP]};
    if (device->table->build == NULL) {
        *plan = (leaf_plan){.rows = TASK_ROWS};
        return;
    }
    if (call->dtype == GBL_Z && plan->step > 4)
        plan->step = 4;
    if (!props->is_gpu && plan->items > 16)
        plan->items = 16;
    plan->below = panels ? FEWEST_BELOW : 0;
    while (plan->rows > FEWEST_ROWS &&
           (plan->rows / 2 >= call->n ||
            local_bytes(plan, call->dtype) > gbl_launch_local_bytes(props)))
        plan->rows /= 2;
    if (panels)
        plan->below = rows_below(plan, call, props);
    plan->wide = plan->step < 4 ? plan->step : 4;
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
    spec->file = "potrf_leaf.cl";
    spec->dtype = call->dtype;
    gbl_kernel_add_macro(spec, "ITEMS", plan->items);
    gbl_kernel_add_macro(spec, "NB", plan->rows);
    gbl_kernel_add_macro(spec, "STEP", plan->step);
    gbl_kernel_add_macro(spec, "WIDE", plan->wide);
    gbl_kernel_add_macro(spec, "BELOW", plan->below);
    gbl_kernel_add_macro(spec, "UPPER", call->uplo == GABLE_UPPER);
    return plan->items;
}

static int specs(const gbl_variant *self, const void *call, const gbl_params *params,
                 const gbl_device *device, gbl_kernel_spec *specs)
{
    leaf_plan plan;
    if (device->table->build == NULL)
        return 0;
    plan_kernel(self, call, params, device, INT32_MAX, &plan, specs);
    return 1;
}

/* ---- The factorization ---- */

typedef struct factoring {
    gable_context *ctx;
    const gbl_product_call *call;
    leaf_plan plan;
    gbl_kernel *kernel; /* NULL: leaves are tasks */
    int64_t *state;     /* as info, and near to the device */
} factoring;

static bool is_upper(const gbl_product_call *call)
{
    return call->uplo == GABLE_UPPER;
}

/* Of L the element (i, j), wherever it is stored. */
static void *l_at(const gbl_product_call *call, int64_t i, int64_t j)
{
    return is_upper(call) ? gbl_element(call->dtype, call->A, call->lda, j, i)
                          : gbl_element(call->dtype, call->A, call->lda, i, j);
}

/* A diagonal block, and in `panels` the rows below it. */
static gable_status factor_block(const factoring *f, int64_t first, int64_t count)
{
    const gbl_product_call *call = f->call;
    const int64_t below = f->plan.below > 0 ? call->n - first - count : 0;
    void *counter = f->state;
    if (f->kernel == NULL) {
        const gbl_cpu_potrf_args task = {.uplo = call->uplo,
                                         .n = count,
                                         .A = l_at(call, first, first),
                                         .lda = call->lda,
                                         .before = first,
                                         .info = call->info};
        return gbl_task(f->ctx, "potrf_leaf",
                        gbl_installed_potrf_leaf(call->dtype, count, call->lda), &task,
                        sizeof task);
    }
    if (below > f->plan.below)
        TRY(gbl_arena_counter(f->ctx->arena, f->ctx->queue, &counter, &f->ctx->message));
    const potrf_args args = {.n = count, .lda = call->lda, .before = first, .below = below};
    gbl_launch_spec launch = {
        .groups = {below > 0 ? gbl_parts(below, f->plan.below) : 1, 1},
        .group = {f->plan.items, 1},
        .dynamic_local_bytes = f->ctx->device->props.max_dynamic_local_bytes > 0
                                   ? (size_t)local_bytes(&f->plan, call->dtype)
                                   : 0,
        .buffer_count = 4,
        .buffers = {l_at(call, first, first), f->state, call->info, counter},
        .args = &args,
        .args_bytes = sizeof args,
    };
    return gbl_launch(f->ctx, f->kernel, &launch);
}

/* Rows [behind, n) of columns [first, first + count) of L, whose diagonal block is factored:
 * X L^H = A, or in U: U^H X = A. */
static gbl_product_call solve_of(const gbl_product_call *call, int64_t first, int64_t count,
                                 int64_t behind)
{
    const bool upper = is_upper(call);
    const int64_t rest = call->n - behind;
    return (gbl_product_call){.dtype = call->dtype,
                              .side = upper ? GABLE_LEFT : GABLE_RIGHT,
                              .uplo = call->uplo,
                              .trans = gbl_adjoint(call->dtype),
                              .diag = GABLE_NON_UNIT,
                              .m = upper ? count : rest,
                              .n = upper ? rest : count,
                              .alpha = {.re = 1},
                              .A = l_at(call, first, first),
                              .lda = call->lda,
                              .B = l_at(call, behind, first),
                              .ldb = call->lda};
}

/* Takes columns [first, middle) out of the square on the diagonal of columns [middle, end). */
static gbl_product_call square_of(const gbl_product_call *call, int64_t first, int64_t middle,
                                  int64_t end)
{
    const bool complex = gbl_dtype_complex(call->dtype);
    return (gbl_product_call){.dtype = call->dtype,
                              .uplo = call->uplo,
                              .trans = is_upper(call) ? gbl_adjoint(call->dtype) : GABLE_NO_TRANS,
                              .conj = complex,
                              .real_alpha = complex,
                              .real_beta = complex,
                              .m = end - middle,
                              .n = end - middle,
                              .k = middle - first,
                              .alpha = {.re = -1},
                              .A = l_at(call, middle, first),
                              .lda = call->lda,
                              .beta = {.re = 1},
                              .C = l_at(call, middle, middle),
                              .ldc = call->lda};
}

/* And out of the rows below it. */
static gbl_product_call below_of(const gbl_product_call *call, int64_t first, int64_t middle,
                                 int64_t end)
{
    const bool upper = is_upper(call);
    const int64_t wide = end - middle, rest = call->n - end;
    return (gbl_product_call){.dtype = call->dtype,
                              .trans = upper ? gbl_adjoint(call->dtype) : GABLE_NO_TRANS,
                              .trans_b = upper ? GABLE_NO_TRANS : gbl_adjoint(call->dtype),
                              .m = upper ? wide : rest,
                              .n = upper ? rest : wide,
                              .k = middle - first,
                              .alpha = {.re = -1},
                              .A = l_at(call, upper ? middle : end, first),
                              .lda = call->lda,
                              .B = l_at(call, upper ? end : middle, first),
                              .ldb = call->lda,
                              .beta = {.re = 1},
                              .C = l_at(call, end, middle),
                              .ldc = call->lda};
}

/* Where columns are cut: behind a whole number of leaves. */
static int64_t half_of(int64_t count, int64_t leaf)
{
    return gbl_parts(gbl_parts(count, leaf), 2) * leaf;
}

/* Columns [first, first + count) of L, from the diagonal down; what stands left of them was taken
 * out of them. */
static gable_status factor_columns(const factoring *f, int64_t first, int64_t count)
{
    const int64_t end = first + count, n = f->call->n;
    if (count <= f->plan.rows) {
        TRY(factor_block(f, first, count));
        if (end == n || f->plan.below > 0)
            return GABLE_OK;
        const gbl_product_call solve = solve_of(f->call, first, count, end);
        return gbl_trsm(f->ctx, "potrf", &solve);
    }
    const int64_t middle = first + half_of(count, f->plan.rows);
    TRY(factor_columns(f, first, middle - first));
    const gbl_product_call square = square_of(f->call, first, middle, end);
    TRY(gbl_syrk(f->ctx, "potrf", &square));
    if (end < n) {
        const gbl_product_call below = below_of(f->call, first, middle, end);
        TRY(gbl_gemm(f->ctx, "potrf", &below));
    }
    return factor_columns(f, middle, end - middle);
}

static gable_status run(gable_context *ctx, const gbl_variant *self, const void *given,
                        const gbl_params *params)
{
    const gbl_product_call *call = given;
    factoring f = {.ctx = ctx, .call = call};
    if (ctx->device->table->build == NULL) {
        make_plan(self, call, params, ctx->device, &f.plan);
    } else {
        void *state;
        TRY(gbl_plan_kernel(ctx, self, call, params, LEAF_ITEMS, plan_kernel, &f.plan, &f.kernel));
        TRY(gbl_arena_take(ctx->arena, ctx->device, sizeof *f.state, &state, &ctx->message));
        f.state = state;
    }
    return factor_columns(&f, 0, call->n);
}

/* ---- What it costs ---- */

static void work(const void *given, gbl_work *least)
{
    const gbl_product_call *call = given;
    const double n = (double)call->n,
                 bytes = (double)gbl_dtype_bytes(call->dtype) * n * (n + 1) / 2;
    *least = (gbl_work){.bytes_read = bytes,
                        .bytes_written = bytes,
                        .flops = gbl_lapack_flops(call, n * (n + 1) * (n + 2) / 6)};
}

static void cost(const gbl_variant *self, const void *given, const gbl_params *params,
                 const gbl_device *device, gbl_cost *out)
{
    const gbl_product_call *call = given;
    leaf_plan plan;
    gbl_work least;
    make_plan(self, call, params, device, &plan);
    work(call, &least);
    const double leaves = (double)gbl_parts(call->n, plan.rows);
    gbl_composed_cost(&least, plan.below > 0 ? 3 * leaves - 2 : 4 * leaves - 3, out);
}

/* One block. Its steps are a chain: roots and quotients, and two barriers for every few columns. In
 * `panels` every group does that beside its own rows; half of the rows are below in the mean. */
static void leaf_cost(const gbl_product_call *call, const leaf_plan *plan, gbl_cost *out)
{
    const double elem = (double)gbl_dtype_bytes(call->dtype),
                 n = (double)(call->n < plan->rows ? call->n : plan->rows),
                 below = plan->below > 0 ? ((double)call->n - n) / 2 : 0,
                 groups = below > 0 ? ceil(below / plan->below) : 1;
    const double block = n * (n + 1) / 2, multiply_adds = n * (n + 1) * (n + 2) / 6;
    *out = (gbl_cost){.memory_bytes = elem * ((groups + 1) * block + 2 * n * below),
                      .written_bytes = elem * (block + n * below),
                      .flops =
                          gbl_lapack_flops(call, groups * multiply_adds + below * n * (n + 1) / 2),
                      .launches = 1,
                      .groups = groups,
                      .group_items = plan->items > 0 ? plan->items : 1,
                      .bytes_in_flight = elem * groups * (plan->items > 0 ? plan->items : 1)};
    if (plan->items > 0)
        out->steps = COLUMN_STEPS * n + n / plan->step * 3 * GBL_LOCAL_STEPS +
                     (below > 0 ? n / plan->step * BELOW_STEPS : 0);
}

#define MOST_LEVELS 16

/* How often columns are cut, level by level, and the rows below the squares. */
typedef struct level {
    int64_t terms, wide; /* the most */
    double squares, below, rows;
} level;

static int count_levels(int64_t n, int64_t leaf, int64_t first, int64_t count, int depth,
                        level levels[MOST_LEVELS])
{
    if (count <= leaf || depth == MOST_LEVELS)
        return depth;
    const int64_t half = half_of(count, leaf), rest = n - first - count;
    level *at = &levels[depth];
    at->terms = half > at->terms ? half : at->terms;
    at->wide = count - half > at->wide ? count - half : at->wide;
    at->squares++;
    at->below += rest > 0;
    at->rows += (double)rest;
    const int a = count_levels(n, leaf, first, half, depth + 1, levels),
              b = count_levels(n, leaf, first + half, count - half, depth + 1, levels);
    return a > b ? a : b;
}

static int parts_of(const gbl_variant *self, const void *given, const gbl_params *params,
                    const gbl_device *device, gbl_part_call *parts)
{
    const gbl_product_call *call = given;
    leaf_plan plan;
    gbl_cost leaf;
    level levels[MOST_LEVELS] = {{0}};
    make_plan(self, call, params, device, &plan);
    leaf_cost(call, &plan, &leaf);
    const double leaves = (double)gbl_parts(call->n, plan.rows);
    int count = gbl_composed_kernel(parts, 0, &leaf, leaves);
    if (leaves > 1 && plan.below == 0) {
        /* Half of the rows are below a leaf in the mean. */
        const int64_t behind = call->n - (call->n - plan.rows + 1) / 2;
        const gbl_product_call solve = solve_of(call, 0, plan.rows, behind);
        count = gbl_composed_call(parts, count, &gbl_trsm_op, &solve, leaves - 1);
    }
    const int depth = count_levels(call->n, plan.rows, 0, call->n, 0, levels);
    for (int i = 0; i < depth; i++) {
        const level *at = &levels[i];
        const int64_t end = at->terms + at->wide;
        const gbl_product_call square = square_of(call, 0, at->terms, end);
        count = gbl_composed_call(parts, count, &gbl_syrk_op, &square, at->squares);
        if (at->below == 0)
            continue;
        gbl_product_call below = below_of(call, 0, at->terms, end);
        const int64_t mean = (int64_t)(at->rows / at->below);
        if (is_upper(call))
            below.n = mean;
        else
            below.m = mean;
        count = gbl_composed_product(parts, count, &below, at->below);
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

static const gbl_factor_copy factor_copy = {
    .op = &gbl_potrf_op, .routine = gbl_potrf, .triangle = true};

static bool fits_kernels(const gbl_variant *self, const void *call, const gbl_device *device)
{
    (void)self, (void)call;
    return device->table->build != NULL;
}

/* The detail is there where the rows below a block go with it. */
static const bool with_rows_below = true;
#define POTRF_VARIANT(name_, fits_, detail_)                                                       \
    {                                                                                              \
        .name = name_, .deterministic = true, .fits = fits_, .run = run, .cost = cost,             \
        .space = space, .space_count = LEAF_PARAMS, .legal = legal, .detail = detail_,             \
        .kernels = "potrf_leaf.cl", .specs = specs, .parts = parts_of                              \
    }

static const gbl_variant variants[] = {POTRF_VARIANT("columns", gbl_lapack_fits, NULL),
                                       POTRF_VARIANT("panels", fits_kernels, &with_rows_below),
                                       GBL_FACTOR_COPY_VARIANT(factor_copy)};

static const gbl_operand operands[] = {
    GBL_PRODUCT_UPLO,
    GBL_PRODUCT_ORDER,
    GBL_PRODUCT_MATRIX(A, "lda", lda, GBL_READ_WRITE, 0, gbl_product_n, gbl_product_n,
                       gbl_product_triangle, "n"),
    GBL_LAPACK_INFO,
};

const gbl_op gbl_potrf_op = {
    .stem = "potrf",
    .layout = &gbl_product_layout,
    GBL_OPERANDS(operands),
    .work = work,
    .rounded_parts = true,
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
};

gable_status gbl_potrf(gable_context *ctx, const char *name, const gbl_product_call *call)
{
    return gbl_info_run(ctx, name, &gbl_potrf_op, call);
}

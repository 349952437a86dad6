/* solver_cg_pipelined.c: conjugate gradients in two kernels an iteration.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * kernels/solver/cg.h explains the iteration. Both kernels run in as many groups as the device
 * holds at once, at most MOST_GROUPS, for every group of cg_vectors adds the partial sums of all
 * groups before it.
 */
#include <string.h>
#include "blas/kernel_plan.h"
#include "blas/level1/stream_plan.h"
#include "cg_args.h"
#include "core/launch.h"
#include "sparse/solver/solver_cg_pipelined.h"
#include "sparse/matrix/sparse_plan.h"

#define MOST_GROUPS 1024
#define CPU_GROUPS  4  /* per core */
#define CPU_BESIDE  8  /* rows of ELL and SELL */
#define LEAST_PIECE 64 /* elements of a group of a CPU */

_Static_assert(sizeof(cg_vectors_args) == 10 * 8, "host and device must agree");
_Static_assert(sizeof(cg_product_args) == 4 * 8, "host and device must agree");

/* ---- How the work is cut up ---- */

static int64_t at_most(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Rows of a tile of block-Jacobi: whole blocks, at most so many. */
static int32_t whole_blocks(int32_t rows, int32_t block)
{
    return rows >= block ? rows / block * block : block;
}

/* Lanes per row of CSR: a power of two near a third of the mean length, so that each has a few
 * entries under way. */
static int32_t lanes_per_row(const gbl_sparse_layout *layout, const gbl_device *device)
{
    if (layout->format != GABLE_CSR || device->props.simd < 32 || !device->props.is_gpu ||
        strcmp(device->table->kind, "cuda") != 0)
        return 1;
    const int64_t mean = layout->rows > 0 ? layout->entries / layout->rows : 0;
    int32_t lanes = 2;
    while (lanes < 32 && 3 * lanes < mean)
        lanes *= 2;
    return lanes;
}

static void plan_vectors(const gbl_cg_problem *problem, bool is_gpu, int32_t items,
                         gbl_cg_plan *plan)
{
    const int32_t element = (int32_t)gbl_dtype_bytes(problem->layout.dtype);
    const int32_t wide = is_gpu ? GBL_WIDEST_LOAD : 64; /* bytes of a vector */
    const bool blocks = problem->precond == GBL_PRECOND_BLOCK;
    stream_args *range = &plan->vectors.range;
    plan->vector_items = is_gpu ? items : 1;
    plan->vec = blocks || element >= wide ? 1 : wide / element;
    plan->tile = whole_blocks(is_gpu ? items : 64, problem->block);
    range->n = problem->layout.rows;
    range->vectors = blocks ? gbl_parts(range->n, plan->tile) : range->n / plan->vec;
    plan->vectors_at_once = blocks ? 1 : plan->vector_items;
}

/* Rows that a CPU sums side by side. */
static int32_t rows_beside(const gbl_sparse_layout *layout)
{
    if (layout->format == GABLE_CSR)
        return 1;
    return layout->format == GABLE_SELL && layout->chunk < CPU_BESIDE ? (int32_t)layout->chunk
                                                                      : CPU_BESIDE;
}

static void plan_product(const gbl_cg_problem *problem, const gbl_device *device, int32_t items,
                         gbl_cg_plan *plan)
{
    const bool is_gpu = device->props.is_gpu;
    plan->lanes = lanes_per_row(&problem->layout, device);
    plan->product_items = is_gpu ? items : 1;
    plan->rows = is_gpu ? items / plan->lanes : rows_beside(&problem->layout);
    if (problem->precond == GBL_PRECOND_BLOCK)
        plan->rows = whole_blocks(is_gpu ? plan->rows : 64, problem->block);
    else
        plan->walks = !is_gpu;
    plan->product.matrix.rows = problem->layout.rows;
    plan->product.matrix.width = problem->layout.width;
    plan->product.matrix.stride = problem->layout.stride;
}

/* Groups for so many pieces of work: as many as the device holds, and all with about as many
 * pieces. */
static int64_t even_groups(int64_t pieces, int64_t held)
{
    const int64_t most = at_most(held > 0 ? held : 1, MOST_GROUPS);
    const int64_t rounds = gbl_some_parts(pieces, most);
    return gbl_some_parts(pieces, rounds);
}

void gbl_cg_plan_groups(const gbl_device *device, int32_t vector_held, int32_t product_held,
                        gbl_cg_plan *plan)
{
    const int64_t units = device->props.units;
    const int64_t least = device->props.is_gpu ? 1 : LEAST_PIECE;
    stream_args *range = &plan->vectors.range;
    const int64_t pieces = gbl_some_parts(range->vectors, plan->vectors_at_once);
    plan->vector_groups =
        even_groups(gbl_some_parts(pieces * plan->vec, least), units * vector_held);
    range->per_group = gbl_parts(pieces, plan->vector_groups) * plan->vectors_at_once;
    const int64_t tiles = gbl_some_parts(plan->product.matrix.rows, plan->rows);
    plan->product_groups =
        even_groups(gbl_some_parts(tiles * plan->rows, least > plan->rows ? least : plan->rows),
                    units * product_held);
    plan->product.per_group = gbl_parts(tiles, plan->product_groups) * plan->rows;
    plan->vectors.sums = plan->vector_groups;
    plan->vectors.products = plan->product_groups;
}

static void shared_macros(const gbl_cg_problem *problem, bool is_gpu, int32_t items, int32_t tile,
                          gbl_kernel_spec *spec)
{
    const int32_t precond = problem->precond == GBL_PRECOND_NONE     ? 0
                            : problem->precond == GBL_PRECOND_JACOBI ? 1
                                                                     : 2;
    spec->dtype = problem->layout.dtype;
    gbl_kernel_add_macro(spec, "WX", items);
    gbl_kernel_add_macro(spec, "PRECOND", precond);
    gbl_kernel_add_macro(spec, "RANGE", !is_gpu);
    gbl_kernel_add_macro(spec, "TILE", tile);
    if (precond == 2)
        gbl_kernel_add_macro(spec, "BLOCK", problem->block);
}

void gbl_cg_plan_make(const gbl_cg_problem *problem, const gbl_device *device, int32_t vector_items,
                      int32_t product_items, gbl_cg_plan *plan, gbl_kernel_spec specs[2])
{
    const bool is_gpu = device->props.is_gpu;
    const int32_t element = (int32_t)gbl_dtype_bytes(problem->layout.dtype);
    memset(plan, 0, sizeof *plan);
    memset(specs, 0, 2 * sizeof *specs);
    plan_vectors(problem, is_gpu, vector_items, plan);
    plan_product(problem, device, product_items, plan);

    const int32_t load =
        plan->vec * element < GBL_WIDEST_LOAD ? plan->vec * element : GBL_WIDEST_LOAD;
    const int32_t x_load = problem->x_alignment < load ? problem->x_alignment : load;
    specs[0].file = "cg_vectors.cl";
    shared_macros(problem, is_gpu, plan->vector_items, plan->tile, &specs[0]);
    gbl_kernel_add_macro(&specs[0], "VEC", plan->vec);
    gbl_kernel_add_macro(&specs[0], "ALIGN", load);
    gbl_kernel_add_macro(&specs[0], "X_ALIGN", x_load);
    gbl_kernel_add_macro(&specs[0], "AHEAD", is_gpu);

    specs[1].file = "cg_product.cl";
    shared_macros(problem, is_gpu, plan->product_items, plan->rows, &specs[1]);
    const int32_t unroll = !is_gpu ? 1
                           : problem->layout.format == GABLE_CSR
                               ? (element > 8 ? 2 : 4)
                               : gbl_sparse_unroll(&problem->layout, element > 8 ? 4 : 8);
    gbl_sparse_row_macros(&problem->layout, unroll, &specs[1]);
    gbl_kernel_add_macro(&specs[1], "LANES", plan->lanes);
    if (plan->walks)
        gbl_kernel_add_macro(&specs[1], "BESIDE", plan->rows);
}

/* ---- A round ---- */

typedef struct cg {
    gbl_solve *solve;
    gbl_cg_plan plan;
    gbl_kernel *vectors, *product;
    void *p, *q;
    double *state;
    void *sums[2], *products;
    int turn; /* which sums are read next */
} cg;

/* The largest power of two that divides the address, 16 at most. */
static int32_t alignment_of(const void *x)
{
    int32_t alignment = GBL_WIDEST_LOAD;
    while ((uintptr_t)x % (uintptr_t)alignment != 0)
        alignment /= 2;
    return alignment;
}

/* Groups of a kernel that a unit holds at once: on NVIDIA's GPUs 64 Ki registers and 2048
 * work-items decide. */
static int32_t groups_held(const gbl_kernel *kernel, int32_t items)
{
    const gbl_device *device = kernel->device;
    if (!device->props.is_gpu)
        return CPU_GROUPS;
    const int32_t most = 2048 / items;
    if (device->props.simd != 32 || kernel->code->registers <= 0)
        return most > 2 ? most / 2 : 1;
    const int32_t by_registers = 65536 / ((kernel->code->registers + 7) / 8 * 8 * items);
    const int32_t held = by_registers < most ? by_registers : most;
    return held > 1 ? held : 1;
}

/* Kernels in groups that the device takes: smaller ones, where the compiler's registers do not
 * allow these. */
static gable_status get_kernels(cg *at, const gbl_cg_problem *problem)
{
    gable_context *ctx = at->solve->solver->ctx;
    int32_t items[2] = {GBL_CG_VECTOR_ITEMS, GBL_CG_PRODUCT_ITEMS};
    const bool is_gpu = ctx->device->props.is_gpu;
    while (is_gpu && items[0] > ctx->device->props.max_group && items[0] > 32)
        items[0] /= 2;
    for (;;) {
        gbl_kernel_spec specs[2];
        gbl_cg_plan_make(problem, ctx->device, items[0], items[1], &at->plan, specs);
        gbl_kernels_prepare(ctx->device, specs, 2);
        TRY(gbl_kernel_get(ctx->device, &specs[0], &at->vectors, &ctx->message));
        TRY(gbl_kernel_get(ctx->device, &specs[1], &at->product, &ctx->message));
        const bool small[2] = {gbl_kernel_takes(at->vectors, at->plan.vector_items),
                               gbl_kernel_takes(at->product, at->plan.product_items)};
        if ((small[0] || items[0] <= 64) && (small[1] || items[1] <= 64)) {
            gbl_cg_plan_groups(ctx->device, groups_held(at->vectors, at->plan.vector_items),
                               groups_held(at->product, at->plan.product_items), &at->plan);
            return GABLE_OK;
        }
        for (int i = 0; i < 2; i++)
            if (!small[i] && items[i] > 64)
                items[i] /= 2;
    }
}

static gable_status take(cg *at, size_t bytes, void **address)
{
    gable_context *ctx = at->solve->solver->ctx;
    return gbl_arena_take(ctx->arena, ctx->device, bytes, address, &ctx->message);
}

static gable_status prepare(cg *at)
{
    gable_solver *solver = at->solve->solver;
    const size_t element = gbl_dtype_bytes(solver->dtype), bytes = (size_t)solver->n * element;
    const size_t real = gbl_dtype_real_bytes(solver->dtype);
    const gbl_cg_problem problem = {.layout = solver->layout,
                                    .precond = solver->precond,
                                    .block = solver->block,
                                    .x_alignment = alignment_of(at->solve->x)};
    void *state;
    TRY(get_kernels(at, &problem));
    TRY(take(at, bytes, &at->p));
    TRY(take(at, bytes, &at->q));
    for (int i = 0; i < 2; i++)
        TRY(take(at, 2 * (size_t)at->plan.vector_groups * real, &at->sums[i]));
    TRY(take(at, 2 * (size_t)at->plan.product_groups * real, &at->products));
    TRY(take(at, GBL_STATE_COUNT * sizeof(double), &state));
    at->state = state;
    return GABLE_OK;
}

static gable_status launch_vectors(cg *at, bool start)
{
    const gbl_solve *solve = at->solve;
    cg_vectors_args args = at->plan.vectors;
    if (start) {
        args.start = 1;
        args.sums = args.products = 0;
    }
    const void *inverse = solve->solver->inverse != NULL ? solve->solver->inverse : at->q;
    gbl_launch_spec launch = {.groups = {at->plan.vector_groups, 1},
                              .group = {at->plan.vector_items, 1},
                              .buffer_count = 9,
                              .buffers = {at->state, at->sums[at->turn], at->products,
                                          at->sums[start ? at->turn : 1 - at->turn], inverse,
                                          solve->x, solve->r, at->p, at->q},
                              .args = &args,
                              .args_bytes = sizeof args};
    if (!start)
        at->turn = 1 - at->turn;
    return gbl_launch(solve->solver->ctx, at->vectors, &launch);
}

static gable_status launch_product(cg *at)
{
    const gable_solver *solver = at->solve->solver;
    const gbl_sparse_layout *layout = &solver->layout;
    const void *any = at->p;
    gbl_launch_spec launch = {
        .groups = {at->plan.product_groups, 1},
        .group = {at->plan.product_items, 1},
        .buffer_count = 9,
        .buffers = {at->state, layout->start != NULL ? layout->start : any, layout->column,
                    layout->value, layout->order != NULL ? layout->order : any,
                    solver->inverse != NULL ? solver->inverse : any, at->p, at->q, at->products},
        .args = &at->plan.product,
        .args_bytes = sizeof at->plan.product};
    return gbl_launch(solver->ctx, at->product, &launch);
}

/* An even number of iterations: the sums that are read first are the same in every batch. */
static gable_status enqueue(void *method, int64_t iterations)
{
    cg *at = method;
    for (int64_t i = 0; i < iterations; i++) {
        TRY(launch_vectors(at, false));
        TRY(launch_product(at));
    }
    return GABLE_OK;
}

bool gbl_cg_pipelined_fits(const gable_solver *solver)
{
    const gbl_sparse_layout *layout = &solver->layout;
    const bool rows =
        layout->format == GABLE_CSR || layout->format == GABLE_ELL || layout->format == GABLE_SELL;
    return solver->ctx->device->table->build != NULL && rows && layout->entries > 0 &&
           gbl_precondition_inside(solver) &&
           !(solver->precond == GBL_PRECOND_BLOCK && layout->order != NULL);
}

double gbl_cg_fused_bytes(const gable_solver *solver)
{
    const double vector = (double)solver->n * (double)gbl_dtype_bytes(solver->dtype);
    const double inverses = solver->precond == GBL_PRECOND_NONE     ? 0
                            : solver->precond == GBL_PRECOND_JACOBI ? 2
                                                                    : 2 * (double)solver->block;
    return gbl_sparse_bytes(&solver->layout) + (7 + inverses) * vector;
}

gable_status gbl_solve_cg_pipelined(gbl_solve *solve, gbl_round *round)
{
    const double own[3] = {-1, 0, 0};
    cg at = {.solve = solve};
    TRY(prepare(&at));
    round->bytes = gbl_cg_fused_bytes(solve->solver);
    TRY(gbl_batches_begin(solve, at.state, own, 3));
    TRY(launch_vectors(&at, true));
    TRY(launch_product(&at));
    const gbl_batches batches = {.solve = solve,
                                 .state = at.state,
                                 .batch = gbl_batches_size(solve->solver),
                                 .record = true,
                                 .enqueue = enqueue,
                                 .method = &at,
                                 .method_bytes = sizeof at};
    return gbl_batches_run(&batches, round);
}

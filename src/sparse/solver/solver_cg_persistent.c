/* solver_cg_persistent.c: conjugate gradients in cooperative launches of many iterations each.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * One group per multiprocessor. Each owns as many rows, and keeps its pieces of q, r and, where
 * there is room, x in local memory (kernels/solver/cg_persistent.cl): of the vectors only p goes
 * through memory, and nothing is launched between iterations.
 */
#include "core/kernel_args.h"
#include "cg_persistent_args.h"
#include "core/launch.h"
#include "sparse/solver/solver.h"
#include "sparse/matrix/sparse_plan.h"

_Static_assert(sizeof(cg_persistent_args) == 5 * 8, "host and device must agree");

#define BATCH       64   /* iterations per launch */
#define OTHER_LOCAL 2048 /* bytes of local memory for sums, at most */
#define LEAST_KEPT  2    /* q and r */
#define MOST_KEPT   3    /* and x */
#define ROWS_ALIGN  32
#define LARGE       1024 /* work-items of a group */
#define MOST_IN_LARGE                                                                              \
    8 /* bytes of an element: larger ones need more registers than such groups have */
#define MOST_ENTRIES 8 /* of a row that are requested at once */

typedef struct plan {
    int64_t groups, share;
    int items, kept, unroll;
} plan;

typedef struct persistent {
    gbl_solve *solve;
    plan plan;
    void *p, *partials, *counter;
    double *state;
    gbl_kernel *kernel;
} persistent;

static plan plan_for(const gable_solver *solver)
{
    const gbl_props *props = &solver->ctx->device->props;
    const int64_t units = props->units > 0 ? props->units : 1, chunk = solver->layout.chunk;
    const int64_t align = chunk > ROWS_ALIGN ? chunk : ROWS_ALIGN;
    const int64_t even = (solver->n + units - 1) / units;
    const int64_t element = (int64_t)gbl_dtype_bytes(solver->dtype);
    plan made = {.share = (even + align - 1) / align * align};
    made.groups = (solver->n + made.share - 1) / made.share;
    const int64_t room =
        ((int64_t)props->max_dynamic_local_bytes - OTHER_LOCAL) / (made.share * element);
    made.kept = room < MOST_KEPT ? (int)room : MOST_KEPT;
    /* Registers: 64 each in the large groups, 128 in those of half as many. */
    made.items = made.share <= LARGE / 4                              ? LARGE / 4
                 : made.share <= 2 * LARGE || element > MOST_IN_LARGE ? LARGE / 2
                                                                      : LARGE;
    made.unroll =
        solver->layout.format == GABLE_CSR ? 4 : gbl_sparse_unroll(&solver->layout, MOST_ENTRIES);
    return made;
}

bool gbl_cg_persistent_fits(const gable_solver *solver)
{
    const gbl_device *device = solver->ctx->device;
    const int format = solver->layout.format;
    if (!device->props.is_gpu || !device->props.cooperative || solver->n < 1 ||
        (solver->precond != GBL_PRECOND_NONE && solver->precond != GBL_PRECOND_JACOBI) ||
        (format != GABLE_CSR && format != GABLE_ELL && format != GABLE_SELL))
        return false;
    return plan_for(solver).kept >= LEAST_KEPT;
}

static gbl_kernel_spec spec_for(const gbl_sparse_layout *layout, bool jacobi, const plan *made)
{
    return (gbl_kernel_spec){
        .file = "cg_persistent.cl",
        .dtype = layout->dtype,
        .macro_count = 8,
        .macros = {{"FORMAT", layout->format},
                   {"INDEX_BITS", layout->index_bytes * 8},
                   {"UNROLL", made->unroll},
                   {"CHUNK", layout->format == GABLE_SELL ? (int32_t)layout->chunk : 1},
                   {"ORDERED", layout->order != NULL},
                   {"WX", made->items},
                   {"KEPT", made->kept},
                   {"JACOBI", jacobi}},
    };
}

int gbl_cg_persistent_specs(gbl_dtype dtype, gbl_kernel_spec *specs)
{
    static const struct {
        uint8_t format, index_bytes;
        bool ordered, jacobi;
        int items, kept, unroll;
    } forms[] = {
        {GABLE_SELL, 4, false, false, 1024, 3, 5}, {GABLE_SELL, 4, true, true, 512, 2, 8},
        {GABLE_SELL, 8, true, true, 1024, 2, 8},   {GABLE_ELL, 4, false, true, 1024, 3, 8},
        {GABLE_ELL, 8, false, false, 256, 3, 7},   {GABLE_CSR, 4, false, false, 512, 3, 4},
        {GABLE_CSR, 8, false, true, 1024, 2, 4},
    };
    const int count = sizeof forms / sizeof forms[0];
    for (int i = 0; i < count && specs != NULL; i++) {
        const gbl_sparse_layout layout = {.dtype = dtype,
                                          .format = forms[i].format,
                                          .index_bytes = forms[i].index_bytes,
                                          .chunk = 32,
                                          .order = forms[i].ordered ? &layout : NULL};
        const bool wide = gbl_dtype_bytes(dtype) > MOST_IN_LARGE;
        const plan made = {.items = wide && forms[i].items > LARGE / 2 ? LARGE / 2 : forms[i].items,
                           .kept = forms[i].kept,
                           .unroll = forms[i].unroll};
        specs[i] = spec_for(&layout, forms[i].jacobi, &made);
    }
    return count;
}

static gable_status enqueue(void *method, int64_t iterations)
{
    const persistent *at = method;
    const gable_solver *solver = at->solve->solver;
    const gbl_sparse_layout *layout = &solver->layout;
    const cg_persistent_args args = {
        .matrix = {.rows = layout->rows, .width = layout->width, .stride = layout->stride},
        .share = at->plan.share,
        .iterations = iterations};
    gbl_launch_spec launch = {
        .groups = {at->plan.groups, 1},
        .group = {at->plan.items, 1},
        .dynamic_local_bytes =
            (size_t)(at->plan.kept * at->plan.share) * gbl_dtype_bytes(solver->dtype),
        .cooperative = true,
        .buffer_count = 11,
        .buffers = {layout->start, layout->column, layout->value, layout->order, solver->inverse,
                    at->solve->x, at->solve->r, at->p, at->partials, at->counter, at->state},
        .args = &args,
        .args_bytes = sizeof args,
    };
    TRY(gbl_fill_bytes(solver->ctx, at->counter, 0, sizeof(int32_t)));
    return gbl_launch(solver->ctx, at->kernel, &launch);
}

static gable_status prepare(persistent *at)
{
    gable_solver *solver = at->solve->solver;
    gable_context *ctx = solver->ctx;
    void *state;
    TRY(gbl_arena_take(ctx->arena, ctx->device, (size_t)solver->n * gbl_dtype_bytes(solver->dtype),
                       &at->p, &ctx->message));
    /* Two sums for each group of p and q, and twice two of r. */
    TRY(gbl_arena_take(ctx->arena, ctx->device, (size_t)at->plan.groups * 6 * sizeof(double),
                       &at->partials, &ctx->message));
    TRY(gbl_arena_take(ctx->arena, ctx->device, sizeof(int32_t), &at->counter, &ctx->message));
    TRY(gbl_arena_take(ctx->arena, ctx->device, GBL_STATE_COUNT * sizeof(double), &state,
                       &ctx->message));
    at->state = state;
    const gbl_kernel_spec spec =
        spec_for(&solver->layout, solver->precond == GBL_PRECOND_JACOBI, &at->plan);
    return gbl_kernel_get(ctx->device, &spec, &at->kernel, &ctx->message);
}

gable_status gbl_solve_cg_persistent(gbl_solve *solve, gbl_round *round)
{
    gable_solver *solver = solve->solver;
    persistent at = {.solve = solve, .plan = plan_for(solver)};
    const double vector = (double)solver->n * (double)gbl_dtype_bytes(solver->dtype);
    TRY(prepare(&at));
    /* The product reads p and keeps q; p is read and written; x is, where it has no room; Jacobi's
     * inverses twice. */
    round->bytes = gbl_sparse_bytes(&solver->layout) - vector + 2 * vector +
                   (at.plan.kept < MOST_KEPT ? 2 * vector : 0) +
                   (solver->precond == GBL_PRECOND_JACOBI ? 2 * vector : 0);
    TRY(gbl_batches_begin(solve, at.state, NULL, 0));
    const gbl_batches batches = {.solve = solve,
                                 .state = at.state,
                                 .batch =
                                     solver->options.batch > 0 ? gbl_batches_size(solver) : BATCH,
                                 .enqueue = enqueue,
                                 .method = &at};
    return gbl_batches_run(&batches, round);
}

/* solver_gmres.c: GMRES(m), preconditioned from the right: where it runs, and its cycles on devices
 * with kernels.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A cycle is m steps (gmres.h), enqueued in pieces. The host reads the state behind a piece while
 * the next one runs, and leaves out the pieces that are not needed. At the end of the cycle, a
 * piece of its own, x is corrected and the true residual computed, from which the next cycle
 * starts. On CUDA each piece is recorded once and replayed.
 */
#include <math.h>
#include "blas/level1/level1.h"
#include "core/launch.h"
#include "gable/gable.h"
#include "core/kernel_args.h"
#include "gmres_args.h"
#include "gmres_product_args.h"
#include "sparse/solver/fused_rows_plan.h"
#include "sparse/solver/gmres.h"
#include "sparse/solver/krylov_host.h"

#define ROUTINE "gable_solver_solve"

_Static_assert(sizeof(gmres_product_args) == 6 * 8, "host and device must agree");

/* steps, where the options do not say: the host looks at the state behind each */
#define PIECE       10
#define MOST_PIECES (GMRES_MOST + 1)

typedef struct gmres {
    gbl_solve *solve;
    gbl_gmres cycle;
    gbl_fused_rows product;
    gbl_kernel *kernel; /* of the product; NULL: gbl_solver_apply */
    void *preconditioned;
    int64_t piece; /* steps of one */
    int pieces;    /* of a cycle, without its end */
    bool record;
    gable_recording *recordings[MOST_PIECES]; /* of each piece; the last is the end of a cycle */
    gbl_late_read *late;
    const double *state; /* as read last */
    int64_t told;
    bool stopped;
} gmres;

/* ---- What is enqueued ---- */

/* Column k + 1 of V := A M^-1 column k */
static gable_status enqueue_product(gmres *at, int64_t k)
{
    gable_solver *solver = at->solve->solver;
    const void *u = gbl_gmres_column(&at->cycle, k);
    if (at->kernel == NULL) {
        if (solver->precond != GBL_PRECOND_NONE) {
            TRY(gbl_solver_precondition(solver, u, at->preconditioned));
            u = at->preconditioned;
        }
        return gbl_solver_apply(solver, u, gbl_gmres_column(&at->cycle, k + 1));
    }
    const gmres_product_args args = {at->product.args, at->cycle.ld, k};
    gbl_launch_spec spec = {.groups = {at->product.groups, 1},
                            .group = {at->product.local, 1},
                            .buffer_count = GBL_FUSED_BUFFERS + 2,
                            .buffers = {at->cycle.V},
                            .args = &args,
                            .args_bytes = sizeof args};
    gbl_fused_rows_buffers(solver, &at->product, spec.buffers);
    spec.buffers[GBL_FUSED_BUFFERS] = at->cycle.numbers;
    spec.buffers[GBL_FUSED_BUFFERS + 1] = at->cycle.V;
    return gbl_launch(solver->ctx, at->kernel, &spec);
}

static gable_status add(gable_solver *solver, double alpha, const void *x, double beta, void *y)
{
    const gbl_vector_call call = {.dtype = solver->dtype,
                                  .n = solver->n,
                                  .x = (void *)(uintptr_t)x,
                                  .incx = 1,
                                  .y = y,
                                  .incy = 1,
                                  .alpha = {.re = alpha},
                                  .beta = {.re = beta}};
    return gbl_axpby(solver->ctx, ROUTINE, &call);
}

/* x += M^-1 V y; column 0 of V := b - A x */
static gable_status enqueue_end(gmres *at)
{
    gable_solver *solver = at->solve->solver;
    const bool jacobi = solver->precond == GBL_PRECOND_JACOBI;
    void *first = gbl_gmres_column(&at->cycle, 0);
    TRY(gbl_gmres_end(&at->cycle));
    TRY(gbl_gmres_solve(&at->cycle));
    if (jacobi || solver->precond == GBL_PRECOND_NONE) {
        TRY(gbl_gmres_correct(&at->cycle, jacobi ? GBL_GMRES_CORRECT_DIAGONAL : GBL_GMRES_CORRECT,
                              solver->inverse, at->solve->x));
    } else {
        TRY(gbl_gmres_correct(&at->cycle, GBL_GMRES_CORRECT_NOTHING, NULL, at->preconditioned));
        TRY(gbl_solver_precondition(solver, at->preconditioned, first));
        TRY(add(solver, 1, first, 1, at->solve->x));
    }
    TRY(gbl_solver_apply(solver, at->solve->x, first));
    return add(solver, 1, at->solve->b, -1, first);
}

static gable_status enqueue_piece(gmres *at, int piece)
{
    if (piece == at->pieces)
        return enqueue_end(at);
    const int64_t from = piece * at->piece;
    for (int64_t k = from; k < from + at->piece && k < at->cycle.m; k++) {
        TRY(enqueue_product(at, k));
        TRY(gbl_gmres_step(&at->cycle, k));
    }
    return GABLE_OK;
}

/* Launched the first time, recorded the second: a solve of one cycle needs no recordings. */
static gable_status run_piece(gmres *at, int piece, int64_t cycles)
{
    gable_context *ctx = at->solve->solver->ctx;
    if (!at->record || cycles == 0)
        return enqueue_piece(at, piece);
    if (at->recordings[piece] == NULL) {
        TRY(gable_record_begin(ctx));
        const gable_status status = enqueue_piece(at, piece);
        if (status != GABLE_OK) {
            gable_record_end(ctx, NULL);
            return status;
        }
        TRY(gable_record_end(ctx, &at->recordings[piece]));
    }
    return gable_replay(ctx, at->recordings[piece]);
}

/* ---- Cycles ---- */

/* The oldest state that was asked for; tells the monitor. */
static gable_status look(gmres *at)
{
    const void *values;
    TRY(gbl_late_take(at->late, &values));
    at->state = values;
    const int64_t ended = (int64_t)at->state[STATE_ITERATION];
    while (at->told < ended && !at->stopped) {
        const double rr = at->state[STATE_HISTORY + at->told % STATE_KEPT];
        at->told++;
        at->stopped = !gbl_solver_tell(at->solve, at->told, sqrt(rr));
    }
    return GABLE_OK;
}

static bool is_over(const gmres *at)
{
    return at->stopped || at->state[STATE_OUTCOME] >= 0;
}

static gable_status run_and_ask(gmres *at, int piece, int64_t cycles)
{
    TRY(run_piece(at, piece, cycles));
    return gbl_late_ask(at->late, at->cycle.numbers);
}

/* Behind an outcome, or where a cycle ends early: waits for all, and corrects x by the columns that
 * are left. */
static gable_status finish_cycle(gmres *at, int64_t cycles)
{
    while (at->late->waiting > 0)
        TRY(look(at));
    if (at->state[GMRES_COLUMNS] == 0 && at->state[GMRES_END] == 0)
        return GABLE_OK;
    TRY(run_and_ask(at, at->pieces, cycles));
    return look(at);
}

/* Piece after piece, cycle after cycle; the state behind one is read while the next runs. */
static gable_status run_cycles(gmres *at, gbl_round *round)
{
    int64_t cycles = 0;
    for (int piece = 0;;) {
        TRY(run_and_ask(at, piece, cycles));
        const bool ends = piece == at->pieces;
        cycles += ends;
        piece = ends ? 0 : piece + 1;
        if (at->late->waiting < 2)
            continue;
        TRY(look(at));
        if (!is_over(at) && at->state[GMRES_END] == 0)
            continue;
        TRY(finish_cycle(at, cycles));
        if (is_over(at))
            break;
        piece = 0;
    }
    round->outcome = at->stopped ? GABLE_STOPPED : (gable_outcome)at->state[STATE_OUTCOME];
    round->iterations = (int64_t)at->state[STATE_ITERATION];
    round->recursive = sqrt(at->state[STATE_RR]);
    return GABLE_OK;
}

/* ---- A round ---- */

void gbl_gmres_product_spec(const gbl_device *device, const gable_solver *solver,
                            gbl_fused_rows *plan, gbl_kernel_spec *spec)
{
    gbl_fused_rows_plan(device, solver, INT32_MAX, plan);
    *spec = (gbl_kernel_spec){.file = "gmres_product.cl", .dtype = solver->dtype};
    gbl_fused_rows_macros(solver, plan, spec);
}

static gable_status get_product(gmres *at)
{
    const gable_solver *solver = at->solve->solver;
    gbl_kernel_spec spec;
    gbl_gmres_product_spec(solver->ctx->device, solver, &at->product, &spec);
    if (!at->product.fused)
        return GABLE_OK;
    return gbl_kernel_get(solver->ctx->device, &spec, &at->kernel, &solver->ctx->message);
}

double gbl_gmres_bytes(const gable_solver *solver, int64_t m)
{
    const double vector = (double)solver->n * (double)gbl_dtype_bytes(solver->dtype);
    const double matrix = solver->layout.format != 0 ? gbl_sparse_bytes(&solver->layout) : 0;
    const double scale =
        gbl_factor_bytes(solver) + (solver->precond == GBL_PRECOND_NONE ? 0 : vector);
    /* Steps k = 0 .. m - 1 read k columns twice, u and z twice, and write both; the end reads m +
     * 1, the correction m columns, x twice; then comes one more product. */
    const double steps = (double)m * ((double)m - 1) + 6 * (double)m + 2 * (double)m + 6;
    return (matrix + scale) * (1 + 1 / (double)m) + steps * vector / (double)m;
}

static gable_status prepare(gmres *at)
{
    gbl_solve *solve = at->solve;
    gable_solver *solver = solve->solver;
    gable_context *ctx = solver->ctx;
    const size_t bytes = (size_t)solver->n * gbl_dtype_bytes(solver->dtype);
    int64_t m = solver->options.restart;
    m = m < gbl_gmres_most() ? m : gbl_gmres_most();
    m = m < solver->n ? m : solver->n;
    TRY(gbl_gmres_open(ctx, solver->dtype, solver->n, m, &at->cycle));
    TRY(get_product(at));
    if (solver->precond != GBL_PRECOND_NONE && !at->product.fused)
        TRY(gbl_arena_take(ctx->arena, ctx->device, bytes, &at->preconditioned, &ctx->message));
    at->piece = solver->options.batch > 0 ? solver->options.batch : PIECE;
    at->pieces = (int)((m + at->piece - 1) / at->piece);
    at->record = ctx->device->table->graph_build != NULL && !ctx->debug_sync && solver->A != NULL &&
                 solver->precond != GBL_PRECOND_USER;
    TRY(gbl_batches_begin(solve, at->cycle.numbers, NULL, 0));
    return gbl_copy_on_device(ctx, gbl_gmres_column(&at->cycle, 0), solve->r, bytes);
}

static gable_status solve_by_kernels(gbl_solve *solve, gbl_round *round)
{
    gmres at = {.solve = solve};
    TRY(prepare(&at));
    TRY(gbl_late_get(solve->solver, GBL_STATE_COUNT * sizeof(double), &at.late));
    const gable_status status = run_cycles(&at, round);
    gbl_late_rest(at.late);
    for (int i = 0; i < MOST_PIECES; i++)
        gable_recording_destroy(at.recordings[i]);
    round->bytes = gbl_gmres_bytes(solve->solver, at.cycle.m);
    return status;
}

gable_status gbl_solve_gmres(gbl_solve *solve, gbl_round *round)
{
    if (!solve->solver->ctx->device->props.is_host)
        return solve_by_kernels(solve, round);
    return gbl_solve_gmres_host(solve, round);
}

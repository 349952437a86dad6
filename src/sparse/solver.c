/* solver.c: iterative solvers: the object, and the rounds of a solve.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A solve is a few rounds of a method. A round starts from x with the true residual r = b - A x and ends where the
 * method's own, recursive residual is at the target or the method cannot go on. Then the true residual is computed again:
 *   within the tolerance                          solved
 *   above it, at most half of the round before    the recursive residual is replaced by the true one: another round
 *   above it, and more than half                  stagnated: rounding keeps it there
 * The x of the smallest true residual at the end of a round is kept and is what the caller gets.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "blas/level1.h"
#include "core/extents.h"
#include "core/launch.h"
#include "sparse/solver.h"

#define ROUTINE "gable_solver_solve"

/* ---- The object ---- */

static gable_status create(gable_context *ctx, gbl_dtype dtype, int64_t n, gable_solver **solver)
{
    gable_solver *fresh = calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return gbl_fail(&ctx->message, GABLE_OUT_OF_MEMORY, "no host memory for a solver");
    fresh->ctx = ctx;
    fresh->dtype = dtype;
    fresh->n = n;
    gbl_solver_options_default(&fresh->options);
    *solver = fresh;
    return GABLE_OK;
}

gable_status gable_solver_create(gable_context *ctx, gable_sparse *A, gable_solver **solver)
{
    TRY(gbl_enter(ctx, "gable_solver_create"));
    CHECK_ARG(ctx, A != NULL, 2, "A", "is NULL");
    CHECK_ARG(ctx, A->device == ctx->device, 2, "A", "is a matrix of another device");
    CHECK_ARG(ctx, A->layout.rows == A->layout.columns, 2, "A", "is %lld x %lld; it must be square",
              (long long)A->layout.rows, (long long)A->layout.columns);
    CHECK_ARG(ctx, solver != NULL, 3, "solver", "is NULL");
    TRY(create(ctx, A->layout.dtype, A->layout.rows, solver));
    (*solver)->A = A;
    return GABLE_OK;
}

gable_status gable_solver_create_operator(gable_context *ctx, char precision, int64_t n,
                                          gable_apply apply, void *user, gable_solver **solver)
{
    TRY(gbl_enter(ctx, "gable_solver_create_operator"));
    const char *letter = precision != '\0' ? strchr("sdcz", precision) : NULL;
    CHECK_ARG(ctx, letter != NULL, 2, "precision", "is %d; it must be 's', 'd', 'c' or 'z'",
              (int)precision);
    const gbl_dtype dtype = (gbl_dtype)(letter - "sdcz");
    CHECK_ARG(ctx, n >= 0, 3, "n", "is %lld; it must be at least 0", (long long)n);
    TRY(gbl_count_check(ctx, 3, "n", n, gbl_dtype_bytes(dtype)));
    CHECK_ARG(ctx, apply != NULL, 4, "apply", "is NULL");
    CHECK_ARG(ctx, solver != NULL, 6, "solver", "is NULL");
    TRY(create(ctx, dtype, n, solver));
    (*solver)->apply = apply;
    (*solver)->apply_user = user;
    return GABLE_OK;
}

gable_status gable_solver_monitor(gable_solver *solver, gable_monitor monitor, void *user)
{
    if (solver == NULL)
        return GABLE_BAD_ARGUMENT;
    TRY(gbl_enter(solver->ctx, "gable_solver_monitor"));
    solver->monitor = monitor;
    solver->monitor_user = user;
    return GABLE_OK;
}

gable_status gable_solver_precondition(gable_solver *solver, gable_apply apply, void *user)
{
    if (solver == NULL)
        return GABLE_BAD_ARGUMENT;
    TRY(gbl_enter(solver->ctx, "gable_solver_precondition"));
    if ((apply == NULL) != (solver->precondition == NULL))
        gbl_solver_unprepare(solver);
    solver->precondition = apply;
    solver->precondition_user = user;
    return GABLE_OK;
}

void gable_solver_destroy(gable_solver *solver)
{
    if (solver == NULL)
        return;
    gbl_solver_unprepare(solver);
    free(solver);
}

/* ---- What methods call ---- */

/* A function of the user's: calls that it makes are checked like all others. */
static gable_status call_user(gable_solver *solver, gable_apply apply, void *user, const void *x,
                              void *y)
{
    gable_context *ctx = solver->ctx;
    const int depth = ctx->depth;
    const char *routine = ctx->message.routine;
    ctx->depth = 0;
    const gable_status status = apply(user, ctx, x, y);
    ctx->depth = depth;
    ctx->message.routine = routine;
    return status;
}

gable_status gbl_solver_apply(gable_solver *solver, const void *x, void *y)
{
    if (solver->A == NULL)
        return call_user(solver, solver->apply, solver->apply_user, x, y);
    const gbl_sparse_product product = {.trans = GABLE_NO_TRANS,
                                        .k = 1,
                                        .ldx = solver->n > 0 ? solver->n : 1,
                                        .ldy = solver->n > 0 ? solver->n : 1,
                                        .A = solver->own != NULL ? solver->own : solver->A,
                                        .x = x,
                                        .y = y,
                                        .alpha = {.re = 1}};
    return gbl_sparse_multiply(solver->ctx, ROUTINE, solver->dtype, &product);
}

gable_status gbl_solver_precondition(gable_solver *solver, const void *x, void *y)
{
    if (solver->precond == GBL_PRECOND_USER)
        return call_user(solver, solver->precondition, solver->precondition_user, x, y);
    if (solver->precond != GBL_PRECOND_NONE)
        return gbl_precondition_apply(solver, x, y);
    return gbl_copy_on_device(solver->ctx, y, x,
                              (size_t)solver->n * gbl_dtype_bytes(solver->dtype));
}

bool gbl_solver_tell(gbl_solve *solve, int64_t iteration, double residual)
{
    const gable_solver *solver = solve->solver;
    if (solver->monitor == NULL)
        return true;
    const double relative = solve->norm_b > 0 ? residual / solve->norm_b : residual;
    gable_context *ctx = solver->ctx;
    const int depth = ctx->depth;
    const char *routine = ctx->message.routine;
    ctx->depth = 0; /* calls of the monitor's are checked like all others */
    const int stop = solver->monitor(solver->monitor_user, solve->done + iteration, relative);
    ctx->depth = depth;
    ctx->message.routine = routine;
    return stop == 0;
}

/* ---- Vectors ---- */

static gable_status norm(gable_solver *solver, const void *x, double *result)
{
    float single = 0;
    double wide = 0;
    const bool is_single = gbl_dtype_real_bytes(solver->dtype) == 4;
    const gbl_vector_call call = {.dtype = solver->dtype,
                                  .n = solver->n,
                                  .x = (void *)(uintptr_t)x,
                                  .incx = 1,
                                  .result = is_single ? (void *)&single : (void *)&wide};
    TRY(gbl_nrm2(solver->ctx, ROUTINE, &call));
    *result = is_single ? (double)single : wide;
    return GABLE_OK;
}

static gable_status copy(gable_solver *solver, const void *from, void *to)
{
    return gbl_copy_on_device(solver->ctx, to, from,
                              (size_t)solver->n * gbl_dtype_bytes(solver->dtype));
}

/* r := b - A x and its norm */
static gable_status true_residual(gbl_solve *solve)
{
    gable_solver *solver = solve->solver;
    TRY(gbl_solver_apply(solver, solve->x, solve->r));
    const gbl_vector_call call = {.dtype = solver->dtype,
                                  .n = solver->n,
                                  .x = (void *)(uintptr_t)solve->b,
                                  .incx = 1,
                                  .y = solve->r,
                                  .incy = 1,
                                  .alpha = {.re = 1},
                                  .beta = {.re = -1}};
    TRY(gbl_axpby(solver->ctx, ROUTINE, &call));
    return norm(solver, solve->r, &solve->norm_r);
}

/* ---- A solve ---- */

static double tolerance_of(const gable_solver *solver)
{
    if (solver->options.tolerance >= 0)
        return solver->options.tolerance;
    return gbl_dtype_real_bytes(solver->dtype) == 4 ? 1e-5 : 1e-8;
}

static int64_t limit_of(const gable_solver *solver)
{
    if (solver->options.iterations > 0)
        return solver->options.iterations;
    const int64_t by_size = solver->n < 10000 ? 10 * solver->n : 100000;
    return by_size > 1000 ? by_size : 1000;
}

/* What is best so far. */
typedef struct best {
    void *x;
    double norm_r;
} best;

/* The true residual after a round. A worse x is exchanged for the best one. */
static gable_status look(gbl_solve *solve, best *kept)
{
    TRY(true_residual(solve));
    if (solve->norm_r <= kept->norm_r) {
        kept->norm_r = solve->norm_r;
        return copy(solve->solver, solve->x, kept->x);
    }
    TRY(copy(solve->solver, kept->x, solve->x));
    return true_residual(solve);
}

/* Where the method was not the caller's wish, another one goes on behind an outcome that it may not have. */
static bool may_switch(const gable_solver *solver, gable_outcome outcome)
{
    if (solver->options.method != GBL_METHOD_AUTO || solver->method == GBL_METHOD_GMRES ||
        gbl_solver_method(GBL_METHOD_GMRES) == NULL)
        return false;
    if (solver->method == GBL_METHOD_CG)
        return outcome == GABLE_NOT_DEFINITE;
    return outcome == GABLE_BREAKDOWN || outcome == GABLE_STAGNATED || outcome == GABLE_NOT_FINITE;
}

static gable_status run_method(gbl_solve *solve, gbl_round *round)
{
    gable_solver *solver = solve->solver;
    const gbl_method method = gbl_solver_method(solver->method);
    if (method == NULL)
        return gbl_fail(&solver->ctx->message, GABLE_NOT_SUPPORTED, "the library has no %s",
                        solver->method == GBL_METHOD_GMRES ? "gmres" : "bicgstab");
    *round = (gbl_round){.outcome = GABLE_BREAKDOWN, .form = "standard"};
    const gbl_arena_mark mark = gbl_arena_mark_get(solver->ctx->arena);
    const gable_status status = method(solve, round);
    gbl_arena_release(solver->ctx->arena, mark);
    solve->done += round->iterations;
    return status;
}

/* Rounds until there is an outcome. *switched: the outcome behind which another method went on. */
static gable_status run_rounds(gbl_solve *solve, best *kept, gable_solve_info *info,
                               gable_outcome *switched)
{
    for (;;) {
        if (!isfinite(solve->norm_r)) {
            info->outcome = GABLE_NOT_FINITE;
            return GABLE_OK;
        }
        info->outcome = solve->norm_r <= solve->target ? GABLE_SOLVED : GABLE_ITERATION_LIMIT;
        if (info->outcome == GABLE_SOLVED || solve->done >= solve->limit)
            return GABLE_OK;
        const double before = solve->norm_r;
        gbl_round round;
        TRY(run_method(solve, &round));
        TRY(look(solve, kept));
        info->recursive = round.recursive / solve->norm_b;
        info->bytes = round.bytes;
        snprintf(info->form, sizeof info->form, "%s", round.form);
        info->outcome = round.outcome;
        if (round.outcome == GABLE_SOLVED && solve->norm_r > solve->target) {
            info->replacements++;
            if (!(solve->norm_r <= before / 2))
                info->outcome = GABLE_STAGNATED;
        }
        if (solve->norm_r <= solve->target && round.outcome != GABLE_STOPPED)
            info->outcome = GABLE_SOLVED;
        if (may_switch(solve->solver, info->outcome)) {
            *switched = info->outcome;
            solve->solver->method = GBL_METHOD_GMRES;
        } else if (info->outcome != GABLE_SOLVED || solve->norm_r <= solve->target) {
            return GABLE_OK;
        }
    }
}

static gable_status take(gable_solver *solver, void **address)
{
    gable_context *ctx = solver->ctx;
    return gbl_arena_take(ctx->arena, ctx->device,
                          (size_t)solver->n * gbl_dtype_bytes(solver->dtype), address,
                          &ctx->message);
}

/* b = 0 has the solution 0. */
static gable_status solve_zero(gbl_solve *solve, gable_solve_info *info)
{
    gable_solver *solver = solve->solver;
    info->outcome = GABLE_SOLVED;
    return gbl_fill_bytes(solver->ctx, solve->x, 0,
                          (size_t)solver->n * gbl_dtype_bytes(solver->dtype));
}

/* x := factor x */
static gable_status scale(gable_solver *solver, double factor, void *x)
{
    const gbl_vector_call call = {
        .dtype = solver->dtype, .n = solver->n, .x = x, .incx = 1, .alpha = {.re = factor}};
    return gbl_scal(solver->ctx, ROUTINE, &call);
}

/* Methods square norms. Where that may leave the range of numbers, b and x are multiplied with a power of two that makes
 * |b| about 1: the system stays the same. 1: they are not. */
static double factor_of(const gable_solver *solver, double norm_b)
{
    const bool narrow = gbl_dtype_real_bytes(solver->dtype) == 4;
    const double far = narrow ? 1e6 : 1e100;
    int exponent;
    if (norm_b > 1 / far && norm_b < far)
        return 1;
    frexp(norm_b, &exponent);
    const int most = narrow ? 120 : 1000;
    exponent = exponent > most ? most : exponent < -most ? -most : exponent;
    return ldexp(1, -exponent);
}

static gable_status solve_scaled(gbl_solve *solve, double factor, gable_solve_info *info,
                                 gable_outcome *switched)
{
    gable_solver *solver = solve->solver;
    best kept = {0};
    const double absolute = factor * solver->options.absolute;
    const double relative = tolerance_of(solver) * solve->norm_b;
    solve->target = relative > absolute ? relative : absolute;
    solve->limit = limit_of(solver);
    TRY(take(solver, &solve->r));
    TRY(take(solver, &kept.x));
    TRY(true_residual(solve));
    kept.norm_r = solve->norm_r;
    info->recursive = solve->norm_r / solve->norm_b;
    TRY(copy(solver, solve->x, kept.x));
    TRY(run_rounds(solve, &kept, info, switched));
    info->residual = solve->norm_r / solve->norm_b;
    info->iterations = solve->done;
    return GABLE_OK;
}

static gable_status solve_prepared(gbl_solve *solve, gable_solve_info *info,
                                   gable_outcome *switched)
{
    gable_solver *solver = solve->solver;
    TRY(norm(solver, solve->b, &solve->norm_b));
    info->norm_b = solve->norm_b;
    if (solve->norm_b == 0)
        return solve_zero(solve, info);
    info->outcome = GABLE_NOT_FINITE;
    info->residual = info->recursive = NAN;
    if (!isfinite(solve->norm_b))
        return GABLE_OK;
    const double factor = factor_of(solver, solve->norm_b);
    if (factor == 1)
        return solve_scaled(solve, 1, info, switched);
    void *b;
    TRY(take(solver, &b));
    TRY(copy(solver, solve->b, b));
    TRY(scale(solver, factor, b));
    TRY(scale(solver, factor, solve->x));
    solve->b = b;
    solve->norm_b *= factor;
    const gable_status status = solve_scaled(solve, factor, info, switched);
    const gable_status back = scale(solver, 1 / factor, solve->x);
    return status != GABLE_OK ? status : back;
}

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void describe(const gable_solver *solver, gable_solve_info *info)
{
    static const char *const methods[] = {"auto", "cg", "bicgstab", "gmres"};
    static const char *const preconds[] = {"auto", "none", "jacobi", "block", "user"};
    snprintf(info->method, sizeof info->method, "%s", methods[solver->method]);
    snprintf(info->precond, sizeof info->precond, "%s", preconds[solver->precond]);
    info->format = (gable_format)solver->layout.format;
}

static gable_status solve_inside(gable_solver *solver, const void *b, void *x,
                                 gable_solve_info *info)
{
    gable_context *ctx = solver->ctx;
    gbl_solve solve = {.solver = solver, .b = b, .x = x};
    gable_outcome switched = GABLE_SOLVED;
    const double start = seconds_now();
    if (solver->n > 0) {
        const gbl_arena_mark mark = gbl_arena_mark_get(ctx->arena);
        gable_status status = gbl_solver_prepare(solver);
        if (status == GABLE_OK)
            status = solve_prepared(&solve, info, &switched);
        gbl_arena_release(ctx->arena, mark);
        TRY(status);
        TRY(ctx->device->table->sync(ctx->queue, &ctx->message));
    } else {
        TRY(gbl_solver_prepare(solver));
    }
    info->seconds = seconds_now() - start;
    describe(solver, info);
    gbl_solver_text(solver, switched, info);
    return GABLE_OK;
}

static gable_status check(gable_solver *solver, const void *b, void *x)
{
    gable_context *ctx = solver->ctx;
    const size_t bytes = gbl_dtype_bytes(solver->dtype);
    TRY(gbl_check_not_recording(ctx, "a solve"));
    if (solver->n == 0)
        return GABLE_OK;
    TRY(gbl_check_address(ctx, 2, "b", b));
    TRY(gbl_check_address(ctx, 3, "x", x));
    const gbl_extent operands[2] = {
        gbl_extent_vector("b", 2, GBL_READ, b, solver->n, 1, bytes),
        gbl_extent_vector("x", 3, GBL_WRITE, x, solver->n, 1, bytes),
    };
    if (ctx->guarded)
        TRY(gbl_extents_check(ctx, operands, 2));
    CHECK_ARG(ctx, !gbl_extents_meet(&operands[0], &operands[1]), 3, "x", "overlaps b");
    return GABLE_OK;
}

gable_status gable_solver_solve(gable_solver *solver, const void *b, void *x,
                                gable_solve_info *info)
{
    gable_solve_info own;
    if (info == NULL)
        info = &own;
    memset(info, 0, sizeof *info);
    info->outcome = GABLE_NOT_FINITE;
    if (solver == NULL)
        return GABLE_BAD_ARGUMENT;
    gable_context *ctx = solver->ctx;
    TRY(gbl_enter(ctx, ROUTINE));
    TRY(check(solver, b, x));
    info->outcome = GABLE_SOLVED;
    ctx->depth++;
    const gable_status status = solve_inside(solver, b, x, info);
    ctx->depth--;
    return status;
}

gable_status gable_sparse_solve(gable_context *ctx, gable_sparse *A, const void *b, void *x,
                                const char *options, gable_solve_info *info)
{
    gable_solver *solver;
    TRY(gable_solver_create(ctx, A, &solver));
    gable_status status = options != NULL ? gable_solver_set(solver, options) : GABLE_OK;
    if (status == GABLE_OK)
        status = gable_solver_solve(solver, b, x, info);
    gable_solver_destroy(solver);
    return status;
}

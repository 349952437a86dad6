/* solver.c: iterative solvers: the object, and the rounds of a solve.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A solve is a few rounds of a method. A round starts from x with the true residual r = b - A x and
 * ends where the method's own, recursive residual is at the target or the method cannot go on. Then
 * the true residual is computed again:
 *   within the tolerance                          solved
 *   above it, at most half of the round before    another round, from the true residual
 *   above it, and more than half                  stagnated: rounding keeps it there
 * The x of the smallest true residual at the end of a round is kept and is what the caller gets,
 * unless answer=last asks for the last one that is finite.
 *
 * A recursive residual says nothing below the rounding errors of the one that the round started
 * with, and far below its squares leave the range of numbers. So a round ends there at the latest,
 * whatever the tolerance is.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "blas/level1/level1.h"
#include "core/launch.h"
#include "core/observe.h"
#include "sparse/solver/solver.h"

#define ROUTINE "gable_solver_solve"

/* ---- The object ---- */

gable_status gbl_solver_enter(gable_solver *solver, const char *routine)
{
    if (solver == NULL || !gbl_object_alive(GBL_OBJECT_SOLVER, solver) || solver->ctx == NULL)
        return GABLE_BAD_ARGUMENT;
    gable_context *ctx = solver->ctx;
    TRY(gbl_enter(ctx, routine));
    CHECK_ARG(ctx, !solver->solving, 1, "solver",
              "is solving; its monitor, operator and preconditioner cannot change it, start it "
              "again or destroy it (a monitor ends the solve by what it returns)");
    return GABLE_OK;
}

/* It no longer uses its matrix. */
static void leave_matrix(gable_solver *solver)
{
    if (solver->A != NULL)
        atomic_fetch_sub(&solver->A->solvers, 1);
    solver->A = NULL;
}

/* The context closes: what the solver has on the device goes with it. */
static void lose_context(void *self)
{
    gable_solver *solver = self;
    gbl_solver_unprepare(solver);
    gbl_late_close(&solver->late);
    leave_matrix(solver);
    solver->ctx = NULL;
}

static gable_status create(gable_context *ctx, gbl_dtype dtype, int64_t n, gable_solver **solver)
{
    gable_solver *fresh = calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return gbl_fail(&ctx->message, GABLE_OUT_OF_MEMORY, "no host memory for a solver");
    fresh->ctx = ctx;
    fresh->dtype = dtype;
    fresh->n = n;
    gbl_solver_options_default(&fresh->options);
    fresh->object = (gbl_object){
        .kind = GBL_OBJECT_SOLVER, .self = fresh, .owner = ctx, .orphan = lose_context};
    gbl_object_add(&fresh->object);
    *solver = fresh;
    return GABLE_OK;
}

gable_status gable_solver_create(gable_context *ctx, gable_sparse *A, gable_solver **solver)
{
    TRY(gbl_enter(ctx, "gable_solver_create"));
    TRY(gbl_sparse_check(ctx, 2, "A", A));
    CHECK_ARG(ctx, A->layout.rows == A->layout.columns, 2, "A", "is %lld x %lld; it must be square",
              (long long)A->layout.rows, (long long)A->layout.columns);
    CHECK_ARG(ctx, solver != NULL, 3, "solver", "is NULL");
    TRY(create(ctx, A->layout.dtype, A->layout.rows, solver));
    (*solver)->A = A;
    atomic_fetch_add(&A->solvers, 1);
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
    TRY(gbl_solver_enter(solver, "gable_solver_monitor"));
    solver->monitor = monitor;
    solver->monitor_user = user;
    return GABLE_OK;
}

gable_status gable_solver_precondition(gable_solver *solver, gable_apply apply, void *user)
{
    TRY(gbl_solver_enter(solver, "gable_solver_precondition"));
    if ((apply == NULL) != (solver->precondition == NULL)) {
        TRY(gbl_check_not_recording(solver->ctx, "another preconditioner"));
        gbl_solver_unprepare(solver);
    }
    solver->precondition = apply;
    solver->precondition_user = user;
    return GABLE_OK;
}

gable_status gable_solver_destroy(gable_solver *solver)
{
    if (solver == NULL)
        return GABLE_OK;
    if (!gbl_object_alive(GBL_OBJECT_SOLVER, solver))
        return GABLE_BAD_ARGUMENT;
    if (solver->ctx != NULL) {
        const gable_status status = gbl_solver_enter(solver, "gable_solver_destroy");
        if (status != GABLE_OK &&
            status != GABLE_DEVICE_LOST) /* host memory is freed all the same */
            return status;
        TRY(gbl_check_not_recording(solver->ctx, "gable_solver_destroy"));
        const gbl_span span = {.kind = GBL_EVENT_WORK, .name = "gable_solver_destroy"};
        gbl_span_begin(solver->ctx, &span);
        solver->ctx->depth++;
        gbl_solver_unprepare(solver);
        gbl_late_close(&solver->late);
        solver->ctx->depth--;
        gbl_span_end(solver->ctx, &span, GABLE_OK);
        leave_matrix(solver);
    }
    gbl_object_remove(&solver->object);
    free(solver);
    return GABLE_OK;
}

/* ---- What methods call ---- */

static const char *method_name(gbl_method_name method)
{
    static const char *const names[] = {"auto", "cg", "bicgstab", "gmres"};
    return names[method];
}

/* A recording that a function of the caller's left open would swallow the rest of the solve. */
static gable_status drop_recording(gable_solver *solver, const char *what)
{
    gable_context *ctx = solver->ctx;
    if (ctx->recording == NULL)
        return GABLE_OK;
    gable_record_end(ctx, NULL);
    return gbl_fail(&ctx->message, GABLE_NOT_RECORDABLE,
                    "%s: the caller's %s began a recording and did not end it",
                    method_name(solver->method), what);
}

/* A function of the caller's: calls that it makes are checked like all others. Where it fails, the
 * message is its own, if a call inside it left one, behind who failed and how. */
static gable_status call_user(gable_solver *solver, const char *what, gable_apply apply, void *user,
                              const void *x, void *y)
{
    gable_context *ctx = solver->ctx;
    const int depth = ctx->depth;
    const char *routine = ctx->message.routine;
    const char before = ctx->message.text[0];
    const gbl_span span = {.kind = GBL_EVENT_USER, .name = what};
    gbl_span_begin(ctx, &span);
    ctx->message.text[0] = '\0';
    ctx->depth = 0;
    const gable_status status = apply(user, ctx, x, y);
    ctx->depth = depth;
    ctx->message.routine = routine;
    if (status != GABLE_OK) {
        gbl_fail(&ctx->message, status, "%s: the caller's %s returned %s (%s)%s%s",
                 method_name(solver->method), what, gable_status_name(status),
                 gable_status_text(status), ctx->message.text[0] != '\0' ? ": " : "",
                 ctx->message.text);
        if (ctx->recording != NULL)
            gable_record_end(ctx, NULL);
        return gbl_span_end(ctx, &span, status);
    }
    if (ctx->message.text[0] == '\0')
        ctx->message.text[0] = before;
    return gbl_span_end(ctx, &span, drop_recording(solver, what));
}

gable_status gbl_solver_apply(gable_solver *solver, const void *x, void *y)
{
    if (solver->A == NULL)
        return call_user(solver, "operator", solver->apply, solver->apply_user, x, y);
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
        return call_user(solver, "preconditioner", solver->precondition, solver->precondition_user,
                         x, y);
    if (solver->precond == GBL_PRECOND_ILU0 || solver->precond == GBL_PRECOND_IC0)
        return gbl_factor_solve(solver, x, y);
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
    const gbl_span span = {.kind = GBL_EVENT_USER, .name = "monitor"};
    gbl_span_begin(ctx, &span);
    ctx->depth = 0; /* calls of the monitor's are checked like all others */
    const int stop = solver->monitor(solver->monitor_user, solve->done + iteration, relative);
    if (ctx->recording != NULL)
        gable_record_end(ctx, NULL);
    ctx->depth = depth;
    ctx->message.routine = routine;
    gbl_span_end(ctx, &span, GABLE_OK);
    return stop == 0;
}

/* ---- Vectors ---- */

gable_status gbl_solver_norm(gable_solver *solver, const void *x, double *result)
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

gable_status gbl_solver_copy(gable_solver *solver, const void *from, void *to)
{
    return gbl_copy_on_device(solver->ctx, to, from,
                              (size_t)solver->n * gbl_dtype_bytes(solver->dtype));
}

gable_status gbl_solver_take(gable_solver *solver, void **address)
{
    gable_context *ctx = solver->ctx;
    return gbl_arena_take(ctx->arena, ctx->device,
                          (size_t)solver->n * gbl_dtype_bytes(solver->dtype), address,
                          &ctx->message);
}

/* r := b - A x and its norm */
gable_status gbl_solver_residual(gbl_solve *solve)
{
    gable_solver *solver = solve->solver;
    bool done = false;
    TRY(gbl_host_residual(solve, &done));
    if (done)
        return GABLE_OK;
    TRY(gbl_solver_apply(solver, solve->x, solve->r));
    const gbl_vector_call call = gbl_residual_call(solve);
    TRY(gbl_axpby(solver->ctx, ROUTINE, &call));
    return gbl_solver_norm(solver, solve->r, &solve->norm_r);
}

/* ---- A solve ---- */

static double tolerance_of(const gable_solver *solver)
{
    if (solver->options.tolerance >= 0)
        return solver->options.tolerance;
    return gbl_dtype_real_bytes(solver->dtype) == 4 ? 1e-5 : 1e-8;
}

static double eps_of(const gable_solver *solver)
{
    return gbl_dtype_real_bytes(solver->dtype) == 4 ? 0x1p-24 : 0x1p-53;
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
    double size; /* where a column of A is 0, the residual does not see that x has left the range */
    TRY(gbl_solver_residual(solve));
    TRY(gbl_solver_norm(solve->solver, solve->x, &size));
    const bool last = solve->solver->options.last && isfinite(solve->norm_r);
    if ((last || solve->norm_r <= kept->norm_r) && isfinite(size)) {
        kept->norm_r = solve->norm_r;
        return gbl_solver_copy(solve->solver, solve->x, kept->x);
    }
    TRY(gbl_solver_copy(solve->solver, kept->x, solve->x));
    return gbl_solver_residual(solve);
}

/* Where the caller named no method, another one goes on behind an outcome that it may not have. */
static bool may_switch(const gable_solver *solver, gable_outcome outcome)
{
    if (solver->options.method != GBL_METHOD_AUTO || solver->method == GBL_METHOD_GMRES ||
        gbl_factor_failed(solver) || gbl_solver_method(GBL_METHOD_GMRES) == NULL)
        return false;
    if (solver->method == GBL_METHOD_CG && outcome == GABLE_NOT_DEFINITE)
        return true;
    if (solver->method == GBL_METHOD_BICGSTAB && outcome == GABLE_STAGNATED)
        return true;
    return outcome == GABLE_BREAKDOWN || outcome == GABLE_NOT_FINITE;
}

/* Flops of an iteration, as `gable bench` counts them. */
static double flops_of(const gable_solver *solver)
{
    const double entries = (double)solver->layout.entries, n = (double)solver->n;
    const double parts = gbl_dtype_complex(solver->dtype) ? 4 : 1;
    const double factor = gbl_factor_flops(solver);
    switch (solver->method) {
    case GBL_METHOD_BICGSTAB: /* two products, five dots, six updates */
        return parts * (4 * entries + 22 * n) + 2 * factor;
    case GBL_METHOD_GMRES: /* on average half of the restart's vectors, once each */
        return parts * (2 * entries + (2 * (double)(solver->options.restart + 1) + 5) * n) + factor;
    default: /* a product, two dots, three updates */
        return parts * (2 * entries + 10 * n) + factor;
    }
}

static gable_status run_method(gbl_solve *solve, gbl_round *round)
{
    gable_solver *solver = solve->solver;
    const gbl_method method = gbl_solver_method(solver->method);
    if (method == NULL)
        return gbl_fail(&solver->ctx->message, GABLE_NOT_SUPPORTED, "the library has no %s",
                        solver->method == GBL_METHOD_GMRES ? "gmres" : "bicgstab");
    *round = (gbl_round){.outcome = GABLE_BREAKDOWN, .form = "standard"};
    if (gbl_factor_failed(solver)) {
        round->outcome = gbl_factor_outcome(solver);
        round->recursive = solve->norm_r;
        return GABLE_OK;
    }
    gbl_span span = {.kind = GBL_EVENT_WORK,
                     .name = method_name(solver->method),
                     .typed = true,
                     .dtype = solver->dtype,
                     .class = gbl_span_class(gbl_sparse_bytes(&solver->layout))};
    gbl_span_begin(solver->ctx, &span);
    const gbl_arena_mark mark = gbl_arena_mark_get(solver->ctx->arena);
    const gable_status status = method(solve, round);
    gbl_arena_release(solver->ctx->arena, mark);
    solve->done += round->iterations;
    span.iterations = round->iterations;
    span.bytes = (double)round->iterations * round->bytes;
    span.flops = (double)round->iterations * flops_of(solver);
    span.walked = round->bytes;
    return gbl_span_end(solver->ctx, &span, status);
}

/* BiCGStab may divide by a number that is nearly 0: a breakdown, after which numbers leave the
 * range or become 0. |A M^-1 r| beside |r| tells it from a system with such squares. */
static gable_status judge_range(gbl_solve *solve, gbl_solve_story *story, gable_outcome *outcome)
{
    gable_solver *solver = solve->solver;
    gable_context *ctx = solver->ctx;
    const double far = gbl_dtype_real_bytes(solver->dtype) == 4 ? 1e15 : 1e100;
    void *z, *v;
    double size = 0;
    if (gbl_factor_failed(solver)) {
        story->what = GBL_STORY_FACTOR;
        return GABLE_OK;
    }
    if ((*outcome != GABLE_NOT_FINITE && *outcome != GABLE_BREAKDOWN) || solver->A == NULL)
        return GABLE_OK;
    const gbl_arena_mark mark = gbl_arena_mark_get(ctx->arena);
    gable_status status = gbl_solver_take(solver, &z);
    if (status == GABLE_OK)
        status = gbl_solver_take(solver, &v);
    if (status == GABLE_OK)
        status = gbl_solver_precondition(solver, solve->r, z);
    if (status == GABLE_OK)
        status = gbl_solver_apply(solver, z, v);
    if (status == GABLE_OK)
        status = gbl_solver_norm(solver, v, &size);
    gbl_arena_release(ctx->arena, mark);
    if (size > 0 && !(size < far * solve->norm_r && size * far > solve->norm_r))
        story->what = GBL_STORY_RANGE;
    else if (solver->method == GBL_METHOD_BICGSTAB && !isnan(size)) /* the matrix has no NaN */
        *outcome = GABLE_BREAKDOWN;
    return status;
}

/* Rounds until there is an outcome. */
static gable_status run_rounds(gbl_solve *solve, best *kept, gable_solve_info *info,
                               gbl_solve_story *story)
{
    const double eps = eps_of(solve->solver);
    for (;;) {
        if (!isfinite(solve->norm_r)) {
            info->outcome = GABLE_NOT_FINITE;
            story->what = GBL_STORY_START;
            return GABLE_OK;
        }
        info->outcome = solve->norm_r <= solve->wanted ? GABLE_SOLVED : GABLE_ITERATION_LIMIT;
        if (info->outcome == GABLE_SOLVED || solve->done >= solve->limit)
            return GABLE_OK;
        const double before = solve->norm_r;
        solve->target = solve->wanted > eps * before ? solve->wanted : eps * before;
        gbl_round round;
        TRY(run_method(solve, &round));
        TRY(look(solve, kept));
        info->recursive = round.recursive / solve->norm_b;
        info->bytes = round.bytes;
        snprintf(info->form, sizeof info->form, "%s", round.form);
        info->outcome = round.outcome;
        TRY(judge_range(solve, story, &info->outcome));
        if (round.outcome == GABLE_SOLVED && solve->norm_r > solve->wanted) {
            info->replacements++;
            if (!(solve->norm_r <= before / 2))
                info->outcome = GABLE_STAGNATED;
        }
        if (solve->norm_r <= solve->wanted && round.outcome != GABLE_STOPPED)
            info->outcome = GABLE_SOLVED;
        if (may_switch(solve->solver, info->outcome)) {
            story->switched = info->outcome;
            story->from = solve->solver->method;
            solve->solver->method = GBL_METHOD_GMRES;
        } else if (info->outcome != GABLE_SOLVED || solve->norm_r <= solve->wanted) {
            return GABLE_OK;
        }
    }
}

/* A guess whose residual is so large that b is lost in its rounding errors: 0 is nearer. */
static gable_status leave_hopeless_guess(gbl_solve *solve)
{
    gable_solver *solver = solve->solver;
    double size;
    if (solve->norm_r <= solve->norm_b / eps_of(solver))
        return GABLE_OK;
    TRY(gbl_solver_norm(solver, solve->x, &size));
    if (!isfinite(size)) /* NaN and Inf of the caller's are told */
        return GABLE_OK;
    TRY(gbl_fill_bytes(solver->ctx, solve->x, 0,
                       (size_t)solver->n * gbl_dtype_bytes(solver->dtype)));
    solve->from_zero = true;
    return gbl_solver_residual(solve);
}

gable_status gbl_solve_near(gbl_solve *solve, double factor, gable_solve_info *info,
                            gbl_solve_story *story)
{
    gable_solver *solver = solve->solver;
    best kept = {0};
    const double absolute = factor * solver->options.absolute;
    const double relative = tolerance_of(solver) * solve->norm_b;
    solve->wanted = relative > absolute ? relative : absolute;
    solve->limit = limit_of(solver);
    TRY(gbl_solver_take(solver, &solve->r));
    TRY(gbl_solver_take(solver, &kept.x));
    TRY(gbl_solver_residual(solve));
    TRY(leave_hopeless_guess(solve));
    kept.norm_r = solve->first_r = solve->norm_r;
    info->recursive = solve->norm_r / solve->norm_b;
    TRY(gbl_solver_copy(solver, solve->x, kept.x));
    TRY(run_rounds(solve, &kept, info, story));
    info->residual = solve->norm_r / solve->norm_b;
    info->iterations = solve->done;
    return GABLE_OK;
}

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void describe(const gable_solver *solver, gable_solve_info *info)
{
    static const char *const preconds[] = {"auto", "none", "jacobi", "block",
                                           "ilu0", "ic0",  "user"};
    snprintf(info->method, sizeof info->method, "%s", method_name(solver->method));
    snprintf(info->precond, sizeof info->precond, "%s", preconds[solver->precond]);
    info->format = (gable_format)solver->layout.format;
}

static gable_status solve_inside(gable_solver *solver, const void *b, void *x,
                                 gable_solve_info *info)
{
    gable_context *ctx = solver->ctx;
    gbl_solve solve = {.solver = solver, .b = b, .x = x};
    gbl_solve_story story = {.switched = GABLE_SOLVED};
    const double start = seconds_now();
    if (solver->n > 0) {
        const gbl_arena_mark mark = gbl_arena_mark_get(ctx->arena);
        gable_status status = gbl_solver_prepare(solver);
        if (status == GABLE_OK)
            status = gbl_solve_prepared(&solve, info, &story);
        gbl_arena_release(ctx->arena, mark);
        TRY(status);
        TRY(ctx->device->table->sync(ctx->queue, &ctx->message));
    } else {
        TRY(gbl_solver_prepare(solver));
    }
    info->seconds = seconds_now() - start;
    if (info->outcome != GABLE_SOLVED && info->outcome != GABLE_STOPPED)
        gbl_solver_diagnose(solver, &story);
    describe(solver, info);
    gbl_solver_text(solver, &story, info);
    solver->format_text[0] = '\0'; /* told once */
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
    TRY(gbl_solver_enter(solver, ROUTINE));
    gable_context *ctx = solver->ctx;
    TRY(gbl_solver_check_vectors(solver, "a solve", "b", b, "x", x));
    info->outcome = GABLE_SOLVED;
    const gbl_span span = {.kind = GBL_EVENT_WORK, .name = ROUTINE};
    gbl_span_begin(ctx, &span);
    solver->solving = true;
    ctx->solving++;
    ctx->depth++;
    const gable_status status = solve_inside(solver, b, x, info);
    ctx->depth--;
    ctx->solving--;
    solver->solving = false;
    return gbl_span_end(ctx, &span, status);
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

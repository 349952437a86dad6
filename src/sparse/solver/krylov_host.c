/* krylov_host.c: BiCGStab and GMRES on the cpu: many iterations in one task.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Tasks run at once, so the state is looked at behind each: limits, stagnation and the best x are
 * found here.
 */
#include <math.h>
#include "blas/level1/level1.h"
#include "core/launch.h"
#include "cpu/cpu_solver.h"
#include "sparse/solver/krylov_host.h"

#define ROUTINE "gable_solver_solve"

typedef struct host {
    gbl_solve *solve;
    gbl_cpu_solve_args args;
    gbl_task_function task;
    /* BiCGStab: the best x, its |r|^2. */
    void *kept;
    double kept_rr;
    /* The smallest |r|^2 so far (BiCGStab), or that at the start of a window of cycles (GMRES), and
     * its iteration. */
    double best;
    int64_t best_at;
} host;

static gable_status copy(const gable_solver *solver, const void *from, void *to)
{
    return gbl_copy_on_device(solver->ctx, to, from,
                              (size_t)solver->n * gbl_dtype_bytes(solver->dtype));
}

static gable_status keep_best(host *at, const double *state)
{
    const double rr = state[GBL_STATE_RR];
    if (!(rr < at->kept_rr))
        return GABLE_OK;
    at->kept_rr = rr;
    return copy(at->solve->solver, at->args.x, at->kept);
}

/* Whether the iterations since the last look make it stagnate. */
static bool stagnates(host *at, const double *state, int64_t before)
{
    const int64_t now = (int64_t)state[GBL_STATE_ITERATION];
    if (at->args.method == GBL_CPU_GMRES) {
        if (now - at->best_at < GBL_GMRES_WINDOW * at->args.restart)
            return false;
        const bool none = state[GBL_STATE_RR] > GBL_GMRES_NO_PROGRESS * at->best;
        at->best = state[GBL_STATE_RR];
        at->best_at = now;
        return none;
    }
    for (int64_t i = before; i < now; i++) {
        const double rr = state[GBL_STATE_HISTORY + i % GBL_HISTORY];
        if (rr < at->best) {
            at->best = rr;
            at->best_at = i + 1;
        }
    }
    return now - at->best_at >= GBL_BICGSTAB_WAITING;
}

static gable_status enqueue(void *method, int64_t iterations)
{
    host *at = method;
    double *state = at->args.state;
    const int64_t before = (int64_t)state[GBL_STATE_ITERATION];
    const int64_t left = (int64_t)state[GBL_STATE_LIMIT] - before;
    at->args.iterations = iterations < left ? iterations : left;
    at->args.last = iterations >= left;
    TRY(gbl_task(at->solve->solver->ctx, at->args.method == GBL_CPU_GMRES ? "gmres" : "bicgstab",
                 at->task, &at->args, sizeof at->args));
    if (at->args.method == GBL_CPU_BICGSTAB)
        TRY(keep_best(at, state));
    if (state[GBL_STATE_OUTCOME] >= 0)
        return GABLE_OK;
    if (state[GBL_STATE_ITERATION] >= state[GBL_STATE_LIMIT])
        state[GBL_STATE_OUTCOME] = GABLE_ITERATION_LIMIT;
    else if (stagnates(at, state, before))
        state[GBL_STATE_OUTCOME] = GABLE_STAGNATED;
    return GABLE_OK;
}

static gable_status prepare(host *at)
{
    static void (*const plans[])(gbl_cpu_solve_args *) = {gbl_cpu_ssolve_plan, gbl_cpu_dsolve_plan,
                                                          gbl_cpu_csolve_plan, gbl_cpu_zsolve_plan};
    gbl_solve *solve = at->solve;
    gable_solver *solver = solve->solver;
    gable_context *ctx = solver->ctx;
    void *state;
    gbl_cpu_solve_args *args = &at->args;
    args->precond = solver->precond == GBL_PRECOND_NONE     ? GBL_CPU_PRECOND_NONE
                    : solver->precond == GBL_PRECOND_JACOBI ? GBL_CPU_PRECOND_JACOBI
                                                            : GBL_CPU_PRECOND_BLOCK;
    args->block = solver->block;
    args->A = solver->layout;
    args->inverse = solver->inverse;
    args->b = solve->b;
    args->x = solve->x;
    args->r = solve->r;
    args->target = solve->target;
    plans[solver->dtype](args);
    TRY(gbl_arena_take(ctx->arena, ctx->device, args->work_bytes, &args->work, &ctx->message));
    TRY(gbl_arena_take(ctx->arena, ctx->device, GBL_STATE_COUNT * sizeof(double), &state,
                       &ctx->message));
    args->state = state;
    at->best = at->kept_rr = solve->norm_r * solve->norm_r;
    return gbl_batches_begin(solve, args->state, NULL, 0);
}

static gable_status run(host *at, gbl_round *round)
{
    const gbl_batches batches = {.solve = at->solve,
                                 .state = at->args.state,
                                 .batch = gbl_batches_size(at->solve->solver),
                                 .enqueue = enqueue,
                                 .method = at};
    round->bytes = at->args.bytes;
    return gbl_batches_run(&batches, round);
}

static bool has_task(const gable_solver *solver)
{
    return solver->A != NULL && gbl_precondition_inside(solver);
}

gable_status gbl_solve_bicgstab_host(gbl_solve *solve, gbl_round *round)
{
    static const gbl_task_function tasks[] = {gbl_cpu_sbicgstab, gbl_cpu_dbicgstab,
                                              gbl_cpu_cbicgstab, gbl_cpu_zbicgstab};
    gable_solver *solver = solve->solver;
    gable_context *ctx = solver->ctx;
    host at = {.solve = solve, .task = tasks[solver->dtype], .args.method = GBL_CPU_BICGSTAB};
    if (!has_task(solver))
        return gbl_solve_bicgstab_calls(solve, round);
    TRY(gbl_arena_take(ctx->arena, ctx->device, (size_t)solver->n * gbl_dtype_bytes(solver->dtype),
                       &at.kept, &ctx->message));
    TRY(prepare(&at));
    TRY(copy(solver, solve->x, at.kept));
    TRY(run(&at, round));
    if (round->recursive * round->recursive <= at.kept_rr)
        return GABLE_OK;
    round->recursive = sqrt(at.kept_rr);
    return copy(solver, at.kept, solve->x);
}

gable_status gbl_solve_gmres_host(gbl_solve *solve, gbl_round *round)
{
    static const gbl_task_function tasks[] = {gbl_cpu_sgmres, gbl_cpu_dgmres, gbl_cpu_cgmres,
                                              gbl_cpu_zgmres};
    const gable_solver *solver = solve->solver;
    const int64_t m = solver->options.restart < solver->n ? solver->options.restart : solver->n;
    host at = {.solve = solve,
               .task = tasks[solver->dtype],
               .args = {.method = GBL_CPU_GMRES, .restart = m}};
    if (!has_task(solver))
        return gbl_solve_gmres_calls(solve, round);
    TRY(prepare(&at));
    return run(&at, round);
}

gbl_vector_call gbl_residual_call(const gbl_solve *solve)
{
    gbl_vector_call call = {.dtype = solve->solver->dtype, .n = solve->solver->n, .incx = 1};
    call.x = (void *)(uintptr_t)solve->b;
    call.y = solve->r;
    call.incy = 1;
    call.alpha.re = 1;
    call.beta.re = -1;
    return call;
}

gable_status gbl_krylov_residual(gbl_solve *solve)
{
    gable_solver *solver = solve->solver;
    const bool is_single = gbl_dtype_real_bytes(solver->dtype) == 4;
    float single = 0;
    TRY(gbl_solver_apply(solver, solve->x, solve->r));
    gbl_vector_call call = gbl_residual_call(solve);
    TRY(gbl_axpby(solver->ctx, ROUTINE, &call));
    call.x = solve->r;
    call.y = NULL;
    call.result = is_single ? (void *)&single : (void *)&solve->norm_r;
    TRY(gbl_nrm2(solver->ctx, ROUTINE, &call));
    if (is_single)
        solve->norm_r = (double)single;
    return GABLE_OK;
}

/* solver_cg_host.c: conjugate gradients on the cpu: many iterations in one task.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The first iterations take the matrix as it is. Only a solve that goes on has it looked at, and
 * has its diagonals made: that costs about as much as 20 products, more than all iterations of a
 * short solve. Both stay with the solver, but every solve starts the same way, so that it has the
 * same bits again.
 */
#include <math.h>
#include <stdlib.h>
#include "core/launch.h"
#include "cpu/cpu_solver.h"
#include "sparse/solver/solver.h"

static const gbl_task_function tasks[] = {gbl_cpu_scg, gbl_cpu_dcg, gbl_cpu_ccg, gbl_cpu_zcg};

/* Iterations without a plan, even. */
#define EARLY 20

typedef struct cg {
    gbl_solve *solve;
    gbl_cpu_solve_args args;
    gbl_round *round;
} cg;

static gable_status plan_for(cg *at);

/* A task knows no limit: it gets the iterations that are left. */
static gable_status enqueue(void *method, int64_t iterations)
{
    cg *at = method;
    double *state = at->args.state;
    const int64_t left = (int64_t)(state[GBL_STATE_LIMIT] - state[GBL_STATE_ITERATION]);
    const int64_t early = EARLY - (int64_t)state[GBL_STATE_ITERATION];
    at->args.iterations = iterations < left ? iterations : left;
    if (early > 0)
        at->args.iterations = at->args.iterations < early ? at->args.iterations : early;
    else if (at->args.early)
        TRY(plan_for(at));
    TRY(gbl_task(at->solve->solver->ctx, "cg", tasks[at->solve->solver->dtype], &at->args,
                 sizeof at->args));
    if (state[GBL_STATE_OUTCOME] < 0 && state[GBL_STATE_ITERATION] >= state[GBL_STATE_LIMIT])
        state[GBL_STATE_OUTCOME] = GABLE_ITERATION_LIMIT;
    return GABLE_OK;
}

bool gbl_cg_host_fits(const gable_solver *solver)
{
    return solver->ctx->device->props.is_host && solver->A != NULL &&
           gbl_precondition_inside(solver);
}

/* ---- What is kept ---- */

struct gbl_host_plan {
    gbl_cpu_solve_args args; /* without the vectors of a solve */
    void *bands;             /* NULL: none */
    int kept;                /* of them */
};

void gbl_host_plan_free(gable_solver *solver)
{
    if (solver->host_plan != NULL && solver->host_plan->bands != NULL)
        gable_free(solver->ctx, solver->host_plan->bands);
    free(solver->host_plan);
    solver->host_plan = NULL;
}

static gbl_cpu_solve_args args_of(const gable_solver *solver)
{
    return (gbl_cpu_solve_args){.method = GBL_CPU_CG,
                                .precond =
                                    solver->precond == GBL_PRECOND_NONE     ? GBL_CPU_PRECOND_NONE
                                    : solver->precond == GBL_PRECOND_JACOBI ? GBL_CPU_PRECOND_JACOBI
                                                                            : GBL_CPU_PRECOND_BLOCK,
                                .block = solver->block,
                                .A = solver->layout,
                                .inverse = solver->inverse};
}

static gable_status plan_of(gable_solver *solver, struct gbl_host_plan **made)
{
    static void (*const plans[])(gbl_cpu_solve_args *) = {gbl_cpu_ssolve_plan, gbl_cpu_dsolve_plan,
                                                          gbl_cpu_csolve_plan, gbl_cpu_zsolve_plan};
    gable_context *ctx = solver->ctx;
    *made = solver->host_plan;
    if (*made != NULL)
        return GABLE_OK;
    struct gbl_host_plan *plan = calloc(1, sizeof *plan);
    if (plan == NULL)
        return gbl_fail(&ctx->message, GABLE_OUT_OF_MEMORY, "no host memory for a solver");
    plan->args = args_of(solver);
    plans[solver->dtype](&plan->args);
    *made = solver->host_plan = plan;
    if (plan->args.bands_bytes > 0)
        return gable_alloc(ctx, plan->args.bands_bytes, &plan->bands);
    return GABLE_OK;
}

/* The plan for the iterations that follow: they work on in the same vectors. */
static gable_status plan_for(cg *at)
{
    struct gbl_host_plan *plan;
    TRY(plan_of(at->solve->solver, &plan));
    at->args.early = false;
    at->args.bandwidth = plan->args.bandwidth;
    at->args.bands = plan->args.bands;
    at->args.bytes = at->round->bytes = plan->args.bytes;
    at->args.bands_at = plan->bands;
    at->args.bands_kept = &plan->kept;
    return GABLE_OK;
}

/* ---- The true residual ---- */

/* Squares of larger and smaller norms may have left the range, of single precision on their way. */
#define MOST_SQUARE(single)  ((single) ? 1e30 : 1e280)
#define LEAST_SQUARE(single) ((single) ? 1e-25 : 1e-280)

gable_status gbl_host_residual(gbl_solve *solve, bool *done)
{
    static const gbl_task_function residuals[] = {gbl_cpu_sresidual, gbl_cpu_dresidual,
                                                  gbl_cpu_cresidual, gbl_cpu_zresidual};
    const gable_solver *solver = solve->solver;
    const bool single = gbl_dtype_real_bytes(solver->dtype) == 4;
    double square = 0;
    if (!solver->ctx->device->props.is_host || solver->A == NULL)
        return GABLE_OK;
    const gbl_cpu_residual_args args = {
        .A = solver->layout, .b = solve->b, .x = solve->x, .r = solve->r, .square = &square};
    TRY(gbl_task(solver->ctx, "residual", residuals[solver->dtype], &args, sizeof args));
    *done = square > LEAST_SQUARE(single) && square < MOST_SQUARE(single);
    if (*done)
        solve->norm_r = sqrt(square);
    return GABLE_OK;
}

/* ---- A round ---- */

gable_status gbl_solve_cg_host(gbl_solve *solve, gbl_round *round)
{
    static size_t (*const work[])(int64_t n) = {gbl_cpu_scg_work, gbl_cpu_dcg_work,
                                                gbl_cpu_ccg_work, gbl_cpu_zcg_work};
    gable_solver *solver = solve->solver;
    gable_context *ctx = solver->ctx;
    const double n = (double)solver->n, element = (double)gbl_dtype_bytes(solver->dtype);
    cg at = {.solve = solve, .args = args_of(solver), .round = round};
    void *state;
    at.args.b = solve->b;
    at.args.x = solve->x;
    at.args.r = solve->r;
    at.args.target = solve->target;
    at.args.early = true;
    at.args.bytes = gbl_sparse_bytes(&solver->layout) + 7 * n * element;
    TRY(gbl_arena_take(ctx->arena, ctx->device, work[solver->dtype](solver->n), &at.args.work,
                       &ctx->message));
    TRY(gbl_arena_take(ctx->arena, ctx->device, GBL_STATE_COUNT * sizeof(double), &state,
                       &ctx->message));
    at.args.state = state;
    round->bytes = at.args.bytes;
    TRY(gbl_batches_begin(solve, at.args.state, NULL, 0));
    const gbl_batches batches = {.solve = solve,
                                 .state = at.args.state,
                                 .batch = gbl_batches_size(solver),
                                 .enqueue = enqueue,
                                 .method = &at};
    return gbl_batches_run(&batches, round);
}

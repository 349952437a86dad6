/* solver_cg_host.c: conjugate gradients on the cpu: many iterations in one task.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "core/launch.h"
#include "cpu/cpu_solver.h"
#include "sparse/solver.h"

static const gbl_task_function tasks[] = {gbl_cpu_scg, gbl_cpu_dcg, gbl_cpu_ccg, gbl_cpu_zcg};

typedef struct cg {
    gbl_solve *solve;
    gbl_cpu_solve_args args;
} cg;

/* A task knows no limit: it gets the iterations that are left. */
static gable_status enqueue(void *method, int64_t iterations)
{
    cg *at = method;
    double *state = at->args.state;
    const int64_t left = (int64_t)(state[GBL_STATE_LIMIT] - state[GBL_STATE_ITERATION]);
    at->args.iterations = iterations < left ? iterations : left;
    TRY(gbl_task(at->solve->solver->ctx, "cg", tasks[at->solve->solver->dtype], &at->args,
                 sizeof at->args));
    if (state[GBL_STATE_OUTCOME] < 0 && state[GBL_STATE_ITERATION] >= state[GBL_STATE_LIMIT])
        state[GBL_STATE_OUTCOME] = GABLE_ITERATION_LIMIT;
    return GABLE_OK;
}

bool gbl_cg_host_fits(const gable_solver *solver)
{
    return solver->ctx->device->props.is_host && solver->A != NULL &&
           solver->precond != GBL_PRECOND_USER;
}

gable_status gbl_solve_cg_host(gbl_solve *solve, gbl_round *round)
{
    static void (*const plans[])(gbl_cpu_solve_args *) = {gbl_cpu_ssolve_plan, gbl_cpu_dsolve_plan,
                                                          gbl_cpu_csolve_plan, gbl_cpu_zsolve_plan};
    gable_solver *solver = solve->solver;
    gable_context *ctx = solver->ctx;
    cg at = {.solve = solve,
             .args = {.method = GBL_CPU_CG,
                      .precond = solver->precond == GBL_PRECOND_NONE     ? GBL_CPU_PRECOND_NONE
                                 : solver->precond == GBL_PRECOND_JACOBI ? GBL_CPU_PRECOND_JACOBI
                                                                         : GBL_CPU_PRECOND_BLOCK,
                      .block = solver->block,
                      .A = solver->layout,
                      .inverse = solver->inverse,
                      .b = solve->b,
                      .x = solve->x,
                      .r = solve->r,
                      .target = solve->target}};
    void *state;
    plans[solver->dtype](&at.args);
    TRY(gbl_arena_take(ctx->arena, ctx->device, at.args.work_bytes, &at.args.work, &ctx->message));
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

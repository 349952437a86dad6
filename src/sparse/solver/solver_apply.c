/* solver_apply.c: a solver's preconditioner on its own, and the vectors of calls on solvers.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "core/extents.h"
#include "core/launch.h"
#include "core/observe.h"
#include "sparse/solver/solver.h"

gable_status gbl_solver_check_vectors(gable_solver *solver, const char *what, const char *b_name,
                                      const void *b, const char *x_name, void *x)
{
    gable_context *ctx = solver->ctx;
    const size_t bytes = gbl_dtype_bytes(solver->dtype);
    TRY(gbl_check_not_recording(ctx, what));
    if (solver->n == 0)
        return GABLE_OK;
    TRY(gbl_check_address(ctx, 2, b_name, b));
    TRY(gbl_check_address(ctx, 3, x_name, x));
    const gbl_extent operands[2] = {
        gbl_extent_vector(b_name, 2, GBL_READ, b, solver->n, 1, bytes),
        gbl_extent_vector(x_name, 3, GBL_WRITE, x, solver->n, 1, bytes),
    };
    if (ctx->guarded)
        TRY(gbl_extents_check(ctx, operands, 2));
    CHECK_ARG(ctx, !gbl_extents_meet(&operands[0], &operands[1]), 3, x_name, "overlaps %s", b_name);
    return GABLE_OK;
}

static gable_status apply_inside(gable_solver *solver, const void *x, void *y)
{
    TRY(gbl_solver_prepare(solver));
    if (gbl_factor_failed(solver)) {
        char why[96];
        gbl_factor_text(solver, why, sizeof why);
        return gbl_fail(&solver->ctx->message, GABLE_NOT_SUPPORTED, "%s", why);
    }
    return gbl_solver_precondition(solver, x, y);
}

gable_status gable_solver_apply(gable_solver *solver, const void *x, void *y)
{
    static const char *const routine = "gable_solver_apply";
    TRY(gbl_solver_enter(solver, routine));
    gable_context *ctx = solver->ctx;
    TRY(gbl_solver_check_vectors(solver, "an application of a solver's preconditioner", "x", x, "y",
                                 y));
    if (solver->n == 0)
        return GABLE_OK;
    const gbl_span span = {.kind = GBL_EVENT_WORK, .name = routine};
    gbl_span_begin(ctx, &span);
    solver->solving = true;
    ctx->solving++;
    ctx->depth++;
    const gable_status status = apply_inside(solver, x, y);
    ctx->depth--;
    ctx->solving--;
    solver->solving = false;
    return gbl_span_end(ctx, &span, status);
}

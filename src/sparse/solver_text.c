/* solver_text.c: how a solve ended, as a sentence with a hint.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include <string.h>
#include "core/number_text.h"
#include "sparse/solver.h"

/* What to try where CG or BiCGStab reached its end: another method than the one in use. */
static const char *other_method(const gable_solver *solver)
{
    switch (solver->method) {
    case GBL_METHOD_BICGSTAB:
        return "method=gmres";
    case GBL_METHOD_GMRES:
        return solver->options.restart < 100 ? "restart=100 or method=bicgstab" : "method=bicgstab";
    default:
        return "method=gmres";
    }
}

static const char *other_precond(const gable_solver *solver)
{
    if (solver->precond == GBL_PRECOND_NONE)
        return "precond=jacobi";
    if (solver->precond == GBL_PRECOND_JACOBI)
        return "precond=block";
    return "a better preconditioner";
}

static void outcome_text(const gable_solver *solver, const gable_solve_info *info, char *text,
                         size_t bytes)
{
    const long long iterations = (long long)info->iterations;
    const bool narrow = gbl_dtype_real_bytes(solver->dtype) == 4;
    switch (info->outcome) {
    case GABLE_SOLVED:
        snprintf(text, bytes, "solved: the true residual is %s of |b| after %lld iterations",
                 GBL_NUMBER(info->residual), iterations);
        return;
    case GABLE_ITERATION_LIMIT:
        snprintf(text, bytes,
                 "not solved: %lld iterations left a residual of %s; allow more (iterations=), or "
                 "try %s or %s",
                 iterations, GBL_NUMBER(info->residual), other_precond(solver),
                 other_method(solver));
        return;
    case GABLE_STAGNATED:
        if (info->residual <= (narrow ? 1e-4 : 1e-8))
            snprintf(text, bytes,
                     "not solved: the residual stays at %s, which this precision may not improve; "
                     "try a larger tolerance or %s",
                     GBL_NUMBER(info->residual),
                     narrow ? "double precision" : other_precond(solver));
        else
            snprintf(text, bytes,
                     "not solved: the residual stays at %s, and %s does not get on; try %s or %s",
                     GBL_NUMBER(info->residual), info->method, other_precond(solver),
                     other_method(solver));
        return;
    case GABLE_BREAKDOWN:
        snprintf(text, bytes, "not solved: %s divides by 0 after %lld iterations; try %s",
                 info->method, iterations, other_method(solver));
        return;
    case GABLE_NOT_DEFINITE:
        snprintf(text, bytes,
                 "not solved: the matrix%s is not positive definite, as cg needs it; try "
                 "method=bicgstab or gmres",
                 solver->precond == GBL_PRECOND_NONE ? "" : " or the preconditioner");
        return;
    case GABLE_NOT_FINITE:
        snprintf(text, bytes,
                 "not solved: NaN or Inf after %lld iterations; look for them in the matrix, b and "
                 "x, or scale the system",
                 iterations);
        return;
    case GABLE_STOPPED:
        snprintf(text, bytes, "stopped by the monitor after %lld iterations at a residual of %s",
                 iterations, GBL_NUMBER(info->residual));
        return;
    }
}

static const char *switch_text(gable_outcome said, gbl_method_name to)
{
    if (said == GABLE_NOT_DEFINITE)
        return "cg found that the matrix is not positive definite, gmres went on; ";
    if (to == GBL_METHOD_GMRES)
        return "bicgstab did not get on, gmres went on; ";
    return "";
}

void gbl_solver_text(const gable_solver *solver, gable_outcome switched, gable_solve_info *info)
{
    const char *first = switched == GABLE_SOLVED ? "" : switch_text(switched, solver->method);
    const size_t room = sizeof info->text, used = strlen(first);
    memcpy(info->text, first, used + 1);
    outcome_text(solver, info, info->text + used, room - used);
}

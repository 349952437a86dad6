/* solver_range.c: systems whose b is far from 1, where squares of norms leave the range of numbers.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * b and x are multiplied with a power of two, which loses nothing, and the system is solved there.
 * The solution may lose something on its way back: elements become Inf, or subnormal with few
 * digits. So the residual that is told, and that decides whether the system is solved, is that of
 * the x the caller gets.
 */
#include <math.h>
#include "blas/level1/level1.h"
#include "core/launch.h"
#include "sparse/solver/solver.h"

#define ROUTINE "gable_solver_solve"

double gbl_far_from_1(const gable_solver *solver)
{
    return gbl_dtype_real_bytes(solver->dtype) == 4 ? 1e6 : 1e20;
}

/* x := factor x */
static gable_status scale(gable_solver *solver, double factor, void *x)
{
    const gbl_vector_call call = {
        .dtype = solver->dtype, .n = solver->n, .x = x, .incx = 1, .alpha = {.re = factor}};
    return gbl_scal(solver->ctx, ROUTINE, &call);
}

static gable_status set_zero(gable_solver *solver, void *x)
{
    return gbl_fill_bytes(solver->ctx, x, 0, (size_t)solver->n * gbl_dtype_bytes(solver->dtype));
}

/* Factors are powers of two up to this one: their inverses are numbers, too. */
static int most_exponent(const gable_solver *solver)
{
    return gbl_dtype_real_bytes(solver->dtype) == 4 ? 120 : 1000;
}

/* Methods square norms. Where that may leave the range of numbers, b and x are multiplied with a
 * power of two that makes
 * |b| about 1: the system stays the same. 1: they are not. */
static double factor_of(const gable_solver *solver, double norm_b)
{
    const double far = gbl_far_from_1(solver);
    int exponent;
    if (norm_b > 1 / far && norm_b < far)
        return 1;
    frexp(norm_b, &exponent);
    const int most = most_exponent(solver);
    exponent = exponent > most ? most : exponent < -most ? -most : exponent;
    return ldexp(1, -exponent);
}

/* |b| and the factor where |b| is too large for a number, while the elements of b may not be; 0:
 * they are, or NaN. `scaled` is a vector. */
static gable_status size_of_b(gbl_solve *solve, void *scaled, double *factor)
{
    gable_solver *solver = solve->solver;
    const double least = ldexp(1, -most_exponent(solver));
    double size;
    TRY(gbl_solver_copy(solver, solve->b, scaled));
    TRY(scale(solver, least, scaled));
    TRY(gbl_solver_norm(solver, scaled, &size));
    solve->norm_b = size / least;
    *factor = isfinite(size) ? least : 0;
    return GABLE_OK;
}

/* The scaled guess, and a copy of it as it was. One that leaves the range there is of no use beside
 * b: 0 takes its place. */
static gable_status scale_guess(gbl_solve *solve, double factor, void *guess)
{
    gable_solver *solver = solve->solver;
    double given, scaled;
    TRY(gbl_solver_copy(solver, solve->x, guess));
    TRY(gbl_solver_norm(solver, solve->x, &given));
    TRY(scale(solver, factor, solve->x));
    TRY(gbl_solver_norm(solver, solve->x, &scaled));
    if (isfinite(scaled) || !isfinite(given))
        return GABLE_OK;
    TRY(set_zero(solver, guess));
    return set_zero(solver, solve->x);
}

/* x back in its own size. Elements may leave the range or lose digits there: what comes out is what
 * the residual is of. It is computed in the scaled system, for which the same x is scaled once
 * more, without rounding. */
static gable_status scale_back(gbl_solve *solve, double factor, void *guess, void *own,
                               gable_solve_info *info, gbl_solve_story *story)
{
    gable_solver *solver = solve->solver;
    double size;
    TRY(scale(solver, 1 / factor, solve->x));
    TRY(gbl_solver_copy(solver, solve->x, own));
    TRY(scale(solver, factor, solve->x));
    TRY(gbl_solver_residual(solve));
    TRY(gbl_solver_norm(solver, solve->x, &size)); /* where A has columns of 0, r does not see x */
    const bool finite = isfinite(solve->norm_r) && isfinite(size);
    const bool solved = info->outcome == GABLE_SOLVED;
    if (info->outcome != GABLE_NOT_FINITE && !finite) {
        info->outcome = GABLE_NOT_FINITE;
        story->what = GBL_STORY_LARGE;
    } else if (solved && !(solve->norm_r <= solve->wanted)) {
        info->outcome = GABLE_STAGNATED;
        story->what = GBL_STORY_SMALL;
    }
    const bool better = finite && (solver->options.last || solve->norm_r <= solve->first_r);
    if (solve->from_zero)
        TRY(set_zero(solver, guess));
    info->residual = (better ? solve->norm_r : solve->first_r) / solve->norm_b;
    return gbl_solver_copy(solver, better ? own : guess, solve->x);
}

static gable_status solve_far(gbl_solve *solve, double factor, void *b, gable_solve_info *info,
                              gbl_solve_story *story)
{
    gable_solver *solver = solve->solver;
    void *guess, *own;
    TRY(gbl_solver_take(solver, &guess));
    TRY(gbl_solver_take(solver, &own));
    TRY(gbl_solver_copy(solver, solve->b, b));
    TRY(scale(solver, factor, b));
    TRY(scale_guess(solve, factor, guess));
    solve->b = b;
    TRY(gbl_solver_norm(solver, b, &solve->norm_b));
    gable_status status = gbl_solve_near(solve, factor, info, story);
    if (status == GABLE_OK)
        status = scale_back(solve, factor, guess, own, info, story);
    if (status != GABLE_OK)
        gbl_solver_copy(solver, guess, solve->x); /* the first status is the one to tell */
    return status;
}

gable_status gbl_solve_prepared(gbl_solve *solve, gable_solve_info *info, gbl_solve_story *story)
{
    gable_solver *solver = solve->solver;
    void *scaled = NULL;
    if (solver->options.zero_guess)
        TRY(set_zero(solver, solve->x));
    TRY(gbl_solver_norm(solver, solve->b, &solve->norm_b));
    if (solve->norm_b == 0) /* has the solution 0 */
        return set_zero(solver, solve->x);
    double factor = isfinite(solve->norm_b) ? factor_of(solver, solve->norm_b) : 0;
    if (factor != 1)
        TRY(gbl_solver_take(solver, &scaled));
    if (factor == 0)
        TRY(size_of_b(solve, scaled, &factor));
    info->norm_b = solve->norm_b;
    info->outcome = GABLE_NOT_FINITE;
    info->residual = info->recursive = NAN;
    if (!(factor > 0)) {
        story->what = GBL_STORY_B;
        return GABLE_OK;
    }
    return factor == 1 ? gbl_solve_near(solve, 1, info, story)
                       : solve_far(solve, factor, scaled, info, story);
}

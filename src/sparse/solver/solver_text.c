/* solver_text.c: how a solve ended, as a sentence with a hint.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A hint names what was not tried: no method that just gave up, no preconditioner in use. Where the
 * matrix itself is the cause, or the range of numbers is, it names that and no method.
 */
#include <stdio.h>
#include <string.h>
#include "core/number_text.h"
#include "sparse/solver/solver.h"

#define WORDS_BYTES 96

/* ---- What to try ---- */

/* "A, B or C" of those that are there. */
static const char *join(const char *const *words, int count, char text[WORDS_BYTES])
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < count && used < WORDS_BYTES; i++)
        used += (size_t)snprintf(text + used, WORDS_BYTES - used, "%s%s",
                                 i == 0           ? ""
                                 : i + 1 == count ? " or "
                                                  : ", ",
                                 words[i]);
    return text;
}

/* A preconditioner beyond the one in use; NULL: there is none for these entries. */
static const char *other_precond(const gable_solver *solver)
{
    if (solver->A == NULL)
        return "a preconditioner (gable_solver_precondition)";
    switch (solver->precond) {
    case GBL_PRECOND_NONE: /* auto saw that the diagonal has zeros, or is all alike */
        return solver->options.precond == GBL_PRECOND_AUTO ? "precond=block" : "precond=jacobi";
    case GBL_PRECOND_JACOBI:
        return solver->method == GBL_METHOD_CG ? "precond=ic0" : "precond=ilu0";
    case GBL_PRECOND_BLOCK:
        return solver->block < 8 ? "block=8" : solver->block < 32 ? "block=32" : "precond=ilu0";
    default:
        return "a better preconditioner";
    }
}

/* A larger restart of GMRES, at once the order of the system where that can be had: then it need
 * not restart at all. False: it does not restart, or not more rarely. */
static bool other_restart(const gable_solver *solver, char text[WORDS_BYTES])
{
    static const int64_t larger[] = {100, 256, 1000};
    const int64_t restart = solver->options.restart, most = gbl_solver_most_restart(solver->ctx);
    int64_t next = solver->n <= most ? solver->n : 0;
    for (size_t i = 0; i < sizeof larger / sizeof larger[0] && next == 0; i++)
        if (restart < larger[i] && larger[i] <= most)
            next = larger[i];
    snprintf(text, WORDS_BYTES, "restart=%lld", (long long)next);
    return next > restart;
}

/* Methods that have not given up yet. */
static const char *methods(const gable_solver *solver, const gbl_solve_story *story,
                           char text[WORDS_BYTES])
{
    char restart[WORDS_BYTES];
    const char *words[2];
    int count = 0;
    if (solver->method != GBL_METHOD_GMRES)
        words[count++] = "method=gmres";
    else if (other_restart(solver, restart))
        words[count++] = restart;
    if (solver->method == GBL_METHOD_GMRES &&
        !(story->switched != GABLE_SOLVED && story->from == GBL_METHOD_BICGSTAB))
        words[count++] = "method=bicgstab";
    return join(words, count, text);
}

/* Preconditioners, and methods: of CG a longer way, since others do not get farther with what it
 * can solve. */
static const char *all(const gable_solver *solver, const gbl_solve_story *story,
                       char text[WORDS_BYTES])
{
    char others[WORDS_BYTES];
    const char *words[2], *precond = other_precond(solver);
    int count = 0;
    if (precond != NULL)
        words[count++] = precond;
    if (solver->method != GBL_METHOD_CG && methods(solver, story, others)[0] != '\0')
        words[count++] = others;
    if (count == 0)
        words[count++] = "a better preconditioner (gable_solver_precondition)";
    return join(words, count, text);
}

/* ---- Outcomes ---- */

/* What no method and no preconditioner changes; false: nothing was found. */
static bool matrix_text(const gable_solver *solver, const gbl_solve_story *story,
                        const gable_solve_info *info, char *text, size_t bytes)
{
    if (story->bad_row > 0 && info->outcome == GABLE_NOT_FINITE) {
        snprintf(text, bytes,
                 "not solved: the matrix has NaN or Inf, first in row %lld, column %lld (counted "
                 "from 1)",
                 (long long)story->bad_row, (long long)story->bad_column);
        return true;
    }
    if (story->not_hermitian && story->what == GBL_STORY_PLAIN) {
        snprintf(text, bytes,
                 "not solved: the matrix is not Hermitian, as cg needs it; %lld iterations left a "
                 "residual of %s; try method=bicgstab or gmres",
                 (long long)info->iterations, GBL_NUMBER(info->residual));
        return true;
    }
    if (story->what == GBL_STORY_RANGE) {
        snprintf(text, bytes,
                 "not solved: the entries of the matrix are so far from 1 that squares are NaN or "
                 "Inf, or 0, in this precision; scale the system%s",
                 solver->precond == GBL_PRECOND_NONE ? ", or try precond=jacobi" : "");
        return true;
    }
    if ((story->zero_row == 0 && story->zero_column == 0) ||
        (story->what != GBL_STORY_PLAIN && story->what != GBL_STORY_FACTOR))
        return false;
    const bool row = story->zero_row > 0;
    snprintf(text, bytes,
             "not solved: the matrix is singular, as its %s %lld (counted from 1) is 0%s; the best "
             "residual is %s",
             row ? "row" : "column", (long long)(row ? story->zero_row : story->zero_column),
             row ? ", and b is not in its range unless it is 0 there" : "",
             GBL_NUMBER(info->residual));
    return true;
}

static void not_finite_text(const gable_solver *solver, const gbl_solve_story *story,
                            const gable_solve_info *info, char *text, size_t bytes)
{
    char words[WORDS_BYTES];
    switch (story->what) {
    case GBL_STORY_B:
        snprintf(text, bytes, "not solved: b has NaN or Inf");
        return;
    case GBL_STORY_START:
        snprintf(text, bytes,
                 "not solved: b - A x of the first guess has NaN or Inf; look for them in x%s, or "
                 "scale the system: numbers may leave the range of the precision",
                 solver->A == NULL ? " and the operator" : "");
        return;
    case GBL_STORY_LARGE:
        snprintf(text, bytes,
                 "not solved: elements of the solution are too large for this precision and would "
                 "be NaN or Inf; scale the system");
        return;
    default:
        snprintf(text, bytes,
                 "not solved: NaN or Inf came up after %lld iterations, as numbers left the range "
                 "of the precision; scale the system, or try %s",
                 (long long)info->iterations, all(solver, story, words));
    }
}

static void stagnated_text(const gable_solver *solver, const gbl_solve_story *story,
                           const gable_solve_info *info, char *text, size_t bytes)
{
    const bool narrow = gbl_dtype_real_bytes(solver->dtype) == 4;
    char words[WORDS_BYTES];
    if (story->what == GBL_STORY_SMALL)
        snprintf(text, bytes,
                 "not solved: elements of the solution are so small that this precision has no "
                 "digits for them, which leaves a residual of %s; scale the system",
                 GBL_NUMBER(info->residual));
    else if (info->residual <= (narrow ? 1e-4 : 1e-8))
        snprintf(text, bytes,
                 "not solved: the residual stays at %s, which this precision may not improve; "
                 "try a larger tolerance or %s",
                 GBL_NUMBER(info->residual),
                 narrow ? "double precision" : all(solver, story, words));
    else
        snprintf(text, bytes,
                 "not solved: the residual stays at %s, and %s does not get on; try %s",
                 GBL_NUMBER(info->residual), info->method, all(solver, story, words));
}

/* The incomplete factorization met no pivot. */
static void factor_text(const gable_solver *solver, char *text, size_t bytes)
{
    char why[WORDS_BYTES];
    gbl_factor_text(solver, why, sizeof why);
    snprintf(text, bytes, "not solved: %s; try precond=%s", why,
             gbl_factor_outcome(solver) == GABLE_NOT_DEFINITE ? "ilu0 with method=gmres"
                                                              : "block or jacobi");
}

static void outcome_text(const gable_solver *solver, const gbl_solve_story *story,
                         const gable_solve_info *info, char *text, size_t bytes)
{
    const long long iterations = (long long)info->iterations;
    char words[WORDS_BYTES];
    if (info->outcome != GABLE_SOLVED && info->outcome != GABLE_STOPPED &&
        matrix_text(solver, story, info, text, bytes))
        return;
    if (story->what == GBL_STORY_FACTOR) {
        factor_text(solver, text, bytes);
        return;
    }
    switch (info->outcome) {
    case GABLE_SOLVED:
        snprintf(text, bytes, "solved: the true residual is %s of |b| after %lld iterations",
                 GBL_NUMBER(info->residual), iterations);
        return;
    case GABLE_ITERATION_LIMIT:
        snprintf(text, bytes,
                 "not solved: %lld iterations left a residual of %s; allow more (iterations=), or "
                 "try %s",
                 iterations, GBL_NUMBER(info->residual), all(solver, story, words));
        return;
    case GABLE_STAGNATED:
        stagnated_text(solver, story, info, text, bytes);
        return;
    case GABLE_BREAKDOWN:
        methods(solver, story, words);
        snprintf(text, bytes,
                 "not solved: %s divides by 0 or nearly 0 after %lld iterations; try %s",
                 info->method, iterations, words[0] != '\0' ? words : all(solver, story, words));
        return;
    case GABLE_NOT_DEFINITE:
        snprintf(text, bytes,
                 "not solved: the matrix%s is not positive definite, as cg needs it; try "
                 "method=bicgstab or gmres",
                 solver->precond == GBL_PRECOND_NONE ? "" : " or the preconditioner");
        return;
    case GABLE_NOT_FINITE:
        not_finite_text(solver, story, info, text, bytes);
        return;
    case GABLE_STOPPED:
        snprintf(text, bytes, "stopped by the monitor after %lld iterations at a residual of %s",
                 iterations, GBL_NUMBER(info->residual));
        return;
    }
}

static const char *switch_text(const gbl_solve_story *story)
{
    if (story->switched == GABLE_SOLVED)
        return "";
    if (story->switched == GABLE_NOT_DEFINITE)
        return "cg found that the matrix is not positive definite, gmres went on; ";
    return story->from == GBL_METHOD_CG ? "cg did not get on, gmres went on; "
                                        : "bicgstab did not get on, gmres went on; ";
}

void gbl_solver_text(const gable_solver *solver, const gbl_solve_story *story,
                     gable_solve_info *info)
{
    const char *first = switch_text(story);
    const size_t room = sizeof info->text, used = strlen(first);
    memcpy(info->text, first, used + 1);
    outcome_text(solver, story, info, info->text + used, room - used);
    if (solver->factor != NULL && story->what != GBL_STORY_FACTOR) {
        char told[WORDS_BYTES];
        gbl_factor_text(solver, told, sizeof told);
        const size_t behind = strlen(info->text);
        if (behind + strlen(told) < room)
            memcpy(info->text + behind, told, strlen(told) + 1);
    }
    const size_t end = strlen(info->text);
    if (end + strlen(solver->format_text) < room)
        memcpy(info->text + end, solver->format_text, strlen(solver->format_text) + 1);
}

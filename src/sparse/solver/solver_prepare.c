/* solver_prepare.c: what a solve needs beside b and x: the format, the preconditioner, the method.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Made at the first solve and kept until an option that it depends on changes, or the values do.
 */
#include <stdio.h>
#include <time.h>
#include "blas/level1/level1.h"
#include "sparse/solver/solver.h"

void gbl_solver_unprepare(gable_solver *solver)
{
    gbl_precondition_free(solver);
    gbl_factor_free(solver);
    gbl_host_plan_free(solver);
    gbl_batches_forget(solver);
    if (solver->own != NULL)
        gable_sparse_destroy(solver->ctx, solver->own);
    solver->own = NULL;
    solver->format_text[0] = '\0';
    solver->prepared = false;
}

/* ---- The format ---- */

#define REPEATS 100 /* products of a solver, where nobody says how many come */

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* What is foreseen, kept for the text. */
typedef struct format_cost {
    gable_format from;
    double chosen, made; /* seconds */
    int64_t repaid;      /* by so many products, as predicted; 0: not known */
} format_cost;

static void tell_format(gable_solver *solver, const format_cost *cost)
{
    const char *from = gbl_format_name(cost->from),
               *to = gbl_format_name((gable_format)solver->layout.format);
    char repaid[48] = "";
    if (cost->repaid > 0)
        snprintf(repaid, sizeof repaid, " (repaid after %lld products)", (long long)cost->repaid);
    if (solver->own != NULL)
        snprintf(solver->format_text, sizeof solver->format_text,
                 "; %s became %s: choice %.2g ms, copy %.2g ms%s", from, to, 1e3 * cost->chosen,
                 1e3 * cost->made, repaid);
    else
        snprintf(solver->format_text, sizeof solver->format_text, "; %s stayed: choice %.2g ms",
                 from, 1e3 * cost->chosen);
}

/* Formats that the fused kernels take are chosen among; rows of a block stay together. On the cpu
 * such formats stay: a copy costs about as much as 15 products (7 points, 50^3, two cores of a
 * Xeon, 2026-11), more than many solves have iterations, and where it would gain most, on stencils,
 * the solvers make diagonals. */
static gable_status choose_format(gable_solver *solver, gable_format *format, int64_t *chunk,
                                  int64_t *sigma, format_cost *cost)
{
    gable_sparse *A = solver->A;
    gbl_format_foreseen list[GABLE_HYB + 1];
    if (solver->ctx->device->props.is_host) {
        if (*format == GABLE_COO || *format == GABLE_HYB)
            *format = GABLE_CSR;
        return GABLE_OK;
    }
    const double start = seconds_now();
    int64_t repeats = solver->options.repeats;
    if (repeats == 0)
        repeats = atomic_load(&A->repeats);
    if (repeats == 0)
        repeats = REPEATS;
    TRY(gbl_sparse_foresee(solver->ctx, A, NULL, list));
    *chunk = *sigma = 0;
    *format = gbl_sparse_pick(A, list, repeats, NULL, 0);
    if (*format == GABLE_COO || *format == GABLE_HYB)
        *format = GABLE_CSR;
    cost->repaid = gbl_format_repaid(A, list, *format);
    cost->chosen = seconds_now() - start;
    if (*format == GABLE_SELL && solver->options.precond == GBL_PRECOND_BLOCK &&
        solver->precondition == NULL)
        *sigma = 1;
    return GABLE_OK;
}

static gable_status prepare_format(gable_solver *solver)
{
    gable_context *ctx = solver->ctx;
    if (solver->A == NULL) {
        solver->layout = (gbl_sparse_layout){.dtype = solver->dtype};
        solver->long_rows = false;
        return GABLE_OK;
    }
    const gbl_sparse_layout *given = &solver->A->layout;
    gable_format format = (gable_format)given->format;
    int64_t chunk = 0, sigma = 0;
    format_cost cost = {.from = format};
    if (solver->options.format == GABLE_FORMAT_AUTO)
        TRY(choose_format(solver, &format, &chunk, &sigma, &cost));
    else if (solver->options.format > 0)
        format = (gable_format)solver->options.format;
    const bool serves = format == (gable_format)given->format &&
                        (format != GABLE_SELL || sigma == 0 || sigma == given->sigma);
    const double start = seconds_now();
    if (!serves)
        TRY(gbl_sparse_convert(ctx, solver->A, format, chunk, sigma, &solver->own));
    cost.made = seconds_now() - start;
    solver->layout = solver->own != NULL ? solver->own->layout : *given;
    solver->long_rows = gbl_sparse_rows_hold_back(ctx->device, &solver->layout, NULL);
    if (solver->options.format == GABLE_FORMAT_AUTO && !ctx->device->props.is_host)
        tell_format(solver, &cost);
    return GABLE_OK;
}

/* ---- The preconditioner ---- */

/* Where the diagonal varies by less, dividing by it changes nothing. */
#define LEAST_VARIATION 0.01

/* Whether Jacobi is worth its vector: the inverses, which were just made, are not all alike. n
 * times their sum of squares over their squared sum is 1 + v^2, where v is the deviation over the
 * mean. */
static gable_status diagonal_varies(gable_solver *solver, bool *varies)
{
    gable_context *ctx = solver->ctx;
    double sum[2] = {0}, norm[2] = {0};
    float single[2];
    const bool is_single = gbl_dtype_real_bytes(solver->dtype) == 4;
    gbl_vector_call call = {
        .dtype = solver->dtype, .n = solver->n, .x = solver->inverse, .incx = 1};
    call.result = is_single ? (void *)&single[0] : (void *)&sum[0];
    TRY(gbl_asum(ctx, "gable_solver_solve", &call));
    call.result = is_single ? (void *)&single[1] : (void *)&norm[0];
    TRY(gbl_nrm2(ctx, "gable_solver_solve", &call));
    if (is_single) {
        sum[0] = (double)single[0];
        norm[0] = (double)single[1];
    }
    /* Far from 1 dividing by it keeps squares of products in the range of numbers. */
    const double mean = sum[0] / (double)solver->n, far = is_single ? 1e6 : 1e50;
    const double ratio = norm[0] / sum[0];
    *varies = mean > far || mean < 1 / far ||
              (double)solver->n * ratio * ratio > 1 + LEAST_VARIATION * LEAST_VARIATION;
    return GABLE_OK;
}

static gable_status prepare_precond(gable_solver *solver)
{
    gable_context *ctx = solver->ctx;
    static const char *const names[] = {[GBL_PRECOND_JACOBI] = "jacobi",
                                        [GBL_PRECOND_BLOCK] = "block",
                                        [GBL_PRECOND_ILU0] = "ilu0",
                                        [GBL_PRECOND_IC0] = "ic0"};
    const gbl_precond_name wanted = solver->options.precond;
    solver->precond = wanted;
    solver->block = wanted == GBL_PRECOND_BLOCK ? solver->options.block : 1;
    if (solver->precondition != NULL) {
        solver->precond = GBL_PRECOND_USER;
        return GABLE_OK;
    }
    if (solver->A == NULL) {
        if (wanted > GBL_PRECOND_NONE)
            return gbl_fail(&ctx->message, GABLE_NOT_SUPPORTED,
                            "precond=%s needs the entries of a matrix, and the solver has an "
                            "operator; gable_solver_precondition takes a preconditioner",
                            names[wanted]);
        solver->precond = GBL_PRECOND_NONE;
        return GABLE_OK;
    }
    if (wanted == GBL_PRECOND_NONE || solver->n == 0) {
        solver->precond = GBL_PRECOND_NONE;
        return GABLE_OK;
    }
    if (wanted == GBL_PRECOND_ILU0 || wanted == GBL_PRECOND_IC0)
        return gbl_factor_make(solver);
    if (wanted != GBL_PRECOND_AUTO)
        return gbl_precondition_make(solver);

    solver->precond = GBL_PRECOND_NONE;
    TRY(gbl_sparse_statistics_get(ctx, solver->A));
    const gbl_sparse_statistics *known = &solver->A->statistics;
    if (known->hermitian ? !known->positive_diagonal : known->empty_diagonal > 0)
        return GABLE_OK;
    bool varies = false;
    solver->precond = GBL_PRECOND_JACOBI;
    TRY(gbl_precondition_make(solver));
    TRY(diagonal_varies(solver, &varies));
    if (varies)
        return GABLE_OK;
    gbl_precondition_free(solver);
    solver->precond = GBL_PRECOND_NONE;
    return GABLE_OK;
}

/* ---- The method ---- */

/* Hermitian with a positive diagonal: CG, which finds out whether the matrix is definite. Hermitian
 * otherwise: GMRES. The others: BiCGStab. Of an operator nothing is known: GMRES. */
static gable_status choose_method(gable_solver *solver)
{
    solver->method = solver->options.method;
    if (solver->method != GBL_METHOD_AUTO)
        return GABLE_OK;
    solver->method = GBL_METHOD_GMRES;
    if (solver->A == NULL)
        return GABLE_OK;
    TRY(gbl_sparse_statistics_get(solver->ctx, solver->A));
    const gbl_sparse_statistics *known = &solver->A->statistics;
    if (!known->hermitian)
        solver->method = GBL_METHOD_BICGSTAB;
    else if (known->positive_diagonal)
        solver->method = GBL_METHOD_CG;
    return GABLE_OK;
}

gable_status gbl_solver_prepare(gable_solver *solver)
{
    const unsigned version = solver->A != NULL ? atomic_load(&solver->A->version) : 0;
    TRY(choose_method(solver));
    if (solver->prepared && solver->version == version)
        return GABLE_OK;
    solver->version = version;
    struct gbl_factor *factor = solver->factor; /* its pattern serves other values */
    solver->factor = NULL;
    gbl_solver_unprepare(solver);
    solver->factor = factor;
    solver->ctx->depth++; /* also for those who prepare and do not solve */
    gable_status status = prepare_format(solver);
    if (status == GABLE_OK)
        status = prepare_precond(solver);
    solver->ctx->depth--;
    if (status != GABLE_OK)
        gbl_solver_unprepare(solver);
    solver->prepared = status == GABLE_OK;
    return status;
}

/* gmres_calls.c: GMRES(m) of BLAS calls, for the cpu: any operator, any preconditioner.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Tasks of the cpu run at once, so the few numbers are the host's: nothing waits for them.
 * Classical Gram-Schmidt, twice, by mdot and maxpy: one pass over the basis for each. Rules for
 * ends of cycles are those of kernels/solver/gmres_column.cl.
 */
#include <complex.h>
#undef complex /* a word of this library */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "blas/level1/level1.h"
#include "core/launch.h"
#include "sparse/solver/krylov_host.h"

#define ROUTINE "gable_solver_solve"

typedef double _Complex number;

typedef struct calls {
    gbl_solve *solve;
    gable_solver *solver;
    int64_t m;
    size_t column_bytes;
    char *V;           /* m + 1 columns */
    void *w;           /* a vector */
    char *h;           /* m + 1 elements, of the precision */
    number *H, *g, *s; /* the triangle, m + 1 apart; the rotated right-hand side; sines */
    double *c;         /* cosines */
    double eps;
} calls;

static char *column(const calls *at, int64_t j)
{
    return at->V + (size_t)j * at->column_bytes;
}

static number get(const calls *at, int64_t i)
{
    switch (at->solver->dtype) {
    case GBL_S:
        return (double)((const float *)at->h)[i];
    case GBL_D:
        return ((const double *)at->h)[i];
    case GBL_C: {
        const float *parts = (const float *)at->h + 2 * i;
        return (double)parts[0] + I * (double)parts[1];
    }
    default: {
        const double *parts = (const double *)at->h + 2 * i;
        return parts[0] + I * parts[1];
    }
    }
}

static void put(const calls *at, int64_t i, number value)
{
    const int reals = gbl_dtype_complex(at->solver->dtype) ? 2 : 1;
    const double parts[2] = {creal(value), cimag(value)};
    for (int part = 0; part < reals; part++) {
        if (gbl_dtype_real_bytes(at->solver->dtype) == 4)
            ((float *)at->h)[reals * i + part] = (float)parts[part];
        else
            ((double *)at->h)[reals * i + part] = parts[part];
    }
}

static gbl_vector_call call_of(const calls *at, void *x, void *y)
{
    return (gbl_vector_call){.dtype = at->solver->dtype,
                             .n = at->solver->n,
                             .x = x,
                             .incx = 1,
                             .y = y,
                             .incy = 1,
                             .ldx = at->solver->n,
                             .conj = gbl_dtype_complex(at->solver->dtype)};
}

static gable_status norm(const calls *at, void *x, double *result)
{
    float single = 0;
    const bool is_single = gbl_dtype_real_bytes(at->solver->dtype) == 4;
    gbl_vector_call call = call_of(at, x, NULL);
    call.result = is_single ? (void *)&single : (void *)result;
    TRY(gbl_nrm2(at->solver->ctx, ROUTINE, &call));
    if (is_single)
        *result = (double)single;
    return GABLE_OK;
}

static gable_status scale(const calls *at, double alpha, void *x)
{
    gbl_vector_call call = call_of(at, x, NULL);
    call.alpha.re = alpha;
    return gbl_scal(at->solver->ctx, ROUTINE, &call);
}

static gable_status add(const calls *at, double alpha, const void *x, double beta, void *y)
{
    gbl_vector_call call = call_of(at, (void *)(uintptr_t)x, y);
    call.alpha.re = alpha;
    call.beta.re = beta;
    return gbl_axpby(at->solver->ctx, ROUTINE, &call);
}

/* y += alpha V h over so many columns */
static gable_status combine(const calls *at, double alpha, int64_t columns, void *y)
{
    gbl_vector_call call = call_of(at, at->V, y);
    call.count = columns;
    call.alpha.re = alpha;
    call.values_at = at->h;
    return gbl_maxpy(at->solver->ctx, ROUTINE, &call);
}

/* h = V^H w, w -= V h, over so many columns */
static gable_status project(const calls *at, int64_t columns, void *w)
{
    gbl_vector_call call = call_of(at, at->V, w);
    call.count = columns;
    call.result = at->h;
    TRY(gbl_mdot(at->solver->ctx, ROUTINE, &call));
    return combine(at, -1, columns, w);
}

/* Column k of the basis, and column k - 1 of H, before rotations, in `into`. */
static gable_status step(const calls *at, int64_t k, number *into, double *beta)
{
    gable_solver *solver = at->solver;
    const void *v = column(at, k - 1);
    void *w = column(at, k);
    double first;
    if (solver->precond != GBL_PRECOND_NONE) {
        TRY(gbl_solver_precondition(solver, v, at->w));
        v = at->w;
    }
    TRY(gbl_solver_apply(solver, v, w));
    for (int64_t i = 0; i < k; i++)
        into[i] = 0;
    for (int twice = 0; twice < 2; twice++) {
        TRY(project(at, k, w));
        for (int64_t i = 0; i < k; i++)
            into[i] += get(at, i);
        if (twice == 0)
            TRY(norm(at, w, &first));
    }
    TRY(norm(at, w, beta));
    /* The second projection took most of it: what is left is rounding. */
    if (*beta < 0.5 * first)
        *beta = 0;
    return *beta > 0 && isfinite(*beta) ? scale(at, 1 / *beta, w) : GABLE_OK;
}

/* Rotates column k - 1 into the triangle. False: it is 0 there. */
static bool rotate(const calls *at, int64_t k, number *into, double beta, double size)
{
    for (int64_t i = 0; i + 1 < k; i++) {
        const number upper = into[i], lower = into[i + 1];
        into[i] = at->c[i] * upper + at->s[i] * lower;
        into[i + 1] = at->c[i] * lower - conj(at->s[i]) * upper;
    }
    const number last = into[k - 1];
    const double above = cabs(last), whole = hypot(above, beta);
    if (!(whole > at->eps * size))
        return false;
    at->c[k - 1] = above / whole;
    at->s[k - 1] = above > 0 ? last * (beta / whole / above) : 1;
    into[k - 1] = at->c[k - 1] * last + at->s[k - 1] * beta;
    at->g[k] = -conj(at->s[k - 1]) * at->g[k - 1];
    at->g[k - 1] *= at->c[k - 1];
    return true;
}

/* x += M^-1 V y */
static gable_status correct(const calls *at, int64_t columns)
{
    gable_solver *solver = at->solver;
    void *sum = column(at, 0);
    for (int64_t j = columns - 1; j >= 0; j--) {
        number left = at->g[j];
        for (int64_t l = j + 1; l < columns; l++)
            left -= at->H[l * (at->m + 1) + j] * at->g[l];
        at->g[j] = left / at->H[j * (at->m + 1) + j];
        put(at, j, at->g[j]);
    }
    if (columns == 0)
        return GABLE_OK;
    if (solver->precond == GBL_PRECOND_NONE)
        return combine(at, 1, columns, at->solve->x);
    TRY(gbl_fill_bytes(solver->ctx, at->w, 0, at->column_bytes));
    TRY(combine(at, 1, columns, at->w));
    TRY(gbl_solver_precondition(solver, at->w, sum));
    return add(at, 1, sum, 1, at->solve->x);
}

/* One cycle from column 0 of V, of length rr > target. */
static gable_status cycle(const calls *at, double start, gbl_round *round, bool *early, bool *go_on)
{
    gbl_solve *solve = at->solve;
    int64_t k = 0;
    *early = false;
    at->g[0] = start;
    TRY(scale(at, 1 / start, at->V));
    while (k < at->m && *go_on && !*early) {
        number *into = at->H + k * (at->m + 1);
        double beta, size = 0;
        TRY(step(at, k + 1, into, &beta));
        for (int64_t i = 0; i <= k; i++)
            size = hypot(size, cabs(into[i]));
        size = hypot(size, beta);
        if (!isfinite(size)) {
            round->outcome = GABLE_NOT_FINITE;
            *go_on = false;
            break;
        }
        *early = !(beta > 4 * at->eps * size);
        if (!rotate(at, k + 1, into, beta, size)) {
            *early = true;
            break;
        }
        k++;
        round->iterations++;
        round->recursive = cabs(at->g[k]);
        round->outcome = GABLE_ITERATION_LIMIT;
        *go_on = round->recursive > solve->target && solve->done + round->iterations < solve->limit;
        if (round->recursive <= solve->target)
            round->outcome = GABLE_SOLVED;
        if (!gbl_solver_tell(solve, round->iterations, round->recursive)) {
            round->outcome = GABLE_STOPPED;
            *go_on = false;
        }
    }
    return correct(at, k);
}

/* Column 0 of V := b - A x and its length. */
static gable_status residual(const calls *at, double *start)
{
    TRY(gbl_solver_apply(at->solver, at->solve->x, at->V));
    TRY(add(at, 1, at->solve->b, -1, at->V));
    return norm(at, at->V, start);
}

static gable_status run(const calls *at, gbl_round *round)
{
    bool go_on = true, early = false;
    double start = at->solve->norm_r, before = start, window = start;
    for (int64_t cycles = 0; go_on; cycles++) {
        if (cycles > 0) {
            before = start;
            TRY(residual(at, &start));
            round->recursive = start;
            round->outcome = GABLE_SOLVED;
            if (!isfinite(start))
                round->outcome = GABLE_NOT_FINITE;
            else if (early && start * start > GBL_GMRES_NO_PROGRESS * before * before)
                round->outcome = GABLE_BREAKDOWN;
            else if (cycles % GBL_GMRES_WINDOW == 0 &&
                     start * start > GBL_GMRES_NO_PROGRESS * window * window)
                round->outcome = GABLE_STAGNATED;
            if (round->outcome != GABLE_SOLVED || start <= at->solve->target)
                return GABLE_OK;
            if (cycles % GBL_GMRES_WINDOW == 0)
                window = start;
        }
        TRY(cycle(at, start, round, &early, &go_on));
    }
    return GABLE_OK;
}

static gable_status take(const calls *at, size_t bytes, void **address)
{
    gable_context *ctx = at->solver->ctx;
    return gbl_arena_take(ctx->arena, ctx->device, bytes, address, &ctx->message);
}

gable_status gbl_solve_gmres_calls(gbl_solve *solve, gbl_round *round)
{
    gable_solver *solver = solve->solver;
    calls at = {.solve = solve, .solver = solver, .m = solver->options.restart};
    at.m = at.m < solver->n ? at.m : solver->n;
    at.column_bytes = (size_t)solver->n * gbl_dtype_bytes(solver->dtype);
    at.eps = gbl_dtype_real_bytes(solver->dtype) == 4 ? 0x1p-24 : 0x1p-53;
    const size_t m = (size_t)at.m + 1;
    void *memory;
    TRY(take(&at, m * at.column_bytes, &memory));
    at.V = memory;
    TRY(take(&at, at.column_bytes, &at.w));
    TRY(take(&at, m * 16, &memory));
    at.h = memory;
    at.H = calloc(m * m + 3 * m, sizeof(number));
    if (at.H == NULL)
        return gbl_fail(&solver->ctx->message, GABLE_OUT_OF_MEMORY,
                        "no host memory for the Hessenberg matrix of gmres");
    at.g = at.H + m * m;
    at.s = at.g + m;
    at.c = (double *)(at.s + m);
    gable_status status = gbl_copy_on_device(solver->ctx, at.V, solve->r, at.column_bytes);
    if (status == GABLE_OK)
        status = run(&at, round);
    free(at.H);
    round->bytes = gbl_gmres_bytes(solver, at.m);
    return status;
}

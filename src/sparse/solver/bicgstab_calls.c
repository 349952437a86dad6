/* bicgstab_calls.c: BiCGStab of BLAS calls, for the cpu: any operator, any preconditioner.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Tasks of the cpu run at once, so the few numbers are the host's: nothing waits for them.
 * kernels/solver/bicgstab.h explains the method; its rules for ends are the same. x is copied where
 * its residual is the smallest so far, at most every KEEP_EVERY iterations.
 */
#include <complex.h>
#undef complex /* a word of this library */
#include <math.h>
#include "blas/level1/level1.h"
#include "core/launch.h"
#include "sparse/solver/krylov_host.h"

#define ROUTINE    "gable_solver_solve"
#define KEEP_EVERY 16

typedef double _Complex number;
typedef enum vector { P, V, S, T_, SHADOW, KEPT, P_HAT, S_HAT, VECTORS } vector;

typedef struct calls {
    gbl_solve *solve;
    gable_solver *solver;
    size_t bytes; /* of a vector */
    void *at[VECTORS];
    double eps, shadow;
    double kept; /* |r| of the x that is kept */
    number rho;
} calls;

static gbl_vector_call call_of(const calls *c, const void *x, void *y)
{
    return (gbl_vector_call){.dtype = c->solver->dtype,
                             .n = c->solver->n,
                             .x = (void *)(uintptr_t)x,
                             .incx = 1,
                             .y = y,
                             .incy = 1};
}

/* x^H y */
static gable_status dot(const calls *c, const void *x, void *y, number *result)
{
    double wide[2] = {0};
    float single[2] = {0};
    const bool is_single = gbl_dtype_real_bytes(c->solver->dtype) == 4;
    gbl_vector_call call = call_of(c, x, y);
    call.conj = gbl_dtype_complex(c->solver->dtype);
    call.result = is_single ? (void *)single : (void *)wide;
    TRY(gbl_dot(c->solver->ctx, ROUTINE, &call));
    *result = is_single ? (double)single[0] + I * (double)single[1] : wide[0] + I * wide[1];
    return GABLE_OK;
}

/* y := alpha x + beta y */
static gable_status add(const calls *c, number alpha, const void *x, number beta, void *y)
{
    gbl_vector_call call = call_of(c, x, y);
    call.alpha = (gbl_scalar){.re = creal(alpha), .im = cimag(alpha)};
    call.beta = (gbl_scalar){.re = creal(beta), .im = cimag(beta)};
    return gbl_axpby(c->solver->ctx, ROUTINE, &call);
}

static gable_status copy(const calls *c, const void *from, void *to)
{
    return gbl_copy_on_device(c->solver->ctx, to, from, c->bytes);
}

static bool is_finite(number a)
{
    return isfinite(creal(a)) && isfinite(cimag(a));
}

/* y := A M^-1 x; *hat is M^-1 x */
static gable_status product(const calls *c, void *x, void **hat, void *y)
{
    if (c->solver->precond != GBL_PRECOND_NONE)
        TRY(gbl_solver_precondition(c->solver, x, *hat));
    else
        *hat = x;
    return gbl_solver_apply(c->solver, *hat, y);
}

/* One iteration. *outcome stays -1 where the next may come. x and r are not touched where it breaks
 * down at once, and *rr is not: the iteration does not count then. */
static gable_status iterate(calls *c, double *rr, int *outcome)
{
    void *const *at = c->at, *r = c->solve->r;
    void *p_hat = at[P_HAT], *s_hat = at[S_HAT];
    const double target = c->solve->target * c->solve->target;
    number along, vv, ss, tt, ts, r0s, r0t, r_r;
    TRY(product(c, at[P], &p_hat, at[V]));
    TRY(dot(c, at[SHADOW], at[V], &along));
    TRY(dot(c, at[V], at[V], &vv));
    const number alpha = c->rho / along;
    if (!is_finite(alpha) || !(cabs(along) > c->eps * sqrt(c->shadow) * sqrt(creal(vv)))) {
        *outcome = is_finite(along) && is_finite(vv) ? GABLE_BREAKDOWN : GABLE_NOT_FINITE;
        return GABLE_OK;
    }
    TRY(copy(c, r, at[S]));
    TRY(add(c, -alpha, at[V], 1, at[S]));
    TRY(dot(c, at[S], at[S], &ss));
    TRY(dot(c, at[SHADOW], at[S], &r0s));
    TRY(product(c, at[S], &s_hat, at[T_]));
    TRY(dot(c, at[T_], at[T_], &tt));
    TRY(dot(c, at[T_], at[S], &ts));
    TRY(dot(c, at[SHADOW], at[T_], &r0t));
    const number omega = ts / creal(tt);
    const bool half = creal(ss) <= target || !is_finite(omega) ||
                      !(cabs(ts) > c->eps * sqrt(creal(tt) * creal(ss)));
    TRY(add(c, alpha, p_hat, 1, c->solve->x));
    TRY(copy(c, at[S], r));
    if (half) {
        *rr = creal(ss);
        *outcome = *rr <= target                          ? GABLE_SOLVED
                   : isfinite(creal(tt)) && isfinite(*rr) ? GABLE_BREAKDOWN
                                                          : GABLE_NOT_FINITE;
        return GABLE_OK;
    }
    TRY(add(c, omega, s_hat, 1, c->solve->x));
    TRY(add(c, -omega, at[T_], 1, r));
    TRY(dot(c, r, r, &r_r));
    *rr = creal(r_r);
    const number next = r0s - omega * r0t, beta = next * alpha / (c->rho * omega);
    c->rho = next;
    if (!isfinite(*rr) || !is_finite(next))
        *outcome = GABLE_NOT_FINITE;
    else if (*rr <= target)
        *outcome = GABLE_SOLVED;
    else if (!(cabs(next) > c->eps * sqrt(c->shadow * *rr)) || !is_finite(beta))
        *outcome = GABLE_BREAKDOWN;
    TRY(add(c, -omega, at[V], 1, at[P]));
    return add(c, 1, r, beta, at[P]);
}

/* From the residual in r, which is true. Adds to iterations of the round. */
static gable_status run(calls *c, gbl_round *round)
{
    gbl_solve *solve = c->solve;
    double rr = solve->norm_r * solve->norm_r, best = rr;
    int64_t best_at = round->iterations, kept_at = round->iterations;
    int outcome = -1;
    c->shadow = rr;
    c->rho = rr;
    c->kept = solve->norm_r;
    TRY(copy(c, solve->r, c->at[P]));
    TRY(copy(c, solve->r, c->at[SHADOW]));
    TRY(copy(c, solve->x, c->at[KEPT]));
    while (outcome < 0) {
        const double before = rr;
        rr = NAN;
        TRY(iterate(c, &rr, &outcome));
        if (outcome >= 0 && isnan(rr) && outcome != GABLE_NOT_FINITE) {
            rr = before; /* it broke down at once */
            break;
        }
        round->iterations++;
        if (rr < best) {
            best = rr;
            best_at = round->iterations;
        }
        if (rr < c->kept * c->kept && (outcome >= 0 || round->iterations - kept_at >= KEEP_EVERY)) {
            c->kept = sqrt(rr);
            kept_at = round->iterations;
            TRY(copy(c, solve->x, c->at[KEPT]));
        }
        if (outcome < 0 && solve->done + round->iterations >= solve->limit)
            outcome = GABLE_ITERATION_LIMIT;
        else if (outcome < 0 && round->iterations - best_at >= GBL_BICGSTAB_WAITING)
            outcome = GABLE_STAGNATED;
        if (!gbl_solver_tell(solve, round->iterations, sqrt(rr)))
            outcome = GABLE_STOPPED;
    }
    round->outcome = (gable_outcome)outcome;
    round->recursive = sqrt(rr);
    if (round->recursive <= c->kept)
        return GABLE_OK;
    round->recursive = c->kept;
    return copy(c, c->at[KEPT], solve->x);
}

gable_status gbl_solve_bicgstab_calls(gbl_solve *solve, gbl_round *round)
{
    gable_solver *solver = solve->solver;
    gable_context *ctx = solver->ctx;
    calls c = {.solve = solve, .solver = solver};
    c.bytes = (size_t)solver->n * gbl_dtype_bytes(solver->dtype);
    c.eps = gbl_dtype_real_bytes(solver->dtype) == 4 ? 0x1p-24 : 0x1p-53;
    for (int i = 0; i < VECTORS; i++)
        TRY(gbl_arena_take(ctx->arena, ctx->device, c.bytes, &c.at[i], &ctx->message));
    round->bytes = gbl_bicgstab_bytes(solver);
    for (int restarts = 0; restarts <= GBL_BICGSTAB_RESTARTS; restarts++) {
        const double before = solve->norm_r;
        const int64_t iterations = round->iterations;
        TRY(run(&c, round));
        if (round->outcome != GABLE_BREAKDOWN || round->iterations == iterations ||
            solve->done + round->iterations >= solve->limit)
            return GABLE_OK;
        TRY(gbl_krylov_residual(solve));
        if (!(solve->norm_r < before) || solve->norm_r <= solve->target)
            return GABLE_OK;
    }
    return GABLE_OK;
}

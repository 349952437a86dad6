/* cpu_bicgstab.c: stabilised biconjugate gradients on the cpu: two sweeps per iteration.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * van der Vorst (1992), preconditioned from the right. The first sweep makes s = r - alpha q and t
 * = A M^-1 s, the second
 *     x += alpha M^-1 p + omega M^-1 s;  r = s - omega t;  p = r + beta (p - omega q);
 *     q = A M^-1 p
 * with alpha = <r0, r> / <r0, q> and omega = <t, s> / <t, t>. beta needs the next <r0, r>, which is
 * <r0, s> - omega <r0, t>: both are summed up in the first sweep, so no sum has to be waited for in
 * between. alpha comes from sums of r and q themselves.
 *
 * s takes the place of r. Where <r0, r>, <r0, q> or omega get lost in rounding errors, the
 * iteration starts again with r as r0; where that does not help, as with skew-symmetric matrices,
 * of which all <r, A r> are 0, it is a breakdown.
 */
#include <float.h>
#include "cpu/cpu_krylov.h"

#define EPSILON (sizeof(R) == sizeof(float) ? (double)FLT_EPSILON : DBL_EPSILON)

/* The method's numbers in the state. */
enum { RHO = GBL_STATE_FIRST, SIGMA = RHO + 2, SHADOW = SIGMA + 2, QQ, KEPT };

typedef struct bicgstab {
    const gbl_cpu_solve_args *args;
    T *r0, *p, *q, *t;
    T *p_hat, *s_hat; /* M^-1 p, M^-1 s; without a preconditioner p and s */
    bool fresh, precond;
    double rr, shadow, qq; /* |r|^2, |r0|^2, |q|^2 */
    number rho, sigma;     /* <r0, r>, <r0, q> */
    number alpha, omega, beta;
    double sum[8];
} bicgstab;

static number number_at(const double *sum)
{
    return (number){sum[0], sum[1]};
}

/* ---- the first sweep: s and t ---- */

enum { SS, R0S, TS = R0S + 2, TT = TS + 2, R0T };

static void make_s(const member *m, void *method, int64_t begin, int64_t end)
{
    bicgstab *b = method;
    const T alpha = element_of((number){-b->alpha.re, -b->alpha.im});
    T *restrict r = (T *)b->args->r + begin;
    const T *restrict q = b->q + begin;
    for (int64_t i = 0; i < end - begin; i++)
        add_multiple(alpha, q + i, r + i);
    b->sum[SS] += square_sum(end - begin, r);
    add_dot(end - begin, b->r0 + begin, r, b->sum + R0S);
    if (b->precond)
        precondition(m->k, begin, end, r, b->s_hat + begin);
}

static void use_t(const member *m, void *method, int64_t begin, int64_t end, const T *sum)
{
    bicgstab *b = method;
    const krylov *k = m->k;
    const int64_t count = end - begin;
    T room[PLACES];
    put_rows(k, begin, end, sum, b->t);
    double st[2] = {0, 0}; /* <s, t>, of which <t, s> is the conjugate */
    b->sum[TT] += add_dots(count, at_places(k, begin, end, b->args->r, room), sum, st);
    b->sum[TS] += st[0];
    b->sum[TS + 1] -= st[1];
    add_dot(count, at_places(k, begin, end, b->r0, room), sum, b->sum + R0T);
}

/* ---- the second sweep: x, r, p and q ---- */

enum { RR, R0R, R0Q = R0R + 2, SQUARE_Q = R0Q + 2 };

/* x += alpha M^-1 p */
static void add_p(const bicgstab *b, int64_t begin, int64_t end)
{
    const T alpha = element_of(b->alpha);
    T *restrict x = (T *)b->args->x + begin;
    const T *restrict p_hat = b->p_hat + begin;
    for (int64_t i = 0; i < end - begin; i++)
        add_multiple(alpha, p_hat + i, x + i);
}

static void make_p(const member *m, void *method, int64_t begin, int64_t end)
{
    bicgstab *b = method;
    const int64_t count = end - begin;
    const number minus_omega = {-b->omega.re, -b->omega.im};
    const T omega = element_of(b->omega), less = element_of(minus_omega);
    const T beta = element_of(b->beta), both = element_of(times(b->beta, minus_omega));
    T *restrict x = (T *)b->args->x + begin, *restrict r = (T *)b->args->r + begin;
    T *restrict p = b->p + begin;
    const T *restrict q = b->q + begin, *restrict t = b->t + begin;
    add_p(b, begin, end);
    if (b->precond) {
        const T *restrict s_hat = b->s_hat + begin;
        for (int64_t i = 0; i < count; i++)
            add_multiple(omega, s_hat + i, x + i);
    } else {
        for (int64_t i = 0; i < count; i++)
            add_multiple(omega, r + i, x + i);
    }
    for (int64_t i = 0; i < count; i++)
        add_multiple(less, t + i, r + i);
    for (int64_t i = 0; i < count; i++) {
        T sum = r[i];
        add_multiple(beta, p + i, &sum);
        add_multiple(both, q + i, &sum);
        p[i] = sum;
    }
    b->sum[RR] += square_sum(count, r);
    add_dot(count, b->r0 + begin, r, b->sum + R0R);
    if (b->precond)
        precondition(m->k, begin, end, p, b->p_hat + begin);
}

/* r0 := r; p := r */
static void start(const member *m, void *method, int64_t begin, int64_t end)
{
    bicgstab *b = method;
    const T *r = (const T *)b->args->r + begin;
    const size_t bytes = (size_t)(end - begin) * sizeof(T);
    memcpy(b->r0 + begin, r, bytes);
    memcpy(b->p + begin, r, bytes);
    const double rr = square_sum(end - begin, r);
    b->sum[RR] += rr;
    b->sum[R0R] += rr;
    if (b->precond)
        precondition(m->k, begin, end, r, b->p_hat + begin);
}

static void use_q(const member *m, void *method, int64_t begin, int64_t end, const T *sum)
{
    bicgstab *b = method;
    T room[PLACES];
    put_rows(m->k, begin, end, sum, b->q);
    b->sum[SQUARE_Q] +=
        add_dots(end - begin, at_places(m->k, begin, end, b->r0, room), sum, b->sum + R0Q);
}

/* ---- iterations ---- */

static void run_pass(member *m, bicgstab *b, const sweep *pass, int sums, double *result)
{
    memset(b->sum, 0, sizeof b->sum);
    run_sweep(m, pass, b);
    add_up(m, sums, b->sum);
    memcpy(result, b->sum, sizeof b->sum);
}

static void run_second(member *m, bicgstab *b,
                       void (*change)(const member *m, void *method, int64_t begin, int64_t end))
{
    const sweep pass = {b->p_hat, b->q, change, use_q};
    double sum[8];
    run_pass(m, b, &pass, SQUARE_Q + 1, sum);
    b->rr = sum[RR];
    b->rho = number_at(sum + R0R);
    b->sigma = number_at(sum + R0Q);
    b->qq = sum[SQUARE_Q];
    if (change == start)
        b->shadow = b->rr;
}

static bool is_solved(const bicgstab *b, double rr)
{
    return rr <= b->args->target * b->args->target;
}

/* The first sweep and what follows from its sums. Says the outcome, or -1; *lost: start again. */
static int run_first(member *m, bicgstab *b, bool *lost)
{
    const sweep pass = {b->s_hat, b->t, make_s, use_t};
    double sum[8];
    run_pass(m, b, &pass, R0T + 2, sum);
    const double ss = sum[SS], tt = sum[TT];
    const number ts = number_at(sum + TS);
    if (!isfinite(ss))
        return GABLE_NOT_FINITE;
    *lost = magnitude(ts) <= EPSILON * sqrt(tt) * sqrt(ss);
    b->omega = *lost ? (number){0, 0} : (number){ts.re / tt, ts.im / tt};
    if (is_solved(b, ss)) { /* half an iteration was enough */
        for (int64_t i = m->begin; i < m->end; i += m->k->block)
            add_p(b, i, block_end(m->k, i, m->end));
        b->rr = ss;
        return GABLE_SOLVED;
    }
    if (!isfinite(tt) || !is_finite(ts) || !is_finite(b->omega))
        return GABLE_NOT_FINITE;
    const number next = minus(number_at(sum + R0S), times(b->omega, number_at(sum + R0T)));
    b->beta = *lost ? (number){0, 0} : times(over(next, b->rho), over(b->alpha, b->omega));
    return is_finite(b->beta) ? -1 : GABLE_NOT_FINITE;
}

static void put_state(const bicgstab *b, double *state, int outcome, int64_t iteration)
{
    state[GBL_STATE_OUTCOME] = outcome;
    state[GBL_STATE_ITERATION] = (double)iteration;
    state[GBL_STATE_RR] = b->rr;
    state[RHO] = b->rho.re;
    state[RHO + 1] = b->rho.im;
    state[SIGMA] = b->sigma.re;
    state[SIGMA + 1] = b->sigma.im;
    state[SHADOW] = b->shadow;
    state[QQ] = b->qq;
    if (iteration > 0)
        state[GBL_STATE_HISTORY + (iteration - 1) % GBL_HISTORY] = b->rr;
}

/* What r says, before alpha is made. */
static int outcome_of(const bicgstab *b)
{
    if (!isfinite(b->rr))
        return GABLE_NOT_FINITE;
    if (is_solved(b, b->rr))
        return GABLE_SOLVED;
    return is_finite(b->rho) && is_finite(b->sigma) && isfinite(b->qq) ? -1 : GABLE_NOT_FINITE;
}

/* Whether alpha would be made of rounding errors, or of nothing. */
static bool is_lost(const bicgstab *b)
{
    return magnitude(b->rho) <= EPSILON * sqrt(b->shadow) * sqrt(b->rr) ||
           magnitude(b->sigma) <= EPSILON * sqrt(b->shadow) * sqrt(b->qq) ||
           !is_finite(over(b->rho, b->sigma));
}

static void iterate(member *m, void *method)
{
    bicgstab own = *(const bicgstab *)method, *b = &own;
    double *state = b->args->state;
    int64_t iteration = (int64_t)state[GBL_STATE_ITERATION];
    bool fresh = b->fresh, lost = false;
    int outcome = -1;
    if (fresh) {
        run_second(m, b, start);
        outcome = outcome_of(b);
    }
    for (int64_t left = b->args->iterations; left > 0 && outcome < 0; left--) {
        if (!fresh && (lost || is_lost(b))) {
            run_second(m, b, start);
            fresh = true;
        }
        b->alpha = over(b->rho, b->sigma);
        if (is_lost(b)) {
            outcome = GABLE_BREAKDOWN;
            break;
        }
        outcome = run_first(m, b, &lost);
        if (outcome < 0) {
            run_second(m, b, make_p);
            outcome = outcome_of(b);
        }
        fresh = false;
        iteration++;
        if (m->thread == 0)
            put_state(b, state, outcome, iteration);
    }
    if (m->thread == 0)
        put_state(b, state, outcome, iteration);
}

/* gbl_cpu_sbicgstab gbl_cpu_dbicgstab gbl_cpu_cbicgstab gbl_cpu_zbicgstab */
GBL_CPU_TASK(PRIVATE(bicgstab))
{
    (void)queue, (void)stream, (void)message;
    const gbl_cpu_solve_args *call = args;
    double *state = call->state;
    if (state[GBL_STATE_OUTCOME] >= 0 || call->A.rows <= 0)
        return GABLE_OK;
    krylov k = krylov_of(call);
    const int64_t room = vector_room(k.n);
    T *work = call->work;
    const bool precond = has_precond(&k);
    bicgstab b = {.args = call,
                  .r0 = work,
                  .p = work + room,
                  .q = work + 2 * room,
                  .t = work + 3 * room,
                  .p_hat = work + (precond ? 4 : 1) * room,
                  .s_hat = precond ? work + 5 * room : call->r,
                  .fresh = state[GBL_STATE_ITERATION] == 0,
                  .precond = precond,
                  .rr = state[GBL_STATE_RR],
                  .shadow = state[SHADOW],
                  .qq = state[QQ],
                  .rho = {state[RHO], state[RHO + 1]},
                  .sigma = {state[SIGMA], state[SIGMA + 1]}};
    T *bands = work + (precond ? 6 : 4) * room;
    k.part = FEW_SUMS;
    k.parts = (double *)(bands + call->bands.count * room);
    set_bands(&k, bands, b.fresh, &state[KEPT]);
    run_team(&k, iterate, &b);
    return GABLE_OK;
}

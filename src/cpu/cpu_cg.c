/* cpu_cg.c: conjugate gradients on the cpu, pipelined: one sweep per iteration.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * After Chronopoulos and Gear (1989). With z = M^-1 r, q = A p and alpha = <r, z> / <p, q> the next
 * <r, z> is alpha^2 <q, M^-1 q> - <r, z>, because <z, q> = <p, q>. So beta is known before r is,
 * and one sweep does
 *     x += alpha p;  r -= alpha q;  p = z + beta p;  q = A p
 * with the sums <r, r>, <r, z>, <p, q> and <q, M^-1 q>. alpha always comes from sums that were
 * computed; only beta is predicted. Where r shrinks much in one step the difference cancels: there
 * the iteration is split, r first, then p with beta from the computed sums (SPLIT_BELOW). So is an
 * iteration that sums foretell to be the last: its p and q would be for nobody.
 *
 * x is read and written every second iteration: p_i can be had from p_{i+1} = z_{i+1} + beta_i p_i
 * when x catches up. Rounding errors of p_{i+1} are divided by beta_i then, so x does not wait
 * where beta is small (WAIT_ABOVE).
 *
 * All scalars are real, so complex vectors are updated as twice as many real numbers.
 */
#include "cpu/cpu_krylov.h"

/* The prediction has an error of some eps <r, z>. At a hundredth it still has 5 good digits in
 * single precision. */
#define SPLIT_BELOW 0.01
/* An error of 10 eps |z| in an x that moves by about |z| in this iteration. */
#define WAIT_ABOVE 0.1
/* <p, q> counts as not real from there on. Rounding makes imaginary parts, too, of ill-conditioned
 * matrices. */
#define NOT_REAL 0.1
/* A sum of 0 says nothing of the matrix where <q, M^-1 q> is below this one: squares may have
 * become 0. */
#define TINY 1e-290

/* The method's numbers in the state. */
enum { RZ = GBL_STATE_FIRST, PQ, PQ_IM, QQ, KEPT, RQ, Q2 };
enum { SUMS = 7 };

typedef enum x_step { X_WAITS, X_ONE, X_TWO } x_step;

/* One thread's view. */
typedef struct cg {
    const gbl_cpu_solve_args *args;
    T *p, *q;
    bool fresh, precond;
    double rr, rz, pq, pq_im, qq; /* of all threads, after an iteration */
    double rq, q2;                /* <r, q> and <q, q>, with a preconditioner only */
    double sum[SUMS];             /* rr rz pq pq_im qq rq q2 of the thread's rows */
    x_step step;
    R alpha, beta; /* of this iteration */
    R now, before; /* x += now p - before z */
    bool keep_p;   /* p is not to be made yet */
} cg;

/* ---- updates ---- */

/* The heart, without a preconditioner: n real numbers; returns <r, r>. */
INLINED double update_reals(x_step step, const cg *s, int64_t n, R *restrict x, R *restrict r,
                            R *restrict p, const R *restrict q)
{
    enum { DEEP = 4 };
    const pack less = pack_of(-s->alpha), beta = pack_of(s->beta);
    const pack now = pack_of(s->now), before = pack_of(-s->before);
    pack lane[DEEP] = {{0}};
    int64_t i = 0;
    for (; i + DEEP * PACK <= n; i += DEEP * PACK) {
        for (int d = 0; d < DEEP; d++) {
            const int64_t at = i + d * PACK;
            const pack old = pack_at(r + at), direction = pack_at(p + at);
            const pack next = pack_multiply_add(less, pack_at(q + at), old);
            if (step == X_ONE)
                *(pack *)(x + at) = pack_multiply_add(now, direction, pack_at(x + at));
            if (step == X_TWO)
                *(pack *)(x + at) = pack_multiply_add(
                    before, old, pack_multiply_add(now, direction, pack_at(x + at)));
            *(pack *)(r + at) = next;
            *(pack *)(p + at) = pack_multiply_add(beta, direction, next);
            lane[d] = pack_multiply_add(next, next, lane[d]);
        }
    }
    double sum = pack_sum((lane[0] + lane[1]) + (lane[2] + lane[3]));
    for (; i < n; i++) {
        const R old = r[i], direction = p[i], next = old - s->alpha * q[i];
        if (step == X_ONE)
            x[i] += s->now * direction;
        if (step == X_TWO)
            x[i] += s->now * direction - s->before * old;
        r[i] = next;
        p[i] = next + s->beta * direction;
        sum += (double)next * next;
    }
    return sum;
}

/* p := z + beta p; adds <r, z>. */
static void make_p(cg *s, const krylov *k, int64_t begin, int64_t end)
{
    const int64_t count = end - begin;
    const T *r = (const T *)s->args->r + begin;
    T made[PLACES];
    const T *z = r;
    if (s->precond) {
        precondition(k, begin, end, r, made);
        z = made;
    }
    double rz[2] = {0, 0};
    add_dot(count, r, z, rz);
    s->sum[1] += rz[0];
    if (s->keep_p)
        return;
    R *p = (R *)(s->p + begin);
    for (int64_t i = 0; i < REALS * count; i++)
        p[i] = ((const R *)z)[i] + s->beta * p[i];
}

#if !COMPLEX
/* The same as update_reals with Jacobi: x, r and p in one pass, and <r, z>. */
INLINED void update_jacobi(x_step step, cg *s, int64_t n, R *restrict x, R *restrict r,
                           R *restrict p, const R *restrict q, const R *restrict inverse)
{
    enum { DEEP = 2 };
    const pack less = pack_of(-s->alpha), beta = pack_of(s->beta);
    const pack now = pack_of(s->now), before = pack_of(-s->before);
    pack rr[DEEP] = {{0}}, rz[DEEP] = {{0}};
    int64_t i = 0;
    for (; i + DEEP * PACK <= n; i += DEEP * PACK)
        for (int d = 0; d < DEEP; d++) {
            const int64_t at = i + d * PACK;
            const pack old = pack_at(r + at), direction = pack_at(p + at);
            const pack scale = pack_at(inverse + at);
            const pack next = pack_multiply_add(less, pack_at(q + at), old), z = scale * next;
            if (step == X_ONE)
                *(pack *)(x + at) = pack_multiply_add(now, direction, pack_at(x + at));
            if (step == X_TWO)
                *(pack *)(x + at) = pack_multiply_add(
                    before, scale * old, pack_multiply_add(now, direction, pack_at(x + at)));
            *(pack *)(r + at) = next;
            *(pack *)(p + at) = pack_multiply_add(beta, direction, z);
            rr[d] = pack_multiply_add(next, next, rr[d]);
            rz[d] = pack_multiply_add(next, z, rz[d]);
        }
    s->sum[0] += pack_sum(rr[0] + rr[1]);
    s->sum[1] += pack_sum(rz[0] + rz[1]);
    for (; i < n; i++) {
        const R old = r[i], direction = p[i], next = old - s->alpha * q[i], z = inverse[i] * next;
        if (step == X_ONE)
            x[i] += s->now * direction;
        if (step == X_TWO)
            x[i] += s->now * direction - s->before * (inverse[i] * old);
        r[i] = next;
        p[i] = z + s->beta * direction;
        s->sum[0] += (double)next * next;
        s->sum[1] += (double)next * z;
    }
}
#endif

static void update_preconditioned(cg *s, const krylov *k, int64_t begin, int64_t end)
{
    const int64_t reals = REALS * (end - begin);
    R *x = (R *)((T *)s->args->x + begin), *r = (R *)((T *)s->args->r + begin);
    const R *p = (const R *)(s->p + begin), *q = (const R *)(s->q + begin);
    T made[PLACES];
    const R *z = r;
    if (s->step == X_TWO && s->precond) {
        precondition(k, begin, end, (const T *)r, made);
        z = (const R *)made;
    }
    if (s->step == X_ONE) {
        for (int64_t i = 0; i < reals; i++)
            x[i] += s->now * p[i];
    } else if (s->step == X_TWO) {
        for (int64_t i = 0; i < reals; i++)
            x[i] += s->now * p[i] - s->before * z[i];
    }
    for (int64_t i = 0; i < reals; i++)
        r[i] -= s->alpha * q[i];
    s->sum[0] += dot_reals(reals, r, r);
    make_p(s, k, begin, end);
}

/* Rows [begin, end) of x, r and p. */
static void update(const member *m, void *method, int64_t begin, int64_t end)
{
    cg *s = method;
#if !COMPLEX
    if (s->args->precond == GBL_CPU_PRECOND_JACOBI && !s->keep_p) {
        R *at_x = (R *)s->args->x + begin, *at_r = (R *)s->args->r + begin;
        const R *inverse = (const R *)s->args->inverse + begin;
        if (s->step == X_WAITS)
            update_jacobi(X_WAITS, s, end - begin, at_x, at_r, s->p + begin, s->q + begin, inverse);
        else if (s->step == X_ONE)
            update_jacobi(X_ONE, s, end - begin, at_x, at_r, s->p + begin, s->q + begin, inverse);
        else
            update_jacobi(X_TWO, s, end - begin, at_x, at_r, s->p + begin, s->q + begin, inverse);
        return;
    }
#endif
    if (s->precond || s->keep_p) {
        update_preconditioned(s, m->k, begin, end);
        return;
    }
    const int64_t reals = REALS * (end - begin);
    R *x = (R *)((T *)s->args->x + begin), *r = (R *)((T *)s->args->r + begin);
    R *p = (R *)(s->p + begin);
    const R *q = (const R *)(s->q + begin);
    double sum;
    if (s->step == X_WAITS)
        sum = update_reals(X_WAITS, s, reals, x, r, p, q);
    else if (s->step == X_ONE)
        sum = update_reals(X_ONE, s, reals, x, r, p, q);
    else
        sum = update_reals(X_TWO, s, reals, x, r, p, q);
    s->sum[0] += sum;
    s->sum[1] += sum;
}

/* The start of a round: p := z. */
static void start(const member *m, void *method, int64_t begin, int64_t end)
{
    cg *s = method;
    const T *r = (const T *)s->args->r + begin;
    T *p = s->p + begin;
    precondition(m->k, begin, end, r, p);
    double rz[2] = {0, 0};
    add_dot(end - begin, r, p, rz);
    s->sum[0] += square_sum(end - begin, r);
    s->sum[1] += rz[0];
}

/* The second half of an iteration that is split. */
static void update_p(const member *m, void *method, int64_t begin, int64_t end)
{
    make_p(method, m->k, begin, end);
}

/* ---- products ---- */

#if !COMPLEX
/* pq, qq, rq and q2 of some rows, for Jacobi, in one pass. */
static void add_jacobi_sums(int64_t count, const R *p, const R *q, const R *inverse, const R *r,
                            double *sum)
{
    enum { DEEP = 2 };
    pack pq[DEEP] = {{0}}, qq[DEEP] = {{0}}, rq[DEEP] = {{0}}, q2[DEEP] = {{0}};
    int64_t i = 0;
    for (; i + DEEP * PACK <= count; i += DEEP * PACK)
        for (int d = 0; d < DEEP; d++) {
            const int64_t at = i + d * PACK;
            const pack here = pack_at(q + at), square = here * here;
            pq[d] = pack_multiply_add(pack_at(p + at), here, pq[d]);
            rq[d] = pack_multiply_add(pack_at(r + at), here, rq[d]);
            qq[d] = pack_multiply_add(pack_at(inverse + at), square, qq[d]);
            q2[d] += square;
        }
    sum[2] += pack_sum(pq[0] + pq[1]);
    sum[4] += pack_sum(qq[0] + qq[1]);
    sum[5] += pack_sum(rq[0] + rq[1]);
    sum[6] += pack_sum(q2[0] + q2[1]);
    for (; i < count; i++) {
        const double here = q[i];
        sum[2] += p[i] * here;
        sum[4] += inverse[i] * here * here;
        sum[5] += r[i] * here;
        sum[6] += here * here;
    }
}
#endif

/* q := A p, and its sums. */
static void use_product(const member *m, void *method, int64_t begin, int64_t end, const T *sum)
{
    cg *s = method;
    const krylov *k = m->k;
    const int64_t count = end - begin;
    T room[PLACES];
    put_rows(k, begin, end, sum, s->q);
#if !COMPLEX
    if (order_of(k) == NULL && k->args->precond == GBL_CPU_PRECOND_JACOBI) {
        add_jacobi_sums(count, s->p + begin, sum, (const T *)s->args->inverse + begin,
                        (const T *)s->args->r + begin, s->sum);
        return;
    }
#endif
    const double qq = add_dots(count, at_places(k, begin, end, s->p, room), sum, s->sum + 2);
    if (!s->precond) {
        s->sum[4] += qq;
        return;
    }
    double rq[2] = {0, 0};
    add_dot(count, at_places(k, begin, end, s->args->r, room), sum, rq);
    s->sum[5] += rq[0];
    s->sum[6] += qq;
    if (order_of(k) == NULL) {
        double qz[2] = {0, 0};
        precondition(k, begin, end, sum, room);
        add_dot(count, sum, room, qz);
        s->sum[4] += qz[0];
    }
}

/* <q, M^-1 q> where rows were multiplied out of order. */
static void add_late_sums(member *m, cg *s)
{
    const krylov *k = m->k;
    if (!s->precond || order_of(k) == NULL)
        return;
    meet(m);
    for (int64_t i = m->begin; i < m->end; i += k->block) {
        const int64_t last = block_end(k, i, m->end);
        T z[PLACES];
        double qz[2] = {0, 0};
        precondition(k, i, last, s->q + i, z);
        add_dot(last - i, s->q + i, z, qz);
        s->sum[4] += qz[0];
    }
}

/* ---- iterations ---- */

static void run_pass(member *m, cg *s,
                     void (*change)(const member *m, void *method, int64_t begin, int64_t end))
{
    const sweep pass = {s->p, s->q, change, use_product};
    run_sweep(m, &pass, s);
    add_late_sums(m, s);
    add_up(m, SUMS, s->sum);
    s->rr = s->sum[0];
    s->rz = s->sum[1];
    s->pq = s->sum[2];
    s->pq_im = s->sum[3];
    s->qq = s->sum[4];
    s->rq = s->sum[5];
    s->q2 = s->sum[6];
    memset(s->sum, 0, sizeof s->sum);
}

/* |r|^2 after the next step, as the sums foretell it: |r - alpha q|^2. */
static double foreseen_rr(const cg *s, double alpha, double next_rz)
{
    return s->precond ? s->rr - 2 * alpha * s->rq + alpha * alpha * s->q2 : next_rz;
}

/* r first, then p. */
static void run_split(member *m, cg *s)
{
    const double rz_before = s->rz;
    s->keep_p = true;
    for (int64_t i = m->begin; i < m->end; i += m->k->block)
        update(m, s, i, block_end(m->k, i, m->end));
    s->keep_p = false;
    add_up(m, 2, s->sum);
    const double rr = s->sum[0], rz = s->sum[1];
    s->beta = (R)(rz / rz_before);
    memset(s->sum, 0, sizeof s->sum);
    if (rr <= s->args->target * s->args->target) {
        s->rr = rr; /* the last one: nobody needs p and its product */
        s->rz = rz;
        return;
    }
    run_pass(m, s, update_p);
    s->rr = rr;
}

/* x catches up: x += alpha p_i, where p holds z + beta p_i. */
static void catch_up(const member *m, const cg *s)
{
    const krylov *k = m->k;
    const R multiple = s->alpha / s->beta;
    for (int64_t i = m->begin; i < m->end; i += k->block) {
        const int64_t last = block_end(k, i, m->end);
        T made[PLACES];
        precondition(k, i, last, (const T *)s->args->r + i, made);
        const R *z = (const R *)made, *p = (const R *)(s->p + i);
        R *x = (R *)((T *)s->args->x + i);
        for (int64_t l = 0; l < REALS * (last - i); l++)
            x[l] += multiple * (p[l] - z[l]);
    }
}

/* What the sums say; -1: go on. */
static int outcome_of(const cg *s)
{
    const double target = s->args->target;
    if (!isfinite(s->rr) || !isfinite(s->rz))
        return GABLE_NOT_FINITE;
    if (s->rr <= target * target)
        return GABLE_SOLVED;
    if (!isfinite(s->pq) || !isfinite(s->pq_im) || !isfinite(s->qq))
        return GABLE_NOT_FINITE;
    if ((s->pq == 0 || s->rz == 0) && s->qq < TINY)
        return GABLE_BREAKDOWN;
    if (s->pq <= 0 || s->rz <= 0 || fabs(s->pq_im) > NOT_REAL * s->pq)
        return GABLE_NOT_DEFINITE;
    return isfinite((R)(s->rz / s->pq)) ? -1 : GABLE_BREAKDOWN;
}

static void put_state(const cg *s, double *state, int outcome, int64_t iteration)
{
    state[GBL_STATE_OUTCOME] = outcome;
    state[GBL_STATE_ITERATION] = (double)iteration;
    state[GBL_STATE_RR] = s->rr;
    state[RZ] = s->rz;
    state[PQ] = s->pq;
    state[PQ_IM] = s->pq_im;
    state[QQ] = s->qq;
    state[RQ] = s->rq;
    state[Q2] = s->q2;
    if (iteration > 0)
        state[GBL_STATE_HISTORY + (iteration - 1) % GBL_HISTORY] = s->rr;
}

/* All iterations of a task, by one thread of the team. */
static void iterate(member *m, void *method)
{
    cg own = *(const cg *)method, *s = &own;
    double *state = s->args->state;
    int64_t iteration = (int64_t)state[GBL_STATE_ITERATION];
    int outcome = -1;
    if (s->fresh) {
        run_pass(m, s, start);
        outcome = outcome_of(s);
    }
    R waiting = 0; /* alpha of the x that waits, over its beta */
    bool waits = false;
    for (int64_t left = s->args->iterations; left > 0 && outcome < 0; left--) {
        const double alpha = s->rz / s->pq, next = alpha * alpha * s->qq - s->rz;
        const double target = s->args->target * s->args->target;
        const bool split = !(next > SPLIT_BELOW * s->rz) || foreseen_rr(s, alpha, next) <= target;
        s->alpha = (R)alpha;
        s->beta = (R)(next / s->rz);
        s->step = waits ? X_TWO : X_ONE;
        if (!waits && !split && left > 1 && s->beta > (R)WAIT_ABOVE &&
            s->args->precond != GBL_CPU_PRECOND_BLOCK)
            s->step = X_WAITS;
        s->now = waits ? s->alpha + waiting : s->alpha;
        s->before = waiting;
        waits = s->step == X_WAITS;
        waiting = waits ? s->alpha / s->beta : 0;
        if (split)
            run_split(m, s);
        else
            run_pass(m, s, update);
        iteration++;
        outcome = outcome_of(s);
        if (m->thread == 0)
            put_state(s, state, outcome, iteration);
    }
    if (waits && outcome != GABLE_NOT_FINITE)
        catch_up(m, s);
    if (m->thread == 0)
        put_state(s, state, outcome, iteration);
}

/* gbl_cpu_scg_work gbl_cpu_dcg_work gbl_cpu_ccg_work gbl_cpu_zcg_work: p, q and the sums of
 * threads */
size_t PRIVATE(cg_work)(int64_t n)
{
    return (size_t)(2 * vector_room(n)) * sizeof(T) +
           (size_t)(2 * GBL_CPU_MAX_PIECES * FEW_SUMS) * sizeof(double);
}

/* gbl_cpu_scg gbl_cpu_dcg gbl_cpu_ccg gbl_cpu_zcg */
GBL_CPU_TASK(PRIVATE(cg))
{
    (void)queue, (void)stream, (void)message;
    const gbl_cpu_solve_args *call = args;
    double *state = call->state;
    if (state[GBL_STATE_OUTCOME] >= 0 || call->A.rows <= 0)
        return GABLE_OK;
    krylov k = krylov_of(call);
    const int64_t room = vector_room(k.n);
    T *p = call->work;
    cg s = {.args = call,
            .p = p,
            .q = p + room,
            .fresh = state[GBL_STATE_ITERATION] == 0,
            .precond = has_precond(&k),
            .rr = state[GBL_STATE_RR],
            .rz = state[RZ],
            .pq = state[PQ],
            .pq_im = state[PQ_IM],
            .qq = state[QQ],
            .rq = state[RQ],
            .q2 = state[Q2]};
    T *bands = p + 2 * room;
    k.part = FEW_SUMS;
    k.parts = (double *)(call->bands_at != NULL ? bands : bands + call->bands.count * room);
    if (call->early)
        k.lag = (k.n + k.align - 1) / k.align * k.align;
    else
        set_bands(&k, bands, s.fresh, &state[KEPT]);
    run_team(&k, iterate, &s);
    return GABLE_OK;
}

/* cpu_gmres.c: restarted GMRES on the cpu, preconditioned from the right.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A step reads the basis twice. The product w = A M^-1 v_j is made by blocks of rows, and each
 * block is multiplied with all basis vectors at once (classical Gram-Schmidt). When the sums are
 * known, a second pass takes the basis out of w, and multiplies the result with the basis again
 * while the block is in the cache: these sums are what is left of the basis in w, known for
 * nothing. If it is more than rounding leaves of a vector of that length (REST), it is taken out in
 * a third pass; "twice is enough" (Giraud, Langou and Rozloznik, 2005). So the basis is orthogonal
 * to working precision.
 *
 * Basis vectors stay as long as they came out; their scales are kept beside them, which saves a
 * pass. Rotations make the residual's norm known at every step, and the cycle ends where it is
 * small enough. x moves at the end of a cycle, and r = b - A x is computed anew in the same sweep.
 */
#include <float.h>

/* Rows per block of basis vectors; see cpu_mdot.c. */
#define ROWS ((int64_t)((COMPLEX ? 1024 : 2048) / sizeof(T)))

#include "cpu/cpu_columns.h"
#include "cpu/cpu_krylov.h"

#define EPSILON (sizeof(R) == sizeof(float) ? (double)FLT_EPSILON : DBL_EPSILON)
#define REST    16 /* times EPSILON */

/* The method's numbers in the state. */
enum { STEP = GBL_STATE_FIRST, KEPT };

typedef struct gmres {
    const gbl_cpu_solve_args *args;
    int64_t restart, room;
    bool fresh, precond;
    T *V; /* restart + 1 columns, room apart */
    T *z; /* M^-1 v */
    /* Of the cycle, in the work memory: written by thread 0, between meetings. */
    number *H;                /* column j at j * (restart + 1), triangular as far as it has come */
    number *g, *sine;         /* right-hand side; rotations */
    double *cosine, *scale;   /* rotations; 1 / |v_j| */
    double sum0;              /* |r|^2 of a thread's rows */
    double *sums;             /* of a thread: products with the basis, and a square */
    int64_t j;                /* step of the cycle */
    T *y;                     /* coefficients of the basis; likewise */
    const T *columns_of_step; /* the basis vector that is multiplied */
} gmres;

/* ---- blocks of the basis ---- */

/* sums := products of columns [0, count) with w, for a block of rows; adds. */
static void add_basis_products(const gmres *s, int64_t count, int64_t begin, int64_t end,
                               const T *w, double *sums)
{
    block b;
    for (int64_t i = begin; i < end; i += ROWS) {
        const int64_t rows = end - i < ROWS ? end - i : ROWS;
        take_block(rows, w + i, 1, true, &b);
        add_products(count, rows, s->V + i, s->room, &b, (partial *)sums);
    }
}

/* w += the basis times coefficients, for at most ROWS rows from i on. */
static void add_basis(const gmres *s, int64_t count, int64_t i, int64_t rows, const T *coefficient,
                      T *w)
{
#if COMPLEX
    R u[2 * ROWS], v[2 * ROWS];
    const target into = {u, v};
    memset(u, 0, (size_t)rows * sizeof(T));
    memset(v, 0, (size_t)rows * sizeof(T));
#else
    const target into = {w, NULL};
#endif
    for (int64_t c = 0; c < count; c += TOGETHER) {
        const int columns = count - c < TOGETHER ? (int)(count - c) : TOGETHER;
        add_columns(columns, rows, coefficient + c, s->V + i + c * s->room, s->room, &into);
    }
#if COMPLEX
    for (int64_t l = 0; l < rows; l++) {
        w[l].re += u[2 * l] - v[2 * l + 1];
        w[l].im += u[2 * l + 1] + v[2 * l];
    }
#endif
}

/* ---- a step ---- */

static void make_z(const member *m, void *method, int64_t begin, int64_t end)
{
    gmres *s = method;
    precondition(m->k, begin, end, s->columns_of_step + begin, s->z + begin);
}

static void keep_z(const member *m, void *method, int64_t begin, int64_t end)
{
    (void)m, (void)method, (void)begin, (void)end;
}

/* w := A z, scaled, and its products with the basis. */
static void use_w(const member *m, void *method, int64_t begin, int64_t end, const T *sum)
{
    gmres *s = method;
    T *w = s->V + (s->j + 1) * s->room, scaled[PLACES];
    const R scale = (R)s->scale[s->j];
    for (int64_t i = 0; i < REALS * (end - begin); i++)
        ((R *)scaled)[i] = scale * ((const R *)sum)[i];
    put_rows(m->k, begin, end, scaled, w);
    if (order_of(m->k) == NULL)
        add_basis_products(s, s->j + 1, begin, end, w, s->sums);
}

static void multiply(member *m, gmres *s)
{
    const int64_t count = s->j + 1;
    const T *v = s->V + s->j * s->room;
    s->columns_of_step = v;
    memset(s->sums, 0, (size_t)(2 * count + 1) * sizeof *s->sums);
    if (s->precond) {
        const sweep pass = {s->z, NULL, make_z, use_w};
        run_sweep(m, &pass, s);
    } else {
        const sweep pass = {v, NULL, keep_z, use_w};
        multiply_rows(m, &pass, s, m->begin, m->end);
    }
    if (order_of(m->k) != NULL) {
        meet(m);
        add_basis_products(s, count, m->begin, m->end, s->V + count * s->room, s->sums);
    }
    add_up(m, (int)(2 * count), s->sums);
}

/* w -= the basis times h, both with the scales of the basis; sums := what is left of the basis in
 * w, and |w|^2. */
static void take_out(member *m, gmres *s, const number *h, T *coefficient)
{
    const int64_t count = s->j + 1;
    T *w = s->V + count * s->room;
    for (int64_t c = 0; c < count; c++)
        coefficient[c] = element_of((number){-h[c].re * s->scale[c], -h[c].im * s->scale[c]});
    memset(s->sums, 0, (size_t)(2 * count + 1) * sizeof *s->sums);
    for (int64_t i = m->begin; i < m->end; i += ROWS) {
        const int64_t end = m->end - i < ROWS ? m->end : i + ROWS;
        add_basis(s, count, i, end - i, coefficient, w + i);
        add_basis_products(s, count, i, end, w, s->sums);
        s->sums[2 * count] += square_sum(end - i, w + i);
    }
    add_up(m, (int)(2 * count + 1), s->sums);
}

/* The sums as products with the basis of unit vectors. */
static void scale_sums(const gmres *s, number *h)
{
    for (int64_t c = 0; c <= s->j; c++)
        h[c] = (number){s->sums[2 * c] * s->scale[c], s->sums[2 * c + 1] * s->scale[c]};
}

/* One step by all threads: h, and |w|^2 at the end. They all have the same numbers. */
static double orthogonalise(member *m, gmres *s, number *h, number *left, T *coefficient)
{
    const int64_t count = s->j + 1;
    multiply(m, s);
    scale_sums(s, h);
    take_out(m, s, h, coefficient);
    double ww = s->sums[2 * count], rest = 0;
    scale_sums(s, left);
    for (int64_t c = 0; c < count; c++)
        rest += left[c].re * left[c].re + left[c].im * left[c].im;
    if (rest > REST * EPSILON * REST * EPSILON * ww) {
        for (int64_t c = 0; c < count; c++)
            h[c] = (number){h[c].re + left[c].re, h[c].im + left[c].im};
        take_out(m, s, left, coefficient);
        ww = s->sums[2 * count];
    }
    return ww;
}

/* ---- rotations: thread 0 ---- */

/* Turns the new column, of this norm, by the rotations so far and makes the next one. Returns the
 * next |r|. */
static double rotate(gmres *s, const number *h, double below, double norm)
{
    const int64_t j = s->j;
    number *column = s->H + j * (s->restart + 1);
    memcpy(column, h, (size_t)(j + 1) * sizeof *h);
    for (int64_t i = 0; i < j; i++) {
        const number a = column[i], b = column[i + 1], sine = s->sine[i];
        const number across = times((number){sine.re, -sine.im}, b), down = times(sine, a);
        column[i] = (number){s->cosine[i] * a.re + across.re, s->cosine[i] * a.im + across.im};
        column[i + 1] = (number){s->cosine[i] * b.re - down.re, s->cosine[i] * b.im - down.im};
    }
    /* [c conj(s); -s c] (a, below) = (length, 0) times a's direction, with below real. */
    const number a = column[j];
    const double size = magnitude(a), length = hypot(size, below);
    if (length <= EPSILON * norm) { /* the step led nowhere */
        column[j] = (number){0, 0};
        return magnitude(s->g[j]);
    }
    const number direction = size > 0 ? (number){a.re / size, a.im / size} : (number){1, 0};
    s->cosine[j] = size / length;
    const double sine = below / length;
    s->sine[j] = (number){sine * direction.re, -sine * direction.im};
    column[j] = (number){length * direction.re, length * direction.im};
    const number top = s->g[j], down = times(s->sine[j], top);
    s->g[j + 1] = (number){-down.re, -down.im};
    s->g[j] = (number){s->cosine[j] * top.re, s->cosine[j] * top.im};
    return magnitude(s->g[j + 1]);
}

/* y: the coefficients of the basis as it is stored; false where they are not finite. Of a singular
 * matrix the last step may have led nowhere: it is left out. */
static bool solve_triangle(const gmres *s, int64_t steps, T *y)
{
    number *g = s->g;
    memset(y, 0, (size_t)steps * sizeof(T));
    while (steps > 0 && magnitude(s->H[(steps - 1) * (s->restart + 2)]) == 0)
        steps--;
    for (int64_t i = steps - 1; i >= 0; i--) {
        number sum = g[i];
        for (int64_t c = i + 1; c < steps; c++)
            sum = minus(sum, times(s->H[c * (s->restart + 1) + i], g[c]));
        g[i] = over(sum, s->H[i * (s->restart + 1) + i]);
    }
    bool finite = true;
    for (int64_t c = 0; c < steps; c++) {
        y[c] = element_of((number){g[c].re * s->scale[c], g[c].im * s->scale[c]});
        finite = finite && is_finite((number){g[c].re * s->scale[c], g[c].im * s->scale[c]});
    }
    return finite;
}

/* ---- the end of a cycle ---- */

/* x += M^-1 (the basis times y) */
static void move_x(const member *m, void *method, int64_t begin, int64_t end)
{
    gmres *s = method;
    T *x = (T *)s->args->x + begin, moved[PLACES], made[PLACES];
    if (s->j == 0)
        return;
    memset(moved, 0, sizeof moved);
    for (int64_t i = begin; i < end; i += ROWS)
        add_basis(s, s->j, i, end - i < ROWS ? end - i : ROWS, s->y, moved + (i - begin));
    precondition(m->k, begin, end, moved, made);
    for (int64_t i = 0; i < REALS * (end - begin); i++)
        ((R *)x)[i] += ((const R *)made)[i];
}

/* r := b - A x, also as the first of the basis. */
static void use_residual(const member *m, void *method, int64_t begin, int64_t end, const T *sum)
{
    gmres *s = method;
    T r[PLACES], room[PLACES];
    const R *b = (const R *)at_places(m->k, begin, end, s->args->b, room);
    for (int64_t i = 0; i < REALS * (end - begin); i++)
        ((R *)r)[i] = b[i] - ((const R *)sum)[i];
    put_rows(m->k, begin, end, r, s->args->r);
    put_rows(m->k, begin, end, r, s->V);
    s->sum0 += square_sum(end - begin, r);
}

/* The first of the basis is r; returns |r|^2. */
static double take_residual(member *m, gmres *s)
{
    double rr = 0;
    const T *r = s->args->r;
    for (int64_t i = m->begin; i < m->end; i += ROWS) {
        const int64_t end = m->end - i < ROWS ? m->end : i + ROWS;
        memcpy(s->V + i, r + i, (size_t)(end - i) * sizeof(T));
        rr += square_sum(end - i, r + i);
    }
    add_up(m, 1, &rr);
    return rr;
}

/* A new cycle from r. */
static void begin_cycle(const member *m, gmres *s, double rr)
{
    s->j = 0;
    if (m->thread == 0) {
        s->scale[0] = 1 / sqrt(rr);
        s->g[0] = (number){sqrt(rr), 0};
    }
    meet(m);
}

/* Ends the cycle after s->j steps: x, r, sum0. False: x could not be moved. */
static bool end_cycle(member *m, gmres *s)
{
    double bad = 0;
    if (m->thread == 0)
        bad = s->j > 0 && !solve_triangle(s, s->j, s->y);
    add_up(m, 1, &bad);
    if (bad != 0)
        return false;
    const sweep pass = {s->args->x, NULL, move_x, use_residual};
    s->sum0 = 0;
    run_sweep(m, &pass, s);
    add_up(m, 1, &s->sum0);
    return true;
}

/* ---- iterations ---- */

static void put_state(double *state, int outcome, int64_t iteration, double rr)
{
    state[GBL_STATE_OUTCOME] = outcome;
    state[GBL_STATE_ITERATION] = (double)iteration;
    state[GBL_STATE_RR] = rr;
    if (iteration > 0)
        state[GBL_STATE_HISTORY + (iteration - 1) % GBL_HISTORY] = rr;
}

/* What each thread has beside the stack. */
typedef struct numbers {
    number *h, *left;
    T *coefficient;
} numbers;

/* One step. *ends: the cycle is over. Returns the outcome, -1 to go on. */
static int run_step(member *m, gmres *s, const numbers *own, double *rr, bool *ends)
{
    const double ww = orthogonalise(m, s, own->h, own->left, own->coefficient);
    double all = ww, below = sqrt(ww);
    for (int64_t c = 0; c <= s->j; c++)
        all += own->h[c].re * own->h[c].re + own->h[c].im * own->h[c].im;
    *ends = true;
    if (!isfinite(all))
        return GABLE_NOT_FINITE;
    if (all == 0)
        return GABLE_BREAKDOWN;
    /* Nothing new is left: the solution is in the space, or there is none. */
    const bool invariant = below <= EPSILON * sqrt(all);
    if (invariant)
        below = 0;
    double residual = 0;
    if (m->thread == 0) {
        residual = rotate(s, own->h, below, sqrt(all));
        s->scale[s->j + 1] = invariant ? 0 : 1 / below;
    }
    add_up(m, 1, &residual);
    *rr = residual * residual;
    s->j++;
    const bool solved = residual <= s->args->target;
    *ends = solved || invariant || s->j == s->restart;
    return solved ? GABLE_SOLVED : invariant ? GABLE_BREAKDOWN : -1;
}

/* Ends the cycle, and begins the next one where the outcome is still open. */
static int turn_cycle(member *m, gmres *s, int outcome, double *rr)
{
    if (!end_cycle(m, s))
        return outcome < 0 ? GABLE_BREAKDOWN : outcome;
    if (!isfinite(s->sum0))
        return GABLE_NOT_FINITE;
    if (outcome >= 0)
        return outcome;
    *rr = s->sum0;
    if (*rr <= s->args->target * s->args->target)
        return GABLE_SOLVED;
    begin_cycle(m, s, *rr);
    return -1;
}

static int begin_round(member *m, gmres *s, double *rr)
{
    *rr = take_residual(m, s);
    if (!isfinite(*rr))
        return GABLE_NOT_FINITE;
    if (*rr <= s->args->target * s->args->target)
        return GABLE_SOLVED;
    begin_cycle(m, s, *rr);
    return -1;
}

static void iterate(member *m, void *method)
{
    gmres mine = *(const gmres *)method, *s = &mine;
    double *state = s->args->state, *memory = s->sums + m->thread * gmres_own(s->restart);
    const int64_t pairs = 2 * (s->restart + 2);
    const numbers own = {(number *)(memory + pairs), (number *)(memory + 2 * pairs),
                         (T *)(memory + 3 * pairs)};
    int64_t iteration = (int64_t)state[GBL_STATE_ITERATION];
    double rr = state[GBL_STATE_RR];
    s->sums = memory;
    int outcome = s->fresh ? begin_round(m, s, &rr) : -1;
    for (int64_t left = s->args->iterations; left > 0 && outcome < 0; left--) {
        bool ends = false;
        outcome = run_step(m, s, &own, &rr, &ends);
        iteration += outcome != GABLE_NOT_FINITE;
        if (ends || (left == 1 && s->args->last))
            outcome = turn_cycle(m, s, outcome, &rr);
        if (m->thread == 0)
            put_state(state, outcome, iteration, rr);
    }
    if (m->thread == 0) {
        put_state(state, outcome, iteration, rr);
        state[STEP] = (double)s->j;
    }
}

/* gbl_cpu_sgmres gbl_cpu_dgmres gbl_cpu_cgmres gbl_cpu_zgmres */
GBL_CPU_TASK(PRIVATE(gmres))
{
    (void)queue, (void)stream, (void)message;
    const gbl_cpu_solve_args *call = args;
    double *state = call->state;
    if (state[GBL_STATE_OUTCOME] >= 0 || call->A.rows <= 0)
        return GABLE_OK;
    krylov k = krylov_of(call);
    const int64_t restart = call->restart > 0 ? call->restart : 1, room = vector_room(k.n);
    T *work = call->work;
    gmres s = {.args = call,
               .restart = restart,
               .room = room,
               .fresh = state[GBL_STATE_ITERATION] == 0,
               .precond = has_precond(&k),
               .V = work,
               .z = work + (restart + 1) * room};
    s.j = s.fresh ? 0 : (int64_t)state[STEP];
    T *bands = work + (restart + 1 + s.precond) * room;
    double *memory = (double *)(bands + call->bands.count * room);
    k.part = (int)gmres_part(restart);
    k.parts = memory;
    memory += 2 * GBL_CPU_MAX_PIECES * k.part;
    s.sums = memory;
    memory += GBL_CPU_MAX_PIECES * gmres_own(restart);
    s.H = (number *)memory;
    s.g = s.H + (restart + 1) * (restart + 1);
    s.sine = s.g + restart + 2;
    s.y = (T *)(s.sine + restart + 2);
    s.cosine = (double *)(s.sine + 2 * (restart + 2));
    s.scale = s.cosine + restart + 2;
    set_bands(&k, bands, s.fresh, &state[KEPT]);
    run_team(&k, iterate, &s);
    return GABLE_OK;
}

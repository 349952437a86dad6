/* plain_krylov.c: plain loops of BiCGStab and GMRES, to count iterations against.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Textbook forms, every operation rounded to the precision. GMRES orthogonalises by modified
 * Gram-Schmidt.
 */
#include <complex.h>
#undef complex
#include <stdlib.h>
#include "sparse/solver/krylov_case.h"

typedef double _Complex value;

#define RESTART 30

typedef struct plain {
    const system_case *c;
    int64_t n;
    bool narrow;
    value *inverse; /* of the diagonal, or NULL */
} plain;

static value *room(int64_t count)
{
    value *memory = calloc((size_t)count + 1, sizeof *memory);
    if (memory == NULL)
        abort();
    return memory;
}

static value rounded(const plain *s, value a)
{
    return s->narrow ? (double)(float)creal(a) + I * (double)(float)cimag(a) : a;
}

static value of_number(number a)
{
    return a.re + I * a.im;
}

/* a b, without the care for infinities that the language asks for */
static value times(value a, value b)
{
    return creal(a) * creal(b) - cimag(a) * cimag(b) +
           I * (creal(a) * cimag(b) + cimag(a) * creal(b));
}

/* conj(x) y */
static value dot(const plain *s, const value *x, const value *y)
{
    value sum = 0;
    for (int64_t i = 0; i < s->n; i++)
        sum = rounded(s, sum + rounded(s, times(conj(x[i]), y[i])));
    return sum;
}

/* y += a x */
static void add(const plain *s, value a, const value *x, value *y)
{
    for (int64_t i = 0; i < s->n; i++)
        y[i] = rounded(s, y[i] + rounded(s, times(a, x[i])));
}

/* y := A M^-1 x; hat is M^-1 x */
static void product(const plain *s, const value *x, value *hat, value *y)
{
    const model *A = &s->c->A;
    for (int64_t i = 0; i < s->n; i++)
        hat[i] = s->inverse != NULL ? rounded(s, times(s->inverse[i], x[i])) : x[i];
    for (int64_t i = 0; i < s->n; i++) {
        value sum = 0;
        for (int64_t e = A->start[i]; e < A->start[i + 1]; e++)
            sum = rounded(s, sum + rounded(s, times(of_number(A->value[e]), hat[A->column[e]])));
        y[i] = sum;
    }
}

static plain begin(const system_case *c, bool jacobi)
{
    plain s = {c, c->A.rows, gbl_dtype_real_bytes(c->dtype) == 4, NULL};
    if (!jacobi)
        return s;
    s.inverse = room(s.n);
    for (int64_t i = 0; i < s.n; i++) {
        s.inverse[i] = 1;
        for (int64_t e = c->A.start[i]; e < c->A.start[i + 1]; e++)
            if (c->A.column[e] == i && cabs(of_number(c->A.value[e])) > 0)
                s.inverse[i] = rounded(&s, 1 / of_number(c->A.value[e]));
    }
    return s;
}

static bool at_tolerance(const plain *s, const value *x, double tolerance)
{
    double rounding;
    number *plain_x = malloc((size_t)(s->n + 1) * sizeof *plain_x);
    for (int64_t i = 0; i < s->n; i++)
        plain_x[i] = (number){creal(x[i]), cimag(x[i])};
    const bool good = case_residual(s->c, plain_x, &rounding) <= tolerance;
    free(plain_x);
    return good;
}

int64_t plain_bicgstab(const system_case *c, bool jacobi, double tolerance, int64_t limit)
{
    const plain s = begin(c, jacobi);
    value *x = room(s.n), *r = room(s.n), *shadow = room(s.n), *p = room(s.n), *v = room(s.n),
          *t = room(s.n), *p_hat = room(s.n), *s_hat = room(s.n);
    for (int64_t i = 0; i < s.n; i++)
        r[i] = shadow[i] = p[i] = of_number(c->b[i]);
    value rho = dot(&s, shadow, r);
    const double target = tolerance * sqrt(creal(rho));
    int64_t iterations = 0;
    bool solved = false, broken = false;
    while (!solved && !broken && iterations < limit) {
        product(&s, p, p_hat, v);
        const value alpha = rounded(&s, rho / dot(&s, shadow, v));
        add(&s, alpha, p_hat, x);
        add(&s, -alpha, v, r);
        iterations++;
        solved = sqrt(creal(dot(&s, r, r))) <= target;
        if (solved)
            break;
        product(&s, r, s_hat, t);
        const value omega = rounded(&s, dot(&s, t, r) / dot(&s, t, t));
        add(&s, omega, s_hat, x);
        add(&s, -omega, t, r);
        const double size = sqrt(creal(dot(&s, r, r)));
        const value next = dot(&s, shadow, r), beta = rounded(&s, next * alpha / (rho * omega));
        solved = size <= target;
        broken = !isfinite(size) || !isfinite(cabs(beta));
        rho = next;
        for (int64_t i = 0; i < s.n; i++)
            p[i] = rounded(
                &s, r[i] + rounded(&s, beta * rounded(&s, p[i] - rounded(&s, omega * v[i]))));
    }
    const bool good = solved && at_tolerance(&s, x, tolerance);
    value *const all[] = {x, r, shadow, p, v, t, p_hat, s_hat, s.inverse};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        free(all[i]);
    return good ? iterations : -1;
}

typedef struct cycle {
    value *V, *H, *g, *sine, *hat;
    double *cosine;
} cycle;

/* Up to RESTART steps; x is corrected. Gives the steps. */
static int64_t run_cycle(const plain *s, const cycle *at, double target, int64_t most, value *x,
                         double *residual)
{
    int64_t k = 0;
    while (k < RESTART && k<most && * residual> target) {
        value *h = at->H + k * (RESTART + 1), *w = at->V + (k + 1) * s->n;
        product(s, at->V + k * s->n, at->hat, w);
        for (int64_t j = 0; j <= k; j++) {
            h[j] = dot(s, at->V + j * s->n, w);
            add(s, -h[j], at->V + j * s->n, w);
        }
        const double beta = sqrt(creal(dot(s, w, w)));
        for (int64_t i = 0; i < s->n && beta > 0; i++)
            w[i] = rounded(s, w[i] / beta);
        for (int64_t j = 0; j < k; j++) {
            const value upper = h[j], lower = h[j + 1];
            h[j] = at->cosine[j] * upper + at->sine[j] * lower;
            h[j + 1] = at->cosine[j] * lower - conj(at->sine[j]) * upper;
        }
        const double above = cabs(h[k]), whole = hypot(above, beta);
        if (!(whole > 0))
            break;
        at->cosine[k] = above / whole;
        at->sine[k] = above > 0 ? h[k] * (beta / whole / above) : 1;
        h[k] = at->cosine[k] * h[k] + at->sine[k] * beta;
        at->g[k + 1] = -conj(at->sine[k]) * at->g[k];
        at->g[k] *= at->cosine[k];
        k++;
        *residual = cabs(at->g[k]);
        if (beta == 0)
            break;
    }
    for (int64_t j = k - 1; j >= 0; j--) {
        for (int64_t l = j + 1; l < k; l++)
            at->g[j] -= at->H[l * (RESTART + 1) + j] * at->g[l];
        at->g[j] /= at->H[j * (RESTART + 1) + j];
    }
    for (int64_t i = 0; i < s->n; i++) {
        value sum = 0;
        for (int64_t j = 0; j < k; j++)
            sum += at->g[j] * at->V[j * s->n + i];
        x[i] = rounded(s, x[i] + rounded(s, s->inverse != NULL ? s->inverse[i] * sum : sum));
    }
    return k;
}

int64_t plain_gmres(const system_case *c, bool jacobi, double tolerance, int64_t limit)
{
    const plain s = begin(c, jacobi);
    value *x = room(s.n), *r = room(s.n);
    cycle at = {.V = room((RESTART + 1) * s.n),
                .H = room((RESTART + 1) * (RESTART + 1)),
                .g = room(RESTART + 1),
                .sine = room(RESTART + 1),
                .hat = room(s.n),
                .cosine = calloc(RESTART + 1, sizeof(double))};
    double target = 0;
    int64_t iterations = 0;
    bool solved = false;
    const plain bare = {c, s.n, s.narrow, NULL};
    for (;;) {
        product(&bare, x, at.hat, r);
        for (int64_t i = 0; i < s.n; i++)
            r[i] = rounded(&s, of_number(c->b[i]) - r[i]);
        double residual = sqrt(creal(dot(&s, r, r)));
        if (iterations == 0)
            target = tolerance * residual;
        if (solved || iterations >= limit || !(residual > target))
            break;
        for (int64_t i = 0; i < s.n; i++)
            at.V[i] = rounded(&s, r[i] / residual);
        at.g[0] = residual;
        const int64_t steps = run_cycle(&s, &at, target, limit - iterations, x, &residual);
        iterations += steps;
        solved = residual <= target || steps == 0;
    }
    const bool good = solved && at_tolerance(&s, x, tolerance);
    value *const all[] = {x, r, at.V, at.H, at.g, at.sine, at.hat, s.inverse};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        free(all[i]);
    free(at.cosine);
    return good ? iterations : -1;
}

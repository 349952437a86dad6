/* bench_reflector.c: the error of the reflector that larfg makes of a vector.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * H = I - tau v v^H, whose v starts with 1, takes beta e1 back to what was given: y = beta (e1 -
 * tau v). It is unitary: |tau|^2 v^H v = 2 Re tau. Both are relative to a norm that is a sum of n
 * squares, and each element is rounded a few times more.
 */
#include <math.h>
#include "factor_check.h"

#define FEW 8.0 /* roundings of an element beside the norm: root, quotients, products */

static bench_element times(bench_element a, bench_element b)
{
    return (bench_element){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* Element i of the row that x is. */
static bench_element element(const bench_view *x, int64_t i)
{
    const int64_t index = x->start + i * x->ld;
    return bench_get(x->data, x->period > 0 ? index % x->period : index, x->dtype);
}

double bench_reflector_error(const factor_check *c)
{
    const bench_view *given = &c->given[BENCH_B], *found = &c->found[BENCH_B];
    const gbl_dtype dtype = c->what->dtype;
    const bench_element alpha = element(&c->given[BENCH_A], 0),
                        beta = element(&c->found[BENCH_A], 0), tau = bench_get(c->tau, 0, dtype),
                        scale = times(beta, tau);
    const double n = (double)c->m, roundings = fmin(n, 8 * sqrt(n)) + FEW,
                 most = roundings * bench_unit_roundoff(dtype) * bench_complex_factor(dtype);
    double norm = hypot(alpha.re, alpha.im), squares = 1,
           rest = hypot(alpha.re - (beta.re - scale.re), alpha.im - (beta.im - scale.im));
    for (int64_t i = 0; i + 1 < c->m; i++) {
        const bench_element y = element(given, i), v = element(found, i), made = times(scale, v);
        norm += hypot(y.re, y.im);
        rest += hypot(y.re + made.re, y.im + made.im);
        squares += v.re * v.re + v.im * v.im;
    }
    const double twice = 2 * tau.re, length = (tau.re * tau.re + tau.im * tau.im) * squares,
                 apart = fabs(length - twice);
    const double of_vector = rest / (most * norm),
                 of_length = apart == 0 ? 0 : apart / (most * twice);
    if (isnan(of_vector + of_length) || beta.im != 0) /* beta is real */
        return (double)NAN;
    return fmax(of_vector, of_length);
}

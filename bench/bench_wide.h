/* bench_wide.h: arithmetic for references: unevaluated sums of two doubles, and complex numbers of
 * them. SPDX-License-Identifier: BSD-3-Clause
 *
 * About 106 bits. long double would be slow software on some machines and 64 bits on others.
 */
#ifndef BENCH_WIDE_H
#define BENCH_WIDE_H

#include <math.h>

typedef struct wide {
    double high, low;
} wide;

typedef struct wide_complex {
    wide re, im;
} wide_complex;

static inline wide two_sum(double a, double b)
{
    const double s = a + b, t = s - a;
    return (wide){s, (a - (s - t)) + (b - t)};
}

static inline wide two_product(double a, double b)
{
    const double p = a * b;
    return (wide){p, fma(a, b, -p)};
}

static inline wide wide_add(wide a, wide b)
{
    const wide s = two_sum(a.high, b.high);
    return two_sum(s.high, s.low + a.low + b.low);
}

static inline wide wide_negative(wide a)
{
    return (wide){-a.high, -a.low};
}

/* a times a double. */
static inline wide wide_scale(wide a, double b)
{
    const wide p = two_product(a.high, b);
    return two_sum(p.high, p.low + a.low * b);
}

static inline wide wide_multiply(wide a, wide b)
{
    const wide p = two_product(a.high, b.high);
    return two_sum(p.high, p.low + a.high * b.low + a.low * b.high);
}

static inline wide_complex wide_number(double re, double im)
{
    return (wide_complex){{re, 0}, {im, 0}};
}

static inline wide_complex complex_add(wide_complex a, wide_complex b)
{
    return (wide_complex){wide_add(a.re, b.re), wide_add(a.im, b.im)};
}

static inline wide_complex complex_multiply(wide_complex a, wide_complex b)
{
    return (wide_complex){
        wide_add(wide_multiply(a.re, b.re), wide_negative(wide_multiply(a.im, b.im))),
        wide_add(wide_multiply(a.re, b.im), wide_multiply(a.im, b.re))};
}

static inline double complex_modulus(wide_complex a)
{
    return hypot(a.re.high, a.im.high);
}

#endif

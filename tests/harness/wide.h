/* wide.h: double-double sums for references.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A wide number is the unevaluated sum of two doubles, about 106 bits. Products are split without
 * error by fma, sums by Knuth's TwoSum. It serves float data too, for which double would be enough,
 * so that all four precisions have one reference. Errors are near 2^-104 n of the sum of sizes: far
 * below any bound that is checked.
 */
#ifndef TEST_WIDE_H
#define TEST_WIDE_H

#include <math.h>

typedef struct wide {
    double high, low;
} wide;

static inline wide wide_add(wide s, double a)
{
    const double sum = s.high + a;
    const double part = sum - s.high;
    const double lost = (s.high - (sum - part)) + (a - part);
    const double low = s.low + lost;
    const wide r = {sum + low, low - ((sum + low) - sum)};
    return r;
}

/* s + a b */
static inline wide wide_add_product(wide s, double a, double b)
{
    const double product = a * b;
    const double lost = fma(a, b, -product);
    return wide_add(wide_add(s, product), lost);
}

/* s + a b for long sums: `high` is the rounded sum and `low` gathers what was lost (Ogita, Rump and
 * Oishi, Accurate sum and dot product, 2005: Dot2). One addition waits for the one before it, not
 * ten. The error is near (n 2^-53)^2 of the sum of sizes. `low` may become larger than a rounding
 * of `high`. */
static inline wide wide_gather(wide s, double a, double b)
{
    const double product = a * b;
    const double lost_product = fma(a, b, -product);
    const double sum = s.high + product;
    const double part = sum - s.high;
    const double lost = (s.high - (sum - part)) + (product - part);
    const wide r = {sum, s.low + (lost + lost_product)};
    return r;
}

/* Products, quotients and roots of two wide numbers, to about 100 bits. */
static inline wide wide_multiply(wide a, wide b)
{
    const wide r = wide_add_product((wide){0, 0}, a.high, b.high);
    return wide_add(wide_add(r, a.high * b.low), a.low * b.high);
}

static inline wide wide_divide(wide a, wide b)
{
    const double q = a.high / b.high;
    const wide rest = wide_add(wide_add_product(a, -q, b.high), -q * b.low);
    return wide_add((wide){q, 0}, (rest.high + rest.low) / b.high);
}

static inline wide wide_root(wide a)
{
    const double r = sqrt(a.high);
    const wide rest = wide_add_product(a, -r, r);
    return r > 0 ? wide_add((wide){r, 0}, (rest.high + rest.low) / (2 * r)) : (wide){0, 0};
}

/* hypot, which takes long, where squares may leave the range of numbers. */
static inline double wide_size(double re, double im)
{
    const double square = re * re + im * im;
    if (im == 0)
        return fabs(re);
    return square > 1e-280 && square < 1e280 ? sqrt(square) : hypot(re, im);
}

/* |s - a|, rounded once. */
static inline double wide_distance(wide s, double a)
{
    const wide r = wide_add(s, -a);
    return fabs(r.high + r.low);
}

#endif

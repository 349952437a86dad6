/* bdsdc_bisect.cl: singular values of a bidiagonal matrix, by bisection
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each value is found digit by digit, first its exponent, then its mantissa: POINTS work-items
 * count the values below POINTS - 1 numbers that differ in the next BITS bits, and the numbers that
 * pass are the next digit. So every root takes the same rounds, there is no test for convergence,
 * and the result is the largest number that has no more values below it than it should: a root that
 * is such a number is found exactly. Roots share their numbers until their digits differ, so
 * results are in order whatever the counts are. Values are below 2^(BISECT_RANGE + 2); those so
 * small that their exponent has no digits become 0. numbers[RANGE_ONE_BACK] is NaN where the matrix
 * is not finite, and so are the values then; info says so.
 *
 * Geometry: groups of ITEMS work-items, ITEMS >> BITS roots each. Barriers: all work-items reach
 * them.
 */
#if !defined(ITEMS) || !defined(BITS)
#error "bdsdc_bisect needs ITEMS and BITS"
#endif
#include "bdsdc_bisect_args.h"
#include "golub_kahan.h"
#include "range_one_args.h"

#define POINTS (1 << BITS)
#define ROOTS  (ITEMS / POINTS)

/* Exponents are numbers from 1 on, of so many bits; 0 stands for the value 0. */
#if PREC % 2 == 0
#define EXPONENT_BITS 7
#define MANTISSA_BITS 23
#define LAST_EXPONENT (BISECT_RANGE_SINGLE + 1)
#else
#define EXPONENT_BITS 10
#define MANTISSA_BITS 52
#define LAST_EXPONENT (BISECT_RANGE_DOUBLE + 1)
#endif

/* The power of two with that number. */
DEVICE R power(i32 number)
{
    const i32 exponent = number - ((1 << EXPONENT_BITS) - 1) + LAST_EXPONENT;
    i32 left = exponent < 0 ? -exponent : exponent;
    R base = exponent < 0 ? (R)0.5 : (R)2, result = 1;
    ROLLED
    for (; left > 0; left /= 2) {
        if (left % 2 == 1)
            result *= base;
        base *= base;
    }
    return result;
}

/* How many work-items of this one's root pass. All work-items must come. */
DEVICE i32 digit(i32 passes, LOCAL_PTR i32 *passed)
{
    const i32 first = ITEM_X / POINTS * POINTS;
    i32 sum = 0;
    BARRIER();
    passed[ITEM_X] = passes;
    BARRIER();
    ROLLED
    for (i32 p = 0; p < POINTS; p++)
        sum += passed[first + p];
    return sum;
}

KERNEL(bdsdc_bisect, ITEMS, 1, 1)
(GLOBAL const R *RESTRICT d, GLOBAL const R *RESTRICT e, GLOBAL const R *RESTRICT numbers,
 GLOBAL R *RESTRICT values, GLOBAL i64 *RESTRICT info, bdsdc_bisect_args a)
{
    LOCAL i32 passed[ITEMS];
    BEGIN();
    const i32 p = ITEM_X % POINTS;
    const i64 root = GROUP_X * ROOTS + ITEM_X / POINTS, below = a.n - 1 - root;
    const i32 mine = root < a.n;
    const R scale = numbers[RANGE_ONE_FACTOR];
    i32 number = 0;
    ROLLED
    for (i32 left = EXPONENT_BITS; left > 0;) {
        const i32 bits = left < BITS ? left : BITS, at = p << (left - bits);
        i32 passes = 0;
        if (mine && p > 0 && p < 1 << bits)
            passes = values_below(d, e, a.n, scale, power(number + at)) <= below;
        number += digit(passes, passed) << (left - bits);
        left -= bits;
    }
    R unit = power(number), value = number > 0 ? unit : (R)0;
    ROLLED
    for (i32 left = MANTISSA_BITS; left > 0;) {
        const i32 bits = left < BITS ? left : BITS;
        i32 passes = 0;
        unit *= (R)1 / (R)(1 << bits);
        if (mine && p > 0 && p < 1 << bits && number > 0)
            passes = values_below(d, e, a.n, scale, value + (R)p * unit) <= below;
        value += (R)digit(passes, passed) * unit;
        left -= bits;
    }
    if (mine && p == 0)
        values[root] = value * numbers[RANGE_ONE_BACK];
    if (GROUP_X == 0 && ITEM_X == 0)
        *info = numbers[RANGE_ONE_BAD] != 0 ? a.bad : 0;
}

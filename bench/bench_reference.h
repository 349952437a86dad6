/* bench_reference.h: what the outputs of a case should be, in wide arithmetic.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Everything that changes vectors is linear in them: after any number of calls an output is
 * sum of p_j x_j + q y + r, with p, q, r known from the scalars alone. Only random is not; it has a
 * generator of its own here, written from the definition of Philox.
 */
#ifndef BENCH_REFERENCE_H
#define BENCH_REFERENCE_H

#include "bench_wide.h"
#include "operands.h"

/* An element as two doubles; im is 0 for real precisions. */
typedef struct bench_element {
    double re, im;
} bench_element;
bench_element bench_get(const void *vector, int64_t i, gbl_dtype dtype);

double bench_unit_roundoff(gbl_dtype dtype);
/* What a bound for real numbers is multiplied by for complex ones. */
double bench_complex_factor(gbl_dtype dtype);

/* One element of an output and how far off it may be; 0: not at all. */
typedef struct bench_expected {
    wide_complex value;
    double bound;
} bench_expected;

/* One period of an output vector (BENCH_X, BENCH_Y or BENCH_W) after `times` calls on restored
 * operands; free it. NULL: no host memory. Not for random. */
bench_expected *bench_reference_vector(const bench_operands *operands, bench_role which,
                                       int64_t times);

/* Element i of what random makes, exactly. */
bench_element bench_reference_random(const bench_case *what, int64_t i);

/* Column j of a reduction: the sum that it makes before any root, and the sum of moduli. */
typedef struct bench_sums {
    wide_complex sum;
    double moduli;
} bench_sums;
bench_sums bench_reference_sums(const bench_operands *operands, int64_t column);

/* Adds a b to a sum. */
void bench_add_product(bench_sums *s, bench_element a, bench_element b);
static inline bench_element bench_conjugate(bench_element a)
{
    return (bench_element){a.re, -a.im};
}

/* How far off an element is, over its bound; where that is 0, 0 or 2. NaN where the element is. */
double bench_over_bound(bench_expected e, bench_element got);

#endif

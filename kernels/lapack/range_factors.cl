/* range_factors.cl: the powers of two that bring A and B into the range where they are safe
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Safe is from the least normal number over 2 u to its reciprocal, as LAPACK's drivers have it: a
 * matrix whose largest element is outside is brought to that end of the range. The factor is 1 for
 * one that is inside, for one of zeros, and for one with a NaN or an infinity. With factors fa and
 * fb the solution of the scaled system is to be multiplied by fa / fb. Geometry: one group of ITEMS
 * work-items, a power of two. Barriers: all work-items reach them.
 */
#if !defined(ITEMS)
#error "range_factors needs ITEMS"
#endif
#include "range_args.h"
#include "range_group.h"

#if PREC == 0 || PREC == 2
#define SAFE_FROM 0x1p-103
#define SAFE_TO   0x1p103
#else
#define SAFE_FROM 0x1p-970
#define SAFE_TO   0x1p970
#endif

/* At most 104 steps; powers of two are exact. */
DEVICE f64 factor_for(f64 most)
{
    f64 factor = 1;
    if (most > 0 && most - most == 0) { /* neither NaN nor infinite */
        ROLLED
        while (most * factor < SAFE_FROM)
            factor *= 2;
        ROLLED
        while (most * factor > SAFE_TO)
            factor *= 0.5;
    }
    return factor;
}

DEVICE R largest_of(GLOBAL const R *maxima, i64 count)
{
    R most = 0;
    ROLLED
    for (i64 i = ITEM_X; i < count; i += ITEMS)
        most = range_larger(most, maxima[i]);
    return most;
}

KERNEL(range_factors, ITEMS, 1, 1)
(GLOBAL const R *RESTRICT of_a, GLOBAL const R *RESTRICT of_b, GLOBAL R *RESTRICT factors,
 range_factors_args a)
{
    LOCAL R most_a[ITEMS];
    LOCAL R most_b[ITEMS];
    BEGIN();
    range_group(largest_of(of_a, a.groups_a), most_a);
    range_group(largest_of(of_b, a.groups_b), most_b);
    if (ITEM_X == 0) {
        const f64 fa = factor_for(most_a[0]), fb = factor_for(most_b[0]);
        factors[RANGE_A] = (R)fa;
        factors[RANGE_B] = (R)fb;
        factors[RANGE_X] = (R)(fa / fb);
        factors[RANGE_BELOW] = (R)(1 / fb);
        factors[RANGE_NOTHING] = most_a[0] == 0 ? (R)1 : (R)0;
    }
}

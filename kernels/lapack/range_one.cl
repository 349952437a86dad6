/* range_one.cl: the power of two that brings one matrix into the range where it is safe
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A matrix whose largest element is outside of the range is brought to that end of it. The factor
 * is 1 for one that is inside, for one of zeros, and for one with a NaN or an infinity. Geometry:
 * one group of ITEMS work-items, a power of two. Barriers: all work-items reach them.
 */
#if !defined(ITEMS)
#error "range_one needs ITEMS"
#endif
#include "range_one_args.h"
#include "range_group.h"

/* Powers of two are exact, and none of the loops has more steps than a double has exponents. */
DEVICE f64 factor_for(f64 most, i64 exponent)
{
    f64 factor = 1, to = 1;
    ROLLED
    for (i64 e = 0; e < exponent; e++)
        to *= 2;
    if (most > 0 && most - most == 0) { /* neither NaN nor infinite */
        ROLLED
        while (most * factor < 1 / to)
            factor *= 2;
        ROLLED
        while (most * factor > to)
            factor *= 0.5;
    }
    return factor;
}

KERNEL(range_one, ITEMS, 1, 1)
(GLOBAL const R *RESTRICT maxima, GLOBAL R *RESTRICT numbers, range_one_args a)
{
    LOCAL R most[ITEMS];
    BEGIN();
    R mine = 0;
    ROLLED
    for (i64 i = ITEM_X; i < a.groups; i += ITEMS)
        mine = range_larger(mine, maxima[i]);
    range_group(mine, most);
    if (ITEM_X == 0) {
        const R none = most[0] - most[0]; /* 0, or NaN */
        const f64 factor = factor_for(most[0], a.exponent);
        numbers[RANGE_ONE_FACTOR] = (R)factor;
        numbers[RANGE_ONE_BACK] = none == 0 ? (R)(1 / factor) : none;
        numbers[RANGE_ONE_BAD] = none == 0 ? (R)0 : (R)1;
    }
}

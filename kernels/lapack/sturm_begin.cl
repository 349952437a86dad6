/* sturm_begin.cl: a symmetric tridiagonal matrix scaled for bisection, and where its eigenvalues
 * are
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The matrix is divided by a power of two near its largest element, so that norms and products are
 * far from the ends of the range; `scaled` receives n diagonal elements and n - 1 beside them.
 * Gershgorin's discs bound the eigenvalues. Geometry: one group of ITEMS work-items, a power of
 * two. Barriers: all work-items reach them.
 */
#if !defined(ITEMS)
#error "sturm_begin needs ITEMS"
#endif
#include "sturm_args.h"
#include "range_group.h"

#if PREC == 0 || PREC == 2
#define TWICE_ROUNDOFF ((R)0x1p-23)
#define LEAST_NORMAL   ((R)0x1p-126)
#define MOST_FACTOR    0x1p126
#else
#define TWICE_ROUNDOFF ((R)0x1p-52)
#define LEAST_NORMAL   ((R)0x1p-1022)
#define MOST_FACTOR    0x1p1022
#endif

DEVICE R size_of(R a)
{
    return a < 0 ? -a : a;
}

/* A power of two: `most` over it is in [1/2, 2), unless it would not be a normal number. At most
 * 1100 steps of one work-item, twelve of them where numbers are near 1. */
DEVICE f64 unit_of(f64 most)
{
    f64 unit = 1;
    if (most > 0 && most - most == 0) {
        ROLLED
        while (unit < MOST_FACTOR && most / unit >= 2)
            unit *= 2;
        ROLLED
        while (unit > 1 / MOST_FACTOR && most / unit < 0.5)
            unit *= 0.5;
    }
    return unit;
}

KERNEL(sturm_begin, ITEMS, 1, 1)
(GLOBAL const R *RESTRICT d, GLOBAL const R *RESTRICT e, GLOBAL R *RESTRICT scaled,
 GLOBAL R *RESTRICT numbers, sturm_begin_args a)
{
    LOCAL R most[ITEMS];
    LOCAL R unit_at[1];
    BEGIN();
    R mine = 0;
    ROLLED
    for (i64 i = ITEM_X; i < a.n; i += ITEMS) {
        if (a.diagonal != 0)
            mine = range_larger(mine, size_of(d[i]));
        if (i + 1 < a.n)
            mine = range_larger(mine, size_of(e[i]));
    }
    range_group(mine, most);
    const R largest = most[0];
    if (ITEM_X == 0)
        unit_at[0] = (R)unit_of(largest);
    BARRIER();
    const R unit = unit_at[0];
    mine = 0;
    ROLLED
    for (i64 i = ITEM_X; i < a.n; i += ITEMS) {
        const R center = a.diagonal != 0 ? d[i] / unit : (R)0;
        const R below = i + 1 < a.n ? e[i] / unit : (R)0, above = i > 0 ? e[i - 1] / unit : (R)0;
        scaled[i] = center;
        if (i + 1 < a.n)
            scaled[a.n + i] = below;
        mine = range_larger(mine, size_of(center) + (size_of(below) + size_of(above)));
    }
    range_group(mine, most);
    if (ITEM_X == 0) {
        const R norm = most[0];
        /* A little more than the discs say: counts are rounded. */
        const R bound = norm + norm * ((R)a.n * TWICE_ROUNDOFF) + 4 * TWICE_ROUNDOFF * norm;
        numbers[STURM_BACK] = largest - largest == 0 ? unit : largest - largest;
        numbers[STURM_MOST] = bound > 0 ? bound + bound : LEAST_NORMAL;
        numbers[STURM_LEAST] = 4 * LEAST_NORMAL;
    }
}

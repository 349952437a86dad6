/* stedc_begin.cl: a tridiagonal matrix scaled, and cut into the leaves of divide and conquer
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The matrix is multiplied by the power of two that brings its largest element near 1; *back takes
 * that back. At each cut between rows c - 1 and c it is diag(T1, T2) + |e| v v^T, where e is its
 * element there and v is 1 at c - 1 and the sign of e at c: |e| is taken off both diagonal elements
 * beside the cut. A matrix with a number that is not finite becomes
 * zeros, so that no later loop meets it, and *state says so.
 *
 * Geometry: one group of ITEMS work-items, a power of two. a.level: that of the leaves. Macros:
 * ITEMS. Barriers: all work-items reach them.
 */
#if !defined(ITEMS)
#error "stedc_begin needs ITEMS"
#endif
#include "stedc.h"

#if PREC == 0
#define MOST_EXPONENT 120
#else
#define MOST_EXPONENT 1000
#endif

/* The larger of two sizes; a NaN stays. */
DEVICE R larger_or_nan(R a, R b)
{
    return a < b || b != b ? b : a;
}

/* The largest |x_i|, or NaN where there is one. All work-items must come. */
DEVICE R largest(GLOBAL const R *x, i64 count, LOCAL_PTR R *room)
{
    R most = 0;
    ROLLED
    for (i64 i = ITEM_X; i < count; i += ITEMS)
        most = larger_or_nan(most, fabs(x[i]));
    BARRIER(); /* room may still be read */
    room[ITEM_X] = most;
    for (i32 apart = ITEMS / 2; apart > 0; apart /= 2) {
        BARRIER();
        if (ITEM_X < apart)
            room[ITEM_X] = larger_or_nan(room[ITEM_X], room[ITEM_X + apart]);
    }
    BARRIER();
    return room[0];
}

KERNEL(stedc_begin, ITEMS, 1, 1)
(GLOBAL const R *d, GLOBAL const R *e, GLOBAL R *diagonal, GLOBAL R *beside, GLOBAL R *back,
 GLOBAL i64 *state, GLOBAL i64 *trouble, stedc_args a)
{
    LOCAL R room[ITEMS];
    BEGIN();
    const R of_d = largest(d, a.n, room), of_e = largest(e, a.n - 1, room);
    const i32 good = of_d - of_d == 0 && of_e - of_e == 0;
    const R most = larger(of_d, of_e);
    R scale = 1;
    if (good && most > 0) {
        const i32 exponent = -ilogb(most);
        scale = ldexp((R)1, exponent < -MOST_EXPONENT  ? -MOST_EXPONENT
                            : exponent > MOST_EXPONENT ? MOST_EXPONENT
                                                       : exponent);
    }
    ROLLED
    for (i64 i = ITEM_X; i < a.n; i += ITEMS) {
        diagonal[i] = good ? scale * d[i] : 0;
        beside[i] = good && i + 1 < a.n ? scale * e[i] : 0;
        trouble[i] = 0;
    }
    if (ITEM_X == 0) {
        back[0] = 1 / scale;
        state[0] = good ? STEDC_FINITE : STEDC_NOT_FINITE;
    }
    BARRIER();
    const i64 leaves = (i64)1 << a.level;
    ROLLED
    for (i64 p = 1 + ITEM_X; p < leaves; p += ITEMS) {
        const i64 cut = (p * a.n) >> a.level; /* a leaf has two rows at least */
        const R off = fabs(beside[cut - 1]);
        diagonal[cut - 1] -= off;
        diagonal[cut] -= off;
    }
}

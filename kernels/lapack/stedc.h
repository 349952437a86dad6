/* stedc.h: what the kernels of divide and conquer share: merges, and the unit roundoff.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "stedc_args.h"

#if PREC != 0 && PREC != 1
#error "tridiagonal and bidiagonal matrices are real"
#endif

#if PREC == 0
#define UNIT     0x1p-24f
#define SMALLEST 0x1p-126f
/* Squares between these can be added without loss. */
#define SQUARE_FROM 0x1p-90f
#define SQUARE_TO   0x1p120f
#else
#define UNIT        0x1p-53
#define SMALLEST    0x1p-1022
#define SQUARE_FROM 0x1p-900
#define SQUARE_TO   0x1p1000
#endif

/* Rows and columns of a merge: those of the upper part, then those of the lower one. */
typedef struct merge_span {
    i64 first, middle, last;
} merge_span;

DEVICE merge_span span_of_merge(stedc_args a, i64 merge)
{
    merge_span s;
    s.first = (merge * a.n) >> a.level;
    s.middle = ((2 * merge + 1) * a.n) >> (a.level + 1);
    s.last = ((merge + 1) * a.n) >> a.level;
    return s;
}

DEVICE R larger(R a, R b)
{
    return a < b ? b : a;
}

/* The length of (x, y). */
DEVICE R length_of(R x, R y)
{
    const R sum = x * x + y * y;
    if (sum > SQUARE_FROM && sum < SQUARE_TO)
        return sqrt(sum);
    const R most = larger(fabs(x), fabs(y)), least = fabs(x) < fabs(y) ? fabs(x) : fabs(y);
    const R ratio = most > 0 ? least / most : 0;
    return most * sqrt(1 + ratio * ratio);
}

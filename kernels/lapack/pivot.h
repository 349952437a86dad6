/* pivot.h: which element of a column is its pivot, and quotients by it. Shared by leaves of LU.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The pivot is the first of the largest |Re| + |Im|. A NaN loses every comparison; on the diagonal
 * it counts as infinite, and so stays, as in the reference LAPACK. Macros: ITEMS.
 */
#define WX ITEMS
#include "best.h"

DEVICE best_t no_pivot(void)
{
    best_t none;
    none.at = BEST_NONE;
    none.size = -1;
    return none;
}

/* What element t at row i of a column counts whose diagonal is row j: below 0, nothing. */
DEVICE R pivot_size(T t, i64 i, i64 j)
{
    const R size = T_size(t);
    return size == size ? size : i == j ? 1 / (R)0 : -1;
}

/* The better one of `best` and element t at row i of a column whose diagonal is row j. */
DEVICE best_t better_pivot(best_t best, T t, i64 i, i64 j)
{
    best_t one;
    one.at = i;
    one.size = (f64)pivot_size(t, i, j);
    return best_of(best, one);
}

/* How to divide by a pivot: by reals as they are; by complex numbers with one reciprocal, for which
 * numbers near the ends of their range are brought to its middle. No element exceeds its pivot. */
typedef struct divisor_t {
    T by;
    R factor;
} divisor_t;

DEVICE divisor_t divisor_of(T pivot)
{
    divisor_t d;
    d.by = pivot;
    d.factor = 1;
#if T_REALS > 1
    const R size = T_size(pivot),
            large = sizeof(R) == 4 ? (R)1.2676506002282294e30 : (R)1.0715086071862673e301;
    if (size > large)
        d.factor = (R)5.421010862427522e-20; /* 2^-64; large is 2^100 or 2^1000 */
    else if (size < 1 / large)
        d.factor = (R)1.8446744073709552e19;
    d.by = T_reciprocal(T_scale(d.factor, pivot));
#endif
    return d;
}

DEVICE T divided(T t, divisor_t d)
{
#if T_REALS > 1
    return T_mul(T_scale(d.factor, t), d.by);
#else
    return t / d.by;
#endif
}

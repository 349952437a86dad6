/* eigen_pick.cl: the eigenvalues that were asked for, and their vectors, out of all of them
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Values `first`, first + 1 ... or those in from < w <= to, of n ascending ones; columns of vectors
 * start with that of value `first`. Every group finds by bisection which they are. All vectors are
 * listed as failed where *stage, the outcome of the tridiagonal stage, is above 0. Geometry: any
 * number of groups of ITEMS work-items; groups take columns in turn. No barriers.
 */
#if !defined(ITEMS)
#error "eigen_pick needs ITEMS"
#endif
#include "eigen_args.h"

/* How many values are at most `bound`. */
DEVICE i64 values_to(GLOBAL const R *all, i64 n, f64 bound)
{
    i64 from = 0, to = n;
    ROLLED
    while (from < to) {
        const i64 middle = from + (to - from) / 2;
        if (all[middle] <= bound)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

KERNEL(eigen_pick, ITEMS, 1, 1)
(GLOBAL const R *RESTRICT all, GLOBAL const T *RESTRICT vectors, GLOBAL R *RESTRICT w,
 GLOBAL T *RESTRICT Z, GLOBAL const i64 *RESTRICT stage, GLOBAL i64 *RESTRICT found,
 GLOBAL i64 *RESTRICT failed, eigen_pick_args a)
{
    BEGIN();
    i64 first = a.first, end = a.first + a.count;
    if (a.by_values != 0) {
        first = values_to(all, a.n, a.from);
        end = values_to(all, a.n, a.to);
    }
    if (end < first)
        end = first;
    ROLLED
    for (i64 j = first + GROUP_X; j < end; j += GROUPS_X) {
        const i64 out = j - first, in = j - a.first;
        ROLLED
        for (i64 i = ITEM_X; a.vectors != 0 && i < a.n; i += ITEMS)
            Z[i + out * a.ldz] = vectors[i + in * a.ldv];
        if (ITEM_X == 0) {
            w[out] = all[j];
            if (a.vectors != 0)
                failed[out] = stage[0] > 0 ? out + 1 : 0;
        }
    }
    if (GROUP_X == 0 && ITEM_X == 0)
        found[0] = end - first;
}

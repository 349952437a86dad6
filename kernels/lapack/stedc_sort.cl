/* stedc_sort.cl: the eigenvalues of each part in ascending order, and the vector z of its merge
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A merge is diag(D1, D2) + rho z z^T with z = (last row of Q1, first row of Q2) / sqrt(2), the
 * second half negated where the element at the cut is negative, and rho twice that element's
 * modulus. The place of an eigenvalue is the number of those that are smaller, or equal and before
 * it: so places are a permutation. That is quadratic in the order of a part, as the secular
 * equation is, and a small part of it.
 *
 * STEDC_TO_END: there is no merge, z stays as it is. Geometry: groups of ITEMS work-items along x,
 * one work-item per eigenvalue; parts along y. Macros: ITEMS. Barriers: all work-items reach them.
 */
#if !defined(ITEMS)
#error "stedc_sort needs ITEMS"
#endif
#include "stedc.h"

#define HALF_ROOT ((R)0.70710678118654752440)

KERNEL(stedc_sort, ITEMS, 1, 1)
(GLOBAL const R *diagonal, GLOBAL const R *beside, GLOBAL const R *Q, GLOBAL R *sorted, GLOBAL R *z,
 GLOBAL i32 *from, stedc_args a)
{
    LOCAL R values[ITEMS];
    BEGIN();
    const merge_span s = span_of_merge(a, GROUP_Y);
    const i64 mine = s.first + GROUP_X * ITEMS + ITEM_X;
    const i32 there = mine < s.last;
    const R value = there ? diagonal[mine] : 0;
    i64 place = s.first;
    ROLLED
    for (i64 start = s.first; start < s.last; start += ITEMS) {
        const i32 count = (i32)(s.last - start < ITEMS ? s.last - start : ITEMS);
        BARRIER(); /* values may still be read */
        if (ITEM_X < count)
            values[ITEM_X] = diagonal[start + ITEM_X];
        BARRIER();
        ROLLED
        for (i32 i = 0; i < count; i++)
            place += values[i] < value || (!(value < values[i]) && start + i < mine);
    }
    if (!there)
        return;
    sorted[place] = value;
    from[place] = (i32)(mine - s.first);
    if (a.mode == STEDC_TO_MERGE) {
        const i32 lower = mine >= s.middle;
        const R element = Q[(lower ? s.middle : s.middle - 1) + mine * a.ldq];
        z[place] = lower && beside[s.middle - 1] < 0 ? -HALF_ROOT * element : HALF_ROOT * element;
    }
}

/* eigen_end.cl: eigenvalues of the matrix as it was given, and the outcome
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * w := BACK w if `scaled`. *info is n + *before if there was a step before that failed, else
 * -number if the matrix was not finite, else *stage, the outcome of the tridiagonal stage. That may
 * be (n + 1) times the first row of a part that did not converge, and more: with a step before it
 * becomes this row, which n + *before cannot be.
 * Geometry: groups of ITEMS work-items, one value each. No barriers.
 */
#if !defined(ITEMS)
#error "eigen_end needs ITEMS"
#endif
#include "eigen_args.h"

KERNEL(eigen_end, ITEMS, 1, 1)
(GLOBAL const R *RESTRICT numbers, GLOBAL R *RESTRICT w, GLOBAL const i64 *RESTRICT stage,
 GLOBAL const i64 *RESTRICT before, GLOBAL i64 *RESTRICT info, eigen_end_args a)
{
    BEGIN();
    const R back = a.scaled != 0 ? numbers[EIGEN_BACK] : (R)1;
    const i64 i = GROUP_X * ITEMS + ITEM_X;
    if (i < a.n && a.scaled != 0)
        w[i] = back * w[i];
    if (i == 0) {
        const i64 failed = a.has_before != 0 ? before[0] : 0, told = stage[0],
                  outcome = a.has_before != 0 && told > a.n ? told / (a.n + 1) : told;
        info[0] = failed != 0 ? a.n + failed : back != back || outcome < 0 ? -a.number : outcome;
    }
}

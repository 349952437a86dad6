/* dsdot_finish.cl: the result of dsdot or sdsdot from the partial sums
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The second launch where groups cannot hand over within one: added in the same order as there.
 * Geometry: one group of WX work-items. Macros: WIDE_RESULT 0 or 1. Barriers: all work-items reach
 * group_sum.
 */
#include "reduce_args.h"
#include "wide_dot.h"
#include "reduce.h"

KERNEL(dsdot_finish, WX, 1, 1)
(GLOBAL const f64 *partials, GLOBAL R *RESTRICT result, GLOBAL const R *RESTRICT alpha_at,
 reduce_args a)
{
    LOCAL sum_t scratch[GROUP_SCRATCH];
    BEGIN();
    const sum_t sum = group_sum(partials_share(partials, a.partials), scratch);
    if (ITEM_X == 0)
        wide_store(result, sum.v[0], alpha_at, a);
}

/* mdot_finish.cl: the results of mdot from the partial sums
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The second launch where groups cannot hand over within one: added in the same order as there.
 * Geometry: one group of WX work-items per batch, along y. Macros: BATCH. Barriers: all work-items
 * reach group_sum.
 */
#include "mdot.h"

KERNEL(mdot_finish, WX, 1, 1)(GLOBAL const R *partials, GLOBAL R *RESTRICT result, mdot_args a)
{
    LOCAL sum_t scratch[GROUP_SCRATCH];
    BEGIN();
    const sum_t sum =
        group_sum(partials_share(partials + GROUP_Y * a.partials * SUM_N, a.partials), scratch);
    if (ITEM_X == 0)
        mdot_store(result, sum, mdot_columns(a));
}

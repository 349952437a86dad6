/* mnrm2_finish.cl: the norms of columns from the partial sums of mnrm2
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The second launch where groups cannot hand over within one: added in the same order as there.
 * Geometry: one group of WX work-items per column, along y. Barriers: all work-items reach
 * group_sum.
 */
#include "norm.h"
#include "mdot_args.h"

KERNEL(mnrm2_finish, WX, 1, 1)(GLOBAL const f64 *partials, GLOBAL R *RESTRICT result, mdot_args a)
{
    LOCAL sum_t scratch[GROUP_SCRATCH];
    BEGIN();
    const sum_t sum =
        group_sum(partials_share(partials + GROUP_Y * a.partials * SUM_N, a.partials), scratch);
    if (ITEM_X == 0)
        result[GROUP_Y] = norm_result(sum);
}

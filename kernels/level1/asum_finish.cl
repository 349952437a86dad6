/* asum_finish.cl: result := sum of the partial sums of asum
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The second launch where groups cannot hand over within one: added in the same order as there.
 * Geometry: one group of WX work-items. Barriers: all work-items reach group_sum.
 */
#define SUM_R    R
#define SUM_N    1
#define SUM_MAIN 1
#include "reduce.h"
#include "reduce_args.h"

KERNEL(asum_finish, WX, 1, 1)(GLOBAL const R *partials, GLOBAL R *RESTRICT result, reduce_args a)
{
    LOCAL sum_t scratch[GROUP_SCRATCH];
    BEGIN();
    const sum_t sum = group_sum(partials_share(partials, a.partials), scratch);
    if (ITEM_X == 0)
        result[0] = sum.v[0];
}

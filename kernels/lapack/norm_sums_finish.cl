/* norm_sums_finish.cl: the largest sum of a line, from the sums of its parts; one number per group
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A line is a column or a row; `ones` of them have a 1 on the diagonal that was not read. Geometry:
 * any number of groups of WX work-items, a power of two. Barriers: all work-items reach
 * norm_group_most. Where there are several groups norm_max_finish follows.
 */
#if !defined(WX)
#error "norm_sums_finish needs WX"
#endif
#include "norm_args.h"
#include "norm_size.h"

KERNEL(norm_sums_finish, WX, 1, 1)
(GLOBAL const R *RESTRICT partials, GLOBAL R *RESTRICT result, norm_args a)
{
    LOCAL R scratch[WX];
    BEGIN();
    R most = 0;
    for (i64 k = GROUP_X * WX + ITEM_X; k < a.lines; k += GROUPS_X * WX) {
        R sum = k < a.ones;
        for (i64 p = 0; p < a.partials; p++)
            sum += partials[p * a.lines + k];
        most = norm_larger(most, sum);
    }
    most = norm_group_most(most, scratch);
    if (ITEM_X == 0)
        result[GROUP_X] = most;
}

/* norm_frobenius_finish.cl: result := the root of the groups' sums of squares, and of the 1s of a
 * diagonal
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Geometry: one group of WX work-items. Barriers: all work-items reach group_sum.
 */
#include "norm.h"
#include "norm_args.h"

KERNEL(norm_frobenius_finish, WX, 1, 1)
(GLOBAL const f64 *RESTRICT partials, GLOBAL R *RESTRICT result, norm_args a)
{
    LOCAL sum_t scratch[GROUP_SCRATCH];
    BEGIN();
    sum_t sum = group_sum(partials_share(partials, a.partials), scratch);
    if (ITEM_X == 0) {
        sum.v[0] += (f64)a.ones;
        result[0] = norm_result(sum);
    }
}

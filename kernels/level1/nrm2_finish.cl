/* nrm2_finish.cl: result := the norm from the partial sums of nrm2
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The second launch where groups cannot hand over within one: added in the same order as there.
 * Geometry: one group of WX work-items. Barriers: all work-items reach group_sum.
 */
#include "norm.h"
#include "reduce_args.h"

KERNEL(nrm2_finish, WX, 1, 1)(GLOBAL const f64 *partials, GLOBAL R *RESTRICT result, reduce_args a)
{
    LOCAL sum_t scratch[GROUP_SCRATCH];
    BEGIN();
    const sum_t sum = group_sum(partials_share(partials, a.partials), scratch);
    if (ITEM_X == 0)
        result[0] = norm_result(sum);
}

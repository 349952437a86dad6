/* nrm2.cl: result := sqrt(sum of |x_i|^2), one pass, no overflow or underflow
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * As dot.cl, with the sums of norm.h in place of products. Geometry: any number of groups of WX
 * work-items. Macros: stream.h; ONE_PASS 0 or 1. Barriers: all work-items reach grid_sum or
 * group_sum.
 */
#include "norm_walk.h"
#include "reduce_args.h"

KERNEL(nrm2, WX, 1, 1)
(GLOBAL const T *RESTRICT x, GLOBAL f64 *RESTRICT partials, GLOBAL i32 *RESTRICT counter,
 GLOBAL R *RESTRICT result, reduce_args a)
{
    LOCAL sum_t scratch[GROUP_SCRATCH];
    LOCAL i32 flag[1];
    BEGIN();
    sum_t sum = norm_share(x, a.range);
    if (reduce_groups(&sum, partials, counter, scratch, flag))
        result[0] = norm_result(sum);
}

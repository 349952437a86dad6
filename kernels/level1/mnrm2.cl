/* mnrm2.cl: result_j := the norm of column j, for columns that several groups share
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * As nrm2.cl, for one column per group along y, with its own partial sums and its own counter.
 * Geometry: any number of groups of WX work-items along x. Macros: stream.h; ONE_PASS 0 or 1.
 * Barriers: all work-items reach reduce_groups.
 */
#include "norm_walk.h"
#include "mdot_args.h"

KERNEL(mnrm2, WX, 1, 1)
(GLOBAL const T *RESTRICT X, GLOBAL f64 *RESTRICT partials, GLOBAL i32 *RESTRICT counter,
 GLOBAL R *RESTRICT result, mdot_args a)
{
    LOCAL sum_t scratch[GROUP_SCRATCH];
    LOCAL i32 flag[1];
    BEGIN();
    sum_t sum = norm_share(X + GROUP_Y * a.ldx, a.range);
    if (reduce_groups(&sum, partials + GROUP_Y * GROUPS_X * SUM_N, counter + GROUP_Y, scratch,
                      flag))
        result[GROUP_Y] = norm_result(sum);
}

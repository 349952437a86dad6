/* arrive.cl: the sum of one number per work-item: what a hand-over between groups costs
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * With ONE_PASS every group stores its sum and takes a ticket, and the last one adds the sums, as
 * all reductions do; without, it stores its sum and ends. The difference of their times is the
 * hand-over.
 *
 * Geometry: any number of groups of WX work-items. Macros: WX, ONE_PASS. All reach the barriers.
 */
#define SUM_R    R
#define SUM_N    1
#define SUM_MAIN 1
#include "reduce.h"
#include "roof_args.h"

KERNEL(arrive, WX, 1, 1)
(GLOBAL const R *RESTRICT x, GLOBAL R *partials, GLOBAL i32 *counter, GLOBAL R *result, roof_args a)
{
    LOCAL sum_t scratch[GROUP_SCRATCH];
    LOCAL i32 flag[1];
    BEGIN();
    sum_t mine;
    (void)a;
    mine.v[0] = x[GROUP_X * WX + ITEM_X];
    if (reduce_groups(&mine, partials, counter, scratch, flag))
        result[0] = mine.v[0];
}

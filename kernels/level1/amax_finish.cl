/* amax_finish.cl: the position of the largest from the groups' best of amax
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The second launch where groups cannot hand over within one. Geometry: one group of WX work-items.
 * Barriers: all work-items reach group_best.
 */
#include "reduce_args.h"
#include "best.h"

KERNEL(amax_finish, WX, 1, 1)
(GLOBAL const best_t *partials, GLOBAL i64 *RESTRICT result, reduce_args a)
{
    LOCAL best_t scratch[BEST_SCRATCH];
    BEGIN();
    const best_t best = group_best(partials_best(partials, a.partials), scratch);
    if (ITEM_X == 0)
        result[0] = best.at + 1;
}

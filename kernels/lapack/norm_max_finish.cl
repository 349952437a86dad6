/* norm_max_finish.cl: result := the largest of the groups' numbers, or the 1 of a diagonal
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Geometry: one group of WX work-items, a power of two. Barriers: all work-items reach
 * norm_group_most.
 */
#if !defined(WX)
#error "norm_max_finish needs WX"
#endif
#include "norm_args.h"
#include "norm_size.h"

KERNEL(norm_max_finish, WX, 1, 1)
(GLOBAL const R *RESTRICT partials, GLOBAL R *RESTRICT result, norm_args a)
{
    LOCAL R scratch[WX];
    BEGIN();
    R most = a.ones > 0;
    for (i64 i = ITEM_X; i < a.partials; i += WX)
        most = norm_larger(most, partials[i]);
    most = norm_group_most(most, scratch);
    if (ITEM_X == 0)
        result[0] = most;
}

/* range_info.cl: info of a routine whose matrix has a NaN or an infinity
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Geometry: one group of one work-item. No barriers.
 */
#include "range_one_args.h"

KERNEL(range_info, 1, 1, 1)
(GLOBAL const R *RESTRICT numbers, GLOBAL i64 *RESTRICT info, range_info_args a)
{
    BEGIN();
    if (numbers[RANGE_ONE_BAD] != 0)
        *info = a.info;
}

/* put_info.cl: info that the host knows, to memory that kernels alone may reach
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Geometry: one group of one work-item. No barriers.
 */
#include "range_one_args.h"

KERNEL(put_info, 1, 1, 1)
(GLOBAL i64 *RESTRICT info, range_info_args a)
{
    BEGIN();
    *info = a.info;
}

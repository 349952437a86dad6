/* copy.cl: y := x
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Geometry, tunables and macros: map.h.
 */
#define MAP_READS  1
#define MAP_WRITES 2
#include "map.h"

DEVICE void map_element(map_scalars s, T *x, T *y, T *w)
{
    (void)s;
    (void)w;
    *y = *x;
}

KERNEL(copy, WX, 1, 1)
#include "map_kernel.h"

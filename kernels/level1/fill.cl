/* fill.cl: x := (alpha, alpha, ...)
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Geometry, tunables and macros: map.h.
 */
#define MAP_READS  0
#define MAP_WRITES 1
#include "map.h"

DEVICE void map_element(map_scalars s, T *x, T *y, T *w)
{
    (void)y;
    (void)w;
    *x = s.alpha;
}

KERNEL(fill, WX, 1, 1)
#include "map_kernel.h"

/* swap.cl: x and y change places
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Geometry, tunables and macros: map.h.
 */
#define MAP_READS  3
#define MAP_WRITES 3
#include "map.h"

DEVICE void map_element(map_scalars s, T *x, T *y, T *w)
{
    const T t = *x;
    (void)s;
    (void)w;
    *x = *y;
    *y = t;
}

KERNEL(swap, WX, 1, 1)
#include "map_kernel.h"

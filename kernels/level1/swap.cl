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
(GLOBAL const R *RESTRICT alpha_at, GLOBAL const R *RESTRICT beta_at, GLOBAL T *RESTRICT x,
 GLOBAL T *RESTRICT y, GLOBAL T *RESTRICT w, map_args a)
{
    BEGIN();
    const map_scalars s = map_scalars_of(alpha_at, beta_at, a);
    if (!(MAP_SKIP(s)))
        map_walk(s, x, y, w, a.range);
}

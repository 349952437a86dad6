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
(GLOBAL const R *RESTRICT alpha_at, GLOBAL const R *RESTRICT beta_at, GLOBAL T *RESTRICT x,
 GLOBAL T *RESTRICT y, GLOBAL T *RESTRICT w, map_args a)
{
    BEGIN();
    const map_scalars s = map_scalars_of(alpha_at, beta_at, a);
    if (!(MAP_SKIP(s)))
        map_walk(s, x, y, w, a.range);
}

/* scal.cl: x := alpha x
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Always multiplies: NaN times 0 stays NaN, as in the reference BLAS. REAL_SCALARS: alpha is real,
 * and each part is multiplied on its own. Geometry, tunables and macros: map.h.
 */
#define MAP_READS  1
#define MAP_WRITES 1
#include "map.h"

DEVICE void map_element(map_scalars s, T *x, T *y, T *w)
{
    (void)y;
    (void)w;
#if REAL_SCALARS
    *x = T_scale(T_real(s.alpha, 0), *x);
#else
    *x = T_mul(s.alpha, *x);
#endif
}

KERNEL(scal, WX, 1, 1)
(GLOBAL const R *RESTRICT alpha_at, GLOBAL const R *RESTRICT beta_at, GLOBAL T *RESTRICT x,
 GLOBAL T *RESTRICT y, GLOBAL T *RESTRICT w, map_args a)
{
    BEGIN();
    const map_scalars s = map_scalars_of(alpha_at, beta_at, a);
    if (!(MAP_SKIP(s)))
        map_walk(s, x, y, w, a.range);
}

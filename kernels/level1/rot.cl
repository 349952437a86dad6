/* rot.cl: (x, y) := (c x + s y, c y - conj(s) x)
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * alpha is c, real always; beta is s, real where REAL_SCALARS. Geometry, tunables and macros:
 * map.h.
 */
#define MAP_READS       3
#define MAP_WRITES      3
#define MAP_ALPHA_REALS 1
#include "map.h"

DEVICE void map_element(map_scalars s, T *x, T *y, T *w)
{
    const R c = T_real(s.alpha, 0);
    const T old = *x;
    (void)w;
#if REAL_SCALARS
    *x = T_fma_real(T_real(s.beta, 0), *y, T_scale(c, old));
    *y = T_fma_real(-T_real(s.beta, 0), old, T_scale(c, *y));
#else
    *x = T_fma(s.beta, *y, T_scale(c, old));
    *y = T_fma(T_neg(T_conj(s.beta)), old, T_scale(c, *y));
#endif
}

KERNEL(rot, WX, 1, 1)
#include "map_kernel.h"

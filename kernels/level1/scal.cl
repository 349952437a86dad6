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
#include "map_kernel.h"

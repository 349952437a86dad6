/* axpy.cl: y := alpha x + y
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * alpha = 0 leaves y alone, as in BLAS. Geometry, tunables and macros: map.h.
 */
#define MAP_READS   3
#define MAP_WRITES  2
#define MAP_SKIP(s) T_is_zero((s).alpha)
#include "map.h"

DEVICE void map_element(map_scalars s, T *x, T *y, T *w)
{
    (void)w;
    *y = T_fma(s.alpha, *x, *y);
}

KERNEL(axpy, WX, 1, 1)
#include "map_kernel.h"

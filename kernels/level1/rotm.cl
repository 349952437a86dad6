/* rotm.cl: (x, y) := (h11 x + h12 y, h21 x + h22 y), real
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * H comes by value, or from the five numbers of BLAS's param at alpha_at, whose flag is read here;
 * a flag that says identity leaves all as it is. Geometry, tunables and macros: map.h.
 */
#define MAP_READS   3
#define MAP_WRITES  3
#define MAP_MATRIX  1
#define MAP_SKIP(s) (s).identity
#include "map.h"

DEVICE void map_element(map_scalars s, T *x, T *y, T *w)
{
    const T old = *x;
    (void)w;
    *x = T_fma_real(s.h12, *y, T_scale(s.h11, old));
    *y = T_fma_real(s.h21, old, T_scale(s.h22, *y));
}

KERNEL(rotm, WX, 1, 1)
#include "map_kernel.h"

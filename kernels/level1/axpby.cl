/* axpby.cl: y := alpha x + beta y
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * With alpha = 0 x is not read, with beta = 0 y is not. Geometry, tunables and macros: map.h.
 */
#define MAP_READS        3
#define MAP_WRITES       2
#define MAP_READS_NOW(s) ((T_is_zero((s).alpha) ? 0 : 1) | (T_is_zero((s).beta) ? 0 : 2))
#include "map.h"

DEVICE void map_element(map_scalars s, T *x, T *y, T *w)
{
    (void)w;
    *y = T_fma(s.alpha, *x, T_mul(s.beta, *y));
}

KERNEL(axpby, WX, 1, 1)
#include "map_kernel.h"

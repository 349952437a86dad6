/* transpose_n.cl: C := A, the transposition that turns nothing
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Geometry and macros: plane.h.
 */
#include "plane.h"

DEVICE T plane_element(plane_scalars s, T a, T b)
{
    (void)s;
    (void)b;
    return a;
}

KERNEL(transpose_n, ITEMS, 1, 1)
(GLOBAL const T *RESTRICT A, GLOBAL T *RESTRICT C, plane_args p)
{
    BEGIN();
    plane_scalars s;
    s.alpha = T_make(1, 0);
    s.beta = T_make(0, 0);
    s.reads_a = 1;
    s.reads_b = 0;
    plane_walk(s, A, A, C, p);
}

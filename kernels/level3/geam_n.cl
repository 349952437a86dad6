/* geam_n.cl: C := alpha A + beta B
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * alpha = 0: A is not read; beta = 0: B is not read. Geometry and macros: plane.h.
 */
#include "plane.h"

DEVICE T plane_element(plane_scalars s, T a, T b)
{
    if (!s.reads_a)
        return s.reads_b ? T_mul(s.beta, b) : T_make(0, 0);
    return s.reads_b ? T_fma(s.alpha, a, T_mul(s.beta, b)) : T_mul(s.alpha, a);
}

KERNEL(geam_n, ITEMS, 1, 1)
(GLOBAL const R *RESTRICT alpha_at, GLOBAL const R *RESTRICT beta_at, GLOBAL const T *RESTRICT A,
 GLOBAL const T *RESTRICT B, GLOBAL T *RESTRICT C, plane_args p)
{
    BEGIN();
    plane_scalars s;
    s.alpha = alpha_of(alpha_at, p.scalars);
    s.beta = beta_of(beta_at, p.scalars);
    s.reads_a = !T_is_zero(s.alpha);
    s.reads_b = !T_is_zero(s.beta);
    plane_walk(s, A, B, C, p);
}

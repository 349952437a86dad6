/* syr2.cl: A := A + alpha x y^T + alpha y x^T, or alpha x y^H + conj(alpha) y x^H, in one triangle
 * of A
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * One read and one write of the triangle. Idea, geometry and macros: rank_update.h.
 */
#define TRIANGLE 1
#define TERMS    2
#include "rank_update.h"

KERNEL(syr2, ITEMS, 1, 1)
(GLOBAL const R *RESTRICT alpha_at, GLOBAL T *RESTRICT A, GLOBAL const T *RESTRICT x,
 GLOBAL const T *RESTRICT y, rank_update_args a)
{
    BEGIN();
    rank_update(alpha_at, A, x, y, a);
}

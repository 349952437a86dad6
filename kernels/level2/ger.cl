/* ger.cl: A := A + alpha x y^T, or alpha x y^H
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * One read and one write of A. Idea, geometry and macros: rank_update.h.
 */
#define TRIANGLE 0
#define TERMS    1
#include "rank_update.h"

KERNEL(ger, ITEMS, 1, 1)
(GLOBAL const R *RESTRICT alpha_at, GLOBAL T *RESTRICT A, GLOBAL const T *RESTRICT x,
 GLOBAL const T *RESTRICT y, rank_update_args a)
{
    BEGIN();
    rank_update(alpha_at, A, x, y, a);
}

/* sparse_scale.cl: Y := beta Y, before products add to it; with beta = 0 it is not read, with beta
 * = 1 not touched.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Geometry: ITEMS work-items per group, a.run rows each, ITEMS apart; GROUP_Y is the column. No
 * barriers.
 */
#include "scalars.h"
#include "sparse_coo_args.h"

#ifndef ITEMS
#error "sparse_scale needs ITEMS"
#endif

KERNEL(sparse_scale, ITEMS, 1, 1)
(GLOBAL const R *RESTRICT beta_at, GLOBAL T *RESTRICT y, sparse_coo_args a)
{
    BEGIN();
    const T beta = beta_of(beta_at, a.scalars);
    if (T_is_zero(T_add(beta, T_make(-1, 0))))
        return;
    const i64 first = GROUP_X * ITEMS * a.run + ITEM_X, end = (GROUP_X + 1) * ITEMS * a.run;
    GLOBAL T *column = y + GROUP_Y * a.ldy;
    ROLLED
    for (i64 i = first; i < end && i < a.rows; i += ITEMS)
        column[i] = T_is_zero(beta) ? T_make(0, 0) : T_mul(beta, column[i]);
}

/* sparse_staged.cl: y := alpha A x + beta y, A in compressed rows, its entries loaded as they lie
 * in memory.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Geometry: a group has ITEMS rows and as many work-items. It loads the entries of all of them,
 * neighbours neighbouring ones, UNROLL per work-item at a time, and leaves the products in local
 * memory, up to STAGE; then each work-item adds those of its row. Rows that have more than STAGE
 * entries together take several rounds. All work-items reach the barriers.
 */
#include "scalars.h"
#include "sparse_mv_args.h"
#include "sparse_row.h"

#ifndef STAGE
#error "sparse_staged needs STAGE"
#endif

KERNEL(sparse_staged, ITEMS, 1, 1)
(GLOBAL const R *RESTRICT alpha_at, GLOBAL const R *RESTRICT beta_at,
 GLOBAL const sparse_index *RESTRICT start, GLOBAL const sparse_index *RESTRICT column,
 GLOBAL const T *RESTRICT value, GLOBAL const T *RESTRICT x, GLOBAL T *RESTRICT y, sparse_mv_args a)
{
    LOCAL T stage[STAGE];
    BEGIN();
    const T alpha = alpha_of(alpha_at, a.scalars), beta = beta_of(beta_at, a.scalars);
    const sparse_rows m = sparse_rows_of(start, column, value, start, a.matrix);
    const i64 first = GROUP_X * ITEMS;
    T sum = T_make(0, 0);
    if (!T_is_zero(alpha))
        sum = sparse_rows_staged(m, first, x, stage);
    if (first + ITEM_X < a.matrix.rows)
        scaled_store(y + first + ITEM_X, alpha, sum, beta);
}

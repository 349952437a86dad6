/* sparse_staged.cl: y := alpha A x + beta y, A in compressed rows, its entries loaded as they lie
 * in memory.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Geometry: a group has ROWS * ITEMS rows and ITEMS work-items. It loads the entries of all of
 * them, neighbours neighbouring ones, UNROLL per work-item at a time, and leaves the products in
 * local memory, up to STAGE; then each work-item adds those of its rows, ITEMS apart. Rows that
 * have more than STAGE entries together take several rounds. All work-items reach the barriers.
 *
 * ROWS = 2 is for narrow entries and short rows (s, stencils), where a group waits for starts,
 * entries and x with few bytes in flight: it has twice as many. Not measured yet; nothing chooses
 * it.
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
    const i64 first = GROUP_X * (ROWS * ITEMS);
    sparse_staged_sums sums;
    UNROLLED
    for (i32 r = 0; r < ROWS; r++)
        sums.row[r] = T_make(0, 0);
    if (!T_is_zero(alpha))
        sums = sparse_rows_staged(m, first, x, stage);
    UNROLLED
    for (i32 r = 0; r < ROWS; r++) {
        const i64 row = first + r * ITEMS + ITEM_X;
        if (row < a.matrix.rows)
            scaled_store(y + row, alpha, sums.row[r], beta);
    }
}

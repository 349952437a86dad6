/* norm_columns.cl: sums of moduli of columns, over the rows of each part
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Element j of row p of partials is the sum over column j of the rows that part p has. Geometry:
 * strips x parts groups of WX work-items; ROWS is a power of two. Macros: norm_walk_matrix.h.
 * Barriers: all work-items have the same strips. norm_sums_finish follows.
 */
#include "norm_walk_matrix.h"

KERNEL(norm_columns, WX, 1, 1)
(GLOBAL const T *RESTRICT A, GLOBAL R *RESTRICT partials, norm_args a)
{
    LOCAL R scratch[COLUMNS * WX];
    BEGIN();
    const i64 part = (i32)GROUP_X / (i32)a.strips;
    NORM_STRIPS(a, j)
    {
        R sum[COLUMNS];
        UNROLLED
        for (i32 c = 0; c < COLUMNS; c++)
            sum[c] = 0;
        NORM_TILES(a, i, j)
        {
            T held[COLUMNS];
            UNROLLED
            for (i32 c = 0; c < COLUMNS; c++)
                held[c] = norm_load(A, a, NORM_ROW(i), NORM_COLUMN(j, c));
            UNROLLED
            for (i32 c = 0; c < COLUMNS; c++)
                sum[c] += norm_size(held[c]);
        }
        BARRIER(); /* the strip before has been read */
        UNROLLED
        for (i32 c = 0; c < COLUMNS; c++)
            scratch[c * WX + ITEM_X] = sum[c];
        for (i32 apart = ROWS / 2; apart > 0; apart /= 2) {
            BARRIER();
            if (ITEM_X % ROWS < apart) {
                UNROLLED
                for (i32 c = 0; c < COLUMNS; c++)
                    scratch[c * WX + ITEM_X] += scratch[c * WX + ITEM_X + apart];
            }
        }
        if (ITEM_X % ROWS == 0) {
            UNROLLED
            for (i32 c = 0; c < COLUMNS; c++)
                if (NORM_COLUMN(j, c) < a.n)
                    partials[part * a.n + NORM_COLUMN(j, c)] = scratch[c * WX + ITEM_X];
        }
    }
}

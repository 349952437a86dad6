/* norm_rows.cl: sums of moduli of rows, over the columns of each strip
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Element i of row s of partials is the sum over row i of the columns that strip s has. Geometry:
 * strips x parts groups of WX work-items, ROWS and WX powers of two. Macros: norm_walk_matrix.h.
 * Barriers: all work-items have the same tiles. norm_sums_finish follows.
 */
#include "norm_walk_matrix.h"

KERNEL(norm_rows, WX, 1, 1)
(GLOBAL const T *RESTRICT A, GLOBAL R *RESTRICT partials, norm_args a)
{
    LOCAL R scratch[WX];
    BEGIN();
    const i64 strip = (i32)GROUP_X % (i32)a.strips, step = a.strips * SPAN;
    for (i64 i = (i64)((i32)GROUP_X / (i32)a.strips) * ROWS; i < a.m; i += a.parts * ROWS) {
        const i64 end = norm_least(a.n, i + ROWS - a.first);
        R sum = 0;
        for (i64 j = norm_tile(norm_least(i - a.last, a.n - 1), step) + strip * SPAN; j < end;
             j += step) {
            T held[COLUMNS];
            UNROLLED
            for (i32 c = 0; c < COLUMNS; c++)
                held[c] = norm_load(A, a, NORM_ROW(i), NORM_COLUMN(j, c));
            UNROLLED
            for (i32 c = 0; c < COLUMNS; c++)
                sum += norm_size(held[c]);
        }
        BARRIER(); /* the rows before have been read */
        scratch[ITEM_X] = sum;
        for (i32 apart = WX / 2; apart >= ROWS; apart /= 2) {
            BARRIER();
            if (ITEM_X < apart)
                scratch[ITEM_X] += scratch[ITEM_X + apart];
        }
        if (ITEM_X < ROWS && NORM_ROW(i) < a.m)
            partials[strip * a.m + NORM_ROW(i)] = scratch[ITEM_X];
    }
}

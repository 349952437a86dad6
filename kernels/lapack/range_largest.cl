/* range_largest.cl: the largest |Re a_ij| or |Im a_ij| that each group meets; NaN where there is
 * one
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Geometry: any multiple of `strips` groups of ITEMS work-items, a power of two; group g writes
 * maximum g. Macros: part.h. Barriers: all work-items reach them.
 */
#include "range_group.h"
#include "part.h"

DEVICE R largest_columns(GLOBAL const T *RESTRICT A, part_args a, R most, i64 i, i64 j)
{
    T held[COLUMNS];
    UNROLLED
    for (i32 c = 0; c < COLUMNS; c++) {
        held[c] = T_make(0, 0);
        if (part_has(a, i, j + c))
            held[c] = A[i + (j + c) * a.lda];
    }
    UNROLLED
    for (i32 c = 0; c < COLUMNS; c++) {
        UNROLLED
        for (i32 p = 0; p < T_REALS; p++) {
            const R value = T_real(held[c], p);
            most = range_larger(most, value < 0 ? -value : value);
        }
    }
    return most;
}

KERNEL(range_largest, ITEMS, 1, 1)
(GLOBAL const T *RESTRICT A, GLOBAL R *RESTRICT maxima, part_args a)
{
    LOCAL R most[ITEMS];
    BEGIN();
    R mine = 0;
    PART_TILES(a, i, j)
    mine = largest_columns(A, a, mine, i + ITEM_X, j);
    range_group(mine, most);
    if (ITEM_X == 0)
        maxima[GROUP_X] = most[0];
}

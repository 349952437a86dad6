/* norm_max.cl: the largest modulus of a matrix or of a part of it, one number per group
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Geometry: strips x parts groups of WX work-items, a power of two. Macros: norm_walk_matrix.h.
 * Barriers: all work-items reach norm_group_most. norm_max_finish follows.
 */
#include "norm_walk_matrix.h"

KERNEL(norm_max, WX, 1, 1)
(GLOBAL const T *RESTRICT A, GLOBAL R *RESTRICT partials, norm_args a)
{
    LOCAL R scratch[WX];
    BEGIN();
    R most = 0;
    NORM_STRIPS(a, j)
    NORM_TILES(a, i, j)
    {
        T held[COLUMNS];
        UNROLLED
        for (i32 c = 0; c < COLUMNS; c++)
            held[c] = norm_load(A, a, NORM_ROW(i), NORM_COLUMN(j, c));
        UNROLLED
        for (i32 c = 0; c < COLUMNS; c++)
            most = norm_larger(most, norm_size(held[c]));
    }
    most = norm_group_most(most, scratch);
    if (ITEM_X == 0)
        partials[GROUP_X] = most;
}

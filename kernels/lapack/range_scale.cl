/* range_scale.cl: a matrix times a factor from device memory, its lower rows times another one
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Where both are 1, which is the usual case, nothing is read or written. If asked to, it clears the
 * solution of a system whose matrix is all zeros, and its info. Geometry: any multiple of `strips`
 * groups of ITEMS work-items. Macros: part.h. No barriers.
 */
#include "range_args.h"
#include "part.h"

DEVICE void scale_columns(GLOBAL T *RESTRICT A, part_args a, R factor, i32 clear, i64 i, i64 j)
{
    T held[COLUMNS];
    UNROLLED
    for (i32 c = 0; c < COLUMNS; c++) {
        held[c] = T_make(0, 0);
        if (!clear && part_has(a, i, j + c))
            held[c] = A[i + (j + c) * a.lda];
    }
    UNROLLED
    for (i32 c = 0; c < COLUMNS; c++)
        if (part_has(a, i, j + c))
            A[i + (j + c) * a.lda] = T_scale(factor, held[c]);
}

KERNEL(range_scale, ITEMS, 1, 1)
(GLOBAL const R *RESTRICT factors, GLOBAL T *RESTRICT A, GLOBAL i64 *RESTRICT info,
 range_scale_args a)
{
    BEGIN();
    const i32 clear = a.clears != 0 && factors[RANGE_NOTHING] != 0;
    const R above = clear ? (R)1 : factors[a.above], below = clear ? (R)1 : factors[a.below];
    if (clear || above != 1 || below != 1) {
        PART_TILES(a.part, i, j)
        scale_columns(A, a.part, i + ITEM_X < a.rows ? above : below, clear, i + ITEM_X, j);
        if (clear && GROUP_X == 0 && ITEM_X == 0)
            *info = 0;
    }
}

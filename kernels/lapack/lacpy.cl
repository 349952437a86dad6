/* lacpy.cl: B := A, the whole matrix or one triangle
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Geometry: any multiple of `strips` groups of ITEMS work-items. Macros: part.h. No barriers.
 */
#include "part.h"

DEVICE void copy_columns(GLOBAL const T *RESTRICT A, GLOBAL T *RESTRICT B, part_args a, i64 i,
                         i64 j)
{
    T held[COLUMNS];
    UNROLLED
    for (i32 c = 0; c < COLUMNS; c++) {
        held[c] = T_make(0, 0);
        if (part_has(a, i, j + c))
            held[c] = A[i + (j + c) * a.lda];
    }
    UNROLLED
    for (i32 c = 0; c < COLUMNS; c++)
        if (part_has(a, i, j + c))
            B[i + (j + c) * a.ldb] = held[c];
}

KERNEL(lacpy, ITEMS, 1, 1)
(GLOBAL const T *RESTRICT A, GLOBAL T *RESTRICT B, part_args a)
{
    BEGIN();
    PART_TILES(a, i, j)
    copy_columns(A, B, a, i + ITEM_X, j);
}

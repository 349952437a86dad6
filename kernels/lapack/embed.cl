/* embed.cl: C := [B 0; 0 I] with B real: the vectors of a bidiagonal matrix, where the reflectors
 * of its reduction are applied to them
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * All of C is NaN where the matrix was not finite (range_one.cl). Geometry: any multiple of
 * `strips` groups of ITEMS work-items. Macros: part.h. No barriers.
 */
#include "range_one_args.h"
#include "embed_args.h"
#include "part.h"

DEVICE void embed_columns(GLOBAL const R *RESTRICT B, GLOBAL T *RESTRICT C, embed_args a, R more,
                          i64 i, i64 j)
{
    R held[COLUMNS];
    UNROLLED
    for (i32 c = 0; c < COLUMNS; c++) {
        held[c] = i == j + c ? (R)1 : (R)0;
        if (i < a.order && j + c < a.order)
            held[c] = B[i + (j + c) * a.part.ldb];
    }
    UNROLLED
    for (i32 c = 0; c < COLUMNS; c++)
        if (part_has(a.part, i, j + c))
            C[i + (j + c) * a.part.lda] = T_make(held[c] + more, more);
}

KERNEL(embed, ITEMS, 1, 1)
(GLOBAL const R *RESTRICT numbers, GLOBAL const R *RESTRICT B, GLOBAL T *RESTRICT C, embed_args a)
{
    BEGIN();
    const R more = numbers[RANGE_ONE_BAD] != 0 ? numbers[RANGE_ONE_BACK] : (R)0; /* NaN or 0 */
    PART_TILES(a.part, i, j)
    embed_columns(B, C, a, more, i + ITEM_X, j);
}

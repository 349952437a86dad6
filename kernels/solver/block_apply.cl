/* block_apply.cl: y := M^-1 x, by the inverses of the blocks on the diagonal
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Geometry: WX work-items per group, one per row. Macros: BLOCK, WX. No barriers.
 */
#include "block_args.h"

#if !defined(BLOCK) || !defined(WX)
#error "block_apply needs BLOCK and WX"
#endif

KERNEL(block_apply, WX, 1, 1)
(GLOBAL const T *RESTRICT inverse, GLOBAL const T *RESTRICT x, GLOBAL T *RESTRICT y, block_args a)
{
    BEGIN();
    const i64 row = GROUP_X * WX + ITEM_X;
    if (row >= a.matrix.rows)
        return;
    const i64 block = (i64)((u64)row / BLOCK), first = block * BLOCK;
    GLOBAL const T *mine = inverse + block * (BLOCK * BLOCK) + (row - first);
    T sum = T_make(0, 0);
    for (i32 j = 0; j < BLOCK; j++)
        if (BLOCK == 1 || first + j < a.matrix.rows)
            sum = T_fma(mine[j * BLOCK], x[first + j], sum);
    y[row] = sum;
}

/* block_gather.cl: the blocks on the diagonal of a sparse matrix, column-major one behind the other
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Element (i, j) of block b is that of row b BLOCK + i and column b BLOCK + j. The blocks were
 * filled with zeros; where the last one reaches past the matrix it gets the identity. Geometry: WX
 * work-items per group, one per row. Macros: BLOCK, WX; those of sparse_row.h. No barriers.
 */
#include "block_args.h"
#include "sparse_row.h"

#if !defined(BLOCK) || !defined(WX)
#error "block_gather needs BLOCK and WX"
#endif

KERNEL(block_gather, WX, 1, 1)
(GLOBAL const sparse_index *RESTRICT start, GLOBAL const sparse_index *RESTRICT column,
 GLOBAL const T *RESTRICT value, GLOBAL const sparse_index *RESTRICT order,
 GLOBAL T *RESTRICT blocks, block_args a)
{
    BEGIN();
    const i64 place = GROUP_X * WX + ITEM_X;
    const sparse_rows m = sparse_rows_of(start, column, value, order, a.matrix);
    if (place >= a.matrix.rows) {
        const i64 inside = place - (a.blocks - 1) * BLOCK;
        if (place < a.blocks * BLOCK)
            blocks[(a.blocks - 1) * (BLOCK * BLOCK) + inside * (BLOCK + 1)] = T_make(1, 0);
        return;
    }
    const i64 row = sparse_row_at(m, place), block = (i64)((u64)row / BLOCK);
#if FORMAT == 1
    const i64 from = start[place], step = 1, count = start[place + 1] - from;
#elif FORMAT == 3
    const i64 from = place, step = a.matrix.stride, count = a.matrix.width;
#else
    const i64 slice = (i64)((u64)place / CHUNK), from = start[slice] + (place - slice * CHUNK);
    const i64 step = CHUNK, count = (i64)((u64)(start[slice + 1] - start[slice]) / CHUNK);
#endif
    GLOBAL T *to = blocks + block * (BLOCK * BLOCK) + (row - block * BLOCK);
    ROLLED
    for (i64 k = 0; k < count; k++) {
        const i64 inside = column[from + k * step] - block * BLOCK;
        if (inside >= 0 && inside < BLOCK)
            to[inside * BLOCK] = value[from + k * step];
    }
}

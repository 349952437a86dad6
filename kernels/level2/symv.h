/* symv.h: what the symv kernels share: where pieces, block rows and partial sums stand.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each piece leaves `columns` column sums, at its own number. A group leaves row sums for every
 * block row that it has pieces of: at group + block row, which grows by at least one from each such
 * pair to the next, so that no two share a place. Macro: UPPER 0 or 1.
 */
#include "scalars.h"
#include "symv_args.h"

#if !defined(ITEMS) || !defined(WX) || !defined(UPPER)
#error "symv kernels need ITEMS, WX and UPPER"
#endif
#define WY     (ITEMS / WX)
#define ITEM_R (ITEM_X % WX)
#define ITEM_C (ITEM_X / WX)

/* Pieces in the block rows before one. There are fewer than 2^31 of them: 64-bit arithmetic would
 * take a good part of a microsecond here, before the first load. */
DEVICE i32 symv_before(symv_args a, i32 block)
{
    return (i32)a.first * block + (i32)a.tiles * (block * (block - 1) / 2);
}

/* The first piece of a group. */
DEVICE i32 symv_start(symv_args a, i32 group)
{
    const i32 extra = (i32)a.extra;
    return group * (i32)a.base + (group < extra ? group : extra);
}

/* The block row, and the group, that has a piece. */
DEVICE i32 symv_block_of(symv_args a, i32 piece)
{
    i32 low = 0, high = (i32)a.blocks;
    ROLLED
    while (high - low > 1) {
        const i32 middle = (low + high) / 2;
        if (symv_before(a, middle) <= piece)
            low = middle;
        else
            high = middle;
    }
    return low;
}

DEVICE i32 symv_group_of(symv_args a, i32 piece)
{
    const i32 base = (i32)a.base, extra = (i32)a.extra, longer = extra * (base + 1);
    return piece < longer ? piece / (base + 1) : extra + (piece - longer) / base;
}

/* The place of a block row's first row, and of its first column. */
DEVICE i32 symv_first_row(symv_args a, i32 block, i32 rows)
{
    return (UPPER ? (i32)a.blocks - 1 - block : block) * rows;
}

DEVICE i32 symv_first_column(symv_args a, i32 block, i32 rows)
{
    return UPPER ? symv_first_row(a, block, rows) : (i32)a.origin;
}

/* part.h: walking over a matrix or over one of its triangles, with the diagonal or without it.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Tiles are ITEMS rows by COLUMNS columns, so that a work-item has COLUMNS loads on their way.
 * Tiles outside of the part are skipped. Macros: ITEMS, COLUMNS. Who includes this defines
 * part_columns(...), which works on row i of columns [j, j + COLUMNS).
 */
#if !defined(ITEMS) || !defined(COLUMNS)
#error "walks over a part of a matrix need ITEMS and COLUMNS"
#endif
#include "part_args.h"

/* Whether element (i, j) is inside of the matrix and belongs to the part. */
DEVICE i32 part_has(part_args a, i64 i, i64 j)
{
    return i < a.m && j < a.n && i - j >= a.first && i - j <= a.last;
}

/* Whether the tile with its first element at (i, j) has elements of the part. */
DEVICE i32 part_touches(part_args a, i64 i, i64 j)
{
    return i + ITEMS - 1 - j >= a.first && i - (j + COLUMNS - 1) <= a.last;
}

/* The tiles of this group, one after the other. */
#define PART_TILES(a, i, j)                                                                        \
    for (i64 j = (i64)((i32)GROUP_X % (i32)(a).strips) * COLUMNS; j < (a).n;                       \
         j += (a).strips * COLUMNS)                                                                \
        for (i64 i = (i64)((i32)GROUP_X / (i32)(a).strips) * ITEMS; i < (a).m;                     \
             i += (i64)((i32)GROUPS_X / (i32)(a).strips) * ITEMS)                                  \
            if (part_touches(a, i, j))

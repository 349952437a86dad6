/* sparse_starts.cl: where rows start among coordinates that are sorted by row
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A work-item looks at one entry and the one before it: the rows between them start here. One more
 * stands behind the last. Geometry: groups of ITEMS work-items; one work-item per entry, and one
 * more. No barriers.
 * Macros: ITEMS, INDEX_BITS.
 */
#include "sparse_index.h"
#include "sparse_convert_args.h"

#ifndef ITEMS
#error "sparse_starts needs ITEMS"
#endif

KERNEL(sparse_starts, ITEMS, 1, 1)
(GLOBAL const sparse_index *RESTRICT row, GLOBAL sparse_index *RESTRICT start,
 sparse_convert_args a)
{
    BEGIN();
    const i64 entry = GROUP_X * ITEMS + ITEM_X;
    if (entry > a.entries)
        return;
    const i64 before = entry == 0 ? -1 : row[entry - 1],
              here = entry == a.entries ? a.rows : row[entry];
    ROLLED
    for (i64 i = before + 1; i <= here; i++)
        start[i] = (sparse_index)entry;
}

/* sparse_lengths.cl: how many entries each row of ELL, SELL or the first part of HYB has
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A row ends at its first column -1.
 * Geometry: groups of ITEMS work-items; one work-item per place. No barriers.
 * Macros: ITEMS, INDEX_BITS, SLICED, ORDERED (sparse_place.h).
 */
#include "sparse_place.h"

#ifndef ITEMS
#error "sparse_lengths needs ITEMS"
#endif

KERNEL(sparse_lengths, ITEMS, 1, 1)
(GLOBAL const sparse_index *RESTRICT column, GLOBAL const sparse_index *RESTRICT slice,
 GLOBAL const sparse_index *RESTRICT order, GLOBAL sparse_index *RESTRICT lengths,
 sparse_convert_args a)
{
    BEGIN();
    const i64 place = GROUP_X * ITEMS + ITEM_X;
    if (place >= a.rows)
        return;
    const sparse_place p = sparse_place_at(slice, order, a, place);
    i64 count = 0;
    ROLLED
    while (count < p.width && column[p.base + count * a.step] >= 0)
        count++;
    lengths[p.row] = (sparse_index)count;
}

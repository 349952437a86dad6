/* sparse_pack.cl: compressed rows to ELL, SELL or the first part of HYB
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A work-item has one row and copies its first entries, so many as fit the width. What is left is
 * filled up: column -1, value 0. Neighbours store side by side.
 * Geometry: groups of ITEMS work-items; one work-item per place. No barriers.
 * Macros: ITEMS, INDEX_BITS, SLICED, ORDERED (sparse_place.h).
 */
#include "sparse_place.h"

#ifndef ITEMS
#error "sparse_pack needs ITEMS"
#endif

KERNEL(sparse_pack, ITEMS, 1, 1)
(GLOBAL const sparse_index *RESTRICT start, GLOBAL const sparse_index *RESTRICT column,
 GLOBAL const T *RESTRICT value, GLOBAL const sparse_index *RESTRICT slice,
 GLOBAL const sparse_index *RESTRICT order, GLOBAL sparse_index *RESTRICT to_column,
 GLOBAL T *RESTRICT to_value, sparse_convert_args a)
{
    BEGIN();
    const i64 place = GROUP_X * ITEMS + ITEM_X;
    if (place >= a.places)
        return;
    const sparse_place p = sparse_place_at(slice, order, a, place);
    i64 from = 0, count = 0;
    if (p.row >= 0) {
        from = start[p.row];
        count = start[p.row + 1] - from;
    }
    ROLLED
    for (i64 j = 0; j < p.width; j++) {
        const i64 to = p.base + j * a.step;
        to_column[to] = j < count ? column[from + j] : (sparse_index)-1;
        to_value[to] = j < count ? value[from + j] : T_make(0, 0);
    }
}

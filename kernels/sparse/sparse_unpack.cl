/* sparse_unpack.cl: ELL, SELL or HYB to compressed rows, whose starts are known
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A work-item has one row. Of HYB it goes on with the row's entries among the coordinates.
 * Geometry: groups of ITEMS work-items; one work-item per place. No barriers.
 * Macros: ITEMS, INDEX_BITS, SLICED, ORDERED (sparse_place.h); REST: 1: HYB.
 */
#include "sparse_place.h"

#if !defined(ITEMS) || !defined(REST)
#error "sparse_unpack needs ITEMS and REST"
#endif

KERNEL(sparse_unpack, ITEMS, 1, 1)
(GLOBAL const sparse_index *RESTRICT column, GLOBAL const T *RESTRICT value,
 GLOBAL const sparse_index *RESTRICT slice, GLOBAL const sparse_index *RESTRICT order,
 GLOBAL const sparse_index *RESTRICT rest_start, GLOBAL const sparse_index *RESTRICT rest_column,
 GLOBAL const T *RESTRICT rest_value, GLOBAL const sparse_index *RESTRICT start,
 GLOBAL sparse_index *RESTRICT to_column, GLOBAL T *RESTRICT to_value, sparse_convert_args a)
{
    BEGIN();
    const i64 place = GROUP_X * ITEMS + ITEM_X;
    if (place >= a.rows)
        return;
    const sparse_place p = sparse_place_at(slice, order, a, place);
    const i64 to = start[p.row], count = start[p.row + 1] - to,
              near = count < p.width ? count : p.width;
    ROLLED
    for (i64 j = 0; j < near; j++) {
        to_column[to + j] = column[p.base + j * a.step];
        to_value[to + j] = value[p.base + j * a.step];
    }
    if (REST) {
        const i64 from = rest_start[p.row];
        ROLLED
        for (i64 j = near; j < count; j++) {
            to_column[to + j] = rest_column[from + j - near];
            to_value[to + j] = rest_value[from + j - near];
        }
    }
}

/* sparse_pack.cl: compressed rows to ELL, SELL or the first part of HYB
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * ELL and HYB: a work-item has one row and copies its first entries, so many as fit the width.
 * SELL: a group has places that lie together, SPARSE_EACH for each work-item, so that one long row
 * keeps nobody waiting; it searches the slices of its first and its last place, and each work-item
 * the slices of its places between these. What is left is filled up: column -1, value 0. Neighbours
 * store side by side.
 * Geometry: groups of ITEMS work-items; one work-item per row, or per SPARSE_EACH places. No
 * barriers.
 * Macros: ITEMS, INDEX_BITS, SLICED, ORDERED (sparse_place.h).
 */
#include "sparse_place.h"
#include "sparse_search.h"

#ifndef ITEMS
#error "sparse_pack needs ITEMS"
#endif

typedef struct sparse_packed {
    GLOBAL const sparse_index *start, *column, *order;
    GLOBAL const T *value;
    GLOBAL sparse_index *to_column;
    GLOBAL T *to_value;
} sparse_packed;

/* Entry j of a row, or what fills up, to a place. */
DEVICE void sparse_pack_one(sparse_packed p, i64 to, i64 from, i64 count, i64 j)
{
    p.to_column[to] = j < count ? p.column[from + j] : (sparse_index)-1;
    p.to_value[to] = j < count ? p.value[from + j] : T_make(0, 0);
}

#if SLICED
DEVICE void sparse_pack_places(sparse_packed p, GLOBAL const sparse_index *slice,
                               sparse_convert_args a)
{
    const i64 begin = GROUP_X * (ITEMS * SPARSE_EACH), slices = a.places >> a.shift;
    const i64 stored = slice[slices];
    if (begin >= stored)
        return;
    const i64 end = begin + ITEMS * SPARSE_EACH < stored ? begin + ITEMS * SPARSE_EACH : stored;
    const i64 first = sparse_holder(slice, 0, slices, begin),
              last = sparse_holder(slice, first, slices, end - 1);
    ROLLED
    for (i64 to = begin + ITEM_X; to < end; to += ITEMS) {
        const i64 s = sparse_holder(slice, first, last, to), within = to - slice[s];
        const i64 j = within >> a.shift, place = (s << a.shift) + (within - (j << a.shift));
        i64 from = 0, count = 0;
        if (place < a.rows) {
            const i64 row = ORDERED ? (i64)p.order[place] : place;
            from = p.start[row];
            count = p.start[row + 1] - from;
        }
        sparse_pack_one(p, to, from, count, j);
    }
}
#endif

KERNEL(sparse_pack, ITEMS, 1, 1)
(GLOBAL const sparse_index *RESTRICT start, GLOBAL const sparse_index *RESTRICT column,
 GLOBAL const T *RESTRICT value, GLOBAL const sparse_index *RESTRICT slice,
 GLOBAL const sparse_index *RESTRICT order, GLOBAL sparse_index *RESTRICT to_column,
 GLOBAL T *RESTRICT to_value, sparse_convert_args a)
{
    BEGIN();
    sparse_packed p;
    p.start = start;
    p.column = column;
    p.order = order;
    p.value = value;
    p.to_column = to_column;
    p.to_value = to_value;
#if SLICED
    sparse_pack_places(p, slice, a);
#else
    const i64 place = GROUP_X * ITEMS + ITEM_X;
    (void)slice;
    if (place >= a.places)
        return;
    i64 from = 0, count = 0;
    if (place < a.rows) {
        from = start[place];
        count = start[place + 1] - from;
    }
    ROLLED
    for (i64 j = 0; j < a.width; j++)
        sparse_pack_one(p, place + j * a.step, from, count, j);
#endif
}

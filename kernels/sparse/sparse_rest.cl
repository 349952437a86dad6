/* sparse_rest.cl: the entries of compressed rows from number `width` on, as coordinates: the second
 * part of HYB, or, with width 0, COO
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A group has entries that lie together, SPARSE_EACH for each work-item, so that one long row keeps
 * nobody waiting; it searches the rows of its first and its last entry, and each work-item the rows
 * of its entries between these.
 * Geometry: groups of ITEMS work-items; one work-item per SPARSE_EACH entries. No barriers.
 * Macros: ITEMS, INDEX_BITS.
 */
#include "sparse_search.h"
#include "sparse_convert_args.h"

#ifndef ITEMS
#error "sparse_rest needs ITEMS"
#endif

KERNEL(sparse_rest, ITEMS, 1, 1)
(GLOBAL const sparse_index *RESTRICT start, GLOBAL const sparse_index *RESTRICT column,
 GLOBAL const T *RESTRICT value, GLOBAL const sparse_index *RESTRICT rest_start,
 GLOBAL sparse_index *RESTRICT to_row, GLOBAL sparse_index *RESTRICT to_column,
 GLOBAL T *RESTRICT to_value, sparse_convert_args a)
{
    BEGIN();
    const i64 begin = GROUP_X * (ITEMS * SPARSE_EACH);
    if (begin >= a.entries)
        return;
    const i64 end =
        begin + ITEMS * SPARSE_EACH < a.entries ? begin + ITEMS * SPARSE_EACH : a.entries;
    const i64 first = sparse_holder(start, 0, a.rows, begin),
              last = sparse_holder(start, first, a.rows, end - 1);
    ROLLED
    for (i64 e = begin + ITEM_X; e < end; e += ITEMS) {
        const i64 row = sparse_holder(start, first, last, e), j = e - start[row] - a.width;
        if (j >= 0) {
            const i64 to = rest_start[row] + j;
            to_row[to] = (sparse_index)row;
            to_column[to] = column[e];
            to_value[to] = value[e];
        }
    }
}

/* sparse_rest.cl: the entries of compressed rows from number `width` on, as coordinates: the second
 * part of HYB, or, with width 0, COO SPDX-License-Identifier: BSD-3-Clause
 *
 * Geometry: groups of ITEMS work-items; one work-item per row. No barriers.
 * Macros: ITEMS, INDEX_BITS.
 */
#include "sparse_index.h"
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
    const i64 row = GROUP_X * ITEMS + ITEM_X;
    if (row >= a.rows)
        return;
    const i64 end = start[row + 1];
    i64 to = rest_start[row];
    ROLLED
    for (i64 e = start[row] + a.width; e < end; e++) {
        to_row[to] = (sparse_index)row;
        to_column[to] = column[e];
        to_value[to] = value[e];
        to++;
    }
}

/* sparse_check_entries.cl: looks whether coordinates are in range and sorted by row, then column
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Findings of a group: the first entry whose row is out of range; the first whose column is; the
 * first that does not stand behind the one before it. The host takes the smallest of all.
 * Geometry: groups of ITEMS work-items, a.lanes in all; each has every a.lanes-th entry.
 * Macros: ITEMS, INDEX_BITS.
 * Barriers: all work-items reach them.
 */
#define FIND_0 SPARSE_LEAST
#define FIND_1 SPARSE_LEAST
#define FIND_2 SPARSE_LEAST
#define FIND_3 SPARSE_SUM
#define FIND_4 SPARSE_SUM
#define FIND_5 SPARSE_SUM
#include "sparse_find.h"

#ifndef ITEMS
#error "sparse_check_entries needs ITEMS"
#endif

KERNEL(sparse_check_entries, ITEMS, 1, 1)
(GLOBAL const sparse_index *RESTRICT row, GLOBAL const sparse_index *RESTRICT column,
 GLOBAL i64 *RESTRICT findings, sparse_convert_args a)
{
    LOCAL sparse_found scratch[ITEMS];
    BEGIN();
    const i64 lane = GROUP_X * ITEMS + ITEM_X;
    sparse_found found = sparse_nothing_found();
    ROLLED
    for (i64 e = lane; e < a.entries; e += a.lanes) {
        const i64 r = row[e], c = column[e];
        if (r < 0 || r >= a.rows)
            found.v[0] = e < found.v[0] ? e : found.v[0];
        if (c < 0 || c >= a.columns)
            found.v[1] = e < found.v[1] ? e : found.v[1];
        if (e > 0 && (r < row[e - 1] || (r == row[e - 1] && c <= column[e - 1])))
            found.v[2] = e < found.v[2] ? e : found.v[2];
    }
    sparse_tell(found, scratch, findings);
}

/* sparse_check_rows.cl: looks at compressed rows: whether starts and columns are right, how long
 * the rows are
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Nothing is known of the arrays: nothing outside of them is read, whatever they hold. Entries are
 * looked at as they lie, a.places of them, whichever row they belong to: whether columns rise
 * within rows shows in how often a column is not above the one before it. Each row may begin with
 * such an entry, and no other entry may be one.
 * Findings of a group: the first element of `start` that is wrong; the first entry whose column is
 * out of range; such entries that no row begins with, in all groups together, 0 where all rows rise
 * (if the starts are right); the longest and the shortest row; the sum of the squares of lengths.
 * Geometry: groups of ITEMS work-items, a.lanes in all; each has every a.lanes-th row and entry.
 * Macros: ITEMS, INDEX_BITS.
 * Barriers: all work-items reach them.
 */
#define FIND_0 SPARSE_LEAST
#define FIND_1 SPARSE_LEAST
#define FIND_2 SPARSE_SUM
#define FIND_3 SPARSE_MOST
#define FIND_4 SPARSE_LEAST
#define FIND_5 SPARSE_SUM
#include "sparse_find.h"

#ifndef ITEMS
#error "sparse_check_rows needs ITEMS"
#endif

#define ABREAST 4 /* entries that a work-item asks for at once */

DEVICE sparse_found sparse_look_at_row(GLOBAL const sparse_index *start,
                                       GLOBAL const sparse_index *column, sparse_convert_args a,
                                       i64 i, sparse_found found)
{
    const i64 from = start[i], to = start[i + 1];
    if ((i == 0 && from != 0) || from < 0) {
        found.v[0] = i < found.v[0] ? i : found.v[0];
    } else if (to < from || (i == a.rows - 1 && to != a.entries)) {
        found.v[0] = i + 1 < found.v[0] ? i + 1 : found.v[0];
    } else {
        const i64 length = to - from;
        found.v[3] = length > found.v[3] ? length : found.v[3];
        found.v[4] = length < found.v[4] ? length : found.v[4];
        found.v[5] = (i64)((u64)found.v[5] + (u64)length * (u64)length);
        if (length > 0 && from > 0 && from < a.places && column[from] <= column[from - 1])
            found.v[2]--;
    }
    return found;
}

KERNEL(sparse_check_rows, ITEMS, 1, 1)
(GLOBAL const sparse_index *RESTRICT start, GLOBAL const sparse_index *RESTRICT column,
 GLOBAL i64 *RESTRICT findings, sparse_convert_args a)
{
    LOCAL sparse_found scratch[ITEMS];
    BEGIN();
    const i64 lane = GROUP_X * ITEMS + ITEM_X;
    sparse_found found = sparse_nothing_found();
    ROLLED
    for (i64 i = lane; i < a.rows; i += a.lanes)
        found = sparse_look_at_row(start, column, a, i, found);
    ROLLED
    for (i64 first = lane; first < a.places; first += ABREAST * a.lanes) {
        sparse_index here[ABREAST], before[ABREAST];
        UNROLLED
        for (i32 u = 0; u < ABREAST; u++) {
            const i64 e = first + u * a.lanes;
            here[u] = e < a.places ? column[e] : 0;
            before[u] = e > 0 && e < a.places ? column[e - 1] : -1;
        }
        UNROLLED
        for (i32 u = 0; u < ABREAST; u++) {
            const i64 e = first + u * a.lanes;
            if (e < a.places && (here[u] < 0 || here[u] >= a.columns))
                found.v[1] = e < found.v[1] ? e : found.v[1];
            if (e > 0 && e < a.places && here[u] <= before[u])
                found.v[2]++;
        }
    }
    sparse_tell(found, scratch, findings);
}

/* stedc_gather.cl: the eigenvectors of both parts of a merge in the order that its products want
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Column i of the sorted order goes to column to_upper[i] in the rows of the upper part, and to
 * column to_lower[i] in those of the lower one (stedc_deflate.cl). Columns that were rotated with
 * each other are a chain, which is walked from its first column on: the column that it came to is
 * rotated with the next one, one of the two results is done, the other one goes on. In the rows of
 * the other part a column is zeros, whatever stands there.
 *
 * Geometry: groups of ITEMS work-items along x, one row for each work-item, COLUMNS places of the
 * sorted order per group; a.across groups cover the rows. Merges along y. Macros: ITEMS, COLUMNS.
 * No barriers.
 */
#if !defined(ITEMS) || !defined(COLUMNS)
#error "stedc_gather needs ITEMS and COLUMNS"
#endif
#include "stedc.h"

/* Row `row` of column i of the sorted order. */
DEVICE R element_of(GLOBAL const R *Q, GLOBAL const i32 *from, merge_span s, i64 i, i64 row,
                    i64 ldq)
{
    const i64 column = s.first + from[i];
    return (column >= s.middle) == (row >= s.middle) ? Q[row + column * ldq] : 0;
}

DEVICE void put_element(GLOBAL R *W, GLOBAL const i32 *to, merge_span s, i64 i, i64 row, i64 ldw,
                        R value)
{
    if (to[i] >= 0)
        W[row + (s.first + to[i]) * ldw] = value;
}

KERNEL(stedc_gather, ITEMS, 1, 1)
(GLOBAL const R *Q, GLOBAL R *W, GLOBAL const i32 *from, GLOBAL const R *cosines,
 GLOBAL const R *sines, GLOBAL const i32 *next, GLOBAL const i32 *linked,
 GLOBAL const i32 *to_upper, GLOBAL const i32 *to_lower, stedc_args a)
{
    BEGIN();
    const merge_span s = span_of_merge(a, GROUP_Y);
    const i32 across = (i32)a.across, chunk = (i32)GROUP_X / across;
    const i64 row = s.first + (i64)((i32)GROUP_X - chunk * across) * ITEMS + ITEM_X,
              start = s.first + (i64)chunk * COLUMNS,
              end = start + COLUMNS < s.last ? start + COLUMNS : s.last;
    GLOBAL const i32 *const to = row < s.middle ? to_upper : to_lower;
    if (row >= s.last)
        return;
    ROLLED
    for (i64 i = start; i < end; i++) {
        if (linked[i])
            continue;
        i64 at = i;
        R x = element_of(Q, from, s, at, row, a.ldq);
        ROLLED
        while (next[at] >= 0) {
            const i64 other = s.first + next[at];
            const R y = element_of(Q, from, s, other, row, a.ldq);
            put_element(W, to, s, at, row, a.ldw, R_fma(cosines[at], x, sines[at] * y));
            x = R_fma(cosines[at], y, -sines[at] * x);
            at = other;
        }
        put_element(W, to, s, at, row, a.ldw, x);
    }
}

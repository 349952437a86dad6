/* stedc_columns.cl: columns of eigenvectors from one matrix to another
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * a.mode: STEDC_DEFLATED: the deflated columns of each merge, which products leave alone.
 * STEDC_SORTED: column from[i] to column i. STEDC_LAST: columns as they are, to where the caller
 * wants them, where a complex matrix (a.reals 2) gets zeros as imaginary parts; the eigenvalues,
 * times *back, to d, and zeros to e; and *info: 0, minus *state where the matrix was not
 * finite, which makes NaN of all results, or what the first leaf or merge in trouble has left.
 *
 * Geometry: groups of ITEMS work-items along x, one row for each work-item, COLUMNS columns per
 * group; a.across groups cover the rows. Merges along y. Macros: ITEMS, COLUMNS. Barriers: one,
 * which all work-items reach.
 */
#if !defined(ITEMS) || !defined(COLUMNS)
#error "stedc_columns needs ITEMS and COLUMNS"
#endif
#include "stedc.h"
#include "stedc_trouble.h"

KERNEL(stedc_columns, ITEMS, 1, 1)
(GLOBAL const R *source, GLOBAL R *target, GLOBAL const i32 *from, GLOBAL const i64 *sizes,
 GLOBAL const R *sorted, GLOBAL const R *back, GLOBAL const i64 *state, GLOBAL const i64 *trouble,
 GLOBAL R *d, GLOBAL R *e, GLOBAL i64 *info, stedc_args a)
{
    LOCAL i64 room[ITEMS];
    BEGIN();
    const merge_span s = span_of_merge(a, GROUP_Y);
    const i32 across = (i32)a.across, chunk = (i32)GROUP_X / across;
    const i64 row = s.first + (i64)((i32)GROUP_X - chunk * across) * ITEMS + ITEM_X;
    const i64 kept = a.mode == STEDC_DEFLATED ? sizes[STEDC_SIZES * GROUP_Y + 1] : 0,
              start = s.first + kept + (i64)chunk * COLUMNS,
              end = start + COLUMNS < s.last ? start + COLUMNS : s.last;
    const i32 last = a.mode == STEDC_LAST;
    const i64 bad = last ? state[0] : 0;
    const R nothing = (R)0 / (bad != 0 ? (R)0 : (R)1); /* NaN, or 0 */
    /* PoCL does not come back from a barrier that only some groups have (3.1, optimised). */
    const i32 tells = last && GROUP_X == 0;
    const i64 first = first_trouble(trouble, a, tells ? a.n : 0, room);
    if (tells && ITEM_X == 0)
        info[0] = bad != 0 ? -bad : first < a.n ? trouble[first] : 0;
    if (row >= s.last)
        return;
    if (last && chunk == 0) {
        d[row] = sorted[row] * back[0] + nothing;
        if (row + 1 < a.n)
            e[row] = nothing;
    }
    ROLLED
    for (i64 i = start; i < end; i++) {
        const i64 column = a.mode == STEDC_SORTED ? from[i] : i;
        const R value = source[row + column * a.ldw];
        if (!last) {
            target[row + i * a.ldq] = value;
        } else {
            target[row * a.reals + i * a.ldq] = value + nothing;
            if (a.reals > 1)
                target[row * a.reals + 1 + i * a.ldq] = nothing;
        }
    }
}

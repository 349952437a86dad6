/* bdsdc_sort.cl: the singular values of each part in the order that its merge wants, and z
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A merge with the elements alpha and beta in the row between its parts is U M V^T, where M has
 * the row z = (alpha times the last row of V1, beta times the first row of V2) and below it the
 * values of both parts as a diagonal. The place of that row, which has no value yet, comes first,
 * as a pole 0; the last place of the merge, whose vector both parts' null vectors share, comes
 * last. Between them values ascend. STEDC_TO_END: there is no merge; values descend.
 *
 * Geometry: groups of ITEMS work-items along x, one work-item per place; parts along y. Macros:
 * ITEMS. Barriers: all work-items reach them.
 */
#if !defined(ITEMS)
#error "bdsdc_sort needs ITEMS"
#endif
#include "bdsdc_divide_args.h"
#include "stedc.h"

#define BEHIND ((R)0x1p60) /* more than any value: the matrix is scaled */

/* Places are in ascending order of these. */
DEVICE R key_of(GLOBAL const R *diagonal, merge_span s, i64 mode, i64 place)
{
    if (place + 1 == s.last)
        return BEHIND;
    if (mode == STEDC_TO_END)
        return -diagonal[place];
    return place + 1 == s.middle ? (R)-1 : diagonal[place];
}

KERNEL(bdsdc_sort, ITEMS, 1, 1)
(GLOBAL const R *diagonal, GLOBAL const R *beside, GLOBAL const R *V, GLOBAL R *sorted, GLOBAL R *z,
 GLOBAL i32 *from, stedc_args a)
{
    LOCAL R keys[ITEMS];
    BEGIN();
    const merge_span s = span_of_merge(a, GROUP_Y);
    const i64 mine = s.first + GROUP_X * ITEMS + ITEM_X;
    const i32 there = mine < s.last;
    const R key = there ? key_of(diagonal, s, a.mode, mine) : 0;
    i64 place = s.first;
    ROLLED
    for (i64 start = s.first; start < s.last; start += ITEMS) {
        const i32 count = (i32)(s.last - start < ITEMS ? s.last - start : ITEMS);
        BARRIER(); /* keys may still be read */
        if (ITEM_X < count)
            keys[ITEM_X] = key_of(diagonal, s, a.mode, start + ITEM_X);
        BARRIER();
        ROLLED
        for (i32 i = 0; i < count; i++)
            place += keys[i] < key || (!(key < keys[i]) && start + i < mine);
    }
    if (!there)
        return;
    const i32 merges = a.mode == STEDC_TO_MERGE;
    const i32 special = mine + 1 == s.last || (merges && mine + 1 == s.middle);
    sorted[place] = special ? 0 : diagonal[mine];
    from[place] = (i32)(mine - s.first);
    if (merges) {
        const i32 lower = mine >= s.middle;
        const R element = V[(lower ? s.middle : s.middle - 1) + mine * a.ldq];
        z[place] = (lower ? beside[s.middle - 1] : diagonal[s.middle - 1]) * element;
    }
}

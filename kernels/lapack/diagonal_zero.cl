/* diagonal_zero.cl: *info := the first i, from 1, with A(i, i) = 0; 0 where there is none
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Geometry: one group of ITEMS work-items, a power of two. Barriers: all work-items reach them.
 */
#if !defined(ITEMS)
#error "diagonal_zero needs ITEMS"
#endif
#include "diagonal_args.h"

KERNEL(diagonal_zero, ITEMS, 1, 1)
(GLOBAL const T *RESTRICT A, GLOBAL i64 *RESTRICT info, diagonal_args a)
{
    LOCAL i64 first[ITEMS];
    BEGIN();
    i64 mine = a.n;
    for (i64 i = ITEM_X; i < a.n; i += ITEMS)
        if (mine == a.n && T_is_zero(A[i * (a.lda + 1)]))
            mine = i;
    first[ITEM_X] = mine;
    for (i32 apart = ITEMS / 2; apart > 0; apart /= 2) {
        BARRIER();
        if (ITEM_X < apart && first[ITEM_X + apart] < first[ITEM_X])
            first[ITEM_X] = first[ITEM_X + apart];
    }
    if (ITEM_X == 0)
        *info = first[0] < a.n ? first[0] + 1 : 0;
}

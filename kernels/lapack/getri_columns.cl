/* getri_columns.cl: A := W with columns i and ipiv[i] - 1 exchanged, for i = n - 1 down to 0
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * All exchanges are one permutation: which column comes to a place is found by following them back
 * from the last one, so that each column is read and written once. A group has ITEMS columns, each
 * work-item finds the source of one; then all of them copy these columns, over the rows that
 * GROUP_Y says. Geometry: enough groups for all columns, any number of groups over the rows. Macro:
 * ITEMS. Barriers: all work-items reach it.
 */
#if !defined(ITEMS)
#error "getri_columns needs ITEMS"
#endif
#include "getri_args.h"

#define TOGETHER 4 /* columns whose elements are on their way at once */

KERNEL(getri_columns, ITEMS, 1, 1)
(GLOBAL const T *RESTRICT W, GLOBAL const i64 *RESTRICT ipiv, GLOBAL T *RESTRICT A, getri_args a)
{
    LOCAL i32 from[ITEMS];
    BEGIN();
    const i64 first = GROUP_X * ITEMS;
    i32 at = (i32)first + ITEM_X;
    for (i32 i = 0; i < (i32)a.n; i++) {
        const i32 other = (i32)ipiv[i] - 1;
        at = at == i ? other : at == other ? i : at;
    }
    from[ITEM_X] = at;
    BARRIER();
    const i32 count = (i32)(a.n - first < ITEMS ? a.n - first : ITEMS);
    for (i32 c = 0; c < count; c += TOGETHER) {
        for (i64 i = GROUP_Y * ITEMS + ITEM_X; i < a.n; i += a.parts * ITEMS) {
            T held[TOGETHER];
            UNROLLED
            for (i32 k = 0; k < TOGETHER; k++)
                if (c + k < count)
                    held[k] = W[i + (i64)from[c + k] * a.ldw];
            UNROLLED
            for (i32 k = 0; k < TOGETHER; k++)
                if (c + k < count)
                    A[i + (first + c + k) * a.lda] = held[k];
        }
    }
}

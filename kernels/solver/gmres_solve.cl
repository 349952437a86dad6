/* gmres_solve.cl: y with R y = g, at the end of a cycle of GMRES
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * R has as many columns as the cycle came to. Geometry: one group of WX work-items. Macros: WX;
 * MOST: at least the length of a cycle. All work-items reach the barriers.
 */
#include "gmres_step.h"
#if !defined(WX) || !defined(MOST)
#error "gmres_solve needs WX and MOST"
#endif

KERNEL(gmres_solve, WX, 1, 1)
(GLOBAL f64 *numbers, gmres_args a)
{
    LOCAL W left[MOST];
    BEGIN();
    const i64 m = a.restart;
    const i32 columns = (i32)numbers[GMRES_COLUMNS];
    for (i32 i = ITEM_X; i < columns; i += WX)
        left[i] = gmres_get(numbers, GMRES_G(m), i);
    ROLLED
    for (i32 j = columns - 1; j >= 0; j--) {
        BARRIER();
        const i64 at = j * (m + 1);
        const W y = W_div(left[j], gmres_get(numbers, GMRES_R(m), at + j));
        for (i32 i = ITEM_X; i < j; i += WX)
            left[i] = W_sub(left[i], W_mul(gmres_get(numbers, GMRES_R(m), at + i), y));
        if (ITEM_X == 0)
            gmres_set(numbers, GMRES_Y(m), j, y);
    }
    BARRIER();
    if (ITEM_X == 0) {
        numbers[GMRES_COUNT] = columns;
        numbers[GMRES_COLUMNS] = 0;
        numbers[GMRES_EARLY] = numbers[GMRES_END];
        numbers[GMRES_END] = 0;
    }
}

/* bicgstab_product.cl: v = A M^-1 p, r0^H v and v^H v; or t = A M^-1 s and t^H t, t^H s, r0^H t
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * bicgstab.h explains where it stands. SECOND 0: x is p, and the iteration before is judged; 1: x
 * is s. FORMAT 0: others made the product, it only adds. Geometry: fused_rows.h; it reads
 * a.partials sums of the update, `ended`. Macros: fused_rows.h; SECOND. All work-items of a group
 * reach the barriers, or none.
 */
#include "bicgstab.h"
#include "fused_rows.h"
#ifndef SECOND
#error "bicgstab_product needs SECOND"
#endif

KERNEL(bicgstab_product, WX, 1, 1)
(GLOBAL const sparse_index *RESTRICT start, GLOBAL const sparse_index *RESTRICT column,
 GLOBAL const T *RESTRICT value, GLOBAL const sparse_index *RESTRICT order,
 GLOBAL const T *RESTRICT inverse, GLOBAL const T *RESTRICT x, GLOBAL const T *RESTRICT shadow,
 GLOBAL T *y, GLOBAL f64 *state, GLOBAL const f64 *RESTRICT ended, GLOBAL f64 *RESTRICT partials,
 bicgstab_args a)
{
    LOCAL sum_t scratch[GROUP_SCRATCH];
    LOCAL sum_t all[1];
    LOCAL i32 stop[1];
    BEGIN();
    if (ITEM_X == 0)
        stop[0] = state[STATE_OUTCOME] >= 0;
    BARRIER();
    if (stop[0])
        return;
#if SECOND
    (void)ended;
    (void)all;
#else
    const f64 rr = bicgstab_total(ended, a.partials, 1, scratch, all).v[0];
    const i32 outcome = bicgstab_ended(state, rr, a);
    if (GROUP_X == 0 && ITEM_X == 0)
        bicgstab_count(state, rr, outcome, a);
    if (outcome >= 0)
        return;
#endif
    const fused_rows f = fused_rows_of(start, column, value, order, inverse, x, y, a.product);
    const i64 last = fused_last(a.product), step = fused_step();
    sum_t sums = bicgstab_nothing();
    ROLLED
    for (i64 base = fused_first(a.product); base < last; base += step) {
        const i64 place = fused_place(base);
        const T product = fused_row(f, place);
        if (fused_mine(a.product, place)) {
            const i64 row = fused_row_at(f, place);
            if (FORMAT > 0)
                y[row] = product;
#if SECOND
            sums = bicgstab_add(sums, 0, product, product);
            sums = bicgstab_add(sums, 1, product, x[row]);
            sums = bicgstab_add(sums, 2, shadow[row], product);
#else
            sums = bicgstab_add(sums, 0, shadow[row], product);
            sums = bicgstab_add(sums, 1, product, product);
#endif
        }
    }
    bicgstab_leave(partials, sums, SECOND ? 3 : 2, scratch);
}

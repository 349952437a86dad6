/* bicgstab_half.cl: alpha = rho / r0^H v, s = r - alpha v, s^H s and r0^H s
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * bicgstab.h explains where it stands. Geometry: fused_rows.h with FORMAT 0, rows are elements. It
 * reads a.partials sums of the product. All work-items of a group reach the barriers, or none.
 */
#include "bicgstab.h"
#include "fused_rows.h"

KERNEL(bicgstab_half, WX, 1, 1)
(GLOBAL const T *RESTRICT r, GLOBAL const T *RESTRICT v, GLOBAL const T *RESTRICT shadow,
 GLOBAL T *RESTRICT s, GLOBAL f64 *state, GLOBAL const f64 *RESTRICT sums_of_product,
 GLOBAL f64 *RESTRICT partials, bicgstab_args a)
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
    const sum_t product = bicgstab_total(sums_of_product, a.partials, 2, scratch, all);
    const W along = bicgstab_sum(product, 0);
    const f64 vv = product.v[T_REALS];
    const W rho = bicgstab_get(state, BICGSTAB_RHO);
    const W alpha = W_div(rho, along);
    /* r0^H v that is lost in rounding errors would make an alpha of them. */
    const i32 lost = !(W_square(along) > a.eps * a.eps * state[BICGSTAB_SHADOW] * vv);
    if (lost || !W_finite(alpha)) { /* x and r stay as they are */
        if (GROUP_X == 0 && ITEM_X == 0)
            state[STATE_OUTCOME] =
                W_finite(along) && f64_finite(vv) ? OUTCOME_BREAKDOWN : OUTCOME_NOT_FINITE;
        return;
    }
    if (GROUP_X == 0 && ITEM_X == 0)
        bicgstab_set(state, BICGSTAB_ALPHA, alpha);
    const T minus = W_narrow(W_scale(-1, alpha));
    const i64 last = fused_last(a.product), step = fused_step();
    sum_t sums = bicgstab_nothing();
    ROLLED
    for (i64 base = fused_first(a.product); base < last; base += step) {
        const i64 i = fused_place(base);
        if (i < last) {
            const T now = T_fma(minus, v[i], r[i]);
            s[i] = now;
            sums = bicgstab_add(sums, 0, now, now);
            sums = bicgstab_add(sums, 1, shadow[i], now);
        }
    }
    bicgstab_leave(partials, sums, 2, scratch);
}

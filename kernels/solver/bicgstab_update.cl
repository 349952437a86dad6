/* bicgstab_update.cl: omega, x += M^-1 (alpha p + omega s), r = s - omega t, the next p, r^H r
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * bicgstab.h explains where it stands. Where s is small enough already, or omega is 0 or not a
 * number, x gets the first half alone and r is s. PRECOND 0: M is the identity; 1: diagonal; 2:
 * M^-1 p and M^-1 s are there as vectors. Geometry: fused_rows.h with FORMAT 0, rows are elements.
 * It reads a.partials sums of bicgstab_half and of the second product. All work-items of a group
 * reach the barriers, or none: the outcome found here is stored as BICGSTAB_NEXT, which nobody
 * reads here.
 */
#include "bicgstab.h"
#include "fused_rows.h"
#ifndef PRECOND
#error "bicgstab_update needs PRECOND"
#endif

KERNEL(bicgstab_update, WX, 1, 1)
(GLOBAL const T *RESTRICT s, GLOBAL const T *RESTRICT t, GLOBAL const T *RESTRICT v,
 GLOBAL const T *RESTRICT inverse, GLOBAL const T *RESTRICT p_hat, GLOBAL const T *RESTRICT s_hat,
 GLOBAL T *RESTRICT x, GLOBAL T *RESTRICT r, GLOBAL T *RESTRICT p, GLOBAL f64 *state,
 GLOBAL const f64 *RESTRICT sums_of_half, GLOBAL const f64 *RESTRICT sums_of_product,
 GLOBAL f64 *RESTRICT partials, bicgstab_args a)
{
    LOCAL sum_t scratch[GROUP_SCRATCH];
    LOCAL sum_t all[1];
    BEGIN();
    if (state[STATE_OUTCOME] >= 0) /* not written here */
        return;
    const sum_t first = bicgstab_total(sums_of_half, a.partials, 2, scratch, all);
    const sum_t full = bicgstab_total(sums_of_product, a.partials, 3, scratch, all);
    const W rho = bicgstab_get(state, BICGSTAB_RHO), alpha = bicgstab_get(state, BICGSTAB_ALPHA);
    const f64 ss = first.v[0], tt = full.v[0];
    const W ts = bicgstab_sum(full, 1);
    W omega = W_scale(1 / tt, ts);
    i32 next = OUTCOME_NONE;
    if (ss <= state[STATE_TARGET] || !W_finite(omega) ||
        !(W_square(ts) > a.eps * a.eps * tt * ss)) {
        omega = W_make(0, 0);
        next = ss <= state[STATE_TARGET] ? OUTCOME_SOLVED
               : f64_finite(tt)          ? OUTCOME_BREAKDOWN
                                         : OUTCOME_NOT_FINITE;
    }
    const W rho_next = W_sub(bicgstab_sum(first, 1), W_mul(omega, bicgstab_sum(full, 2)));
    W beta = W_div(W_mul(rho_next, alpha), W_mul(rho, omega));
    if (next >= 0 || !W_finite(beta))
        beta = W_make(0, 0);
    if (GROUP_X == 0 && ITEM_X == 0) {
        bicgstab_set(state, BICGSTAB_RHO_NEXT, rho_next);
        state[BICGSTAB_NEXT] = next;
        state[BICGSTAB_PENDING] = 1;
    }

    const T by_p = W_narrow(alpha), by_s = W_narrow(omega), minus = T_neg(by_s),
            again = W_narrow(beta);
    const i64 last = fused_last(a.product), step = fused_step();
    sum_t sums = bicgstab_nothing();
    ROLLED
    for (i64 base = fused_first(a.product); base < last; base += step) {
        const i64 i = fused_place(base);
        if (i < last) {
            const T s_now = s[i], p_now = p[i];
            /* where the second product was not finite, nothing of it may come in */
            const T t_now = next >= 0 ? T_make(0, 0) : t[i];
#if PRECOND == 2
            const T way = T_fma(by_p, p_hat[i], next >= 0 ? T_make(0, 0) : T_mul(by_s, s_hat[i]));
            x[i] = T_add(x[i], way);
#else
            const T way = T_fma(by_p, p_now, T_mul(by_s, s_now));
            x[i] = PRECOND == 1 ? T_fma(inverse[i], way, x[i]) : T_add(x[i], way);
#endif
            const T now = T_fma(minus, t_now, s_now);
            r[i] = now;
            p[i] = T_fma(again, T_fma(minus, v[i], p_now), now);
            sums = bicgstab_add(sums, 0, now, now);
        }
    }
    (void)inverse;
    (void)p_hat;
    (void)s_hat;
    bicgstab_leave(partials, sums, 1, scratch);
}

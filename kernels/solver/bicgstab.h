/* bicgstab.h: what the kernels of BiCGStab share.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * van der Vorst's method, preconditioned from the right. r0 is the residual at the start of the
 * round. An iteration is
 *     bicgstab_product   v = A M^-1 p, r0^H v, v^H v; before that, how the iteration before ended
 *     bicgstab_half      alpha = rho / r0^H v, s = r - alpha v, s^H s, r0^H s
 *     bicgstab_product   t = A M^-1 s, t^H t, t^H s, r0^H t
 *     bicgstab_update    omega = t^H s / t^H t, x += M^-1 (alpha p + omega s), r = s - omega t,
 *                        rho' = r0^H s - omega r0^H t, r^H r,
 *                        p = r + (rho' alpha / (rho omega)) (p - omega v)
 * Each group leaves its partial sums as doubles; the kernels behind add all of them, every group
 * for itself and in the same order, so that all decide alike. Group 0 writes the state; what it
 * writes no other group of the same launch needs, or all groups came to the same.
 */
#include "bicgstab_args.h"
#include "wide_complex.h"

#define SUM_R    f64
#define SUM_N    (3 * T_REALS)
#define SUM_MAIN SUM_N
#include "reduce.h"

DEVICE W bicgstab_get(GLOBAL const f64 *state, i64 at)
{
    return W_make(state[at], state[at + 1]);
}

DEVICE void bicgstab_set(GLOBAL f64 *state, i64 at, W w)
{
    state[at] = w.re;
    state[at + 1] = w.im;
}

DEVICE W bicgstab_sum(sum_t sums, const i32 which)
{
    return W_make(sums.v[which * T_REALS], T_REALS > 1 ? sums.v[which * T_REALS + T_REALS - 1] : 0);
}

/* Adds conj(x) y to the sum at a place (a constant). */
DEVICE sum_t bicgstab_add(sum_t sums, const i32 which, T x, T y)
{
    const T product = T_mul(T_conj(x), y);
    UNROLLED
    for (i32 part = 0; part < T_REALS; part++)
        sums.v[which * T_REALS + part] += T_real(product, part);
    return sums;
}

DEVICE sum_t bicgstab_nothing(void)
{
    sum_t s;
    UNROLLED
    for (i32 k = 0; k < SUM_N; k++)
        s.v[k] = 0;
    return s;
}

/* `numbers` (a constant) sums over all groups, in every work-item. All of them must come; `all` is
 * local memory. */
DEVICE sum_t bicgstab_total(GLOBAL const f64 *partials, i64 count, const i32 numbers,
                            LOCAL_PTR sum_t *scratch, LOCAL_PTR sum_t *all)
{
    sum_t s = bicgstab_nothing();
    ROLLED
    for (i64 i = ITEM_X; i < count; i += WX) {
        UNROLLED
        for (i32 k = 0; k < numbers * T_REALS; k++)
            s.v[k] += partials[i * numbers * T_REALS + k];
    }
    s = group_sum(s, scratch);
    if (ITEM_X == 0)
        all[0] = s;
    BARRIER();
    s = all[0];
    BARRIER(); /* scratch and all are free again */
    return s;
}

/* Leaves `numbers` (a constant) sums of the group. All work-items must come. */
DEVICE void bicgstab_leave(GLOBAL f64 *partials, sum_t mine, const i32 numbers,
                           LOCAL_PTR sum_t *scratch)
{
    mine = group_sum(mine, scratch);
    if (ITEM_X == 0) {
        UNROLLED
        for (i32 k = 0; k < numbers * T_REALS; k++)
            partials[GROUP_X * numbers * T_REALS + k] = mine.v[k];
    }
}

/* How the iteration behind the last update ended, from its r^H r: the same in all groups. */
DEVICE i32 bicgstab_ended(GLOBAL const f64 *state, f64 rr, bicgstab_args a)
{
    const i32 next = (i32)state[BICGSTAB_NEXT];
    if (!f64_finite(rr))
        return OUTCOME_NOT_FINITE;
    if (rr <= state[STATE_TARGET])
        return OUTCOME_SOLVED;
    if (next >= 0)
        return next;
    const W rho = bicgstab_get(state, BICGSTAB_RHO_NEXT);
    if (!W_finite(rho))
        return OUTCOME_NOT_FINITE;
    if (!(W_square(rho) > a.eps * a.eps * state[BICGSTAB_SHADOW] * rr))
        return OUTCOME_BREAKDOWN;
    return OUTCOME_NONE;
}

/* Counts that iteration, by one work-item: once, whoever asks first. */
DEVICE void bicgstab_count(GLOBAL f64 *state, f64 rr, i32 ended, bicgstab_args a)
{
    bicgstab_set(state, BICGSTAB_RHO, bicgstab_get(state, BICGSTAB_RHO_NEXT));
    if (state[BICGSTAB_PENDING] == 0)
        return;
    const f64 iteration = state[STATE_ITERATION] + 1;
    state[BICGSTAB_PENDING] = 0;
    state[STATE_ITERATION] = iteration;
    state[STATE_RR] = rr;
    state[STATE_HISTORY + (i64)(iteration - 1) % STATE_KEPT] = rr;
    if (rr < state[BICGSTAB_BEST]) {
        state[BICGSTAB_BEST] = rr;
        state[BICGSTAB_BEST_AT] = iteration;
    }
    if (ended >= 0)
        state[STATE_OUTCOME] = ended;
    else if (iteration >= state[STATE_LIMIT])
        state[STATE_OUTCOME] = OUTCOME_LIMIT;
    else if (iteration - state[BICGSTAB_BEST_AT] >= (f64)a.most)
        state[STATE_OUTCOME] = OUTCOME_STAGNATED;
}

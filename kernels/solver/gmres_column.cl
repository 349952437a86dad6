/* gmres_column.cl: the few numbers of one step of GMRES: Hessenberg matrix, rotations, residual
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * gmres_step.h explains where it stands in a step. With s = V^H u, t = V^H z and the sums with u,
 * column k - 1 of H gets its second projection, h + s, and beta below it. Then A v = (z - A V s) /
 * beta is known along V, because A V = V H: column k of H is (t - H s) / beta, and below it (v^H z)
 * / beta - s_(k-1) with v^H z = (u^H z - s^H t) / beta. Rotations make column k - 1 a column of the
 * triangle; what they leave of the right-hand side is the residual.
 *
 * Step 0 begins a cycle: u is the true residual. The cycle ends early where u has nothing left
 * outside of V. An early end that did not make the residual smaller is a breakdown; some cycles
 * that did not are stagnation.
 *
 * Geometry: one group of WX work-items. Macros: WX; MOST: at least the length of a cycle; LAST 1:
 * only column k - 1, there is no z. All work-items reach the barriers, or none.
 */
#include "gmres_step.h"
#if !defined(WX) || !defined(MOST) || !defined(LAST)
#error "gmres_column needs WX, MOST and LAST"
#endif

#define AHEAD 8 /* numbers requested before the first is added */

#define FULL_WINDOW 8    /* cycles within which the residual must fall */
#define NO_PROGRESS 0.98 /* of |r|^2: it did not */

/* The sum over every `step`th of `count` groups from g on. */
DEVICE f64 gmres_partials(GLOBAL const f64 *at, i64 apart, i64 g, i64 count, i64 step)
{
    f64 sum = 0;
    ROLLED
    for (; g < count; g += AHEAD * step) {
        f64 t[AHEAD];
        UNROLLED
        for (i32 i = 0; i < AHEAD; i++)
            t[i] = g + i * step < count ? at[(g + i * step) * apart] : 0;
        UNROLLED
        for (i32 i = 0; i < AHEAD; i++)
            sum += t[i];
    }
    return sum;
}

DEVICE W gmres_sum(LOCAL_PTR const f64 *sums, i64 i)
{
    return W_make(sums[i * T_REALS], T_REALS > 1 ? sums[i * T_REALS + T_REALS - 1] : 0);
}

/* Row i of H times s. Below the diagonal next to the main one H is 0, and stands there as 0. */
DEVICE W gmres_times(GLOBAL const f64 *numbers, LOCAL_PTR const f64 *sums, i32 i, i32 k, i64 m)
{
    W sum = W_make(0, 0);
    ROLLED
    for (i32 first = 0; first < k; first += AHEAD) {
        W h[AHEAD];
        UNROLLED
        for (i32 l = 0; l < AHEAD; l++)
            h[l] = first + l < k ? gmres_get(numbers, GMRES_H(m), (first + l) * (m + 1) + i)
                                 : W_make(0, 0);
        UNROLLED
        for (i32 l = 0; l < AHEAD; l++)
            if (first + l < k)
                sum = W_add(sum, W_mul(h[l], gmres_sum(sums, 2 * (first + l))));
    }
    return sum;
}

/* The start of a cycle, by one work-item: whether it is worth it. */
DEVICE void gmres_begin(GLOBAL f64 *numbers, gmres_args a, f64 rr)
{
    const f64 cycles = numbers[GMRES_CYCLES];
    numbers[STATE_RR] = rr;
    if (rr <= numbers[STATE_TARGET])
        numbers[STATE_OUTCOME] = OUTCOME_SOLVED;
    else if (numbers[STATE_ITERATION] >= numbers[STATE_LIMIT])
        numbers[STATE_OUTCOME] = OUTCOME_LIMIT;
    else if (numbers[GMRES_EARLY] != 0 && rr > NO_PROGRESS * numbers[GMRES_START])
        numbers[STATE_OUTCOME] = OUTCOME_BREAKDOWN;
    else if (cycles > 0 && (i64)cycles % FULL_WINDOW == 0 &&
             rr > NO_PROGRESS * numbers[GMRES_WINDOW])
        numbers[STATE_OUTCOME] = OUTCOME_STAGNATED;
    if ((i64)cycles % FULL_WINDOW == 0)
        numbers[GMRES_WINDOW] = rr;
    numbers[GMRES_START] = rr;
    numbers[GMRES_CYCLES] = cycles + 1;
    gmres_set(numbers, GMRES_G(a.restart), 0, W_make(sqrt(rr), 0));
}

/* Column k - 1, by one work-item: rotated into the triangle. `column` has k numbers and beta. */
DEVICE void gmres_rotate(GLOBAL f64 *numbers, LOCAL_PTR W *column, LOCAL_PTR const W *rotation,
                         gmres_args a, f64 uu, f64 beta)
{
    const i32 k = (i32)a.step;
    const i64 m = a.restart;
    f64 size = beta * beta;
    W last = column[0];
    for (i32 i = 0; i < k; i++)
        size += W_square(column[i]);
    ROLLED
    for (i32 i = 0; i + 1 < k; i++) {
        const f64 c = rotation[2 * i].re;
        const W s = rotation[2 * i + 1], next = column[i + 1];
        column[i] = W_add(W_scale(c, last), W_mul(s, next));
        last = W_sub(W_scale(c, next), W_mul(W_conj(s), last));
    }
    const f64 above = sqrt(W_square(last)), whole = sqrt(W_square(last) + beta * beta);
    const i32 singular = !(whole > a.eps * sqrt(size));
    /* u is hardly outside of V: either A v lies in V, or the second projection took most of it. */
    const i32 alone = !(beta > 4 * a.eps * sqrt(size)) || !(beta * beta > 0.25 * uu);
    if (singular) { /* the column adds nothing that could be solved with */
        numbers[GMRES_END] = 1;
        return;
    }
    const f64 c = above / whole;
    const W s = above > 0 ? W_scale(beta / whole / above, last) : W_make(1, 0);
    const W g = gmres_get(numbers, GMRES_G(m), k - 1), left = W_scale(-1, W_mul(W_conj(s), g));
    const f64 rr = W_square(left), iteration = numbers[STATE_ITERATION] + 1;
    column[k - 1] = W_add(W_scale(c, last), W_scale(beta, s));
    gmres_set(numbers, GMRES_COSINES(m), k - 1, W_make(c, 0));
    gmres_set(numbers, GMRES_SINES(m), k - 1, s);
    gmres_set(numbers, GMRES_G(m), k - 1, W_scale(c, g));
    gmres_set(numbers, GMRES_G(m), k, left);
    ROLLED
    for (i32 i = 0; i < k; i++)
        gmres_set(numbers, GMRES_R(m), (k - 1) * (m + 1) + i, column[i]);
    numbers[GMRES_COLUMNS] = k;
    numbers[STATE_ITERATION] = iteration;
    numbers[STATE_RR] = rr;
    numbers[STATE_HISTORY + (i64)(iteration - 1) % STATE_KEPT] = rr;
    if (rr <= numbers[STATE_TARGET])
        numbers[STATE_OUTCOME] = OUTCOME_SOLVED;
    else if (iteration >= numbers[STATE_LIMIT])
        numbers[STATE_OUTCOME] = OUTCOME_LIMIT;
    else if (alone)
        numbers[GMRES_END] = 1;
}

KERNEL(gmres_column, WX, 1, 1)
(GLOBAL const f64 *RESTRICT partials, GLOBAL f64 *numbers, gmres_args a)
{
    LOCAL f64 room[WX];
    LOCAL f64 sums[2 * (MOST + 1) * T_REALS];
    LOCAL W column[MOST + 1];
    LOCAL W rotation[2 * MOST];
    BEGIN();
    const i32 stopped = gmres_stopped(numbers);
    BARRIER(); /* behind it the state is written */
    if (stopped)
        return;
    const i32 k = (i32)a.step, count = 2 * (k + 1) * T_REALS, parts = WX / count;
    const i64 m = a.restart, apart = (m + 1) * 2 * T_REALS;
    if (parts > 1) {
        const i32 part = ITEM_X / count;
        room[ITEM_X] = part < parts
                           ? gmres_partials(partials + ITEM_X % count, apart, part, a.groups, parts)
                           : 0;
        BARRIER();
        if (ITEM_X < count) {
            f64 sum = 0;
            ROLLED
            for (i32 p = 0; p < parts; p++)
                sum += room[p * count + ITEM_X];
            sums[ITEM_X] = sum;
        }
    } else {
        ROLLED
        for (i32 i = ITEM_X; i < count; i += WX)
            sums[i] = gmres_partials(partials + i, apart, 0, a.groups, 1);
    }
    BARRIER();

    f64 ss = 0;
    W st = W_make(0, 0);
    for (i32 i = 0; i < k; i++) {
        const W s = gmres_sum(sums, 2 * i);
        ss += W_square(s);
        st = W_add(st, W_mul(W_conj(s), gmres_sum(sums, 2 * i + 1)));
    }
    const f64 uu = sums[2 * k * T_REALS], beta = uu > ss ? sqrt(uu - ss) : 0;
    const W uz = gmres_sum(sums, 2 * k + 1);
    if (!f64_finite(uu) || !f64_finite(ss)) {
        if (ITEM_X == 0)
            numbers[STATE_OUTCOME] = OUTCOME_NOT_FINITE;
        return;
    }
    for (i32 i = ITEM_X; i < k; i += WX) {
        const i64 at = (k - 1) * (m + 1) + i;
        column[i] = W_add(gmres_get(numbers, GMRES_H(m), at), gmres_sum(sums, 2 * i));
        gmres_set(numbers, GMRES_H(m), at, column[i]);
        rotation[2 * i] = gmres_get(numbers, GMRES_COSINES(m), i);
        rotation[2 * i + 1] = gmres_get(numbers, GMRES_SINES(m), i);
    }
    if (ITEM_X == 0 && k > 0)
        gmres_set(numbers, GMRES_H(m), (k - 1) * (m + 1) + k, W_make(beta, 0));
    BARRIER();
    if (ITEM_X == 0) {
        if (k == 0)
            gmres_begin(numbers, a, uu);
        else
            gmres_rotate(numbers, column, rotation, a, uu, beta);
    }
    if (LAST || beta == 0)
        return;

    for (i32 i = ITEM_X; i < k; i += WX) {
        const W s = gmres_sum(sums, 2 * i), t = gmres_sum(sums, 2 * i + 1);
        const W h = W_sub(t, gmres_times(numbers, sums, i, k, m));
        gmres_set(numbers, GMRES_H(m), k * (m + 1) + i, W_scale(1 / beta, h));
        gmres_set(numbers, GMRES_AGAIN(m), i, s);
        gmres_set(numbers, GMRES_FIRST(m), i, t);
    }
    if (ITEM_X == 0) {
        const W along = W_scale(1 / beta, W_sub(uz, st));
        W h = W_scale(1 / beta, along);
        if (k > 0)
            h = W_sub(h, gmres_sum(sums, 2 * (k - 1)));
        gmres_set(numbers, GMRES_H(m), k * (m + 1) + k, h);
        gmres_set(numbers, GMRES_ALONG(m), 0, along);
        gmres_set(numbers, GMRES_ALONG(m), 1, W_make(beta, 0));
    }
}

/* sytrd_vector.cl: the reflector of column p of a panel of the tridiagonal reduction
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The second launch of a column, behind sytrd_rows.cl and before the product y = A v. All groups
 * add the squares that groups have left, in the same order: so all know the reflector and make
 * their rows of v = (1, x scale), which go to A and to `v`; above its one `v` has zeros. The first
 * group also makes V^H v and W^H v from the products with x.
 *
 * Where the squares are not safe every group walks over the column for squares that are; where the
 * products are not, the first group makes those of v itself. Both are rare and need no other
 * launch.
 *
 * Places as in sytrd_rows.cl. Geometry: any number of groups of ITEMS work-items. Macros: UPPER 0
 * or 1; those of phase_shares.h. Barriers: all work-items of a group take the same way.
 */
#if !defined(ITEMS) || !defined(NB) || !defined(OWN) || !defined(UPPER)
#error "sytrd_vector needs ITEMS, NB, OWN and UPPER"
#endif
#define WX    ITEMS
#define STEP  (UPPER ? -1 : 1)
#define KINDS 2 /* V and W */
#include "sytrd_phase_args.h"
#include "phase_shares.h"

#define ROOM_A (SHARES * LOTS)
#define ROOM   (ROOM_A > ITEMS ? ROOM_A : ITEMS)

/* Row t of V or W: place c of the products. */
DEVICE T thin_at(GLOBAL const T *A, GLOBAL const T *W, sytrd_phase_args a, i64 t, i32 c)
{
    return c % 2 == 0 ? A[STEP * (t + c / 2 * a.lda)] : W[STEP * (t + c / 2 * a.ldw)];
}

/* total: the products with v itself, without its one. All work-items must come. */
DEVICE void products_again(GLOBAL const T *A, GLOBAL const T *W, GLOBAL const T *column,
                           sytrd_phase_args a, reflector h, LOCAL_PTR T *room, LOCAL_PTR T *total)
{
    const i32 lot = ITEM_X % LOTS, count = 2 * (i32)a.p;
    ROLLED
    for (i32 c = ITEM_X / LOTS; c < count; c += ITEMS / LOTS) {
        T sum = T_make(0, 0);
        ROLLED
        for (i64 t = a.p + 2 + lot; t < a.n; t += LOTS)
            sum = T_fma(T_conj(thin_at(A, W, a, t, c)), reflector_element(h, column[t]), sum);
        room[c * LOTS + lot] = sum;
    }
    lots_add(room, count, total);
}

KERNEL(sytrd_vector, ITEMS, 1, 1)
(GLOBAL T *A, GLOBAL const T *W, GLOBAL R *diagonal, GLOBAL R *beside, GLOBAL T *tau,
 GLOBAL const T *column, GLOBAL const T *shares, GLOBAL T *with, GLOBAL T *v, sytrd_phase_args a)
{
    LOCAL sum_t scratch[GROUP_SCRATCH];
    LOCAL T room[ROOM];
    LOCAL T total[SHARES];
    LOCAL reflector known[1];
    LOCAL i32 flag[1];
    BEGIN();
    const i32 p = (i32)a.p, is_first = GROUP_X == 0 && ITEM_X == 0;
    if (is_first) {
        diagonal[STEP * p] = T_real(column[p], 0);
        A[STEP * (p + p * a.lda)] = T_make(T_real(column[p], 0), 0);
    }
    if (p + 1 == a.n) /* no vector is left */
        return;
    const T alpha = column[p + 1];
    i32 safe;
    const reflector h =
        shared_reflector(shares, a.sharers, column, p + 2, a.n, alpha, &safe, room, scratch, known);
    ROLLED
    for (i64 first = GROUP_X * OWN; first < a.n; first += GROUPS_X * OWN) {
        ROLLED
        for (i32 r = ITEM_X; r < OWN; r += ITEMS) {
            const i64 t = first + r;
            if (t < a.n && t <= p)
                v[STEP * t] = T_make(0, 0);
            if (t < a.n && t > p)
                v[STEP * t] = A[STEP * (t + p * a.lda)] =
                    t == p + 1 ? T_make(1, 0) : reflector_element(h, column[t]);
        }
    }
    if (is_first) {
        beside[STEP * p] = (R)h.beta;
        tau[STEP * p] = reflector_tau(h);
    }
    if (GROUP_X == 0 && p > 0) {
        T scale = T_make(h.scale_re * h.up, h.scale_im * h.up);
        shares_take(shares, a.sharers, 2 * p, room, total);
        if (!products_safe(total, 2 * p, flag) || !safe) {
            products_again(A, W, column, a, h, room, total);
            scale = T_make(1, 0);
        }
        ROLLED
        for (i32 c = ITEM_X; c < 2 * p; c += ITEMS)
            with[c] = T_fma(scale, total[c], T_conj(thin_at(A, W, a, p + 1, c)));
    }
}

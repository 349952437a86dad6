/* gehrd_vector.cl: the reflector of column p of a panel of the Hessenberg reduction
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The third launch of a column, behind gehrd_reflect.cl and before the product A v. All groups add
 * the squares that groups have left, in the same order: so all know the reflector and make their
 * rows of v = (1, x scale), which go to A, below beta, and to V, whose ones stand there. The first
 * group also makes V^H v from the products with x, and with it column p of T.
 *
 * Where the squares are not safe every group walks over the column for squares that are, and the
 * first group makes the products of v itself. That is rare and needs no other launch.
 *
 * Rows as in gehrd_column.cl. Geometry: any number of groups of ITEMS work-items. Macros: those of
 * phase_shares.h. Barriers: all work-items of a group take the same way.
 */
#if !defined(ITEMS) || !defined(NB) || !defined(OWN)
#error "gehrd_vector needs ITEMS, NB and OWN"
#endif
#define WX    ITEMS
#define STEP  1
#define KINDS 1 /* V */
#include "gehrd_phase_args.h"
#include "phase_shares.h"

#define ROOM_A (SHARES * LOTS)
#define ROOM   (ROOM_A > ITEMS ? ROOM_A : ITEMS)

/* total: the products with v itself, without its one. All work-items must come. */
DEVICE void products_again(GLOBAL const T *V, GLOBAL const T *column, gehrd_phase_args a,
                           reflector h, LOCAL_PTR T *room, LOCAL_PTR T *total)
{
    const i32 lot = ITEM_X % LOTS, count = (i32)a.p;
    ROLLED
    for (i32 c = ITEM_X / LOTS; c < count; c += ITEMS / LOTS) {
        T sum = T_make(0, 0);
        ROLLED
        for (i64 t = a.p + 1 + lot; t < a.n; t += LOTS)
            sum = T_fma(T_conj(V[t + c * a.ldv]), reflector_element(h, column[t]), sum);
        room[c * LOTS + lot] = sum;
    }
    lots_add(room, count, total);
}

KERNEL(gehrd_vector, ITEMS, 1, 1)
(GLOBAL T *A, GLOBAL T *V, GLOBAL T *triangle, GLOBAL T *tau, GLOBAL const T *column,
 GLOBAL const T *shares, GLOBAL T *with_at, gehrd_phase_args a)
{
    LOCAL sum_t scratch[GROUP_SCRATCH];
    LOCAL T room[ROOM];
    LOCAL T total[SHARES];
    LOCAL T with[NB];
    LOCAL reflector known[1];
    LOCAL i32 flag[1];
    BEGIN();
    const i32 p = (i32)a.p;
    const T alpha = column[p];
    GLOBAL const T *const later = shares + a.sharers * SHARES;
    i32 safe;
    const reflector h =
        shared_reflector(later, a.sharers, column, p + 1, a.n, alpha, &safe, room, scratch, known);
    ROLLED
    for (i64 first = GROUP_X * OWN; first < a.n; first += GROUPS_X * OWN) {
        ROLLED
        for (i32 r = ITEM_X; r < OWN; r += ITEMS) {
            const i64 t = first + r;
            if (t > p && t < a.n)
                V[t + p * a.ldv] = A[t + p * a.lda] = reflector_element(h, column[t]);
            if (t == p)
                A[t + p * a.lda] = T_make(h.beta, 0);
        }
    }
    if (GROUP_X != 0)
        return;
    const T factor = reflector_tau(h);
    T scale = T_make(h.scale_re * h.up, h.scale_im * h.up);
    shares_take(later, a.sharers, p, room, total);
    if (!products_safe(total, p, flag) || !safe) {
        products_again(V, column, a, h, room, total);
        scale = T_make(1, 0);
    }
    ROLLED
    for (i32 q = ITEM_X; q < p; q += ITEMS)
        with[q] = with_at[q] = T_fma(scale, total[q], T_conj(V[p + q * a.ldv]));
    BARRIER();
    ROLLED
    for (i32 r = ITEM_X; r <= p; r += ITEMS) {
        T sum = T_make(0, 0);
        ROLLED
        for (i32 q = r; q < p; q++)
            sum = T_fma(triangle[r + q * a.ldt], with[q], sum);
        triangle[r + p * a.ldt] = r == p ? factor : T_neg(T_mul(factor, sum));
    }
    if (ITEM_X == 0)
        tau[p] = factor;
}

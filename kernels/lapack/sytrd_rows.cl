/* sytrd_rows.cl: column p of a panel of the tridiagonal reduction brought up to date, by rows
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The first launch of a column. y = A v is the product with the vector of the column before. A
 * group has chunks of OWN rows. Of each it makes the last column of W,
 *     w = tau (y - V (W^H v) - W (V^H v)) - 1/2 |tau|^2 (v^H y - 2 Re (V^H v)^H W^H v) v
 * then column p, a = A e_p - V (W^H e_p) - W (V^H e_p), and its shares of V^H x, W^H x and x^H x,
 * where x is a without its first two elements. v^H y and element p of w are made by every group, in
 * the same order. p = count: there is no column, only w.
 *
 * Places are counted from the panel's first diagonal element, backward in an upper triangle. V
 * stands in A, with ones in the places of e. `with` has V^H v and W^H v: 2 q, 2 q + 1. Geometry:
 * `sharers` groups of ITEMS work-items. Macros: UPPER 0 or 1; those of phase_shares.h. Barriers:
 * all work-items of a group make the same rounds.
 */
#if !defined(ITEMS) || !defined(NB) || !defined(OWN) || !defined(UPPER)
#error "sytrd_rows needs ITEMS, NB, OWN and UPPER"
#endif
#define WX    ITEMS
#define STEP  (UPPER ? -1 : 1)
#define KINDS 2 /* V and W */
#include "sytrd_phase_args.h"
#include "phase_shares.h"

#define ROOM_A (2 * SLICES * OWN)
#define ROOM_B (3 * ITEMS)
#define ROOM   (ROOM_A > ROOM_B ? ROOM_A : ROOM_B)

/* What all work-items of a group know. */
typedef struct before {
    GLOBAL const T *A;
    GLOBAL const T *W;
    LOCAL_PTR const T *with;
    LOCAL_PTR const T *corner; /* row p of V and W, without the last column */
    sytrd_phase_args a;
    T tau;
    T element; /* p of w */
    R factor;  /* of v in w */
} before;

/* Element p of w and the factor of v. All work-items must come. */
DEVICE void last_row(before *b, GLOBAL const T *v, GLOBAL const T *y, LOCAL_PTR T *room)
{
    T sums[3]; /* y_p - inner products, (V^H v)^H W^H v, v^H y */
    sums[0] = sums[1] = T_make(0, 0);
    sums[2] = dot_share(v, y, b->a.p, b->a.n);
    if (ITEM_X == 0)
        sums[0] = y[STEP * b->a.p];
    ROLLED
    for (i32 q = ITEM_X; q + 1 < b->a.p; q += ITEMS) {
        const T with_v = b->with[2 * q], with_w = b->with[2 * q + 1];
        sums[0] = T_fma(T_neg(b->corner[2 * q]), with_w, sums[0]);
        sums[0] = T_fma(T_neg(b->corner[2 * q + 1]), with_v, sums[0]);
        sums[1] = T_fma(T_conj(with_v), with_w, sums[1]);
    }
    group_add(sums, 3, room);
    R size = T_real(b->tau, 0) * T_real(b->tau, 0);
    if (T_REALS > 1)
        size = R_fma(T_real(b->tau, 1), T_real(b->tau, 1), size);
    b->factor = size * (T_real(sums[1], 0) - T_real(sums[2], 0) / 2);
    b->element = T_fma(b->tau, sums[0], T_make(b->factor, 0)); /* v is 1 there */
}

/* This slice's part of V (W^H v) + W (V^H v) and of V (W^H e_p) + W (V^H e_p), for the rows of a
 * work-item; `some`: not all of the chunk's rows count. */
DEVICE void chunk_sums(const before *b, i64 first, chunk_span d, const i32 some, T *inner, T *late)
{
    const i32 slice = ITEM_X / ALONG, row = ITEM_X % ALONG * DEEP, columns = (i32)b->a.p - 1;
    EVERY
    for (i32 e = 0; e < EACH; e++) {
        const i32 q = slice + e * SLICES;
        if (q < columns) {
            const T with_v = b->with[2 * q], with_w = b->with[2 * q + 1];
            const T corner_v = T_conj(b->corner[2 * q]), corner_w = T_conj(b->corner[2 * q + 1]);
            GLOBAL const T *const v = b->A + STEP * (first + row + q * b->a.lda);
            GLOBAL const T *const w = b->W + STEP * (first + row + q * b->a.ldw);
            EVERY
            for (i32 k = 0; k < DEEP; k++)
                if (!some || (row + k >= d.from && row + k < d.to)) {
                    const T in_v = v[STEP * k], in_w = w[STEP * k];
                    inner[k] = T_fma(in_w, with_v, T_fma(in_v, with_w, inner[k]));
                    late[k] = T_fma(in_w, corner_v, T_fma(in_v, corner_w, late[k]));
                }
        }
    }
}

/* The sums of a chunk's rows over the slices: that of row r at r, and at OWN + r. All work-items
 * must come. */
DEVICE void chunk_rows(const before *b, i64 first, chunk_span d, LOCAL_PTR T *room)
{
    const i32 slice = ITEM_X / ALONG, row = ITEM_X % ALONG * DEEP;
    T inner[DEEP], late[DEEP];
    EVERY
    for (i32 k = 0; k < DEEP; k++)
        inner[k] = late[k] = T_make(0, 0);
    if (d.from == 0 && d.to == OWN)
        chunk_sums(b, first, d, 0, inner, late);
    else
        chunk_sums(b, first, d, 1, inner, late);
    EVERY
    for (i32 k = 0; k < DEEP; k++) {
        room[slice * 2 * OWN + row + k] = inner[k];
        room[slice * 2 * OWN + OWN + row + k] = late[k];
    }
}

KERNEL(sytrd_rows, ITEMS, 1, 1)
(GLOBAL const T *A, GLOBAL T *W, GLOBAL const T *tau, GLOBAL const T *v, GLOBAL const T *y,
 GLOBAL const T *with_at, GLOBAL T *column, GLOBAL T *shares, sytrd_phase_args a)
{
    LOCAL T room[ROOM];
    LOCAL T with[SHARES];
    LOCAL T corner[SHARES];
    LOCAL T mine[OWN];
    LOCAL T sums[SHARES * LOTS];
    BEGIN();
    const i32 p = (i32)a.p, is_column = a.p < a.count;
    before b;
    b.A = A;
    b.W = W;
    b.with = with;
    b.corner = corner;
    b.a = a;
    b.tau = b.element = T_make(0, 0);
    b.factor = 0;
    ROLLED
    for (i32 c = ITEM_X; c < 2 * p - 2; c += ITEMS) {
        with[c] = with_at[c];
        corner[c] = c % 2 == 0 ? A[STEP * (p + c / 2 * a.lda)] : W[STEP * (p + c / 2 * a.ldw)];
    }
    shares_clear(sums);
    if (p > 0) {
        b.tau = tau[STEP * (p - 1)];
        last_row(&b, v, y, room);
    }
    ROLLED
    for (i64 first = GROUP_X * OWN; first < a.n; first += GROUPS_X * OWN) {
        const chunk_span all = span_of(first, p, a.n), x = span_of(first, p + 2, a.n);
        BARRIER(); /* room and mine may still be read */
        if (p > 0)
            chunk_rows(&b, first, all, room);
        BARRIER();
        ROLLED
        for (i32 r = ITEM_X; r < OWN; r += ITEMS) {
            const i64 t = first + r;
            T now = T_make(0, 0);
            if (r >= all.from && r < all.to) {
                if (is_column)
                    now = A[STEP * (t + p * a.lda)];
                if (p > 0) {
                    const T at_v = v[STEP * t];
                    const T inner = T_add(y[STEP * t], T_neg(slices_sum(room + r, 2 * OWN)));
                    T w = T_fma(b.tau, inner, T_scale(b.factor, at_v));
                    if (t == p)
                        w = b.element; /* as all groups have it */
                    now = T_add(now, T_neg(slices_sum(room + OWN + r, 2 * OWN)));
                    now = T_fma(T_neg(at_v), T_conj(b.element), now);
                    now = T_add(now, T_neg(w));
                    W[STEP * (t + (p - 1) * a.ldw)] = w;
                }
                if (is_column)
                    column[t] = now;
            }
            mine[r] = r >= x.from && r < x.to ? now : T_make(0, 0);
        }
        BARRIER(); /* mine and the group's rows of W are there */
        ROLLED
        for (i32 c = ITEM_X / LOTS; c < SHARES && is_column; c += ITEMS / LOTS) {
            const i32 lot = ITEM_X % LOTS, q = c / 2;
            T sum = T_make(0, 0);
            if (c < 2 * p)
                sum = column_share(c % 2 == 0 ? A + STEP * (first + q * a.lda)
                                              : W + STEP * (first + q * a.ldw),
                                   mine, x, lot);
            else if (c == SQUARES)
                sum = squares_share(mine, lot);
            sums[c * LOTS + lot] = T_add(sums[c * LOTS + lot], sum);
        }
    }
    if (is_column)
        shares_leave(sums, shares);
}

/* gehrd_reflect.cl: column p of a panel of the Hessenberg reduction after the left transformations
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The second launch of a column, behind gehrd_column.cl, and the first one of column 0. All groups
 * add the shares of V^H b in the same order and make T^H (V^H b). A group has chunks of OWN rows:
 * b = b - V (T^H (V^H b)). Rows above p are done and go to A. Its shares of V^H x and x^H x, where
 * x is b below row p, stand behind those of V^H b, which others may still read.
 *
 * Rows as in gehrd_column.cl. Geometry: `sharers` groups of ITEMS work-items. Macros: those of
 * phase_shares.h. Barriers: all work-items of a group make the same rounds.
 */
#if !defined(ITEMS) || !defined(NB) || !defined(OWN)
#error "gehrd_reflect needs ITEMS, NB and OWN"
#endif
#define WX    ITEMS
#define STEP  1
#define KINDS 1 /* V */
#include "gehrd_phase_args.h"
#include "phase_shares.h"

#define ROOM_A (SLICES * OWN)
#define ROOM_B (SHARES * LOTS)
#define ROOM   (ROOM_A > ROOM_B ? ROOM_A : ROOM_B)

/* This slice's part of V turned, for the rows of a work-item; `some`: not all of the chunk's rows
 * count. */
DEVICE void chunk_sums(GLOBAL const T *V, gehrd_phase_args a, LOCAL_PTR const T *turned, i64 first,
                       chunk_span d, const i32 some, T *inner)
{
    const i32 slice = ITEM_X / ALONG, row = ITEM_X % ALONG * DEEP, columns = (i32)a.p;
    EVERY
    for (i32 e = 0; e < EACH; e++) {
        const i32 q = slice + e * SLICES;
        if (q < columns) {
            const T factor = turned[q];
            GLOBAL const T *const v = V + first + row + q * a.ldv;
            EVERY
            for (i32 k = 0; k < DEEP; k++)
                if (!some || (row + k >= d.from && row + k < d.to))
                    inner[k] = T_fma(v[k], factor, inner[k]);
        }
    }
}

KERNEL(gehrd_reflect, ITEMS, 1, 1)
(GLOBAL T *A, GLOBAL const T *V, GLOBAL const T *triangle, GLOBAL T *column, GLOBAL T *shares,
 gehrd_phase_args a)
{
    LOCAL T room[ROOM];
    LOCAL T total[SHARES];
    LOCAL T turned[NB];
    LOCAL T mine[OWN];
    LOCAL T sums[SHARES * LOTS];
    BEGIN();
    const i32 p = (i32)a.p, slice = ITEM_X / ALONG, row = ITEM_X % ALONG * DEEP;
    shares_clear(sums);
    if (p > 0) {
        shares_take(shares, a.sharers, p, room, total);
        ROLLED
        for (i32 q = ITEM_X; q < p; q += ITEMS) {
            T sum = T_make(0, 0);
            ROLLED
            for (i32 r = 0; r <= q; r++)
                sum = T_fma(T_conj(triangle[r + q * a.ldt]), total[r], sum);
            turned[q] = sum;
        }
        BARRIER();
    }
    ROLLED
    for (i64 first = GROUP_X * OWN; first < a.n; first += GROUPS_X * OWN) {
        const chunk_span all = span_of(first, 0, a.n), x = span_of(first, p + 1, a.n);
        T inner[DEEP];
        EVERY
        for (i32 k = 0; k < DEEP; k++)
            inner[k] = T_make(0, 0);
        if (all.to == OWN)
            chunk_sums(V, a, turned, first, all, 0, inner);
        else
            chunk_sums(V, a, turned, first, all, 1, inner);
        BARRIER(); /* room and mine may still be read */
        EVERY
        for (i32 k = 0; k < DEEP; k++)
            room[slice * OWN + row + k] = inner[k];
        BARRIER();
        ROLLED
        for (i32 r = ITEM_X; r < OWN; r += ITEMS) {
            const i64 t = first + r;
            T now = T_make(0, 0);
            if (r < all.to) {
                now = p > 0 ? column[t] : A[t];
                now = T_add(now, T_neg(slices_sum(room + r, OWN)));
                if (t < p)
                    A[t + p * a.lda] = now;
                else
                    column[t] = now;
            }
            mine[r] = r >= x.from && r < x.to ? now : T_make(0, 0);
        }
        BARRIER(); /* mine is there */
        ROLLED
        for (i32 c = ITEM_X / LOTS; c < SHARES; c += ITEMS / LOTS) {
            const i32 lot = ITEM_X % LOTS;
            T sum = T_make(0, 0);
            if (c < p)
                sum = column_share(V + first + c * a.ldv, mine, x, lot);
            else if (c == SQUARES)
                sum = squares_share(mine, lot);
            sums[c * LOTS + lot] = T_add(sums[c * LOTS + lot], sum);
        }
    }
    shares_leave(sums, shares + a.sharers * SHARES);
}

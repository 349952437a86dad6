/* gehrd_column.cl: column p of a panel of the Hessenberg reduction after the right transformations
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The first launch of a column p > 0. `swept` is A v of the column before. A group has chunks of
 * OWN rows. Of each it makes the last column of Y, tau (A v - Y (V^H v)), then b = a - Y (V^H e),
 * where e is the unit vector of row p - 1, and its shares of V^H b. p = count: there is no column,
 * only Y.
 *
 * Rows are counted from the one below the panel's first diagonal element, columns p from its first
 * one. `with` has V^H v. Geometry: `sharers` groups of ITEMS work-items. Macros: those of
 * phase_shares.h. Barriers: all work-items of a group make the same rounds.
 */
#if !defined(ITEMS) || !defined(NB) || !defined(OWN)
#error "gehrd_column needs ITEMS, NB and OWN"
#endif
#define WX    ITEMS
#define STEP  1
#define KINDS 1 /* V */
#include "gehrd_phase_args.h"
#include "phase_shares.h"

/* This slice's part of Y (V^H v) and of Y (V^H e), for the rows of a work-item; `some`: not all of
 * the chunk's rows count. corner: row p - 1 of V. */
DEVICE void chunk_sums(GLOBAL const T *Y, gehrd_phase_args a, LOCAL_PTR const T *with,
                       LOCAL_PTR const T *corner, i64 first, chunk_span d, const i32 some, T *inner,
                       T *late)
{
    const i32 slice = ITEM_X / ALONG, row = ITEM_X % ALONG * DEEP, columns = (i32)a.p - 1;
    EVERY
    for (i32 e = 0; e < EACH; e++) {
        const i32 q = slice + e * SLICES;
        if (q < columns) {
            const T factor = with[q], other = T_conj(corner[q]);
            GLOBAL const T *const y = Y + first + row + q * a.ldy;
            EVERY
            for (i32 k = 0; k < DEEP; k++)
                if (!some || (row + k >= d.from && row + k < d.to)) {
                    const T in_y = y[k];
                    inner[k] = T_fma(in_y, factor, inner[k]);
                    late[k] = T_fma(in_y, other, late[k]);
                }
        }
    }
}

KERNEL(gehrd_column, ITEMS, 1, 1)
(GLOBAL const T *A, GLOBAL const T *V, GLOBAL T *Y, GLOBAL const T *tau, GLOBAL const T *swept,
 GLOBAL const T *with_at, GLOBAL T *column, GLOBAL T *shares, gehrd_phase_args a)
{
    LOCAL T room[2 * SLICES * OWN];
    LOCAL T with[NB];
    LOCAL T corner[NB];
    LOCAL T mine[OWN];
    LOCAL T sums[SHARES * LOTS];
    BEGIN();
    const i32 p = (i32)a.p, is_column = a.p < a.count;
    const i32 slice = ITEM_X / ALONG, row = ITEM_X % ALONG * DEEP;
    const T factor = tau[p - 1];
    ROLLED
    for (i32 q = ITEM_X; q < p - 1; q += ITEMS) {
        with[q] = with_at[q];
        corner[q] = V[p - 1 + q * a.ldv];
    }
    shares_clear(sums);
    ROLLED
    for (i64 first = GROUP_X * OWN; first < a.n; first += GROUPS_X * OWN) {
        const chunk_span all = span_of(first, 0, a.n);
        T inner[DEEP], late[DEEP];
        EVERY
        for (i32 k = 0; k < DEEP; k++)
            inner[k] = late[k] = T_make(0, 0);
        if (all.to == OWN)
            chunk_sums(Y, a, with, corner, first, all, 0, inner, late);
        else
            chunk_sums(Y, a, with, corner, first, all, 1, inner, late);
        BARRIER(); /* room and mine may still be read */
        EVERY
        for (i32 k = 0; k < DEEP; k++) {
            room[slice * 2 * OWN + row + k] = inner[k];
            room[slice * 2 * OWN + OWN + row + k] = late[k];
        }
        BARRIER();
        ROLLED
        for (i32 r = ITEM_X; r < OWN; r += ITEMS) {
            const i64 t = first + r;
            T now = T_make(0, 0);
            if (r < all.to) {
                const T last = T_mul(factor, T_add(swept[t], T_neg(slices_sum(room + r, 2 * OWN))));
                Y[t + (p - 1) * a.ldy] = last;
                if (is_column) {
                    now = T_add(A[t + p * a.lda], T_neg(slices_sum(room + OWN + r, 2 * OWN)));
                    now = T_add(now, T_neg(last)); /* V has a one in row p - 1 */
                    column[t] = now;
                }
            }
            mine[r] = now;
        }
        BARRIER(); /* mine is there */
        ROLLED
        for (i32 c = ITEM_X / LOTS; c < p && is_column; c += ITEMS / LOTS) {
            const i32 lot = ITEM_X % LOTS;
            sums[c * LOTS + lot] =
                T_add(sums[c * LOTS + lot], column_share(V + first + c * a.ldv, mine, all, lot));
        }
    }
    if (is_column)
        shares_leave(sums, shares);
}

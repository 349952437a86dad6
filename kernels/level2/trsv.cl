/* trsv.cl: x := op(A)^-1 x, A triangular: substitution, block by block, in one launch
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A group draws a block of NB rows of op(A) x = b by a ticket. It goes over the tiles between the
 * start and the diagonal, in order, adding them times the pieces of x that groups leave in `solved`
 * (trsv.h). The next tile is always under way before x is waited for, so between a piece of x and
 * the next lies no load of A. Then it solves its diagonal block, which has been in local memory
 * since the block was drawn. Every lane has a row of it.
 *
 * Lanes that run together solve for their own rows, STEP at a time: all of them know what is left
 * of these rows, solve for them each by itself, and take them out of their own. Then they leave x
 * in `solved` for other groups and in local memory for the lanes behind them. Where lanes do not
 * run together all of the group solve for the same STEP rows.
 *
 * Tickets are drawn in order, so a group waits only for groups that run: no number of groups, and
 * no order in which they start, can block it; with one group nothing waits. Groups behind the front
 * look at rows half way to it, not all at the newest one, whose memory would be a hot spot.
 *
 * Sums are in order of blocks whatever comes first, so results do not depend on timing. The counter
 * of tickets is 0 before and after: the group that draws the last ticket of all resets it, and that
 * of the last block sets `solved` back. Geometry: any number of groups of ITEMS work-items, NB or
 * more. Macros: trsv.h; CONJ 0 or 1. Barriers: all work-items of a group have its blocks. Local
 * memory: LOCAL_ROOM of ROOM elements.
 */
#include "trsv.h"

#define ROOM (KEPT + NB * (2 + LEFT)) /* elements: block, reciprocals, solutions, sums */
#define NEAR 2                        /* blocks before its own that a group follows row by row */

typedef struct ALIGNED(16) TQ {
    T v[QUICK];
} TQ;

/* The sums of a block over the tiles before its diagonal, of a band from the first that meets it.
 * All work-items must come. */
DEVICE trsv_sums trsv_gather(trsv_data d, GLOBAL const volatile word *solved, i64 block)
{
    const i64 here = trsv_start(d, block), tiles = block * PIECES;
    trsv_sums sums;
    UNROLLED
    for (i32 s = 0; s < SUMS; s++)
        sums.v[s] = T_make(0, 0);
    if (block == 0)
        return sums;
    /* Of the blocks drawn before this one all but GROUPS_X - 1 are solved. */
    i64 open = (block - (GROUPS_X - 1)) * PIECES;
    const i64 first = BANDED && block * NB > d.a.band ? (block * NB - d.a.band) / KB : 0;
    i64 start = trsv_piece(d, first);
    trsv_tile tile = trsv_load(d, TRANS ? start : here, TRANS ? here : start);
    trsv_terms x = trsv_peek(d, solved, start);
    ROLLED
    for (i64 t = first; t < tiles; t++) {
        const trsv_tile now = tile;
        const trsv_terms early = x;
        const i64 from = start;
        if (t + 1 < tiles) {
            start = trsv_piece(d, t + 1);
            tile = trsv_load(d, TRANS ? start : here, TRANS ? here : start);
            x = trsv_peek(d, solved, start);
        }
        if (t >= open && t + NEAR * PIECES < tiles) {
            open = t + (tiles - NEAR * PIECES - t) / 2; /* the last tile to look for now */
            trsv_gate(d, solved, open++);
        }
        sums = trsv_multiply(now, trsv_await(d, solved, from, early), sums);
    }
    return sums;
}

/* found[] is what is left of rows s to s + STEP of a block: solves for them, and takes them out of
 * what is left of row i, as far as it is behind them; gives that. */
DEVICE T trsv_step(T *found, T rest, i32 i, i32 s, LOCAL_PTR const T *block,
                   LOCAL_PTR const T *inverse)
{
    UNROLLED
    for (i32 l = 0; l < STEP; l++) {
        LOCAL_PTR const TQ *column = (LOCAL_PTR const TQ *)(block + trsv_at(s, s + l));
        found[l] = T_mul(found[l], inverse[s + l]);
        UNROLLED
        for (i32 q = l / QUICK; q < STEP / QUICK; q++) {
            const TQ a = column[q];
            UNROLLED
            for (i32 k = 0; k < QUICK; k++)
                if (q * QUICK + k > l)
                    found[q * QUICK + k] = T_fma(a.v[k], found[l], found[q * QUICK + k]);
        }
        const T mine = block[trsv_at(i, s + l)]; /* of rows before l it is not used */
        rest = i > s + l ? T_fma(mine, found[l], rest) : rest;
    }
    return rest;
}

/* Nobody waits for the last block. */
DEVICE void trsv_leave(trsv_data d, i64 start, i32 i, T found, GLOBAL T *x,
                       GLOBAL volatile word *solved)
{
    const i64 row = start + trsv_turn(d, i);
    if (row >= 0 && row < d.a.n) {
        if (start != trsv_start(d, d.a.blocks - 1))
            trsv_publish(solved, row, found);
        x[row * d.a.incx] = found;
    }
}

/* Solves with the diagonal block; rest is what is left of the right-hand side of the lane's row.
 * All work-items must come. */
#if WARP_SIZE > 1
#define AHEAD (128 / (i32)sizeof(T) < WARP_SIZE ? 128 / (i32)sizeof(T) : WARP_SIZE)
#define SPLIT 4 /* sums beside each other, so that none waits for the one before */

/* Takes the rows of a warp, which is solved, out of a row whose coefficients are `a`, STRIDE apart;
 * `ahead` are the first of them. */
DEVICE T trsv_behind(T rest, const T *ahead, LOCAL_PTR const T *a, LOCAL_PTR const TQ *known)
{
    T sums[SPLIT];
    UNROLLED
    for (i32 c = 0; c < SPLIT; c++)
        sums[c] = c == 0 ? rest : T_make(0, 0);
    UNROLLED
    for (i32 q = 0; q < WARP_SIZE / QUICK; q++) {
        const TQ x = known[q];
        UNROLLED
        for (i32 k = 0; k < QUICK; k++) {
            const i32 l = q * QUICK + k;
            sums[l % SPLIT] =
                T_fma(l < AHEAD ? ahead[l % AHEAD] : a[l * STRIDE], x.v[k], sums[l % SPLIT]);
        }
    }
    return T_add(T_add(sums[0], sums[1]), T_add(sums[2], sums[3]));
}

DEVICE void trsv_solve(trsv_data d, i64 start, T rest, LOCAL_PTR const T *block,
                       LOCAL_PTR const T *inverse, LOCAL_PTR T *known, GLOBAL T *x,
                       GLOBAL volatile word *solved)
{
    const i32 i = ITEM_X, warp = ITEM_X / WARP_SIZE * WARP_SIZE;
    ROLLED
    for (i32 s = 0; s < NB; s += WARP_SIZE) {
        if (warp == s) {
            UNROLLED
            for (i32 step = 0; step < WARP_SIZE; step += STEP) {
                T found[STEP];
                UNROLLED
                for (i32 k = 0; k < STEP; k++)
                    found[k] = T_shuffle(rest, step + k);
                rest = trsv_step(found, rest, i, s + step, block, inverse);
            }
            rest = T_mul(rest, inverse[i]);
            known[i] = rest;
            trsv_leave(d, start, i, rest, x, solved);
        }
        const i32 waits = warp > s && warp < NB;
        LOCAL_PTR const T *a = block + trsv_at(waits ? i : 0, s);
        T ahead[AHEAD];
        UNROLLED
        for (i32 l = 0; l < AHEAD; l++)
            ahead[l] = a[l * STRIDE];
        BARRIER();
        if (waits)
            rest = trsv_behind(rest, ahead, a, (LOCAL_PTR const TQ *)(known + s));
    }
}
#else
DEVICE void trsv_solve(trsv_data d, i64 start, T rest, LOCAL_PTR const T *block,
                       LOCAL_PTR const T *inverse, LOCAL_PTR T *known, GLOBAL T *x,
                       GLOBAL volatile word *solved)
{
    const i32 i = ITEM_X;
    ROLLED
    for (i32 s = 0; s < NB; s += STEP) {
        if (i >= s && i < s + STEP)
            known[i] = rest;
        BARRIER();
        if (i >= s && i < NB) {
            T found[STEP];
            UNROLLED
            for (i32 q = 0; q < STEP / QUICK; q++) {
                const TQ t = ((LOCAL_PTR const TQ *)known)[s / QUICK + q];
                UNROLLED
                for (i32 k = 0; k < QUICK; k++)
                    found[q * QUICK + k] = t.v[k];
            }
            rest = trsv_step(found, rest, i, s, block, inverse);
            if (i < s + STEP)
                trsv_leave(d, start, i, T_mul(rest, inverse[i]), x, solved);
        }
    }
}
#endif

KERNEL(trsv, ITEMS, 1, 1)
(GLOBAL const T *RESTRICT A, GLOBAL T *x, GLOBAL volatile word *solved, GLOBAL i32 *counter,
 trsv_args a)
{
    LOCAL_ROOM(TQ, room, ROOM / QUICK);
    LOCAL i32 drawn[1];
    BEGIN();
    LOCAL_PTR T *block = (LOCAL_PTR T *)room, *inverse = block + KEPT, *known = inverse + NB,
                *parts = known + NB;
    trsv_data d;
    d.A = A;
    d.a = a;
    d.backward = (a.upper != 0) != TRANS;
    ROLLED
    for (;;) {
        BARRIER(); /* the ticket before and local memory may still be read */
        if (ITEM_X == 0)
            drawn[0] = TICKET(counter);
        BARRIER();
        const i64 ticket = drawn[0], start = trsv_start(d, ticket);
        if (ticket >= a.blocks) {
            if (ticket == a.blocks + GROUPS_X - 1 && ITEM_X == 0)
                counter[0] = 0;
            break;
        }
        const i64 row = start + trsv_turn(d, ITEM_X);
        T rest = ITEM_X < NB && row >= 0 && row < a.n ? x[row * a.incx] : T_make(0, 0);
        trsv_take_diagonal(d, start, block, inverse);
        BARRIER();
        trsv_invert(inverse);
        trsv_put_sums(trsv_gather(d, solved, ticket), parts);
        BARRIER();
        if (ITEM_X < NB)
            rest = T_fma_real(-1, trsv_take_sum(parts, trsv_turn(d, ITEM_X)), rest);
        trsv_solve(d, start, rest, block, inverse, known, x, solved);
        if (a.set_back && ticket == a.blocks - 1)
            trsv_set_back(d, solved);
    }
}

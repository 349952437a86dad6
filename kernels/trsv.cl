/* trsv.cl: x := op(A)^-1 x, A triangular: substitution, block by block, in one launch
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A group draws a block of NB rows of op(A) x = b by a ticket. It goes over the tiles between the start
 * and the diagonal, in order, adding them times the pieces of x that groups leave in `solved` (trsv.h). The
 * next tile is always under way before x is waited for, so between a piece of x and the next lies no load
 * of A. Then it solves its diagonal block, which has been in local memory since the block was drawn, STEP
 * rows at a time: every lane solves for these rows by itself and takes them out of its own row. What is
 * solved is left in `solved` at once.
 *
 * Tickets are drawn in order, so a group waits only for groups that run: no number of groups, and no order
 * in which they start, can block it; with one group nothing waits. Groups behind the front look at rows
 * half way to it, not all at the newest one, whose memory would be a hot spot.
 *
 * Sums are in order of blocks whatever comes first, so results do not depend on timing. The counter of
 * tickets is 0 before and after: the group that draws the last ticket of all resets it. Geometry: any number
 * of groups of ITEMS work-items. Macros: trsv.h; CONJ 0 or 1. Barriers: all work-items of a group have its blocks.
 */
#include "trsv.h"

#define OWN   ((NB + ITEMS - 1) / ITEMS) /* rows of the diagonal block a lane */
#define QUICK (16 / (i32)sizeof(T))      /* elements a load from local memory */

typedef struct ALIGNED(16) TQ {
    T v[QUICK];
} TQ;

/* The squares of STEP along the diagonal once more, where they are loaded quickly, with the reciprocals. */
DEVICE void trsv_make_squares(LOCAL_PTR const T *block, LOCAL_PTR const T *inverse,
                              LOCAL_PTR T *squares)
{
    ROLLED
    for (i32 e = LANE_X; e < NB * STEP; e += ITEMS) {
        const i32 j = e / STEP, i = j / STEP * STEP + e % STEP;
        if (i >= j)
            squares[e] = i == j ? inverse[i] : block[trsv_at(i, j)];
    }
}

/* The sums of a block over the tiles before its diagonal. All work-items must come. */
DEVICE trsv_sums trsv_gather(trsv_data d, GLOBAL const volatile word *solved, i64 block)
{
    const i64 here = trsv_start(d, block);
    trsv_sums sums;
    UNROLLED
    for (i32 s = 0; s < SUMS; s++)
        sums.v[s] = T_make(0, 0);
    if (block == 0)
        return sums;
    /* Of the blocks drawn before this one all but GROUPS_X - 1 are solved. */
    i64 open = block - (GROUPS_X - 1);
    i64 start = trsv_start(d, 0);
    trsv_tile tile = trsv_load(d, TRANS ? start : here, TRANS ? here : start);
    trsv_terms x = trsv_peek(d, solved, start);
    ROLLED
    for (i64 b = 0; b < block; b++) {
        const trsv_tile now = tile;
        const trsv_terms early = x;
        const i64 from = start;
        if (b + 1 < block) {
            start = trsv_start(d, b + 1);
            tile = trsv_load(d, TRANS ? start : here, TRANS ? here : start);
            x = trsv_peek(d, solved, start);
        }
        if (b >= open && b + 1 < block) {
            open = b + (block - 1 - b) / 2; /* the last block to look for now */
            trsv_gate(d, solved, open++);
        }
        sums = trsv_multiply(now, trsv_await(d, solved, from, early), sums);
    }
    return sums;
}

/* Solves with the diagonal block; rest is what is left of the right-hand sides of the lane's rows. All
 * work-items must come. */
DEVICE void trsv_solve(trsv_data d, i64 start, T *rest, LOCAL_PTR const T *block,
                       LOCAL_PTR const TQ *squares, LOCAL_PTR TQ *front, GLOBAL T *x,
                       GLOBAL volatile word *solved)
{
    enum { QUICKS = STEP / QUICK };
    ROLLED
    for (i32 s = 0; s < NB; s += STEP) {
        TQ square[STEP][QUICKS];
        UNROLLED
        for (i32 l = 0; l < STEP; l++) {
            UNROLLED
            for (i32 q = l / QUICK; q < QUICKS; q++)
                square[l][q] = squares[(s + l) * QUICKS + q];
        }
        LOCAL_PTR TQ *shared = front + s / STEP % 2 * QUICKS;
        UNROLLED
        for (i32 o = 0; o < OWN; o++) {
            const i32 i = LANE_X + o * ITEMS;
            if (i >= s && i < s + STEP)
                ((LOCAL_PTR T *)shared)[i - s] = rest[o];
        }
        BARRIER();
        T found[STEP];
        UNROLLED
        for (i32 q = 0; q < QUICKS; q++) {
            const TQ t = shared[q];
            UNROLLED
            for (i32 k = 0; k < QUICK; k++)
                found[q * QUICK + k] = t.v[k];
        }
        UNROLLED
        for (i32 k = 0; k < STEP; k++) {
            UNROLLED
            for (i32 l = 0; l < k; l++)
                found[k] = T_fma(square[l][k / QUICK].v[k % QUICK], found[l], found[k]);
            found[k] = T_mul(found[k], square[k][k / QUICK].v[k % QUICK]);
        }
        UNROLLED
        for (i32 o = 0; o < OWN; o++) {
            const i32 i = LANE_X + o * ITEMS;
            const i64 row = start + trsv_turn(d, i);
            if (i >= s + STEP && i < NB) {
                UNROLLED
                for (i32 k = 0; k < STEP; k++)
                    rest[o] = T_fma(block[trsv_at(i, s + k)], found[k], rest[o]);
            } else if (i >= s && i < s + STEP && row >= 0 && row < d.a.n) {
                T mine = found[0];
                UNROLLED
                for (i32 k = 1; k < STEP; k++)
                    mine = i == s + k ? found[k] : mine;
                trsv_publish(solved, row, mine);
                x[row * d.a.incx] = mine;
            }
        }
    }
}

KERNEL(trsv, ITEMS, 1, 1)
(GLOBAL const T *RESTRICT A, GLOBAL T *x, GLOBAL volatile word *solved, GLOBAL i32 *counter,
 trsv_args a)
{
    LOCAL T block[TRIANGLE];
    LOCAL T inverse[NB];
    LOCAL TQ squares[NB * STEP / QUICK];
    LOCAL TQ front[2 * STEP / QUICK];
    LOCAL T parts[LEFT * NB];
    LOCAL i32 drawn[1];
    trsv_data d;
    d.A = A;
    d.a = a;
    d.backward = (a.upper != 0) != TRANS;
    ROLLED
    for (;;) {
        BARRIER(); /* the ticket before may still be read */
        if (LANE_X == 0)
            drawn[0] = TICKET(counter);
        BARRIER();
        const i64 ticket = drawn[0], start = trsv_start(d, ticket);
        if (ticket >= a.blocks) {
            if (ticket == a.blocks + GROUPS_X - 1 && LANE_X == 0)
                counter[0] = 0;
            break;
        }
        T rest[OWN];
        UNROLLED
        for (i32 o = 0; o < OWN; o++) {
            const i64 row = start + trsv_turn(d, LANE_X + o * ITEMS);
            rest[o] =
                LANE_X + o * ITEMS < NB && row >= 0 && row < a.n ? x[row * a.incx] : T_make(0, 0);
        }
        trsv_take_diagonal(d, start, block, inverse);
        BARRIER();
        trsv_make_squares(block, inverse, (LOCAL_PTR T *)squares);
        trsv_put_sums(trsv_gather(d, solved, ticket), parts);
        BARRIER();
        UNROLLED
        for (i32 o = 0; o < OWN; o++) {
            const i32 i = LANE_X + o * ITEMS;
            if (i < NB)
                rest[o] = T_fma_real(-1, trsv_take_sum(parts, trsv_turn(d, i)), rest[o]);
        }
        trsv_solve(d, start, rest, block, squares, front, x, solved);
    }
}

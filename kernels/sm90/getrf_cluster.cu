/* getrf_cluster.cu: P A = L U for at most NB columns from the diagonal down, in place, by one
 * cluster of groups
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * As in getrf_grid.cl a work-item has one row and keeps it in registers; rows never move, and an
 * exchange swaps the places of two rows (`at`). For each column the best element of a warp is found
 * by reductions of the warp, that of a group through shared memory. The warp that has it writes
 * (pushes) its size and its row into the shared memory of all groups of the cluster. Behind a
 * barrier of the cluster every warp picks the best of at most 16 for itself, and reads its row,
 * which is a row of U, from its own group's shared memory.
 *
 * The way from one barrier to the next is what a column costs, so the row of U that was found for a
 * column is applied to the next one only. The other columns lag behind by one: they are brought up
 * to date between the arrival at the next barrier and the wait for it. A row that is pushed before
 * is brought up to date by the lanes that push it.
 *
 * One barrier of the cluster per column is enough, because pushes have three places that are taken
 * in turn. What was pushed for column j is read behind barrier j, the last time by a work-item that
 * has arrived at barrier j + 1 and does not wait yet; so it was read before the work-item arrives
 * at barrier j + 2. Who writes the place again, for column j + 3, has passed that barrier. With two
 * places it would have passed barrier j + 1 only. The barrier at the begin makes sure that a group
 * has started before others write to it. None is needed at the end: the last push comes before the
 * barrier of the last column, which all groups wait for.
 *
 * The column at work is row[0]. Rows turn by one element with each column, so that the registers of
 * a loop over columns are known. Every BODY columns the loop is a new one with BODY elements fewer:
 * those behind stay where they are.
 *
 * ipiv, state and info: getrf_group.cl. Geometry: one cluster of 1, 2, 4, 8 or 16 groups of ITEMS
 * work-items, as many work-items as rows, or more; ROOM_BYTES of shared memory. Macros: ITEMS, a
 * multiple of 32; NB, a multiple of BODY. Barriers: all work-items reach all of them.
 */
#if !defined(ITEMS) || !defined(NB)
#error "getrf_cluster needs ITEMS and NB"
#endif
#include "cluster.cuh"
#include "getrf_args.h"
#include "pivot.h"

#define BODY   8
#define MOST   16 /* groups of a cluster */
#define PLACES 3
#define WARPS  (ITEMS / 32)

/* Shared memory: three places for what groups push, the best of each warp of this group, and the
 * row of the best one. An offer is the size of an element and its row's place. */
#define OFFER_BYTES 16
#define ROW_BYTES   (NB * (i32)sizeof(T))
#define PLACE_BYTES (MOST * (OFFER_BYTES + ROW_BYTES))
#define OFFERS_AT   (PLACES * PLACE_BYTES)
#define KEPT_AT     (OFFERS_AT + WARPS * OFFER_BYTES)
#define ROOM_BYTES  (KEPT_AT + ROW_BYTES + 2 * (i32)sizeof(T))

/* Elements in 16 bytes. */
#define PER_WORD (16 / (i32)sizeof(T))

/* Lanes come to the barrier of the cluster as one, whichever way they went before. */
DEVICE void arrive(void)
{
    WARP_BARRIER();
    CLUSTER_ARRIVE();
}
DEVICE void await(void)
{
    WARP_BARRIER();
    CLUSTER_WAIT();
}

/* The size of an element, larger as a number of two words where it is larger: 0 where there is
 * none, or it loses to all others. */
typedef struct rank_t {
    u32 high, low;
} rank_t;

DEVICE rank_t rank_of(T t, i32 at, i32 diagonal)
{
    const R size = pivot_size(t, at, diagonal);
    rank_t rank;
#if PREC % 2
    rank.high = size < 0 ? 0 : HIGH_WORD(size) | 0x80000000u; /* -0 counts as 0 */
    rank.low = size < 0 ? 0 : LOW_WORD(size);
#else
    rank.high = size < 0 ? 0 : FLOAT_WORD(size) | 0x80000000u;
    rank.low = 0;
#endif
    return rank;
}

/* The lane with the best element of its warp, of equal ones that with the first place. Places
 * differ. In most columns the upper words already tell. */
DEVICE i32 best_lane(rank_t mine, u32 at)
{
    i32 best = mine.high == LANES_MAX(mine.high);
    u32 lanes = LANES_WITH(best);
    if ((lanes & (lanes - 1)) != 0) {
        const u32 low = LANES_MAX(best ? mine.low : 0); /* all lanes come */
        best = best && mine.low == low;
        const u32 first = LANES_MIN(best ? at : 0xffffffffu);
        lanes = LANES_WITH(best && at == first);
    }
    return FIRST_LANE(lanes);
}

/* The same of `count` offers, at most 32. */
DEVICE i32 best_offer(PLACE offers, i32 count)
{
    const i32 lane = ITEM_X % 32;
    f64 size = 0, at = OF_WORDS(0, 0xffffffffu);
    rank_t rank;
    if (lane < count)
        LOAD_2D(&size, &at, offers + (PLACE)(lane * OFFER_BYTES));
    rank.high = HIGH_WORD(size);
    rank.low = LOW_WORD(size);
    return best_lane(rank, LOW_WORD(at));
}

/* What is missing in all elements of a row but the first: `times` the row of U that starts at
 * `up`, in bytes of shared memory. `active` is 0 where nothing is. */
typedef struct lag_t {
    T times;
    i32 active, up;
} lag_t;

/* A power of two, and no less than a number of words, at most 32. */
DEVICE i32 lanes_for(const i32 words)
{
    return words > 16 ? 32 : words > 8 ? 16 : words > 4 ? 8 : words > 2 ? 4 : 2;
}

DEVICE void load_word(T *x, PLACE at)
{
#if PREC == 0
    LOAD_4S(x, at);
#elif PREC == 1
    LOAD_2D(&x[0], &x[1], at);
#elif PREC == 2
    float v[4];
    LOAD_4S(v, at);
    x[0] = T_make(v[0], v[1]);
    x[1] = T_make(v[2], v[3]);
#else
    LOAD_2D(&x[0].re, &x[0].im, at);
#endif
}

DEVICE void push_word(PLACE at, const T *x)
{
#if PREC == 0
    STORE_PEER_4S(at, x);
#elif PREC == 1
    STORE_PEER_2D(at, x[0], x[1]);
#elif PREC == 2
    const float v[4] = {x[0].re, x[0].im, x[1].re, x[1].im};
    STORE_PEER_4S(at, v);
#else
    STORE_PEER_2D(at, x[0].re, x[0].im);
#endif
}

/* The best element of this group and its row to all groups, by the warp that has it. `wide`: so
 * many elements of the row. They go through shared memory and are brought up to date on the way.
 * Each lane has one word of the row, and some of the groups. */
DEVICE void push_best(const T *row, const i32 wide, rank_t rank, i32 at, lag_t lag, char *room,
                      i32 place)
{
    const i32 lane = ITEM_X % 32, warp = ITEM_X / 32, best = best_lane(rank, (u32)at);
    const i32 words = wide / PER_WORD, lanes = lanes_for(words), word = lane % lanes;
    const PLACE first = PLACE_OF(room), offers = first + OFFERS_AT;
    const PLACE to = first + (PLACE)place;
    T *const kept = (T *)(room + KEPT_AT);
    f64 size, its_at;
    if (lane == best)
        STORE_2D(offers + (PLACE)(warp * OFFER_BYTES), OF_WORDS(rank.high, rank.low),
                 OF_WORDS(0, (u32)at));
    BARRIER();
    if (WARPS > 1 && best_offer(offers, WARPS) != warp)
        return;
    LOAD_2D(&size, &its_at, offers + (PLACE)(warp * OFFER_BYTES));
    if (lane == best) {
        UNROLLED
        for (i32 c = 0; c < wide; c++)
            kept[c] = row[c];
        kept[NB] = lag.times;
        kept[NB + 1] = T_make(lag.active ? 1.0 : 0.0, 0);
    }
    WARP_BARRIER();
    const T *const up = (const T *)(room + lag.up), times = kept[NB];
    const i32 active = !T_is_zero(kept[NB + 1]), rank_here = CLUSTER_RANK();
    T x[PER_WORD];
    UNROLLED
    for (i32 i = 0; i < PER_WORD; i++) {
        const i32 c = word * PER_WORD + i;
        x[i] = T_make(0, 0);
        if (word < words)
            x[i] = kept[c];
        if (active && c > 0 && c + 1 < NB)
            x[i] = T_fma(times, up[c + 1], x[i]);
    }
    if (lane < GROUPS_X)
        STORE_PEER_2D(PEER_PLACE(to + (PLACE)(rank_here * OFFER_BYTES), lane), size, its_at);
    if (HIGH_WORD(size) == 0 || word >= words) /* such an element is not the pivot */
        return;
    ROLLED
    for (i32 peer = lane / lanes; peer < GROUPS_X; peer += 32 / lanes)
        push_word(
            PEER_PLACE(to + (PLACE)(MOST * OFFER_BYTES + rank_here * ROW_BYTES + word * 16), peer),
            x);
}

/* The row turns by one element, and what was missing in it is done. `wide`: how many elements turn;
 * the last `done` of them are final. The last one becomes free. */
DEVICE void turn_row(T *row, const i32 wide, i32 done, lag_t lag, PLACE room)
{
    if (lag.active) {
        T up[PER_WORD];
        UNROLLED
        for (i32 c = 1; c < wide; c++) {
            if ((c + 1) % PER_WORD == 0 || c == 1)
                load_word(up, room + (PLACE)(lag.up + (c + 1) / PER_WORD * 16));
            row[c - 1] = c <= wide - BODY || c < wide - done
                             ? T_fma(lag.times, up[(c + 1) % PER_WORD], row[c])
                             : row[c];
        }
    } else {
        UNROLLED
        for (i32 c = 1; c < wide; c++)
            row[c - 1] = row[c];
    }
}

KERNEL(getrf_cluster, ITEMS, 1, 1)
(GLOBAL T *A, GLOBAL i64 *RESTRICT ipiv, GLOBAL i64 *RESTRICT state, GLOBAL i64 *RESTRICT info,
 getrf_args a)
{
    LOCAL_ROOM(char, room, ROOM_BYTES);
    BEGIN();
    arrive();
    const i32 m = (i32)a.m, most = a.m < a.n ? m : (i32)a.n, own = (i32)GROUP_X * ITEMS + ITEM_X;
    const i64 before = a.before > 0 ? *state : 0;
    const PLACE first = PLACE_OF(room);
    i64 failed = before;
    i32 at = own, place = 0, mine = 0; /* the pivot of column `own` */
    lag_t lag = {T_make(0, 0), 0, 0};
    T row[NB];
    UNROLLED
    for (i32 c = 0; c < NB; c++) {
        row[c] = T_make(0, 0);
        if (own < m && c < a.n)
            row[c] = A[own + c * a.lda];
    }
    await();
    UNROLLED
    for (i32 b = 0; b < NB / BODY; b++) {
        const i32 wide = NB - b * BODY;
        ROLLED
        for (i32 t = 0; t < BODY; t++) {
            const i32 j = b * BODY + t;
            T left = row[0];
            if (j < most) {
                rank_t rank = {0, 0};
                if (at >= j && at < m)
                    rank = rank_of(left, at, j);
                push_best(row, wide, rank, at, lag, room, place);
                arrive();
            }
            turn_row(row, wide, t, lag, first);
            lag.active = 0;
            if (j < most) {
                await();
                const PLACE offers = first + (PLACE)place;
                const i32 best = best_offer(offers, (i32)GROUPS_X);
                f64 size, its_at;
                LOAD_2D(&size, &its_at, offers + (PLACE)(best * OFFER_BYTES));
                lag.up = place + MOST * OFFER_BYTES + best * ROW_BYTES;
                const T *const up = (const T *)(room + lag.up), pivot = up[0];
                const i32 p = (i32)LOW_WORD(its_at), zero = T_is_zero(pivot);
                if (zero && failed == 0)
                    failed = a.before + j + 1;
                mine = own == j ? p : mine; /* a store would delay the next arrival */
                at = at == p ? j : at == j ? p : at;
                lag.active = at > j && at < m;
                if (lag.active && !zero)
                    left = divided(left, divisor_of(pivot));
                lag.times = T_neg(left);
                if (lag.active && j + 1 < NB)
                    row[0] = T_fma(lag.times, up[1], row[0]);
            }
            row[wide - 1] = left;
            place = place + PLACE_BYTES < PLACES * PLACE_BYTES ? place + PLACE_BYTES : 0;
        }
    }
    UNROLLED
    for (i32 c = 0; c < NB; c++)
        if (own < m && c < a.n)
            A[at + c * a.lda] = row[NB - BODY - c / BODY * BODY + c % BODY];
    if (own < most)
        ipiv[own] = a.before + mine + 1;
    if (own == 0 && (a.before == 0 || failed != before)) {
        *state = failed;
        *info = failed;
    }
}

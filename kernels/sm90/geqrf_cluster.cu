/* geqrf_cluster.cu: A = Q R for at most NB columns, by the groups of one cluster
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The method is that of geqrf_grid.cl: the products of column j below the diagonal with all
 * columns, itself among them, give its norm, and with it the products of its reflector. Here the
 * matrix stays in registers, and sums travel between the groups' shared memories.
 *
 * A warp has TILE rows of all NB columns. Four neighbouring lanes share ROWS rows: each has every
 * fourth column of them, so that a sum over the rows of a warp takes few exchanges. The column at
 * work is row[.][0] of one of the four lanes: columns turn by one element after every fourth, so
 * that the registers of a loop over columns are known. Behind column NB - 1 stand the vectors
 * before.
 *
 * A column: every warp leaves its sums in shared memory; barrier of the group; the first warp adds
 * them, sends them to all groups of the cluster, group 0 with row j, and waits until those of all
 * groups have come, which an mbarrier counts in bytes. It adds them in the order of the groups, so
 * all groups know the same reflector. Barrier of the group; every warp updates its rows. Meanwhile
 * the second warp of group 0 makes T.
 *
 * What is sent has two places, taken in turn, each with its mbarrier. Who sends to one again has
 * received all sums of the exchange between. Those were sent behind the wait for the place's last
 * ones: they have been read, and the mbarrier has gone on to its next phase.
 *
 * Where the norm of x or a product is not safe to be squared, all groups see that in the same sums,
 * and all make two more exchanges: squares that cannot overflow or underflow (reflector.h), then
 * the products of v itself.
 *
 * V and T: geqrf_leaf.cl. Geometry: one cluster of at most GEQRF_MOST_GROUPS groups of ITEMS
 * work-items, with a warp for every TILE rows, or more; the launch gives GEQRF_CLUSTER_BYTES.
 * Macros: ITEMS, at least 64; NB, 8, 16 or 32; ROWS, NB / 8 or more. Barriers: all work-items reach
 * all of them.
 */
#if !defined(ITEMS) || !defined(NB) || !defined(ROWS)
#error "geqrf_cluster needs ITEMS, NB and ROWS"
#endif
#define WX ITEMS
#include "cluster.cuh"
#include "geqrf_args.h"
#include "reflector.h"
#include "lanes.h"

#define ACROSS      4             /* lanes of a row */
#define DOWN        (32 / ACROSS) /* lanes of a column */
#define OWN         (NB / ACROSS) /* columns of a lane */
#define TILE        (DOWN * ROWS) /* rows of a warp; rows of R are all in the first one */
#define WARPS       (ITEMS / 32)  /* of a group */
#define ALIKE       (DOWN / OWN)  /* lanes that end with the same sum */
#define PLACE_BYTES ((GEQRF_MOST_GROUPS + 1) * NB * (i32)sizeof(T)) /* sums of groups, then row j */

/* Squares and products between these lost nothing that counts. */
#if PREC == 0 || PREC == 2
#define SAFE_FROM 0x1p-80f
#define SAFE_TO   0x1p120f
#else
#define SAFE_FROM 0x1p-800
#define SAFE_TO   0x1p1000
#endif

/* The group's shared memory. */
typedef struct leaf_room {
    u64 mbarriers[2];
    T places[2 * (GEQRF_MOST_GROUPS + 1) * NB]; /* which other groups write */
    T shares[WARPS * NB];                       /* sums of warps */
    T top[NB], factor[NB], products[2 * NB], t[NB * NB];
    T taus[2], alpha[2];
    reflector known;
    sum_t scratch[GROUP_SCRATCH];
    i32 safe;
} leaf_room;
typedef char
    leaf_room_fits[sizeof(leaf_room) <= GEQRF_CLUSTER_BYTES(ITEMS, NB, sizeof(T)) ? 1 : -1];

/* ---- Rows ---- */

/* The column of row[.][c] after so many turns. */
DEVICE i32 column_of(i32 c, i32 turns)
{
    return (c + turns) % OWN * ACROSS + ITEM_X % ACROSS;
}

DEVICE i32 row_of(i32 first, i32 r)
{
    return first + r * DOWN + ITEM_X % 32 / ACROSS;
}

DEVICE void rows_load(T row[ROWS][OWN], GLOBAL const T *A, geqrf_args a, i32 first)
{
    UNROLLED
    for (i32 r = 0; r < ROWS; r++) {
        const i32 i = row_of(first, r);
        UNROLLED
        for (i32 c = 0; c < OWN; c++) {
            const i32 k = column_of(c, 0);
            row[r][c] = T_make(0, 0);
            if (i < a.m && k < a.n)
                row[r][c] = A[i + k * a.lda];
        }
    }
}

DEVICE void rows_store(T row[ROWS][OWN], GLOBAL T *A, GLOBAL T *V, geqrf_args a, i32 first)
{
    const i32 turns = (i32)a.n / ACROSS;
    UNROLLED
    for (i32 r = 0; r < ROWS; r++) {
        const i32 i = row_of(first, r);
        UNROLLED
        for (i32 c = 0; c < OWN; c++) {
            const i32 k = column_of(c, turns);
            if (i < a.m && k < a.n) {
                A[i + k * a.lda] = row[r][c];
                V[a.above + i + k * a.ldv] = i > k ? row[r][c] : T_make(i == k, 0);
            }
        }
    }
}

/* x: column j of the lane's rows below the diagonal, zeros elsewhere. */
DEVICE void column_take(T *x, T row[ROWS][OWN], i32 first, i32 j)
{
    const i32 from = ITEM_X % 32 / ACROSS * ACROSS + j % ACROSS;
    UNROLLED
    for (i32 r = 0; r < ROWS; r++) {
        x[r] = T_shuffle(row[r][0], from);
        if (first == 0 && row_of(0, r) <= j)
            x[r] = T_make(0, 0);
    }
}

/* Row j, by the warp that has it. */
DEVICE void top_leave(LOCAL_PTR T *top, T row[ROWS][OWN], i32 j)
{
    UNROLLED
    for (i32 r = 0; r < ROWS; r++) {
        if (row_of(0, r) == j) {
            UNROLLED
            for (i32 c = 0; c < OWN; c++)
                top[column_of(c, j / ACROSS)] = row[r][c];
        }
    }
}

/* Column j becomes beta and v; those behind it are updated. AT_TOP: the warp has rows above the
 * diagonal, which stay as they are. */
DEVICE void rows_update(T row[ROWS][OWN], const T *x, i32 j, reflector h, LOCAL_PTR const T *factor,
                        const i32 at_top)
{
    const i32 turns = j / ACROSS, across = ITEM_X % ACROSS;
    T v[ROWS];
    UNROLLED
    for (i32 r = 0; r < ROWS; r++) {
        v[r] = reflector_element(h, x[r]);
        if (at_top && row_of(0, r) == j)
            v[r] = T_make(1, 0);
    }
    UNROLLED
    for (i32 c = 0; c < OWN; c++) {
        if (c < OWN - turns) {
            const T f = factor[column_of(c, turns)];
            UNROLLED
            for (i32 r = 0; r < ROWS; r++) {
                const i32 changes =
                    (c > 0 || across > j % ACROSS) && (!at_top || row_of(0, r) >= j);
                row[r][c] = changes ? T_fma(v[r], f, row[r][c]) : row[r][c];
            }
        }
    }
    if (across == j % ACROSS) {
        UNROLLED
        for (i32 r = 0; r < ROWS; r++) {
            if (!at_top || row_of(0, r) > j)
                row[r][0] = v[r];
            else if (row_of(0, r) == j)
                row[r][0] = T_make(h.beta, 0);
        }
    }
}

/* Behind every fourth column the next one takes the place of the first. */
DEVICE void rows_turn(T row[ROWS][OWN])
{
    UNROLLED
    for (i32 r = 0; r < ROWS; r++) {
        const T first = row[r][0];
        UNROLLED
        for (i32 c = 0; c + 1 < OWN; c++)
            row[r][c] = row[r][c + 1];
        row[r][OWN - 1] = first;
    }
}

/* ---- Sums ---- */

/* The warp's products of x with all columns to their share. */
DEVICE void leave_products(const T *x, T row[ROWS][OWN], i32 j, LOCAL_PTR T *shares)
{
    const i32 lane = ITEM_X % 32;
    T sums[OWN];
    UNROLLED
    for (i32 c = 0; c < OWN; c++) {
        sums[c] = T_mul(T_conj(x[0]), row[0][c]);
        UNROLLED
        for (i32 r = 1; r < ROWS; r++)
            sums[c] = T_fma(T_conj(x[r]), row[r][c], sums[c]);
    }
    UNROLLED
    for (i32 distance = 16; distance >= ACROSS; distance /= 2) {
        const i32 upper = (lane & distance) != 0, half = OWN * distance / 32;
        if (half == 0)
            sums[0] = T_add(sums[0], T_shuffle_xor(sums[0], distance));
        UNROLLED
        for (i32 k = 0; k < OWN / 2; k++)
            if (k < half) {
                const T given = upper ? sums[k] : sums[k + half],
                        own = upper ? sums[k + half] : sums[k];
                sums[k] = T_add(own, T_shuffle_xor(given, distance));
            }
    }
    if (lane / ACROSS % ALIKE == 0)
        shares[ITEM_X / 32 * NB + column_of(lane / ACROSS / ALIKE, j / ACROSS)] = sums[0];
}

DEVICE void send(PLACE to, T x, PLACE mbarrier)
{
#if PREC == 0
    SEND_PEER_1S(to, x, mbarrier);
#elif PREC == 1
    SEND_PEER_1D(to, x, mbarrier);
#elif PREC == 2
    SEND_PEER_1S(to, x.re, mbarrier);
    SEND_PEER_1S(to + 4, x.im, mbarrier);
#else
    SEND_PEER_1D(to, x.re, mbarrier);
    SEND_PEER_1D(to + 8, x.im, mbarrier);
#endif
}

/* Of the two places, the one of this exchange. */
DEVICE PLACE offset_now(i32 passed)
{
    return (PLACE)(passed % 2 * PLACE_BYTES);
}

/* What has been sent of an exchange to this group, once `bytes` have come. By the first warp. */
DEVICE const char *received(leaf_room *room, i32 passed, i32 bytes)
{
    const i32 place = passed % 2;
    if (ITEM_X == 0)
        MBARRIER_EXPECT(PLACE_OF(room->mbarriers) + 8 * place, bytes);
    MBARRIER_WAIT(PLACE_OF(room->mbarriers) + 8 * place, (u32)(passed / 2 % 2));
    return (const char *)room->places + offset_now(passed);
}

/* The sums over all groups of column ITEM_X % NB, and its element of row j. By the first warp. */
DEVICE void exchange_products(leaf_room *room, i32 passed, T *total, T *above)
{
    const i32 k = ITEM_X % NB, rank = CLUSTER_RANK();
    const PLACE place = PLACE_OF(room->places) + offset_now(passed),
                mbarrier = PLACE_OF(room->mbarriers) + 8 * (passed % 2);
    T sums[2];
    sums[0] = room->shares[k];
    sums[1] = room->shares[NB + k];
    UNROLLED
    for (i32 w = 2; w < WARPS; w++)
        sums[w % 2] = T_add(sums[w % 2], room->shares[w * NB + k]);
    sums[0] = T_add(sums[0], sums[1]);
    if ((i32)GROUPS_X == 1) { /* a launch without clusters cannot send */
        *total = sums[0];
        *above = room->top[k];
        return;
    }
    if (ITEM_X < NB) {
        ROLLED
        for (i32 g = 0; g < (i32)GROUPS_X; g++) {
            const PLACE peer = PEER_PLACE(place, g), told = PEER_PLACE(mbarrier, g);
            send(peer + (PLACE)((rank * NB + k) * (i32)sizeof(T)), sums[0], told);
            if (rank == 0)
                send(peer + (PLACE)((GEQRF_MOST_GROUPS * NB + k) * (i32)sizeof(T)), room->top[k],
                     told);
        }
    }
    const T *all = (const T *)received(room, passed, ((i32)GROUPS_X + 1) * NB * (i32)sizeof(T));
    sums[0] = all[k];
    sums[1] = T_make(0, 0);
    UNROLLED
    for (i32 g = 1; g < GEQRF_MOST_GROUPS; g++)
        if (g < (i32)GROUPS_X)
            sums[g % 2] = T_add(sums[g % 2], all[g * NB + k]);
    *total = T_add(sums[0], sums[1]);
    *above = all[GEQRF_MOST_GROUPS * NB + k];
}

/* The sum of squares over all groups. By the first warp; `own` is valid in lane 0. */
DEVICE sum_t exchange_squares(leaf_room *room, i32 passed, sum_t own)
{
    const PLACE place = PLACE_OF(room->places) + offset_now(passed),
                mbarrier = PLACE_OF(room->mbarriers) + 8 * (passed % 2);
    const i32 rank = CLUSTER_RANK();
    if ((i32)GROUPS_X == 1)
        return own;
    if (ITEM_X == 0) {
        ROLLED
        for (i32 g = 0; g < (i32)GROUPS_X; g++) {
            UNROLLED
            for (i32 k = 0; k < SUM_N; k++)
                SEND_PEER_1D(PEER_PLACE(place, g) + (PLACE)((rank * SUM_N + k) * 8), own.v[k],
                             PEER_PLACE(mbarrier, g));
        }
    }
    const f64 *all = (const f64 *)received(room, passed, (i32)GROUPS_X * SUM_N * 8);
    sum_t sum = {{0}};
    ROLLED
    for (i32 g = 0; g < (i32)GROUPS_X; g++) {
        UNROLLED
        for (i32 k = 0; k < SUM_N; k++)
            sum.v[k] += all[g * SUM_N + k];
    }
    return sum;
}

/* ---- Reflectors ---- */

/* As reflector_of, of numbers whose squares are safe: beta = -size sign(re), tau = 1 - alpha/beta.
 * A reciprocal root and a reciprocal, one behind the other, take less time than a root and
 * quotients. */
DEVICE reflector reflector_plain(T alpha, f64 squares)
{
    reflector h;
    const f64 re = T_real(alpha, 0), im = T_REALS > 1 ? T_real(alpha, 1) : 0;
    f64 square = R_fma(re, re, squares);
    if (T_REALS > 1)
        square = R_fma(im, im, square);
    const f64 inverse = rsqrt(square), sign = copysign(1.0, re);
    const f64 root = square * inverse, rest = R_fma(-root, root, square),
              size = R_fma(rest * 0.5, inverse, root);
    const f64 d = R_fma(sign, size, re);
    h.beta = -sign * size;
    h.tau_re = R_fma(sign * re, inverse, 1);
    h.tau_im = h.scale_im = 0;
    h.up = 1;
    if (T_REALS > 1) {
        const f64 over = 1 / R_fma(d, d, im * im);
        h.tau_im = sign * im * inverse;
        h.scale_re = d * over;
        h.scale_im = -im * over;
    } else {
        h.scale_re = 1 / d;
    }
    return h;
}

/* What follows from the product p = v^H a of column j with column ITEM_X: a factor of one behind
 * it, or what T needs of a vector before it. */
DEVICE void use_product(T p, T tau, LOCAL_PTR T *factor, LOCAL_PTR T *products)
{
    if (ITEM_X >= NB)
        return;
    factor[ITEM_X] = T_neg(T_mul(T_conj(tau), p));
    products[ITEM_X] = p;
}

/* Column j of T, of which columns before it are known, by one warp: geqrf_leaf.cl. */
DEVICE void t_column(LOCAL_PTR T *t, i32 j, T tau, LOCAL_PTR const T *products)
{
    const i32 r = ITEM_X % 32;
    if (r >= NB)
        return;
    T sums[2];
    sums[0] = sums[1] = T_make(0, 0);
    ROLLED
    for (i32 from = 0; from < j; from += 4) {
        UNROLLED
        for (i32 k = 0; k < 4; k++) {
            const i32 c = from + k;
            if (c < j && r <= c)
                sums[k % 2] = T_fma(t[r + c * NB], T_conj(products[c]), sums[k % 2]);
        }
    }
    sums[0] = T_neg(T_mul(tau, T_add(sums[0], sums[1])));
    if (r >= j)
        sums[0] = r == j ? tau : T_make(0, 0);
    t[r + j * NB] = sums[0];
}

/* ---- The kernel ---- */

KERNEL(geqrf_cluster, ITEMS, 1, 1)
(GLOBAL T *A, GLOBAL T *RESTRICT tau, GLOBAL T *V, GLOBAL T *RESTRICT out, geqrf_args a)
{
    LOCAL_ROOM(char, bytes, GEQRF_CLUSTER_BYTES(ITEMS, NB, sizeof(T)));
    leaf_room *const room = (leaf_room *)bytes;
    const i32 warp = ITEM_X / 32;
    const i32 first = ((i32)GROUP_X * WARPS + warp) * TILE; /* row of the warp */
    i32 passed = 0;                                         /* exchanges */
    if (ITEM_X == 0) {
        MBARRIER_INIT(PLACE_OF(room->mbarriers), 1);
        MBARRIER_INIT(PLACE_OF(room->mbarriers) + 8, 1);
        MBARRIERS_READY();
    }
    WARP_BARRIER();
    CLUSTER_ARRIVE();
    BEGIN();
    T row[ROWS][OWN];
    rows_load(row, A, a, first);
    for (i64 i = GROUP_X * ITEMS + ITEM_X; i < a.above; i += GROUPS_X * ITEMS) {
        ROLLED
        for (i64 k = 0; k < a.n; k++)
            V[i + k * a.ldv] = T_make(0, 0);
    }
    WARP_BARRIER();
    CLUSTER_WAIT();
    ROLLED
    for (i32 j = 0; j < a.n; j++) {
        const T *const before = room->products + j % 2 * NB;
        T *const now = room->products + (1 - j % 2) * NB;
        T x[ROWS];
        column_take(x, row, first, j);
        leave_products(x, row, j, room->shares);
        if (first == 0)
            top_leave(room->top, row, j);
        BARRIER();
        if (warp == 0) {
            T total, above;
            exchange_products(room, passed, &total, &above);
            const T diagonal = T_shuffle(above, j), squares = T_shuffle(total, j);
            const i32 unsafe = WARP_ANY(!(T_size(total) <= SAFE_TO)) ||
                               !(T_real(squares, 0) >= SAFE_FROM) ||
                               !(T_size(diagonal) * T_size(diagonal) <= SAFE_TO);
            const reflector h = reflector_plain(diagonal, T_real(squares, 0));
            use_product(T_fma(T_make(h.scale_re, -h.scale_im), total, above), reflector_tau(h),
                        room->factor, now);
            if (ITEM_X == 0) {
                room->known = h;
                room->alpha[0] = diagonal;
                room->safe = !unsafe;
            }
        }
        if (warp == 1 && GROUP_X == 0 && j > 0)
            t_column(room->t, j - 1, room->taus[(j - 1) % 2], before);
        passed++;
        BARRIER();
        if (!room->safe) {
            sum_t s = {{0}};
            UNROLLED
            for (i32 r = 0; r < ROWS; r++) {
                UNROLLED
                for (i32 part = 0; ITEM_X % ACROSS == 0 && part < T_REALS; part++)
                    s = norm_add(s, T_real(x[r], part));
            }
            s = group_sum(s, room->scratch);
            if (warp == 0) {
                s = exchange_squares(room, passed, s);
                if (ITEM_X == 0)
                    room->known = reflector_of(room->alpha[0], s);
            }
            passed++;
            BARRIER();
            const reflector h = room->known;
            T v[ROWS];
            UNROLLED
            for (i32 r = 0; r < ROWS; r++)
                v[r] = reflector_element(h, x[r]);
            leave_products(v, row, j, room->shares);
            BARRIER();
            if (warp == 0) {
                T total, above;
                exchange_products(room, passed, &total, &above);
                use_product(T_add(total, above), reflector_tau(h), room->factor, now);
            }
            passed++;
            BARRIER();
        }
        const reflector h = room->known;
        if (ITEM_X == 0) {
            room->taus[j % 2] = reflector_tau(h);
            if (GROUP_X == 0)
                tau[j] = reflector_tau(h);
        }
        if (first == 0)
            rows_update(row, x, j, h, room->factor, 1);
        else
            rows_update(row, x, j, h, room->factor, 0);
        if (j % ACROSS == ACROSS - 1)
            rows_turn(row);
    }
    WARP_BARRIER();
    CLUSTER_ARRIVE(); /* nobody sends to a group that is gone */
    rows_store(row, A, V, a, first);
    if (GROUP_X == 0) {
        BARRIER();
        if (warp == 1)
            t_column(room->t, (i32)a.n - 1, room->taus[(a.n - 1) % 2],
                     room->products + (a.n % 2) * NB);
        BARRIER();
        ROLLED
        for (i32 i = ITEM_X; i < NB * NB; i += ITEMS)
            if (i % NB < a.n && i / NB < a.n)
                out[i % NB + i / NB * a.ldt] = room->t[i];
    }
    WARP_BARRIER();
    CLUSTER_WAIT();
}

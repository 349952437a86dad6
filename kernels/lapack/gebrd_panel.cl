/* gebrd_panel.cl: a panel of the reduction of a matrix to upper bidiagonal form
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Columns and rows p = 0, 1, ... of the panel. What is right of and below them is A - P Q with A as
 * it was before the panel, P = [V X] and Q = [Y U]^H. It is read once for each p. Two barriers of
 * all groups per column:
 *
 *   rows   A group has OWN rows at a time. It adds what the sweep left of its elements of A r. With
 *          the reflector of r, u = (1, r scale), that gives those of x, the last column of X:
 *              x = taup (A e + scale A r - P (Q u)), e the unit vector of column p
 *          then those of column p, a = (A - P Q) e, and its shares of P^H a and a^H a below row p.
 *   sweep  All groups add the shares in the same order. So all know the reflector, v = (1, a scale)
 *          and P^H v. A group has some columns. Each one gives an element of
 *              y = tauq (A - P Q)^H v  and of row p,  r = ((A - P Q)^H - y v^H) e,
 *          and is added to A r. Shares of Q r and r^H r behind column p + 1 are left.
 *
 * Products have the scale of A twice. Where they or the squares are not safe, all groups see that
 * in the same shares, and two more barriers follow: squares that neither overflow nor underflow
 * (reflector.h), then the products of v or u itself, for u with another walk over the matrix.
 *
 * P and Q have SHARES numbers in a row: an element of V or Y^H, then one of X or U^H. `counter` is
 * 0 before and after. Geometry: a cooperative launch of groups of ITEMS work-items. Macros: ITEMS:
 * at least 2 NB; NB: 2 NB is a multiple of the lanes of a team; OWN: divides ITEMS, a multiple of
 * the teams; at most half the lanes are ITEMS / OWN; 2 OWN / teams is at most the lanes; DEEP;
 * COLUMNS: at most half the lanes of a team, which run together; VEC: divides DEEP; above 1 a
 * column of A starts on 16 bytes, which VEC elements have; STAGES: at least 2; V_LOCAL, TWICE and
 * BULK: 0 or 1, one of them at most; with BULK tiles come by bulk copies, from sm_90 on: VEC
 * elements have 16 bytes, and a column of A starts there; EARLY: gebrd_bulk.h, else 0. Local
 * memory: without TWICE, LOCAL_ROOM of STAGES * ITEMS * DEEP * COLUMNS elements, ITEMS * DEEP more
 * with V_LOCAL and 2 * STAGES with BULK. Barriers: all work-items reach all of them.
 */
#if !defined(ITEMS) || !defined(NB) || !defined(OWN) || !defined(DEEP) || !defined(COLUMNS) ||     \
    !defined(VEC) || !defined(STAGES) || !defined(V_LOCAL) || !defined(TWICE) || !defined(BULK) || \
    !defined(EARLY)
#error "gebrd_panel needs ITEMS, NB, OWN, DEEP, COLUMNS, VEC, STAGES and five more: see above"
#endif
#if WARP_SIZE == 1
#error "lanes must run together"
#endif
#define WX ITEMS
#include "gebrd_panel_args.h"
#define KINDS   2            /* V and X, or Y and U */
#define SQUARES (2 * NB - 1) /* the last element of a column of X or U is none */
/* Numbers of other groups that are loaded at once: of rows, and of shares. */
#if PREC == 3
#define AHEAD 9
#else
#define AHEAD 17
#endif
#define SHARES_AHEAD (ITEMS <= 256 ? 2 * AHEAD - 1 : AHEAD)
#include "panel_shares.h"
#include "gebrd_sweep.h"
#if BULK
#include "gebrd_bulk.h"
#endif

#define THIN   (SHARES / LANES) /* numbers of a row of P that a lane has */
#define TURNS  (OWN / TEAMS)    /* rows of a team */
#define ROOM_A (TEAMS * SHARES)
#define ROOM_B (ROOM_A > EXCHANGE ? ROOM_A : EXCHANGE)
#define ROOM   (ROOM_B > ITEMS ? ROOM_B : ITEMS)

/* ---- Rows ---- */

/* What a team loads of its rows of a chunk. */
typedef struct chunk_rows {
    T thin[TURNS][THIN], a[TURNS];
} chunk_rows;

DEVICE i32 chunk_row(i32 chunk, i32 k)
{
    return chunk * OWN + TEAM + k * TEAMS;
}

/* From row `from` on: so many numbers of P, and column p of A. */
DEVICE void chunk_load(panel s, i32 from, i32 p, i32 numbers, i32 chunk, chunk_rows *c)
{
    UNROLLED
    for (i32 k = 0; k < TURNS; k++) {
        const i32 t = chunk_row(chunk, k), there = t >= from && t < s.m;
        c->a[k] = T_make(0, 0);
        if (there)
            c->a[k] = s.A[t + p * s.a.lda];
        UNROLLED
        for (i32 h = 0; h < THIN; h++) {
            c->thin[k][h] = T_make(0, 0);
            if (there && LANE + h * LANES < numbers)
                c->thin[k][h] = s.P[(i64)t * SHARES + LANE + h * LANES];
        }
    }
}

/* What groups left: the sums over all groups of what the sweep left of a chunk's rows, OWN numbers
 * for each of the work-items that share a row; and the sums of shares, as take_shares has them. A
 * group without rows has chunk -1. has_rows, has_shares: what is taken. A barrier must stand
 * between this and earlier uses of what it writes. All work-items must come. */
#if BULK
/* Numbers first, first + step, ... of `count` that groups left, so many of them at once. */
DEVICE void left_load(GLOBAL const T *left, i64 apart, i32 first, const i32 step, i32 count,
                      const i32 many, T *part)
{
    UNROLLED
    for (i32 u = 0; u < many; u++) {
        part[u] = T_make(0, 0);
        if (first + u * step < count)
            part[u] = left[(first + u * step) * apart];
    }
}

/* Their sum; the first `many` were loaded before. */
DEVICE T left_sum(GLOBAL const T *left, i64 apart, i32 first, const i32 step, i32 count,
                  const i32 many, T *part)
{
    T sum = T_make(0, 0);
    ROLLED
    for (;;) {
        UNROLLED
        for (i32 u = 0; u < many; u++)
            sum = T_add(sum, part[u]);
        first += step * many;
        if (first >= count)
            return sum;
        left_load(left, apart, first, step, count, many, part);
    }
}

/* All loads are under way at once. */
DEVICE void take_left(panel s, i32 chunk, GLOBAL const T *shares, i32 sharers, i32 p,
                      LOCAL_PTR T *added, LOCAL_PTR T *room, LOCAL_PTR T *total, LOCAL_PTR i32 *bad,
                      const i32 has_rows, const i32 has_shares)
{
    const i32 has = has_rows && chunk >= 0, t = (has ? chunk * OWN : 0) + ITEM_X % OWN,
              groups = has && t < s.m ? (i32)GROUPS_X : 0;
    const i32 place = ITEM_X % SHARES, lot = ITEM_X / SHARES, is_squares = place == SQUARES,
              counts = place < KINDS * p || is_squares, number = counts ? sharers : 0;
    T of_rows[AHEAD], of_shares[SHARES_AHEAD], sum = T_make(0, 0);
    if (has_rows)
        left_load(s.swept + t, swept_apart(s), ITEM_X / OWN, SLICES, groups, AHEAD, of_rows);
    if (has_shares)
        left_load(shares + place, SHARES, lot, LOTS, number, SHARES_AHEAD, of_shares);
    if (has_rows)
        added[ITEM_X] =
            left_sum(s.swept + t, swept_apart(s), ITEM_X / OWN, SLICES, groups, AHEAD, of_rows);
    if (has_shares) {
        sum = left_sum(shares + place, SHARES, lot, LOTS, number, SHARES_AHEAD, of_shares);
        room[ITEM_X] = sum;
    }
    BARRIER();
    if (!has_shares)
        return;
    if (ITEM_X < SHARES) {
        UNROLLED
        for (i32 l = 1; l < LOTS; l++)
            sum = T_add(sum, room[l * SHARES + ITEM_X]);
        total[ITEM_X] = sum;
        const i32 good = T_size(sum) <= SAFE_TO && (!is_squares || T_real(sum, 0) >= SAFE_FROM);
        const i32 any = WARP_ANY(counts && !good);
        if (LANE == 0)
            bad[TEAM] = any;
    }
    BARRIER();
}
#else
/* One sum behind the other: registers are short. */
DEVICE void take_left(panel s, i32 chunk, GLOBAL const T *shares, i32 sharers, i32 p,
                      LOCAL_PTR T *added, LOCAL_PTR T *room, LOCAL_PTR T *total, LOCAL_PTR i32 *bad,
                      const i32 has_rows, const i32 has_shares)
{
    if (has_rows && chunk >= 0) {
        const i32 t = chunk * OWN + ITEM_X % OWN;
        T sum = T_make(0, 0);
        ROLLED
        for (i32 first = ITEM_X / OWN; first < GROUPS_X; first += SLICES * AHEAD) {
            T part[AHEAD];
            UNROLLED
            for (i32 u = 0; u < AHEAD; u++) {
                part[u] = T_make(0, 0);
                if (t < s.m && first + u * SLICES < GROUPS_X)
                    part[u] = s.swept[(first + u * SLICES) * swept_apart(s) + t];
            }
            UNROLLED
            for (i32 u = 0; u < AHEAD; u++)
                sum = T_add(sum, part[u]);
        }
        BARRIER();
        added[ITEM_X] = sum;
        BARRIER();
    }
    if (has_shares)
        take_shares(shares, sharers, p, room, total, bad);
}
#endif

/* The rows of a chunk: the last column of X, then column p of the matrix. shares: this lane's
 * numbers of P^H a. */
DEVICE void chunk_finish(panel s, i32 p, i32 chunk, thin_known known, T tau, T scale,
                         LOCAL_PTR const T *swept, chunk_rows *c, T *shares)
{
    T pairs[2 * TURNS];
    UNROLLED
    for (i32 k = 0; k < TURNS; k++) {
        pairs[2 * k] = pairs[2 * k + 1] = T_make(0, 0);
        UNROLLED
        for (i32 h = 0; h < THIN; h++) {
            const T thin = T_neg(c->thin[k][h]);
            pairs[2 * k] = T_fma(thin, known.with[LANE + h * LANES], pairs[2 * k]);
            pairs[2 * k + 1] = T_fma(thin, known.corner[LANE + h * LANES], pairs[2 * k + 1]);
        }
        if (p > 0 && LANE < SLICES)
            pairs[2 * k] = T_fma(scale, swept[LANE * OWN + TEAM + k * TEAMS], pairs[2 * k]);
    }
    const T all = lanes_split(pairs, 2 * TURNS);
    UNROLLED
    for (i32 k = 0; k < TURNS; k++) {
        const T inner = T_shuffle(all, 2 * k * (LANES / (2 * TURNS))),
                late = T_shuffle(all, (2 * k + 1) * (LANES / (2 * TURNS)));
        const i32 t = chunk_row(chunk, k), there = t >= p && t < s.m;
        T x = T_make(0, 0), a = c->a[k];
        if (p > 0) {
            x = T_mul(tau, T_add(a, inner));
            a = T_add(T_add(a, late), T_neg(x)); /* u is 1 there */
        }
        if (LANE == 0 && there) {
            if (p > 0)
                s.P[(i64)t * SHARES + KINDS * p - 1] = x;
            s.column[t] = a;
        }
        UNROLLED
        for (i32 h = 0; h < THIN; h++) {
            const i32 q = LANE + h * LANES;
            const T with = q == SQUARES ? a : q == KINDS * p - 1 ? x : c->thin[k][h];
            if (there && t > p)
                shares[h] = T_fma(T_conj(with), a, shares[h]);
        }
    }
}

/* Leaves the lanes' shares of a group. All work-items must come. */
DEVICE void leave_lanes(GLOBAL T *to, const T *shares, LOCAL_PTR T *room)
{
    BARRIER(); /* room may still be read */
    UNROLLED
    for (i32 h = 0; h < THIN; h++)
        room[TEAM * SHARES + LANE + h * LANES] = shares[h];
    BARRIER();
    if (ITEM_X < SHARES) {
        T sum = room[ITEM_X];
        UNROLLED
        for (i32 team = 1; team < TEAMS; team++)
            sum = T_add(sum, room[team * SHARES + ITEM_X]);
        to[GROUP_X * SHARES + ITEM_X] = sum;
    }
}

/* ---- Reflectors that need another walk ---- */

/* What it needs. */
typedef struct careful {
    LOCAL_PTR sum_t *scratch;
    LOCAL_PTR reflector *known;
    GLOBAL f64 *squares;
    GLOBAL i32 *counter;
} careful;

/* From alpha and this work-item's squares. All work-items must come. */
DEVICE reflector reflector_again(careful w, T alpha, sum_t norm, i32 *passed)
{
    norm = group_sum(norm, w.scratch);
    if (ITEM_X == 0)
        sum_store(w.squares + GROUP_X * SUM_N, norm);
    arrive(w.counter, passed);
    await(w.counter, *passed);
    norm = group_sum(partials_share(w.squares, GROUPS_X), w.scratch);
    if (ITEM_X == 0)
        w.known[0] = reflector_of(alpha, norm);
    BARRIER();
    return w.known[0];
}

DEVICE sum_t squares_add(sum_t norm, T x)
{
    UNROLLED
    for (i32 part = 0; part < T_REALS; part++)
        norm = norm_add(norm, T_real(x, part));
    return norm;
}

/* Sets what a group knows: products with x times the scale, and the first element's. A barrier must
 * stand between this and earlier uses. All work-items must come. */
DEVICE void know(thin_known known, LOCAL_PTR const T *total, i32 numbers, T scale, T edge,
                 const i32 conjugated)
{
    if (ITEM_X < SHARES) {
        const T first = conjugated ? T_conj(edge) : edge;
        known.corner[ITEM_X] = edge;
        known.with[ITEM_X] = ITEM_X < numbers ? T_fma(scale, total[ITEM_X], first) : T_make(0, 0);
    }
    BARRIER();
}

/* ---- The kernel ---- */

KERNEL(gebrd_panel, ITEMS, 1, 1)
(GLOBAL T *A, GLOBAL T *P, GLOBAL T *Q, GLOBAL R *diagonal, GLOBAL R *beside, GLOBAL T *tauq,
 GLOBAL T *taup, GLOBAL T *column, GLOBAL T *row, GLOBAL T *shares, GLOBAL T *swept,
 GLOBAL f64 *squares, GLOBAL i32 *counter, gebrd_panel_args a)
{
#if TWICE
    LOCAL T ring[1];
#else
    LOCAL_ROOM(T, ring, STAGES * TILE + V_LOCAL * ROWS + BULK * 2 * STAGES);
#endif
    LOCAL sum_t scratch[GROUP_SCRATCH];
    LOCAL T room[ROOM];
    LOCAL T added[ITEMS];
    LOCAL T total[SHARES];
    LOCAL T with[SHARES];
    LOCAL T corner[SHARES];
    LOCAL reflector known_reflector[1];
    LOCAL i32 bad[TEAMS];
    LOCAL i32 rows[1];
    BEGIN();
    if (ITEM_X == 0)
        rows[0] = (i32)a.m;
    BARRIER();
    i32 passed = 0;
    panel s;
    s.A = A;
    s.P = P;
    s.Q = Q;
    s.column = column;
    s.row = row;
    s.swept = swept;
    s.a = a;
    s.m = (i32)a.m;
    s.n = (i32)a.n;
    s.rows = rows;
    s.inverse = 1 / (f64)GROUPS_X;
    thin_known known;
    known.with = with;
    known.corner = corner;
    careful again;
    again.scratch = scratch;
    again.known = known_reflector;
    again.squares = squares;
    again.counter = counter;
    /* Shares of rows and of columns. */
    GLOBAL T *const of_columns = shares + GROUPS_X * SHARES;
    const i32 chunks = (s.m + OWN - 1) / OWN, sharers = chunks < GROUPS_X ? chunks : (i32)GROUPS_X,
              own = (i32)GROUP_X < chunks;
#if BULK
    bulk_ring tiles = ring_ready(ring);
    bulk_begin(s, own_columns(s, 0), 0, tiles, 0, EARLY);
#endif
    ROLLED
    for (i32 p = 0; p <= a.count; p++) {
        const i32 numbers = p > 0 ? KINDS * p - 1 : 0; /* of Q u, and of a row of P so far */
        chunk_rows c;
        reflector h;
        T scale = T_make(0, 0), tau = T_make(0, 0);
        if (own)
            chunk_load(s, p, p, numbers, (i32)GROUP_X, &c);
        if (p > 0) {
            await(counter, passed); /* behind the sweep */
            const span d = own_columns(s, p - 1);
            T edge = T_make(0, 0);
            if (ITEM_X < numbers)
                edge = Q[(i64)p * SHARES + ITEM_X];
            const T alpha = row[p];
            take_left(s, own ? (i32)GROUP_X : -1, of_columns, (i32)GROUPS_X, p, added, room, total,
                      bad, 1, 1);
            h = reflector_safe(alpha, T_real(total[SQUARES], 0));
            scale = T_make(h.scale_re, h.scale_im);
            know(known, total, numbers, scale, edge, 0);
            if (!are_safe(bad, alpha)) {
                sum_t norm = {{0}};
                ROLLED
                for (i32 j = d.from + ITEM_X; j < d.to; j += ITEMS)
                    if (j > p)
                        norm = squares_add(norm, row[j]);
                h = reflector_again(again, alpha, norm, &passed);
                T share = T_make(0, 0);
                ROLLED
                for (i32 j = d.from; j < d.to; j++)
                    if (j > p && ITEM_X < numbers)
                        share =
                            T_fma(Q[(i64)j * SHARES + ITEM_X], reflector_element(h, row[j]), share);
                if (ITEM_X < SHARES)
                    of_columns[GROUP_X * SHARES + ITEM_X] = share;
                sweep_again(s, d, p - 1, h, 1);
                arrive(counter, &passed);
                await(counter, passed);
                take_left(s, own ? (i32)GROUP_X : -1, of_columns, (i32)GROUPS_X, p, added, room,
                          total, bad, 1, 1);
                scale = T_make(1, 0);
                know(known, total, numbers, scale, edge, 0);
            }
            tau = reflector_tau(h);
            ROLLED
            for (i32 j = d.from + ITEM_X; j < d.to; j += ITEMS) {
                const T u = j == p ? T_make(1, 0) : T_conj(reflector_element(h, row[j]));
                Q[(i64)j * SHARES + numbers] = u;
                A[p - 1 + j * a.lda] = j == p ? T_make(h.beta, 0) : u;
            }
            if (GROUP_X == 0 && ITEM_X == 0) {
                beside[p - 1] = (R)h.beta;
                taup[p - 1] = tau;
            }
        } else {
            know(known, total, 0, scale, scale, 0);
        }
        T lanes[THIN];
        UNROLLED
        for (i32 k = 0; k < THIN; k++)
            lanes[k] = T_make(0, 0);
        ROLLED
        for (i32 chunk = (i32)GROUP_X; chunk < chunks; chunk += (i32)GROUPS_X) {
            if (chunk >= GROUPS_X) {
                chunk_load(s, p, p, numbers, chunk, &c);
                BARRIER(); /* what was added may still be read */
                if (p > 0)
                    take_left(s, chunk, of_columns, 0, p, added, room, total, bad, 1, 0);
            }
            chunk_finish(s, p, chunk, known, tau, scale, added, &c, lanes);
        }
        if (p == a.count)
            break;
        if (own)
            leave_lanes(shares, lanes, room);
        arrive(counter, &passed);
        const span d = own_columns(s, p);
#if BULK
        bulk_begin(s, d, p, tiles, EARLY, STAGES);
#else
        sweep_begin(s, d, p, ring);
#endif
        await(counter, passed);
#if BULK
        T elements[DEEP];
        vector_read(s, p, 0, elements);
#endif
        T edge = T_make(0, 0);
        if (ITEM_X < KINDS * p)
            edge = P[(i64)p * SHARES + ITEM_X];
        const T alpha = column[p];
        take_left(s, -1, shares, sharers, p, added, room, total, bad, 0, 1);
        h = reflector_safe(alpha, T_real(total[SQUARES], 0));
        know(known, total, KINDS * p, T_make(h.scale_re, h.scale_im), edge, 1);
        if (!are_safe(bad, alpha)) {
            sum_t norm = {{0}};
            ROLLED
            for (i32 chunk = (i32)GROUP_X; chunk < chunks; chunk += (i32)GROUPS_X) {
                const i32 t = chunk * OWN + ITEM_X;
                if (ITEM_X < OWN && t > p && t < s.m)
                    norm = squares_add(norm, column[t]);
            }
            h = reflector_again(again, alpha, norm, &passed);
            UNROLLED
            for (i32 k = 0; k < THIN; k++)
                lanes[k] = T_make(0, 0);
            ROLLED
            for (i32 chunk = (i32)GROUP_X; chunk < chunks; chunk += (i32)GROUPS_X) {
                chunk_load(s, p + 1, p, KINDS * p, chunk, &c);
                UNROLLED
                for (i32 k = 0; k < TURNS; k++) {
                    const i32 t = chunk_row(chunk, k);
                    const T v = vector_of(s.m, h, column[not_above(t, s.m - 1)], t, p);
                    UNROLLED
                    for (i32 q = 0; q < THIN; q++)
                        lanes[q] = T_fma(T_conj(c.thin[k][q]), v, lanes[q]);
                }
            }
            if (own)
                leave_lanes(shares, lanes, room);
            arrive(counter, &passed);
            await(counter, passed);
            take_left(s, -1, shares, sharers, p, added, room, total, bad, 0, 1);
            know(known, total, KINDS * p, T_make(1, 0), edge, 1);
#if BULK
            vector_read(s, p, 0, elements); /* they need no registers meanwhile */
#endif
        }
        ROLLED
        for (i32 chunk = (i32)GROUP_X; chunk < chunks; chunk += (i32)GROUPS_X) {
            const i32 t = chunk * OWN + ITEM_X;
            if (ITEM_X < OWN && t > p && t < s.m)
                P[(i64)t * SHARES + KINDS * p] = A[t + p * a.lda] = reflector_element(h, column[t]);
        }
        if (GROUP_X == 0 && ITEM_X == 0) {
            diagonal[p] = (R)h.beta;
            A[p + p * a.lda] = T_make(h.beta, 0);
            tauq[p] = reflector_tau(h);
            if (p + 1 == s.n)
                taup[p] = T_make(0, 0);
        }
        if (p + 1 == s.n) /* no row is left */
            break;
        T share = T_make(0, 0);
#if BULK
        const i32 large = bulk_sweep(s, d, p, h, elements, known, &tiles, room, &share);
#else
        const i32 large = sweep(s, d, p, h, known, ring, room, &share);
#endif
        const i32 any = WARP_ANY(large);
        BARRIER(); /* bad may still be read */
        if (LANE == 0)
            bad[TEAM] = any;
        BARRIER();
        if (ITEM_X == SQUARES) {
            UNROLLED
            for (i32 team = 0; team < TEAMS; team++)
                if (bad[team])
                    share = T_make(2.0 * SAFE_TO, 0);
        }
        if (ITEM_X < SHARES)
            of_columns[GROUP_X * SHARES + ITEM_X] = share;
        arrive(counter, &passed);
#if BULK
        if (p + 1 < a.count)
            bulk_begin(s, own_columns(s, p + 1), p + 1, tiles, 0, EARLY);
#endif
    }
    if (ITEM_X == 0 && TICKET(counter) == (passed + 1) * (i32)GROUPS_X - 1)
        counter[0] = 0;
}

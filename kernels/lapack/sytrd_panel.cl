/* sytrd_panel.cl: a panel of the reduction of a symmetric or Hermitian matrix to tridiagonal form
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Columns p = 0, 1, ... of the panel. What is right of and below them is A - V W^H - W V^H, with A
 * as it was before the panel: it is read once for each column, in the sweep y = A v. Two barriers
 * of all groups per column:
 *
 *   rows   A group has OWN rows at a time. It adds what the sweep left of its elements of y, which
 *          gives those of w, the last column of W:
 *              w = tau (y - V (W^H v) - W (V^H v)) - 1/2 |tau|^2 (v^H A v - 2 Re (V^H v)^H W^H v) v
 *          then those of column p, a = A e_p - V (W^H e_p) - W (V^H e_p), and its shares of
 *          V^H x, W^H x and x^H x, where x is a without its first two elements.
 *   sweep  All groups add the shares in the same order. So all know the reflector, v = (1, x scale)
 *          and from x also V^H v and W^H v. Then they go through the lower triangle: sums along its
 *          rows and down its columns are left in memory, for their rows.
 *
 * A column is a chain of loads that wait for each other. So all that a phase loads is asked for
 * before anything waits, and what does not depend on a barrier is done between arriving there and
 * waiting: rows of V and W and their products, the first pieces of the sweep, tau.
 *
 * Products with x have the scale of A twice. Where they or the squares are not safe, all groups see
 * that in the same shares, and two more barriers follow: squares that neither overflow nor
 * underflow (reflector.h), then the products of v itself.
 *
 * The sweep: blocks of TALL rows; a team of lanes takes a piece of COLUMNS columns of one, all its
 * loads in flight together, and keeps the sums of the rows in registers along the block. Every
 * group has an equal stretch of them, the same for all columns: the panel does not change what it
 * reads. So up to SLOTS pieces of a team stay in local memory from the first column on.
 *
 * V stands in A, with ones in the places of e. d, e and tau belong to column p, counted in the
 * direction of STEP, as all places are. `counter` is 0 before and after. Geometry: a cooperative
 * launch of groups of ITEMS work-items. Macros: ITEMS; NB; OWN: divides ITEMS, a multiple of the
 * lanes of a team; ITEMS / OWN divides NB and ITEMS is a multiple of 2 NB; DEEP; COLUMNS: at most
 * the lanes of a team, which run together; SLOTS: may be 0; UPPER: 0 or 1, then rows
 * and columns go backward. Local memory: LOCAL_ROOM of SLOTS * ITEMS * DEEP * COLUMNS elements.
 * Barriers: all work-items reach all of them.
 */
#if !defined(ITEMS) || !defined(NB) || !defined(OWN) || !defined(DEEP) || !defined(COLUMNS) ||     \
    !defined(SLOTS) || !defined(UPPER)
#error "sytrd_panel needs ITEMS, NB, OWN, DEEP, COLUMNS, SLOTS and UPPER"
#endif
#if WARP_SIZE == 1
#error "lanes must run together"
#endif
#define WX ITEMS
#include "sytrd_panel_args.h"
#define STEP  (UPPER ? -1 : 1)
#define KINDS 2 /* V and W */
#define TAKEN (PREC == 3 ? 16 : 32)
#include "panel_shares.h"

#define TALL   (LANES * DEEP) /* rows of a block of the sweep */
#define ROOM_A (TEAMS * TALL + TEAMS)
#define ROOM_B (2 * ITEMS + SHARES_ROOM)
#define ROOM   (ROOM_A > ROOM_B ? ROOM_A : ROOM_B)

#include "kept_pieces.h"
#include "sytrd_sweep.h"

/* Loaded at once by a lane, of what the sweep left for row p; of all groups' shares of v^H A v. */
#define LAST_AHEAD  2
#define POWER_AHEAD 5

/* ---- Rows ---- */

/* What all work-items of a group know of the column before. */
typedef struct before {
    LOCAL_PTR T *with;   /* V^H v and W^H v: 2 q, 2 q + 1 */
    LOCAL_PTR T *corner; /* row p of V and W, without the last column */
    T tau;
    i32 p; /* the column of this one, not of the one before */
} before;

/* What is needed of a column behind its sweep. It is in local memory: the sweep needs registers. */
typedef struct kept_column {
    reflector h; /* without tau, if it is safe */
    T top, alpha;
    i32 safe;
} kept_column;

/* Columns of a row of V and W that this slice has. */
typedef struct slice_row {
    T v[EACH], w[EACH];
} slice_row;

DEVICE slice_row row_load(panel s, i64 t, i32 slice, i32 columns, i32 there)
{
    slice_row row;
    GLOBAL const T *const v = s.A + STEP * (t + slice * s.a.lda);
    GLOBAL const T *const w = s.W + STEP * (t + slice * s.a.ldw);
    const i64 v_apart = STEP * SLICES * s.a.lda, w_apart = STEP * SLICES * s.a.ldw;
    UNROLLED
    for (i32 k = 0; k < EACH; k++) {
        row.v[k] = row.w[k] = T_make(0, 0);
        if (there && slice + k * SLICES < columns) {
            row.v[k] = v[k * v_apart];
            row.w[k] = w[k * w_apart];
        }
    }
    return row;
}

DEVICE void row_add(T *sums, slice_row row, T x)
{
    UNROLLED
    for (i32 k = 0; k < EACH; k++) {
        sums[2 * k] = T_fma(T_conj(row.v[k]), x, sums[2 * k]);
        sums[2 * k + 1] = T_fma(T_conj(row.w[k]), x, sums[2 * k + 1]);
    }
}

/* What a group adds up for element p of w and the factor of v in w: every team does. */
typedef struct last_row {
    swept_place at;
    GLOBAL const T *from[LAST_AHEAD];
    T inner, both; /* this lane's: minus products with rows of V and W; (V^H v)^H W^H v */
} last_row;

/* What is known before the sweep is done. */
DEVICE last_row last_begin(panel s, stretch d, before b)
{
    last_row l;
    l.at = swept_of(d, b.p);
    swept_find(s, l.at, LANE, LANES, LAST_AHEAD, l.from);
    l.inner = l.both = T_make(0, 0);
    ROLLED
    for (i32 q = LANE; q + 1 < b.p; q += LANES) {
        const T with_v = b.with[2 * q], with_w = b.with[2 * q + 1];
        l.inner = T_fma(T_neg(b.corner[2 * q]), with_w, l.inner);
        l.inner = T_fma(T_neg(b.corner[2 * q + 1]), with_v, l.inner);
        l.both = T_fma(T_conj(with_v), with_w, l.both);
    }
    return l;
}

DEVICE void last_end(panel s, before b, last_row l, T *element, R *factor)
{
    T part[LAST_AHEAD], power[POWER_AHEAD], sums[2];
    swept_load(l.at, l.from, LANE, LANES, LAST_AHEAD, part);
    UNROLLED
    for (i32 u = 0; u < POWER_AHEAD; u++) {
        power[u] = T_make(0, 0);
        if (LANE + u * LANES < GROUPS_X)
            power[u] = s.energy[LANE + u * LANES];
    }
    T energy = T_make(0, 0); /* v^H A v */
    UNROLLED
    for (i32 u = 0; u < POWER_AHEAD; u++)
        energy = T_add(energy, power[u]);
    ROLLED
    for (i32 g = LANE + POWER_AHEAD * LANES; g < GROUPS_X; g += LANES)
        energy = T_add(energy, s.energy[g]);
    sums[0] = T_add(l.inner, swept_sum(s, l.at, LANE, LANES, LAST_AHEAD, part));
    sums[1] = T_make(T_real(l.both, 0) - T_real(energy, 0) / 2, 0);
    lanes_add(sums, 2, LANES / 2, 1);
    R size = T_real(b.tau, 0) * T_real(b.tau, 0);
    if (T_REALS > 1)
        size = R_fma(T_real(b.tau, 1), T_real(b.tau, 1), size);
    *factor = size * T_real(sums[1], 0);
    *element = T_fma(b.tau, sums[0], T_make(*factor, 0)); /* v is 1 there */
}

/* What a work-item has of its row, without what the sweep leaves: its slice's products, too. */
typedef struct chunk_row {
    slice_row row;
    T a, v, inner, late;
    i64 t;
    i32 there;
    swept_place at;
    GLOBAL const T *from[AHEAD];
} chunk_row;

/* Nothing here depends on the sweep. */
DEVICE chunk_row chunk_begin(panel s, stretch d, before b, i32 chunk)
{
    const i32 slice = ITEM_X / OWN, p = b.p;
    chunk_row c;
    c.t = (i64)chunk * OWN + ITEM_X % OWN;
    c.there = c.t >= p && c.t < s.a.n;
    c.row = row_load(s, c.t, slice, p - 1, c.there);
    c.a = c.v = c.inner = c.late = T_make(0, 0);
    if (c.there && p < s.a.count)
        c.a = s.A[STEP * (c.t + p * s.a.lda)];
    if (c.there && p > 0)
        c.v = v_at(s, c.t, p - 1);
    c.at = swept_of(d, c.there ? (i32)c.t : 0);
    if (!c.there || p == 0)
        c.at.all = 0;
    swept_find(s, c.at, slice, SLICES, AHEAD, c.from);
    UNROLLED
    for (i32 k = 0; k < EACH; k++) {
        const i32 q = slice + k * SLICES;
        if (q < p - 1) {
            c.inner = T_fma(c.row.v[k], b.with[2 * q + 1], c.inner);
            c.inner = T_fma(c.row.w[k], b.with[2 * q], c.inner);
            c.late = T_fma(c.row.v[k], T_conj(b.corner[2 * q + 1]), c.late);
            c.late = T_fma(c.row.w[k], T_conj(b.corner[2 * q]), c.late);
        }
    }
    return c;
}

/* Rows of a chunk: the last column of W, then column p of A, and their shares of products. `sums`
 * has those of chunks before. Nobody reads `room` any more. All work-items must come. */
DEVICE void chunk_end(panel s, before b, chunk_row c, T element, R factor, T *sums,
                      LOCAL_PTR T *room)
{
    const i32 r = ITEM_X % OWN, slice = ITEM_X / OWN, p = b.p;
    T a = c.a;
    if (p > 0) {
        T inner, late;
        room[ITEM_X] = c.inner;
        room[ITEMS + ITEM_X] = c.late;
        BARRIER();
        inner = late = T_make(0, 0);
        UNROLLED
        for (i32 k = 0; k < SLICES; k++) {
            inner = T_add(inner, room[k * OWN + r]);
            late = T_add(late, room[ITEMS + k * OWN + r]);
        }
        T w = T_fma(T_neg(b.tau), inner, T_scale(factor, c.v));
        if (c.t == p)
            w = element; /* as all groups have it */
        a = T_add(a, T_neg(late));
        a = T_fma(T_neg(c.v), T_conj(element), a);
        a = T_add(a, T_neg(w));
        if (slice == 0 && c.there)
            s.W[STEP * (c.t + (p - 1) * s.a.ldw)] = w;
        UNROLLED
        for (i32 k = 0; k < EACH; k++)
            if (slice + k * SLICES == p - 1) {
                c.row.v[k] = c.v;
                c.row.w[k] = w;
            }
    }
    if (p == s.a.count || !c.there)
        return;
    if (slice == 0)
        s.column[c.t] = a;
    if (c.t < p + 2)
        return;
    row_add(sums, c.row, a);
    if (slice == SLICES - 1) /* column NB - 1 of V is none that a product is made with */
        sums[DEALT - 2] = T_fma(T_conj(a), a, sums[DEALT - 2]);
}

/* ---- The kernel ---- */

KERNEL(sytrd_panel, ITEMS, 1, 1)
(GLOBAL T *A, GLOBAL T *W, GLOBAL R *diagonal, GLOBAL R *beside, GLOBAL T *tau, GLOBAL T *column,
 GLOBAL T *shares, GLOBAL T *row_sums, GLOBAL T *column_sums, GLOBAL T *energy, GLOBAL f64 *squares,
 GLOBAL i32 *counter, sytrd_panel_args a)
{
#if SLOTS > 0
    LOCAL_ROOM(T, pieces, SLOTS * ITEMS * PIECE);
#else
    LOCAL T pieces[1];
#endif
    LOCAL sum_t scratch[GROUP_SCRATCH];
    LOCAL T room[ROOM];
    LOCAL T line[2 * TALL];
    LOCAL T along[TEAMS * SLOTS * COLUMNS + 1];
    LOCAL T total[SHARES];
    LOCAL T with[SHARES];
    LOCAL T corner[SHARES];
    LOCAL reflector known[1];
    LOCAL kept_column kept[1];
    LOCAL stretch dealt[1];
    LOCAL i32 bad[TEAMS];
    BEGIN();
    i32 passed = 0;
    panel s;
    s.A = A;
    s.W = W;
    s.column = column;
    s.row_sums = row_sums;
    s.column_sums = column_sums;
    s.energy = energy;
    s.a = a;
    s.chunks = (i32)((a.n + OWN - 1) / OWN);
    s.sharers = s.chunks < GROUPS_X ? s.chunks : (i32)GROUPS_X;
    before b;
    b.with = with;
    b.corner = corner;
    b.tau = T_make(0, 0);
    const i32 own = (i32)GROUP_X < s.sharers, r = ITEM_X % OWN, slice = ITEM_X / OWN;
    b.p = 0;
    stretch d = stretch_of(s);
    if (ITEM_X == 0)
        dealt[0] = d; /* the sweep needs registers */
    kept_pieces stay;
    stay.pieces = pieces;
    stay.along = along;
    pieces_keep(s, route_of(d, 0), pieces);
    chunk_row c = chunk_begin(s, d, b, (i32)GROUP_X); /* of column p, as `last` is */
    last_row last = last_begin(s, d, b);
    ROLLED
    for (i32 p = 0; p <= a.count; p++) {
        if (p == a.n)
            break;
        if (own) {
            T element = T_make(0, 0), sums[DEALT];
            R factor = 0;
            UNROLLED
            for (i32 k = 0; k < DEALT; k++)
                sums[k] = T_make(0, 0);
            T part[AHEAD];
            swept_load(c.at, c.from, slice, SLICES, AHEAD, part);
            if (p > 0)
                last_end(s, b, last, &element, &factor);
            c.inner = T_add(c.inner, T_neg(swept_sum(s, c.at, slice, SLICES, AHEAD, part)));
            chunk_end(s, b, c, element, factor, sums, room);
            ROLLED
            for (i32 chunk = (i32)(GROUP_X + GROUPS_X); chunk < s.chunks; chunk += (i32)GROUPS_X) {
                BARRIER(); /* room may still be read */
                chunk_row more = chunk_begin(s, d, b, chunk);
                more.inner =
                    T_add(more.inner, T_neg(swept_sum(s, more.at, slice, SLICES, 0, part)));
                chunk_end(s, b, more, element, factor, sums, room);
            }
            if (p < a.count)
                leave_shares(shares, sums, room + 2 * ITEMS);
        }
        if (p == a.count)
            break;
        arrive(counter, &passed);
        const route way = route_of(dealt[0], p);
        begun first;
        sweep_begin(s, way, p, &first);
        await(counter, passed);
        if (p + 1 == a.n) { /* no vector is left */
            if (GROUP_X == 0 && ITEM_X == 0) {
                diagonal[STEP * p] = T_real(column[p], 0);
                A[STEP * (p + p * a.lda)] = T_make(T_real(column[p], 0), 0);
            }
            break;
        }
        T edge = T_make(0, 0);
        if (ITEM_X < 2 * p)
            edge = ITEM_X % 2 == 0 ? v_at(s, p + 1, ITEM_X / 2) : w_at(s, p + 1, ITEM_X / 2);
        /* All that is loaded behind the barrier is asked for before anything waits. */
        const T top = column[p], alpha = column[p + 1];
        const i64 own_row = GROUP_X * OWN + r;
        const i32 has_row = slice == 0 && own_row > p && own_row < a.n;
        T own_element = T_make(0, 0);
        if (has_row)
            own_element = column[own_row];
        sweep_along(s, way, stay, &first);
        sweep_beside(s, way.first, line);
        const T share = shares_part(shares, s.sharers, p);
        if (ITEM_X == 0) {
            kept[0].top = top;
            kept[0].alpha = alpha;
        }
        COPIES_WAIT(0);
        shares_total(share, p, room, total, bad);
        reflector h = reflector_scale(alpha, T_real(total[SQUARES], 0));
        if (ITEM_X < 2 * p) {
            corner[ITEM_X] = edge;
            with[ITEM_X] =
                T_fma(T_make(h.scale_re * h.up, h.scale_im * h.up), total[ITEM_X], T_conj(edge));
        }
        const i32 safe = are_safe(bad, alpha);
        if (!safe) {
            sum_t norm = {{0}};
            ROLLED
            for (i64 chunk = GROUP_X; chunk < s.chunks && slice == 0; chunk += GROUPS_X) {
                const i64 t = chunk * OWN + r;
                UNROLLED
                for (i32 part = 0; part < T_REALS; part++)
                    if (t >= p + 2 && t < a.n)
                        norm = norm_add(norm, T_real(column[t], part));
            }
            norm = group_sum(norm, scratch);
            if (ITEM_X == 0 && own)
                sum_store(squares + GROUP_X * SUM_N, norm);
            arrive(counter, &passed);
            await(counter, passed);
            norm = group_sum(partials_share(squares, s.sharers), scratch);
            if (ITEM_X == 0)
                known[0] = reflector_of(alpha, norm);
            BARRIER();
            h = known[0];
            if (own) {
                T sums[DEALT];
                UNROLLED
                for (i32 k = 0; k < DEALT; k++)
                    sums[k] = T_make(0, 0);
                ROLLED
                for (i64 chunk = GROUP_X; chunk < s.chunks; chunk += GROUPS_X) {
                    const i64 t = chunk * OWN + r;
                    const i32 there = t >= p + 2 && t < a.n;
                    const slice_row row = row_load(s, t, slice, p, there);
                    if (there)
                        row_add(sums, row, reflector_element(h, column[t]));
                }
                leave_shares(shares, sums, room + 2 * ITEMS);
            }
            arrive(counter, &passed);
            await(counter, passed);
            take_shares(shares, s.sharers, p, room, total, bad);
            if (ITEM_X < 2 * p)
                with[ITEM_X] = T_add(total[ITEM_X], T_conj(corner[ITEM_X]));
            BARRIER();
        }
        if (ITEM_X == 0) {
            kept[0].h = h;
            kept[0].safe = safe;
        }
        if (has_row)
            A[STEP * (own_row + p * a.lda)] = vector_of(h, own_element, own_row, p);
        ROLLED
        for (i64 chunk = GROUP_X + GROUPS_X; chunk < s.chunks && slice == 0; chunk += GROUPS_X) {
            const i64 t = chunk * OWN + r;
            if (t > p && t < a.n)
                A[STEP * (t + p * a.lda)] = vector_of(h, column[t], t, p);
        }
        sweep(s, way, h, p, &first, stay, line, room);
        arrive(counter, &passed);
        /* Meanwhile what no other group waits for. Others may be in the next column already:
         * `column` is theirs. */
        reflector made = kept[0].h;
        if (kept[0].safe)
            made = reflector_finish(made, kept[0].alpha);
        d = dealt[0];
        b.tau = reflector_tau(made);
        b.p = p + 1;
        if (GROUP_X == 0 && ITEM_X == 0) {
            const R is = T_real(kept[0].top, 0);
            diagonal[STEP * p] = is;
            A[STEP * (p + p * a.lda)] = T_make(is, 0);
            beside[STEP * p] = (R)made.beta;
            tau[STEP * p] = b.tau;
        }
        c = chunk_begin(s, d, b, (i32)GROUP_X); /* by all: so nothing of the last one is kept */
        last = last_begin(s, d, b);
        await(counter, passed);
    }
    if (ITEM_X == 0 && TICKET(counter) == (passed + 1) * (i32)GROUPS_X - 1)
        counter[0] = 0;
}

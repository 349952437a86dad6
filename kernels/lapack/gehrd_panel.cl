/* gehrd_panel.cl: a panel of the reduction of a general matrix to Hessenberg form
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Rows are counted from the one below the panel's first diagonal element, columns p from its first
 * one. With the reflectors before column p, I - V T V^H, and Y = A V T, three barriers of all
 * groups per column:
 *
 *   column   A group has OWN rows at a time. It adds what the sweep left of its elements of A v,
 *            which gives those of Y's last column, tau (A v - Y (V^H v)). Then b = a - Y (V^H e),
 *            where e is the unit vector of row p - 1, and its shares of V^H b.
 *   reflect  b = b - V (T^H (V^H b)). Rows above p are done. Its shares of V^H x and x^H x, where
 *            x is b below row p.
 *   sweep    All groups add these shares in the same order. So all know the reflector,
 *            v = (1, x scale), from x also V^H v, and with it the next column of T, which all
 *            keep. Then A v: a group has TALL rows and a part of the columns, the same ones for
 *            all columns p. A team keeps up to SLOTS pieces of them in local memory.
 *
 * A column is a chain of loads that wait for each other: rows of V and Y, their products and T are
 * made between arriving behind the sweep and waiting there, and rows stay in registers from one
 * phase to the next (of a group's first chunk: seldom it has more).
 *
 * Where the squares are not safe, all groups see that, and two more barriers follow: squares that
 * neither overflow nor underflow (reflector.h), then the products of v itself.
 *
 * V has its ones, and zeros above them, before; `out` has zeros below its diagonal. `counter` is 0
 * before and after. Geometry: a cooperative launch of groups of ITEMS work-items. Macros: ITEMS;
 * NB: ITEMS / NB lanes run together; OWN: divides ITEMS, a multiple of the lanes of a team;
 * ITEMS / OWN divides NB; DEEP; COLUMNS: at most the lanes of a team, which run together; SLOTS:
 * may be 0. Local memory: LOCAL_ROOM of SLOTS * ITEMS * DEEP * COLUMNS elements. Barriers: all
 * work-items reach all of them.
 */
#if !defined(ITEMS) || !defined(NB) || !defined(OWN) || !defined(DEEP) || !defined(COLUMNS) ||     \
    !defined(SLOTS)
#error "gehrd_panel needs ITEMS, NB, OWN, DEEP, COLUMNS and SLOTS"
#endif
#if WARP_SIZE == 1
#error "lanes must run together"
#endif
#define WX ITEMS
#include "gehrd_panel_args.h"
#define KINDS 1 /* V */
#define TAKEN (OWN > WARP_SIZE && NB > 32 ? 8 : 16)
#include "panel_shares.h"

#define TALL   (LANES * DEEP) /* rows of a block of the sweep */
#define BESIDE (ITEMS / NB)   /* work-items that share a sum over T */
#define ROOM_A (TEAMS * TALL)
#define ROOM_B (2 * ITEMS + SHARES_ROOM)
#define ROOM   (ROOM_A > ROOM_B ? ROOM_A : ROOM_B)

#include "kept_pieces.h"

typedef struct panel {
    GLOBAL T *A; /* A(t, p): row t, column p of the panel; behind its columns the rest */
    GLOBAL T *V;
    GLOBAL T *Y;
    GLOBAL T *column; /* b */
    GLOBAL T *swept;  /* A v: n numbers for each part of the columns */
    gehrd_panel_args a;
    i32 chunks;        /* of OWN rows */
    i32 blocks, parts; /* of the sweep: blocks of rows, parts of columns */
    i32 each;          /* columns of a part */
} panel;

/* ---- Small triangles ---- */

/* This work-item's sum of a row or column of T with x, over those that share it. */
DEVICE T beside_add(T sum)
{
    UNROLLED
    for (i32 distance = BESIDE / 2; distance > 0; distance /= 2)
        sum = T_add(sum, T_shuffle_xor(sum, distance));
    return sum;
}

/* to := T^H x, of p columns. All work-items must come. */
DEVICE void triangle_turned(LOCAL_PTR const T *t, LOCAL_PTR const T *x, i32 p, LOCAL_PTR T *to)
{
    const i32 q = ITEM_X / BESIDE;
    T sum = T_make(0, 0);
    ROLLED
    for (i32 r = ITEM_X % BESIDE; r <= q && q < p; r += BESIDE)
        sum = T_fma(T_conj(t[r + q * NB]), x[r], sum);
    sum = beside_add(sum);
    if (ITEM_X % BESIDE == 0)
        to[q] = sum;
}

/* Column p of T: -tau T x above the diagonal. All work-items must come. */
DEVICE void triangle_column(LOCAL_PTR T *t, LOCAL_PTR const T *x, i32 p, T tau)
{
    const i32 r = ITEM_X / BESIDE;
    T sum = T_make(0, 0);
    ROLLED
    for (i32 q = r + ITEM_X % BESIDE; q < p; q += BESIDE)
        sum = T_fma(t[r + q * NB], x[q], sum);
    sum = T_neg(T_mul(tau, beside_add(sum)));
    if (ITEM_X % BESIDE == 0 && r <= p)
        t[r + p * NB] = r == p ? tau : sum;
}

/* ---- Rows ---- */

/* Columns of a row that this slice has. */
typedef struct slice_row {
    T v[EACH];
} slice_row;

DEVICE slice_row row_load(GLOBAL const T *M, i64 ld, i64 t, i32 slice, i32 columns, i32 there)
{
    slice_row row;
    GLOBAL const T *const at = M + t + slice * ld;
    UNROLLED
    for (i32 k = 0; k < EACH; k++) {
        row.v[k] = T_make(0, 0);
        if (there && slice + k * SLICES < columns)
            row.v[k] = at[k * SLICES * ld];
    }
    return row;
}

DEVICE void row_add(T *sums, slice_row row, T x)
{
    UNROLLED
    for (i32 k = 0; k < EACH; k++)
        sums[k] = T_fma(T_conj(row.v[k]), x, sums[k]);
}

/* Loads what this slice adds of the parts of element t of A v, as far as it is done at once. */
DEVICE void swept_load(panel s, i64 t, i32 there, T *part)
{
    const i32 slice = ITEM_X / OWN;
    UNROLLED
    for (i32 u = 0; u < AHEAD; u++) {
        part[u] = T_make(0, 0);
        if (there && slice + u * SLICES < s.parts)
            part[u] = s.swept[(slice + u * SLICES) * s.a.n + t];
    }
}

/* The sum of these and of those behind them, which are few. */
DEVICE T swept_sum(panel s, i64 t, i32 there, const T *part)
{
    T sum = T_make(0, 0);
    UNROLLED
    for (i32 u = 0; u < AHEAD; u++)
        sum = T_add(sum, part[u]);
    ROLLED
    for (i32 k = ITEM_X / OWN + AHEAD * SLICES; there && k < s.parts; k += SLICES)
        sum = T_add(sum, s.swept[k * s.a.n + t]);
    return sum;
}

/* The sums of so many numbers over the slices of a row. Nobody reads room any more. All work-items
 * must come. */
DEVICE void slices_add(T *sums, const i32 count, LOCAL_PTR T *room)
{
    UNROLLED
    for (i32 i = 0; i < count; i++)
        room[i * ITEMS + ITEM_X] = sums[i];
    BARRIER();
    UNROLLED
    for (i32 i = 0; i < count; i++) {
        sums[i] = T_make(0, 0);
        UNROLLED
        for (i32 k = 0; k < SLICES; k++)
            sums[i] = T_add(sums[i], room[i * ITEMS + k * OWN + ITEM_X % OWN]);
    }
}

/* What a work-item has of its row. */
typedef struct chunk_row {
    slice_row v;
    T b;
    T sums[2]; /* its slice's products of Y with V^H v, and with row p - 1 of V */
    i64 t;
    i32 there;
} chunk_row;

/* Nothing here depends on the sweep. corner: row p - 1 of V. */
DEVICE chunk_row chunk_begin(panel s, i32 p, i32 chunk, LOCAL_PTR const T *with,
                             LOCAL_PTR const T *corner)
{
    const i32 slice = ITEM_X / OWN, is_column = p < s.a.count;
    chunk_row c;
    c.t = (i64)chunk * OWN + ITEM_X % OWN;
    c.there = c.t < s.a.n;
    const slice_row y = row_load(s.Y, s.a.ldy, c.t, slice, p - 1, c.there);
    c.v = row_load(s.V, s.a.ldv, c.t, slice, p, c.there && is_column);
    c.b = c.sums[0] = c.sums[1] = T_make(0, 0);
    if (c.there && is_column)
        c.b = s.A[c.t + p * s.a.lda];
    UNROLLED
    for (i32 k = 0; k < EACH; k++) {
        const i32 q = slice + k * SLICES;
        if (q < p - 1) {
            c.sums[0] = T_fma(y.v[k], with[q], c.sums[0]);
            c.sums[1] = T_fma(y.v[k], T_conj(corner[q]), c.sums[1]);
        }
    }
    return c;
}

/* Rows of a chunk: the last column of Y, then b, and their shares of V^H b. Nobody reads room any
 * more. All work-items must come. */
DEVICE void chunk_column(panel s, i32 p, T tau, chunk_row *c, T *sums, LOCAL_PTR T *room)
{
    T part[AHEAD];
    if (p == 0)
        return;
    swept_load(s, c->t, c->there, part);
    c->sums[0] = T_add(c->sums[0], T_neg(swept_sum(s, c->t, c->there, part)));
    slices_add(c->sums, 2, room);
    const T last = T_neg(T_mul(tau, c->sums[0]));
    /* V has a one in row p - 1 */
    c->b = T_add(T_add(c->b, T_neg(c->sums[1])), T_neg(last));
    if (ITEM_X / OWN == 0 && c->there)
        s.Y[c->t + (p - 1) * s.a.ldy] = last;
    if (c->there && p < s.a.count)
        row_add(sums, c->v, c->b);
}

/* Rows of a chunk: b - V turned, and their shares of V^H x and x^H x. Nobody reads room any more.
 * All work-items must come. */
DEVICE void chunk_reflect(panel s, i32 p, LOCAL_PTR const T *turned, chunk_row *c, T *sums,
                          LOCAL_PTR T *room)
{
    const i32 slice = ITEM_X / OWN;
    if (p > 0) {
        T inner[1];
        inner[0] = T_make(0, 0);
        UNROLLED
        for (i32 k = 0; k < EACH; k++) {
            const i32 q = slice + k * SLICES;
            if (q < p)
                inner[0] = T_fma(c->v.v[k], turned[q], inner[0]);
        }
        slices_add(inner, 1, room); /* all slices have read b */
        c->b = T_add(c->b, T_neg(inner[0]));
    }
    if (slice == 0 && c->there && c->t < p)
        s.A[c->t + p * s.a.lda] = c->b;
    if (slice == 0 && c->there && c->t >= p)
        s.column[c->t] = c->b;
    if (!c->there || c->t <= p)
        return;
    row_add(sums, c->v, c->b);
    if (slice == SLICES - 1) /* column NB - 1 of V is none that a product is made with */
        sums[DEALT - 1] = T_fma(T_conj(c->b), c->b, sums[DEALT - 1]);
}

#include "gehrd_sweep.h"

/* ---- The kernel ---- */

KERNEL(gehrd_panel, ITEMS, 1, 1)
(GLOBAL T *A, GLOBAL T *V, GLOBAL T *Y, GLOBAL T *out, GLOBAL T *tau, GLOBAL T *column,
 GLOBAL T *shares, GLOBAL T *swept, GLOBAL f64 *squares, GLOBAL i32 *counter, gehrd_panel_args a)
{
#if SLOTS > 0
    LOCAL_ROOM(T, pieces, SLOTS * ITEMS * PIECE);
#else
    LOCAL T pieces[1];
#endif
    LOCAL sum_t scratch[GROUP_SCRATCH];
    LOCAL T room[ROOM];
    LOCAL T along[TEAMS * SLOTS * COLUMNS + 1];
    LOCAL T total[SHARES];
    LOCAL T with[NB];
    LOCAL T corner[NB];
    LOCAL T turned[NB];
    LOCAL T t_all[NB * NB];
    LOCAL reflector known[1];
    LOCAL i32 bad[TEAMS];
    LOCAL task dealt[1];
    BEGIN();
    i32 passed = 0;
    panel s;
    s.A = A;
    s.V = V;
    s.Y = Y;
    s.column = column;
    s.swept = swept;
    s.a = a;
    s.chunks = (i32)((a.n + OWN - 1) / OWN);
    s.blocks = (i32)((a.n + TALL - 1) / TALL);
    s.parts = s.blocks < GROUPS_X ? (i32)GROUPS_X / s.blocks : 1;
    s.each = ((i32)a.n + s.parts - 1) / s.parts;
    const i32 sharers = s.chunks < GROUPS_X ? s.chunks : (i32)GROUPS_X;
    const i32 own = (i32)GROUP_X < sharers, r = ITEM_X % OWN, slice = ITEM_X / OWN;
    /* Shares have two places: those of one step may still be read when the next leaves its own. */
    GLOBAL T *const later = shares + GROUPS_X * SHARES;
    /* tau of the column before; what is known of column p before the sweep is done */
    T factor = T_make(0, 0);
    if (ITEM_X == 0) /* rows of the panel need registers */
        dealt[0] = first_task(s);
    BARRIER();
    kept_pieces stay;
    stay.pieces = pieces;
    stay.along = along;
    pieces_keep(s, dealt[0], task_pieces(dealt[0], SLOTS, 0), pieces);
    chunk_row c = chunk_begin(s, 0, (i32)GROUP_X, with, corner);
    ROLLED
    for (i32 p = 0; p <= a.count; p++) {
        T sums[DEALT];
        UNROLLED
        for (i32 k = 0; k < DEALT; k++)
            sums[k] = T_make(0, 0);
        if (own)
            chunk_column(s, p, factor, &c, sums, room);
        ROLLED
        for (i32 chunk = (i32)(GROUP_X + GROUPS_X); chunk < s.chunks; chunk += (i32)GROUPS_X) {
            BARRIER(); /* room may still be read */
            chunk_row more = chunk_begin(s, p, chunk, with, corner);
            chunk_column(s, p, factor, &more, sums, room);
            if (slice == 0 && more.there && p < a.count)
                column[more.t] = more.b;
        }
        if (p == a.count)
            break;
        if (p > 0) {
            if (own)
                leave_shares(shares, sums, room + 2 * ITEMS);
            arrive(counter, &passed);
            await(counter, passed);
            if (own) {
                shares_total(shares_part(shares, sharers, p), p, room, total, bad);
                triangle_turned(t_all, total, p, turned);
            }
        }
        UNROLLED
        for (i32 k = 0; k < DEALT; k++)
            sums[k] = T_make(0, 0);
        BARRIER(); /* turned and b are there */
        if (own)
            chunk_reflect(s, p, turned, &c, sums, room);
        ROLLED
        for (i32 chunk = (i32)(GROUP_X + GROUPS_X); chunk < s.chunks; chunk += (i32)GROUPS_X) {
            chunk_row more;
            more.t = (i64)chunk * OWN + r;
            more.there = more.t < a.n;
            more.v = row_load(V, a.ldv, more.t, slice, p, more.there);
            more.b = T_make(0, 0);
            if (more.there)
                more.b = column[more.t];
            BARRIER(); /* room may still be read, and b by all slices */
            chunk_reflect(s, p, turned, &more, sums, room);
        }
        if (own)
            leave_shares(later, sums, room + 2 * ITEMS);
        arrive(counter, &passed);
        const task d = dealt[0];
        const team_pieces w = task_pieces(d, SLOTS, p);
        begun first;
        sweep_begin(s, p, d, w, &first);
        await(counter, passed);
        /* All that is loaded behind the barrier is asked for before anything waits. */
        T edge = T_make(0, 0);
        if (ITEM_X < p)
            edge = V[p + ITEM_X * a.ldv];
        const T alpha = column[p];
        sweep_along(s, d, w, stay, &first);
        COPIES_WAIT(0);
        shares_total(shares_part(later, sharers, p), p, room, total, bad);
        reflector h = reflector_scale(alpha, T_real(total[SQUARES], 0));
        if (ITEM_X < p) {
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
                    if (t > p && t < a.n)
                        norm = norm_add(norm, T_real(column[t], part));
            }
            norm = group_sum(norm, scratch);
            if (ITEM_X == 0 && own)
                sum_store(squares + GROUP_X * SUM_N, norm);
            arrive(counter, &passed);
            await(counter, passed);
            norm = group_sum(partials_share(squares, sharers), scratch);
            if (ITEM_X == 0)
                known[0] = reflector_of(alpha, norm);
            BARRIER();
            h = known[0];
            if (own) {
                UNROLLED
                for (i32 k = 0; k < DEALT; k++)
                    sums[k] = T_make(0, 0);
                ROLLED
                for (i64 chunk = GROUP_X; chunk < s.chunks; chunk += GROUPS_X) {
                    const i64 t = chunk * OWN + r;
                    const i32 there = t > p && t < a.n;
                    const slice_row row = row_load(V, a.ldv, t, slice, p, there);
                    if (there)
                        row_add(sums, row, reflector_element(h, column[t]));
                }
                leave_shares(later, sums, room + 2 * ITEMS);
            }
            arrive(counter, &passed);
            await(counter, passed);
            take_shares(later, sharers, p, room, total, bad);
            if (ITEM_X < p)
                with[ITEM_X] = T_add(total[ITEM_X], T_conj(corner[ITEM_X]));
            BARRIER();
        }
        ROLLED
        for (i64 chunk = GROUP_X; chunk < s.chunks && slice == 0; chunk += GROUPS_X) {
            const i64 t = chunk * OWN + r;
            const T b = chunk < GROUPS_X || t >= a.n ? c.b : column[t];
            if (t > p && t < a.n)
                V[t + p * a.ldv] = A[t + p * a.lda] = reflector_element(h, b);
            if (t == p)
                A[t + p * a.lda] = T_make(h.beta, 0);
        }
        sweep(s, h, p, d, w, &first, stay, room);
        arrive(counter, &passed);
        /* Meanwhile what no other group waits for. */
        if (safe)
            h = reflector_finish(h, alpha);
        factor = reflector_tau(h);
        triangle_column(t_all, with, p, factor);
        if (GROUP_X == 0 && ITEM_X == 0)
            tau[p] = factor;
        c = chunk_begin(s, p + 1, (i32)GROUP_X, with, corner); /* by all: nothing is kept */
        await(counter, passed);
    }
    BARRIER(); /* all of T is there */
    if (GROUP_X == 0) {
        ROLLED
        for (i32 e = ITEM_X; e < NB * NB; e += ITEMS)
            if (e % NB <= e / NB && e / NB < a.count)
                out[e % NB + e / NB * a.ldt] = t_all[e];
    }
    if (ITEM_X == 0 && TICKET(counter) == (passed + 1) * (i32)GROUPS_X - 1)
        counter[0] = 0;
}

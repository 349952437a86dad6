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
 *            keep. Then A v: a group has TALL rows and a part of the columns.
 *
 * Where the squares are not safe, all groups see that, and two more barriers follow: squares that
 * neither overflow nor underflow (reflector.h), then the products of v itself.
 *
 * V has its ones, and zeros above them, before; `out` has zeros below its diagonal. `counter` is 0
 * before and after. Geometry: a cooperative launch of groups of ITEMS work-items. Macros: ITEMS;
 * NB: ITEMS / NB lanes run together; OWN: divides ITEMS, a multiple of the lanes of a team;
 * ITEMS / OWN divides NB; DEEP; COLUMNS: at most the lanes of a team, which run together. Barriers:
 * all work-items reach all of them.
 */
#if !defined(ITEMS) || !defined(NB) || !defined(OWN) || !defined(DEEP) || !defined(COLUMNS)
#error "gehrd_panel needs ITEMS, NB, OWN, DEEP and COLUMNS"
#endif
#if WARP_SIZE == 1
#error "lanes must run together"
#endif
#define WX ITEMS
#include "gehrd_panel_args.h"
#define KINDS 1 /* V */
#include "panel_shares.h"

#define TALL   (LANES * DEEP) /* rows of a block of the sweep */
#define BESIDE (ITEMS / NB)   /* work-items that share a sum over T */
#define ROOM_A (TEAMS * TALL)
#define ROOM_B (2 * ITEMS + SHARES_ROOM)
#define ROOM   (ROOM_A > ROOM_B ? ROOM_A : ROOM_B)

typedef struct panel {
    GLOBAL T *A; /* A(t, p): row t, column p of the panel; behind its columns the rest */
    GLOBAL T *V;
    GLOBAL T *Y;
    GLOBAL T *column; /* b */
    GLOBAL T *swept;  /* A v: n numbers for each part of the columns */
    gehrd_panel_args a;
    i32 chunks;        /* of OWN rows */
    i32 blocks, parts; /* of the sweep: blocks of rows, parts of columns */
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

/* One slice's share of element t of A v. */
DEVICE T swept_share(panel s, i64 t, i32 slice)
{
    T sum = T_make(0, 0);
    ROLLED
    for (i32 first = slice; first < s.parts; first += SLICES * AHEAD) {
        T part[AHEAD];
        UNROLLED
        for (i32 u = 0; u < AHEAD; u++) {
            part[u] = T_make(0, 0);
            if (first + u * SLICES < s.parts)
                part[u] = s.swept[(first + u * SLICES) * s.a.n + t];
        }
        UNROLLED
        for (i32 u = 0; u < AHEAD; u++)
            sum = T_add(sum, part[u]);
    }
    return sum;
}

/* The sum of both numbers over the slices of a row. All work-items must come. */
DEVICE void slices_add(T *one, T *two, LOCAL_PTR T *room)
{
    const i32 r = ITEM_X % OWN;
    BARRIER(); /* room may still be read */
    room[ITEM_X] = *one;
    room[ITEMS + ITEM_X] = *two;
    BARRIER();
    *one = *two = T_make(0, 0);
    UNROLLED
    for (i32 k = 0; k < SLICES; k++) {
        *one = T_add(*one, room[k * OWN + r]);
        *two = T_add(*two, room[ITEMS + k * OWN + r]);
    }
}

/* Rows of a chunk: the last column of Y, then b, and their shares of V^H b. corner: row p - 1 of V.
 * All work-items must come. */
DEVICE void chunk_column(panel s, i32 p, i32 chunk, T tau, LOCAL_PTR const T *with,
                         LOCAL_PTR const T *corner, T *sums, LOCAL_PTR T *room)
{
    const i32 slice = ITEM_X / OWN;
    const i64 t = (i64)chunk * OWN + ITEM_X % OWN;
    const i32 there = t < s.a.n, is_column = p < s.a.count;
    T b = T_make(0, 0);
    if (there && is_column)
        b = s.A[t + p * s.a.lda];
    if (p > 0) {
        const slice_row y = row_load(s.Y, s.a.ldy, t, slice, p - 1, there),
                        v = row_load(s.V, s.a.ldv, t, slice, p, there && is_column);
        T inner = T_make(0, 0), late = T_make(0, 0);
        if (there)
            inner = T_neg(swept_share(s, t, slice));
        UNROLLED
        for (i32 k = 0; k < EACH; k++) {
            const i32 q = slice + k * SLICES;
            if (q < p - 1) {
                inner = T_fma(y.v[k], with[q], inner);
                late = T_fma(y.v[k], T_conj(corner[q]), late);
            }
        }
        slices_add(&inner, &late, room);
        const T last = T_neg(T_mul(tau, inner));
        b = T_add(T_add(b, T_neg(late)), T_neg(last)); /* V has a one in row p - 1 */
        if (slice == 0 && there)
            s.Y[t + (p - 1) * s.a.ldy] = last;
        if (there && is_column)
            row_add(sums, v, b);
    }
    if (slice == 0 && there && is_column)
        s.column[t] = b;
}

/* Rows of a chunk: b - V turned, and their shares of V^H x and x^H x. All work-items must come. */
DEVICE void chunk_reflect(panel s, i32 p, i32 chunk, LOCAL_PTR const T *turned, T *sums,
                          LOCAL_PTR T *room)
{
    const i32 slice = ITEM_X / OWN;
    const i64 t = (i64)chunk * OWN + ITEM_X % OWN;
    const i32 there = t < s.a.n;
    T b = T_make(0, 0), inner = T_make(0, 0), none = T_make(0, 0);
    const slice_row v = row_load(s.V, s.a.ldv, t, slice, p, there);
    if (there)
        b = s.column[t];
    if (p > 0) {
        UNROLLED
        for (i32 k = 0; k < EACH; k++) {
            const i32 q = slice + k * SLICES;
            if (q < p)
                inner = T_fma(v.v[k], turned[q], inner);
        }
        slices_add(&inner, &none, room); /* all slices have read b */
        b = T_add(b, T_neg(inner));
    }
    if (slice == 0 && there && t < p)
        s.A[t + p * s.a.lda] = b;
    if (slice == 0 && there && t >= p && p > 0)
        s.column[t] = b;
    if (!there || t <= p)
        return;
    row_add(sums, v, b);
    if (slice == SLICES - 1) /* column NB - 1 of V is none that a product is made with */
        sums[DEALT - 1] = T_fma(T_conj(b), b, sums[DEALT - 1]);
}

/* ---- The sweep ---- */

/* A lane's piece of the sweep: so many columns, and the element LANE % COLUMNS of x along them. */
typedef struct tile {
    T v[COLUMNS][DEEP];
} tile;

/* The columns of a part, as rows of v: [from, to). */
typedef struct span {
    i64 from, to;
} span;

DEVICE span part_span(panel s, i32 p, i32 part)
{
    const i64 all = s.a.n - p, each = (all + s.parts - 1) / s.parts;
    span d;
    d.from = p + part * each;
    d.to = d.from + each < s.a.n ? d.from + each : s.a.n;
    return d;
}

/* Rows of a block, columns from `column` on, as rows of v. */
DEVICE void tile_load(panel s, i32 block, i64 column, i64 end, tile *t)
{
    const i64 first = (i64)block * TALL + LANE;
    GLOBAL const T *const corner = s.A + first + (column + 1) * s.a.lda;
    const i32 some = (i64)(block + 1) * TALL > s.a.n || column + COLUMNS > end;
    if (some) {
        UNROLLED
        for (i32 c = 0; c < COLUMNS; c++) {
            UNROLLED
            for (i32 k = 0; k < DEEP; k++) {
                t->v[c][k] = T_make(0, 0);
                if (column + c < end && first + k * LANES < s.a.n)
                    t->v[c][k] = corner[c * s.a.lda + k * LANES];
            }
        }
    } else {
        UNROLLED
        for (i32 c = 0; c < COLUMNS; c++) {
            UNROLLED
            for (i32 k = 0; k < DEEP; k++)
                t->v[c][k] = corner[c * s.a.lda + k * LANES];
        }
    }
}

/* The first piece of a team; it does not depend on v. */
DEVICE void sweep_begin(panel s, i32 p, tile *t)
{
    if (GROUP_X < s.blocks * s.parts) {
        const span d = part_span(s, p, (i32)GROUP_X / s.blocks);
        const i64 column = d.from + TEAM * COLUMNS;
        if (column < d.to)
            tile_load(s, (i32)GROUP_X % s.blocks, column, d.to, t);
    }
}

/* Element c of v, from that of b. */
DEVICE T vector_of(reflector h, T x, i64 c, i32 p)
{
    const T v = reflector_element(h, x);
    return c < p ? T_make(0, 0) : c == p ? T_make(1, 0) : v;
}

/* The sums of A v over this group's parts; next is what sweep_begin loaded. All work-items must
 * come. */
DEVICE void sweep(panel s, reflector h, i32 p, tile *next, LOCAL_PTR T *room)
{
    ROLLED
    for (i32 task = (i32)GROUP_X; task < s.blocks * s.parts; task += (i32)GROUPS_X) {
        const i32 block = task % s.blocks, part = task / s.blocks;
        const span d = part_span(s, p, part);
        T rows[DEEP];
        UNROLLED
        for (i32 k = 0; k < DEEP; k++)
            rows[k] = T_make(0, 0);
        i64 column = d.from + TEAM * COLUMNS;
        T ahead = T_make(0, 0);
        if (task != (i32)GROUP_X && column < d.to)
            tile_load(s, block, column, d.to, next);
        if (column + LANE % COLUMNS < d.to)
            ahead = s.column[column + LANE % COLUMNS];
        ROLLED
        for (; column < d.to; column += TEAMS * COLUMNS) {
            const tile now = *next;
            const i64 mine = column + LANE % COLUMNS, behind = column + TEAMS * COLUMNS;
            const T x = mine < d.to ? vector_of(h, ahead, mine, p) : T_make(0, 0);
            if (behind < d.to)
                tile_load(s, block, behind, d.to, next);
            if (behind + LANE % COLUMNS < d.to)
                ahead = s.column[behind + LANE % COLUMNS];
            UNROLLED
            for (i32 c = 0; c < COLUMNS; c++) {
                const T along = T_shuffle(x, c);
                UNROLLED
                for (i32 k = 0; k < DEEP; k++)
                    rows[k] = T_fma(now.v[c][k], along, rows[k]);
            }
        }
        BARRIER(); /* room may still be read */
        UNROLLED
        for (i32 k = 0; k < DEEP; k++)
            room[TEAM * TALL + k * LANES + LANE] = rows[k];
        BARRIER();
        ROLLED
        for (i32 row = ITEM_X; row < TALL; row += ITEMS) {
            T sum = room[row];
            UNROLLED
            for (i32 team = 1; team < TEAMS; team++)
                sum = T_add(sum, room[team * TALL + row]);
            if ((i64)block * TALL + row < s.a.n)
                s.swept[part * s.a.n + (i64)block * TALL + row] = sum;
        }
    }
}

/* ---- The kernel ---- */

KERNEL(gehrd_panel, ITEMS, 1, 1)
(GLOBAL T *A, GLOBAL T *V, GLOBAL T *Y, GLOBAL T *out, GLOBAL T *tau, GLOBAL T *column,
 GLOBAL T *shares, GLOBAL T *swept, GLOBAL f64 *squares, GLOBAL i32 *counter, gehrd_panel_args a)
{
    LOCAL sum_t scratch[GROUP_SCRATCH];
    LOCAL T room[ROOM];
    LOCAL T total[SHARES];
    LOCAL T with[NB];
    LOCAL T corner[NB];
    LOCAL T turned[NB];
    LOCAL T t_all[NB * NB];
    LOCAL reflector known[1];
    LOCAL i32 bad[TEAMS];
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
    const i32 sharers = s.chunks < GROUPS_X ? s.chunks : (i32)GROUPS_X;
    const i32 own = (i32)GROUP_X < sharers, r = ITEM_X % OWN, slice = ITEM_X / OWN;
    /* Shares have two places: those of one step may still be read when the next leaves its own. */
    GLOBAL T *const later = shares + GROUPS_X * SHARES;
    T factor = T_make(0, 0); /* tau of the column before */
    ROLLED
    for (i32 p = 0; p <= a.count; p++) {
        T sums[DEALT];
        UNROLLED
        for (i32 k = 0; k < DEALT; k++)
            sums[k] = T_make(0, 0);
        ROLLED
        for (i32 chunk = (i32)GROUP_X; chunk < s.chunks; chunk += (i32)GROUPS_X)
            chunk_column(s, p, chunk, factor, with, corner, sums, room);
        if (p == a.count)
            break;
        if (p > 0) {
            if (own)
                leave_shares(shares, sums, room + 2 * ITEMS);
            arrive(counter, &passed);
            await(counter, passed);
            if (own) {
                take_shares(shares, sharers, p, room, total, bad);
                triangle_turned(t_all, total, p, turned);
            }
        }
        UNROLLED
        for (i32 k = 0; k < DEALT; k++)
            sums[k] = T_make(0, 0);
        BARRIER(); /* turned and b are there */
        ROLLED
        for (i32 chunk = (i32)GROUP_X; chunk < s.chunks; chunk += (i32)GROUPS_X)
            chunk_reflect(s, p, chunk, turned, sums, room);
        if (own)
            leave_shares(later, sums, room + 2 * ITEMS);
        arrive(counter, &passed);
        tile first;
        sweep_begin(s, p, &first);
        await(counter, passed);
        T edge = T_make(0, 0);
        if (ITEM_X < p)
            edge = V[p + ITEM_X * a.ldv];
        const T alpha = column[p];
        take_shares(later, sharers, p, room, total, bad);
        reflector h = reflector_safe(alpha, T_real(total[SQUARES], 0));
        if (ITEM_X < p) {
            corner[ITEM_X] = edge;
            with[ITEM_X] =
                T_fma(T_make(h.scale_re * h.up, h.scale_im * h.up), total[ITEM_X], T_conj(edge));
        }
        BARRIER();
        if (!are_safe(bad, alpha)) {
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
        factor = reflector_tau(h);
        triangle_column(t_all, with, p, factor);
        ROLLED
        for (i64 chunk = GROUP_X; chunk < s.chunks && slice == 0; chunk += GROUPS_X) {
            const i64 t = chunk * OWN + r;
            if (t > p && t < a.n)
                V[t + p * a.ldv] = A[t + p * a.lda] = reflector_element(h, column[t]);
            if (t == p)
                A[t + p * a.lda] = T_make(h.beta, 0);
        }
        if (GROUP_X == 0 && ITEM_X == 0)
            tau[p] = factor;
        sweep(s, h, p, &first, room);
        arrive(counter, &passed);
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

/* sytrd_sweep.h: the product of what is left of a symmetric or Hermitian matrix with a vector, in
 * a panel of its reduction: sums that groups leave to each other, and who adds them.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Included by sytrd_panel.cl, which says what is what.
 */
typedef struct panel {
    GLOBAL T *A;
    GLOBAL T *W;
    GLOBAL T *column;      /* a */
    GLOBAL T *row_sums;    /* of the sweep: TALL for each block and group that has pieces of it */
    GLOBAL T *column_sums; /* COLUMNS for each piece */
    GLOBAL T *energy;      /* each group's share of v^H A v */
    sytrd_panel_args a;
    i32 chunks, sharers; /* of OWN rows; groups that have some */
} panel;

DEVICE T v_at(panel s, i64 t, i64 q)
{
    return s.A[STEP * (t + q * s.a.lda)];
}

DEVICE T w_at(panel s, i64 t, i64 q)
{
    return s.W[STEP * (t + q * s.a.ldw)];
}

/* ---- Pieces of the sweep ---- */

typedef struct stretch {
    i32 blocks;   /* block rows */
    i32 all, per; /* pieces; those of a group, of which the last ones may have fewer */
    f64 inverse;  /* of per: quotients of integers take many times as long */
} stretch;

/* a / b, rounded down, where `inverse` is about 1 / b. */
DEVICE i32 quotient(i32 a, i32 b, f64 inverse)
{
    i32 q = (i32)((f64)a * inverse);
    q -= q * b > a;
    return q + ((q + 1) * b <= a);
}

/* Pieces in the blocks before one. */
DEVICE i32 pieces_before(i32 block)
{
    return TALL / COLUMNS * (block * (block + 1) / 2);
}

DEVICE stretch stretch_of(panel s)
{
    stretch d;
    d.blocks = (i32)((s.a.n + TALL - 1) / TALL);
    d.all = pieces_before(d.blocks);
    d.per = (d.all - 1) / (i32)GROUPS_X + 1;
    d.inverse = 1 / (f64)d.per;
    return d;
}

DEVICE i32 stretch_start(stretch d, i32 group)
{
    const i32 start = group * d.per;
    return start < d.all ? start : d.all;
}

DEVICE i32 block_of(stretch d, i32 piece)
{
    i32 low = 0, high = d.blocks;
    ROLLED
    while (high - low > 1) {
        const i32 middle = (low + high) / 2;
        if (pieces_before(middle) <= piece)
            low = middle;
        else
            high = middle;
    }
    return low;
}

DEVICE i32 group_of(stretch d, i32 piece)
{
    return quotient(piece, d.per, d.inverse);
}

/* Where the numbers stand that element t of y is the sum of: sums along its row, then down its
 * column. */
typedef struct swept_place {
    i32 t, block;
    i32 from, rows, all; /* the first group with sums of its row; how many; numbers */
} swept_place;

DEVICE swept_place swept_of(stretch d, i32 t)
{
    swept_place at;
    at.t = t;
    at.block = t / TALL;
    at.from = group_of(d, pieces_before(at.block));
    at.rows = group_of(d, pieces_before(at.block + 1) - 1) - at.from + 1;
    at.all = at.rows + d.blocks - at.block;
    return at;
}

/* Where number e is. */
DEVICE GLOBAL const T *swept_at(panel s, swept_place at, i32 e)
{
    return e < at.rows
               ? s.row_sums + (i64)(at.from + e + at.block) * TALL + at.t % TALL
               : s.column_sums + (i64)pieces_before(at.block + e - at.rows) * COLUMNS + at.t;
}

/* Where `count` of these numbers are, from number e on and `apart` of each other: found before the
 * sweep is done, when nothing waits for it. */
DEVICE void swept_find(panel s, swept_place at, i32 e, const i32 apart, const i32 count,
                       GLOBAL const T **from)
{
    UNROLLED
    for (i32 u = 0; u < count; u++)
        from[u] = swept_at(s, at, e + u * apart);
}

DEVICE void swept_load(swept_place at, GLOBAL const T *const *from, i32 e, const i32 apart,
                       const i32 count, T *part)
{
    UNROLLED
    for (i32 u = 0; u < count; u++) {
        part[u] = T_make(0, 0);
        if (e + u * apart < at.all)
            part[u] = *from[u];
    }
}

/* The sum of `count` that were loaded and of those behind them, which are few. */
DEVICE T swept_sum(panel s, swept_place at, i32 e, const i32 apart, const i32 count, const T *part)
{
    T sum = T_make(0, 0);
    UNROLLED
    for (i32 u = 0; u < count; u++)
        sum = T_add(sum, part[u]);
    ROLLED
    for (i32 n = e + count * apart; n < at.all; n += 4 * apart) {
        GLOBAL const T *from[4];
        T more[4];
        swept_find(s, at, n, apart, 4, from);
        swept_load(at, from, n, apart, 4, more);
        UNROLLED
        for (i32 u = 0; u < 4; u++)
            sum = T_add(sum, more[u]);
    }
    return sum;
}

/* ---- The sweep ---- */

/* Element t of v, from that of a. */
DEVICE T vector_of(reflector h, T x, i64 t, i32 p)
{
    const T v = reflector_element(h, x);
    return t <= p ? T_make(0, 0) : t == p + 1 ? T_make(1, 0) : v;
}

/* A block's rows of a lane. */
typedef struct lane_rows {
    T v[DEEP];
} lane_rows;

/* Where a piece stands. */
typedef struct place {
    i32 block, column;
} place;

/* A piece of a lane. */
typedef struct tile {
    T v[COLUMNS][DEEP];
    place at;
    i32 some; /* not all of it counts */
} tile;

/* Of piece `at`, in a block near `block`. */
DEVICE place place_of(i32 at, i32 block)
{
    ROLLED
    while (at >= pieces_before(block + 1))
        block++;
    ROLLED
    while (at < pieces_before(block))
        block--;
    place here;
    here.block = block;
    here.column = (at - pieces_before(block)) * COLUMNS;
    return here;
}

DEVICE void tile_load(panel s, i32 p, place at, tile *t)
{
    const i32 block = at.block, column = at.column;
    const i64 first = (i64)block * TALL + LANE;
    t->at = at;
    t->some = column <= p || column + COLUMNS > block * TALL || (i64)(block + 1) * TALL > s.a.n;
    GLOBAL const T *const corner = s.A + STEP * (first + column * s.a.lda);
    const i64 apart = STEP * LANES, over = STEP * s.a.lda;
    if (t->some) {
        UNROLLED
        for (i32 c = 0; c < COLUMNS; c++) {
            UNROLLED
            for (i32 k = 0; k < DEEP; k++) {
                const i64 row = first + k * LANES;
                t->v[c][k] = T_make(0, 0);
                if (column + c > p && row >= column + c && row < s.a.n)
                    t->v[c][k] = corner[c * over + k * apart];
            }
        }
    } else {
        UNROLLED
        for (i32 c = 0; c < COLUMNS; c++) {
            UNROLLED
            for (i32 k = 0; k < DEEP; k++)
                t->v[c][k] = corner[c * over + k * apart];
        }
    }
}

/* What a piece's rows and columns are summed for. */
typedef struct piece_sums {
    lane_rows beside; /* elements of v beside its rows */
    lane_rows rows;   /* sums along them */
    T columns[COLUMNS];
    R energy;
} piece_sums;

/* Adds column c of a piece, of this lane. down: its rows below the diagonal, from that of the
 * piece's first element on; along: the element of v along the column. */
DEVICE void column_add(const T *a, const i32 c, const i32 some, i32 down, T along, piece_sums *to)
{
    to->columns[c] = T_make(0, 0);
    UNROLLED
    for (i32 k = 0; k < DEEP; k++) {
        T here = a[k], x = to->beside.v[k];
        if (some && down + k * LANES == c) { /* the diagonal is real, and counts once */
            here = T_make(T_real(here, 0), 0);
            x = T_make(0, 0);
            to->energy =
                R_fma(-T_real(here, 0), T_real(T_mul(T_conj(along), along), 0), to->energy);
        }
        to->rows.v[k] = T_fma(here, along, to->rows.v[k]);
        to->columns[c] = T_fma(T_conj(here), x, to->columns[c]);
    }
}

/* A piece in registers. mine: element LANE % COLUMNS of v along it. */
DEVICE void tile_sums(const tile *t, const i32 some, T mine, piece_sums *to)
{
    const i32 down = t->at.block * TALL + LANE - t->at.column;
    UNROLLED
    for (i32 c = 0; c < COLUMNS; c++)
        column_add(t->v[c], c, some, down, T_shuffle(mine, c), to);
}

/* A piece in local memory. */
DEVICE void slot_sums(LOCAL_PTR T *kept, i32 slot, place at, const i32 some, T mine, piece_sums *to)
{
    const i32 down = at.block * TALL + LANE - at.column;
    UNROLLED
    for (i32 c = 0; c < COLUMNS; c++) {
        T a[DEEP];
        slot_column(kept, slot, c, a);
        column_add(a, c, some, down, T_shuffle(mine, c), to);
    }
}

/* Stores the sums down the columns of a piece over a team. */
DEVICE void team_store(T *sums, GLOBAL T *to)
{
    i32 distance = LANES / 2;
    UNROLLED
    for (i32 half = COLUMNS / 2; half > 0; half /= 2) {
        const i32 upper = (ITEM_X & distance) != 0;
        UNROLLED
        for (i32 c = 0; c < half; c++) {
            const T kept = upper ? sums[c + half] : sums[c];
            const T given = upper ? sums[c] : sums[c + half];
            sums[c] = T_add(kept, T_shuffle_xor(given, distance));
        }
        distance /= 2;
    }
    lanes_add(sums, 1, LANES / COLUMNS / 2, 1);
    if (LANE % (LANES / COLUMNS) == 0)
        to[LANE / (LANES / COLUMNS)] = sums[0];
}

/* The pieces of a group one after the other: down the matrix, or up for every other column, so that
 * what the cache still has of the sweep before is met first. A team has every TEAMS-th. */
typedef struct route {
    i32 start, count;  /* of the group */
    i32 first, blocks; /* the block of the first one that is met; blocks that are met */
    team_pieces team;
} route;

DEVICE route route_of(stretch d, i32 p)
{
    route r;
    r.start = stretch_start(d, (i32)GROUP_X);
    r.count = stretch_start(d, (i32)GROUP_X + 1) - r.start;
    r.team = team_pieces_of(r.count > TEAM ? (r.count - TEAM - 1) / TEAMS + 1 : 0, SLOTS, p % 2);
    r.first = r.blocks = 0;
    if (r.count > 0) {
        const i32 low = block_of(d, r.start), high = block_of(d, r.start + r.count - 1);
        r.first = r.team.up ? high : low;
        r.blocks = high - low + 1;
    }
    return r;
}

/* The number of a team's piece k in the sweep; where it stands, in a block near `block`. */
DEVICE i32 route_at(route r, i32 k)
{
    return r.start + TEAM + k * TEAMS;
}
DEVICE place route_place(route r, i32 k, i32 block)
{
    return place_of(route_at(r, k), block);
}

/* Keeps pieces of this team. Column 0 is left out: others write it soon. They are there behind
 * COPIES_WAIT(0). */
DEVICE void pieces_keep(panel s, route r, LOCAL_PTR T *kept)
{
    ROLLED
    for (i32 slot = 0; slot < r.team.kept; slot++) {
        const place at = route_place(r, piece_of(r.team, slot), r.first);
        const i64 first = (i64)at.block * TALL + LANE;
        GLOBAL const T *const corner = s.A + STEP * (first + at.column * s.a.lda);
        UNROLLED
        for (i32 c = 0; c < COLUMNS; c++) {
            UNROLLED
            for (i32 k = 0; k < DEEP; k++) {
                const i64 row = first + k * LANES, column = at.column + c;
                if (column > 0 && row >= column && row < s.a.n)
                    element_ahead(slot_at(kept, slot, c, k),
                                  corner + STEP * (c * s.a.lda + k * LANES));
                else
                    *slot_at(kept, slot, c, k) = T_make(0, 0);
            }
        }
    }
    COPIES_END();
}

/* What a team has asked for before its sweep. */
typedef struct begun {
    tile next;              /* the first piece that is loaded */
    T along;                /* element LANE % COLUMNS of a along it */
    i32 columns[SLOTS + 1]; /* the first ones of the kept pieces */
} begun;

/* The first piece; it does not depend on v. */
DEVICE void sweep_begin(panel s, route r, i32 p, begun *g)
{
    const i32 k = piece_loaded(r.team, piece_first(r.team));
    g->next.at.column = (i32)s.a.n;
    if (is_piece(r.team, k))
        tile_load(s, p, route_place(r, k, r.first), &g->next);
    UNROLLED
    for (i32 slot = 0; slot < SLOTS; slot++)
        if (slot < r.team.kept)
            g->columns[slot] = route_place(r, piece_of(r.team, slot), r.first).column;
}

DEVICE T along_load(panel s, i32 column)
{
    const i32 t = column + LANE % COLUMNS;
    return t < s.a.n ? s.column[t] : T_make(0, 0);
}

/* The elements of a, which do not depend on the reflector. Those beside a block go to `line`: they
 * and those along kept pieces are there behind COPIES_WAIT(0) and a barrier. */
DEVICE void sweep_along(panel s, route r, kept_pieces kept, begun *g)
{
    g->along = along_load(s, g->next.at.column);
    UNROLLED
    for (i32 slot = 0; slot < SLOTS; slot++)
        if (slot < r.team.kept && LANE < COLUMNS) {
            const i32 t = g->columns[slot] + LANE;
            COPY_AHEAD(kept_along(kept, slot), s.column + (t < s.a.n ? t : 0));
        }
}

DEVICE void sweep_beside(panel s, i32 block, LOCAL_PTR T *line)
{
    UNROLLED
    for (i32 k = 0; k < TALL; k += ITEMS) {
        const i64 row = (i64)block * TALL + k + ITEM_X;
        if (k + ITEM_X < TALL && row < s.a.n)
            COPY_AHEAD(line + k + ITEM_X, s.column + row);
        else if (k + ITEM_X < TALL)
            line[k + ITEM_X] = T_make(0, 0);
    }
    COPIES_END();
}

/* The sums of A v over this group's pieces. line has the elements beside the first block, kept the
 * pieces that are kept. Nobody reads room any more. All work-items must come. */
DEVICE void sweep(panel s, route r, reflector h, i32 p, begun *g, kept_pieces kept,
                  LOCAL_PTR T *line, LOCAL_PTR T *room)
{
    LOCAL_PTR T *const powers = room + TEAMS * TALL;
    i32 k = piece_first(r.team);
    piece_sums to;
    to.energy = 0;
    ROLLED
    for (i32 b = 0; b < r.blocks; b++) {
        const i32 block = r.team.up ? r.first - b : r.first + b;
        UNROLLED
        for (i32 u = 0; u < DEEP; u++) {
            const i64 row = (i64)block * TALL + u * LANES + LANE;
            to.rows.v[u] = T_make(0, 0);
            to.beside.v[u] = vector_of(h, line[b % 2 * TALL + u * LANES + LANE], row, p);
        }
        if (b + 1 < r.blocks)
            sweep_beside(s, r.team.up ? block - 1 : block + 1, line + (b + 1) % 2 * TALL);
        ROLLED
        for (; is_piece(r.team, k); k = piece_next(r.team, k)) {
            const place at = route_place(r, k, block);
            if (at.block != block)
                break;
            const i32 slot = SLOTS > 0 ? slot_of(r.team, k) : -1;
            const i32 mine_at = at.column + LANE % COLUMNS, there = mine_at < s.a.n;
            if (slot >= 0) {
                T mine = vector_of(h, *kept_along(kept, slot), mine_at, p);
                mine = there ? mine : T_make(0, 0);
                if (at.column + COLUMNS > at.block * TALL)
                    slot_sums(kept.pieces, slot, at, 1, mine, &to);
                else
                    slot_sums(kept.pieces, slot, at, 0, mine, &to);
            } else {
                const tile now = g->next;
                const i32 behind = piece_loaded(r.team, piece_next(r.team, k));
                T mine = vector_of(h, g->along, mine_at, p);
                mine = there ? mine : T_make(0, 0);
                if (is_piece(r.team, behind)) {
                    tile_load(s, p, route_place(r, behind, block), &g->next);
                    g->along = along_load(s, g->next.at.column);
                }
                if (now.some)
                    tile_sums(&now, 1, mine, &to);
                else
                    tile_sums(&now, 0, mine, &to);
            }
            team_store(to.columns, s.column_sums + (i64)route_at(r, k) * COLUMNS);
        }
        if (b > 0)
            BARRIER(); /* sums of the block before have been read */
        UNROLLED
        for (i32 u = 0; u < DEEP; u++) {
            to.energy = R_fma(2, T_real(T_mul(T_conj(to.beside.v[u]), to.rows.v[u]), 0), to.energy);
            room[TEAM * TALL + u * LANES + LANE] = to.rows.v[u];
        }
        if (b + 1 == r.blocks) {
            T one[1];
            one[0] = T_make(to.energy, 0);
            lanes_add(one, 1, LANES / 2, 1);
            if (LANE == 0)
                powers[TEAM] = one[0];
        }
        COPIES_WAIT(0);
        BARRIER();
        ROLLED
        for (i32 row = ITEM_X; row < TALL; row += ITEMS) {
            T sum = room[row];
            UNROLLED
            for (i32 team = 1; team < TEAMS; team++)
                sum = T_add(sum, room[team * TALL + row]);
            s.row_sums[(GROUP_X + block) * TALL + row] = sum;
        }
    }
    if (ITEM_X == ITEMS - 1) {
        T sum = T_make(0, 0);
        UNROLLED
        for (i32 team = 0; team < TEAMS && r.blocks > 0; team++)
            sum = T_add(sum, powers[team]);
        s.energy[GROUP_X] = sum;
    }
}

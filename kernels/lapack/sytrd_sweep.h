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
    f64 inverse;         /* of the number of groups */
} panel;

DEVICE T v_at(panel s, i64 t, i64 q)
{
    return s.A[s.a.step * (t + q * s.a.lda)];
}

DEVICE T w_at(panel s, i64 t, i64 q)
{
    return s.W[s.a.step * (t + q * s.a.ldw)];
}

/* ---- Pieces of the sweep ---- */

typedef struct stretch {
    i32 first;    /* pieces of every block that are left out */
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
DEVICE i32 pieces_before(stretch d, i32 block)
{
    return TALL / COLUMNS * (block * (block + 1) / 2) - d.first * block;
}

/* For the vector of column p. */
DEVICE stretch stretch_of(panel s, i32 p)
{
    stretch d;
    d.first = (p + 1) / COLUMNS;
    d.blocks = (i32)((s.a.n + TALL - 1) / TALL);
    d.all = pieces_before(d, d.blocks);
    d.per = quotient(d.all - 1, (i32)GROUPS_X, s.inverse) + 1;
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
        if (pieces_before(d, middle) <= piece)
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
    at.from = group_of(d, pieces_before(d, at.block));
    at.rows = group_of(d, pieces_before(d, at.block + 1) - 1) - at.from + 1;
    at.all = at.rows + d.blocks - at.block;
    return at;
}

/* Loads `count` of these numbers, from number e on and `apart` of each other. */
DEVICE void swept_load(panel s, stretch d, swept_place at, i32 e, const i32 apart, const i32 count,
                       T *part)
{
    UNROLLED
    for (i32 u = 0; u < count; u++) {
        const i32 n = e + u * apart;
        GLOBAL const T *const from =
            n < at.rows
                ? s.row_sums + (i64)(at.from + n + at.block) * TALL + at.t % TALL
                : s.column_sums +
                      (i64)(pieces_before(d, at.block + n - at.rows) - d.first) * COLUMNS + at.t;
        part[u] = T_make(0, 0);
        if (n < at.all)
            part[u] = *from;
    }
}

/* Their sum, and that of those behind them, which are few. */
DEVICE T swept_sum(panel s, stretch d, swept_place at, i32 e, const i32 apart, const i32 count,
                   const T *part)
{
    T sum = T_make(0, 0);
    UNROLLED
    for (i32 u = 0; u < count; u++)
        sum = T_add(sum, part[u]);
    ROLLED
    for (i32 n = e + count * apart; n < at.all; n += 4 * apart) {
        T more[4];
        swept_load(s, d, at, n, apart, 4, more);
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

/* A piece of a lane. */
typedef struct tile {
    T v[COLUMNS][DEEP];
    i32 block, column, some; /* some: not all of it counts */
} tile;

/* Piece `at`, in a block near `block`. */
DEVICE void tile_load(panel s, stretch d, i32 p, i32 at, i32 block, tile *t)
{
    ROLLED
    while (at >= pieces_before(d, block + 1))
        block++;
    ROLLED
    while (at < pieces_before(d, block))
        block--;
    const i32 column = (d.first + at - pieces_before(d, block)) * COLUMNS;
    const i64 first = (i64)block * TALL + LANE;
    t->block = block;
    t->column = column;
    t->some = column <= p || column + COLUMNS > block * TALL || (i64)(block + 1) * TALL > s.a.n;
    GLOBAL const T *const corner = s.A + s.a.step * (first + column * s.a.lda);
    const i64 apart = s.a.step * LANES, over = s.a.step * s.a.lda;
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

/* The sums down a piece's columns, of this lane. mine: element LANE % COLUMNS of v along it. */
DEVICE void tile_sums(const tile *t, const i32 some, T mine, const lane_rows *beside,
                      lane_rows *rows, T *sums, R *energy)
{
    const i32 down = t->block * TALL + LANE - t->column; /* rows below the diagonal */
    UNROLLED
    for (i32 c = 0; c < COLUMNS; c++) {
        const T along = T_shuffle(mine, c);
        sums[c] = T_make(0, 0);
        UNROLLED
        for (i32 k = 0; k < DEEP; k++) {
            T a = t->v[c][k], x = beside->v[k];
            if (some && down + k * LANES == c) { /* the diagonal is real, and counts once */
                a = T_make(T_real(a, 0), 0);
                x = T_make(0, 0);
                *energy = R_fma(-T_real(a, 0), T_real(T_mul(T_conj(along), along), 0), *energy);
            }
            rows->v[k] = T_fma(a, along, rows->v[k]);
            sums[c] = T_fma(T_conj(a), x, sums[c]);
        }
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
 * what the cache still has of the sweep before is met first. */
typedef struct route {
    i32 start, count, up;
    i32 first, blocks; /* the block of the first one; blocks that are met */
} route;

DEVICE route route_of(stretch d, i32 p)
{
    route r;
    r.start = stretch_start(d, (i32)GROUP_X);
    r.count = stretch_start(d, (i32)GROUP_X + 1) - r.start;
    r.up = p % 2;
    r.first = r.blocks = 0;
    if (r.count > 0) {
        const i32 low = block_of(d, r.start), high = block_of(d, r.start + r.count - 1);
        r.first = r.up ? high : low;
        r.blocks = high - low + 1;
    }
    return r;
}

DEVICE i32 route_at(route r, i32 i)
{
    return r.up ? r.start + r.count - 1 - i : r.start + i;
}

/* The first piece of a team; it does not depend on v. */
DEVICE void sweep_begin(panel s, stretch d, route r, i32 p, tile *t)
{
    if (TEAM < r.count)
        tile_load(s, d, p, route_at(r, TEAM), r.first, t);
}

/* The element of a along a team's first piece, and those beside a block, which go to `line`: they
 * are there behind COPIES_WAIT(0) and a barrier. Both do not depend on the reflector. */
DEVICE T sweep_along(panel s, route r, const tile *t)
{
    T along = T_make(0, 0);
    if (TEAM < r.count && t->column + LANE % COLUMNS < s.a.n)
        along = s.column[t->column + LANE % COLUMNS];
    return along;
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

/* The sums of A v over this group's pieces; next and ahead are what sweep_begin and sweep_along
 * loaded, line has the elements beside the first block. Nobody reads room any more. All work-items
 * must come. */
DEVICE void sweep(panel s, stretch d, route r, reflector h, i32 p, tile *next, T ahead,
                  LOCAL_PTR T *line, LOCAL_PTR T *room)
{
    LOCAL_PTR T *const powers = room + 2 * TEAMS * TALL;
    i32 i = TEAM;
    R energy = 0;
    ROLLED
    for (i32 b = 0; b < r.blocks; b++) {
        const i32 block = r.up ? r.first - b : r.first + b;
        lane_rows rows, beside;
        UNROLLED
        for (i32 k = 0; k < DEEP; k++) {
            const i64 row = (i64)block * TALL + k * LANES + LANE;
            rows.v[k] = T_make(0, 0);
            beside.v[k] = vector_of(h, line[b % 2 * TALL + k * LANES + LANE], row, p);
        }
        if (b + 1 < r.blocks)
            sweep_beside(s, r.up ? block - 1 : block + 1, line + (b + 1) % 2 * TALL);
        ROLLED
        for (; i < r.count && next->block == block; i += TEAMS) {
            const tile now = *next;
            const i32 mine_at = now.column + LANE % COLUMNS;
            const T mine = mine_at < s.a.n ? vector_of(h, ahead, mine_at, p) : T_make(0, 0);
            T sums[COLUMNS];
            if (i + TEAMS < r.count) {
                tile_load(s, d, p, route_at(r, i + TEAMS), block, next);
                if (next->column + LANE % COLUMNS < s.a.n)
                    ahead = s.column[next->column + LANE % COLUMNS];
            }
            if (now.some)
                tile_sums(&now, 1, mine, &beside, &rows, sums, &energy);
            else
                tile_sums(&now, 0, mine, &beside, &rows, sums, &energy);
            team_store(sums, s.column_sums + (i64)route_at(r, i) * COLUMNS);
        }
        /* Blocks have their sums in two places in turn: one barrier each. */
        LOCAL_PTR T *const place = room + b % 2 * TEAMS * TALL;
        UNROLLED
        for (i32 k = 0; k < DEEP; k++) {
            energy = R_fma(2, T_real(T_mul(T_conj(beside.v[k]), rows.v[k]), 0), energy);
            place[TEAM * TALL + k * LANES + LANE] = rows.v[k];
        }
        if (b + 1 == r.blocks) {
            T one[1];
            one[0] = T_make(energy, 0);
            lanes_add(one, 1, LANES / 2, 1);
            if (LANE == 0)
                powers[TEAM] = one[0];
        }
        COPIES_WAIT(0);
        BARRIER();
        ROLLED
        for (i32 row = ITEM_X; row < TALL; row += ITEMS) {
            T sum = place[row];
            UNROLLED
            for (i32 team = 1; team < TEAMS; team++)
                sum = T_add(sum, place[team * TALL + row]);
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

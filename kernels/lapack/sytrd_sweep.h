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
    GLOBAL T *shares;      /* PAIRS of each group with rows */
    GLOBAL T *row_sums;    /* of the sweep: TALL for each block and group that has pieces of it */
    GLOBAL T *column_sums; /* COLUMNS for each piece */
    GLOBAL T *energy;      /* each group's share of v^H A v */
    sytrd_panel_args a;
    i32 chunks, sharers; /* of OWN rows; groups that have some */
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
    i32 first;       /* pieces of every block that are left out */
    i32 blocks;      /* block rows */
    i32 base, extra; /* pieces of a group: one more for the first groups */
} stretch;

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
    const i32 all = pieces_before(d, d.blocks);
    d.base = all / (i32)GROUPS_X;
    d.extra = all % (i32)GROUPS_X;
    return d;
}

DEVICE i32 stretch_start(stretch d, i32 group)
{
    return group * d.base + (group < d.extra ? group : d.extra);
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
    const i32 longer = d.extra * (d.base + 1);
    if (piece < longer)
        return piece / (d.base + 1);
    return d.base > 0 ? d.extra + (piece - longer) / d.base : d.extra;
}

/* One of `sharers` shares of element t of y. */
DEVICE T swept_share(panel s, stretch d, i32 t, i32 share, const i32 sharers)
{
    const i32 block = t / TALL, before = pieces_before(d, block);
    const i32 from = group_of(d, before), to = group_of(d, pieces_before(d, block + 1) - 1);
    const i32 rows = to - from + 1, all = rows + d.blocks - block;
    T sum = T_make(0, 0);
    ROLLED
    for (i32 first = share; first < all; first += sharers * AHEAD) {
        T part[AHEAD];
        UNROLLED
        for (i32 u = 0; u < AHEAD; u++) {
            const i32 e = first + u * sharers, b = block + e - rows;
            part[u] = T_make(0, 0);
            if (e < rows)
                part[u] = s.row_sums[(i64)(from + e + block) * TALL + t % TALL];
            else if (e < all)
                part[u] = s.column_sums[(i64)(pieces_before(d, b) - d.first) * COLUMNS + t];
        }
        UNROLLED
        for (i32 u = 0; u < AHEAD; u++)
            sum = T_add(sum, part[u]);
    }
    return sum;
}

/* ---- The sweep ---- */

/* Element t of v. */
DEVICE T vector_at(panel s, reflector h, i64 t, i32 p)
{
    if (t <= p || t >= s.a.n)
        return T_make(0, 0);
    return t == p + 1 ? T_make(1, 0) : reflector_element(h, s.column[t]);
}

/* A block's rows of a lane. */
typedef struct lane_rows {
    T v[DEEP];
} lane_rows;

/* The sums down a piece's columns, of this lane; `some`: not all of it counts. */
DEVICE void piece_sums(panel s, reflector h, i32 p, i32 block, i32 column, i32 some,
                       const lane_rows *beside, lane_rows *rows, T *sums, R *energy)
{
    T t[COLUMNS][DEEP];
    T along[COLUMNS];
    const i64 first = (i64)block * TALL + LANE;
    UNROLLED
    for (i32 c = 0; c < COLUMNS; c++) {
        GLOBAL const T *const at = s.A + s.a.step * ((column + c) * s.a.lda);
        UNROLLED
        for (i32 k = 0; k < DEEP; k++) {
            const i64 row = first + k * LANES;
            t[c][k] = T_make(0, 0);
            if (!some || (column + c > p && row >= column + c && row < s.a.n))
                t[c][k] = at[s.a.step * row];
        }
    }
    UNROLLED
    for (i32 c = 0; c < COLUMNS; c++)
        along[c] = vector_at(s, h, column + c, p);
    UNROLLED
    for (i32 c = 0; c < COLUMNS; c++) {
        sums[c] = T_make(0, 0);
        UNROLLED
        for (i32 k = 0; k < DEEP; k++) {
            T a = t[c][k];
            const i32 diagonal = some && first + k * LANES == column + c;
            if (diagonal) {
                a = T_make(T_real(a, 0), 0);
                T own = T_mul(T_conj(along[c]), along[c]);
                *energy = R_fma(-T_real(a, 0), T_real(own, 0), *energy);
            }
            rows->v[k] = T_fma(a, along[c], rows->v[k]);
            if (!diagonal)
                sums[c] = T_fma(T_conj(a), beside->v[k], sums[c]);
        }
    }
}

/* Stores the sums down the columns of a piece over a team. */
DEVICE void team_store(T *sums, GLOBAL T *to)
{
#if WARP_SIZE > 1
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
#else
    UNROLLED
    for (i32 c = 0; c < COLUMNS; c++)
        to[c] = sums[c];
#endif
}

/* The sums of A v over this group's pieces. All work-items must come. */
DEVICE void sweep(panel s, reflector h, i32 p, LOCAL_PTR T *room)
{
    const stretch d = stretch_of(s, p);
    const i32 end = stretch_start(d, (i32)GROUP_X + 1);
    i32 piece = stretch_start(d, (i32)GROUP_X), block = block_of(d, piece);
    R energy = 0;
    ROLLED
    for (; piece < end; block++) {
        const i32 from = pieces_before(d, block), next = pieces_before(d, block + 1),
                  pieces = (end < next ? end : next) - piece,
                  first = (d.first + piece - from) * COLUMNS;
        lane_rows rows, beside;
        UNROLLED
        for (i32 k = 0; k < DEEP; k++) {
            rows.v[k] = T_make(0, 0);
            beside.v[k] = vector_at(s, h, (i64)block * TALL + k * LANES + LANE, p);
        }
        ROLLED
        for (i32 u = TEAM; u < pieces; u += TEAMS) {
            const i32 column = first + u * COLUMNS;
            const i32 some =
                column <= p || column + COLUMNS > block * TALL || (i64)(block + 1) * TALL > s.a.n;
            T sums[COLUMNS];
            if (some)
                piece_sums(s, h, p, block, column, 1, &beside, &rows, sums, &energy);
            else
                piece_sums(s, h, p, block, column, 0, &beside, &rows, sums, &energy);
            team_store(sums, s.column_sums + (i64)(piece + u) * COLUMNS);
        }
        BARRIER(); /* room may still be read */
        UNROLLED
        for (i32 k = 0; k < DEEP; k++) {
            energy = R_fma(2, T_real(T_mul(T_conj(beside.v[k]), rows.v[k]), 0), energy);
            room[TEAM * TALL + k * LANES + LANE] = rows.v[k];
        }
        BARRIER();
        ROLLED
        for (i32 r = ITEM_X; r < TALL; r += ITEMS) {
            T sum = room[r];
            UNROLLED
            for (i32 team = 1; team < TEAMS; team++)
                sum = T_add(sum, room[team * TALL + r]);
            s.row_sums[(GROUP_X + block) * TALL + r] = sum;
        }
        piece += pieces;
    }
    T one[1];
    one[0] = T_make(energy, 0);
#if WARP_SIZE > 1
    lanes_add(one, 1, LANES / 2, 1);
#endif
    BARRIER(); /* room may still be read */
    if (LANE == 0)
        room[TEAM] = one[0];
    BARRIER();
    if (ITEM_X == 0) {
        T sum = room[0];
        for (i32 team = 1; team < TEAMS; team++)
            sum = T_add(sum, room[team]);
        s.energy[GROUP_X] = sum;
    }
}

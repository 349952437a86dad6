/* gebrd_sweep.h: the products of what is left of a matrix with both vectors of a column of its
 * bidiagonal reduction, in one walk.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Included by gebrd_panel.cl, which says what is what. A group has whole columns, one behind the
 * other, and takes COLUMNS of them at a time: DEEP elements of each column to a work-item. They are
 * copied to local memory ahead, VEC together, STAGES - 1 tiles at a time. A work-item reads what it
 * copied itself into its registers. The sums with v give the columns' elements of y and r. Then the
 * same registers are added to w, r times each. Rows and columns beyond the last are the last ones
 * again: they count as zeros. With TWICE a matrix may have more than ITEMS * DEEP rows. It is read
 * twice: for the sums with v, then for w.
 */
#define ROWS     (ITEMS * DEEP)
#define TILE     (ROWS * COLUMNS)
#define SOME     (DEEP < 8 ? DEEP : 8)
#define COUNT    (2 * COLUMNS)   /* numbers of a tile that groups add up */
#define BETWEEN  (LANES / COUNT) /* lanes that have the same one */
#define EXCHANGE (2 * TEAMS * COUNT)
#if VEC > 1
typedef struct ALIGNED(16) quick {
    T v[VEC];
} quick;
#endif
/* Registers are short: columns of Q are not loaded ahead. With V_LOCAL v is behind the tiles. */
#define THIN_AHEAD (PREC < 3)

typedef struct panel {
    GLOBAL T *A;
    GLOBAL T *P; /* SHARES numbers for each row: V and X, one element of either in turn */
    GLOBAL T *Q; /* for each column: of Y^H and U^H */
    GLOBAL T *column, *row; /* a and r */
    GLOBAL T *swept;        /* w of each group: swept_apart */
    gebrd_panel_args a;
    i32 m, n;                  /* the same as in a */
    f64 inverse;               /* of the number of groups */
    LOCAL_PTR const i32 *rows; /* m again: what is read there takes no registers meanwhile */
} panel;

/* What a group knows of P or Q: products with a vector, and the row or column of the next one. */
typedef struct thin_known {
    LOCAL_PTR T *with, *corner;
} thin_known;

/* Columns of a group: [from, to). */
typedef struct span {
    i32 from, to;
} span;

DEVICE span own_columns(panel s, i32 p)
{
    const i32 rest = s.n - p - 1, groups = (i32)GROUPS_X, g = (i32)GROUP_X;
    i32 each = (i32)((f64)rest * s.inverse); /* rest / groups, which takes many times as long */
    each -= each * groups > rest;
    each += (each + 1) * groups <= rest;
    const i32 more = rest - each * groups;
    span d;
    d.from = p + 1 + each * g + (g < more ? g : more);
    d.to = d.from + each + (g < more);
    return d;
}

/* The first column of tile i: from the first on, or from the last for every other p, so that what
 * the cache still has of the sweep before is met first. */
DEVICE i32 tile_column(span d, i32 p, i32 tiles, i32 i)
{
    return d.from + (p % 2 ? tiles - 1 - i : i) * COLUMNS;
}

/* Elements of a work-item. */
typedef struct tile {
    T v[COLUMNS][DEEP];
} tile;

/* Number ITEM_X of the columns of a tile of Q. */
typedef struct thin_tile {
    T v[COLUMNS];
} thin_tile;

DEVICE i32 not_above(i32 a, i32 most)
{
    return a < most ? a : most;
}

/* The row of element e: VEC elements of a work-item stand together. */
DEVICE i32 row_of(i32 top, const i32 e)
{
    return top + (e / VEC * ITEMS + ITEM_X) * VEC + e % VEC;
}

/* Whether a row counts. Rows before p are done with: others may write them. m is read anew where it
 * is used: else compilers keep what they know of all rows in registers. */
DEVICE i32 row_counts(i32 row, i32 m, i32 p)
{
    return row >= p && row < m;
}

/* The row that is read in its place. */
DEVICE i32 row_near(i32 row, i32 m, i32 p, const i32 e)
{
    return not_above(e < VEC && row < p ? p : row, m - 1);
}

/* Copies elements of a tile ahead, or nothing where there is no tile. */
DEVICE void tile_ahead(panel s, span d, i32 p, i32 tiles, i32 i, LOCAL_PTR T *ring)
{
    LOCAL_PTR T *const to = ring + i % STAGES * TILE + ITEM_X * VEC;
    const i32 column = tile_column(d, p, tiles, i), m = s.rows[0];
    if (i < tiles) {
        UNROLLED
        for (i32 c = 0; c < COLUMNS; c++) {
            GLOBAL const T *const at = s.A + (i64)not_above(column + c, d.to - 1) * s.a.lda;
            UNROLLED
            for (i32 e = 0; e < DEEP; e += VEC) {
                const i32 place = (c * DEEP + e) * ITEMS, row = row_of(0, e);
#if VEC > 1
                if (row >= p && row + VEC <= m) {
                    COPY_AHEAD((LOCAL_PTR quick *)(to + place), (GLOBAL const quick *)(at + row));
                    continue;
                }
#endif
                UNROLLED
                for (i32 k = 0; k < VEC; k++)
                    COPY_AHEAD(to + place + k, at + row_near(row + k, m, p, e));
            }
        }
    }
    COPIES_END();
}

/* The elements of a tile that was copied. */
DEVICE void tile_take(panel s, i32 p, i32 i, LOCAL_PTR const T *ring, tile *t)
{
    LOCAL_PTR const T *const from = ring + i % STAGES * TILE + ITEM_X * VEC;
    const i32 m = s.rows[0];
    UNROLLED
    for (i32 e = 0; e < DEEP; e++) {
        const i32 there = row_counts(row_of(0, e), m, e < VEC ? p : 0);
        UNROLLED
        for (i32 c = 0; c < COLUMNS; c++) {
            const T x = from[(c * DEEP + e / VEC * VEC) * ITEMS + e % VEC];
            t->v[c][e] = there ? x : T_make(0, 0);
        }
    }
}

/* Elements of a tile, from row `top` on. */
DEVICE void tile_load(panel s, span d, i32 p, i32 column, i32 top, tile *t)
{
    const i32 m = s.rows[0];
    UNROLLED
    for (i32 c = 0; c < COLUMNS; c++) {
        GLOBAL const T *const at = s.A + (i64)not_above(column + c, d.to - 1) * s.a.lda;
        UNROLLED
        for (i32 e = 0; e < DEEP; e++)
            t->v[c][e] = at[row_near(row_of(top, e), m, p, e)];
    }
}

DEVICE void thin_load(panel s, span d, i32 column, i32 p, thin_tile *thin)
{
    UNROLLED
    for (i32 c = 0; c < COLUMNS; c++) {
        thin->v[c] = T_make(0, 0);
        if (ITEM_X < KINDS * p)
            thin->v[c] = s.Q[(i64)not_above(column + c, d.to - 1) * SHARES + ITEM_X];
    }
}

/* Element t of v, from that of a. */
DEVICE T vector_of(i32 m, reflector h, T x, i32 t, i32 p)
{
    const T v = reflector_element(h, x);
    return !row_counts(t, m, p) ? T_make(0, 0) : t == p ? T_make(1, 0) : v;
}

/* A work-item's elements of the column, from row `top` on; they become those of v. */
DEVICE void vector_read(panel s, i32 p, i32 top, T *v)
{
    const i32 m = s.rows[0];
    UNROLLED
    for (i32 e = 0; e < DEEP; e++)
        v[e] = s.column[row_near(row_of(top, e), m, p, e)];
}
DEVICE void vector_reflect(panel s, reflector h, i32 p, i32 top, T *v)
{
    const i32 m = s.rows[0];
    UNROLLED
    for (i32 e = 0; e < DEEP; e++)
        v[e] = vector_of(m, h, v[e], row_of(top, e), p);
}
DEVICE void vector_load(panel s, reflector h, i32 p, i32 top, T *v)
{
    vector_read(s, p, top, v);
    vector_reflect(s, h, p, top, v);
}

/* What a work-item adds to the numbers of a tile: to 2 c its products of column c, conjugated, and
 * v. */
DEVICE void tile_sums(const tile *t, const T *v, T *sums)
{
    UNROLLED
    for (i32 c = 0; c < COLUMNS; c++) {
        T chains[2]; /* two where numbers are real: a complex sum is two already */
        chains[0] = sums[2 * c];
        chains[1] = T_make(0, 0);
        UNROLLED
        for (i32 e = 0; e < DEEP; e++) {
            const i32 k = T_REALS > 1 ? 0 : e % 2;
            chains[k] = T_fma(t->v[c][e], T_conj(v[e]), chains[k]);
        }
        sums[2 * c] = T_REALS > 1 ? chains[0] : T_add(chains[0], chains[1]);
    }
}

/* Element p of column c is added to 2 c + 1. */
DEVICE void edge_sums(const tile *t, i32 p, T *sums)
{
    UNROLLED
    for (i32 c = 0; c < COLUMNS; c++) {
        UNROLLED
        for (i32 e = 0; e < VEC; e++)
            if (row_of(0, e) == p)
                sums[2 * c + 1] = t->v[c][e];
    }
}

/* To both the products with Q are added, so that they become those of A - P Q. */
DEVICE void thin_sums(const thin_tile *thin, thin_known known, T *sums)
{
    UNROLLED
    for (i32 c = 0; c < COLUMNS; c++) {
        if (ITEM_X < SHARES) {
            const T minus = T_neg(thin->v[c]);
            sums[2 * c] = T_fma(T_conj(known.with[ITEM_X]), minus, sums[2 * c]);
            sums[2 * c + 1] = T_fma(known.corner[ITEM_X], minus, sums[2 * c + 1]);
        }
    }
}

DEVICE void sums_clear(T *sums, const i32 count)
{
    UNROLLED
    for (i32 k = 0; k < count; k++)
        sums[k] = T_make(0, 0);
}

/* Adds so many sums over a team: each is then with LANES / count lanes, those of number k behind
 * those of number k - 1. */
DEVICE T lanes_split(T *sums, const i32 count)
{
    UNROLLED
    for (i32 distance = LANES / 2; distance > 0; distance /= 2) {
        const i32 upper = (ITEM_X & distance) != 0, half = count * distance / LANES;
        if (half == 0)
            sums[0] = T_add(sums[0], T_shuffle_xor(sums[0], distance));
        UNROLLED
        for (i32 c = 0; c < LANES / 2; c++)
            if (c < half) {
                const T kept = upper ? sums[c + half] : sums[c];
                const T given = upper ? sums[c] : sums[c + half];
                sums[c] = T_add(kept, T_shuffle_xor(given, distance));
            }
    }
    return sums[0];
}

/* The numbers of a tile, added over the group: lane k has number k % COUNT. `turn` changes from one
 * tile to the next. All work-items must come. */
DEVICE T tile_totals(T *sums, i32 turn, LOCAL_PTR T *room)
{
    LOCAL_PTR T *const at = room + turn * TEAMS * COUNT;
    const T part = lanes_split(sums, COUNT);
    if (LANE % BETWEEN == 0)
        at[TEAM * COUNT + LANE / BETWEEN] = part;
    BARRIER();
    T all[1];
    all[0] = T_make(0, 0);
    UNROLLED
    for (i32 team = 0; team < TEAMS; team += BETWEEN)
        if (team + LANE / COUNT < TEAMS)
            all[0] = T_add(all[0], at[(team + LANE / COUNT) * COUNT + LANE % COUNT]);
    lanes_add(all, 1, LANES / 2, COUNT);
    return all[0];
}

/* From the totals of a tile: elements of y and r, which are stored, and the factors of its columns
 * in w. share: this work-item's product of Q and r. */
DEVICE void tile_finish(panel s, span d, const thin_tile *thin, i32 column, i32 p, T tau, T totals,
                        T *factors, T *share)
{
    UNROLLED
    for (i32 c = 0; c < COLUMNS; c++) {
        const T z = T_shuffle(totals, 2 * c), base = T_shuffle(totals, 2 * c + 1);
        const T y = T_mul(T_conj(tau), z), r = T_conj(T_add(base, T_neg(y)));
        const i32 j = column + c;
        factors[c] = j < d.to && j > p + 1 ? r : T_make(0, 0);
        if (ITEM_X == 0 && j < d.to) {
            s.Q[(i64)j * SHARES + KINDS * p] = y;
            s.row[j] = r;
        }
        if (ITEM_X == SQUARES)
            *share = T_fma(T_conj(factors[c]), factors[c], *share);
        else if (ITEM_X < SHARES)
            *share = T_fma(ITEM_X == KINDS * p ? y : thin->v[c], factors[c], *share);
    }
}

/* Elements between those of w of two groups: each group's start on whole vectors. */
DEVICE i64 swept_apart(panel s)
{
    return (s.rows[0] + 3) / 4 * 4;
}

/* Stores so many elements of w from row `top` on; tells whether one is too large. */
DEVICE i32 swept_store(panel s, i32 p, i32 top, const T *w, const i32 count)
{
    const i32 m = s.rows[0];
    i32 large = 0;
    UNROLLED
    for (i32 e = 0; e < count; e++) {
        const i32 t = row_of(top, e);
        if (t > p && t < m) {
            s.swept[GROUP_X * swept_apart(s) + t] = w[e];
            large = large || !(T_size(w[e]) <= SAFE_TO);
        }
    }
    return large;
}

/* w of this group's columns behind p + 1 and their elements of r: plain, or as those of u. */
DEVICE i32 sweep_again(panel s, span d, i32 p, reflector h, const i32 reflected)
{
    i32 large = 0;
    ROLLED
    for (i32 top = 0; top < s.m; top += ITEMS * SOME) {
        T w[SOME];
        sums_clear(w, SOME);
        ROLLED
        for (i32 j = d.from; j < d.to; j++) {
            GLOBAL const T *const at = s.A + j * s.a.lda;
            const i32 m = s.rows[0];
            T factor = T_make(0, 0);
            if (j > p + 1)
                factor = reflected ? reflector_element(h, s.row[j]) : s.row[j];
            UNROLLED
            for (i32 e = 0; e < SOME; e++)
                w[e] = T_fma(factor, at[row_near(row_of(top, e), m, p, e)], w[e]);
        }
        large = swept_store(s, p, top, w, SOME) || large;
    }
    return large;
}

/* The first tiles of a group; they do not depend on v. */
DEVICE void sweep_begin(panel s, span d, i32 p, LOCAL_PTR T *ring)
{
    const i32 tiles = (d.to - d.from + COLUMNS - 1) / COLUMNS;
    UNROLLED
    for (i32 i = 0; i < STAGES - 1 && !TWICE; i++)
        tile_ahead(s, d, p, tiles, i, ring);
}

/* The columns of a group; sweep_begin has been there. share: as for tile_finish. Tells whether an
 * element of w is too large. All work-items must come. */
DEVICE i32 sweep(panel s, span d, i32 p, reflector h, thin_known known, LOCAL_PTR T *ring,
                 LOCAL_PTR T *room, T *share)
{
    const i32 tiles = (d.to - d.from + COLUMNS - 1) / COLUMNS;
    const T tau = reflector_tau(h);
    thin_tile next;
    T w[DEEP], v[DEEP];
    sums_clear(w, DEEP);
    if (!TWICE)
        vector_load(s, h, p, 0, v);
    UNROLLED
    for (i32 e = 0; e < DEEP && V_LOCAL; e++)
        ring[STAGES * TILE + e * ITEMS + ITEM_X] = v[e];
    if (THIN_AHEAD && tiles > 0)
        thin_load(s, d, tile_column(d, p, tiles, 0), p, &next);
    ROLLED
    for (i32 i = 0; i < tiles; i++) {
        const i32 column = tile_column(d, p, tiles, i);
        tile now;
        thin_tile thin;
        if (THIN_AHEAD)
            thin = next;
        else
            thin_load(s, d, column, p, &thin);
        T sums[COUNT], factors[COLUMNS];
        sums_clear(sums, COUNT);
        if (TWICE) {
            ROLLED
            for (i32 top = 0; top < s.m; top += ROWS) {
                tile_load(s, d, p, column, top, &now);
                vector_load(s, h, p, top, v);
                tile_sums(&now, v, sums);
                if (top == 0) {
                    edge_sums(&now, p, sums);
                    thin_sums(&thin, known, sums);
                }
            }
        } else {
            COPIES_WAIT(STAGES - 2);
            tile_take(s, p, i, ring, &now);
            tile_ahead(s, d, p, tiles, i + STAGES - 1, ring);
            UNROLLED
            for (i32 e = 0; e < DEEP && V_LOCAL; e++)
                v[e] = ring[STAGES * TILE + e * ITEMS + ITEM_X];
            tile_sums(&now, v, sums);
            edge_sums(&now, p, sums);
            thin_sums(&thin, known, sums);
        }
        if (THIN_AHEAD && i + 1 < tiles)
            thin_load(s, d, tile_column(d, p, tiles, i + 1), p, &next);
        tile_finish(s, d, &thin, column, p, tau, tile_totals(sums, i % 2, room), factors, share);
        UNROLLED
        for (i32 c = 0; c < COLUMNS && !TWICE; c++) {
            UNROLLED
            for (i32 e = 0; e < DEEP; e++)
                w[e] = T_fma(factors[c], now.v[c][e], w[e]);
        }
    }
    if (!TWICE)
        return swept_store(s, p, 0, w, DEEP);
    BARRIER(); /* r is there */
    return sweep_again(s, d, p, h, 0);
}

/* trsv.h: tiles of A, the pieces of x that other groups solve, and sums over a group, for trsv.cl.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Blocks are NB rows of op(A), counted in the order in which they are solved. A tile is what KB
 * elements of x are to a block: TALL by ACROSS elements of A. A group holds it in registers: WX
 * lanes along the rows of A, each with VEC rows per load and ROWS loads, and WY = ITEMS / WX along
 * the columns, each with COLUMNS of them.
 * Where columns do not start alike (SPREAD) the VEC rows of a lane are single ones, WX apart.
 *
 * `solved` is where groups leave x for others, with all bits turned over. Before the launch every
 * word of it is NOTHING, 0, which no solution is stored as: a NaN with all bits set becomes another
 * one. So a number tells by itself that it is there, and a group that waits for it needs no flag,
 * no fence and no second trip to memory.
 *
 * Hand-overs: trsv_publish to trsv_peek, by PUBLISH and PEEK, each word by itself; what else a
 * group wrote is not looked at, so nothing needs an order. x itself is read and written by the
 * group that has the block only. Setting back: a group that has seen every word of a block knows
 * that the block's group needs `solved` no more, for a group publishes after its last look. So the
 * group of the last block, behind the barrier after its sums, is the only one that still has to do
 * with `solved`; its own words are nobody's and stay NOTHING.
 */
#define WHOLE   1
#define AT_ONCE (ITEMS > 256 || (PREC == 3 && ITEMS > 128) ? 16 : 32)
#include "lanes.h"
#include "tile.h"
#include "trsv_diagonal.h"

#if !defined(KB) || !defined(WX) || !defined(VEC) || !defined(STEP) || !defined(ALIGN) ||          \
    !defined(SPREAD)
#error "trsv needs KB, WX, VEC, STEP, ALIGN and SPREAD"
#endif
#define PIECES  (NB / KB) /* tiles per block of x */
#define TALL    (TRANS ? KB : NB)
#define ACROSS  (TRANS ? NB : KB)
#define WY      (ITEMS / WX)
#define ROWS    (TALL / (WX * VEC))
#define COLUMNS (ACROSS / WY)
#define ITEM_R  (ITEM_X % WX) /* along the rows */
#define ITEM_C  (ITEM_X / WX) /* along the columns */
#if TRANS
#define SUMS  COLUMNS
#define TERMS (ROWS * VEC)
#else
#define SUMS  (ROWS * VEC)
#define TERMS COLUMNS
#endif

/* ---- Tiles ---- */

typedef struct trsv_tile {
    TV v[ROWS][COLUMNS];
} trsv_tile;

/* Row k of load r, and column c, of this lane in a tile. */
DEVICE i32 trsv_row(i32 r, i32 k)
{
    return r * (WX * VEC) + (SPREAD ? k * WX + ITEM_R : ITEM_R * VEC + k);
}

DEVICE i32 trsv_column(i32 c)
{
    return ITEM_C + c * WY;
}

/* VEC rows of a column, those inside the matrix; the others are 0. */
DEVICE TV trsv_guarded(trsv_data d, GLOBAL const T *column, i64 row, i32 r)
{
    TV t;
    UNROLLED
    for (i32 k = 0; k < VEC; k++) {
        const i64 at = row + trsv_row(r, k);
        t.v[k] = at >= 0 && at < d.a.n ? column[at] : T_make(0, 0);
    }
    return t;
}

DEVICE TV trsv_vector(GLOBAL const T *column, i64 row, i32 r)
{
#if SPREAD
    TV t;
    UNROLLED
    for (i32 k = 0; k < VEC; k++)
        t.v[k] = column[row + trsv_row(r, k)];
    return t;
#else
    return TV_load(column + row + trsv_row(r, 0), 0);
#endif
}

/* The row of x that a tile starts with. */
DEVICE i64 trsv_piece(trsv_data d, i64 tile)
{
    return (d.backward ? d.a.blocks * PIECES - 1 - tile : tile) * KB - d.a.shift;
}

#if BANDED
/* The tile at (row, column) of A, element by element where the band does not hold all of it. */
DEVICE trsv_tile trsv_load_band(trsv_data d, i64 row, i64 column)
{
    const i64 n = d.a.n;
    trsv_tile t;
    UNROLLED
    for (i32 r = 0; r < ROWS; r++) {
        UNROLLED
        for (i32 c = 0; c < COLUMNS; c++) {
            const i64 j = column + trsv_column(c);
            GLOBAL const T *at = d.A + column_start(j, d.a.lda, d.a.upper);
            UNROLLED
            for (i32 k = 0; k < VEC; k++) {
                const i64 i = row + trsv_row(r, k);
                const i32 exists = i >= 0 && i < n && j >= 0 && j < n && trsv_in_band(d, i, j);
                t.v[r][c].v[k] = exists ? at[i] : T_make(0, 0);
            }
        }
    }
    return t;
}
#endif

/* The tile at (row, column) of A. */
DEVICE trsv_tile trsv_load(trsv_data d, i64 row, i64 column)
{
    const i64 n = d.a.n;
    trsv_tile t;
#if BANDED
    /* Its corner that is farthest from the diagonal. */
    if (!trsv_in_band(d, d.a.upper ? row : row + TALL - 1,
                      d.a.upper ? column + ACROSS - 1 : column))
        return trsv_load_band(d, row, column);
#endif
    if (row >= 0 && row + TALL <= n && column >= 0 && column + ACROSS <= n) {
        UNROLLED
        for (i32 c = 0; c < COLUMNS; c++) {
            UNROLLED
            for (i32 r = 0; r < ROWS; r++)
                t.v[r][c] = trsv_vector(
                    d.A + column_start(column + trsv_column(c), d.a.lda, d.a.upper), row, r);
        }
        return t;
    }
    /* Loads that happen or do not, none of them on a path of its own: all are in flight together.
     * Only lanes with a vector across the edge have more to do. */
    UNROLLED
    for (i32 r = 0; r < ROWS; r++) {
        const i64 from = row + trsv_row(r, 0), to = row + trsv_row(r, VEC - 1);
        const i32 whole = from >= 0 && to < n;
        UNROLLED
        for (i32 c = 0; c < COLUMNS; c++) {
            const i64 at = column + trsv_column(c);
            t.v[r][c] = TV_zero();
            if (whole && at >= 0 && at < n)
                t.v[r][c] = trsv_vector(d.A + column_start(at, d.a.lda, d.a.upper), row, r);
        }
        if (!whole && to >= 0 && from < n) {
            UNROLLED
            for (i32 c = 0; c < COLUMNS; c++) {
                const i64 at = column + trsv_column(c);
                if (at >= 0 && at < n)
                    t.v[r][c] = trsv_guarded(d, d.A + column_start(at, d.a.lda, d.a.upper), row, r);
            }
        }
    }
    return t;
}

/* ---- x between groups ---- */

#if PREC == 0 || PREC == 2
typedef u32 word;
#else
typedef u64 word;
#endif
#define NOTHING ((word)0)

typedef union trsv_bits {
    word bits;
    R number;
} trsv_bits;

DEVICE void trsv_publish(GLOBAL volatile word *solved, i64 row, T x)
{
    UNROLLED
    for (i32 part = 0; part < T_REALS; part++) {
        trsv_bits b;
        b.number = T_real(x, part);
        PUBLISH(&solved[row * T_REALS + part], ~b.bits == NOTHING ? NOTHING + 1 : ~b.bits);
    }
}

/* Makes `solved` what it was before the launch; see the head of this file for when. */
DEVICE void trsv_set_back(trsv_data d, GLOBAL volatile word *solved)
{
    ROLLED
    for (i64 at = ITEM_X; at < d.a.n * T_REALS; at += ITEMS)
        PUBLISH(&solved[at], NOTHING);
}

/* The elements of x that this lane multiplies its tile with, as far as they are there. */
typedef struct trsv_terms {
    word v[TERMS * T_REALS];
} trsv_terms;

DEVICE i64 trsv_term(i64 start, i32 t)
{
    return start + (TRANS ? trsv_row(t / VEC, t % VEC) : trsv_column(t));
}

DEVICE trsv_terms trsv_peek(trsv_data d, GLOBAL const volatile word *solved, i64 start)
{
    trsv_terms x;
    UNROLLED
    for (i32 t = 0; t < TERMS; t++) {
        const i64 row = trsv_term(start, t);
        const i32 exists = row >= 0 && row < d.a.n;
        UNROLLED
        for (i32 part = 0; part < T_REALS; part++)
            x.v[t * T_REALS + part] = exists ? PEEK(&solved[row * T_REALS + part]) : ~(word)0;
    }
    return x;
}

/* Waits for those that were not there. */
DEVICE trsv_terms trsv_await(trsv_data d, GLOBAL const volatile word *solved, i64 start,
                             trsv_terms x)
{
    for (;;) {
        i32 missing = 0;
        UNROLLED
        for (i32 t = 0; t < TERMS * T_REALS; t++)
            missing |= x.v[t] == NOTHING;
        if (!missing)
            return x;
        x = trsv_peek(d, solved, start);
    }
}

/* Waits for the last row of a tile; as a rule the rows before it are solved by then. All work-items
 * must come. */
DEVICE void trsv_gate(trsv_data d, GLOBAL const volatile word *solved, i64 tile)
{
    if (ITEM_X == 0) {
        i64 row = trsv_piece(d, tile) + (d.backward ? 0 : KB - 1);
        row = row < 0 ? 0 : row < d.a.n ? row : d.a.n - 1;
        while (PEEK(&solved[row * T_REALS]) == NOTHING) {
        }
    }
    BARRIER();
}

/* ---- Sums ---- */

typedef struct trsv_sums {
    T v[SUMS];
} trsv_sums;

DEVICE trsv_sums trsv_multiply(trsv_tile tile, trsv_terms x, trsv_sums sums)
{
    T xs[TERMS];
    UNROLLED
    for (i32 t = 0; t < TERMS; t++) {
        trsv_bits re, im;
        re.bits = ~x.v[t * T_REALS];
        im.bits = ~x.v[t * T_REALS + T_REALS - 1];
        xs[t] = T_make(re.number, im.number);
    }
    UNROLLED
    for (i32 c = 0; c < COLUMNS; c++) {
        UNROLLED
        for (i32 r = 0; r < ROWS; r++) {
            UNROLLED
            for (i32 k = 0; k < VEC; k++) {
                const i32 row = r * VEC + k;
#if TRANS
                const T a = CONJ ? T_conj(tile.v[r][c].v[k]) : tile.v[r][c].v[k];
                sums.v[c] = T_fma(a, xs[row], sums.v[c]);
#else
                sums.v[row] = T_fma(tile.v[r][c].v[k], xs[c], sums.v[row]);
#endif
            }
        }
    }
    return sums;
}

/* Lanes whose sums are of the same outputs: first through registers, where they run together, which
 * leaves LEFT sums of each output, then through local memory. */
#if TRANS
#define TOGETHER (WX < WARP_SIZE ? WX : WARP_SIZE)
#define LEFT     (WX / TOGETHER)
#define PLACE    (ITEM_R / TOGETHER)
#define WRITES   (ITEM_R % TOGETHER == 0)
#elif WX < WARP_SIZE
#define LEFT   (ITEMS / WARP_SIZE)
#define PLACE  (ITEM_X / WARP_SIZE)
#define WRITES (ITEM_X % WARP_SIZE < WX)
#else
#define LEFT   WY
#define PLACE  ITEM_C
#define WRITES 1
#endif

/* Puts this lane's share of the sums of a block into local memory, as NB sums in each of LEFT
 * places. */
DEVICE void trsv_put_sums(trsv_sums sums, LOCAL_PTR T *parts)
{
#if WARP_SIZE > 1
#if TRANS
    lanes_add(sums.v, SUMS, TOGETHER / 2, 1);
#else
    lanes_add(sums.v, SUMS, WARP_SIZE / 2, WX);
#endif
#endif
    if (WRITES) {
        UNROLLED
        for (i32 s = 0; s < SUMS; s++) {
            const i32 output = TRANS ? trsv_column(s) : trsv_row(s / VEC, s % VEC);
            parts[PLACE * NB + output] = sums.v[s];
        }
    }
}

DEVICE T trsv_take_sum(LOCAL_PTR const T *parts, i32 output)
{
    T sum = parts[output];
    UNROLLED
    for (i32 place = 1; place < LEFT; place++)
        sum = T_add(parts[place * NB + output], sum);
    return sum;
}

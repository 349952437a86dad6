/* rank_update.h: A := A + alpha x y^T and its relatives, on a matrix or a triangle: ger, syr, syr2,
 * spr, spr2.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A kernel defines TRIANGLE, whether only one triangle of A is there, and TERMS: 1, or 2 where
 * alpha y x^T is added as well (with conj: conj(alpha) y x^H).
 *
 * A group is WX lanes along the rows and WY = ITEMS / WX along the columns, and its work a tile: a
 * block of WX * VEC rows of a strip of columns. A lane keeps its VEC elements of x in registers and
 * walks along the columns of the strip, UNROLL of them requested before the first is stored.
 *
 * Vectors stand on aligned addresses, so the first may start `shift` rows above the matrix. Where
 * columns do not start alike (SPREAD) a lane has VEC single rows instead, WX apart: loads of
 * neighbours still make whole cache lines. A lane whose rows lie inside the matrix (strictly inside
 * the triangle) in all columns of the strip goes fast; the others ask for every element.
 *
 * Columns of a packed triangle (storage.h) each start in their own way. On a GPU (SHIFTED) the rows
 * of a tile therefore start at a cache line in every column, `rank_shift` rows above those of a
 * column that starts at one: without that a row of lanes would touch a line more than it needs,
 * twice. The parts of x and y that belong to these rows differ from column to column, too, and come
 * from the nearest cache.
 *
 * Of a triangle only tiles that touch it have a group. Strips go in pairs, the longest with the
 * shortest: each pair has nearly the same number of blocks, so no group has to search for its tile.
 *
 * alpha = 0: nothing is read or written. Geometry: groups of ITEMS work-items along x. Macros:
 * ITEMS, WX, VEC, UNROLL; ALIGN, the alignment in bytes that a vector may count on; SPREAD;
 * storage.h. No barriers.
 */
#include "rank_update_args.h"
#include "scalars.h"
#include "storage.h"
#include "tile.h"

#if !defined(ITEMS) || !defined(WX) || !defined(VEC) || !defined(UNROLL) || !defined(ALIGN)
#error "updates need ITEMS, WX, VEC, UNROLL and ALIGN"
#endif
#if !defined(SPREAD) || !defined(TRIANGLE) || !defined(TERMS)
#error "updates need SPREAD, TRIANGLE and TERMS"
#endif
#define WY     (ITEMS / WX)
#define ITEM_R (ITEM_X % WX)     /* along the rows */
#define ITEM_C (ITEM_X / WX)     /* along the columns */
#define ROWS   (WX * VEC)        /* of a block */
#define APART  (SPREAD ? WX : 1) /* rows of a lane */

#define SHIFTED  (PACKED && SPREAD)
#define LINE     (128 / (i32)sizeof(T)) /* elements of a cache line */
#define FARTHEST (SHIFTED ? LINE - 1 : 0)

/* The operands of a kernel. */
typedef struct rank_data {
    GLOBAL T *A;
    GLOBAL const T *x;
    GLOBAL const T *y;
    T alpha;
    rank_update_args a;
} rank_data;

/* A lane's elements of x, and of y, which are multiplied with the scalars of a column. Nothing is
 * computed with them before A is requested: a group would wait for memory twice. */
typedef struct rank_pieces {
    T v[TERMS][VEC];
} rank_pieces;

/* The scalars of a column: alpha y_j, and conj(alpha) x_j. */
typedef struct rank_scalars {
    T v[TERMS];
} rank_scalars;

/* ---- Rows ---- */

/* The rows of a column that the update changes: [from, end); none from column `last` on. */
DEVICE i64 rank_from(rank_update_args a, i64 j)
{
    return TRIANGLE && !a.upper ? j : 0;
}

DEVICE i64 rank_end(rank_update_args a, i64 j, i64 last)
{
    const i64 end = TRIANGLE && a.upper ? j + 1 : a.m;
    return j < last ? end : 0;
}

/* Rows above row 0 at which the blocks of a strip may start, as it counts for the first and the
 * last of them. */
DEVICE i64 rank_lead(rank_update_args a)
{
    return SHIFTED ? (a.upper ? FARTHEST : 0) : a.shift;
}

/* Rows above those of an unshifted column at which a lane's rows of this one start; its row 0
 * stands at `start`. */
DEVICE i32 rank_shift(rank_update_args a, i64 start)
{
    return SHIFTED ? (i32)(start + a.shift) & FARTHEST : 0;
}

/* Whether all rows of a lane are changed in all columns [first, last), and none is on the
 * diagonal. */
DEVICE i32 rank_whole(rank_update_args a, i64 row, i64 first, i64 last)
{
    const i64 end = row + (VEC - 1) * APART + 1, begin = row - FARTHEST;
    if (TRIANGLE)
        return a.upper ? begin >= 0 && end <= first : begin >= last && end <= a.m;
    return begin >= 0 && end <= a.m;
}

/* ---- Scalars and pieces ---- */

DEVICE T rank_conj(rank_update_args a, T value)
{
    return a.conj ? T_conj(value) : value;
}

/* alpha y; in her, where alpha is real, without 0 times an infinity. */
DEVICE T rank_times(rank_update_args a, T alpha, T y)
{
#if TRIANGLE && TERMS == 1
    if (a.conj)
        return T_scale(T_real(alpha, 0), y);
#endif
    (void)a;
    return T_mul(alpha, y);
}

DEVICE rank_pieces rank_take(rank_data d, i64 row)
{
    rank_pieces p;
    UNROLLED
    for (i32 k = 0; k < VEC; k++) {
        const i64 r = row + k * APART;
        p.v[0][k] = d.x[r * d.a.incx];
#if TERMS > 1
        p.v[1][k] = d.y[r * d.a.incy];
#endif
    }
    return p;
}

/* The same where rows may lie outside of the matrix. */
DEVICE rank_pieces rank_take_some(rank_data d, i64 row)
{
    rank_pieces p;
    UNROLLED
    for (i32 k = 0; k < VEC; k++) {
        const i64 r = row + k * APART;
        const i32 there = r >= 0 && r < d.a.m;
        p.v[0][k] = there ? d.x[r * d.a.incx] : T_make(0, 0);
#if TERMS > 1
        p.v[1][k] = there ? d.y[r * d.a.incy] : T_make(0, 0);
#endif
    }
    return p;
}

DEVICE rank_scalars rank_column(rank_data d, i64 j)
{
    rank_scalars s;
    s.v[0] = rank_times(d.a, d.alpha, rank_conj(d.a, d.y[j * d.a.incy]));
#if TERMS > 1
    s.v[1] = T_mul(rank_conj(d.a, d.alpha), rank_conj(d.a, d.x[j * d.a.incx]));
#endif
    return s;
}

DEVICE T rank_new(T old, rank_pieces p, i32 k, rank_scalars s)
{
    T value = T_fma(p.v[0][k], s.v[0], old);
#if TERMS > 1
    value = T_fma(p.v[1][k], s.v[1], value);
#endif
    return value;
}

/* ---- One column of a lane; `at` is its first row ---- */

DEVICE TV rank_load(GLOBAL const T *at)
{
    return SPREAD ? TV_load_spread(at, 0, WX) : TV_load(at, 0);
}

DEVICE void rank_store(GLOBAL T *at, TV t, rank_pieces p, rank_scalars s)
{
    UNROLLED
    for (i32 k = 0; k < VEC; k++)
        t.v[k] = rank_new(t.v[k], p, k, s);
#if SPREAD
    UNROLLED
    for (i32 k = 0; k < VEC; k++)
        at[k * WX] = t.v[k];
#else
    *(GLOBAL TV *)at = t;
#endif
}

/* The same for rows that lie in [from, end) only. `real` is the row of a Hermitian matrix's
 * diagonal, or none. */
DEVICE void rank_store_some(GLOBAL T *at, TV t, rank_pieces p, rank_scalars s, i64 row, i64 from,
                            i64 end, i64 real)
{
    UNROLLED
    for (i32 k = 0; k < VEC; k++) {
        const i64 r = row + k * APART;
        T value = rank_new(t.v[k], p, k, s);
        if (r == real)
            value = T_make(T_real(value, 0), 0);
        if (r >= from && r < end)
            at[k * APART] = value;
    }
}

/* ---- A tile ---- */

/* Parts of x and y that are kept at a time. */
#define PIECES (SHIFTED ? UNROLL : 1)

/* Where the rows of a lane start in column j + u * WY, and which is the first of them. Where
 * columns are equally far apart, `at` is where those of column j start: one address then serves for
 * all, and takes fewer registers. */
DEVICE GLOBAL T *rank_at(rank_data d, GLOBAL T *at, i64 step, i64 j, i32 u, i64 row, i64 *first)
{
    (void)d, (void)at, (void)step, (void)j;
#if PACKED
    const i64 start = column_start(j + u * WY, d.a.lda, d.a.upper);
    *first = row - rank_shift(d.a, start);
    return d.A + start + *first;
#else
    *first = row;
    return at + u * step;
#endif
}

DEVICE void rank_fast(rank_data d, i64 row, i64 first, i64 last)
{
    rank_pieces p[PIECES];
    const i64 step = WY * d.a.lda;
    i64 j = first + ITEM_C, r;
    GLOBAL T *at = d.A + row + j * d.a.lda;
    if (!SHIFTED)
        p[0] = rank_take(d, row);
    ROLLED
    for (; j + (UNROLL - 1) * WY < last; j += UNROLL * WY) {
        TV t[UNROLL];
        rank_scalars s[UNROLL];
        UNROLLED
        for (i32 u = 0; u < UNROLL; u++) {
            t[u] = rank_load(rank_at(d, at, step, j, u, row, &r));
            if (SHIFTED)
                p[u % PIECES] = rank_take(d, r);
        }
        UNROLLED
        for (i32 u = 0; u < UNROLL; u++)
            s[u] = rank_column(d, j + u * WY);
        UNROLLED
        for (i32 u = 0; u < UNROLL; u++)
            rank_store(rank_at(d, at, step, j, u, row, &r), t[u], p[u % PIECES], s[u]);
        at += UNROLL * step;
    }
    ROLLED
    for (; j < last; j += WY) {
        GLOBAL T *to = rank_at(d, at, step, j, 0, row, &r);
        if (SHIFTED)
            p[0] = rank_take(d, r);
        rank_store(to, rank_load(to), p[0], rank_column(d, j));
        at += step;
    }
}

/* Fewer loads in flight: with more, its tests would cost the other path registers. */
#define SOME (UNROLL < 2 ? UNROLL : 2)

DEVICE void rank_masked(rank_data d, i64 row, i64 first, i64 last)
{
    rank_pieces p[PIECES];
    const i64 step = WY * d.a.lda;
    i64 j = first + ITEM_C, r;
    GLOBAL T *at = d.A + row + j * d.a.lda;
    if (!SHIFTED)
        p[0] = rank_take_some(d, row);
    ROLLED
    for (; j < last; j += SOME * WY) {
        TV t[SOME];
        rank_scalars s[SOME];
        UNROLLED
        for (i32 u = 0; u < SOME; u++) {
            const i64 column = j + u * WY;
            GLOBAL const T *from = rank_at(d, at, step, j, u, row, &r);
            t[u] =
                TV_load_some(from, APART, r, rank_from(d.a, column), rank_end(d.a, column, last));
            s[u] = rank_column(d, column < last ? column : j);
            if (SHIFTED)
                p[u % PIECES] = rank_take_some(d, r);
        }
        UNROLLED
        for (i32 u = 0; u < SOME; u++) {
            const i64 column = j + u * WY;
            GLOBAL T *to = rank_at(d, at, step, j, u, row, &r);
            rank_store_some(to, t[u], p[u % PIECES], s[u], r, rank_from(d.a, column),
                            rank_end(d.a, column, last), TRIANGLE && d.a.conj ? column : -1);
        }
        at += SOME * step;
    }
}

DEVICE void rank_tile(rank_data d, i64 block, i64 strip)
{
    const i64 first = strip * d.a.columns;
    const i64 last = first + d.a.columns < d.a.n ? first + d.a.columns : d.a.n;
    const i64 row = block * ROWS - (SHIFTED ? 0 : d.a.shift) + (SPREAD ? ITEM_R : ITEM_R * VEC);
    if (rank_whole(d.a, row, first, last))
        rank_fast(d, row, first, last);
    else if (row - FARTHEST < d.a.m)
        rank_masked(d, row, first, last);
}

#if TRIANGLE
/* Blocks above those of a strip, which a lower triangle has not; and blocks of a strip. */
DEVICE i32 rank_above(rank_update_args a, i32 strip)
{
    return a.upper ? 0 : (i32)((strip * a.columns + rank_lead(a)) / ROWS);
}

DEVICE i32 rank_count(rank_update_args a, i32 strip)
{
    const i64 end = (strip + 1) * a.columns < a.n ? (strip + 1) * a.columns : a.n;
    return a.upper ? (i32)((end - 1 + rank_lead(a)) / ROWS) + 1
                   : (i32)a.blocks - rank_above(a, strip);
}
#endif

/* The tile of this group, if there is one. */
DEVICE void rank_group(rank_data d)
{
    const i32 width = (i32)d.a.width, pair = (i32)GROUP_X / width;
    i32 place = (i32)GROUP_X - pair * width;
#if TRIANGLE
    const i32 shortest = (i32)d.a.strips - 1 - pair, count = rank_count(d.a, pair);
    i32 strip = pair;
    if (place >= count) {
        strip = shortest;
        place -= count;
        if (shortest == pair || place >= rank_count(d.a, shortest))
            return;
    }
    rank_tile(d, rank_above(d.a, strip) + place, strip);
#else
    rank_tile(d, place, pair);
#endif
}

DEVICE void rank_update(GLOBAL const R *alpha_at, GLOBAL T *A, GLOBAL const T *x, GLOBAL const T *y,
                        rank_update_args a)
{
    rank_data d;
    d.A = A;
    d.x = x;
    d.y = y;
    d.alpha =
        scalar_of(alpha_at, a.alpha_on_device, a.alpha_re, a.alpha_im, a.alpha_real ? 1 : T_REALS);
    d.a = a;
    if (!T_is_zero(d.alpha))
        rank_group(d);
}

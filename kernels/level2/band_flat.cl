/* band_flat.cl: y := alpha op(A) x + beta y, A a narrow band matrix
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A group takes the memory that holds its columns as it lies there, from the first element it needs
 * to the last, in loads of VEC elements, into local memory; there each work-item sums a row, a
 * column or both of each output it has. What is stored between the columns comes along and is not
 * used. Local memory is read without conflicts where lda is odd.
 *
 * IN_PLACE: y is x too. A group has loaded its own rows when it changes them; `x` are its
 * neighbours' elements, saved by band_save.cl.
 *
 * alpha = 0: A and x are not read; beta = 0: y is not. Geometry: groups of ITEMS work-items along
 * x, one for each `rows` elements of y. Macros: band.h; ITEMS; UNROLL, loads in flight per
 * work-item; VEC, elements per load, and ALIGN, the bytes it may count on; TILE, elements of local
 * memory for A, a multiple of VEC; BESIDE, those for x; PLACES, the width of the band where it is
 * known, or 0; IN_PLACE 0 or 1.
 * Local memory: LOCAL_ROOM of TILE + BESIDE elements. Barriers: one, which all work-items reach.
 */
#include "band.h"
#include "tile.h"

#if !defined(ITEMS) || !defined(UNROLL) || !defined(TILE) || !defined(BESIDE)
#error "band_flat needs ITEMS, UNROLL, TILE and BESIDE"
#endif
#if !defined(PLACES) || !defined(IN_PLACE)
#error "band_flat needs PLACES and IN_PLACE"
#endif

#define X_LOADS 8 /* of x in flight per work-item */
#define AHEAD   4 /* elements of local memory that are read at once */

/* What a group works on. Local memory starts with element `start` of A, and with element x_first of
 * x. */
typedef struct flat_data {
    band_args a;
    i64 row;        /* its first output */
    i64 first, end; /* columns */
    i64 start;
    i64 x_first, x_end;
} flat_data;

DEVICE flat_data flat_cut(band_args a)
{
    flat_data d;
    const i64 before = band_most(ALONG_ROWS ? a.kl : 0, ALONG_COLUMNS ? a.ku : 0),
              after = band_most(ALONG_ROWS ? a.ku : 0, ALONG_COLUMNS ? a.kl : 0);
    const i64 inputs = ALONG_ROWS ? a.n : a.m;
    d.a = a;
    d.row = GROUP_X * a.rows;
    const i64 last = band_least(d.row + a.rows, a.outputs);
    d.first = band_most(d.row - (ALONG_ROWS ? a.kl : 0), 0);
    d.end = band_least(last + (ALONG_ROWS ? a.ku : 0), a.n);
    d.start = (d.first * a.lda + a.offset) / VEC * VEC - a.offset;
    d.x_first = band_most(d.row - before, 0);
    d.x_end = band_least(last + after, inputs);
    return d;
}

/* Vector q of the group's memory. Elements outside of the array are not loaded. */
DEVICE TV flat_load(GLOBAL const T *A, flat_data d, i32 q, i32 whole_from, i32 whole_to)
{
    TV t;
    if (q >= whole_from && q < whole_to) {
        t = ((GLOBAL const TV *)(A + d.start))[q];
    } else {
        const i64 all = (d.a.n - 1) * d.a.lda + d.a.kl + d.a.ku + 1;
        UNROLLED
        for (i32 v = 0; v < VEC; v++) {
            const i64 at = d.start + (i64)q * VEC + v;
            t.v[v] = T_make(0, 0);
            if (at >= 0 && at < all)
                t.v[v] = A[at];
        }
    }
    return t;
}

DEVICE void flat_fill(GLOBAL const T *A, flat_data d, LOCAL_PTR TV *tile)
{
    const i64 all = (d.a.n - 1) * d.a.lda + d.a.kl + d.a.ku + 1;
    const i64 wanted = (d.end - 1) * d.a.lda + d.a.kl + d.a.ku + 1 - d.start;
    const i32 count = (i32)((wanted + VEC - 1) / VEC);
    const i32 whole_from = d.start < 0 ? 1 : 0;
    const i32 whole_to = (i32)band_least((all - d.start) / VEC, count);
    ROLLED
    for (i32 from = ITEM_X; from < count; from += ITEMS * UNROLL) {
        TV t[UNROLL];
        UNROLLED
        for (i32 u = 0; u < UNROLL; u++)
            if (from + u * ITEMS < count)
                t[u] = flat_load(A, d, from + u * ITEMS, whole_from, whole_to);
        UNROLLED
        for (i32 u = 0; u < UNROLL; u++)
            if (from + u * ITEMS < count)
                tile[from + u * ITEMS] = t[u];
    }
}

/* Elements of x that a work-item has in flight: those of place `from` of the group, and of every
 * ITEMS-th behind it. */
typedef struct flat_xs {
    T v[X_LOADS];
} flat_xs;

DEVICE flat_xs flat_load_x(GLOBAL const T *x, GLOBAL const T *y, flat_data d, i32 from)
{
    const i32 count = (i32)(d.x_end - d.x_first);
    flat_xs t;
    (void)y;
    UNROLLED
    for (i32 u = 0; u < X_LOADS; u++) {
        const i64 i = d.x_first + from + u * ITEMS;
        t.v[u] = T_make(0, 0);
        if (from + u * ITEMS < count) {
#if IN_PLACE
            const i64 beside = d.a.kl + d.a.ku;
            if (i >= d.row && i < d.row + d.a.rows)
                t.v[u] = y[i * d.a.incy];
            else
                t.v[u] = x[GROUP_X * beside + i - (d.a.before ? d.row - beside : d.row + d.a.rows)];
#else
            t.v[u] = x[i * d.a.incx];
#endif
        }
    }
    return t;
}

DEVICE void flat_keep_x(flat_xs t, flat_data d, i32 from, LOCAL_PTR T *xs)
{
    UNROLLED
    for (i32 u = 0; u < X_LOADS; u++)
        if (from + u * ITEMS < (i32)(d.x_end - d.x_first))
            xs[from + u * ITEMS] = t.v[u];
}

/* The sum of `count` elements, `step` apart, with as many of x. */
DEVICE T flat_sum(T sum, LOCAL_PTR const T *at, i32 step, LOCAL_PTR const T *xs, i32 count,
                  i32 along_column)
{
#if PLACES > 0
    UNROLLED
    for (i32 p = 0; p < PLACES; p++)
        if (p < count)
            sum = band_step(at[p * step], xs[p], sum, along_column);
#else
    i32 p = 0;
    ROLLED
    for (; p + AHEAD <= count; p += AHEAD) {
        T a[AHEAD], x[AHEAD];
        UNROLLED
        for (i32 u = 0; u < AHEAD; u++) {
            a[u] = at[(p + u) * step];
            x[u] = xs[p + u];
        }
        UNROLLED
        for (i32 u = 0; u < AHEAD; u++)
            sum = band_step(a[u], x[u], sum, along_column);
    }
    ROLLED
    for (; p < count; p++)
        sum = band_step(at[p * step], xs[p], sum, along_column);
#endif
    return sum;
}

/* Places [begin, end) of a row or column, of which place `diagonal` may be special. `at` and `xs`
 * are of place 0. */
DEVICE T flat_line(T sum, LOCAL_PTR const T *at, i32 step, LOCAL_PTR const T *xs, i32 begin,
                   i32 end, i32 diagonal, i32 along_column)
{
#if DIAGONAL
    if (diagonal >= begin && diagonal < end) {
        sum = flat_sum(sum, at + begin * step, step, xs + begin, diagonal - begin, along_column);
        sum = band_step(band_diagonal(at[diagonal * step]), xs[diagonal], sum, along_column);
        begin = diagonal + 1;
    }
#else
    (void)diagonal;
#endif
    return flat_sum(sum, at + begin * step, step, xs + begin, end - begin, along_column);
}

DEVICE i32 flat_near(i64 distance)
{
    return (i32)band_least(band_most(distance, -(1 << 30)), 1 << 30);
}

DEVICE i32 flat_most(i32 a, i32 b)
{
    return a > b ? a : b;
}

DEVICE i32 flat_least(i32 a, i32 b)
{
    return a < b ? a : b;
}

/* What outputs of a group have in common, in 32 bits: the rest is counted from its first output. */
typedef struct flat_lines {
    i32 kl, ku, lda;
    i32 column,
        x; /* where the first output's column starts in local memory, and its element of x */
    i32 left,
        right; /* columns that the first output's row lacks, and the first place it does not have */
    i32 above, below; /* the same of its column */
    i32 first, end;   /* places of a column that count */
} flat_lines;

DEVICE flat_lines flat_lines_of(flat_data d)
{
    flat_lines l;
    l.kl = (i32)d.a.kl;
    l.ku = (i32)d.a.ku;
    l.lda = (i32)d.a.lda;
    l.column = (i32)(d.row * d.a.lda - d.start);
    l.x = (i32)(d.row - d.x_first);
    l.left = flat_near(d.a.kl - d.row);
    l.right = flat_near(d.a.n - d.row + d.a.kl);
    l.above = flat_near(d.a.ku - d.row);
    l.below = flat_near(d.a.m - d.row + d.a.ku);
    l.first = (i32)band_first_place(d.a);
    l.end = (i32)band_end_place(d.a);
    return l;
}

/* Output r of the group. Place p of its row is column r - kl + p, place p of its column is row r -
 * ku + p. */
DEVICE T flat_output(flat_lines l, i32 r, LOCAL_PTR const T *tile, LOCAL_PTR const T *xs)
{
    const i32 column = l.column + r * l.lda, x = l.x + r;
    T sum = T_make(0, 0);
#if ALONG_ROWS
    const i32 begin = flat_most(l.left - r, 0), end = flat_least(l.kl + l.ku + 1, l.right - r);
    if (begin < end)
        sum = flat_line(sum, tile + (column - l.kl * l.lda + l.ku + l.kl), l.lda - 1,
                        xs + (x - l.kl), begin, end, l.kl, 0);
#endif
#if ALONG_COLUMNS
    const i32 top = flat_most(l.above - r, l.first), bottom = flat_least(l.end, l.below - r);
    if (top < bottom)
        sum = flat_line(sum, tile + column, 1, xs + (x - l.ku), top, bottom, l.ku, 1);
#endif
    return sum;
}

/* Work-items that a multiprocessor should hold: its local memory has room for four groups of
 * 256. */
#define RESIDENT (PREC < 3 ? 1024 : 512)

KERNEL(band_flat, ITEMS, 1, (RESIDENT > ITEMS ? RESIDENT / ITEMS : 1))
(GLOBAL const R *RESTRICT alpha_at, GLOBAL const R *RESTRICT beta_at, GLOBAL const T *RESTRICT A,
 GLOBAL const T *x, GLOBAL T *y, band_args a)
{
    LOCAL_ROOM(TV, room, (TILE + BESIDE) / VEC);
    BEGIN();
    LOCAL_PTR T *tile = (LOCAL_PTR T *)room, *xs = tile + TILE;
    const T alpha = SCALED ? band_alpha(alpha_at, a) : T_make(1, 0);
    const T beta = SCALED ? band_beta(beta_at, a) : T_make(0, 0);
    const flat_data d = flat_cut(a);
    const i32 reads = !T_is_zero(alpha) && d.first < d.end;
    const i32 count = (i32)band_least(a.rows, a.outputs - d.row);
    if (reads) {
        /* What is needed of x is under way while the band is loaded. */
        flat_xs ahead = flat_load_x(x, y, d, ITEM_X);
        flat_fill(A, d, room);
        ROLLED
        for (i32 from = ITEM_X; from < (i32)(d.x_end - d.x_first); from += X_LOADS * ITEMS) {
            flat_keep_x(ahead, d, from, xs);
            ahead = flat_load_x(x, y, d, from + X_LOADS * ITEMS);
        }
    }
    BARRIER();
    const flat_lines l = flat_lines_of(d);
    ROLLED
    for (i32 r = ITEM_X; r < count; r += ITEMS) {
        const T sum = reads ? flat_output(l, r, tile, xs) : T_make(0, 0);
        band_store(y, (d.row + r) * a.incy, alpha, sum, beta);
    }
}

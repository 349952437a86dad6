/* band_flat.cl: y := alpha op(A) x + beta y, A a narrow band matrix
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A group takes the memory that holds its columns as it lies there, from the first element it needs to the last, in
 * loads of VEC elements, into local memory; there each work-item sums a row, a column or both of each output it has.
 * What is stored between the columns comes along and is not used. Local memory is read without conflicts where lda is odd.
 *
 * IN_PLACE: y is x too. A group has loaded its own rows when it changes them; `x` are its neighbours' elements, saved
 * by band_save.cl.
 *
 * alpha = 0: A and x are not read; beta = 0: y is not. Geometry: groups of ITEMS work-items along x, one for each `rows`
 * elements of y. Macros: band.h; ITEMS; UNROLL, loads in flight per work-item; VEC, elements per load, and ALIGN, the bytes
 * it may count on; TILE, elements of local memory for A, a multiple of VEC; BESIDE, those for x; IN_PLACE 0 or 1.
 * Local memory: LOCAL_ROOM of TILE + BESIDE elements. Barriers: one, which all work-items reach.
 */
#include "band.h"
#include "tile.h"

#if !defined(ITEMS) || !defined(UNROLL) || !defined(TILE) || !defined(BESIDE) || !defined(IN_PLACE)
#error "band_flat needs ITEMS, UNROLL, TILE, BESIDE and IN_PLACE"
#endif

#define X_LOADS 8 /* of x in flight per work-item */
#define AHEAD   4 /* elements of local memory that are read at once */

/* What a group works on. Local memory starts with element `start` of A, and with element x_first of x. */
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
    for (i32 from = LANE_X; from < count; from += ITEMS * UNROLL) {
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

/* Elements of x that a work-item has in flight: those of place `from` of the group, and of every ITEMS-th behind it. */
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
    return sum;
}

/* Places [begin, end) of a row or column, of which place `diagonal` may be special. `at` and `xs` are of place 0. */
DEVICE T flat_line(T sum, LOCAL_PTR const T *at, i32 step, LOCAL_PTR const T *xs, i32 begin, i32 end,
                   i32 diagonal, i32 along_column)
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

/* Output i. Place p of its row is column i - kl + p, place p of its column is row i - ku + p. */
DEVICE T flat_output(flat_data d, i64 i, LOCAL_PTR const T *tile, LOCAL_PTR const T *xs)
{
    const i32 kl = (i32)d.a.kl, ku = (i32)d.a.ku, lda = (i32)d.a.lda;
    /* Of the column: where it starts in local memory. It may lie outside, where its row reaches over the edge. */
    const i32 column = (i32)(i * d.a.lda - d.start);
    const i32 x_at = (i32)(i - d.x_first);
    T sum = T_make(0, 0);
#if ALONG_ROWS
    const i32 begin = (i32)band_most(kl - i, 0), end = (i32)band_least(kl + ku + 1, d.a.n - i + kl);
    if (begin < end)
        sum = flat_line(sum, tile + (column - kl * lda + ku + kl), lda - 1, xs + (x_at - kl), begin,
                        end, kl, 0);
#endif
#if ALONG_COLUMNS
    const i32 top = (i32)band_most(ku - i, band_first_place(d.a)),
              bottom = (i32)band_least(band_end_place(d.a), d.a.m - i + ku);
    if (top < bottom)
        sum = flat_line(sum, tile + column, 1, xs + (x_at - ku), top, bottom, ku, 1);
#endif
    return sum;
}

KERNEL(band_flat, ITEMS, 1, 1)
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
        flat_xs ahead = flat_load_x(x, y, d, LANE_X);
        flat_fill(A, d, room);
        ROLLED
        for (i32 from = LANE_X; from < (i32)(d.x_end - d.x_first); from += X_LOADS * ITEMS) {
            flat_keep_x(ahead, d, from, xs);
            ahead = flat_load_x(x, y, d, from + X_LOADS * ITEMS);
        }
    }
    BARRIER();
    ROLLED
    for (i32 r = LANE_X; r < count; r += ITEMS) {
        const i64 i = d.row + r;
        const T sum = reads ? flat_output(d, i, tile, xs) : T_make(0, 0);
        band_store(y, i * a.incy, alpha, sum, beta);
    }
}

/* band_tile.cl: y := alpha op(A) x + beta y, A a band matrix
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A group computes `rows` elements of y. It takes the band in chunks of `deep` places: it loads a
 * chunk as it stands in memory, neighbours side by side, into a tile of local memory, and then
 * work-items sum along rows or columns of the tile; HELPERS of them share an element. Tile place
 * (d, c) is at d * pitch + c with an odd pitch, so that stores go to different banks; sums read
 * neighbours side by side.
 *
 * The elements of some rows lie in a parallelogram: in the first columns low places miss, in as
 * many columns behind the last the high ones. Both together are whole columns, so a work-item that
 * finds itself before the parallelogram (c + d < fold) takes the place `columns` further on. This
 * needs rows >= deep - 1.
 *
 * TOGETHER (of a symmetric band, one chunk): the tile has all columns of the rows, and sums along
 * both sides are made of it; else the chunks of both sides take turns, and each element is loaded
 * twice.
 *
 * IN_PLACE (one chunk): y is x too. A group has loaded its own rows when it changes them; `x` are
 * its neighbours' elements, saved by band_save.cl.
 *
 * alpha = 0: A and x are not read; beta = 0: y is not. Of what is stored beside the band nothing is
 * loaded.
 * Geometry: groups of ITEMS work-items along x, one for each `rows` elements of y. Macros: band.h;
 * ITEMS; HELPERS; UNROLL, loads in flight per work-item; TILE and BESIDE, elements of local memory
 * for A and for x; PLACES, the value of `deep` where it is known, or 0; TOGETHER and IN_PLACE 0 or
 * 1. Barriers: all work-items of a group walk the same chunks.
 */
#include "band.h"

#if !defined(ITEMS) || !defined(HELPERS) || !defined(UNROLL) || !defined(TILE) || !defined(BESIDE)
#error "band_tile needs ITEMS, HELPERS, UNROLL, TILE and BESIDE"
#endif
#if !defined(PLACES) || !defined(TOGETHER) || !defined(IN_PLACE)
#error "band_tile needs PLACES, TOGETHER and IN_PLACE"
#endif
#define AT_ONCE (ITEMS / HELPERS) /* elements of y that a group sums at a time */
#define X_LOADS 4                 /* of x in flight per work-item */
/* Work-items that a multiprocessor should hold: 64 registers each, or 80 where NVRTC 13.0 would
 * spill. */
#define RESIDENT ((SIDES == 3 && !TOGETHER) || (PREC == 2 && PLACES > 0) ? 768 : 1024)

#if PLACES > 0
#define DEEP(a)         PLACES
#define STEP_COLUMNS(a) (ITEMS / PLACES)
#define STEP_PLACES(a)  (ITEMS % PLACES)
#else
#define DEEP(a)         ((i32)(a).deep)
#define STEP_COLUMNS(a) ((i32)(a).step_columns)
#define STEP_PLACES(a)  ((i32)(a).step_places)
#endif

/* A chunk of one side, and how it lies in the tile. Columns and places are counted from its
 * first. */
typedef struct band_cut {
    i64 at;           /* in A, of its first column's first place */
    i64 x;            /* the element of x that xs starts with */
    i32 columns;      /* that its places are counted through */
    i32 places;       /* of it that the band has */
    i32 first, there; /* the first column that the matrix has, and their number */
    i32 top, height;  /* c + d of the first row that is wanted, and the number of rows */
    i32 fold;
    i32 pitch, shift; /* place (d, c) of the tile: d * pitch + c + shift */
    i32 diagonal;     /* the place of the diagonal */
    i32 beside;       /* elements of x */
    i32 inner;        /* all of it is there */
    i32 along_columns;
} band_cut;

/* Rows of the group. */
DEVICE i32 band_rows(band_args a)
{
    return (i32)a.rows;
}

/* Of `count` numbers from `base` on: how many are negative, and how many lie in [0, all). */
DEVICE i32 band_before(i64 base, i32 count)
{
    return (i32)band_most(band_least(-base, count), 0);
}

DEVICE i32 band_inside(i64 base, i32 count, i64 all)
{
    const i64 end = band_least(count, all - base);
    return (i32)band_most(end - band_before(base, count), 0);
}

DEVICE band_cut band_find(band_args a, i64 row, i32 p, i32 along_columns)
{
    const i32 rows = band_rows(a), deep = DEEP(a), width = (i32)(a.kl + a.ku) + 1;
    band_cut cut;
    cut.along_columns = along_columns;
    cut.columns = rows;
    cut.places = width - p < deep ? width - p : deep;
    cut.fold = cut.shift = 0;
    cut.pitch = rows + 1;
    cut.diagonal = (i32)a.ku - p;
    cut.beside = rows + deep - 1;
#if TOGETHER
    const i64 column = row - a.kl, top = column - a.ku;
    cut.columns = rows + width - 1;
    cut.pitch = cut.columns | 1;
    cut.first = band_before(column, cut.columns);
    cut.there = band_inside(column, cut.columns, a.n);
    cut.top = band_before(top, cut.columns + deep - 1);
    cut.height = band_inside(top, cut.columns + deep - 1, a.m);
    cut.x = row - (width - 1);
    cut.beside = rows + 2 * (width - 1);
    cut.inner = top >= 0 && row + rows + width - 1 <= a.n;
#else
    i64 column = row;
    if (along_columns) {
        const i64 top = row + p - a.ku;
        cut.first = 0;
        cut.there = band_inside(row, rows, a.n);
        cut.top = band_before(top, rows + deep - 1);
        cut.height = band_inside(top, rows + deep - 1, a.m);
        cut.x = top;
        cut.inner = top >= 0 && top + rows + deep - 1 <= a.m && row + rows <= a.n;
    } else {
        cut.fold = deep - 1;
        cut.shift = 1 - deep;
        column = row + a.ku - p - (deep - 1);
        cut.first = band_before(column, rows + deep - 1);
        cut.there = band_inside(column, rows + deep - 1, a.n);
        cut.top = deep - 1;
        cut.height = (i32)band_least(rows, a.m - row);
        cut.x = column;
        cut.inner = column >= 0 && column + rows + deep - 1 <= a.n && row + rows <= a.m;
    }
    cut.inner = cut.inner && cut.places == deep;
#endif
    cut.at = column * a.lda + p;
    return cut;
}

/* Element (c, d) of a chunk; *place is where it goes in the tile, or -1. There is a load in any
 * case, so that those of a round need no branches: without an element it is of the first diagonal
 * element, and its value is dropped. `inner` is a constant where this is called. */
DEVICE T band_element(GLOBAL const T *A, band_args a, const band_cut *cut, i32 c, i32 d, i32 inner,
                      i32 *place)
{
    const i32 column = c + d < cut->fold ? c + cut->columns : c;
    i32 wanted = c < cut->columns;
    if (!inner)
        wanted = wanted & (d < cut->places) & ((u32)(column - cut->first) < (u32)cut->there) &
                 ((u32)(column + d - cut->top) < (u32)cut->height);
#if TOGETHER
    wanted = wanted & (((u32)(column + d - (i32)(a.kl + a.ku)) < (u32)band_rows(a)) |
                       ((u32)(column - (i32)a.kl) < (u32)band_rows(a)));
#endif
    const T t = A[wanted ? cut->at + (i64)column * (i32)a.lda + d : a.ku];
    *place = wanted ? d * cut->pitch + column + cut->shift : -1;
    return DIAGONAL && d == cut->diagonal ? band_diagonal(t) : t;
}

/* X_LOADS elements of x, ITEMS apart, from number q of those beside a chunk. What is not there is
 * 0. */
typedef struct band_xs {
    T v[X_LOADS];
} band_xs;

/* Where element i of x stands. */
DEVICE GLOBAL const T *band_x(GLOBAL const T *x, GLOBAL const T *y, band_args a, i64 i)
{
#if IN_PLACE
    const i64 row = GROUP_X * a.rows, count = a.kl + a.ku;
    if (i >= row && i < row + a.rows)
        return y + i * a.incy;
    return x + (GROUP_X * count + i - (a.before ? row - count : row + a.rows));
#else
    (void)y;
    return x + i * a.incx;
#endif
}

DEVICE band_xs band_load_x(GLOBAL const T *x, GLOBAL const T *y, band_args a, const band_cut *cut,
                           i32 q)
{
    const i64 all = ALONG_COLUMNS && cut->along_columns ? a.m : a.n;
    band_xs t;
    UNROLLED
    for (i32 u = 0; u < X_LOADS; u++) {
        const i64 i = cut->x + q + u * ITEMS;
        const i32 there = q + u * ITEMS < cut->beside && i >= 0 && i < all;
        const T v = *band_x(x, y, a, there ? i : IN_PLACE ? GROUP_X * a.rows : 0);
        t.v[u] = there ? v : T_make(0, 0);
    }
    return t;
}

DEVICE void band_keep_x(band_xs t, const band_cut *cut, i32 q, LOCAL_PTR T *xs)
{
    UNROLLED
    for (i32 u = 0; u < X_LOADS; u++)
        if (q + u * ITEMS < cut->beside)
            xs[q + u * ITEMS] = t.v[u];
}

/* Loads a chunk and what it needs of x. All loads of a round are in flight together. */
DEVICE void band_fill(GLOBAL const T *A, GLOBAL const T *x, GLOBAL const T *y, band_args a,
                      const band_cut *cut, i32 inner, LOCAL_PTR T *tile, LOCAL_PTR T *xs)
{
    i32 c = ITEM_X / DEEP(a), d = ITEM_X - c * DEEP(a), q = ITEM_X;
    ROLLED
    for (i32 from = 0; from < cut->columns * DEEP(a); from += ITEMS * UNROLL) {
        T t[UNROLL];
        i32 place[UNROLL];
        UNROLLED
        for (i32 u = 0; u < UNROLL; u++) {
            t[u] = band_element(A, a, cut, c, d, inner, &place[u]);
            c += STEP_COLUMNS(a);
            d += STEP_PLACES(a);
            const i32 over = d >= DEEP(a);
            c += over;
            d -= over ? DEEP(a) : 0;
        }
        const band_xs beside = band_load_x(x, y, a, cut, q);
        UNROLLED
        for (i32 u = 0; u < UNROLL; u++)
            if (place[u] >= 0)
                tile[place[u]] = t[u];
        band_keep_x(beside, cut, q, xs);
        q += X_LOADS * ITEMS;
    }
    ROLLED
    for (; q < cut->beside; q += X_LOADS * ITEMS)
        band_keep_x(band_load_x(x, y, a, cut, q), cut, q, xs);
}

/* A line through the tile and the elements of x beside it. */
typedef struct band_line {
    i32 a, a_step, x, x_step; /* for place 0, and from one to the next */
    i32 from, end;            /* its places */
} band_line;

DEVICE T band_sum(T sum, band_line l, i32 along_column, LOCAL_PTR const T *tile,
                  LOCAL_PTR const T *xs, i32 d)
{
    ROLLED
    for (; d + 3 * HELPERS < l.end; d += 4 * HELPERS) {
        T t[4], s[4];
        UNROLLED
        for (i32 u = 0; u < 4; u++) {
            t[u] = tile[l.a + (d + u * HELPERS) * l.a_step];
            s[u] = xs[l.x + (d + u * HELPERS) * l.x_step];
        }
        UNROLLED
        for (i32 u = 0; u < 4; u++)
            sum = band_step(t[u], s[u], sum, along_column);
    }
    ROLLED
    for (; d < l.end; d += HELPERS)
        sum = band_step(tile[l.a + d * l.a_step], xs[l.x + d * l.x_step], sum, along_column);
    return sum;
}

/* Adds this helper's share of one side of an element of y; r counts from the group's first. */
DEVICE T band_side(T sum, band_args a, const band_cut *cut, i64 row, i32 p, i32 r, i32 helper,
                   i32 along_column, LOCAL_PTR const T *tile, LOCAL_PTR const T *xs)
{
    const i32 deep = DEEP(a), width = (i32)(a.kl + a.ku) + 1;
    band_line l;
    l.a = r;
    l.x = r;
    if (along_column) {
        l.a_step = cut->pitch;
        l.x_step = 1;
        l.from = (i32)band_first_place(a) - p;
        l.end = (i32)band_end_place(a) - p;
        if (!cut->inner) {
            const i64 top = row + r + p - a.ku; /* the row of place 0 */
            l.from = (i32)band_least(band_most(l.from, -top), deep);
            l.end = (i32)band_most(band_least(l.end, a.m - top), 0);
        }
#if TOGETHER
        l.a += (i32)a.kl;
        l.x += (i32)a.kl;
#endif
    } else {
        l.a_step = cut->pitch - 1;
        l.x_step = -1;
        l.x += deep - 1;
        l.from = 0;
        l.end = width - p;
        if (!cut->inner) {
            const i64 right = row + r + a.ku - p; /* the column of place 0 */
            l.from = (i32)band_least(band_most(l.from, right - (a.n - 1)), deep);
            l.end = (i32)band_most(band_least(l.end, right + 1), 0);
        }
#if TOGETHER
        l.a += width - 1;
        l.x += (i32)a.ku;
#endif
    }
    l.from = l.from > 0 ? l.from : 0;
    l.end = l.end < deep ? l.end : deep;
#if PLACES > 0 && HELPERS == 1
    if (cut->inner) {
        UNROLLED
        for (i32 d = 0; d < PLACES; d++)
            if (SIDES != 3 || !along_column || (d >= l.from && d < l.end))
                sum =
                    band_step(tile[l.a + d * l.a_step], xs[l.x + d * l.x_step], sum, along_column);
        return sum;
    }
#endif
    return band_sum(sum, l, along_column, tile, xs, l.from + helper);
}

DEVICE T band_part(T sum, band_args a, const band_cut *cut, i64 row, i32 p, i32 r, i32 helper,
                   LOCAL_PTR const T *tile, LOCAL_PTR const T *xs)
{
    if (r >= band_rows(a) || row + r >= a.outputs || helper >= HELPERS)
        return sum;
    if (ALONG_ROWS && (TOGETHER || !cut->along_columns))
        sum = band_side(sum, a, cut, row, p, r, helper, 0, tile, xs);
    if (ALONG_COLUMNS && (TOGETHER || cut->along_columns))
        sum = band_side(sum, a, cut, row, p, r, helper, 1, tile, xs);
    return sum;
}

KERNEL(band_tile, ITEMS, 1, (RESIDENT > ITEMS ? RESIDENT / ITEMS : 1))
(GLOBAL const R *RESTRICT alpha_at, GLOBAL const R *RESTRICT beta_at, GLOBAL const T *RESTRICT A,
 GLOBAL const T *RESTRICT x, GLOBAL T *RESTRICT y, band_args a)
{
    LOCAL T tile[TILE];
    LOCAL T xs[BESIDE];
    LOCAL T scratch[HELPERS > 1 ? ITEMS : 1];
    BEGIN();
    const T alpha = SCALED ? band_alpha(alpha_at, a) : T_make(1, 0);
    const T beta = SCALED ? band_beta(beta_at, a) : T_make(0, 0);
    const i64 row = GROUP_X * a.rows;
    const i32 sides = SIDES == 3 && !TOGETHER ? 2 : 1;
    const i32 steps = T_is_zero(alpha) ? 0 : (i32)a.chunks * sides;
    const i32 helper = ITEM_X / AT_ONCE, lane = ITEM_X - helper * AT_ONCE;
    band_cut cut = band_find(a, row, 0, SIDES == 2);
    T sum = T_make(0, 0);
    ROLLED
    for (i32 step = 0; step < steps; step++) {
        const i32 p = step / sides * DEEP(a);
        if (step > 0) {
            BARRIER(); /* the tile may still be read */
            cut = band_find(a, row, p, SIDES == 2 || step % sides == 1);
        }
        if (cut.inner)
            band_fill(A, x, y, a, &cut, 1, tile, xs);
        else
            band_fill(A, x, y, a, &cut, 0, tile, xs);
        BARRIER();
        if (steps > 1)
            sum = band_part(sum, a, &cut, row, p, lane, helper, tile, xs);
    }
    ROLLED
    for (i32 r = lane; r - lane < band_rows(a); r += AT_ONCE) {
        if (steps == 1)
            sum = band_part(T_make(0, 0), a, &cut, row, 0, r, helper, tile, xs);
#if HELPERS > 1
        BARRIER(); /* scratch may still be read */
        scratch[ITEM_X] = sum;
        BARRIER();
        if (helper == 0) {
            ROLLED
            for (i32 h = 1; h < HELPERS; h++)
                sum = band_add(scratch[h * AT_ONCE + lane], sum);
        }
#else
        (void)scratch;
#endif
        if (helper == 0 && r < band_rows(a) && row + r < a.outputs)
            band_store(y, (row + r) * a.incy, alpha, sum, beta);
    }
}

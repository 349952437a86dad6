/* sparse_row.h: rows of a sparse matrix times x. Shared by products and by the kernels of solvers.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * src/device/sparse_args.h says how each format lies in memory. Macros:
 *   FORMAT      1 CSR, 3 ELL, 4 SELL
 *   INDEX_BITS  32 or 64: of start, column and order
 *   UNROLL      entries of a row that are requested before the first is used. 1 on CPUs
 *   CHUNK       of SELL: rows of a slice
 *   ORDERED     of SELL: 1 where there is an order; missing: 0
 *   CONJ        1: values are conjugated; missing: 0
 *   COLUMNS     of X, side by side; missing: 1
 *   SCALED      1: x is multiplied with a diagonal, `scale` of sparse_x, as it is read; missing: 0
 *   LANES       of CSR: lanes per row, a power of two; sparse_row_lanes takes as many as run
 *               together at most
 *   STAGE, ITEMS  of CSR: entries of local memory and work-items per group for sparse_rows_staged
 *
 * Rows are asked for by their place in the order; sparse_row_at gives the row of the matrix. Where
 * a place of a row only fills up, its column is -1, and x is not read. Sums are in T, entries in
 * the order of their columns, except by lanes.
 */
#include "lanes.h"
#include "sparse_index.h"
#include "sparse_row_args.h"

#if !defined(FORMAT) || !defined(UNROLL)
#error "sparse_row.h needs FORMAT and UNROLL"
#endif
#if FORMAT != 1 && FORMAT != 3 && FORMAT != 4
#error "FORMAT must be 1 (CSR), 3 (ELL) or 4 (SELL)"
#endif
#if FORMAT == 4 && !defined(CHUNK)
#error "SELL needs CHUNK"
#endif
#ifndef ORDERED
#define ORDERED 0
#endif
#ifndef CONJ
#define CONJ 0
#endif
#ifndef COLUMNS
#define COLUMNS 1
#endif
#ifndef SCALED
#define SCALED 0
#endif

/* Arrays that a format does not have are not looked at. */
typedef struct sparse_rows {
    GLOBAL const sparse_index *start;
    GLOBAL const sparse_index *column;
    GLOBAL const T *value;
    GLOBAL const sparse_index *order;
    sparse_row_args a;
} sparse_rows;

DEVICE sparse_rows sparse_rows_of(GLOBAL const sparse_index *start,
                                  GLOBAL const sparse_index *column, GLOBAL const T *value,
                                  GLOBAL const sparse_index *order, sparse_row_args a)
{
    sparse_rows m;
    m.start = start;
    m.column = column;
    m.value = value;
    m.order = order;
    m.a = a;
    return m;
}

/* X: COLUMNS of them or fewer, ld apart. */
typedef struct sparse_x {
    GLOBAL const T *at;
    i64 ld;
    i32 columns;
#if SCALED
    GLOBAL const T *scale;
#endif
} sparse_x;

typedef struct sparse_sums {
    T v[COLUMNS];
} sparse_sums;

DEVICE sparse_sums sparse_nothing(void)
{
    sparse_sums sums;
    UNROLLED
    for (i32 k = 0; k < COLUMNS; k++)
        sums.v[k] = T_make(0, 0);
    return sums;
}

/* The row of the matrix that stands at a place. */
DEVICE i64 sparse_row_at(sparse_rows m, i64 place)
{
#if FORMAT == 4 && ORDERED
    return m.order[place];
#else
    (void)m;
    return place;
#endif
}

DEVICE T sparse_value(T value)
{
    return CONJ ? T_conj(value) : value;
}

/* One round: UNROLL entries, `step` apart, of which the first `left` are there; all of them, where
 * `whole` says so. */
DEVICE sparse_sums sparse_round(sparse_sums sums, sparse_rows m, sparse_x x, i64 at, const i64 step,
                                i64 left, const i32 whole)
{
    sparse_index c[UNROLL];
    T v[UNROLL];
    UNROLLED
    for (i32 u = 0; u < UNROLL; u++) {
        c[u] = -1;
        v[u] = T_make(0, 0);
        if (whole || u < left) {
            c[u] = m.column[at + u * step];
            v[u] = m.value[at + u * step];
        }
    }
    UNROLLED
    for (i32 k = 0; k < COLUMNS; k++) {
        T xs[UNROLL];
        UNROLLED
        for (i32 u = 0; u < UNROLL; u++) {
            xs[u] = T_make(0, 0);
            if ((COLUMNS == 1 || k < x.columns) && ((FORMAT == 1 && whole) || c[u] >= 0)) {
                xs[u] = x.at[c[u] + k * x.ld];
#if SCALED
                xs[u] = T_mul(x.scale[c[u]], xs[u]);
#endif
            }
        }
        UNROLLED
        for (i32 u = 0; u < UNROLL; u++)
            sums.v[k] = T_fma(sparse_value(v[u]), xs[u], sums.v[k]);
    }
    return sums;
}

/* Entries that one work-item has of a row: `count` from `at` on, sparse_step apart. */
typedef struct sparse_span {
    i64 at;
    sparse_index count;
} sparse_span;

DEVICE i64 sparse_step(sparse_rows m)
{
#if FORMAT == 1
    (void)m;
    return 1;
#elif FORMAT == 3
    return m.a.stride;
#else
    (void)m;
    return CHUNK;
#endif
}

/* The row at a place. */
DEVICE sparse_span sparse_row_span(sparse_rows m, i64 place)
{
    sparse_span span;
#if FORMAT == 1
    span.at = m.start[place];
    span.count = m.start[place + 1] - (sparse_index)span.at;
#elif FORMAT == 3
    span.at = place;
    span.count = (sparse_index)m.a.width;
#else
    const i64 slice = (i64)((u64)place / CHUNK);
    const sparse_index from = m.start[slice], filled = m.start[slice + 1] - from;
    span.at = from + (place - slice * CHUNK);
    span.count = filled / CHUNK;
#endif
    return span;
}

DEVICE sparse_sums sparse_run(sparse_rows m, sparse_x x, sparse_span span, const i64 step)
{
    sparse_sums sums = sparse_nothing();
    ROLLED
    for (; span.count >= UNROLL; span.count -= UNROLL, span.at += UNROLL * step)
        sums = sparse_round(sums, m, x, span.at, step, UNROLL, 1);
    if (UNROLL > 1 && span.count > 0)
        sums = sparse_round(sums, m, x, span.at, step, span.count, 0);
    return sums;
}

/* The row at a place by one work-item. */
DEVICE sparse_sums sparse_row_sums(sparse_rows m, i64 place, sparse_x x)
{
    return sparse_run(m, x, sparse_row_span(m, place), sparse_step(m));
}

#if FORMAT == 1 && defined(LANES) && LANES > 1
/* The entries of the row `place` that this one of LANES neighbouring lanes has, LANES apart; of a
 * row past the last there are none. */
DEVICE sparse_span sparse_lane_span(sparse_rows m, i64 place)
{
    const i32 lane = ITEM_X % LANES;
    sparse_span span;
    span.at = 0;
    span.count = 0;
    if (place < m.a.rows) {
        span = sparse_row_span(m, place);
        span.at += lane;
        span.count = span.count > lane ? (span.count - lane + LANES - 1) / LANES : 0;
    }
    return span;
}
#endif

#if FORMAT == 1 && defined(LANES) && LANES > 1 && WARP_SIZE >= LANES
/* The row `place` by LANES neighbouring lanes, which all get the sums. All lanes that run together
 * must come; a place past the last row has no entries. */
DEVICE sparse_sums sparse_row_lanes(sparse_rows m, i64 place, sparse_x x)
{
    sparse_sums sums = sparse_run(m, x, sparse_lane_span(m, place), LANES);
    lanes_add(sums.v, COLUMNS, LANES / 2, 1);
    return sums;
}
#endif

#if FORMAT == 1 && defined(STAGE)
#if !defined(ITEMS) || COLUMNS != 1 || STAGE % ITEMS != 0
#error "sparse_rows_staged needs ITEMS, one column and a STAGE of whole ITEMS"
#endif
#ifndef ROWS
#error "sparse_rows_staged needs ROWS"
#endif
typedef struct sparse_staged_sums {
    T row[ROWS];
} sparse_staged_sums;

/* The rows first + ITEM_X, first + ITEM_X + ITEMS ..., by a group that has the rows [first, first +
 * ROWS * ITEMS): it loads their entries as they lie in memory, keeps the products in local memory,
 * STAGE at a time, and each work-item adds those of its rows in order. All work-items must come.
 * `first` is below the number of rows; a row past the last has no entries. */
DEVICE sparse_staged_sums sparse_rows_staged(sparse_rows m, i64 first, GLOBAL const T *x,
                                             LOCAL_PTR T *stage)
{
    const i64 rows = m.a.rows;
    const i64 last = first + ROWS * ITEMS < rows ? first + ROWS * ITEMS : rows;
    const i64 from = m.start[first], to = m.start[last];
    i64 mine[ROWS], end[ROWS];
    sparse_staged_sums sums;
    UNROLLED
    for (i32 r = 0; r < ROWS; r++) {
        const i64 row = first + r * ITEMS + ITEM_X;
        mine[r] = m.start[row < rows ? row : rows];
        end[r] = m.start[row < rows ? row + 1 : rows];
        sums.row[r] = T_make(0, 0);
    }
    ROLLED
    for (i64 at = from; at < to; at += STAGE) {
        const i64 left = to - at;
        ROLLED
        for (i32 i = ITEM_X; i < STAGE && i < left; i += ITEMS * UNROLL) {
            sparse_index c[UNROLL];
            T v[UNROLL], xs[UNROLL];
            UNROLLED
            for (i32 u = 0; u < UNROLL; u++) {
                c[u] = -1;
                v[u] = xs[u] = T_make(0, 0);
                if (i + u * ITEMS < STAGE && i + u * ITEMS < left) {
                    c[u] = m.column[at + i + u * ITEMS];
                    v[u] = m.value[at + i + u * ITEMS];
                }
            }
            UNROLLED
            for (i32 u = 0; u < UNROLL; u++)
                if (c[u] >= 0)
                    xs[u] = x[c[u]];
            UNROLLED
            for (i32 u = 0; u < UNROLL; u++)
                if (c[u] >= 0)
                    stage[i + u * ITEMS] = T_mul(sparse_value(v[u]), xs[u]);
        }
        BARRIER();
        UNROLLED
        for (i32 r = 0; r < ROWS; r++) {
            const i64 low = mine[r] > at ? mine[r] - at : 0,
                      high = end[r] - at < STAGE ? end[r] - at : STAGE;
            ROLLED
            for (i64 i = low; i < high; i++)
                sums.row[r] = T_add(sums.row[r], stage[i]);
        }
        BARRIER();
    }
    return sums;
}
#endif

#if COLUMNS == 1 && !SCALED
/* One vector. */
DEVICE sparse_x sparse_x_of(GLOBAL const T *x)
{
    sparse_x all;
    all.at = x;
    all.ld = 0;
    all.columns = 1;
    return all;
}

DEVICE T sparse_row(sparse_rows m, i64 place, GLOBAL const T *x)
{
    return sparse_row_sums(m, place, sparse_x_of(x)).v[0];
}

#if FORMAT == 1 && defined(LANES) && LANES > 1 && WARP_SIZE >= LANES
DEVICE T sparse_row_by_lanes(sparse_rows m, i64 place, GLOBAL const T *x)
{
    return sparse_row_lanes(m, place, sparse_x_of(x)).v[0];
}
#endif
#endif

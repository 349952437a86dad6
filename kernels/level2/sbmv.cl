/* sbmv.cl: partial sums of A x, A a symmetric or Hermitian band matrix of which one half is stored
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each stored element is loaded once and used twice: for its row, whose sums a lane keeps in
 * registers, and for its column, whose sums a team of WX lanes adds after each piece. WY = ITEMS /
 * WX teams of a group take pieces by turns; their row sums are added at the end. sbmv_finish.cl
 * adds the partial sums of all groups. Rows stand side by side in memory; lane r has rows r, r +
 * WX, ... of its block. Pieces that the band fills, away from the diagonal, need no tests;
 * elsewhere elements that are not there are loads of another one and dropped, so that all loads of
 * a piece are in flight together. alpha = 0: nothing is read or stored.
 *
 * Geometry: groups of ITEMS work-items along x, `shares` for each block. Macros: sbmv.h; HERMITIAN
 * 0 or 1. Barriers: all teams of a group make the same rounds.
 */
#ifndef HERMITIAN
#error "sbmv needs HERMITIAN"
#endif
#include "sbmv.h"

#define DEEP (ROWS / WX)

/* What a lane has of a vector along the rows of a block, and of one along the columns of a
 * piece. */
typedef struct sbmv_rows {
    T v[DEEP];
} sbmv_rows;

typedef struct sbmv_columns {
    T v[COLUMNS];
} sbmv_columns;

/* What of a piece is there, from a lane's first row and the first column on. */
typedef struct sbmv_edges {
    i32 far;            /* how far the first element stands from the diagonal */
    i32 rows;           /* of the matrix, from the lane's first on, */
    i32 first, columns; /* and the columns [first, columns) of the piece */
} sbmv_edges;

DEVICE i32 sbmv_clamp(i64 value, i32 most)
{
    return (i32)(value < 0 ? 0 : value < most ? value : most);
}

DEVICE sbmv_edges sbmv_find(sbmv_args a, i64 row, i64 column)
{
    sbmv_edges edges;
    edges.far = (i32)(UPPER ? column - row : row - column);
    edges.rows = sbmv_clamp(a.n - row, ROWS);
    edges.first = sbmv_clamp(-column, COLUMNS);
    edges.columns = sbmv_clamp(a.n - column, COLUMNS);
    return edges;
}

/* Of the lane's row e in column c of a piece: how far it stands from the diagonal, and whether it
 * is there. */
DEVICE i32 sbmv_far(sbmv_edges edges, i32 e, i32 c)
{
    return UPPER ? edges.far + c - e * WX : edges.far + e * WX - c;
}

DEVICE i32 sbmv_has(sbmv_edges edges, sbmv_args a, i32 e, i32 c)
{
    return ((u32)sbmv_far(edges, e, c) <= (u32)a.k) & (e * WX < edges.rows) & (c >= edges.first) &
           (c < edges.columns);
}

/* The sums of a piece whose first column is given; `some`: not all of it is in the band, beside the
 * diagonal. */
DEVICE sbmv_columns sbmv_piece(sbmv_rows *rows, const sbmv_rows *beside, GLOBAL const T *A,
                               GLOBAL const T *x, sbmv_args a, i64 row, i64 column, i32 some)
{
    const i64 diagonal = UPPER ? a.k : 0; /* the place of the first element on it */
    const sbmv_edges edges = sbmv_find(a, row, column);
    T t[COLUMNS][DEEP], along[COLUMNS];
    sbmv_columns sums;
    UNROLLED
    for (i32 c = 0; c < COLUMNS; c++) {
        const i64 at = diagonal + row + (column + c) * (a.lda - 1);
        UNROLLED
        for (i32 e = 0; e < DEEP; e++)
            t[c][e] = A[!some || sbmv_has(edges, a, e, c) ? at + e * WX : diagonal];
    }
    UNROLLED
    for (i32 c = 0; c < COLUMNS; c++) {
        const i32 there = !some || (c >= edges.first && c < edges.columns);
        along[c] = x[there ? (column + c) * a.incx : 0];
    }
    UNROLLED
    for (i32 c = 0; c < COLUMNS; c++) {
        T sum = T_make(0, 0);
        UNROLLED
        for (i32 e = 0; e < DEEP; e++) {
            const i32 has = !some || sbmv_has(edges, a, e, c);
            const i32 on_diagonal = some && sbmv_far(edges, e, c) == 0;
            const T value = t[c][e];
            const T real = HERMITIAN && on_diagonal ? T_make(T_real(value, 0), 0) : value;
            const T row_sum = T_fma(real, along[c], rows->v[e]);
            const T column_sum = T_fma(HERMITIAN ? T_conj(value) : value, beside->v[e], sum);
            rows->v[e] = has ? row_sum : rows->v[e];
            sum = has && !on_diagonal ? column_sum : sum;
        }
        sums.v[c] = sum;
    }
    return sums;
}

/* ---- the sums of a team ---- */

#if WARP_SIZE > 1 && WX == WARP_SIZE
#define TEAM_SCRATCH 1

DEVICE T sbmv_shuffle(T a, i32 distance)
{
    const R re = SHUFFLE_XOR(T_real(a, 0), distance);
    return T_make(re, T_REALS > 1 ? SHUFFLE_XOR(T_real(a, 1), distance) : 0);
}

/* Stores the sums over the team: at each step a lane hands half of its columns to its partner and
 * takes the partner's share of the others, until one is left. */
DEVICE void sbmv_team(sbmv_columns mine, GLOBAL T *to, i32 active, LOCAL_PTR T *scratch)
{
    i32 distance = WX / 2;
    (void)scratch;
    UNROLLED
    for (i32 half = COLUMNS / 2; half > 0; half /= 2) {
        const i32 upper = (ITEM_R & distance) != 0;
        UNROLLED
        for (i32 c = 0; c < half; c++) {
            const T kept = upper ? mine.v[c + half] : mine.v[c];
            const T given = upper ? mine.v[c] : mine.v[c + half];
            mine.v[c] = sbmv_add(kept, sbmv_shuffle(given, distance));
        }
        distance /= 2;
    }
    UNROLLED
    for (; distance > 0; distance /= 2)
        mine.v[0] = sbmv_add(mine.v[0], sbmv_shuffle(mine.v[0], distance));
    if (active && ITEM_R % (WX / COLUMNS) == 0)
        to[ITEM_R / (WX / COLUMNS)] = mine.v[0];
}
#else
#define TEAM_SCRATCH (ITEMS * COLUMNS)

DEVICE void sbmv_team(sbmv_columns mine, GLOBAL T *to, i32 active, LOCAL_PTR T *scratch)
{
    BARRIER(); /* scratch may still be read */
    UNROLLED
    for (i32 c = 0; c < COLUMNS; c++)
        scratch[c * ITEMS + ITEM_X] = mine.v[c];
    BARRIER();
    ROLLED
    for (i32 rest = WX / 2; rest > 0; rest /= 2) {
        if (ITEM_R < rest) {
            UNROLLED
            for (i32 c = 0; c < COLUMNS; c++)
                scratch[c * ITEMS + ITEM_X] =
                    sbmv_add(scratch[c * ITEMS + ITEM_X], scratch[c * ITEMS + ITEM_X + rest]);
        }
        BARRIER();
    }
    ROLLED
    for (i32 c = ITEM_R; active && c < COLUMNS; c += WX)
        to[c] = scratch[c * ITEMS + ITEM_C * WX];
}
#endif

#define GROUP_SCRATCH (WY * ROWS)
#define SCRATCH       (GROUP_SCRATCH > TEAM_SCRATCH ? GROUP_SCRATCH : TEAM_SCRATCH)

/* Stores the sums of a block's rows over the teams. */
DEVICE void sbmv_group(const sbmv_rows *mine, GLOBAL T *to, LOCAL_PTR T *scratch)
{
    BARRIER(); /* scratch may still be read */
    UNROLLED
    for (i32 e = 0; e < DEEP; e++)
        scratch[ITEM_C * ROWS + e * WX + ITEM_R] = mine->v[e];
    BARRIER();
    ROLLED
    for (i32 row = ITEM_X; row < ROWS; row += ITEMS) {
        T sum = scratch[row];
        UNROLLED
        for (i32 team = 1; team < WY; team++)
            sum = sbmv_add(sum, scratch[team * ROWS + row]);
        to[row] = sum;
    }
}

/* Work-items that a multiprocessor should hold: registers for the loads of a piece, and 64 more. */
#define WORDS    (DEEP * COLUMNS * T_REALS * (PREC % 2 + 1))
#define RESIDENT (WORDS <= 16 ? 768 : 512)

KERNEL(sbmv, ITEMS, 1, (RESIDENT > ITEMS ? RESIDENT / ITEMS : 1))
(GLOBAL const R *RESTRICT alpha_at, GLOBAL const T *RESTRICT A, GLOBAL const T *RESTRICT x,
 GLOBAL T *RESTRICT row_sums, GLOBAL T *RESTRICT column_sums, sbmv_args a)
{
    LOCAL T scratch[SCRATCH];
    const i32 shares = (i32)a.shares, base = (i32)a.base, extra = (i32)a.extra;
    const i32 block = (i32)GROUP_X / shares, share = (i32)GROUP_X - block * shares;
    const i32 from = share * base + (share < extra ? share : extra);
    const i32 count = base + (share < extra);
    const i64 top = (i64)block * ROWS, row = top + ITEM_R;
    const i64 first = sbmv_first_column(a, block);
    sbmv_rows rows, beside;
    BEGIN();
    NEXT_MAY_START(); /* sbmv_finish.cl */
    if (T_is_zero(sbmv_alpha(alpha_at, a)))
        return;
    UNROLLED
    for (i32 e = 0; e < DEEP; e++) {
        rows.v[e] = T_make(0, 0);
        beside.v[e] = x[row + e * WX < a.n ? (row + e * WX) * a.incx : 0];
    }
    ROLLED
    for (i32 u = ITEM_C; u - ITEM_C < count; u += WY) {
        const i64 column = first + (i64)(from + u) * COLUMNS;
        const i64 near = UPPER ? column - (top + ROWS - 1) : top - (column + COLUMNS - 1);
        const i64 far = UPPER ? column + COLUMNS - 1 - top : top + ROWS - 1 - column;
        const i32 whole =
            near > 0 && far <= a.k && top + ROWS <= a.n && column >= 0 && column + COLUMNS <= a.n;
        sbmv_columns sums;
        if (u < count && whole) {
            sums = sbmv_piece(&rows, &beside, A, x, a, row, column, 0);
        } else if (u < count) {
            sums = sbmv_piece(&rows, &beside, A, x, a, row, column, 1);
        } else { /* comes along to the barriers */
            UNROLLED
            for (i32 c = 0; c < COLUMNS; c++)
                sums.v[c] = T_make(0, 0);
        }
        sbmv_team(sums, column_sums + (sbmv_columns_at(a, block) + (i64)(from + u) * COLUMNS),
                  u < count, scratch);
    }
    sbmv_group(&rows, row_sums + sbmv_rows_at(a, block, share), scratch);
}

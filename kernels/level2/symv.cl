/* symv.cl: partial sums of A x, A symmetric or Hermitian, from its stored triangle read once
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * An element a_ij beside the diagonal is loaded once for two sums: a_ij x_j for row i and a_ij x_i
 * (or its conjugate) for column j. A team of WX lanes takes a piece: a block row of WX * VEC * DEEP
 * rows, COLUMNS columns of it, all loads in flight together. A lane keeps the sums of its DEEP
 * vectors of rows, and the parts of x beside them, in registers along the block row. The sums of a
 * piece's columns are added over the team and stored; that is little beside the loads when DEEP is
 * large. WY teams of a group walk side by side; their row sums are added in local memory where a
 * block row ends. symv_finish.cl adds up what is stored.
 *
 * Pieces on the diagonal or at a ragged edge look at every element; the others at none. SPREAD:
 * columns do not start alike, so a lane's rows are single ones, WX apart, and neighbours still make
 * whole cache lines.
 *
 * Geometry: groups of ITEMS work-items along x, an equal stretch of pieces each. Macros: ITEMS, WX,
 * UPPER (symv.h); VEC rows per load; DEEP vectors of rows per lane; COLUMNS per piece; ALIGN, the
 * bytes each load may count on; SPREAD 0 or 1; HERMITIAN 0 or 1. Barriers: all work-items of a
 * group make the same rounds.
 */
#if !defined(VEC) || !defined(DEEP) || !defined(COLUMNS) || !defined(ALIGN) || !defined(SPREAD) || \
    !defined(HERMITIAN)
#error "symv needs VEC, DEEP, COLUMNS, ALIGN, SPREAD and HERMITIAN"
#endif
#include "lanes.h"
#include "storage.h"
#include "symv.h"
#include "tile.h"

#define ROWS (WX * VEC * DEEP)

/* One work-item alone keeps its numbers in memory near it: loops over them stay short code. */
#if WX > 1
#define EVERY UNROLLED
#else
#define EVERY ROLLED
#endif

/* What a lane has of a vector along the rows of a block. */
typedef struct symv_rows {
    T v[DEEP * VEC];
} symv_rows;

typedef struct symv_columns {
    T v[COLUMNS];
} symv_columns;

/* What a lane works with. */
typedef struct symv_data {
    GLOBAL const T *A;
    GLOBAL const T *x;
    i64 lda, incx;
    i32 skip, end; /* the places of the matrix */
    i32 row;       /* the place of the block's first row */
} symv_data;

/* Row v of a lane's vector k, in its block. */
DEVICE i32 symv_row(i32 k, i32 v)
{
#if SPREAD
    return (k * VEC + v) * WX + ITEM_R;
#else
    return (k * WX + ITEM_R) * VEC + v;
#endif
}

/* The rows of a column that are stored: `count` of them. */
typedef struct symv_span {
    i32 from, count;
} symv_span;

DEVICE symv_span symv_stored(symv_data d, i32 column)
{
    symv_span span;
    const i32 there = column >= d.skip && column < d.end;
    span.from = UPPER ? d.skip : column;
    span.count = there ? (UPPER ? column + 1 : d.end) - span.from : 0;
    return span;
}

DEVICE i32 symv_has(symv_span span, i32 row)
{
    return (u32)(row - span.from) < (u32)span.count;
}

/* Vector k of a column; `at` is the column's element beside place 0. */
DEVICE TV symv_load(GLOBAL const T *at, symv_data d, i32 k)
{
#if SPREAD
    return TV_load_spread(at, d.row + symv_row(k, 0), WX);
#else
    return TV_load(at + d.row + symv_row(k, 0), 0);
#endif
}

/* The same where only some of it may be stored. What stands beside the stored rows may be loaded
 * with them. */
DEVICE TV symv_load_some(GLOBAL const T *at, symv_data d, i32 k, symv_span span)
{
    TV t = TV_zero();
#if !SPREAD
    /* One load or none, whichever side of the diagonal lanes are on: they stay together. */
    const i32 first = d.row + symv_row(k, 0), last = first + VEC - 1;
    const i32 inside = first >= d.skip && last < d.end;
    if (inside && symv_has(span, UPPER ? first : last))
        t = symv_load(at, d, k);
    if (inside)
        return t;
#endif
    UNROLLED
    for (i32 v = 0; v < VEC; v++) {
        const i32 row = d.row + symv_row(k, v);
        if (symv_has(span, row))
            t.v[v] = at[row];
    }
    return t;
}

DEVICE T symv_mirrored(T a)
{
    return HERMITIAN ? T_conj(a) : a;
}

DEVICE symv_columns symv_nothing(void)
{
    symv_columns sums;
    EVERY
    for (i32 c = 0; c < COLUMNS; c++)
        sums.v[c] = T_make(0, 0);
    return sums;
}

/* The sums of a piece whose first column is given; `some`: not all of it is stored. */
DEVICE symv_columns symv_piece(symv_rows *rows, const symv_rows *x, symv_data d, i32 column,
                               i32 some)
{
    TV t[COLUMNS][DEEP];
    T along[COLUMNS];
    symv_columns sums;
    EVERY
    for (i32 c = 0; c < COLUMNS; c++) {
        GLOBAL const T *at = d.A + column_start(column + c - d.skip, d.lda, UPPER) - d.skip;
        EVERY
        for (i32 k = 0; k < DEEP; k++)
            t[c][k] =
                some ? symv_load_some(at, d, k, symv_stored(d, column + c)) : symv_load(at, d, k);
    }
    EVERY
    for (i32 c = 0; c < COLUMNS; c++) {
        const i32 there = !some || (column + c >= d.skip && column + c < d.end);
        along[c] = d.x[(there ? column + c - d.skip : 0) * d.incx];
    }
    EVERY
    for (i32 c = 0; c < COLUMNS; c++) {
        const symv_span span = symv_stored(d, column + c);
        T part[VEC]; /* of the column's sum */
        UNROLLED
        for (i32 v = 0; v < VEC; v++)
            part[v] = T_make(0, 0);
        EVERY
        for (i32 k = 0; k < DEEP; k++) {
            UNROLLED
            for (i32 v = 0; v < VEC; v++) {
                const i32 e = k * VEC + v, row = d.row + symv_row(k, v);
                const i32 has = !some || symv_has(span, row);
                const i32 diagonal = some && row == column + c;
                const T a = t[c][k].v[v];
                const T real = HERMITIAN && diagonal ? T_make(T_real(a, 0), 0) : a;
                const T row_sum = T_fma(real, along[c], rows->v[e]);
                const T column_sum = T_fma(symv_mirrored(a), x->v[e], part[v]);
                rows->v[e] = has ? row_sum : rows->v[e];
                part[v] = has && !diagonal ? column_sum : part[v];
            }
        }
        sums.v[c] = part[0];
        UNROLLED
        for (i32 v = 1; v < VEC; v++)
            sums.v[c] = T_add(sums.v[c], part[v]);
    }
    return sums;
}

/* ---- the sums of a team ---- */

#define TOGETHER (WX == 1 || WX == WARP_SIZE) /* a team needs no barrier */

#if WARP_SIZE > 1 && WX == WARP_SIZE
/* Stores the sums over the team: at each step a lane hands half of its columns to its partner and
 * takes the partner's share of the others, until one is left; COLUMNS - 1 exchanges instead of 5
 * for each column. */
DEVICE void symv_team(symv_columns mine, GLOBAL T *to, i32 active, LOCAL_PTR T *scratch)
{
    i32 distance = WX / 2;
    (void)scratch;
    (void)active;
    UNROLLED
    for (i32 half = COLUMNS / 2; half > 0; half /= 2) {
        const i32 upper = (ITEM_R & distance) != 0;
        UNROLLED
        for (i32 c = 0; c < half; c++) {
            const T kept = upper ? mine.v[c + half] : mine.v[c];
            const T given = upper ? mine.v[c] : mine.v[c + half];
            mine.v[c] = T_add(kept, T_shuffle_xor(given, distance));
        }
        distance /= 2;
    }
    lanes_add(mine.v, 1, distance, 1);
    if (ITEM_R % (WX / COLUMNS) == 0)
        to[ITEM_R / (WX / COLUMNS)] = mine.v[0];
}
#elif WX == 1
DEVICE void symv_team(symv_columns mine, GLOBAL T *to, i32 active, LOCAL_PTR T *scratch)
{
    (void)scratch;
    (void)active;
    EVERY
    for (i32 c = 0; c < COLUMNS; c++)
        to[c] = mine.v[c];
}
#else
DEVICE void symv_team(symv_columns mine, GLOBAL T *to, i32 active, LOCAL_PTR T *scratch)
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
                    T_add(scratch[c * ITEMS + ITEM_X], scratch[c * ITEMS + ITEM_X + rest]);
        }
        BARRIER();
    }
    ROLLED
    for (i32 c = ITEM_R; active && c < COLUMNS; c += WX)
        to[c] = scratch[c * ITEMS + ITEM_C * WX];
}
#endif

/* Stores the sums of a block's rows over the teams. */
DEVICE void symv_group(const symv_rows *mine, GLOBAL T *to, LOCAL_PTR T *scratch)
{
#if WY > 1
    BARRIER(); /* scratch may still be read */
    UNROLLED
    for (i32 e = 0; e < DEEP * VEC; e++)
        scratch[(ITEM_C * DEEP * VEC + e) * WX + ITEM_R] = mine->v[e];
    BARRIER();
    ROLLED
    for (i32 row = ITEM_X; row < ROWS; row += ITEMS) {
#if SPREAD
        const i32 e = row / WX, lane = row % WX;
#else
        const i32 e = row / (WX * VEC) * VEC + row % VEC, lane = row / VEC % WX;
#endif
        T sum = scratch[e * WX + lane];
        UNROLLED
        for (i32 team = 1; team < WY; team++)
            sum = T_add(sum, scratch[(team * DEEP * VEC + e) * WX + lane]);
        to[row] = sum;
    }
#else
    (void)scratch;
    EVERY
    for (i32 k = 0; k < DEEP; k++) {
        UNROLLED
        for (i32 v = 0; v < VEC; v++)
            to[symv_row(k, v)] = mine->v[k * VEC + v];
    }
#endif
}

#define GROUP_SCRATCH (WY > 1 ? WY * ROWS : 1)
#define TEAM_SCRATCH  (TOGETHER ? 1 : ITEMS * COLUMNS)
#define SCRATCH       (GROUP_SCRATCH > TEAM_SCRATCH ? GROUP_SCRATCH : TEAM_SCRATCH)

/* Work-items that a multiprocessor should hold, so that its loads in flight reach 48 to 64 KiB:
 * compilers may use as many registers as that leaves. */
#define LOADS    (DEEP * COLUMNS)
#define RESIDENT (LOADS <= 4 ? 768 : LOADS <= 8 ? 512 : 256)

KERNEL(symv, ITEMS, 1, (RESIDENT > ITEMS ? RESIDENT / ITEMS : 1))
(GLOBAL const R *RESTRICT alpha_at, GLOBAL const T *RESTRICT A, GLOBAL const T *RESTRICT x,
 GLOBAL T *RESTRICT row_sums, GLOBAL T *RESTRICT column_sums, symv_args a)
{
    LOCAL T scratch[SCRATCH];
    const i32 end = symv_start(a, (i32)GROUP_X + 1);
    i32 piece = symv_start(a, (i32)GROUP_X);
    i32 block = symv_block_of(a, piece);
    symv_data d;
    d.A = A;
    d.x = x;
    d.lda = a.lda;
    d.incx = a.incx;
    d.skip = (i32)a.skip;
    d.end = (i32)(a.skip + a.n);
    BEGIN();
    NEXT_MAY_START(); /* symv_finish.cl */
    if (T_is_zero(alpha_of(alpha_at, a.scalars)))
        return;
    ROLLED
    for (; piece < end; block++) {
        const i32 from = symv_before(a, block), next = symv_before(a, block + 1);
        const i32 pieces = (end < next ? end : next) - piece;
        symv_rows rows, beside;
        d.row = symv_first_row(a, block, ROWS);
        const i32 past = piece - from - (i32)a.lead, empty = past < 0 ? -past : 0;
        const i32 first = symv_first_column(a, block, ROWS) + past * COLUMNS;
        const i32 ragged = d.row < d.skip || d.row + ROWS > d.end;
        EVERY
        for (i32 k = 0; k < DEEP; k++) {
            UNROLLED
            for (i32 v = 0; v < VEC; v++) {
                const i32 row = d.row + symv_row(k, v);
                rows.v[k * VEC + v] = beside.v[k * VEC + v] = T_make(0, 0);
                if (row >= d.skip && row < d.end)
                    beside.v[k * VEC + v] = x[(row - d.skip) * a.incx];
            }
        }
        ROLLED
        for (i32 u = empty + ITEM_C; u - (TOGETHER ? 0 : ITEM_C) < pieces; u += WY) {
            const i32 column = first + u * COLUMNS;
            const i32 some = ragged || column < d.skip || column + COLUMNS > d.end ||
                             (UPPER ? column < d.row + ROWS : column + COLUMNS > d.row);
            symv_columns sums;
            if (!TOGETHER && u >= pieces)
                sums = symv_nothing(); /* comes along to the barriers */
            else if (some)
                sums = symv_piece(&rows, &beside, d, column, 1);
            else
                sums = symv_piece(&rows, &beside, d, column, 0);
            symv_team(sums, column_sums + (i64)(piece + u) * COLUMNS, u < pieces, scratch);
        }
        symv_group(&rows, row_sums + (GROUP_X + block) * ROWS, scratch);
        piece += pieces;
    }
}

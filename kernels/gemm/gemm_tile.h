/* gemm_tile.h: tiles of op(A) and op(B) in local memory, and their product in registers.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A group computes a tile of ROWS x COLUMNS elements of C, each work-item TM x TN of them, and goes
 * along k in steps of TERMS. Both tiles stand in local memory with their rows (columns of B) one
 * behind the other, TERMS lines of them, so that a work-item loads its part of a line in vectors of
 * VEC elements. Work-items of a warp of 32 stand 8 x 4: each of their loads is one line of local
 * memory.
 * Tiles are loaded from memory into registers, in vectors along the columns of the stored matrix,
 * and put into local memory after the product before them. Elements of a vector that an edge of C
 * cuts are loaded by themselves. A last step that is not whole is loaded element by element, with
 * zeros for terms beyond its end. Where a matrix is stored the other way a vector is spread over
 * VEC lines; SKEW elements between lines keep the stores of a warp apart.
 *
 * With STAGES tiles are copied into local memory without passing through registers, STAGES - 1 of
 * them ahead, the last step like all others.
 *
 * Macros: gemm.h; STAGES: pairs of tiles in local memory, 0: two, through registers; WX, WY:
 * work-items along rows and columns, multiples of 8 and 4; TM, TN, multiples of VEC; TERMS, a
 * multiple of VEC; VEC: elements of 16 bytes; ALIGN_A, ALIGN_B, ALIGN_C: bytes that loads of whole
 * vectors may count on; RAGGED: 1: an edge of C may cut a vector.
 */
#include "gemm.h"

#if !defined(WX) || !defined(WY) || !defined(TM) || !defined(TN) || !defined(TERMS)
#error "tiles need WX, WY, TM, TN and TERMS"
#endif
#ifndef STAGES
#error "tiles need STAGES"
#endif
#if !defined(VEC) || !defined(ALIGN_A) || !defined(ALIGN_B) || !defined(ALIGN_C) || !defined(RAGGED)
#error "tiles need VEC, ALIGN_A, ALIGN_B, ALIGN_C and RAGGED"
#endif

#define LANES   (WX * WY)
#define ROWS    (WX * TM)
#define COLUMNS (WY * TN)
#define SKEW    4
/* Vectors in a line of local memory, and in a tile. */
#define A_LINE (ROWS / VEC + SKEW / VEC)
#define B_LINE (COLUMNS / VEC + SKEW / VEC)
#define PAIRS  (STAGES > 0 ? STAGES : 2)
#define A_TILE (TERMS * A_LINE)
#define B_TILE (TERMS * B_LINE)
/* Vectors that a work-item loads of a tile. */
#define A_LOADS ((ROWS * TERMS / VEC + LANES - 1) / LANES)
#define B_LOADS ((COLUMNS * TERMS / VEC + LANES - 1) / LANES)
/* Elements of a tile at an edge that a work-item has under way. */
#define EDGE_LOADS (2 * VEC)

typedef struct ALIGNED(ALIGN_A) AV {
    T v[VEC];
} AV;
typedef struct ALIGNED(ALIGN_B) BV {
    T v[VEC];
} BV;
typedef struct ALIGNED(ALIGN_C) CV {
    T v[VEC];
} CV;
/* In local memory vectors are aligned. */
typedef struct ALIGNED(VEC *T_REALS * sizeof(R)) LV {
    T v[VEC];
} LV;

/* Vectors of op(A) go along the rows unless it is transposed, those of op(B) along the terms unless
 * it is. */
#define A_ALONG (!TRANS_A)
#define B_ALONG (TRANS_B)

/* Elements that a work-item loads of vectors which an edge cuts. */
#define CUT_LOADS ((VEC * TERMS + LANES - 1) / LANES)

typedef struct a_vectors {
    LV v[A_LOADS];
#if RAGGED
    T cut[CUT_LOADS];
#endif
} a_vectors;
typedef struct b_vectors {
    LV v[B_LOADS];
#if RAGGED
    T cut[CUT_LOADS];
#endif
} b_vectors;
typedef struct tile_sums {
    T v[TN][TM];
} tile_sums;

/* The place of a work-item among WX x WY. */
DEVICE i32 tile_x(i32 lane)
{
    return lane % 8 + lane / 32 % (WX / 8) * 8;
}

DEVICE i32 tile_y(i32 lane)
{
    return lane / 8 % 4 + lane / 32 / (WX / 8) * 4;
}

/* Of a tile stored as `length` x TERMS, where vectors go along its rows: the vector number `index`
 * stands at *row of line *line. */
DEVICE void along_rows(i32 index, const i32 length, i32 *row, i32 *line)
{
    *row = index % (length / VEC) * VEC;
    *line = index / (length / VEC);
}

/* The same of one stored as TERMS x `length`, where vectors go along its terms: two of them fill a
 * sector of memory. */
DEVICE void along_terms(i32 index, const i32 length, i32 *row, i32 *line)
{
    const i32 pairs = TERMS / VEC > 1 ? 2 : 1;
    *row = index / pairs % length;
    *line = (index % pairs + index / (pairs * length) * pairs) * VEC;
}

/* How a work-item loads its vectors of the tiles of a factor, one after the other along k. Vectors
 * beyond an edge are those before it again: what comes of them is not stored. */
typedef struct tile_walk {
    GLOBAL const T *at; /* the tile's first element */
    i64 ld;
    i32 left; /* rows of op(A), columns of op(B), from the tile's first one to the edge */
} tile_walk;

/* M is at element (0, 0) of the stored matrix; the tile starts at row (column of B) `first` and
 * term `term`. */
DEVICE tile_walk start_walk(GLOBAL const T *M, i64 ld, const i32 along, const i32 length, i64 first,
                            i64 size, i64 term)
{
    tile_walk w;
    w.at = along ? M + first + term * ld : M + term + first * ld;
    w.ld = ld;
    w.left = (i32)(size - first < length ? size - first : length);
    return w;
}

DEVICE void step_walk(tile_walk *w, const i32 along)
{
    w->at += along ? TERMS * w->ld : (i64)TERMS;
}

DEVICE void vector_place(i32 index, const i32 along, const i32 length, i32 *row, i32 *line)
{
    if (along)
        along_rows(index, length, row, line);
    else
        along_terms(index, length, row, line);
}

/* Where the last whole vector before the edge starts, or the last element; -VEC: in the tile before
 * this one. */
DEVICE i32 last_of(tile_walk w, const i32 along)
{
    return along ? (RAGGED ? w.left / VEC * VEC : w.left) - VEC : w.left - 1;
}

/* Vector number `index` of the tile, unless the edge cuts it. */
DEVICE GLOBAL const T *vector_at(tile_walk w, i32 index, const i32 along, const i32 length)
{
    i32 row, line;
    vector_place(index, along, length, &row, &line);
    const i32 last = last_of(w, along);
    row = row < last ? row : last;
    line = line < TERMS ? line : 0;
    return along ? w.at + (row + line * w.ld) : w.at + (line + row * w.ld);
}

/* Whether element number `index` of the vectors that the edge cuts is before it; *row and *line are
 * its place. */
DEVICE i32 cut_place(tile_walk w, i32 index, i32 *row, i32 *line)
{
    *row = last_of(w, 1) + VEC + index % VEC;
    *line = index / VEC;
    return *row < w.left && *line < TERMS;
}

DEVICE void load_cut(tile_walk w, const i32 along, T *cut)
{
    i32 row, line;
    UNROLLED
    for (i32 u = 0; u < CUT_LOADS; u++) {
        cut[u] = T_make(0, 0);
        if (along && cut_place(w, ITEM_X + u * LANES, &row, &line))
            cut[u] = w.at[row + line * w.ld];
    }
}

DEVICE a_vectors load_a(tile_walk w)
{
    a_vectors t;
#if RAGGED
    load_cut(w, A_ALONG, t.cut);
#endif
    UNROLLED
    for (i32 u = 0; u < A_LOADS; u++) {
        const AV a = *(GLOBAL const AV *)vector_at(w, ITEM_X + u * LANES, A_ALONG, ROWS);
        UNROLLED
        for (i32 v = 0; v < VEC; v++)
            t.v[u].v[v] = gemm_a(a.v[v]);
    }
    return t;
}

DEVICE b_vectors load_b(tile_walk w)
{
    b_vectors t;
#if RAGGED
    load_cut(w, B_ALONG, t.cut);
#endif
    UNROLLED
    for (i32 u = 0; u < B_LOADS; u++) {
        const BV b = *(GLOBAL const BV *)vector_at(w, ITEM_X + u * LANES, B_ALONG, COLUMNS);
        UNROLLED
        for (i32 v = 0; v < VEC; v++)
            t.v[u].v[v] = gemm_b(b.v[v]);
    }
    return t;
}

/* What is stored as it is in memory is conjugated when it is used. */
DEVICE T kept_a(T stored)
{
    return STAGES > 0 ? stored : gemm_a(stored);
}

DEVICE T kept_b(T stored)
{
    return STAGES > 0 ? stored : gemm_b(stored);
}

DEVICE T used_a(T kept)
{
    return STAGES > 0 ? gemm_a(kept) : kept;
}

DEVICE T used_b(T kept)
{
    return STAGES > 0 ? gemm_b(kept) : kept;
}

/* Element number `index` of a tile, at *row of line *line; 0 where it is beyond an edge. */
DEVICE T element_at(tile_walk w, i32 index, const i32 along, const i32 length, i32 terms, i32 *row,
                    i32 *line)
{
    *row = along ? index % length : index / TERMS;
    *line = along ? index / length : index % TERMS;
    if (*row >= w.left || *line >= terms)
        return T_make(0, 0);
    return along ? w.at[*row + *line * w.ld] : w.at[*line + *row * w.ld];
}

/* A tile whose terms end within it, or of fewer rows than a vector has, element by element; `terms`
 * are left. The loop is short of registers on purpose: it is the exception, and its addresses would
 * be kept beside the sums of all other tiles. */
DEVICE void fill_edge(tile_walk w, const i32 along, const i32 length, const i32 apart,
                      const i32 of_b, i32 terms, LOCAL_PTR T *tile)
{
    ROLLED
    for (i32 first = ITEM_X; first < length * TERMS; first += EDGE_LOADS * LANES) {
        T e[EDGE_LOADS];
        i32 row, line;
        UNROLLED
        for (i32 u = 0; u < EDGE_LOADS; u++)
            e[u] = element_at(w, first + u * LANES, along, length, terms, &row, &line);
        UNROLLED
        for (i32 u = 0; u < EDGE_LOADS; u++) {
            const i32 index = first + u * LANES;
            row = along ? index % length : index / TERMS;
            line = along ? index / length : index % TERMS;
            if (index < length * TERMS)
                tile[line * apart * VEC + row] = of_b ? kept_b(e[u]) : kept_a(e[u]);
        }
    }
}

DEVICE void fill_edges(tile_walk aw, tile_walk bw, i32 terms, LOCAL_PTR LV *a_tile,
                       LOCAL_PTR LV *b_tile)
{
    fill_edge(aw, A_ALONG, ROWS, A_LINE, 0, terms, (LOCAL_PTR T *)a_tile);
    fill_edge(bw, B_ALONG, COLUMNS, B_LINE, 1, terms, (LOCAL_PTR T *)b_tile);
}

/* A vector into its tile, whose lines are `apart` vectors from each other, unless the edge cuts
 * it. */
DEVICE void keep_vector(tile_walk w, LV t, const i32 index, const i32 along, const i32 length,
                        const i32 apart, LOCAL_PTR LV *tile)
{
    i32 row, line;
    vector_place(index, along, length, &row, &line);
    if (line < TERMS && !(RAGGED && along && row == last_of(w, 1) + VEC)) {
        if (along) {
            tile[line * apart + row / VEC] = t;
        } else {
            UNROLLED
            for (i32 v = 0; v < VEC; v++)
                ((LOCAL_PTR T *)tile)[(line + v) * apart * VEC + row] = t.v[v];
        }
    }
}

DEVICE void keep_cut(tile_walk w, const T *cut, const i32 of_b, const i32 apart, LOCAL_PTR T *tile)
{
    i32 row, line;
    UNROLLED
    for (i32 u = 0; u < CUT_LOADS; u++)
        if (cut_place(w, ITEM_X + u * LANES, &row, &line))
            tile[line * apart * VEC + row] = of_b ? gemm_b(cut[u]) : gemm_a(cut[u]);
}

DEVICE void keep_tiles(tile_walk aw, tile_walk bw, a_vectors a, b_vectors b, LOCAL_PTR LV *a_tile,
                       LOCAL_PTR LV *b_tile)
{
#if RAGGED
    if (A_ALONG)
        keep_cut(aw, a.cut, 0, A_LINE, (LOCAL_PTR T *)a_tile);
    if (B_ALONG)
        keep_cut(bw, b.cut, 1, B_LINE, (LOCAL_PTR T *)b_tile);
#endif
    UNROLLED
    for (i32 u = 0; u < A_LOADS; u++)
        keep_vector(aw, a.v[u], ITEM_X + u * LANES, A_ALONG, ROWS, A_LINE, a_tile);
    UNROLLED
    for (i32 u = 0; u < B_LOADS; u++)
        keep_vector(bw, b.v[u], ITEM_X + u * LANES, B_ALONG, COLUMNS, B_LINE, b_tile);
}

#if STAGES > 0
DEVICE LV no_elements(void)
{
    LV zeros;
    UNROLLED
    for (i32 v = 0; v < VEC; v++)
        zeros.v[v] = T_make(0, 0);
    return zeros;
}

/* Asks for the next tile of a factor: in vectors where it is stored so, else element by element,
 * neighbours of a column by neighbouring work-items. `terms` are left: those beyond are zeros. Rows
 * beyond an edge stay what they were: what comes of them is not stored, and copies of one element
 * to many places go one after the other. */
DEVICE void ask_tile(tile_walk w, const i32 along, const i32 length, const i32 align,
                     const i32 apart, i32 terms, LOCAL_PTR LV *tile)
{
    i32 row, line;
    if (along && align == VEC * (i32)sizeof(T)) {
        UNROLLED
        for (i32 u = 0; u < (length * TERMS / VEC + LANES - 1) / LANES; u++) {
            along_rows(ITEM_X + u * LANES, length, &row, &line);
            if ((length * TERMS / VEC % LANES == 0 || line < TERMS) && row <= last_of(w, 1))
                COPY_AHEAD_IF(tile + (line * apart + row / VEC),
                              (GLOBAL const LV *)(w.at + (row + line * w.ld)), line < terms,
                              no_elements());
        }
        UNROLLED
        for (i32 u = 0; u < CUT_LOADS && RAGGED; u++)
            if (cut_place(w, ITEM_X + u * LANES, &row, &line))
                COPY_AHEAD_IF((LOCAL_PTR T *)tile + (line * apart * VEC + row),
                              w.at + (row + line * w.ld), line < terms, T_make(0, 0));
    } else {
        UNROLLED
        for (i32 u = 0; u < (length * TERMS + LANES - 1) / LANES; u++) {
            const i32 index = ITEM_X + u * LANES;
            row = along ? index % length : index / TERMS;
            line = along ? index / length : index % TERMS;
            if ((length * TERMS % LANES == 0 || index < length * TERMS) && row < w.left)
                COPY_AHEAD_IF((LOCAL_PTR T *)tile + (line * apart * VEC + row),
                              along ? w.at + (row + line * w.ld) : w.at + (line + row * w.ld),
                              line < terms, T_make(0, 0));
        }
    }
}

DEVICE void ask_tiles(tile_walk aw, tile_walk bw, i32 terms, LOCAL_PTR LV *a_tile,
                      LOCAL_PTR LV *b_tile)
{
    ask_tile(aw, A_ALONG, ROWS, ALIGN_A, A_LINE, terms, a_tile);
    ask_tile(bw, B_ALONG, COLUMNS, ALIGN_B, B_LINE, terms, b_tile);
}
#endif

/* Row and column of a work-item's element in the tile of C: vectors of a work-item stand WX (WY)
 * vectors apart. */
DEVICE i32 row_of(i32 x, i32 m)
{
    return (m / VEC * WX + x) * VEC + m % VEC;
}

DEVICE i32 column_of(i32 y, i32 n)
{
    return (n / VEC * WY + y) * VEC + n % VEC;
}

/* What a work-item needs of a line of both tiles. */
typedef struct tile_line {
    LV a[TM / VEC], b[TN / VEC];
} tile_line;

DEVICE tile_line line_at(LOCAL_PTR const LV *a_tile, LOCAL_PTR const LV *b_tile, i32 p)
{
    tile_line l;
    UNROLLED
    for (i32 m = 0; m < TM / VEC; m++)
        l.a[m] = a_tile[p * A_LINE + m * WX];
    UNROLLED
    for (i32 n = 0; n < TN / VEC; n++)
        l.b[n] = b_tile[p * B_LINE + n * WY];
    return l;
}

DEVICE void add_line(tile_line l, tile_sums *sums)
{
    UNROLLED
    for (i32 n = 0; n < TN; n++) {
        UNROLLED
        for (i32 m = 0; m < TM; m++)
            sums->v[n][m] = T_fma(used_a(l.a[m / VEC].v[m % VEC]), used_b(l.b[n / VEC].v[n % VEC]),
                                  sums->v[n][m]);
    }
}

/* Adds the product of the tiles to the sums. The next line is under way while one is multiplied. */
DEVICE void multiply(LOCAL_PTR const LV *a_tile, LOCAL_PTR const LV *b_tile, i32 x, i32 y,
                     tile_sums *sums)
{
    a_tile += x;
    b_tile += y;
    tile_line next = line_at(a_tile, b_tile, 0);
    UNROLLED
    for (i32 p = 0; p < TERMS; p++) {
        const tile_line now = next;
        if (p + 1 < TERMS)
            next = line_at(a_tile, b_tile, p + 1);
        add_line(now, sums);
    }
}

#if TRIANGULAR
/* The same where the tiles meet the diagonal of a triangular factor: terms beyond it do not count.
 * `ahead` is the first term, seen from the group's first row, or column where op(B) is the
 * triangle. */
DEVICE void multiply_some(LOCAL_PTR const LV *a_tile, LOCAL_PTR const LV *b_tile, i32 x, i32 y,
                          i32 ahead, tile_sums *sums)
{
    a_tile += x;
    b_tile += y;
    tile_line next = line_at(a_tile, b_tile, 0);
    ROLLED
    for (i32 line = 0; line < TERMS; line++) {
        const tile_line l = next;
        const i32 p = ahead + line;
        next = line_at(a_tile, b_tile, line + 1 < TERMS ? line + 1 : 0);
        UNROLLED
        for (i32 t = 0; t < (TRIANGULAR <= 2 ? TM : TN); t++) {
            /* An element of the triangle, and all that it is multiplied with. */
            const i32 at = TRIANGULAR <= 2 ? row_of(x, t) : column_of(y, t);
            T own = TRIANGULAR <= 2 ? used_a(l.a[t % TM / VEC].v[t % VEC])
                                    : used_b(l.b[t % TN / VEC].v[t % VEC]);
            if (UNIT && at == p)
                own = T_make(1, 0);
            if (UP_TO ? p <= at : p >= at) {
                UNROLLED
                for (i32 u = 0; u < (TRIANGULAR <= 2 ? TN : TM); u++) {
                    if (TRIANGULAR <= 2)
                        sums->v[u % TN][t % TM] = T_fma(own, used_b(l.b[u % TN / VEC].v[u % VEC]),
                                                        sums->v[u % TN][t % TM]);
                    else
                        sums->v[t % TN][u % TM] = T_fma(used_a(l.a[u % TM / VEC].v[u % VEC]), own,
                                                        sums->v[t % TN][u % TM]);
                }
            }
        }
    }
}
#endif

/* Terms [*from, *end) that tile (i, j) of C has; *from is a multiple of TERMS. */
DEVICE void tile_terms(gemm_args a, i64 i, i64 j, i64 *from, i64 *end)
{
    *from = 0;
    *end = a.k;
    (void)i;
    (void)j;
#if TRIANGULAR == 1
    *end = i + ROWS < a.k ? i + ROWS : a.k;
#elif TRIANGULAR == 2
    *from = i / TERMS * TERMS;
#elif TRIANGULAR == 3
    *from = j / TERMS * TERMS;
#elif TRIANGULAR == 4
    *end = j + COLUMNS < a.k ? j + COLUMNS : a.k;
#endif
}

/* Whether terms [p, p + TERMS) of tile (i, j) meet the diagonal of a triangular factor. */
DEVICE i32 meets_diagonal(i64 i, i64 j, i64 p)
{
#if TRIANGULAR
    const i64 first = TRIANGULAR <= 2 ? i : j, last = first + (TRIANGULAR <= 2 ? ROWS : COLUMNS);
    return p < last && p + TERMS > first;
#else
    (void)i;
    (void)j;
    (void)p;
    return 0;
#endif
}

/* gemm_tile.cl: C := alpha op(A) op(B) + beta C by tiles in registers
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A group computes a tile of C (gemm_tile.h). Pairs of tiles stand in local memory: while the
 * product of one goes on, the next is loaded. SPLIT: terms are divided among groups along y; each
 * stores its sums in `parts`, and gemm_finish.cl adds them in a fixed order. BATCH: 1: groups along
 * y go over products whose operands are stride_a, stride_b, stride_c elements apart; 2: A, B and C
 * are arrays of addresses. TRIANGLE_C: only the tiles of a triangle of C have groups; tile_rows
 * says how many blocks of the longer side of a tile its order has.
 *
 * SIZES: there are groups for the most that m and n can be.
 *
 * alpha = 0 or k = 0: A and B are not read; beta = 0: C is not. Geometry: groups of LANES
 * work-items, one per tile along x. Macros: gemm_tile.h; MIN_GROUPS per multiprocessor; SPLIT 0 or
 * 1; BATCH 0, 1 or 2. Local memory: LOCAL_ROOM of PAIRS of tiles. Barriers: one per step of TERMS,
 * which all work-items of a group reach.
 */
#include "gemm_tile.h"

#if !defined(MIN_GROUPS) || !defined(SPLIT) || !defined(BATCH)
#error "gemm_tile needs MIN_GROUPS, SPLIT and BATCH"
#endif

/* Columns of C that are read at once. */
#define OLD_COLUMNS (PREC == 0 && TN >= 4 ? 4 : TN >= 2 ? 2 : 1)

/* Adds the product of the tiles from term p on. */
DEVICE void add_product(LOCAL_PTR const LV *a_tile, LOCAL_PTR const LV *b_tile, i64 i, i64 j, i64 p,
                        tile_sums *sums)
{
    const i32 x = tile_x(ITEM_X), y = tile_y(ITEM_X);
#if TRIANGULAR
    if (meets_diagonal(i, j, p)) {
        multiply_some(a_tile, b_tile, x, y, (i32)(p - (TRIANGULAR <= 2 ? i : j)), sums);
        return;
    }
#endif
    (void)i;
    (void)j;
    (void)p;
    multiply(a_tile, b_tile, x, y, sums);
}

/* Adds terms [from, end) of tile (i, j), fewer than 2^31 and whole steps. */
DEVICE void add_whole(tile_walk aw, tile_walk bw, LOCAL_PTR LV *a_room, LOCAL_PTR LV *b_room, i64 i,
                      i64 j, i64 from, i64 end, tile_sums *sums)
{
    a_vectors av = load_a(aw);
    b_vectors bv = load_b(bw);
    keep_tiles(aw, bw, av, bv, a_room, b_room);
    BARRIER();
    i32 left = (i32)(end - from), other = 0;
    ROLLED
    for (; left > 0; left -= TERMS) {
        const i32 more = left > TERMS;
        if (more) {
            step_walk(&aw, A_ALONG);
            step_walk(&bw, B_ALONG);
            av = load_a(aw);
            bv = load_b(bw);
        }
        add_product(a_room + other * A_TILE, b_room + other * B_TILE, i, j, end - left, sums);
        other = 1 - other;
        if (more)
            keep_tiles(aw, bw, av, bv, a_room + other * A_TILE, b_room + other * B_TILE);
        BARRIER();
    }
}

#if STAGES > 0
/* The same for any terms, with tiles that are asked for long before they are used. */
DEVICE void add_copied(tile_walk aw, tile_walk bw, LOCAL_PTR LV *a_room, LOCAL_PTR LV *b_room,
                       i64 i, i64 j, i64 from, i64 end, tile_sums *sums)
{
    i32 left = (i32)(end - from), asked = left, free = 0, next = 0;
    UNROLLED
    for (i32 s = 0; s < STAGES - 1; s++) {
        if (asked > 0) {
            ask_tiles(aw, bw, asked, a_room + s * A_TILE, b_room + s * B_TILE);
            step_walk(&aw, A_ALONG);
            step_walk(&bw, B_ALONG);
            asked -= TERMS;
        }
        COPIES_END();
    }
    free = STAGES - 1;
    ROLLED
    for (; left > 0; left -= TERMS) {
        COPIES_WAIT(STAGES - 2);
        BARRIER();
        if (asked > 0) {
            ask_tiles(aw, bw, asked, a_room + free * A_TILE, b_room + free * B_TILE);
            step_walk(&aw, A_ALONG);
            step_walk(&bw, B_ALONG);
            asked -= TERMS;
        }
        COPIES_END();
        add_product(a_room + next * A_TILE, b_room + next * B_TILE, i, j, end - left, sums);
        free = free + 1 < STAGES ? free + 1 : 0;
        next = next + 1 < STAGES ? next + 1 : 0;
    }
    BARRIER();
}
#endif

/* The same for any terms. */
DEVICE void add_edges(tile_walk aw, tile_walk bw, LOCAL_PTR LV *a_room, LOCAL_PTR LV *b_room, i64 i,
                      i64 j, i64 from, i64 end, tile_sums *sums)
{
    ROLLED
    for (i32 left = (i32)(end - from); left > 0; left -= TERMS) {
        fill_edges(aw, bw, left, a_room, b_room);
        BARRIER();
        add_product(a_room, b_room, i, j, end - left, sums);
        BARRIER();
        step_walk(&aw, A_ALONG);
        step_walk(&bw, B_ALONG);
    }
}

/* The sums of tile (i, j) over terms [from, end). */
DEVICE void tile_product(GLOBAL const T *A, GLOBAL const T *B, gemm_args a, LOCAL_PTR LV *room,
                         i64 i, i64 j, i64 from, i64 end, tile_sums *sums)
{
    LOCAL_PTR LV *a_room = room, *b_room = room + PAIRS * A_TILE;
    i64 whole = from;
    /* Fewer rows than a vector has: none can be loaded. */
    const i32 vectors = (RAGGED == 0) | ((!A_ALONG | (a.m >= VEC)) & (!B_ALONG | (a.n >= VEC)));
    if (vectors && from < end)
        whole += STAGES > 0 ? end - from : (end - from) / TERMS * TERMS;
    if (whole > from)
#if STAGES > 0
        add_copied(start_walk(A, a.lda, A_ALONG, ROWS, i, a.m, from),
                   start_walk(B, a.ldb, B_ALONG, COLUMNS, j, a.n, from), a_room, b_room, i, j, from,
                   whole, sums);
#else
        add_whole(start_walk(A, a.lda, A_ALONG, ROWS, i, a.m, from),
                  start_walk(B, a.ldb, B_ALONG, COLUMNS, j, a.n, from), a_room, b_room, i, j, from,
                  whole, sums);
#endif
    if (whole < end)
        add_edges(start_walk(A, a.lda, A_ALONG, ROWS, i, a.m, whole),
                  start_walk(B, a.ldb, B_ALONG, COLUMNS, j, a.n, whole), a_room, b_room, i, j,
                  whole, end, sums);
}

/* Rows (columns) of C from the tile's first one to the edge, at most `length`. */
DEVICE i32 tile_left(i64 size, i64 first, const i32 length)
{
    return (i32)(size - first < length ? size - first : length);
}

/* Sums of a part of the terms, column by column. */
DEVICE void store_parts(GLOBAL T *parts, gemm_args a, i64 i, i64 j, const tile_sums *sums)
{
    const i32 x = tile_x(ITEM_X), y = tile_y(ITEM_X);
    const i32 rows = tile_left(a.m, i, ROWS), columns = tile_left(a.n, j, COLUMNS);
    parts += j * a.m + i;
    UNROLLED
    for (i32 n = 0; n < TN; n++) {
        const i32 column = column_of(y, n);
        UNROLLED
        for (i32 m = 0; m < TM; m++) {
            const i32 row = row_of(x, m);
            if (row < rows && column < columns)
                parts[column * a.m + row] = sums->v[n][m];
        }
    }
}

/* How a work-item stores its columns of the tile at (i, j). */
typedef struct tile_part {
    i64 i, j;
    i32 x, y, rows, columns;
    i32 cut; /* whether a diagonal cuts the tile */
} tile_part;

/* Old elements of column n. */
DEVICE void load_column(GLOBAL const T *C, i64 ldc, tile_part p, const i32 n, T *old)
{
    const i32 column = column_of(p.y, n);
    GLOBAL const T *c = C + column * ldc;
    UNROLLED
    for (i32 m = 0; m < TM; m += VEC) {
        const i32 row = row_of(p.x, m);
        if (column < p.columns && row + VEC <= p.rows && !p.cut) {
            const CV whole = *(GLOBAL const CV *)(c + row);
            UNROLLED
            for (i32 v = 0; v < VEC; v++)
                old[m + v] = whole.v[v];
        } else {
            UNROLLED
            for (i32 v = 0; v < VEC; v++)
                old[m + v] = column < p.columns && row + v < p.rows &&
                                     gemm_wanted(p.i + row + v, p.j + column)
                                 ? c[row + v]
                                 : T_make(0, 0);
        }
    }
}

/* Column n := alpha sums + beta old. */
DEVICE void store_column(GLOBAL T *C, i64 ldc, tile_part p, const i32 n, T alpha, T beta,
                         const T *sums, const T *old)
{
    const i32 column = column_of(p.y, n);
    GLOBAL T *c = C + column * ldc;
    UNROLLED
    for (i32 m = 0; m < TM; m += VEC) {
        const i32 row = row_of(p.x, m);
        CV whole;
        UNROLLED
        for (i32 v = 0; v < VEC; v++)
            whole.v[v] = gemm_scaled(alpha, sums[m + v], beta, old[m + v],
                                     p.cut && p.i + row + v == p.j + column);
        if (column < p.columns && row + VEC <= p.rows && !p.cut) {
            *(GLOBAL CV *)(c + row) = whole;
        } else {
            UNROLLED
            for (i32 v = 0; v < VEC; v++)
                if (column < p.columns && row + v < p.rows &&
                    gemm_wanted(p.i + row + v, p.j + column))
                    c[row + v] = whole.v[v];
        }
    }
}

/* Where C is read, columns come several at a time: a load behind a store waits for memory alone. */
DEVICE void store_tile(GLOBAL T *C, gemm_args a, i64 i, i64 j, T alpha, T beta,
                       const tile_sums *sums)
{
    T old[OLD_COLUMNS][TM];
    tile_part p;
    p.i = i;
    p.j = j;
    p.x = tile_x(ITEM_X);
    p.y = tile_y(ITEM_X);
    p.rows = tile_left(a.m, i, ROWS);
    p.columns = tile_left(a.n, j, COLUMNS);
    p.cut = (TRIANGLE_C != 0) & (i < j + COLUMNS) & (j < i + ROWS);
    C += j * a.ldc + i;
    if (T_is_zero(beta)) {
        UNROLLED
        for (i32 m = 0; m < TM; m++)
            old[0][m] = T_make(0, 0);
        UNROLLED
        for (i32 n = 0; n < TN; n++)
            store_column(C, a.ldc, p, n, alpha, beta, sums->v[n], old[0]);
        return;
    }
    UNROLLED
    for (i32 n = 0; n < TN; n += OLD_COLUMNS) {
        UNROLLED
        for (i32 u = 0; u < OLD_COLUMNS; u++)
            load_column(C, a.ldc, p, n + u, old[u]);
        UNROLLED
        for (i32 u = 0; u < OLD_COLUMNS; u++)
            store_column(C, a.ldc, p, n + u, alpha, beta, sums->v[n + u], old[u]);
    }
}

/* The tile of a group. Where all of C is wanted tiles go down its columns, or along its rows where
 * those of a row have the same terms: those with the most terms come first, and the last groups are
 * short. Of a triangle, blocks of the longer side of a tile are counted by pairs of rows, a short
 * one and a long one, so that no group has nothing to do. */
DEVICE void tile_place(gemm_args a, i32 tile, i64 *i, i64 *j)
{
    const i32 tiles = (i32)a.tile_rows, along = (i32)a.tile_columns;
#if TRIANGLE_C
    const i32 side = ROWS > COLUMNS ? ROWS : COLUMNS, each = side / ROWS * (side / COLUMNS);
    const i32 within = tile % each, block = tile / each;
    const i32 pair = block / (tiles + 1), at = block % (tiles + 1);
    const i32 longer = at > pair ? tiles - 1 - pair : pair,
              shorter = at > pair ? at - pair - 1 : at;
    (void)along;
    *i = (i64)(TRIANGLE_C == 2 ? longer : shorter) * side + (ROWS < COLUMNS ? within * ROWS : 0);
    *j = (i64)(TRIANGLE_C == 2 ? shorter : longer) * side + (ROWS < COLUMNS ? 0 : within * COLUMNS);
#else
    const i32 by_rows = (TRIANGULAR == 1) | (TRIANGULAR == 2);
    const i32 down = by_rows ? tile / along : tile % tiles,
              across = by_rows ? tile % along : tile / tiles;
    *i = (i64)(TRIANGULAR == 1 ? tiles - 1 - down : down) * ROWS;
    *j = (i64)(TRIANGULAR == 4 ? along - 1 - across : across) * COLUMNS;
#endif
}

DEVICE tile_sums no_sums(void)
{
    tile_sums sums;
    UNROLLED
    for (i32 n = 0; n < TN; n++) {
        UNROLLED
        for (i32 m = 0; m < TM; m++)
            sums.v[n][m] = T_make(0, 0);
    }
    return sums;
}

KERNEL(gemm_tile, LANES, 1, MIN_GROUPS)
(GLOBAL const R *RESTRICT alpha_at, GLOBAL const R *RESTRICT beta_at, GLOBAL const T *RESTRICT A,
 GLOBAL const T *RESTRICT B, GLOBAL T *RESTRICT C,
#if SIZES
 GLOBAL const i64 *RESTRICT sizes,
#endif
 gemm_args a)
{
    LOCAL_ROOM(LV, room, PAIRS * (A_TILE + B_TILE));
    BEGIN();
#if SIZES
    a = gemm_sized(a, sizes);
#endif
    const T alpha = gemm_alpha(alpha_at, a), beta = gemm_beta(beta_at, a);
    i64 i, j;
    tile_place(a, (i32)GROUP_X, &i, &j);
    if (i < a.m && j < a.n) {
        i64 from, end;
        tile_terms(a, i, j, &from, &end);
        if (T_is_zero(alpha))
            end = from;
#if SPLIT
        (void)beta; /* gemm_finish.cl applies it */
        tile_sums sums = no_sums();
        const i64 first = from + GROUP_Y * a.split_terms, last = first + a.split_terms;
        tile_product(A, B, a, room, i, j, first, last < end ? last : end, &sums);
#if TWO_PRODUCTS
        tile_product(B, A, gemm_exchanged(a), room, i, j, first, last < end ? last : end, &sums);
#endif
        store_parts(C + GROUP_Y * a.m * a.n, a, i, j, &sums);
#elif BATCH
        ROLLED
        for (i64 b = GROUP_Y; b < a.batch; b += a.entry_groups) {
            tile_sums sums = no_sums();
#if BATCH == 2
            GLOBAL const T *A_b = ((GLOBAL const T *GLOBAL const *)A)[b];
            GLOBAL const T *B_b = ((GLOBAL const T *GLOBAL const *)B)[b];
            GLOBAL T *C_b = ((GLOBAL T * GLOBAL const *)C)[b];
#else
            GLOBAL const T *A_b = A + b * a.stride_a;
            GLOBAL const T *B_b = B + b * a.stride_b;
            GLOBAL T *C_b = C + b * a.stride_c;
#endif
            tile_product(A_b, B_b, a, room, i, j, from, end, &sums);
            store_tile(C_b, a, i, j, alpha, beta, &sums);
        }
#else
        tile_sums sums = no_sums();
        tile_product(A, B, a, room, i, j, from, end, &sums);
#if TWO_PRODUCTS
        tile_product(B, A, gemm_exchanged(a), room, i, j, from, end, &sums);
#endif
        store_tile(C, a, i, j, alpha, beta, &sums);
#endif
    }
}

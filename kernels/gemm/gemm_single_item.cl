/* gemm_single_item.cl: C := alpha op(A) op(B) + beta C, one work-item per group
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * For CPUs: a group computes a block of C, BLOCK by BLOCK elements at most. DEPTH terms at a time
 * it packs its rows of op(A) and its columns of op(B) into memory of its own, in panels as wide as
 * a tile and in the order in which the innermost loop reads them; so that loop is the same for all
 * transpositions and edges, and compilers turn it into vector code. A tile has LANES by COLUMNS
 * real numbers, which stay in registers. A complex product is one of reals there: a panel has real
 * and imaginary parts side by side, a tile gets all four products of parts, and they are added when
 * it is stored.
 *
 * alpha = 0 or k = 0: A and B are not read; beta = 0: C is not. Blocks and tiles outside TRIANGLE_C
 * are left out, and so are terms of TRIANGULAR: those that count for some rows or columns of a tile
 * only are added one by one.
 * Geometry: groups along x for blocks of rows, along y for blocks of columns. Macros: gemm.h;
 * BLOCK; DEPTH; LANES; COLUMNS. Barriers: none.
 */
#include "gemm.h"

#if !defined(BLOCK) || !defined(DEPTH) || !defined(LANES) || !defined(COLUMNS)
#error "gemm_single_item needs BLOCK, DEPTH, LANES and COLUMNS"
#endif

#define TILE_ROWS    (LANES / T_REALS) /* elements */
#define TILE_COLUMNS (COLUMNS / T_REALS)
#define PANELS_A     ((BLOCK + TILE_ROWS - 1) / TILE_ROWS)
#define PANELS_B     ((BLOCK + TILE_COLUMNS - 1) / TILE_COLUMNS)

/* The lesser of two, of which one is small. */
DEVICE i32 walk_least(i64 a, i64 b)
{
    return (i32)(a < b ? a : b);
}

DEVICE void walk_put(R *to, T value)
{
    to[0] = T_real(value, 0);
    if (T_REALS > 1)
        to[1] = T_real(value, 1);
}

/* Element (i, p) of a panel of op(A) whose first element is (row, term), at A. */
DEVICE T walk_a(GLOBAL const T *A, i64 lda, i64 row, i64 term, i32 i, i32 p)
{
    if (TRIANGULAR <= 2 && gemm_is_unit(row + i, 0, term + p))
        return T_make(1, 0);
    return gemm_a(TRANS_A ? A[p + i * lda] : A[i + p * lda]);
}

/* Element (p, j) of a panel of op(B) whose first element is (term, column), at B. */
DEVICE T walk_b(GLOBAL const T *B, i64 ldb, i64 column, i64 term, i32 p, i32 j)
{
    if (TRIANGULAR > 2 && gemm_is_unit(0, column + j, term + p))
        return T_make(1, 0);
    return gemm_b(TRANS_B ? B[j + p * ldb] : B[p + j * ldb]);
}

/* A panel of op(A): `rows` of TILE_ROWS rows, the others are zeros, and `depth` columns. */
DEVICE void walk_pack_a(R *to, GLOBAL const T *A, i64 lda, i64 row, i64 term, i32 rows, i32 depth)
{
    if (rows == TILE_ROWS) {
        for (i32 p = 0; p < depth; p++)
            for (i32 i = 0; i < TILE_ROWS; i++)
                walk_put(to + p * LANES + i * T_REALS, walk_a(A, lda, row, term, i, p));
        return;
    }
    for (i32 p = 0; p < depth; p++)
        for (i32 i = 0; i < TILE_ROWS; i++)
            walk_put(to + p * LANES + i * T_REALS,
                     i < rows ? walk_a(A, lda, row, term, i, p) : T_make(0, 0));
}

/* A panel of op(B), likewise of columns. */
DEVICE void walk_pack_b(R *to, GLOBAL const T *B, i64 ldb, i64 column, i64 term, i32 columns,
                        i32 depth)
{
    if (columns == TILE_COLUMNS) {
        for (i32 p = 0; p < depth; p++)
            for (i32 j = 0; j < TILE_COLUMNS; j++)
                walk_put(to + p * COLUMNS + j * T_REALS, walk_b(B, ldb, column, term, p, j));
        return;
    }
    for (i32 p = 0; p < depth; p++)
        for (i32 j = 0; j < TILE_COLUMNS; j++)
            walk_put(to + p * COLUMNS + j * T_REALS,
                     j < columns ? walk_b(B, ldb, column, term, p, j) : T_make(0, 0));
}

/* All products of two panels: tile[column][lane]. */
DEVICE void walk_multiply(R *tile, const R *f, const R *g, i32 depth)
{
    MAY_FUSE
    R sum[COLUMNS][LANES];
    UNROLLED
    for (i32 j = 0; j < COLUMNS; j++)
        UNROLLED
    for (i32 i = 0; i < LANES; i++)
        sum[j][i] = 0;
    ROLLED
    for (i32 p = 0; p < depth; p++) {
        UNROLLED
        for (i32 j = 0; j < COLUMNS; j++)
            UNROLLED
        for (i32 i = 0; i < LANES; i++)
            sum[j][i] = f[p * LANES + i] * g[p * COLUMNS + j] + sum[j][i];
    }
    UNROLLED
    for (i32 j = 0; j < COLUMNS; j++)
        UNROLLED
    for (i32 i = 0; i < LANES; i++)
        tile[j * LANES + i] = sum[j][i];
}

/* Adds the terms [begin, end) where they count; the first element of the tile is (row, column),
 * term 0 is `term`. */
DEVICE void walk_add_some(R *tile, const R *f, const R *g, i64 row, i64 column, i64 term, i32 begin,
                          i32 end)
{
    ROLLED
    for (i32 p = begin; p < end; p++)
        for (i32 j = 0; j < COLUMNS; j++)
            for (i32 i = 0; i < LANES; i++)
                if (gemm_counts(row + i / T_REALS, column + j / T_REALS, term + p))
                    tile[j * LANES + i] =
                        R_fma(f[p * LANES + i], g[p * COLUMNS + j], tile[j * LANES + i]);
}

/* A number between 0 and `most`. */
DEVICE i32 walk_within(i64 at, i32 most)
{
    return at < 0 ? 0 : walk_least(at, most);
}

/* The tile whose first element is (row, column), of terms [term, term + depth). */
DEVICE void walk_tile(R *tile, const R *f, const R *g, i64 row, i64 column, i64 term, i32 depth)
{
#if TRIANGULAR == 0
    (void)row, (void)column, (void)term;
    walk_multiply(tile, f, g, depth);
#else
    /* On the diagonal of the triangular factor the tile has `size` elements from `first` on. */
    const i64 first = (TRIANGULAR <= 2 ? row : column) - term;
    const i32 size = TRIANGULAR <= 2 ? TILE_ROWS : TILE_COLUMNS;
#if TRIANGULAR == 1 || TRIANGULAR == 4
    const i32 all = walk_within(first + 1, depth), some = walk_within(first + size, depth);
    walk_multiply(tile, f, g, all);
    walk_add_some(tile, f, g, row, column, term, all, some);
#else
    const i32 some = walk_within(first, depth), all = walk_within(first + size - 1, depth);
    walk_multiply(tile, f + all * LANES, g + all * COLUMNS, depth - all);
    walk_add_some(tile, f, g, row, column, term, some, all);
#endif
#endif
}

/* Element (i, j) of a tile. */
DEVICE T walk_element(const R *tile, i32 i, i32 j)
{
#if T_REALS > 1
    const R *u = tile + 2 * j * LANES + 2 * i, *v = u + LANES;
    return T_make(u[0] - v[1], u[1] + v[0]);
#else
    return tile[j * LANES + i];
#endif
}

/* Stores a tile whose first element is (row, column) of C. */
DEVICE void walk_store(GLOBAL T *C, gemm_args a, const R *tile, T alpha, T beta, i64 row,
                       i64 column, i32 rows, i32 columns)
{
    ROLLED
    for (i32 j = 0; j < columns; j++) {
        GLOBAL T *to = C + row + (column + j) * a.ldc;
        if (TRIANGLE_C == 0 && rows == TILE_ROWS) {
            if (T_is_zero(beta)) {
                for (i32 i = 0; i < TILE_ROWS; i++)
                    to[i] = T_mul(alpha, walk_element(tile, i, j));
            } else {
                for (i32 i = 0; i < TILE_ROWS; i++)
                    to[i] = T_fma(alpha, walk_element(tile, i, j), T_mul(beta, to[i]));
            }
        } else {
            ROLLED
            for (i32 i = 0; i < rows; i++)
                if (gemm_wanted(row + i, column + j))
                    gemm_store(to + i, alpha, walk_element(tile, i, j), beta,
                               row + i == column + j);
        }
    }
}

/* Whether rows from `row` and columns from `column` on have a wanted element. */
DEVICE i32 walk_wanted(i64 row, i32 rows, i64 column, i32 columns)
{
    return TRIANGLE_C == 0 || (TRIANGLE_C == 1 ? row < column + columns : row + rows > column);
}

KERNEL(gemm_single_item, 1, 1, 1)
(GLOBAL const R *RESTRICT alpha_at, GLOBAL const R *RESTRICT beta_at, GLOBAL const T *RESTRICT A,
 GLOBAL const T *RESTRICT B, GLOBAL T *RESTRICT C, gemm_args a)
{
    BEGIN();
    R f[PANELS_A * LANES * DEPTH], g[PANELS_B * COLUMNS * DEPTH], tile[COLUMNS * LANES];
    const T alpha = gemm_alpha(alpha_at, a), beta = gemm_beta(beta_at, a);
    const i64 row = GROUP_X * BLOCK, column = GROUP_Y * BLOCK;
    const i32 rows = walk_least(a.m - row, BLOCK), columns = walk_least(a.n - column, BLOCK);
    if (!walk_wanted(row, rows, column, columns))
        return;
    /* The terms that count for some element of the block. */
    i64 p = TRIANGULAR == 2 ? row : TRIANGULAR == 3 ? column : 0, k = a.k;
    if (TRIANGULAR == 1)
        k = k < row + rows ? k : row + rows;
    if (TRIANGULAR == 4)
        k = k < column + columns ? k : column + columns;
    if (T_is_zero(alpha) || p > k)
        k = p;
    T factor = beta;
    const i64 begin = p;
    ROLLED
    for (i32 turn = 0; turn <= TWO_PRODUCTS; turn++) {
        GLOBAL const T *left = turn == 0 ? A : B, *right = turn == 0 ? B : A;
        const i64 left_ld = turn == 0 ? a.lda : a.ldb, right_ld = turn == 0 ? a.ldb : a.lda;
        p = begin;
        ROLLED
        do {
            const i32 depth = walk_least(k - p, DEPTH);
            ROLLED
            for (i32 i = 0; i < rows; i += TILE_ROWS)
                walk_pack_a(f + i * T_REALS * DEPTH,
                            TRANS_A ? left + p + (row + i) * left_ld : left + row + i + p * left_ld,
                            left_ld, row + i, p, walk_least(rows - i, TILE_ROWS), depth);
            ROLLED
            for (i32 j = 0; j < columns; j += TILE_COLUMNS)
                walk_pack_b(g + j * T_REALS * DEPTH,
                            TRANS_B ? right + column + j + p * right_ld
                                    : right + p + (column + j) * right_ld,
                            right_ld, column + j, p, walk_least(columns - j, TILE_COLUMNS), depth);
            ROLLED
            for (i32 j = 0; j < columns; j += TILE_COLUMNS) {
                const i32 width = walk_least(columns - j, TILE_COLUMNS);
                ROLLED
                for (i32 i = 0; i < rows; i += TILE_ROWS) {
                    const i32 height = walk_least(rows - i, TILE_ROWS);
                    if (!walk_wanted(row + i, height, column + j, width))
                        continue;
                    walk_tile(tile, f + i * T_REALS * DEPTH, g + j * T_REALS * DEPTH, row + i,
                              column + j, p, depth);
                    walk_store(C, a, tile, alpha, factor, row + i, column + j, height, width);
                }
            }
            factor = T_make(1, 0);
            p += DEPTH;
        } while (p < k);
    }
}

/* gemm_walk.cl: C := alpha op(A) op(B) + beta C, one work-item per group
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * For CPUs: a group computes a block of C, BLOCK by BLOCK elements at most. DEPTH terms at a time it packs its rows of
 * op(A) and its columns of op(B) into memory of its own, in panels as wide as a tile and in the order in which the
 * innermost loop reads them; so that loop is the same for all transpositions and edges, and compilers turn it into
 * vector code. A tile has LANES by COLUMNS real numbers, which stay in registers. A complex product is one of reals there: a
 * panel has real and imaginary parts side by side, a tile gets all four products of parts, and they are added when
 * it is stored.
 *
 * alpha = 0 or k = 0: A and B are not read; beta = 0: C is not. Blocks and tiles outside PART are left out.
 * Geometry: groups along x for blocks of rows, along y for blocks of columns. Macros: gemm.h, with ZEROS 0; BLOCK; DEPTH;
 * LANES; COLUMNS. Barriers: none.
 */
#include "gemm.h"

#if !defined(BLOCK) || !defined(DEPTH) || !defined(LANES) || !defined(COLUMNS) || ZEROS != 0
#error "gemm_walk needs BLOCK, DEPTH, LANES and COLUMNS, and factors without zeros"
#endif

#define TILE_ROWS    (LANES / T_REALS) /* elements */
#define TILE_COLUMNS (COLUMNS / T_REALS)
#define PANELS_A     ((BLOCK + TILE_ROWS - 1) / TILE_ROWS)
#define PANELS_B     ((BLOCK + TILE_COLUMNS - 1) / TILE_COLUMNS)

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

/* A panel of op(A): `rows` of TILE_ROWS rows, the others are zeros, and `depth` columns. A points at its first
 * element. */
DEVICE void walk_pack_a(R *to, GLOBAL const T *A, i64 lda, i32 rows, i32 depth)
{
    if (rows == TILE_ROWS) {
        for (i32 p = 0; p < depth; p++)
            for (i32 i = 0; i < TILE_ROWS; i++)
                walk_put(to + p * LANES + i * T_REALS,
                         gemm_a(TRANS_A ? A[p + i * lda] : A[i + p * lda]));
        return;
    }
    for (i32 p = 0; p < depth; p++)
        for (i32 i = 0; i < TILE_ROWS; i++)
            walk_put(to + p * LANES + i * T_REALS,
                     i < rows ? gemm_a(TRANS_A ? A[p + i * lda] : A[i + p * lda]) : T_make(0, 0));
}

/* A panel of op(B), likewise of columns. */
DEVICE void walk_pack_b(R *to, GLOBAL const T *B, i64 ldb, i32 columns, i32 depth)
{
    if (columns == TILE_COLUMNS) {
        for (i32 p = 0; p < depth; p++)
            for (i32 j = 0; j < TILE_COLUMNS; j++)
                walk_put(to + p * COLUMNS + j * T_REALS,
                         gemm_b(TRANS_B ? B[j + p * ldb] : B[p + j * ldb]));
        return;
    }
    for (i32 p = 0; p < depth; p++)
        for (i32 j = 0; j < TILE_COLUMNS; j++)
            walk_put(to + p * COLUMNS + j * T_REALS,
                     j < columns ? gemm_b(TRANS_B ? B[j + p * ldb] : B[p + j * ldb])
                                 : T_make(0, 0));
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
        if (PART == 0 && rows == TILE_ROWS) {
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
    return PART == 0 || (PART == 1 ? row < column + columns : row + rows > column);
}

KERNEL(gemm_walk, 1, 1, 1)
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
    const i64 k = T_is_zero(alpha) ? 0 : a.k;
    i64 p = 0;
    ROLLED
    do {
        const i32 depth = walk_least(k - p, DEPTH);
        const T factor = p == 0 ? beta : T_make(1, 0);
        ROLLED
        for (i32 i = 0; i < rows; i += TILE_ROWS)
            walk_pack_a(f + i * T_REALS * DEPTH,
                        TRANS_A ? A + p + (row + i) * a.lda : A + row + i + p * a.lda, a.lda,
                        walk_least(rows - i, TILE_ROWS), depth);
        ROLLED
        for (i32 j = 0; j < columns; j += TILE_COLUMNS)
            walk_pack_b(g + j * T_REALS * DEPTH,
                        TRANS_B ? B + column + j + p * a.ldb : B + p + (column + j) * a.ldb, a.ldb,
                        walk_least(columns - j, TILE_COLUMNS), depth);
        ROLLED
        for (i32 j = 0; j < columns; j += TILE_COLUMNS) {
            const i32 width = walk_least(columns - j, TILE_COLUMNS);
            ROLLED
            for (i32 i = 0; i < rows; i += TILE_ROWS) {
                const i32 height = walk_least(rows - i, TILE_ROWS);
                if (!walk_wanted(row + i, height, column + j, width))
                    continue;
                walk_multiply(tile, f + i * T_REALS * DEPTH, g + j * T_REALS * DEPTH, depth);
                walk_store(C, a, tile, alpha, factor, row + i, column + j, height, width);
            }
        }
        p += DEPTH;
    } while (p < k);
}

/* gemm_volkov.cl: C := alpha A B + beta C, in the vector form of Volkov and Demmel
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A rung of the ladder, after V. Volkov and J. W. Demmel, Benchmarking GPUs to tune dense linear
 * algebra (2008). A group is a vector of ITEMS work-items, one per row of C. Each keeps COLUMNS
 * sums of its row in registers, and loads its element of a column of A straight from memory into a
 * register: it serves COLUMNS multiply-adds. Only a block of DEPTH by COLUMNS elements of B, which
 * all rows need, goes through local memory.
 * Geometry: groups of ITEMS work-items, along x for rows; along y they share the columns. Macros:
 * gemm_plain.h; ITEMS, COLUMNS, DEPTH. Barriers: all work-items of a group have the same block;
 * rows past the end take the last row and store nothing.
 */
#include "gemm_plain.h"

#if !defined(ITEMS) || !defined(COLUMNS) || !defined(DEPTH)
#error "gemm_volkov needs ITEMS, COLUMNS and DEPTH"
#endif

/* The block of B from (first, column) on: element (p, j) at p * COLUMNS + j, zeros past the end. */
DEVICE void volkov_load(LOCAL_PTR T *block, GLOBAL const T *B, gemm_args a, i64 first, i64 column)
{
    ROLLED
    for (i32 at = ITEM_X; at < DEPTH * COLUMNS; at += ITEMS) {
        const i32 p = at % DEPTH, j = at / DEPTH;
        T value = T_make(0, 0);
        if (first + p < a.k && column + j < a.n)
            value = B[first + p + (column + j) * a.ldb];
        block[p * COLUMNS + j] = value;
    }
}

/* sum += x times a row of the block */
DEVICE void volkov_add(T sum[COLUMNS], T x, LOCAL_PTR const T *row)
{
    UNROLLED
    for (i32 j = 0; j < COLUMNS; j++)
        sum[j] = T_fma(x, row[j], sum[j]);
}

KERNEL(gemm_volkov, ITEMS, 1, 1)
(GLOBAL const R *RESTRICT alpha_at, GLOBAL const R *RESTRICT beta_at, GLOBAL const T *RESTRICT A,
 GLOBAL const T *RESTRICT B, GLOBAL T *RESTRICT C, gemm_args a)
{
    LOCAL ALIGNED(16) T block[DEPTH * COLUMNS];
    BEGIN();
    const T alpha = gemm_alpha(alpha_at, a), beta = gemm_beta(beta_at, a);
    const i64 terms = T_is_zero(alpha) ? 0 : a.k;
    const i64 row = GROUP_X * ITEMS + ITEM_X, mine = row < a.m ? row : a.m - 1;
    ROLLED
    for (i64 column = GROUP_Y * COLUMNS; column < a.n; column += a.column_groups * COLUMNS) {
        T sum[COLUMNS];
        UNROLLED
        for (i32 j = 0; j < COLUMNS; j++)
            sum[j] = T_make(0, 0);
        ROLLED
        for (i64 first = 0; first < terms; first += DEPTH) {
            volkov_load(block, B, a, first, column);
            BARRIER();
            GLOBAL const T *at = A + mine + first * a.lda;
            if (first + DEPTH <= terms) {
                UNROLLED
                for (i32 p = 0; p < DEPTH; p++)
                    volkov_add(sum, at[p * a.lda], block + p * COLUMNS);
            } else {
                ROLLED
                for (i32 p = 0; p < (i32)(terms - first); p++)
                    volkov_add(sum, at[p * a.lda], block + p * COLUMNS);
            }
            BARRIER();
        }
        UNROLLED
        for (i32 j = 0; j < COLUMNS; j++)
            if (row < a.m && column + j < a.n)
                scaled_store(C + row + (column + j) * a.ldc, alpha, sum[j], beta);
    }
}

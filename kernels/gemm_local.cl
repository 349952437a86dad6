/* gemm_local.cl: C := alpha op(A) op(B) + beta C, tiles of both factors in local memory
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Rungs of the ladder. A group computes TILE by TILE elements of C. It copies a tile of op(A) and one of op(B) to local
 * memory, in the order in which they stand in memory, multiplies them there, and takes the next two: each element that
 * was loaded is used TILE times. A work-item has OUTPUTS elements of a row of C, so that what it reads of A serves
 * OUTPUTS multiply-adds. With UNROLL the TILE terms of a tile are written out; else they are a loop.
 * Geometry: groups of TILE * TILE / OUTPUTS work-items, along x for rows, those below each other first; along y they
 * share the columns. Macros: gemm.h; TILE; OUTPUTS, which divides TILE; UNROLL. Only whole products. Barriers: all
 * work-items of a group have the same tiles; those past an edge load zeros and store nothing.
 */
#include "gemm_element.h"

#if !defined(TILE) || !defined(OUTPUTS) || !defined(UNROLL)
#error "gemm_local needs TILE, OUTPUTS and UNROLL"
#endif
#define TILE_ITEMS (TILE * TILE / OUTPUTS)
#define TILE_APART (TILE / OUTPUTS) /* columns between the elements of a work-item */
/* Distances in local memory. A tile that is turned on the way is a column wider, so that neighbours do not meet in one
 * bank. */
#define LEFT_APART  (TILE + (TRANS_A ? 1 : 0))
#define RIGHT_APART (TILE + (TRANS_B ? 1 : 0))

/* The tile of op(A) from (row, first) on: element (i, p) at p * LEFT_APART + i. */
DEVICE void local_load_a(LOCAL_PTR T *tile, GLOBAL const T *A, gemm_args a, i64 row, i64 first)
{
    UNROLLED
    for (i32 e = 0; e < OUTPUTS; e++) {
        const i32 at = e * TILE_ITEMS + LANE_X, fast = at % TILE, slow = at / TILE;
        const i32 i = TRANS_A ? slow : fast, p = TRANS_A ? fast : slow;
        T value = T_make(0, 0);
        if (row + i < a.m && first + p < a.k)
            value = gemm_element_a(A, a.lda, row + i, first + p);
        tile[p * LEFT_APART + i] = value;
    }
}

/* The tile of op(B) from (first, column) on: element (p, j) at j * RIGHT_APART + p. */
DEVICE void local_load_b(LOCAL_PTR T *tile, GLOBAL const T *B, gemm_args a, i64 first, i64 column)
{
    UNROLLED
    for (i32 e = 0; e < OUTPUTS; e++) {
        const i32 at = e * TILE_ITEMS + LANE_X, fast = at % TILE, slow = at / TILE;
        const i32 p = TRANS_B ? slow : fast, j = TRANS_B ? fast : slow;
        T value = T_make(0, 0);
        if (first + p < a.k && column + j < a.n)
            value = gemm_element_b(B, a.ldb, first + p, column + j);
        tile[j * RIGHT_APART + p] = value;
    }
}

KERNEL(gemm_local, TILE_ITEMS, 1, 1)
(GLOBAL const R *RESTRICT alpha_at, GLOBAL const R *RESTRICT beta_at, GLOBAL const T *RESTRICT A,
 GLOBAL const T *RESTRICT B, GLOBAL T *RESTRICT C, gemm_args a)
{
    LOCAL ALIGNED(16) T left[TILE * LEFT_APART];
    LOCAL ALIGNED(16) T right[TILE * RIGHT_APART];
    BEGIN();
    const T alpha = gemm_alpha(alpha_at, a), beta = gemm_beta(beta_at, a);
    const i64 terms = T_is_zero(alpha) ? 0 : a.k;
    const i32 i = LANE_X % TILE, j = LANE_X / TILE;
    const i64 row = GROUP_X * TILE;
    ROLLED
    for (i64 column = GROUP_Y * TILE; column < a.n; column += a.column_groups * TILE) {
        T sum[OUTPUTS];
        UNROLLED
        for (i32 o = 0; o < OUTPUTS; o++)
            sum[o] = T_make(0, 0);
        ROLLED
        for (i64 first = 0; first < terms; first += TILE) {
            local_load_a(left, A, a, row, first);
            local_load_b(right, B, a, first, column);
            BARRIER();
#if UNROLL
            UNROLLED
#else
            ROLLED
#endif
            for (i32 p = 0; p < TILE; p++) {
                const T x = left[p * LEFT_APART + i];
                UNROLLED
                for (i32 o = 0; o < OUTPUTS; o++)
                    sum[o] = T_fma(x, right[(j + o * TILE_APART) * RIGHT_APART + p], sum[o]);
            }
            BARRIER();
        }
        UNROLLED
        for (i32 o = 0; o < OUTPUTS; o++) {
            const i64 c = column + j + o * TILE_APART;
            if (row + i < a.m && c < a.n)
                scaled_store(C + row + i + c * a.ldc, alpha, sum[o], beta);
        }
    }
}

/* gemm_local.cl: C := alpha A B + beta C, tiles of both factors in local memory
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Rungs of the ladder. A group computes TILE by TILE elements of C. It copies a tile of A and one
 * of B to local memory, in the order in which they stand in memory, multiplies them there, and
 * takes the next two: each element that was loaded is used TILE times. A work-item has OUTPUTS
 * elements of a row of C, so that what it reads of A serves OUTPUTS multiply-adds. With UNROLL the
 * TILE terms of a tile are written out; else they are a loop.
 * Geometry: groups of ITEMS work-items, a tile's elements over OUTPUTS, along x for rows, those
 * below each other first; along y they share the columns. Macros: gemm_plain.h; ITEMS, a multiple
 * of TILE; TILE; UNROLL. Barriers: all work-items of a group have the same tiles; those past an
 * edge load zeros and store nothing.
 */
#include "gemm_plain.h"

#if !defined(ITEMS) || !defined(TILE) || !defined(UNROLL)
#error "gemm_local needs ITEMS, TILE and UNROLL"
#endif
#define OUTPUTS (TILE * TILE / ITEMS)
#define APART   (TILE / OUTPUTS) /* columns between the elements of a work-item */

/* The tile of A from (row, first) on: element (i, p) at p * TILE + i. */
DEVICE void local_load_a(LOCAL_PTR T *tile, GLOBAL const T *A, gemm_args a, i64 row, i64 first)
{
    UNROLLED
    for (i32 e = 0; e < OUTPUTS; e++) {
        const i32 at = e * ITEMS + ITEM_X, i = at % TILE, p = at / TILE;
        T value = T_make(0, 0);
        if (row + i < a.m && first + p < a.k)
            value = A[row + i + (first + p) * a.lda];
        tile[at] = value;
    }
}

/* The tile of B from (first, column) on: element (p, j) at j * TILE + p. */
DEVICE void local_load_b(LOCAL_PTR T *tile, GLOBAL const T *B, gemm_args a, i64 first, i64 column)
{
    UNROLLED
    for (i32 e = 0; e < OUTPUTS; e++) {
        const i32 at = e * ITEMS + ITEM_X, p = at % TILE, j = at / TILE;
        T value = T_make(0, 0);
        if (first + p < a.k && column + j < a.n)
            value = B[first + p + (column + j) * a.ldb];
        tile[at] = value;
    }
}

KERNEL(gemm_local, ITEMS, 1, 1)
(GLOBAL const R *RESTRICT alpha_at, GLOBAL const R *RESTRICT beta_at, GLOBAL const T *RESTRICT A,
 GLOBAL const T *RESTRICT B, GLOBAL T *RESTRICT C, gemm_args a)
{
    LOCAL ALIGNED(16) T left[TILE * TILE];
    LOCAL ALIGNED(16) T right[TILE * TILE];
    BEGIN();
    const T alpha = gemm_alpha(alpha_at, a), beta = gemm_beta(beta_at, a);
    const i64 terms = T_is_zero(alpha) ? 0 : a.k;
    const i32 i = ITEM_X % TILE, j = ITEM_X / TILE;
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
                const T x = left[p * TILE + i];
                UNROLLED
                for (i32 o = 0; o < OUTPUTS; o++)
                    sum[o] = T_fma(x, right[(j + o * APART) * TILE + p], sum[o]);
            }
            BARRIER();
        }
        UNROLLED
        for (i32 o = 0; o < OUTPUTS; o++) {
            const i64 c = column + j + o * APART;
            if (row + i < a.m && c < a.n)
                scaled_store(C + row + i + c * a.ldc, alpha, sum[o], beta);
        }
    }
}

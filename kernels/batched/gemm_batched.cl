/* gemm_batched.cl: C := alpha op(A) op(B) + beta C for many batch entries, one work-item per
 * element of C
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The plain reference, for batch entries of any size. Neighbours have neighbouring rows of C, so
 * that op(A) = A is read in whole cache lines. alpha = 0 or k = 0: A and B are not read; beta = 0:
 * C is not.
 * Geometry: groups of ITEMS work-items, WX of them along the rows of a block of C, the others along
 * its columns; along x blocks of rows, then of columns; along y groups share the batch entries.
 * Macros: ITEMS, WX; TRANS_A, TRANS_B: 0 as stored, 1 the transpose, 2 the conjugate transpose;
 * POINTERS. No barriers.
 */
#include "gemm_batched_args.h"
#include "batch_entry.h"
#include "scalars.h"

#if !defined(ITEMS) || !defined(WX) || !defined(TRANS_A) || !defined(TRANS_B)
#error "gemm_batched needs ITEMS, WX, TRANS_A and TRANS_B"
#endif
#define WY (ITEMS / WX)

DEVICE T plain_sum(GLOBAL const T *A, GLOBAL const T *B, gemm_batched_args a, i64 i, i64 j)
{
    T sum = T_make(0, 0);
    ROLLED
    for (i64 p = 0; p < a.k; p++) {
        const T left = TRANS_A ? A[p + i * a.lda] : A[i + p * a.lda],
                right = TRANS_B ? B[j + p * a.ldb] : B[p + j * a.ldb];
        sum = T_fma(TRANS_A == 2 ? T_conj(left) : left, TRANS_B == 2 ? T_conj(right) : right, sum);
    }
    return sum;
}

KERNEL(gemm_batched, ITEMS, 1, 1)
(GLOBAL const R *RESTRICT alpha_at, GLOBAL const R *RESTRICT beta_at, GLOBAL const T *A,
 GLOBAL const T *B, GLOBAL T *C, gemm_batched_args a)
{
    BEGIN();
    const T alpha = alpha_of(alpha_at, a.scalars), beta = beta_of(beta_at, a.scalars);
    const i32 reads = !T_is_zero(alpha);
    const u32 block_column = (u32)GROUP_X / (u32)a.row_blocks,
              block_row = (u32)GROUP_X - block_column * (u32)a.row_blocks;
    const i64 i = (i64)block_row * WX + ITEM_X % WX, j = (i64)block_column * WY + ITEM_X / WX;
    if (i < a.m && j < a.n) {
        ROLLED
        for (i64 entry = GROUP_Y; entry < a.batch; entry += a.sets) {
            GLOBAL const T *left = entry_start(A, entry, a.stride_a);
            GLOBAL const T *right = entry_start(B, entry, a.stride_b);
            const T sum = reads ? plain_sum(left, right, a, i, j) : T_make(0, 0);
            scaled_store(entry_start(C, entry, a.stride_c) + i + j * a.ldc, alpha, sum, beta);
        }
    }
}

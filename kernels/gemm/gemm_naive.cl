/* gemm_naive.cl: C := alpha op(A) op(B) + beta C, one work-item per element of C
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The plain reference. Neighbours have neighbouring rows of C, so that op(A) = A is read in whole
 * cache lines. alpha = 0 or k = 0: A and B are not read; beta = 0: C is not.
 * Geometry: groups of ITEMS work-items, along x for rows; along y they share the columns. Macros:
 * gemm.h; ITEMS. No barriers.
 */
#include "gemm.h"

#ifndef ITEMS
#error "gemm_naive needs ITEMS"
#endif

DEVICE T naive_sum(GLOBAL const T *A, GLOBAL const T *B, gemm_args a, i64 i, i64 j, T sum)
{
    ROLLED
    for (i64 p = 0; p < a.k; p++) {
        if (!gemm_counts(i, j, p))
            continue;
        T left, right;
        if (TRIANGULAR <= 2 && gemm_is_unit(i, j, p))
            left = T_make(1, 0);
        else
            left = gemm_a(TRANS_A ? A[p + i * a.lda] : A[i + p * a.lda]);
        if (TRIANGULAR > 2 && gemm_is_unit(i, j, p))
            right = T_make(1, 0);
        else
            right = gemm_b(TRANS_B ? B[j + p * a.ldb] : B[p + j * a.ldb]);
        sum = T_fma(left, right, sum);
    }
    return sum;
}

KERNEL(gemm_naive, ITEMS, 1, 1)
(GLOBAL const R *RESTRICT alpha_at, GLOBAL const R *RESTRICT beta_at, GLOBAL const T *RESTRICT A,
 GLOBAL const T *RESTRICT B, GLOBAL T *RESTRICT C, gemm_args a)
{
    BEGIN();
    const T alpha = gemm_alpha(alpha_at, a), beta = gemm_beta(beta_at, a);
    const i32 reads = !T_is_zero(alpha);
    const i64 i = GROUP_X * ITEMS + ITEM_X;
    if (i < a.m) {
        ROLLED
        for (i64 j = GROUP_Y; j < a.n; j += a.column_groups)
            if (gemm_wanted(i, j)) {
                T sum = T_make(0, 0);
                if (reads)
                    sum = naive_sum(A, B, a, i, j, sum);
                if (reads && TWO_PRODUCTS)
                    sum = naive_sum(B, A, gemm_exchanged(a), i, j, sum);
                gemm_store(C + i + j * a.ldc, alpha, sum, beta, i == j);
            }
    }
}

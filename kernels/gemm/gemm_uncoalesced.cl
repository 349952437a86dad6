/* gemm_uncoalesced.cl: C := alpha A B + beta C, neighbours in neighbouring columns of C
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The lowest rung of the ladder: gemm_naive.cl with rows and columns exchanged. Neighbours load
 * elements of B that stand a column apart, and store elements of C so: each takes a cache line of
 * its own. alpha = 0 or k = 0: A and B are not read; beta = 0: C is not.
 * Geometry: groups of ITEMS work-items, along x for columns; along y they share the rows. Macros:
 * gemm.h; ITEMS. Only whole products: TRIANGLE_C and TRIANGULAR are 0. No barriers.
 */
#include "gemm_plain.h"

#ifndef ITEMS
#error "gemm_uncoalesced needs ITEMS"
#endif

KERNEL(gemm_uncoalesced, ITEMS, 1, 1)
(GLOBAL const R *RESTRICT alpha_at, GLOBAL const R *RESTRICT beta_at, GLOBAL const T *RESTRICT A,
 GLOBAL const T *RESTRICT B, GLOBAL T *RESTRICT C, gemm_args a)
{
    BEGIN();
    const T alpha = gemm_alpha(alpha_at, a), beta = gemm_beta(beta_at, a);
    const i64 terms = T_is_zero(alpha) ? 0 : a.k;
    const i64 j = GROUP_X * ITEMS + ITEM_X;
    if (j < a.n) {
        ROLLED
        for (i64 i = GROUP_Y; i < a.m; i += a.column_groups) {
            T sum = T_make(0, 0);
            ROLLED
            for (i64 p = 0; p < terms; p++)
                sum = T_fma(A[i + p * a.lda], B[p + j * a.ldb], sum);
            scaled_store(C + i + j * a.ldc, alpha, sum, beta);
        }
    }
}

/* gemm_finish.cl: C := alpha (sum of the parts) + beta C
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The second launch of products whose terms were divided (gemm_tile.cl with SPLIT). `parts` holds
 * `splits` matrices of m x n sums, one behind the other, which are added in that order.
 * Geometry: groups of ITEMS work-items along x for rows, and groups along y that share the columns.
 * Macros: gemm.h; ITEMS. No barriers.
 */
#include "gemm.h"

#ifndef ITEMS
#error "gemm_finish needs ITEMS"
#endif
#define AHEAD 16 /* parts that are loaded at once */

KERNEL(gemm_finish, ITEMS, 1, 1)
(GLOBAL const R *RESTRICT alpha_at, GLOBAL const R *RESTRICT beta_at,
 GLOBAL const T *RESTRICT parts, GLOBAL T *RESTRICT C,
#if SIZES
 GLOBAL const i64 *RESTRICT sizes,
#endif
 gemm_args a)
{
    BEGIN();
#if SIZES
    a = gemm_sized(a, sizes);
#endif
    const T alpha = gemm_alpha(alpha_at, a), beta = gemm_beta(beta_at, a);
    const i64 i = GROUP_X * ITEMS + ITEM_X, apart = a.m * a.n;
    if (i < a.m) {
        ROLLED
        for (i64 j = GROUP_Y; j < a.n; j += a.column_groups) {
            if (!gemm_wanted(i, j))
                continue;
            GLOBAL const T *at = parts + j * a.m + i;
            T sum = T_make(0, 0);
            i64 s = 0;
            ROLLED
            for (; s + AHEAD <= a.splits; s += AHEAD) {
                T part[AHEAD];
                UNROLLED
                for (i32 u = 0; u < AHEAD; u++)
                    part[u] = at[(s + u) * apart];
                UNROLLED
                for (i32 u = 0; u < AHEAD; u++)
                    sum = T_add(part[u], sum);
            }
            ROLLED
            for (; s < a.splits; s++)
                sum = T_add(at[s * apart], sum);
            gemm_store(C + i + j * a.ldc, alpha, sum, beta, i == j);
        }
    }
}

/* gemm_read.cl: reads A as the plain products do and keeps only sums: the price of how neighbours
 * stand
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A work-item adds STRIP elements. With ACROSS 0 neighbours have neighbouring rows and walk along
 * columns: a load of theirs is whole cache lines, as those of A in gemm_naive.cl. With ACROSS 1
 * neighbours have neighbouring columns and walk down: a load of theirs takes a line each, as those
 * of B in gemm_uncoalesced.cl. A is m by n.
 * Geometry: groups of ITEMS work-items, along x for neighbours; along y for strips. out has an
 * element per work-item. Macros: ITEMS, STRIP, ACROSS. No barriers.
 */
#include "gemm_args.h"

#if !defined(ITEMS) || !defined(STRIP) || !defined(ACROSS)
#error "gemm_read needs ITEMS, STRIP and ACROSS"
#endif
#define AT_ONCE 8 /* loads in flight; STRIP is a multiple */

KERNEL(gemm_read, ITEMS, 1, 1)(GLOBAL const T *RESTRICT A, GLOBAL T *RESTRICT out, gemm_args a)
{
    BEGIN();
    const i64 mine = GROUP_X * ITEMS + ITEM_X, first = GROUP_Y * STRIP;
    const i64 width = ACROSS ? a.n : a.m, length = ACROSS ? a.m : a.n, step = ACROSS ? 1 : a.lda;
    const i32 count = length - first < STRIP ? (i32)(length - first) : STRIP;
    T sum = T_make(0, 0);
    if (mine < width) {
        GLOBAL const T *at = A + mine * (ACROSS ? a.lda : 1) + first * step;
        i32 i = 0;
        ROLLED
        for (; i + AT_ONCE <= count; i += AT_ONCE) {
            T t[AT_ONCE];
            UNROLLED
            for (i32 u = 0; u < AT_ONCE; u++)
                t[u] = at[(i + u) * step];
            UNROLLED
            for (i32 u = 0; u < AT_ONCE; u++)
                sum = T_add(t[u], sum);
        }
        ROLLED
        for (; i < count; i++)
            sum = T_add(at[i * step], sum);
    }
    out[(GROUP_Y * GROUPS_X + GROUP_X) * ITEMS + ITEM_X] = sum;
}

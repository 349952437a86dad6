/* gemv_blocks_t.cl: y := alpha A' x + beta y, or with the conjugate transpose, a column of blocks a
 * group
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A group starts at the top and moves down. A work-item has the same ELEMENTS columns in both
 * chunks and a sum for each; the HALF sums of a column are added through local memory at the end.
 * Rows past the last count as zeros; columns past it only with EDGE, in the clean-up launch of one
 * group. alpha = 0: A and x are not read; beta = 0: y is not read. Geometry: groups of ITEMS
 * work-items along x. Macros: gemv_blocks.h; CONJ 0 or 1. Barriers: all work-items come to them.
 */
#ifndef CONJ
#error "gemv_blocks_t needs CONJ"
#endif
#include "gemv_blocks.h"

DEVICE blocks_chunk blocks_t_step(blocks_chunk sums, blocks_chunk chunk, T x)
{
    UNROLLED
    for (i32 e = 0; e < ELEMENTS; e++) {
#if CONJ
        sums.v[e] = T_fma(T_conj(chunk.v[e]), x, sums.v[e]);
#else
        sums.v[e] = T_fma(chunk.v[e], x, sums.v[e]);
#endif
    }
    return sums;
}

KERNEL(gemv_blocks_t, ITEMS, 1, 1)
(GLOBAL const R *RESTRICT alpha_at, GLOBAL const R *RESTRICT beta_at, GLOBAL const T *RESTRICT A,
 GLOBAL const T *RESTRICT x, GLOBAL T *RESTRICT y, gemv_blocks_args a)
{
    LOCAL blocks_chunk scratch[ITEMS];
    BEGIN();
    const T alpha = alpha_of(alpha_at, a.scalars), beta = beta_of(beta_at, a.scalars);
    const i64 column = a.base + GROUP_X * WIDTH + ITEM_C;
    const i64 columns = EDGE ? a.n - column : WIDTH;
    blocks_chunk sums;
    UNROLLED
    for (i32 e = 0; e < ELEMENTS; e++)
        sums.v[e] = T_make(0, 0);
    if (!T_is_zero(alpha)) {
        GLOBAL const T *at = A + column * a.lda + ITEM_R;
        i64 i = ITEM_R;
        blocks_chunk first = blocks_load(at, a.lda, a.m - i, columns);
        ROLLED
        for (; i < a.m + ITEM_R; i += BLOCK) { /* as often in all lanes */
            const blocks_chunk second = blocks_load(at + HALF, a.lda, a.m - i - HALF, columns);
            const T upper = i < a.m ? x[i * a.incx] : T_make(0, 0);
            const T lower = i + HALF < a.m ? x[(i + HALF) * a.incx] : T_make(0, 0);
            sums = blocks_t_step(sums, first, upper);
            at += BLOCK;
            first = blocks_load(at, a.lda, a.m - i - BLOCK, columns);
            sums = blocks_t_step(sums, second, lower);
        }
    }
    scratch[ITEM_X] = sums;
    BARRIER();
    ROLLED
    for (i32 rest = HALF / 2; rest > 0; rest /= 2) {
        if (ITEM_R < rest) {
            UNROLLED
            for (i32 e = 0; e < ELEMENTS; e++) {
                sums.v[e] = T_add(scratch[ITEM_X + rest].v[e], sums.v[e]);
                scratch[ITEM_X].v[e] = sums.v[e];
            }
        }
        BARRIER();
    }
    UNROLLED
    for (i32 e = 0; e < ELEMENTS; e++)
        if (ITEM_R == 0 && e * ACROSS < columns)
            scaled_store(y + (column + e * ACROSS) * a.incy, alpha, sums.v[e], beta);
}

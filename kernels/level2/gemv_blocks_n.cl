/* gemv_blocks_n.cl: y := alpha A x + beta y, a row of square blocks a group
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A group starts at the left and moves right. A work-item has two rows, one in each chunk; the
 * ACROSS sums of a row are added through local memory at the end. Columns past the last count as
 * zeros; rows past it only with EDGE, in the clean-up launch of one group. alpha = 0: A and x are
 * not read; beta = 0: y is not read. Geometry: groups of ITEMS work-items along x. Macros:
 * gemv_blocks.h. Barriers: all work-items come to them.
 */
#include "gemv_blocks.h"

typedef struct blocks_sums {
    T upper, lower;
} blocks_sums;

DEVICE T blocks_n_step(T sum, blocks_chunk chunk, blocks_chunk x)
{
    UNROLLED
    for (i32 e = 0; e < ELEMENTS; e++)
        sum = T_fma(chunk.v[e], x.v[e], sum);
    return sum;
}

KERNEL(gemv_blocks_n, ITEMS, 1, 1)
(GLOBAL const R *RESTRICT alpha_at, GLOBAL const R *RESTRICT beta_at, GLOBAL const T *RESTRICT A,
 GLOBAL const T *RESTRICT x, GLOBAL T *RESTRICT y, gemv_blocks_args a)
{
    LOCAL blocks_sums scratch[ITEMS];
    BEGIN();
    const T alpha = alpha_of(alpha_at, a.scalars), beta = beta_of(beta_at, a.scalars);
    const i64 row = a.base + GROUP_X * BLOCK + ITEM_R;
    const i64 upper = EDGE ? a.m - row : 1, lower = EDGE ? a.m - row - HALF : 1;
    blocks_sums sums;
    sums.upper = T_make(0, 0);
    sums.lower = T_make(0, 0);
    if (!T_is_zero(alpha)) {
        GLOBAL const T *at = A + row + ITEM_C * a.lda;
        i64 j = ITEM_C;
        blocks_chunk first = blocks_load(at, a.lda, upper, a.n - j);
        ROLLED
        for (; j < a.n + ITEM_C; j += WIDTH) { /* as often in all lanes */
            blocks_chunk xs;
            const blocks_chunk second = blocks_load(at + HALF, a.lda, lower, a.n - j);
            UNROLLED
            for (i32 e = 0; e < ELEMENTS; e++)
                xs.v[e] = j + e * ACROSS < a.n ? x[(j + e * ACROSS) * a.incx] : T_make(0, 0);
            sums.upper = blocks_n_step(sums.upper, first, xs);
            at += WIDTH * a.lda;
            first = blocks_load(at, a.lda, upper, a.n - j - WIDTH);
            sums.lower = blocks_n_step(sums.lower, second, xs);
        }
    }
    scratch[ITEM_X] = sums;
    BARRIER();
    ROLLED
    for (i32 rest = ACROSS / 2; rest > 0; rest /= 2) {
        if (ITEM_C < rest) {
            const blocks_sums other = scratch[ITEM_X + rest * HALF];
            sums.upper = T_add(other.upper, sums.upper);
            sums.lower = T_add(other.lower, sums.lower);
            scratch[ITEM_X] = sums;
        }
        BARRIER();
    }
    if (ITEM_C == 0 && upper > 0)
        scaled_store(y + row * a.incy, alpha, sums.upper, beta);
    if (ITEM_C == 0 && lower > 0)
        scaled_store(y + (row + HALF) * a.incy, alpha, sums.lower, beta);
}

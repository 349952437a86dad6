/* block_inverse.cl: the inverses of many small blocks, each in its own place
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Gauss-Jordan elimination with row pivoting in local memory, one block per group. BLOCK 1:
 * reciprocals, one per work-item. A block whose inverse does not exist or is not finite is replaced
 * by the identity. Geometry: WX work-items per group. Macros: BLOCK, WX. Barriers: all work-items
 * of a group reach each, for the block is the group's.
 */
#include "block_args.h"

#if !defined(BLOCK) || !defined(WX)
#error "block_inverse needs BLOCK and WX"
#endif

DEVICE i32 finite_element(T a)
{
    const R size = T_size(a);
    return size - size == 0;
}

#if BLOCK == 1
KERNEL(block_inverse, WX, 1, 1)
(GLOBAL T *RESTRICT blocks, block_args a)
{
    BEGIN();
    const i64 i = GROUP_X * WX + ITEM_X;
    if (i >= a.blocks)
        return;
    const T inverse = T_reciprocal(blocks[i]);
    blocks[i] = finite_element(inverse) ? inverse : T_make(1, 0);
}
#else

/* The row of the pivot of step k. */
DEVICE i32 pivot_row(LOCAL_PTR const T *block, i32 k)
{
    i32 best = k;
    R largest = T_size(block[k * BLOCK + k]);
    for (i32 i = k + 1; i < BLOCK; i++) {
        const R size = T_size(block[k * BLOCK + i]);
        if (size > largest) {
            largest = size;
            best = i;
        }
    }
    return best;
}

DEVICE void exchange(LOCAL_PTR T *x, LOCAL_PTR T *y)
{
    const T kept = *x;
    *x = *y;
    *y = kept;
}

KERNEL(block_inverse, WX, 1, 1)
(GLOBAL T *RESTRICT blocks, block_args a)
{
    LOCAL T block[BLOCK * BLOCK];
    LOCAL T left[BLOCK];
    LOCAL i32 pivot[BLOCK];
    LOCAL i32 bad[1];
    BEGIN();
    GLOBAL T *at = blocks + GROUP_X * (BLOCK * BLOCK);
    (void)a;
    for (i32 e = ITEM_X; e < BLOCK * BLOCK; e += WX)
        block[e] = at[e];
    if (ITEM_X == 0)
        bad[0] = 0;
    BARRIER();
    for (i32 k = 0; k < BLOCK; k++) {
        if (ITEM_X == 0)
            pivot[k] = pivot_row(block, k);
        BARRIER();
        for (i32 j = ITEM_X; j < BLOCK && pivot[k] != k; j += WX)
            exchange(block + j * BLOCK + k, block + j * BLOCK + pivot[k]);
        BARRIER();
        const T inverse = T_reciprocal(block[k * BLOCK + k]);
        for (i32 i = ITEM_X; i < BLOCK; i += WX)
            left[i] = T_mul(T_neg(inverse), block[k * BLOCK + i]);
        BARRIER();
        for (i32 e = ITEM_X; e < BLOCK * BLOCK; e += WX) {
            const i32 i = e % BLOCK, j = e / BLOCK;
            if (i != k && j != k)
                block[e] = T_fma(left[i], block[j * BLOCK + k], block[e]);
        }
        BARRIER();
        for (i32 i = ITEM_X; i < BLOCK; i += WX) {
            if (i != k) {
                block[i * BLOCK + k] = T_mul(inverse, block[i * BLOCK + k]);
                block[k * BLOCK + i] = left[i];
            } else {
                block[k * BLOCK + k] = inverse;
            }
        }
        BARRIER();
    }
    for (i32 k = BLOCK - 1; k >= 0; k--) {
        for (i32 i = ITEM_X; i < BLOCK && pivot[k] != k; i += WX)
            exchange(block + k * BLOCK + i, block + pivot[k] * BLOCK + i);
        BARRIER();
    }
    for (i32 e = ITEM_X; e < BLOCK * BLOCK; e += WX)
        if (!finite_element(block[e]))
            bad[0] = 1;
    BARRIER();
    for (i32 e = ITEM_X; e < BLOCK * BLOCK; e += WX)
        at[e] = bad[0] ? T_make(e % BLOCK == e / BLOCK, 0) : block[e];
}
#endif

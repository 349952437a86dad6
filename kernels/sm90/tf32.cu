/* tf32.cu: products of small matrices of TF32 numbers and nothing else: the rate of the matrix
 * units of warpgroups
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each warpgroup makes CHAINS products of 64 x 8 by 8 x 128 a round, ROOF_TF32_FLOPS each, into one
 * sum, and waits for them at its end; two warpgroups fill each other's waits. A and B are random
 * and stay, the sums grow. muladd.cl is the portable twin.
 *
 * Geometry: any number of groups of WX work-items, WX a multiple of 128. Macros: WX; CHAINS, a
 * multiple of 4. Barriers: one, which all work-items reach.
 */
#include "roof_args.h"
#include "wgmma.cuh"

#if !defined(WX) || !defined(CHAINS)
#error "tf32.cu needs WX and CHAINS"
#endif

#define COLUMNS 128
#define SUMS    (COLUMNS / 2)

KERNEL(tf32, WX, 1, 1)(GLOBAL const float *RESTRICT x, GLOBAL float *RESTRICT out, roof_args args)
{
    LOCAL ALIGNED(1024) float b[COLUMNS * 32];
    BEGIN();
    float d[SUMS], sum = 0;
    u32 a[4];
    ROLLED
    for (i32 i = ITEM_X; i < COLUMNS * 32; i += WX)
        b[i] = x[i % 64];
    UNROLLED
    for (i32 k = 0; k < 4; k++)
        a[k] = AS_WORD(x[(ITEM_X * 5 + k) % 64]);
    UNROLLED
    for (i32 n = 0; n < SUMS; n++)
        d[n] = 0;
    STORES_READY();
    BARRIER();
    const u64 lines = LINES_AT(PLACE_OF(b));
    ROLLED
    for (i64 round = 0; round < args.rounds; round++) {
        PRODUCTS_BEGIN();
        UNROLLED
        for (i32 n = 0; n < CHAINS; n++)
            MULTIPLY_64X128X8(d, a, LINES_ON(lines, n % 4), 1);
        PRODUCTS_END();
        PRODUCTS_WAIT();
        UNROLLED
        for (i32 n = 0; n < SUMS; n++)
            KEEP_SUM(&d[n]);
    }
    UNROLLED
    for (i32 n = 0; n < SUMS; n++)
        sum += d[n];
    out[GROUP_X * WX + ITEM_X] = sum;
}

/* dmma.cu: products of small matrices and nothing else: the rate of the matrix units in double
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * CHAINS independent sums C := C + A B of 32 lanes together, ROOF_MMA_FLOPS each a round: one
 * product m16n8k16 from sm_90 on, eight of m8n8k4 before. A and B are random and stay, C grows.
 * What a lane holds of them does not matter here. muladd.cl is the portable twin.
 *
 * Geometry: any number of groups of WX work-items, WX a multiple of 32. Macros: WX, CHAINS. No
 * barriers.
 */
#include "roof_args.h"

#if !defined(WX) || !defined(CHAINS)
#error "dmma.cu needs WX and CHAINS"
#endif

DEVICE void matrix_product(f64 *c, const f64 *a, const f64 *b)
{
#if __CUDA_ARCH__ >= 900
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, "
                 "{%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15}, {%0, %1, %2, %3};"
                 : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
                 : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]),
                   "d"(a[7]), "d"(b[0]), "d"(b[1]), "d"(b[2]), "d"(b[3]));
#else
    UNROLLED
    for (i32 k = 0; k < 8; k++) {
        f64 *part = c + k % 2 * 2;
        asm volatile(
            "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
            : "+d"(part[0]), "+d"(part[1])
            : "d"(a[k]), "d"(b[k / 2]));
    }
#endif
}

KERNEL(dmma, WX, 1, 1)(GLOBAL const f64 *RESTRICT x, GLOBAL f64 *RESTRICT out, roof_args args)
{
    BEGIN();
    f64 a[8], b[4], c[CHAINS][4], sum = 0;
    UNROLLED
    for (i32 k = 0; k < 8; k++)
        a[k] = x[(ITEM_X + k) % 64];
    UNROLLED
    for (i32 k = 0; k < 4; k++)
        b[k] = x[(ITEM_X * 5 + k) % 64];
    UNROLLED
    for (i32 n = 0; n < CHAINS; n++) {
        UNROLLED
        for (i32 k = 0; k < 4; k++)
            c[n][k] = x[n * 4 + k];
    }
    ROLLED
    for (i64 round = 0; round < args.rounds; round++) {
        UNROLLED
        for (i32 n = 0; n < CHAINS; n++)
            matrix_product(c[n], a, b);
    }
    UNROLLED
    for (i32 n = 0; n < CHAINS; n++)
        sum += c[n][0] + c[n][1] + c[n][2] + c[n][3];
    out[GROUP_X * WX + ITEM_X] = sum;
}

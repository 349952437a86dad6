/* random.cl: x_i uniform in [low, low + width), from the seed and first + i alone
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Philox4x32-10 (Salmon, Moraes, Dror, Shaw, Parallel random numbers: as easy as 1, 2, 3, SC 2011)
 * makes four words of a counter and a key. A work-item makes the words of one counter, four floats
 * or two doubles, and stores those that belong to x, with one instruction where they stand together
 * on an aligned address. Integers and one fma: the same bits everywhere.
 * Geometry: any number of groups of WX work-items, which stride over the counters. No barriers.
 */
#include "random_args.h"
#ifndef WX
#error "random needs WX"
#endif

#define PHILOX_ROUNDS 10
#define A_COUNTER     (16 / (i32)sizeof(R)) /* numbers that the words of one counter make */

typedef struct ALIGNED(16) random_block {
    R v[A_COUNTER];
} random_block;

DEVICE void philox(u64 counter, u64 key, u32 *words)
{
    u32 c0 = (u32)counter, c1 = (u32)(counter >> 32), c2 = 0, c3 = 0;
    u32 k0 = (u32)key, k1 = (u32)(key >> 32);
    UNROLLED
    for (i32 round = 0; round < PHILOX_ROUNDS; round++) {
        const u64 p0 = (u64)0xD2511F53u * c0, p1 = (u64)0xCD9E8D57u * c2;
        c0 = (u32)(p1 >> 32) ^ c1 ^ k0;
        c1 = (u32)p1;
        c2 = (u32)(p0 >> 32) ^ c3 ^ k1;
        c3 = (u32)p0;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    words[0] = c0;
    words[1] = c1;
    words[2] = c2;
    words[3] = c3;
}

DEVICE R random_unit(const u32 *words, i32 which)
{
#if PREC == 0 || PREC == 2
    return (R)(words[which] >> 8) * (R)0x1p-24;
#else
    const u64 bits = (u64)words[2 * which] << 32 | words[2 * which + 1];
    return (R)(bits >> 11) * 0x1p-53;
#endif
}

KERNEL(random, WX, 1, 1)(GLOBAL R *RESTRICT x, random_args a)
{
    BEGIN();
    /* Numbers [begin, end) of the stream go to x; their counters are whole multiples of A_COUNTER.
     * All of this wraps at 2^64, so distances are taken, not limits. */
    const u64 begin = (u64)a.first * T_REALS;
    const u64 skipped = begin % A_COUNTER;
    const u64 count = (u64)a.n * T_REALS + skipped;
    for (u64 at = ((u64)GROUP_X * WX + (u64)ITEM_X) * A_COUNTER; at < count;
         at += (u64)GROUPS_X * WX * A_COUNTER) {
        u32 words[4];
        random_block block;
        philox((begin - skipped + at) / A_COUNTER, (u64)a.seed, words);
        UNROLLED
        for (i32 k = 0; k < A_COUNTER; k++)
            block.v[k] = R_fma(random_unit(words, k), (R)a.width, (R)a.low);
        const i64 first = (i64)at - (i64)skipped;
        if (a.aligned && first >= 0 && at + A_COUNTER <= count) {
            ((GLOBAL random_block *)(x + first))[0] = block;
        } else {
            UNROLLED
            for (i32 k = 0; k < A_COUNTER; k++) {
                const i64 number = first + k;
                if (number >= 0 && at + (u64)k < count)
                    x[number / T_REALS * a.incx * T_REALS + number % T_REALS] = block.v[k];
            }
        }
    }
}

/* philox.h: Philox4x32-10 on the host, for the reference of random.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Written from the description in Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as
 * 1, 2, 3" (SC 2011), without a look at the library: ten rounds of two multiplications
 * whose high and low halves change places, with a key that grows by two constants.
 */
#ifndef TEST_PHILOX_H
#define TEST_PHILOX_H

#include <stdint.h>

typedef struct philox_words {
    uint32_t word[4];
} philox_words;

static inline philox_words philox(philox_words counter, uint64_t key)
{
    uint32_t left = (uint32_t)key, right = (uint32_t)(key >> 32);
    for (int round = 0; round < 10; round++) {
        const uint64_t even = (uint64_t)0xD2511F53u * counter.word[0];
        const uint64_t odd = (uint64_t)0xCD9E8D57u * counter.word[2];
        const philox_words next = {{(uint32_t)(odd >> 32) ^ counter.word[1] ^ left, (uint32_t)odd,
                                    (uint32_t)(even >> 32) ^ counter.word[3] ^ right,
                                    (uint32_t)even}};
        counter = next;
        left += 0x9E3779B9u;
        right += 0xBB67AE85u;
    }
    return counter;
}

/* The words of block number `block` of a seed. */
static inline philox_words philox_block(uint64_t seed, uint64_t block)
{
    const philox_words counter = {{(uint32_t)block, (uint32_t)(block >> 32), 0, 0}};
    return philox(counter, seed);
}

#endif

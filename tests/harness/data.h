/* data.h: numbers for tests: the same on every machine, from a seed and a position.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Counter-based: number i of a seed needs no number before it. The mixing is splitmix64 (Steele,
 * Lea, Flood, OOPSLA 2014).
 */
#ifndef TEST_DATA_H
#define TEST_DATA_H

#include <stdint.h>

static inline uint64_t data_bits(uint64_t seed, uint64_t i)
{
    uint64_t z = (seed * 0x2545f4914f6cdd1du) + (i + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Uniform in (-1, 1): odd multiples of 2^-24, so exact in float and never 0. */
static inline double data_single(uint64_t seed, uint64_t i)
{
    return ((double)(data_bits(seed, i) >> 40) + 0.5) * 0x1p-23 - 1;
}

/* Uniform in (-1, 1), with all bits of a double in use. */
static inline double data_double(uint64_t seed, uint64_t i)
{
    return ((double)(data_bits(seed, i) >> 12) + 0.5) * 0x1p-51 - 1;
}

/* An integer in [-most, most]; a zero is +0 when it becomes a floating-point number. */
static inline int data_integer(uint64_t seed, uint64_t i, int most)
{
    return (int)(data_bits(seed, i) % (uint64_t)(2 * most + 1)) - most;
}

#endif

/* handover_numbers.h: numbers of matrices whose reductions are checked: complex throughout; of a
 * real matrix without imaginary parts.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The word `complex` is a name in other headers: this one comes behind them.
 */
#ifndef HANDOVER_NUMBERS_H
#define HANDOVER_NUMBERS_H

#include <complex.h>
#undef complex
#include <stdbool.h>
#include <stdint.h>

typedef double _Complex number;

#define HANDOVER_LEAST 1e-12 /* of a difference that counts */

static inline double random_number(unsigned seed, unsigned i)
{
    uint64_t h = (i + 1) * UINT64_C(0x9e3779b97f4a7c15) + seed * UINT64_C(0x85ebca6b);
    h ^= h >> 29;
    h *= UINT64_C(0xbf58476d1ce4e5b9);
    return (double)(h >> 40) / (1 << 23) - 1;
}

/* Number i of the device's memory, which has real or complex ones. */
static inline void put_number(double *to, int i, number x, bool is_complex)
{
    to[is_complex ? 2 * i : i] = creal(x);
    if (is_complex)
        to[2 * i + 1] = cimag(x);
}

static inline number take_number(const double *from, int i, bool is_complex)
{
    return is_complex ? from[2 * i] + I * from[2 * i + 1] : from[i];
}

static inline bool is_near(number is, number want, double size)
{
    return cabs(is - want) <= HANDOVER_LEAST * size;
}

#endif

/* host_numbers.h: numbers in arrays of any precision, for tests.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * `letter` is the place of a precision in "sdcz".
 */
#ifndef HOST_NUMBERS_H
#define HOST_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include "gable/gable.h"

typedef gable_cdouble number;

size_t number_bytes(int letter);
void number_put(int letter, char *array, size_t at, number value);
number number_get(int letter, const char *array, size_t at);

static inline number number_times(number a, number b)
{
    return (number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static inline number number_plus(number a, number b)
{
    return (number){a.re + b.re, a.im + b.im};
}

static inline number number_conjugate(number a)
{
    return (number){a.re, -a.im};
}

#endif

/* host_numbers.c: numbers in arrays of any precision, for tests.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <string.h>
#include "host_numbers.h"

size_t number_bytes(int letter)
{
    return (letter % 2 ? sizeof(double) : sizeof(float)) * (letter >= 2 ? 2 : 1);
}

void number_put(int letter, char *array, size_t at, number value)
{
    char *const place = array + at * number_bytes(letter);
    const float single[] = {(float)value.re, (float)value.im};
    const double twice[] = {value.re, value.im};
    memcpy(place, letter % 2 ? (const void *)twice : (const void *)single, number_bytes(letter));
}

number number_get(int letter, const char *array, size_t at)
{
    const char *const place = array + at * number_bytes(letter);
    float single[2] = {0};
    double twice[2] = {0};
    memcpy(letter % 2 ? (void *)twice : (void *)single, place, number_bytes(letter));
    return letter % 2 ? (number){twice[0], twice[1]} : (number){single[0], single[1]};
}

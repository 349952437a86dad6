/* market_number.h: the numbers of Matrix Market files, read fast and rounded exactly.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_MARKET_NUMBER_H
#define GBL_MARKET_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A number at the start of the text, in any form of Fortran or C but the hexadecimal: "1", "+.5",
 * "1.d0", "-inf". The nearest double, ties to even. What follows it, or NULL where there is none or
 * it is past the largest double: *too_large says which. The text must hold a character that belongs
 * to no number, such as '\n'. */
const char *gbl_market_number(const char *text, double *value, bool *too_large);

/* A whole number without a point or an exponent. NULL where there is none or it does not fit 63
 * bits. */
static inline const char *gbl_market_whole(const char *text, int64_t *value)
{
    const char *first = text + (*text == '-' || *text == '+'), *p = first;
    uint64_t whole = 0;
    for (; *p >= '0' && *p <= '9'; p++)
        whole = 10 * whole + (uint64_t)(*p - '0');
    if (p - first > 18) { /* perhaps it was too much */
        whole = 0;
        for (const char *q = first; q < p; q++) {
            const uint64_t digit = (uint64_t)(*q - '0');
            if (whole > ((uint64_t)INT64_MAX - digit) / 10)
                return NULL;
            whole = 10 * whole + digit;
        }
    }
    *value = *text == '-' ? -(int64_t)whole : (int64_t)whole;
    return p == first ? NULL : p;
}

#endif

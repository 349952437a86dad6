/* market_number.h: the numbers of Matrix Market files, read fast and rounded exactly.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_MARKET_NUMBER_H
#define GBL_MARKET_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* A number at the start of the text, in any form of Fortran or C but the hexadecimal: "1", "+.5", "1.d0", "-inf".
 * The nearest double, ties to even. What follows it, or NULL where there is none or it is past the largest double:
 * *too_large says which. The text must hold a character that belongs to no number, such as '\n'. */
const char *gbl_market_number(const char *text, double *value, bool *too_large);

/* A whole number without a point or an exponent. NULL where there is none or it does not fit 63 bits. */
static inline const char *gbl_market_whole(const char *text, int64_t *value)
{
    const bool negative = *text == '-';
    const char *p = text + (*text == '-' || *text == '+'), *first = p;
    uint64_t whole = 0;
    for (; p - first < 18 && *p >= '0' && *p <= '9'; p++)
        whole = 10 * whole + (uint64_t)(*p - '0');
    for (; *p >= '0' && *p <= '9'; p++) {
        const uint64_t digit = (uint64_t)(*p - '0');
        if (whole > ((uint64_t)INT64_MAX - digit) / 10)
            return 0;
        whole = 10 * whole + digit;
    }
    *value = negative ? -(int64_t)whole : (int64_t)whole;
    return p == first ? 0 : p;
}

#endif

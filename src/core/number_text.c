/* number_text.c: numbers as text and back, whatever locale the program has set.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Reading moves the point into the exponent: "12.5e3" becomes "125e2", which strtod reads alike
 * everywhere. Writing lets printf do the work and puts a point where the locale's own sign stands:
 * whatever is no digit, no sign and no exponent.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/number_text.h"

/* 768 tell on which side of the middle between two doubles a number lies */
#define MOST_DIGITS   800
#define MOST_EXPONENT 100000

/* ---- Reading ---- */

typedef struct digit_text {
    char text[MOST_DIGITS + 32];
    int count;
    long exponent; /* of ten, behind the last digit */
    bool rest;     /* a digit that was left out is not 0 */
} digit_text;

/* The digits at p, with the point behind them or before them. */
static const char *take_digits(const char *p, digit_text *all, bool fraction)
{
    for (; *p >= '0' && *p <= '9'; p++) {
        if (all->count == 1 && all->text[0] == '0')
            all->count = 0; /* zeros in front say nothing */
        if (all->count < MOST_DIGITS) {
            all->text[all->count++] = *p;
            all->exponent -= fraction;
        } else {
            all->rest = all->rest || *p != '0';
            all->exponent += !fraction;
        }
    }
    return p;
}

static const char *take_exponent(const char *p, long *exponent)
{
    const bool negative = *p == '-';
    long value = 0;
    p += *p == '-' || *p == '+';
    if (*p < '0' || *p > '9')
        return NULL;
    for (; *p >= '0' && *p <= '9'; p++)
        if (value < MOST_EXPONENT)
            value = 10 * value + (*p - '0');
    *exponent += negative ? -value : value;
    return p;
}

const char *gbl_number_read(const char *text, double *value)
{
    digit_text all = {.count = 0};
    const bool negative = *text == '-';
    const char *p = text + negative;
    if (*p < '0' || *p > '9' || (p[0] == '0' && p[1] >= '0' && p[1] <= '9'))
        return NULL;
    p = take_digits(p, &all, false);
    if (*p == '.') {
        if (p[1] < '0' || p[1] > '9')
            return NULL;
        p = take_digits(p + 1, &all, true);
    }
    if (*p == 'e' || *p == 'E')
        p = take_exponent(p + 1, &all.exponent);
    if (p == NULL)
        return NULL;
    if (all.rest) {
        all.text[all.count++] = '1';
        all.exponent--;
    }
    snprintf(all.text + all.count, sizeof all.text - (size_t)all.count, "e%ld", all.exponent);
    const double read = strtod(all.text, NULL);
    if (!isfinite(read))
        return NULL;
    if (value != NULL)
        *value = negative ? -read : read;
    return p;
}

/* ---- Writing ---- */

static void put_point(char *text)
{
    char *to = text;
    for (const char *from = text; *from != '\0';) {
        const size_t foreign = strcspn(from, "0123456789eE+-");
        if (foreign > 0)
            *to++ = '.';
        else
            *to++ = *from;
        from += foreign > 0 ? foreign : 1;
    }
    *to = '\0';
}

const char *gbl_number_write(double value, int digits, char text[GBL_NUMBER_BYTES])
{
    snprintf(text, GBL_NUMBER_BYTES, "%.*g", digits < 17 ? digits : 17, value);
    if (isfinite(value))
        put_point(text);
    return text;
}

const char *gbl_number_fixed(double value, int decimals, char text[GBL_NUMBER_BYTES])
{
    if (!(fabs(value) < 1e15))
        return gbl_number_write(value, 15, text);
    snprintf(text, GBL_NUMBER_BYTES, "%.*f", decimals < 17 ? decimals : 17, value);
    put_point(text);
    return text;
}

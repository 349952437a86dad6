/* market_number.c: the numbers of Matrix Market files, read fast and rounded exactly.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A number is w * 10^q with a whole w. Where w < 2^53 and |q| <= 22, both w and 10^|q| are doubles,
 * and one division or product rounds once (W. Clinger, How to Read Floating Point Numbers
 * Accurately, 1990). Where w has up to 19 digits and
 * |q| <= 27, 5^|q| fits 63 bits: the product is exact in 128 bits, and a quotient of 64 bits or
 * more with a last bit for the remainder rounds like the exact one. All else goes to
 * core/number_text.h.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "core/number_text.h"
#include "sparse/market/market_number.h"

#define EXACT_DIGITS 19 /* 10^19 < 2^64 */
/* 768 tell on which side of the middle between two doubles a number lies */
#define KEPT_DIGITS    800
#define LARGEST_FIVE   27 /* 5^27 < 2^63 */
#define FARTHEST_POWER 99999

typedef struct decimal {
    const char *first, *last; /* its digits, and perhaps a point among them */
    uint64_t whole;           /* right if it has at most EXACT_DIGITS */
    int64_t digits, power;
    bool negative;
} decimal;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* ---- Fast ---- */

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 wide;

static const uint64_t fives[LARGEST_FIVE + 1] = {1,
                                                 5,
                                                 25,
                                                 125,
                                                 625,
                                                 3125,
                                                 15625,
                                                 78125,
                                                 390625,
                                                 1953125,
                                                 9765625,
                                                 48828125,
                                                 244140625,
                                                 1220703125,
                                                 6103515625,
                                                 30517578125,
                                                 152587890625,
                                                 762939453125,
                                                 3814697265625,
                                                 19073486328125,
                                                 95367431640625,
                                                 476837158203125,
                                                 2384185791015625,
                                                 11920928955078125,
                                                 59604644775390625,
                                                 298023223876953125,
                                                 1490116119384765625,
                                                 7450580596923828125};

/* value * 2^power, rounded once: 64 bits are left, the last of which says whether others were lost.
 * The result is a normal number, and so is its factor. */
static double round_wide(wide value, int power)
{
    const uint64_t high = (uint64_t)(value >> 64);
    uint64_t kept = (uint64_t)value, factor_bits;
    double factor;
    if (high != 0) {
        const int shift = 64 - __builtin_clzll(high);
        kept = (uint64_t)(value >> shift) | (uint64_t)((value & (((wide)1 << shift) - 1)) != 0);
        power += shift;
    }
    factor_bits = (uint64_t)(1023 + power) << 52;
    memcpy(&factor, &factor_bits, sizeof factor);
    return (double)kept * factor;
}

static bool read_wide(uint64_t whole, int power, double *value)
{
    if (power >= 0) {
        *value = round_wide((wide)whole * fives[power], power);
        return true;
    }
    const int shift = __builtin_clzll(whole);
    const wide dividend = (wide)(whole << shift) << 64, divisor = fives[-power];
    const wide quotient = dividend / divisor;
    const bool rest = quotient * divisor != dividend;
    *value = round_wide(quotient | rest, power - shift - 64);
    return true;
}
#else
static bool read_wide(uint64_t whole, int power, double *value)
{
    (void)whole, (void)power, (void)value;
    return false;
}
#endif

static bool read_fast(const decimal *number, double *value)
{
    static const double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                  1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    int64_t digits = number->digits;
    if (digits > EXACT_DIGITS) /* zeros in front do not count */
        for (const char *p = number->first; p < number->last && (*p == '0' || *p == '.'); p++)
            digits -= *p == '0';
    if (digits > EXACT_DIGITS)
        return false;
    if (number->whole == 0) {
        *value = 0;
        return true;
    }
    if (number->whole <= (uint64_t)1 << 53 && number->power >= -22 && number->power <= 22) {
        *value = number->power < 0 ? (double)number->whole / tens[-number->power]
                                   : (double)number->whole * tens[number->power];
        return true;
    }
    return number->power >= -LARGEST_FIVE && number->power <= LARGEST_FIVE &&
           read_wide(number->whole, (int)number->power, value);
}

/* ---- Slow ---- */

static bool read_slow(const decimal *number, double *value)
{
    char text[KEPT_DIGITS + 32];
    int count = 0;
    int64_t power = number->power;
    bool rest = false;
    for (const char *p = number->first; p < number->last; p++) {
        if (*p == '.' || (count == 0 && *p == '0'))
            continue;
        if (count < KEPT_DIGITS) {
            text[count++] = *p;
        } else {
            rest = rest || *p != '0';
            power++;
        }
    }
    if (count == 0)
        text[count++] = '0';
    if (rest) {
        text[count++] = '1';
        power--;
    }
    if (power > FARTHEST_POWER || power < -FARTHEST_POWER)
        power = power > 0 ? FARTHEST_POWER : -FARTHEST_POWER;
    snprintf(text + count, sizeof text - (size_t)count, "e%ld", (long)power);
    return gbl_number_read(text, value) != NULL;
}

/* ---- Words ---- */

/* Whether the text starts with a word in small letters, whatever its own are. */
static bool starts_with(const char *text, const char *word)
{
    for (; *word != '\0'; text++, word++)
        if (*text != *word && !(*text >= 'A' && *text <= 'Z' && *text - 'A' + 'a' == *word))
            return false;
    return true;
}

static const char *read_word(const char *p, double *value)
{
    if (starts_with(p, "nan")) {
        *value = NAN;
        return p + 3;
    }
    if (starts_with(p, "inf")) {
        *value = INFINITY;
        return p + (starts_with(p, "infinity") ? 8 : 3);
    }
    return NULL;
}

/* ---- All of it ---- */

static const char *take_digits(const char *p, decimal *number)
{
    uint64_t whole = number->whole;
    const char *first = p;
    for (; is_digit(*p); p++)
        whole = 10 * whole + (uint64_t)(*p - '0');
    number->whole = whole;
    number->digits += p - first;
    return p;
}

static const char *take_power(const char *p, decimal *number)
{
    const bool negative = *p == '-';
    int64_t power = 0;
    p += *p == '-' || *p == '+';
    if (!is_digit(*p))
        return NULL;
    for (; is_digit(*p); p++)
        if (power < INT64_MAX / 1000)
            power = 10 * power + (*p - '0');
    number->power += negative ? -power : power;
    return p;
}

const char *gbl_market_number(const char *text, double *value, bool *too_large)
{
    decimal number = {.negative = *text == '-'};
    const char *p = text + (*text == '-' || *text == '+');
    *too_large = false;
    number.first = p;
    p = take_digits(p, &number);
    if (*p == '.') {
        const int64_t before = number.digits;
        p = take_digits(p + 1, &number);
        number.power = before - number.digits;
    }
    number.last = p;
    if (number.digits == 0) {
        p = read_word(number.first, value);
    } else {
        if (*p == 'e' || *p == 'E' || *p == 'd' || *p == 'D')
            p = take_power(p + 1, &number);
        if (p != NULL && !read_fast(&number, value) && !read_slow(&number, value)) {
            *too_large = true;
            return NULL;
        }
    }
    if (p != NULL && number.negative)
        *value = -*value;
    return p;
}

/* product_numbers.h: what plain loops over products need: numbers as pairs of doubles, and which
 * terms count.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Doubles hold small integers of all precisions exactly.
 */
#ifndef PRODUCT_NUMBERS_H
#define PRODUCT_NUMBERS_H

#include "device/product_args.h"

typedef struct number {
    double re, im;
} number;

static inline number times(number a, number b)
{
    return (number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static inline number plus(number a, number b)
{
    return (number){a.re + b.re, a.im + b.im};
}

static inline number conjugate(number a)
{
    return (number){a.re, -a.im};
}

static inline bool is_zero(number a)
{
    return a.re == 0 && a.im == 0;
}

/* Whether the left factor is the triangular one. */
static inline bool zeros_left(gbl_triangular triangular)
{
    return triangular == GBL_A_LOWER || triangular == GBL_A_UPPER;
}

/* Whether term p of C(i, j) counts beside a triangular factor. */
static inline bool term_counts(gbl_triangular triangular, int64_t i, int64_t j, int64_t p)
{
    switch (triangular) {
    case GBL_A_LOWER:
        return p <= i;
    case GBL_A_UPPER:
        return p >= i;
    case GBL_B_LOWER:
        return p >= j;
    case GBL_B_UPPER:
        return p <= j;
    default:
        return true;
    }
}

/* Whether C(i, j) is computed. */
static inline bool part_wanted(gbl_triangle_c triangle_c, int64_t i, int64_t j)
{
    return triangle_c == GBL_ALL || (triangle_c == GBL_UPPER_ONLY ? i <= j : i >= j);
}

#endif

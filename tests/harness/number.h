/* number.h: elements of any of the four precisions, for tests that are compiled once.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A number is two doubles, which hold every element exactly. Functions that make or read elements
 * take the precision. Typed tests have the same in numbers.h.
 */
#ifndef TEST_NUMBER_H
#define TEST_NUMBER_H

#include <math.h>
#include <stdbool.h>
#include <string.h>
#include "device/dtype.h"
#include "harness/data.h"
#include "harness/guarded.h"
#include "harness/wide.h"

typedef struct number {
    double re, im;
} number;

/* As an element holds it: rounded, and without an imaginary part where there is none. */
static inline number number_of(gbl_dtype dtype, double re, double im)
{
    const bool narrow = gbl_dtype_real_bytes(dtype) == 4;
    const double imaginary = gbl_dtype_complex(dtype) ? im : 0;
    return narrow ? (number){(float)re, (float)imaginary} : (number){re, imaginary};
}

/* Element i of a random vector, and of one of integers. */
static inline number number_random(gbl_dtype dtype, uint64_t seed, int64_t i)
{
    const uint64_t at = 2 * (uint64_t)i;
    if (gbl_dtype_real_bytes(dtype) == 4)
        return number_of(dtype, data_single(seed, at), data_single(seed, at + 1));
    return number_of(dtype, data_double(seed, at), data_double(seed, at + 1));
}

static inline number number_integer(gbl_dtype dtype, uint64_t seed, int64_t i, int most)
{
    const uint64_t at = 2 * (uint64_t)i;
    const double im = gbl_dtype_complex(dtype) ? data_integer(seed, at + 1, most) : 0;
    return (number){data_integer(seed, at, most), im};
}

static inline number number_conjugate(number a)
{
    return (number){a.re, -a.im};
}

static inline double number_size(number a)
{
    return wide_size(a.re, a.im);
}

static inline bool number_finite(number a)
{
    return isfinite(a.re) && isfinite(a.im);
}

/* Unit roundoff, and the largest error over bound: 1, or 2 sqrt 2 for complex numbers (Higham,
 * Accuracy and Stability, 3.1 and 3.6). */
static inline double number_roundoff(gbl_dtype dtype)
{
    return gbl_dtype_real_bytes(dtype) == 4 ? 0x1p-24 : 0x1p-53;
}

static inline double number_limit(gbl_dtype dtype)
{
    return gbl_dtype_complex(dtype) ? 2.8284271247461903 : 1;
}

/* ---- Elements in memory ---- */

static inline number number_load(gbl_dtype dtype, const void *at)
{
    float narrow[2] = {0, 0};
    number a = {0, 0};
    if (gbl_dtype_real_bytes(dtype) == 8) {
        memcpy(&a, at, gbl_dtype_bytes(dtype));
        return a;
    }
    memcpy(narrow, at, gbl_dtype_bytes(dtype));
    return (number){narrow[0], narrow[1]};
}

static inline void number_store(gbl_dtype dtype, void *at, number a)
{
    const float narrow[2] = {(float)a.re, (float)a.im};
    if (gbl_dtype_real_bytes(dtype) == 8)
        memcpy(at, &a, gbl_dtype_bytes(dtype));
    else
        memcpy(at, narrow, gbl_dtype_bytes(dtype));
}

/* Element i of a guarded vector: what should be there, what was fetched, and writing the former. */
static inline number number_get(gbl_dtype dtype, const guarded *v, int64_t i)
{
    return number_load(dtype, guarded_element(v, i));
}

static inline number number_got(gbl_dtype dtype, const guarded *v, int64_t i)
{
    return number_load(dtype, guarded_result(v, i));
}

static inline void number_put(gbl_dtype dtype, const guarded *v, int64_t i, number a)
{
    number_store(dtype, guarded_element(v, i), a);
}

/* ---- Sums ---- */

/* A sum in wide arithmetic. */
typedef struct number_sum {
    wide re, im;
    double size; /* sum of the sizes of what was added */
} number_sum;

/* sum + a b */
static inline void number_add_product(number_sum *sum, number a, number b)
{
    sum->re = wide_gather(sum->re, a.re, b.re);
    sum->re = wide_gather(sum->re, -a.im, b.im);
    sum->im = wide_gather(wide_gather(sum->im, a.re, b.im), a.im, b.re);
    sum->size += number_size(a) * number_size(b);
}

/* sum + a b of real numbers. */
static inline void number_add_real(number_sum *sum, number a, number b)
{
    sum->re = wide_gather(sum->re, a.re, b.re);
    sum->size += fabs(a.re * b.re);
}

/* sum + a b, where b is a sum. */
static inline void number_add_scaled(number_sum *sum, number a, const number_sum *b)
{
    const double parts[2][2] = {{b->re.high, b->im.high}, {b->re.low, b->im.low}};
    for (int i = 0; i < 2; i++) {
        sum->re = wide_gather(wide_gather(sum->re, a.re, parts[i][0]), -a.im, parts[i][1]);
        sum->im = wide_gather(wide_gather(sum->im, a.re, parts[i][1]), a.im, parts[i][0]);
    }
    sum->size += number_size(a) * b->size;
}

/* |sum - a|, rounded once. */
static inline double number_distance(const number_sum *sum, number a)
{
    return wide_size(wide_distance(sum->re, a.re), wide_distance(sum->im, a.im));
}

#endif

/* numbers.h: the precision a typed test is compiled for. Comes last among the includes.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Beyond device/precision.h:
 *   LETTER         's' ... 'z'
 *   ROUNDOFF       unit roundoff u of R
 *   LIMIT          largest error over bound: 1, or 2 sqrt 2 for complex (Higham, Accuracy and
 *                  Stability, 3.1 and 3.6: a complex product costs up to 2 sqrt 2 u)
 *   REALS          1 or 2
 *   PARTS          the name of the table a routine's test ends in: test_parts_s ... test_parts_z
 *   real_part, imaginary_part, make   between T and two doubles
 *   get, got, put  elements of guarded vectors
 */
#ifndef TEST_NUMBERS_H
#define TEST_NUMBERS_H

#include <float.h>
#include <string.h>
#include "device/precision.h"
#include "harness/data.h"
#include "harness/guarded.h"

#if defined(PREC_S) || defined(PREC_C)
#define ROUNDOFF             0x1p-24
#define REAL_MAX             FLT_MAX
#define REAL_MIN             FLT_MIN
#define REAL_DENORM          0x1p-149
#define random_real(seed, i) ((R)data_single(seed, i))
#else
#define ROUNDOFF             0x1p-53
#define REAL_MAX             DBL_MAX
#define REAL_MIN             DBL_MIN
#define REAL_DENORM          0x1p-1074
#define random_real(seed, i) data_double(seed, i)
#endif

#if defined(PREC_S)
#define LETTER 's'
#define PARTS  test_parts_s
#elif defined(PREC_D)
#define LETTER 'd'
#define PARTS  test_parts_d
#elif defined(PREC_C)
#define LETTER 'c'
#define PARTS  test_parts_c
#else
#define LETTER 'z'
#define PARTS  test_parts_z
#endif

#if COMPLEX
#define REALS 2
#define LIMIT 2.8284271247461903

static inline double real_part(T a)
{
    return a.re;
}

static inline double imaginary_part(T a)
{
    return a.im;
}

static inline T make(double re, double im)
{
    const T t = {(R)re, (R)im};
    return t;
}
#else
#define REALS 1
#define LIMIT 1.0

static inline double real_part(T a)
{
    return a;
}

static inline double imaginary_part(T a)
{
    (void)a;
    return 0;
}

static inline T make(double re, double im)
{
    (void)im;
    return (T)re;
}
#endif

/* Element i of a random vector, and of one of integers. */
static inline T random_element(uint64_t seed, int64_t i)
{
    return make(random_real(seed, 2 * (uint64_t)i), random_real(seed, 2 * (uint64_t)i + 1));
}

static inline T integer_element(uint64_t seed, int64_t i, int most)
{
    return make(data_integer(seed, 2 * (uint64_t)i, most),
                data_integer(seed, 2 * (uint64_t)i + 1, most));
}

/* Element i of a guarded vector: what should be there, what was fetched, and writing the former. */
static inline T get(const guarded *v, int64_t i)
{
    T t;
    memcpy(&t, guarded_element(v, i), sizeof t);
    return t;
}

static inline T got(const guarded *v, int64_t i)
{
    T t;
    memcpy(&t, guarded_result(v, i), sizeof t);
    return t;
}

static inline void put(const guarded *v, int64_t i, T t)
{
    memcpy(guarded_element(v, i), &t, sizeof t);
}

#endif

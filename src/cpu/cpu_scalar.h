/* cpu_scalar.h: single elements of matrices on the cpu: sizes, reciprocals.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_CPU_SCALAR_H
#define GBL_CPU_SCALAR_H

#include <math.h>
#include "cpu/cpu_vector.h"

/* |Re a| + |Im a| */
static inline R size_of(const T *a)
{
#if COMPLEX
    return (R)(fabs((double)a->re) + fabs((double)a->im));
#else
    return (R)fabs((double)*a);
#endif
}

/* 1 / a, Smith's way where it is complex */
static inline T reciprocal(T a)
{
    T inverse;
#if COMPLEX
    const bool turned = fabs((double)a.re) < fabs((double)a.im);
    const R large = turned ? a.im : a.re, small = turned ? a.re : a.im;
    const R ratio = small / large, size = small * ratio + large;
    inverse.re = (turned ? ratio : 1) / size;
    inverse.im = (turned ? -1 : -ratio) / size;
#else
    inverse = 1 / a;
#endif
    return inverse;
}

static inline T negative(T a)
{
#if COMPLEX
    a.re = -a.re;
    a.im = -a.im;
    return a;
#else
    return -a;
#endif
}

static inline T one_or_zero(bool one)
{
    const T zero = {0};
    T value = zero;
#if COMPLEX
    value.re = one;
#else
    value = one;
#endif
    return value;
}

static inline T conjugate(T a)
{
#if COMPLEX
    a.im = -a.im;
#endif
    return a;
}

static inline R real_part(T a)
{
#if COMPLEX
    return a.re;
#else
    return a;
#endif
}

static inline T of_real(R a)
{
    T value = one_or_zero(false);
#if COMPLEX
    value.re = a;
#else
    value = a;
#endif
    return value;
}

#endif

/* reflector.h: the elementary reflector of a column, from its first element and the norm of the
 * rest.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * H = I - tau v v^H, H^H (alpha, x) = (beta, 0), v = (1, x / (alpha - beta)), beta real, with the
 * sign that alpha's real part does not have. Where x is zero and alpha real, tau is 0. In single
 * precision all scalars are doubles: no square overflows or underflows. In double precision a
 * column whose norm is near an end of the range is first multiplied by `up`, a power of two, as
 * LAPACK does for small ones: else 1 / (alpha - beta) would overflow, or alpha - beta itself.
 */
#include "norm.h"

typedef struct reflector {
    f64 beta;
    f64 tau_re, tau_im;
    f64 scale_re, scale_im; /* v = scale (up x) */
    f64 up;
} reflector;

#if SUM_N > 1
#define REFLECTOR_SMALL    0x1p-960
#define REFLECTOR_SMALL_UP 0x1p128
#define REFLECTOR_LARGE    0x1p1018
#define REFLECTOR_LARGE_UP 0x1p-8
#endif

/* The norm of x, times a power of two: exact where the norm itself would be subnormal. */
DEVICE f64 reflector_norm(sum_t s, f64 up)
{
#if SUM_N == 1
    return sqrt(s.v[0]) * up;
#else
    f64 sum = s.v[NORM_MEDIUM], scale = 1;
    if (s.v[NORM_BIG] > 0) {
        sum = s.v[NORM_BIG] + (sum * NORM_BIG_SCALE) * NORM_BIG_SCALE;
        scale = 1 / NORM_BIG_SCALE;
    } else if (s.v[NORM_SMALL] > 0 && !(sum > NORM_SMALL_MATTERS_TO)) {
        sum = s.v[NORM_SMALL] + (sum * NORM_SMALL_SCALE) * NORM_SMALL_SCALE;
        scale = 1 / NORM_SMALL_SCALE;
    }
    return sqrt(sum) * (scale * up);
#endif
}

DEVICE f64 size_of(f64 a)
{
    return a < 0 ? -a : a;
}

/* NaN and infinities give NaN. */
DEVICE reflector reflector_of(T alpha, sum_t squares)
{
    reflector h;
    f64 re = T_real(alpha, 0), im = T_REALS > 1 ? T_real(alpha, 1) : 0;
    f64 norm = reflector_norm(squares, 1);
    h.beta = re;
    h.tau_re = h.tau_im = h.scale_re = h.scale_im = 0;
    h.up = 1;
    if (norm == 0 && im == 0)
        return h;
#if SUM_N > 1
    const f64 rough = size_of(re) + size_of(im) + norm;
    if (rough < REFLECTOR_SMALL)
        h.up = REFLECTOR_SMALL_UP;
    else if (rough > REFLECTOR_LARGE)
        h.up = REFLECTOR_LARGE_UP;
    norm = reflector_norm(squares, h.up);
    re *= h.up;
    im *= h.up;
#endif
    f64 most = size_of(re) > size_of(im) ? size_of(re) : size_of(im);
    most = norm > most ? norm : most;
    const f64 p = re / most, q = im / most, r = norm / most;
    const f64 beta = -copysign(most * sqrt(p * p + q * q + r * r), re);
    h.beta = beta / h.up;
    h.tau_re = (beta - re) / beta;
    h.tau_im = -im / beta;
    /* 1 / (alpha - beta): the real part is the larger one */
    const f64 d = re - beta, ratio = im / d, size = d + im * ratio;
    h.scale_re = 1 / size;
    h.scale_im = -ratio / size;
    return h;
}

DEVICE T reflector_tau(reflector h)
{
    return T_make(h.tau_re, h.tau_im);
}

/* An element of v. */
DEVICE T reflector_element(reflector h, T x)
{
    const f64 re = T_real(x, 0) * h.up;
#if T_REALS > 1
    const f64 im = T_real(x, 1) * h.up;
    return T_make(h.scale_re * re - h.scale_im * im, h.scale_re * im + h.scale_im * re);
#else
    return T_make(h.scale_re * re, 0);
#endif
}

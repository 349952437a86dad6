/* safe_reflector.h: the reflector of a column whose squares neither overflow nor underflow.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Panels of reductions sum squares and products of a column in its own precision. Where the sums
 * are between these bounds nothing was lost that counts; else reflector_of of reflector.h serves.
 */
#include "reflector.h"

#if PREC == 0 || PREC == 2
#define SAFE_FROM 0x1p-80f
#define SAFE_TO   0x1p120f
#define ALPHA_TO  0x1p60f
#else
#define SAFE_FROM 0x1p-800
#define SAFE_TO   0x1p1000
#define ALPHA_TO  0x1p500
#endif

/* The reflector of alpha and x, where their squares are safe: reflector_of with one root and two
 * or three quotients. */
DEVICE reflector reflector_safe(T alpha, f64 squares)
{
    const f64 re = T_real(alpha, 0), im = T_REALS > 1 ? T_real(alpha, 1) : 0;
    const f64 beta = -copysign(sqrt(re * re + im * im + squares), re);
    const f64 d = re - beta;
    reflector h;
    h.up = 1;
    h.beta = beta;
    h.tau_re = -d / beta;
    h.tau_im = h.scale_im = 0;
    h.scale_re = 1 / d;
    if (T_REALS > 1) {
        const f64 ratio = im * h.scale_re, size = 1 / (d + im * ratio);
        h.tau_im = -im / beta;
        h.scale_re = size;
        h.scale_im = -ratio * size;
    }
    return h;
}

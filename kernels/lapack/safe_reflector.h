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

/* Of the reflector of alpha and x, where their squares are safe, all but tau: reflector_of with one
 * root and one quotient. */
DEVICE reflector reflector_scale(T alpha, f64 squares)
{
    const f64 re = T_real(alpha, 0), im = T_REALS > 1 ? T_real(alpha, 1) : 0;
    const f64 beta = -copysign(sqrt(re * re + im * im + squares), re);
    const f64 d = re - beta;
    reflector h;
    h.up = 1;
    h.beta = beta;
    h.tau_re = h.tau_im = h.scale_im = 0;
    if (T_REALS > 1) {
        const f64 size = 1 / (d * d + im * im);
        h.scale_re = d * size;
        h.scale_im = -im * size;
    } else {
        h.scale_re = 1 / d;
    }
    return h;
}

/* Then tau, which nothing waits for as it waits for the rest. */
DEVICE reflector reflector_finish(reflector h, T alpha)
{
    h.tau_re = (h.beta - T_real(alpha, 0)) / h.beta;
    if (T_REALS > 1)
        h.tau_im = -T_real(alpha, 1) / h.beta;
    return h;
}

DEVICE reflector reflector_safe(T alpha, f64 squares)
{
    return reflector_finish(reflector_scale(alpha, squares), alpha);
}

/* wide_complex.h: complex numbers in double, whatever the precision: for the few numbers of a
 * solver.
 * SPDX-License-Identifier: BSD-3-Clause
 */

typedef struct W {
    f64 re, im;
} W;

DEVICE W W_make(f64 re, f64 im)
{
    W w;
    w.re = re;
    w.im = im;
    return w;
}

DEVICE T W_narrow(W a)
{
    return T_make(a.re, a.im);
}

DEVICE W W_add(W a, W b)
{
    return W_make(a.re + b.re, a.im + b.im);
}

DEVICE W W_sub(W a, W b)
{
    return W_make(a.re - b.re, a.im - b.im);
}

DEVICE W W_mul(W a, W b)
{
    return W_make(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
}

DEVICE W W_scale(f64 a, W b)
{
    return W_make(a * b.re, a * b.im);
}

DEVICE W W_conj(W a)
{
    return W_make(a.re, -a.im);
}

DEVICE f64 W_square(W a) /* |a|^2 */
{
    return a.re * a.re + a.im * a.im;
}

/* a / b, Smith's way, in which the quotient of the parts of b is at most 1 */
DEVICE W W_div(W a, W b)
{
    const f64 re = b.re < 0 ? -b.re : b.re, im = b.im < 0 ? -b.im : b.im;
    if (im == 0)
        return W_make(a.re / b.re, a.im / b.re);
    if (re >= im) {
        const f64 ratio = b.im / b.re, size = b.re + b.im * ratio;
        return W_make((a.re + a.im * ratio) / size, (a.im - a.re * ratio) / size);
    }
    const f64 ratio = b.re / b.im, size = b.re * ratio + b.im;
    return W_make((a.re * ratio + a.im) / size, (a.im * ratio - a.re) / size);
}

DEVICE i32 f64_finite(f64 a)
{
    return a - a == 0;
}

DEVICE i32 W_finite(W a)
{
    return f64_finite(a.re) && f64_finite(a.im);
}

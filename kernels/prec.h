/* prec.h: the four precisions as types and functions, for kernels.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * PREC is 0 (s), 1 (d), 2 (c) or 3 (z). T is the element, R its real type. No operator is used on
 * T: complex is a struct, because float2 * float2 compiles in OpenCL and is silently wrong.
 */
#if PREC == 0
#define FN(op) s##op
typedef float R;
#elif PREC == 1
#define FN(op) d##op
typedef double R;
#elif PREC == 2
#define FN(op) c##op
typedef float R;
#elif PREC == 3
#define FN(op) z##op
typedef double R;
#else
#error "PREC must be 0, 1, 2 or 3"
#endif

#if PREC < 2
#define T_REALS 1
typedef R T;

DEVICE T T_make(f64 re, f64 im)
{
    (void)im;
    return (R)re;
}

DEVICE T T_mul(T a, T b)
{
    return a * b;
}

DEVICE T T_fma(T a, T b, T c) /* a b + c */
{
    return R_fma(a, b, c);
}

DEVICE T T_scale(R a, T b) /* a b */
{
    return a * b;
}

DEVICE T T_fma_real(R a, T b, T c) /* a b + c */
{
    return R_fma(a, b, c);
}

DEVICE T T_neg(T a)
{
    return -a;
}

DEVICE R T_size(T a) /* |Re a| + |Im a| */
{
    return a < 0 ? -a : a;
}

DEVICE T T_conj(T a)
{
    return a;
}

DEVICE i32 T_is_zero(T a)
{
    return a == 0;
}

DEVICE R T_real(T a, i32 part)
{
    (void)part;
    return a;
}

#else
#define T_REALS 2
typedef struct T {
    R re, im;
} T;

DEVICE T T_make(f64 re, f64 im)
{
    T t;
    t.re = (R)re;
    t.im = (R)im;
    return t;
}

DEVICE T T_mul(T a, T b)
{
    T t;
    t.re = R_fma(a.re, b.re, -a.im * b.im);
    t.im = R_fma(a.re, b.im, a.im * b.re);
    return t;
}

DEVICE T T_fma(T a, T b, T c) /* a b + c */
{
    T t;
    t.re = R_fma(a.re, b.re, R_fma(-a.im, b.im, c.re));
    t.im = R_fma(a.re, b.im, R_fma(a.im, b.re, c.im));
    return t;
}

DEVICE T T_scale(R a, T b) /* a b */
{
    b.re = a * b.re;
    b.im = a * b.im;
    return b;
}

DEVICE T T_fma_real(R a, T b, T c) /* a b + c */
{
    c.re = R_fma(a, b.re, c.re);
    c.im = R_fma(a, b.im, c.im);
    return c;
}

DEVICE T T_neg(T a)
{
    a.re = -a.re;
    a.im = -a.im;
    return a;
}

DEVICE T T_conj(T a)
{
    a.im = -a.im;
    return a;
}

DEVICE R T_size(T a) /* |Re a| + |Im a| */
{
    return (a.re < 0 ? -a.re : a.re) + (a.im < 0 ? -a.im : a.im);
}

DEVICE i32 T_is_zero(T a)
{
    return a.re == 0 && a.im == 0;
}

DEVICE R T_real(T a, i32 part)
{
    return part == 0 ? a.re : a.im;
}
#endif

DEVICE T T_add(T a, T b)
{
    return T_fma_real(1, a, b);
}

/* 1 / a; of complex numbers Smith's way, in which the quotient of the parts is at most 1 */
DEVICE T T_reciprocal(T a)
{
#if T_REALS > 1
    const R re = a.re < 0 ? -a.re : a.re, im = a.im < 0 ? -a.im : a.im;
    const i32 turned = re < im;
    const R large = turned ? a.im : a.re, small = turned ? a.re : a.im;
    const R ratio = small / large, size = R_fma(small, ratio, large);
    return T_make((turned ? ratio : 1) / size, (turned ? -1 : -ratio) / size);
#else
    return 1 / a;
#endif
}

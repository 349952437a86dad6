/* rotg.cl: the rotation that makes (a, b) into (r, 0), from and to device memory
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Real: c = a / r, s = b / r, made of the scaled numbers, and b becomes the number that tells c and
 * s. Complex: r points where a does, c = |a| / |r|, s = (a / |a|) conj(b) / |r|. Numbers are
 * divided by their own size before they are squared, so only r itself can overflow. Geometry: one
 * work-item. No barriers.
 */
#if PREC == 0 || PREC == 2
#define ROTG_SMALLEST 0x1p-126f
#define ROTG_LARGEST  0x1p126f
#else
#define ROTG_SMALLEST 0x1p-1022
#define ROTG_LARGEST  0x1p1022
#endif

/* A number to divide by, of about this size, whose reciprocal exists. */
DEVICE R rotg_scale(R size)
{
    const R at_least = size > ROTG_SMALLEST ? size : ROTG_SMALLEST;
    return at_least < ROTG_LARGEST ? at_least : ROTG_LARGEST;
}

DEVICE R rotg_larger(R a, R b)
{
    return a > b ? a : b;
}

DEVICE R rotg_abs(R a)
{
    return a < 0 ? -a : a;
}

#if T_REALS == 1
KERNEL(rotg, 1, 1, 1)
(GLOBAL T *RESTRICT a_at, GLOBAL T *RESTRICT b_at, GLOBAL R *RESTRICT c_at, GLOBAL T *RESTRICT s_at)
{
    BEGIN();
    const R a = a_at[0], b = b_at[0], a_size = rotg_abs(a), b_size = rotg_abs(b);
    R r = a, c = 1, s = 0, z = 0;
    if (a == 0 && b != 0) {
        r = b;
        c = 0;
        s = 1;
        z = 1;
    } else if (b != 0) {
        const R scale = rotg_scale(rotg_larger(a_size, b_size));
        const R as = a / scale, bs = b / scale;
        const R size = sqrt(as * as + bs * bs), norm = (a_size > b_size ? a : b) < 0 ? -size : size;
        r = scale * norm; /* may be denormal: c and s are not made from it */
        c = as / norm;
        s = bs / norm;
        z = a_size > b_size ? s : c != 0 ? 1 / c : 1;
    }
    a_at[0] = r;
    b_at[0] = z;
    c_at[0] = c;
    s_at[0] = s;
}
#else
/* a = size direction, |direction| = 1; size is kept as a product whose factors do not overflow. */
typedef struct rotg_polar {
    T direction;
    R scale, rest;
} rotg_polar;

DEVICE rotg_polar rotg_split(T a)
{
    rotg_polar p;
    p.scale = rotg_scale(rotg_larger(rotg_abs(a.re), rotg_abs(a.im)));
    p.direction.re = a.re / p.scale;
    p.direction.im = a.im / p.scale;
    p.rest = sqrt(p.direction.re * p.direction.re + p.direction.im * p.direction.im);
    p.direction.re /= p.rest;
    p.direction.im /= p.rest;
    return p;
}

KERNEL(rotg, 1, 1, 1)
(GLOBAL T *RESTRICT a_at, GLOBAL T *RESTRICT b_at, GLOBAL R *RESTRICT c_at, GLOBAL T *RESTRICT s_at)
{
    BEGIN();
    const T a = a_at[0], b = b_at[0];
    T r = a, s = T_make(0, 0);
    R c = 1;
    if (!T_is_zero(b)) {
        const rotg_polar pb = rotg_split(b);
        if (T_is_zero(a)) {
            c = 0;
            s = T_conj(pb.direction);
            r = T_make(pb.scale * pb.rest, 0);
        } else {
            const rotg_polar pa = rotg_split(a);
            const R scale = rotg_larger(pa.scale, pb.scale);
            const R as = pa.scale / scale * pa.rest, bs = pb.scale / scale * pb.rest;
            const R norm = sqrt(as * as + bs * bs);
            c = as / norm;
            s = T_scale(bs / norm, T_mul(pa.direction, T_conj(pb.direction)));
            r = T_scale(scale, T_scale(norm, pa.direction));
        }
    }
    a_at[0] = r;
    c_at[0] = c;
    s_at[0] = s;
}
#endif

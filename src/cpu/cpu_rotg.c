/* cpu_rotg.c: makes plane rotations: rotg and, in s and d, the modified rotmg. A few numbers each.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * rotg computes in double with every magnitude split into a number near 1 and a power of two, so
 * that squares neither overflow nor underflow whatever a and b are, and only c, s and r themselves
 * are rounded to their type: the aim of Anderson (Algorithm 978: safe scaling in the level 1 BLAS,
 * ACM TOMS 44, 2017), reached by exact scaling.
 */
#include <math.h>
#include "cpu/cpu_vector.h"

/* unit * size * 2^exponent, |unit| = 1, size in [1/2, 2). */
typedef struct polar {
    double re, im; /* unit */
    double size;
    int exponent;
} polar;

static polar polar_of(double re, double im)
{
    polar p;
    const double most = fabs(re) > fabs(im) ? fabs(re) : fabs(im);
    (void)frexp(most, &p.exponent);
    p.re = ldexp(re, -p.exponent);
    p.im = ldexp(im, -p.exponent);
    p.size = im == 0 ? fabs(p.re) : sqrt(p.re * p.re + p.im * p.im);
    p.re /= p.size;
    p.im /= p.size;
    return p;
}

/* sqrt(|a|^2 + |b|^2) = norm 2^exponent; |a| and |b| over it are cosine and sine. */
typedef struct angle {
    double norm, cosine, sine;
    int exponent;
} angle;

static angle angle_of(const polar *a, const polar *b)
{
    angle between;
    between.exponent = a->exponent > b->exponent ? a->exponent : b->exponent;
    const double x = ldexp(a->size, a->exponent - between.exponent);
    const double y = ldexp(b->size, b->exponent - between.exponent);
    between.norm = sqrt(x * x + y * y);
    between.cosine = x / between.norm;
    between.sine = y / between.norm;
    return between;
}

#if COMPLEX
static void make_rotation(T *a, T *b, R *c, T *s)
{
    const T given = *a;
    if (is_zero(*b)) {
        *c = 1;
        *s = (T){0, 0};
        return;
    }
    const polar pb = polar_of(b->re, b->im);
    if (is_zero(given)) {
        *c = 0;
        *s = (T){(R)pb.re, (R)-pb.im};
        *a = (T){(R)ldexp(pb.size, pb.exponent), 0};
        return;
    }
    const polar pa = polar_of(given.re, given.im);
    const angle between = angle_of(&pa, &pb);
    *c = (R)between.cosine;
    s->re = (R)((pa.re * pb.re + pa.im * pb.im) * between.sine);
    s->im = (R)((pa.im * pb.re - pa.re * pb.im) * between.sine);
    a->re = (R)ldexp(pa.re * between.norm, between.exponent);
    a->im = (R)ldexp(pa.im * between.norm, between.exponent);
}
#else
/* The sign of r and the number z, from which c and s can be had again, are those of the reference
 * BLAS. */
static void make_rotation(T *a, T *b, R *c, T *s)
{
    const T given_a = *a, given_b = *b;
    if (given_b == 0) {
        *c = 1;
        *s = 0;
        return; /* r = a, z = b = 0 */
    }
    if (given_a == 0) {
        *c = 0;
        *s = 1;
        *a = given_b;
        *b = 1;
        return;
    }
    const bool a_leads = fabs(given_a) > fabs(given_b);
    const double sign = copysign(1, a_leads ? given_a : given_b);
    const polar pa = polar_of(given_a, 0), pb = polar_of(given_b, 0);
    const angle between = angle_of(&pa, &pb);
    *c = (R)(sign * pa.re * between.cosine);
    *s = (R)(sign * pb.re * between.sine);
    *a = (R)ldexp(sign * between.norm, between.exponent);
    *b = a_leads ? *s : *c != 0 ? 1 / *c : 1;
}
#endif

/* gbl_cpu_srotg gbl_cpu_drotg gbl_cpu_crotg gbl_cpu_zrotg */
GBL_CPU_TASK(PRIVATE(rotg))
{
    (void)queue, (void)stream, (void)message;
    const gbl_vector_args *call = args;
    make_rotation(call->x, call->y, call->result, call->w);
    return GABLE_OK;
}

#if !COMPLEX

/* rotmg keeps d1 and d2 within GAMMA^2 of 1 by powers of GAMMA, which go into H. */
#define GAMMA 4096

/* A modified rotation under way; the flag says which of H's elements are to be written. */
typedef struct modified {
    R flag, d1, d2, x1, h11, h21, h12, h22;
} modified;

/* All elements of H get a meaning: what the flag implied is written out. */
static void spell_out(modified *m)
{
    if (m->flag == 0) {
        m->h11 = m->h22 = 1;
    } else if (m->flag == 1) {
        m->h12 = 1;
        m->h21 = -1;
    }
    m->flag = -1;
}

/* Brings *d into range, with the row of H (and x1, where it belongs to that row) that it scales. An
 * infinity would never get there and is left. */
static void rescale(modified *m, R *d, R *ha, R *hb, R *x1)
{
    const R square = (R)GAMMA * GAMMA;
    while (*d != 0 && isfinite(*d) && (fabs(*d) <= 1 / square || fabs(*d) >= square)) {
        const bool small = fabs(*d) <= 1 / square;
        const R up = small ? square : 1 / square, down = small ? (R)1 / GAMMA : (R)GAMMA;
        spell_out(m);
        *d *= up;
        *ha *= down;
        *hb *= down;
        if (x1 != NULL)
            *x1 *= down;
    }
}

static void make_modified(modified *m, R y1)
{
    const modified zero = {.flag = -1};
    const R p2 = m->d2 * y1, p1 = m->d1 * m->x1, q2 = p2 * y1, q1 = p1 * m->x1;
    if (m->d1 < 0) {
        *m = zero;
        return;
    }
    if (p2 == 0) {
        m->flag = -2;
        return;
    }
    if (fabs(q1) > fabs(q2)) {
        m->h21 = -y1 / m->x1;
        m->h12 = p2 / p1;
        const R u = 1 - m->h12 * m->h21;
        if (!(u > 0)) { /* rounding only: |h12 h21| < 1 */
            *m = zero;
            return;
        }
        m->flag = 0;
        m->d1 /= u;
        m->d2 /= u;
        m->x1 *= u;
    } else if (q2 < 0) {
        *m = zero;
        return;
    } else {
        m->flag = 1;
        m->h11 = p1 / p2;
        m->h22 = m->x1 / y1;
        const R u = 1 + m->h11 * m->h22, d1 = m->d1;
        m->d1 = m->d2 / u;
        m->d2 = d1 / u;
        m->x1 = y1 * u;
    }
    rescale(m, &m->d1, &m->h11, &m->h12, &m->x1);
    rescale(m, &m->d2, &m->h21, &m->h22, NULL);
}

/* gbl_cpu_srotmg gbl_cpu_drotmg */
GBL_CPU_TASK(PRIVATE(rotmg))
{
    (void)queue, (void)stream, (void)message;
    const gbl_vector_args *call = args;
    R *d1 = call->x, *d2 = call->y, *x1 = call->w, *param = call->result;
    modified m = {.d1 = *d1, .d2 = *d2, .x1 = *x1};
    make_modified(&m, read_real(&call->alpha));
    *d1 = m.d1;
    *d2 = m.d2;
    *x1 = m.x1;
    param[0] = m.flag;
    if (m.flag == -1 || m.flag == 1) {
        param[1] = m.h11;
        param[4] = m.h22;
    }
    if (m.flag == -1 || m.flag == 0) {
        param[2] = m.h21;
        param[3] = m.h12;
    }
    return GABLE_OK;
}

#endif

/* cpu_geqrf.c: a few columns of a QR factorization on the cpu, by one thread.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * As kernels/lapack/geqrf_leaf.cl and reflector.h, which say what is computed: columns one by one,
 * their vectors and T. Scalars are doubles. And one reflector alone, as kernels/lapack/larfg.cl.
 */
#include <limits.h>
#include <math.h>
#include "cpu/cpu_vector.h"

#define COLUMNS 64 /* at most, of a leaf */

static double real_of(T a)
{
#if COMPLEX
    return a.re;
#else
    return a;
#endif
}

static double imaginary_of(T a)
{
#if COMPLEX
    return a.im;
#else
    (void)a;
    return 0;
#endif
}

static T element(double re, double im)
{
#if COMPLEX
    return (T){(R)re, (R)im};
#else
    (void)im;
    return (R)re;
#endif
}

static T product(T a, T b)
{
    T c;
    put_multiple(a, &b, &c);
    return c;
}

static T conjugate(T a)
{
    return element(real_of(a), -imaginary_of(a));
}

/* ---- The reflector of a column ---- */

typedef struct reflector {
    T tau;
    double beta, up, scale_re, scale_im;
} reflector;

/* The sum of squares of numbers times a power of two, in so many sums as vector code takes. */
static double squares(int64_t count, const R *x, double times)
{
    double sums[8] = {0};
    int64_t i = 0;
    for (; i + 8 <= count; i += 8)
        for (int k = 0; k < 8; k++)
            sums[k] += (x[i + k] * times) * (x[i + k] * times);
    for (; i < count; i++)
        sums[0] += (x[i] * times) * (x[i] * times);
    return ((sums[0] + sums[1]) + (sums[2] + sums[3])) +
           ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

static double largest(int64_t count, const R *x)
{
    double most = 0;
    for (int64_t i = 0; i < count; i++)
        most = fabs((double)x[i]) > most ? fabs((double)x[i]) : most;
    return most;
}

/* The norm of x times `up`: a power of two keeps the squares in range where that is needed. */
static double norm_of(int64_t count, const R *x, double up)
{
    const double plain = squares(count, x, 1);
    if (plain == 0 && largest(count, x) == 0)
        return 0;
    if (!(plain < 0x1p-960 || plain > 0x1p960)) /* NaN stays */
        return sqrt(plain) * up;
    const int power = ilogb(largest(count, x));
    if (power == INT_MAX || power == FP_ILOGBNAN)
        return sqrt(plain);
    /* 2^-power in two steps, as it may be beyond the range */
    const double half = ldexp(1, -power / 2), rest = ldexp(1, -power + power / 2);
    double sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += ((x[i] * half) * rest) * ((x[i] * half) * rest);
    return ldexp(sqrt(sum) * up, power);
}

static reflector reflector_of(int64_t rows, T alpha, const T *rest)
{
    const int64_t count = REALS * (rows - 1);
    const R *x = (const R *)(const void *)rest;
    double re = real_of(alpha), im = imaginary_of(alpha), norm = norm_of(count, x, 1);
    reflector h = {.beta = re, .up = 1};
    if (norm == 0 && im == 0)
        return h;
    const double rough = fabs(re) + fabs(im) + norm;
    if (rough < 0x1p-960)
        h.up = 0x1p128;
    else if (rough > 0x1p1018)
        h.up = 0x1p-8;
    norm = norm_of(count, x, h.up);
    re *= h.up;
    im *= h.up;
    double most = fabs(re) > fabs(im) ? fabs(re) : fabs(im);
    most = norm > most ? norm : most;
    const double p = re / most, q = im / most, r = norm / most;
    const double beta = -copysign(most * sqrt(p * p + q * q + r * r), re);
    const double d = re - beta, ratio = im / d, size = d + im * ratio;
    h.beta = beta / h.up;
    h.tau = element((beta - re) / beta, -im / beta);
    h.scale_re = 1 / size;
    h.scale_im = -ratio / size;
    return h;
}

static void make_vector(int64_t count, const reflector *h, T *x)
{
    for (int64_t i = 0; i < count; i++) {
        const double re = real_of(x[i]) * h->up, im = imaginary_of(x[i]) * h->up;
        x[i] = element(h->scale_re * re - h->scale_im * im, h->scale_re * im + h->scale_im * re);
    }
}

/* ---- Products and updates ---- */

#define SIDE_BY_SIDE 8

/* v^H a, of which element 0 of v is one. */
static T vector_product(int64_t rows, const T *restrict v, const T *restrict a)
{
    R re[SIDE_BY_SIDE] = {0}, im[SIDE_BY_SIDE] = {0};
    int64_t i = 1;
    for (; i + SIDE_BY_SIDE <= rows; i += SIDE_BY_SIDE)
        for (int k = 0; k < SIDE_BY_SIDE; k++) {
#if COMPLEX
            re[k] += v[i + k].re * a[i + k].re + v[i + k].im * a[i + k].im;
            im[k] += v[i + k].re * a[i + k].im - v[i + k].im * a[i + k].re;
#else
            re[k] += v[i + k] * a[i + k];
#endif
        }
    T sum = a[0];
    for (; i < rows; i++)
        add_multiple(conjugate(v[i]), &a[i], &sum);
    for (int k = 1; k < SIDE_BY_SIDE; k++) {
        re[0] += re[k];
        im[0] += im[k];
    }
    return element(real_of(sum) + (double)re[0], imaginary_of(sum) + (double)im[0]);
}

static void update(int64_t rows, T times, const T *restrict v, T *restrict a)
{
#if COMPLEX
    a[0].re += times.re;
    a[0].im += times.im;
#else
    a[0] += times;
#endif
    for (int64_t i = 1; i < rows; i++)
        add_multiple(times, &v[i], &a[i]);
}

static T negative(T a)
{
    return element(-real_of(a), -imaginary_of(a));
}

/* Column j of T: -tau T (V^H v), then tau, then zeros. */
static void column_of_t(int64_t n, int64_t j, T tau, const T *products, T *t, int64_t ldt)
{
    for (int64_t r = 0; r < n; r++) {
        T sum = element(0, 0);
        for (int64_t c = r; c < j; c++)
            add_multiple(t[r + c * ldt], &products[c], &sum);
        t[r + j * ldt] = r < j ? negative(product(tau, sum)) : r == j ? tau : element(0, 0);
    }
}

/* gbl_cpu_sgeqrf_leaf gbl_cpu_dgeqrf_leaf gbl_cpu_cgeqrf_leaf gbl_cpu_zgeqrf_leaf */
GBL_CPU_TASK(PRIVATE(geqrf_leaf))
{
    const gbl_cpu_geqrf_args *call = args;
    T products[COLUMNS], *A = call->A, *tau = call->tau, *V = call->V;
    (void)queue, (void)stream, (void)message;
    for (int64_t j = 0; j < call->n; j++) {
        const int64_t rows = call->m - j;
        T *column = A + j + j * call->lda, *copy = V + j * call->ldv;
        const reflector h = reflector_of(rows, column[0], column + 1);
        tau[j] = h.tau;
        make_vector(rows - 1, &h, column + 1);
        for (int64_t i = 0; i < call->above + j; i++)
            copy[i] = element(0, 0);
        copy += call->above + j;
        copy[0] = element(1, 0);
        memcpy(copy + 1, column + 1, (size_t)(rows - 1) * sizeof(T));
        column[0] = element(h.beta, 0);
        for (int64_t k = 0; k < j; k++)
            products[k] = conjugate(vector_product(rows, copy, A + j + k * call->lda));
        for (int64_t k = j + 1; k < call->n; k++) {
            T *behind = A + j + k * call->lda;
            const T sum = vector_product(rows, copy, behind);
            update(rows, negative(product(conjugate(h.tau), sum)), copy, behind);
        }
        column_of_t(call->n, j, h.tau, products, call->t, call->ldt);
    }
    return GABLE_OK;
}

/* gbl_cpu_sgeqrf_plain gbl_cpu_dgeqrf_plain gbl_cpu_cgeqrf_plain gbl_cpu_zgeqrf_plain: all columns,
 * each taken out of those behind it */
GBL_CPU_TASK(PRIVATE(geqrf_plain))
{
    const gbl_product_args *call = args;
    const int64_t order = call->m < call->n ? call->m : call->n;
    T *A = call->A, *tau = call->tau;
    (void)queue, (void)stream, (void)message;
    for (int64_t j = 0; j < order; j++) {
        const int64_t rows = call->m - j;
        T *column = A + j + j * call->lda;
        const reflector h = reflector_of(rows, column[0], column + 1);
        tau[j] = h.tau;
        make_vector(rows - 1, &h, column + 1);
        column[0] = element(h.beta, 0);
        for (int64_t k = j + 1; k < call->n; k++) {
            T *behind = A + j + k * call->lda;
            const T sum = vector_product(rows, column, behind);
            update(rows, negative(product(conjugate(h.tau), sum)), column, behind);
        }
    }
    return GABLE_OK;
}

/* gbl_cpu_slarfg gbl_cpu_dlarfg gbl_cpu_clarfg gbl_cpu_zlarfg */
GBL_CPU_TASK(PRIVATE(larfg))
{
    const gbl_cpu_larfg_args *call = args;
    T *alpha = call->alpha;
    const reflector h = reflector_of(call->n, *alpha, call->x);
    (void)queue, (void)stream, (void)message;
    make_vector(call->n - 1, &h, call->x);
    *alpha = element(h.beta, 0);
    *(T *)call->tau = h.tau;
    return GABLE_OK;
}

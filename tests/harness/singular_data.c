/* singular_data.c: matrices with known singular values, and the ratios of singular value
 * decompositions.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdlib.h>
#include "harness/singular_data.h"

static number times(number a, number b)
{
    return (number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static void add(number *to, double factor, number a)
{
    to->re += factor * a.re;
    to->im += factor * a.im;
}

static int64_t least_of(int64_t m, int64_t n)
{
    return m < n ? m : n;
}

static double ulp_of(gbl_dtype dtype)
{
    return 2 * number_roundoff(dtype);
}

/* ---- Matrices ---- */

/* A := H A with H = I - 2 v v^H / (v^H v), v random. */
static void reflect_rows(gbl_dtype dtype, int64_t m, int64_t n, uint64_t seed, number *A)
{
    double square = 0;
    for (int64_t i = 0; i < m; i++) {
        const number v = number_random(dtype, seed, i);
        square += v.re * v.re + v.im * v.im;
    }
    for (int64_t j = 0; j < n; j++) {
        number inner = {0, 0};
        for (int64_t i = 0; i < m; i++)
            add(&inner, 1, times(number_conjugate(number_random(dtype, seed, i)), A[i + j * m]));
        for (int64_t i = 0; i < m; i++)
            add(&A[i + j * m], -2 / square, times(number_random(dtype, seed, i), inner));
    }
}

static void reflect_both(gbl_dtype dtype, int64_t m, int64_t n, uint64_t seed, number *A)
{
    number *turned = lapack_matrix(n, m);
    if (turned == NULL)
        return;
    for (uint64_t round = 0; round < 2; round++) {
        reflect_rows(dtype, m, n, seed + 2 * round, A);
        qr_turn(m, n, A, turned);
        reflect_rows(dtype, n, m, seed + 2 * round + 1, turned);
        qr_turn(n, m, turned, A);
    }
    free(turned);
}

static double value(gbl_dtype dtype, singular_kind kind, int64_t i, int64_t k)
{
    const double ulp = ulp_of(dtype), where = k > 1 ? (double)i / (double)(k - 1) : 0;
    switch (kind) {
    case SINGULAR_EVEN:
        return 1 - where * (1 - ulp);
    case SINGULAR_GEOMETRIC:
        return pow(ulp, where);
    case SINGULAR_CLUSTERED:
        return i == 0 ? 1 : ulp;
    case SINGULAR_RANK_1:
        return i == 0 ? 1 : 0;
    default:
        return 1;
    }
}

/* One number in each row and column that has any, in another order; some rows have none. */
static void permuted(int64_t m, int64_t n, uint64_t seed, number *A)
{
    for (int64_t i = 0; i < least_of(m, n); i++) {
        const uint64_t bits = data_bits(seed, (uint64_t)i);
        const double size = i % 5 == 3 ? 0 : ldexp(bits % 2 == 0 ? 1 : -1, (int)(bits / 2 % 4));
        A[(m - 1 - i) + (i + 1) % n * m].re = size;
    }
}

static void scattered(gbl_dtype dtype, singular_kind kind, int64_t m, int64_t n, uint64_t seed,
                      number *A)
{
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++) {
            const number a = number_random(dtype, seed, i + j * m);
            const double size = kind == SINGULAR_GRADED ? exp2(-0.12 * (double)(i + j)) : 1;
            A[i + j * m] = (number){size * a.re, size * a.im};
        }
}

void singular_matrix(gbl_dtype dtype, singular_kind kind, int64_t m, int64_t n, uint64_t seed,
                     number *A)
{
    memset(A, 0, (size_t)(m * n) * sizeof *A);
    if (kind == SINGULAR_ZERO)
        return;
    if (kind == SINGULAR_EXACT) {
        permuted(m, n, seed, A);
        return;
    }
    if (kind == SINGULAR_RANDOM || kind == SINGULAR_GRADED) {
        scattered(dtype, kind, m, n, seed, A);
    } else {
        for (int64_t i = 0; i < least_of(m, n); i++) {
            const double size = value(dtype, kind, i, least_of(m, n));
            A[i + i * m].re =
                kind != SINGULAR_IDENTITY && data_bits(seed, (uint64_t)i) % 2 == 0 ? -size : size;
        }
        if (kind != SINGULAR_IDENTITY)
            reflect_both(dtype, m, n, seed + 7, A);
    }
    for (int64_t e = 0; e < m * n; e++)
        A[e] = number_of(dtype, A[e].re, A[e].im);
}

/* ---- Ratios ---- */

bool singular_descending(int64_t k, const double *s)
{
    bool right = true;
    for (int64_t i = 0; i < k; i++)
        right = right && s[i] >= 0 && (i == 0 || s[i] <= s[i - 1]);
    return right;
}

static double over(double norm, double bound)
{
    return bound > 0 ? norm / bound : norm;
}

double singular_residual(gbl_dtype dtype, int64_t m, int64_t n, const number *A, int64_t k,
                         const number *U, int64_t ldu, const double *s, const number *Vt,
                         int64_t ldvt)
{
    number *E = lapack_matrix(m, n);
    const double most = (double)(m > n ? m : n);
    if (E == NULL)
        return INFINITY;
    for (int64_t j = 0; j < n; j++) {
        for (int64_t i = 0; i < m; i++)
            E[i + j * m] = A[i + j * m];
        for (int64_t l = 0; l < k; l++) {
            const number right = {s[l] * Vt[l + j * ldvt].re, s[l] * Vt[l + j * ldvt].im};
            for (int64_t i = 0; i < m; i++)
                add(&E[i + j * m], -1, times(U[i + l * ldu], right));
        }
    }
    const double ratio = over(lapack_norm1(m, n, E), most * lapack_norm1(m, n, A) * ulp_of(dtype));
    free(E);
    return ratio;
}

double singular_one_side(gbl_dtype dtype, int64_t m, int64_t n, const number *A, int64_t k,
                         const number *U, int64_t ldu, const double *s)
{
    number *W = lapack_matrix(k, n), *E = lapack_matrix(k, k);
    const double most = (double)(m > n ? m : n), norm = lapack_norm1(m, n, A);
    if (W == NULL || E == NULL) {
        free(W);
        free(E);
        return INFINITY;
    }
    for (int64_t j = 0; j < n; j++)
        for (int64_t l = 0; l < k; l++)
            for (int64_t i = 0; i < m; i++)
                add(&W[l + j * k], 1, times(number_conjugate(U[i + l * ldu]), A[i + j * m]));
    for (int64_t a = 0; a < k; a++)
        for (int64_t b = 0; b < k; b++) {
            for (int64_t j = 0; j < n; j++)
                add(&E[a + b * k], 1, times(W[a + j * k], number_conjugate(W[b + j * k])));
            if (a == b)
                E[a + b * k].re -= s[a] * s[a];
        }
    const double ratio = over(lapack_norm1(k, k, E), most * norm * norm * ulp_of(dtype));
    free(W);
    free(E);
    return ratio;
}

double singular_orthogonality(gbl_dtype dtype, int64_t m, int64_t n, const number *U)
{
    return n > 0 ? qr_orthogonality_ratio(dtype, m, n, U) / 2 : 0;
}

double singular_distance(gbl_dtype dtype, int64_t k, const double *s, const double *t)
{
    double most = 0;
    for (int64_t i = 0; i < k; i++) {
        const double apart = fabs(s[i] - t[i]);
        most = apart <= most ? most : apart; /* a NaN stays */
    }
    return k > 0 ? over(most, s[0] * ulp_of(dtype)) : 0;
}

/* Values below x > 0: negative pivots of the matrix of Golub and Kahan, of which n belong to the
 * values with a minus sign. */
static int64_t below(int64_t n, const double *d, const double *e, double x)
{
    double q = -x;
    int64_t count = 1 - n;
    for (int64_t at = 1; at < 2 * n; at++) {
        const double b = at % 2 == 1 ? d[at / 2] : e[at / 2 - 1];
        q = -x - b / q * b;
        if (fabs(q) < 0x1p-1000)
            q = 0x1p-1000;
        count += q < 0;
    }
    return count;
}

int64_t singular_counted(int64_t n, const double *d, const double *e, const double *s,
                         double relative, double absolute)
{
    for (int64_t i = 0; i < n; i++) {
        const double off = relative * s[i] + absolute, low = s[i] - off, high = s[i] + off;
        if ((low > 0 && !(below(n, d, e, low) <= n - 1 - i)) ||
            (high > 0 && !(below(n, d, e, high) >= n - i)))
            return i;
    }
    return n;
}

double singular_columns_apart(gbl_dtype dtype, int64_t m, int64_t n, const number *X,
                              const number *Y)
{
    double most = 0;
    for (int64_t j = 0; j < n; j++) {
        number phase = {0, 0};
        for (int64_t i = 0; i < m; i++) {
            const number x = X[i + j * m], y = Y[i + j * m];
            phase.re += x.re * y.re + x.im * y.im;
            phase.im += x.re * y.im - x.im * y.re;
        }
        const double size = number_size(phase);
        for (int64_t i = 0; i < m && size > 0; i++) {
            const number x = X[i + j * m], y = Y[i + j * m];
            const number apart = {y.re - (x.re * phase.re - x.im * phase.im) / size,
                                  y.im - (x.re * phase.im + x.im * phase.re) / size};
            most = fmax(most, number_size(apart));
        }
        most = size > 0 ? most : INFINITY;
    }
    return most / ((double)m * 2 * number_roundoff(dtype));
}

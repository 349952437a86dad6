/* qr_data.c: Householder reflectors as tests compute them, and the ratios of QR factorizations.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdlib.h>
#include "harness/qr_data.h"

static number times(number a, number b)
{
    return (number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static void add(number *to, number a)
{
    to->re += a.re;
    to->im += a.im;
}

static number divide(number a, number b)
{
    const double size = b.re * b.re + b.im * b.im;
    return (number){(a.re * b.re + a.im * b.im) / size, (a.im * b.re - a.re * b.im) / size};
}

/* ---- Matrices ---- */

/* Row p(i) of the triangle U is row i of A: pairs of neighbours and pairs far apart change
 * places. */
static void permuted_triangle(gbl_dtype dtype, int64_t m, int64_t n, uint64_t seed, number *A)
{
    for (int64_t i = 0; i < m; i++) {
        const int64_t half = m / 2;
        const int64_t from = i % 3 == 0 && i < half                             ? i + half
                             : i >= half && i < 2 * half && (i - half) % 3 == 0 ? i - half
                                                                                : i;
        for (int64_t j = 0; j < n; j++) {
            number a = {0, 0};
            if (from < j)
                a = number_integer(dtype, seed, from + j * m, 2);
            if (from == j)
                a.re = 1 + (double)(data_bits(seed, (uint64_t)j) % 3);
            A[i + j * m] = a;
        }
    }
}

static void low_rank(gbl_dtype dtype, int64_t m, int64_t n, uint64_t seed, number *A)
{
    for (int64_t k = 0; k < 5; k++)
        for (int64_t j = 0; j < n; j++)
            for (int64_t i = 0; i < m; i++)
                add(&A[i + j * m], times(number_random(dtype, seed + 1, i + k * m),
                                         number_random(dtype, seed + 2, j + k * n)));
}

void qr_matrix(gbl_dtype dtype, qr_kind kind, int64_t m, int64_t n, uint64_t seed, number *A)
{
    memset(A, 0, (size_t)(m * n) * sizeof *A);
    if (kind == QR_EXACT)
        permuted_triangle(dtype, m, n, seed, A);
    else if (kind == QR_RANK)
        low_rank(dtype, m, n, seed, A);
    else
        for (int64_t j = 0; j < n; j++)
            for (int64_t i = 0; i < m; i++) {
                const number a = number_random(dtype, seed, i + j * m);
                const double size = kind == QR_GRADED ? exp2(-0.12 * (double)(i + j)) : 1;
                const bool zero =
                    kind == QR_ZERO || (kind == QR_TRIANGLE && i > j) ||
                    (kind == QR_IDENTITY && i != j) ||
                    (kind == QR_ZERO_COLUMNS && (j == 0 || j == n / 2 || j == n - 1 || j % 7 == 5));
                if (!zero)
                    A[i + j * m] =
                        kind == QR_IDENTITY ? (number){1, 0} : (number){size * a.re, size * a.im};
            }
    for (int64_t e = 0; e < m * n; e++)
        A[e] = number_of(dtype, A[e].re, A[e].im);
}

void qr_turn(int64_t m, int64_t n, const number *A, number *B)
{
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++)
            B[j + i * n] = number_conjugate(A[i + j * m]);
}

/* ---- Reflectors ---- */

/* C := (I - tau v v^H) C from row `at` on, v(at) = 1. */
static void reflect(int64_t m, int64_t n, int64_t at, const number *v, number tau, number *C)
{
    for (int64_t j = 0; j < n; j++) {
        number *c = C + j * m, sum = c[at];
        for (int64_t i = at + 1; i < m; i++)
            add(&sum, times(number_conjugate(v[i]), c[i]));
        sum = times(tau, sum);
        c[at].re -= sum.re;
        c[at].im -= sum.im;
        for (int64_t i = at + 1; i < m; i++) {
            const number part = times(v[i], sum);
            c[i].re -= part.re;
            c[i].im -= part.im;
        }
    }
}

void qr_reference(int64_t m, int64_t n, number *A, number *tau)
{
    for (int64_t j = 0; j < m && j < n; j++) {
        number *column = A + j * m, alpha = column[j];
        double rest = 0;
        for (int64_t i = j + 1; i < m; i++)
            rest = hypot(rest, hypot(column[i].re, column[i].im));
        tau[j] = (number){0, 0};
        if (rest == 0 && alpha.im == 0)
            continue;
        const double beta = -copysign(hypot(rest, hypot(alpha.re, alpha.im)), alpha.re);
        const number below = {alpha.re - beta, alpha.im};
        tau[j] = (number){(beta - alpha.re) / beta, -alpha.im / beta};
        for (int64_t i = j + 1; i < m; i++)
            column[i] = divide(column[i], below);
        column[j] = (number){beta, 0};
        reflect(m, n - j - 1, j, column, number_conjugate(tau[j]), column + m);
    }
}

void qr_apply(int64_t m, int64_t n, int64_t k, const number *F, const number *tau, bool adjoint,
              number *C)
{
    for (int64_t i = 0; i < k; i++) {
        const int64_t j = adjoint ? i : k - 1 - i;
        reflect(m, n, j, F + j * m, adjoint ? number_conjugate(tau[j]) : tau[j], C);
    }
}

/* v_i^H v_j, i < j. */
static number vector_product(int64_t m, const number *F, int64_t i, int64_t j)
{
    number sum = number_conjugate(F[j + i * m]);
    for (int64_t r = j + 1; r < m; r++)
        add(&sum, times(number_conjugate(F[r + i * m]), F[r + j * m]));
    return sum;
}

/* Column j: -tau_j T (V^H v_j). */
void qr_triangle(int64_t m, int64_t k, const number *F, const number *tau, number *T)
{
    for (int64_t j = 0; j < k; j++) {
        for (int64_t i = 0; i < j; i++) {
            const number minus = {-tau[j].re, -tau[j].im};
            const number g = times(minus, vector_product(m, F, i, j));
            for (int64_t r = 0; r <= i; r++)
                add(&T[r + j * k], times(T[r + i * k], g));
        }
        T[j + j * k] = tau[j];
    }
}

/* ---- Ratios ---- */

double qr_distance(int64_t m, int64_t n, const number *A, const number *B)
{
    number *E = lapack_matrix(m, n);
    if (E == NULL)
        return INFINITY;
    for (int64_t e = 0; e < m * n; e++)
        E[e] = (number){A[e].re - B[e].re, A[e].im - B[e].im};
    const double norm = lapack_norm1(m, n, E);
    free(E);
    return norm;
}

double qr_residual_ratio(gbl_dtype dtype, int64_t m, int64_t n, const number *A, const number *F,
                         const number *tau)
{
    const double bound = (double)m * lapack_norm1(m, n, A) * number_roundoff(dtype);
    number *E = lapack_matrix(m, n);
    if (E == NULL)
        return INFINITY;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i <= j && i < m; i++)
            E[i + j * m] = F[i + j * m];
    qr_apply(m, n, m < n ? m : n, F, tau, false, E);
    const double norm = qr_distance(m, n, E, A);
    free(E);
    return bound > 0 ? norm / bound : norm;
}

double qr_orthogonality_ratio(gbl_dtype dtype, int64_t m, int64_t n, const number *Q)
{
    number *E = lapack_matrix(n, n);
    if (E == NULL)
        return INFINITY;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) {
            number sum = {i == j ? -1 : 0, 0};
            for (int64_t k = 0; k < m; k++)
                add(&sum, times(number_conjugate(Q[k + i * m]), Q[k + j * m]));
            E[i + j * n] = sum;
        }
    const double norm = lapack_norm1(n, n, E);
    free(E);
    return norm / ((double)m * number_roundoff(dtype));
}

/* lapack_data.c: matrices and ratios for tests of LAPACK's routines.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdlib.h>
#include "harness/lapack_data.h"

number *lapack_matrix(int64_t m, int64_t n)
{
    number *A = calloc((size_t)(m * n > 0 ? m * n : 1), sizeof *A);
    CHECK(A != NULL, "no memory for %lld by %lld numbers", (long long)m, (long long)n);
    return A;
}

static number times(number a, number b)
{
    return (number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static void add(number *to, double factor, number a)
{
    to->re += factor * a.re;
    to->im += factor * a.im;
}

/* ---- Definite matrices ---- */

/* A := H A H, H = I - 2 v v^H / (v^H v): with y = A v and s = v^H v,
 * A - (2/s) v y^H - (2/s) y v^H + (4/s^2) (v^H y) v v^H. */
static void reflect(gbl_dtype dtype, int64_t n, uint64_t seed, number *A)
{
    number *v = lapack_matrix(n, 2), *y = v != NULL ? v + n : NULL;
    double s = 0, middle = 0;
    if (v == NULL)
        return;
    for (int64_t i = 0; i < n; i++) {
        v[i] = number_random(dtype, seed, i);
        s += v[i].re * v[i].re + v[i].im * v[i].im;
    }
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++)
            add(&y[i], 1, times(A[i + j * n], v[j]));
    for (int64_t i = 0; i < n; i++)
        middle += times(number_conjugate(v[i]), y[i]).re;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) {
            number *a = &A[i + j * n];
            add(a, -2 / s, times(v[i], number_conjugate(y[j])));
            add(a, -2 / s, times(y[i], number_conjugate(v[j])));
            add(a, 4 * middle / (s * s), times(v[i], number_conjugate(v[j])));
        }
    free(v);
}

static double eigenvalue(definite_kind kind, double least, int64_t i, int64_t n)
{
    const double where = n > 1 ? (double)i / (double)(n - 1) : 0;
    switch (kind) {
    case DEFINITE_EVEN:
        return 1 - where * (1 - least);
    case DEFINITE_GEOMETRIC:
        return pow(least, where);
    case DEFINITE_CLUSTERED:
        return i == 0 ? 1 : least;
    default:
        return 0.5 + where;
    }
}

/* Powers of two on the diagonal, integers of at most 2 below it. */
static void integer_factor(gbl_dtype dtype, int64_t n, uint64_t seed, number *L)
{
    for (int64_t j = 0; j < n; j++) {
        L[j + j * n] = (number){(double)(1 << (data_bits(seed, (uint64_t)j) % 3)), 0};
        for (int64_t i = j + 1; i < n; i++)
            L[i + j * n] = number_integer(dtype, seed, i + j * n, 2);
    }
}

static void multiply_factors(int64_t n, const number *L, number *A)
{
    for (int64_t k = 0; k < n; k++)
        for (int64_t j = k; j < n; j++)
            for (int64_t i = k; i < n; i++)
                add(&A[i + j * n], 1, times(L[i + k * n], number_conjugate(L[j + k * n])));
}

void lapack_definite(gbl_dtype dtype, definite_kind kind, int64_t n, uint64_t seed, number *A,
                     number *L)
{
    const double least = 100 * (double)n * number_roundoff(dtype);
    memset(A, 0, (size_t)(n * n) * sizeof *A);
    if (kind == DEFINITE_INTEGER) {
        number *factor = L != NULL ? L : lapack_matrix(n, n);
        if (factor == NULL)
            return;
        memset(factor, 0, (size_t)(n * n) * sizeof *factor);
        integer_factor(dtype, n, seed, factor);
        multiply_factors(n, factor, A);
        if (L == NULL)
            free(factor);
        return;
    }
    for (int64_t i = 0; i < n; i++)
        A[i + i * n].re = eigenvalue(kind, least, i, n);
    if (kind != DEFINITE_DIAGONAL) {
        reflect(dtype, n, seed, A);
        reflect(dtype, n, seed + 1, A);
    }
    for (int64_t j = 0; j < n; j++) {
        for (int64_t i = j; i < n; i++) {
            A[i + j * n] = number_of(dtype, A[i + j * n].re, A[i + j * n].im);
            A[j + i * n] = number_conjugate(A[i + j * n]);
        }
        A[j + j * n].im = 0;
    }
}

/* ---- Norms and ratios ---- */

double lapack_norm1(int64_t m, int64_t n, const number *A)
{
    double most = 0;
    for (int64_t j = 0; j < n; j++) {
        double sum = 0;
        for (int64_t i = 0; i < m; i++)
            sum += number_size(A[i + j * m]);
        if (!(sum <= most)) /* a NaN stays */
            most = sum;
    }
    return most;
}

double lapack_difference(int64_t m, int64_t n, number *A, const number *B)
{
    for (int64_t i = 0; i < m * n; i++)
        add(&A[i], -1, B[i]);
    return lapack_norm1(m, n, A);
}

void lapack_multiply(gable_trans trans, int64_t n, int64_t columns, const number *A,
                     const number *B, number *C)
{
    memset(C, 0, (size_t)(n * columns) * sizeof *C);
    for (int64_t j = 0; j < columns; j++)
        for (int64_t k = 0; k < n; k++)
            for (int64_t i = 0; i < n; i++) {
                const number a = trans == GABLE_NO_TRANS ? A[i + k * n] : A[k + i * n];
                const bool conj = trans == GABLE_CONJ_TRANS;
                add(&C[i + j * n], 1, times(conj ? number_conjugate(a) : a, B[k + j * n]));
            }
}

void lapack_complete(gable_uplo uplo, int64_t n, number *A)
{
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++)
            if (!lapack_in(uplo, i, j))
                A[i + j * n] = number_conjugate(A[j + i * n]);
}

void lapack_square(gable_uplo uplo, bool swapped, int64_t n, const number *F, number *A)
{
    number *G = lapack_matrix(n, n);
    if (G == NULL)
        return;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++)
            G[i + j * n] = number_conjugate(F[j + i * n]);
    const bool first = (uplo == GABLE_LOWER) != swapped;
    lapack_multiply(GABLE_NO_TRANS, n, n, first ? F : G, first ? G : F, A);
    free(G);
}

double lapack_cholesky_ratio(gbl_dtype dtype, int64_t n, int64_t columns, const number *A,
                             const number *L)
{
    const double bound = (double)n * lapack_norm1(n, n, A) * number_roundoff(dtype);
    number *E = lapack_matrix(n, columns);
    double norm = INFINITY;
    if (E == NULL)
        return norm;
    for (int64_t j = 0; j < columns; j++) {
        for (int64_t i = j; i < n; i++)
            E[i + j * n] = (number){-A[i + j * n].re, -A[i + j * n].im};
        for (int64_t k = 0; k <= j; k++) {
            const number factor = number_conjugate(L[j + k * n]);
            for (int64_t i = j; i < n; i++)
                add(&E[i + j * n], 1, times(L[i + k * n], factor));
        }
    }
    /* The rest of each row of the residual, which is Hermitian. */
    for (int64_t j = 0; j < columns; j++)
        for (int64_t i = j + 1; i < columns; i++)
            E[j + i * n] = number_conjugate(E[i + j * n]);
    norm = lapack_norm1(n, columns, E);
    free(E);
    return bound > 0 ? norm / bound : norm;
}

/* ---- Guarded matrices ---- */

void lapack_put(gbl_dtype dtype, const dense *d, gable_uplo part, const number *A, int scale)
{
    for (int64_t j = 0; j < d->columns; j++)
        for (int64_t i = 0; i < d->rows; i++) {
            const number a = A[i + j * d->rows];
            if (lapack_in(part, i, j))
                number_put(dtype, &d->v, i + j * d->ld,
                           (number){ldexp(a.re, scale), ldexp(a.im, scale)});
        }
}

void lapack_get(gbl_dtype dtype, const dense *d, gable_uplo part, number *A, int scale)
{
    for (int64_t j = 0; j < d->columns; j++)
        for (int64_t i = 0; i < d->rows; i++) {
            const number a = number_got(dtype, &d->v, i + j * d->ld);
            if (lapack_in(part, i, j))
                A[i + j * d->rows] = (number){ldexp(a.re, -scale), ldexp(a.im, -scale)};
        }
}

bool lapack_untouched(const dense *d, gable_uplo part, const char *name)
{
    for (int64_t j = 0; j < d->columns; j++)
        for (int64_t i = 0; i < d->rows; i++) {
            const int64_t at = i + j * d->ld;
            if (!lapack_in(part, i, j) && memcmp(guarded_element(&d->v, at),
                                                 guarded_result(&d->v, at), d->v.elem_bytes) != 0) {
                CHECK(false, "%s: (%lld, %lld) in the other triangle was changed", name,
                      (long long)i, (long long)j);
                return false;
            }
        }
    return dense_gaps(d, name);
}

int lapack_far_scale(gbl_dtype dtype, int which)
{
    return which * (gbl_dtype_real_bytes(dtype) == 4 ? 106 : 1000);
}

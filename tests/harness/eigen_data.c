/* eigen_data.c: symmetric and Hermitian matrices for tests of eigenvalues, and their ratios.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdlib.h>
#include "harness/eigen_data.h"

#define GLUED 7 /* the order of Wilkinson's matrices */

/* ---- Matrices ---- */

static double diagonal_of(gbl_dtype dtype, eigen_kind kind, uint64_t seed, int64_t i)
{
    switch (kind) {
    case EIGEN_EXACT:
        return (double)(i * 7 % 11 - 5);
    case EIGEN_TOEPLITZ:
        return 2;
    case EIGEN_WILKINSON:
        return fabs((double)(i % GLUED - GLUED / 2));
    case EIGEN_EQUAL:
        return 3;
    case EIGEN_GRADED:
        return exp2(-(double)i / 2) * (1 + number_random(dtype, seed, i).re / 2);
    case EIGEN_RANK_ONE:
        return i == 0 ? 1 : 0;
    case EIGEN_ZERO:
        return 0;
    default:
        return number_random(dtype, seed, i).re;
    }
}

static double beside_of(gbl_dtype dtype, eigen_kind kind, uint64_t seed, int64_t i)
{
    switch (kind) {
    case EIGEN_RANDOM:
        return number_random(dtype, seed + 1, i).re;
    case EIGEN_TOEPLITZ:
        return 1;
    case EIGEN_WILKINSON:
        return i % GLUED == GLUED - 1 ? exp2(-16) : 1;
    case EIGEN_GRADED:
        return exp2(-(double)i / 2 - 1) * number_random(dtype, seed + 1, i).re;
    default:
        return 0;
    }
}

/* All of it is filled: by random numbers, their multiples, or ones. */
static bool is_full(eigen_kind kind)
{
    return kind == EIGEN_RANDOM || kind == EIGEN_GRADED || kind == EIGEN_RANK_ONE;
}

static number full_of(gbl_dtype dtype, eigen_kind kind, uint64_t seed, int64_t n, int64_t i,
                      int64_t j)
{
    number a = number_random(dtype, seed, i + j * n);
    const double less = exp2(-0.12 * (double)(i + j));
    if (kind == EIGEN_RANK_ONE)
        return (number){1, 0};
    if (i == j)
        a.im = 0;
    return kind == EIGEN_GRADED ? (number){a.re * less, a.im * less} : a;
}

void eigen_matrix(gbl_dtype dtype, eigen_kind kind, bool tridiagonal, int64_t n, uint64_t seed,
                  number *A)
{
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = j; i < n; i++) {
            number a = {0, 0};
            if (!tridiagonal && is_full(kind))
                a = full_of(dtype, kind, seed, n, i, j);
            else if (i == j)
                a.re = diagonal_of(dtype, kind, seed, i);
            else if (i == j + 1)
                a.re = beside_of(dtype, kind, seed, j);
            a = number_of(dtype, a.re, a.im);
            A[i + j * n] = a;
            A[j + i * n] = number_conjugate(a);
        }
}

void eigen_factor(gbl_dtype dtype, eigen_kind kind, gable_uplo uplo, int64_t n, uint64_t seed,
                  number *F)
{
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) {
            number a = {0, 0};
            if (i == j)
                a.re = kind == EIGEN_EXACT ? exp2((double)(i % 3 - 1))
                                           : 1.5 + number_random(dtype, seed, i).re / 2;
            else if (lapack_in(uplo, i, j) && kind != EIGEN_EXACT)
                a = number_random(dtype, seed + 1, i + j * n);
            if (i != j)
                a = (number){a.re / (double)n, a.im / (double)n};
            F[i + j * n] = number_of(dtype, a.re, a.im);
        }
}

void eigen_similar(int64_t n, const number *Q, number *A)
{
    number *half = lapack_matrix(n, n), *turned = lapack_matrix(n, n);
    if (half != NULL && turned != NULL) {
        lapack_multiply(GABLE_NO_TRANS, n, n, Q, A, half);
        for (int64_t j = 0; j < n; j++)
            for (int64_t i = 0; i < n; i++)
                turned[i + j * n] = number_conjugate(half[j + i * n]);
        lapack_multiply(GABLE_NO_TRANS, n, n, Q, turned, A);
    }
    free(half);
    free(turned);
}

/* ---- Ratios ---- */

static double over(gbl_dtype dtype, int64_t n, double value, double norm)
{
    return norm > 0 ? value / norm / ((double)n * 2 * number_roundoff(dtype)) : value;
}

double eigen_residual(gbl_dtype dtype, int64_t n, int64_t m, const number *X, const number *Y,
                      const number *Z, const double *w)
{
    number *left = lapack_matrix(n, m), *right = lapack_matrix(n, m);
    double ratio = INFINITY;
    if (left != NULL && right != NULL) {
        lapack_multiply(GABLE_NO_TRANS, n, m, X, Z, left);
        if (Y != NULL)
            lapack_multiply(GABLE_NO_TRANS, n, m, Y, Z, right);
        else
            memcpy(right, Z, (size_t)(n * m) * sizeof *right);
        for (int64_t j = 0; j < m; j++)
            for (int64_t i = 0; i < n; i++) {
                right[i + j * n].re *= w[j];
                right[i + j * n].im *= w[j];
            }
        ratio = over(dtype, n, lapack_difference(n, m, left, right), lapack_norm1(n, n, X));
    }
    free(left);
    free(right);
    return ratio;
}

double eigen_orthogonality(gbl_dtype dtype, int64_t n, int64_t m, const number *Y, const number *Z)
{
    number *along = lapack_matrix(n, m);
    double most = 0;
    if (along == NULL)
        return INFINITY;
    if (Y != NULL)
        lapack_multiply(GABLE_NO_TRANS, n, m, Y, Z, along);
    else
        memcpy(along, Z, (size_t)(n * m) * sizeof *along);
    for (int64_t j = 0; j < m; j++) {
        double sum = 0;
        for (int64_t i = 0; i < m; i++) {
            double re = i == j ? -1 : 0, im = 0;
            for (int64_t k = 0; k < n; k++) {
                const number a = Z[k + i * n], b = along[k + j * n];
                re += a.re * b.re + a.im * b.im;
                im += a.re * b.im - a.im * b.re;
            }
            sum += hypot(re, im);
        }
        most = sum > most || sum != sum ? sum : most;
    }
    free(along);
    return over(dtype, n, most, 1);
}

double eigen_distance(gbl_dtype dtype, int64_t n, const number *A, const number *B)
{
    number *left = lapack_matrix(n, n);
    double ratio = INFINITY;
    if (left != NULL) {
        memcpy(left, A, (size_t)(n * n) * sizeof *left);
        ratio = over(dtype, n, lapack_difference(n, n, left, B), lapack_norm1(n, n, A));
    }
    free(left);
    return ratio;
}

/* How many values are below x. */
static int64_t count_below(int64_t n, const number *A, double x)
{
    int64_t count = 0;
    double q = 1;
    for (int64_t i = 0; i < n; i++) {
        const double e = i > 0 ? A[i + (i - 1) * n].re : 0;
        q = A[i + i * n].re - x - (e == 0 ? 0 : e * e / q);
        if (fabs(q) < 1e-290)
            q = -1e-290;
        count += q < 0;
    }
    return count;
}

double eigen_sturm(gbl_dtype dtype, int64_t n, const number *A, const double *w)
{
    const double norm = lapack_norm1(n, n, A),
                 unit = (double)n * 2 * number_roundoff(dtype) * (norm > 0 ? norm : 1);
    double ratio = 0;
    for (int64_t i = 0; i < n; i++) {
        double apart = 0.1;
        if (w[i] != w[i] || (i > 0 && !(w[i - 1] <= w[i])))
            return INFINITY;
        while (apart < 1e6 && (count_below(n, A, w[i] - apart * unit) > i ||
                               count_below(n, A, w[i] + apart * unit) <= i))
            apart *= 2;
        ratio = apart > 0.1 && apart > ratio ? apart : ratio;
    }
    return ratio;
}

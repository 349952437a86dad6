/* condensed_data.c: matrices for reductions to tridiagonal and Hessenberg form, and their ratios.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdlib.h>
#include "harness/condensed_data.h"

static number times(number a, number b)
{
    return (number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static void add(number *to, double factor, number a)
{
    to->re += factor * a.re;
    to->im += factor * a.im;
}

/* ---- Matrices ---- */

/* Where row i goes: between the first and the last of those that are reduced, two halves change
 * places crosswise. Both ends stay, so that a reduction may start at either. */
static int64_t place_of(int64_t i, int64_t begin, int64_t end)
{
    const int64_t inner = end - begin - 2, half = inner / 2, at = i - begin - 1;
    if (inner < 2 || at < 0 || at >= 2 * half || at % half % 3 == 1)
        return i;
    return at < half ? i + half : i - half;
}

/* 1, 2 or 4, with a sign, and in complex precisions sometimes imaginary. */
static number power_of_two(gbl_dtype dtype, uint64_t seed, int64_t j)
{
    const uint64_t bits = data_bits(seed, (uint64_t)j);
    const double size = (double)(1 << (bits % 3)) * (bits / 3 % 2 == 0 ? 1 : -1);
    const bool imaginary = gbl_dtype_complex(dtype) && bits / 6 % 2 == 0;
    return imaginary ? (number){0, size} : (number){size, 0};
}

static void integers(gbl_dtype dtype, bool symmetric, int64_t n, int64_t begin, int64_t end,
                     uint64_t seed, number *A)
{
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) {
            const bool reduced = i > j && j >= begin && i < end;
            number a = {0, 0};
            if (i == j + 1 && reduced)
                a = power_of_two(dtype, seed, j);
            else if (symmetric && i + 1 == j)
                a = number_conjugate(power_of_two(dtype, seed, i));
            else if (i == j || (!symmetric && i < j))
                a = number_integer(dtype, seed + 1, i + j * n, 2);
            if (symmetric && i == j)
                a.im = 0;
            A[place_of(i, begin, end) + place_of(j, begin, end) * n] = a;
        }
}

static number element(gbl_dtype dtype, condensed_kind kind, int64_t n, uint64_t seed, int64_t i,
                      int64_t j)
{
    number a = number_random(dtype, seed, i + j * n);
    const double less = 0.12 * (double)(kind == CONDENSED_GRADED ? i + j : 2 * n - i - j);
    switch (kind) {
    case CONDENSED_RANK:
        a = (number){0, 0};
        for (int64_t k = 0; k < 3; k++)
            add(&a, k == 1 ? -1 : 1,
                times(number_random(dtype, seed + 1, i + k * n),
                      number_conjugate(number_random(dtype, seed + 1, j + k * n))));
        return a;
    case CONDENSED_GRADED:
    case CONDENSED_GRADED_BACK:
        return (number){exp2(-less) * a.re, exp2(-less) * a.im};
    case CONDENSED_DIAGONAL:
        return i == j ? a : (number){0, 0};
    case CONDENSED_IDENTITY:
        return (number){i == j ? 1 : 0, 0};
    case CONDENSED_ZERO:
        return (number){0, 0};
    default:
        return a;
    }
}

void condensed_matrix(gbl_dtype dtype, condensed_kind kind, bool symmetric, int64_t n,
                      int64_t begin, int64_t end, uint64_t seed, number *A)
{
    memset(A, 0, (size_t)(n * n) * sizeof *A);
    if (kind == CONDENSED_EXACT) {
        integers(dtype, symmetric, n, begin, end, seed, A);
        return;
    }
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) {
            const bool beside = i > j && (j < begin || i >= end);
            const number a = element(dtype, kind, n, seed, i, j);
            if (symmetric ? i >= j : !beside)
                A[i + j * n] = number_of(dtype, a.re, symmetric && i == j ? 0 : a.im);
        }
    if (symmetric)
        lapack_complete(GABLE_LOWER, n, A);
}

/* ---- Q ---- */

/* C := H C, H = I - tau v v^H. */
static void reflect(int64_t n, const number *v, number tau, number *C)
{
    for (int64_t j = 0; j < n; j++) {
        number *c = C + j * n, sum = {0, 0};
        for (int64_t i = 0; i < n; i++)
            add(&sum, 1, times(number_conjugate(v[i]), c[i]));
        sum = times(tau, sum);
        for (int64_t i = 0; i < n; i++)
            add(&c[i], -1, times(v[i], sum));
    }
}

/* C := Q C. */
static void apply(const condensed_q *q, number *C)
{
    for (int64_t step = 0; step < q->count; step++) {
        const int64_t i = q->forward ? q->count - 1 - step : step;
        reflect(q->n, q->V + i * q->n, q->tau[i], C);
    }
}

static void turn(int64_t n, number *C)
{
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i <= j; i++) {
            const number a = C[i + j * n];
            C[i + j * n] = number_conjugate(C[j + i * n]);
            C[j + i * n] = number_conjugate(a);
        }
}

double condensed_residual(gbl_dtype dtype, const condensed_q *q, const number *A, const number *C)
{
    const int64_t n = q->n;
    const double bound = (double)n * lapack_norm1(n, n, A) * 2 * number_roundoff(dtype);
    number *product = lapack_matrix(n, n);
    double norm = INFINITY;
    if (product == NULL)
        return norm;
    memcpy(product, C, (size_t)(n * n) * sizeof *product);
    apply(q, product);
    turn(n, product);
    apply(q, product);
    turn(n, product);
    norm = lapack_difference(n, n, product, A);
    free(product);
    return bound > 0 ? norm / bound : norm;
}

double condensed_orthogonality(gbl_dtype dtype, const condensed_q *q)
{
    const int64_t n = q->n;
    number *Q = lapack_matrix(n, n), *product = lapack_matrix(n, n);
    double norm = INFINITY;
    if (Q != NULL && product != NULL) {
        for (int64_t i = 0; i < n; i++)
            Q[i + i * n].re = 1;
        apply(q, Q);
        lapack_multiply(GABLE_CONJ_TRANS, n, n, Q, Q, product);
        for (int64_t i = 0; i < n; i++)
            product[i + i * n].re -= 1;
        norm = lapack_norm1(n, n, product);
    }
    free(Q);
    free(product);
    return norm / ((double)n * 2 * number_roundoff(dtype));
}

/* lu_data.c: matrices, a reference and ratios for tests of LU.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdlib.h>
#include "harness/lu_data.h"

static number times(number a, number b)
{
    return (number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static void take(number *from, number a, number b)
{
    const number ab = times(a, b);
    from->re -= ab.re;
    from->im -= ab.im;
}

/* ---- Matrices ---- */

/* Column j has ones from row j to some row below, in an eighth of the columns between any two rows;
 * rows are in another order and times 1, -1, i or -i, columns times powers of two. Such a matrix is
 * totally unimodular but for these factors: its square parts have the determinants 0, 1 and -1, and
 * so have those of what any pivots leave of it. */
static void exact_matrix(gbl_dtype dtype, int64_t m, int64_t n, uint64_t seed, number *A)
{
    static const number units[] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    for (int64_t j = 0; j < n; j++) {
        const uint64_t bits = data_bits(seed, (uint64_t)j) >> 5;
        const int64_t start = bits % 8 == 0 ? (int64_t)(bits / 8 % (uint64_t)m) : j % m,
                      end = start + 1 + (int64_t)(bits / 8192 % (uint64_t)(m - start));
        const double factor = (double)(1 << bits / 8 % 3);
        for (int64_t i = 0; i < m; i++) {
            const uint64_t which = data_bits(seed + 1, (uint64_t)i) >> 9;
            const number unit = units[which % (gbl_dtype_complex(dtype) ? 4 : 2)];
            if (i >= start && i < end)
                A[i + j * m] = (number){factor * unit.re, factor * unit.im};
        }
    }
    for (int64_t i = 0; i + 1 < m; i++) {
        const int64_t p =
            i + (int64_t)((data_bits(seed + 2, (uint64_t)i) >> 9) % (uint64_t)(m - i));
        for (int64_t j = 0; j < n; j++) {
            const number kept = A[i + j * m];
            A[i + j * m] = A[p + j * m];
            A[p + j * m] = kept;
        }
    }
}

static number element(gbl_dtype dtype, lu_kind kind, int64_t m, int64_t n, uint64_t seed, int64_t i,
                      int64_t j)
{
    const number any = number_random(dtype, seed, i + j * m), none = {0, 0};
    switch (kind) {
    case LU_UPPER:
        return i <= j ? any : none;
    case LU_LOWER:
        return i >= j ? any : none;
    case LU_DIAGONAL:
        return i == j ? any : none;
    case LU_GROWTH:
        return (number){i == j || j == n - 1 ? 1 : i > j ? -1 : 0, 0};
    case LU_GRADED: {
        const int down = (int)((i + j) / 8);
        return (number){ldexp(any.re, -down), ldexp(any.im, -down)};
    }
    case LU_ILL: {
        const number base = number_random(dtype, seed + 1, j);
        const double small = 10 * number_roundoff(dtype);
        return number_of(dtype, base.re + small * any.re, base.im + small * any.im);
    }
    case LU_ZERO_FIRST:
        return j == 0 ? none : any;
    case LU_ZERO_MIDDLE:
        return j == n / 2 ? none : any;
    case LU_ZERO_LAST:
        return j == n - 1 ? none : any;
    case LU_ZERO_HALF:
        return j >= n / 2 ? none : any;
    case LU_ZERO:
        return none;
    default:
        return any;
    }
}

void lu_matrix(gbl_dtype dtype, lu_kind kind, int64_t m, int64_t n, uint64_t seed, number *A)
{
    if (kind == LU_EXACT) {
        exact_matrix(dtype, m, n, seed, A);
        return;
    }
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++)
            A[i + j * m] = element(dtype, kind, m, n, seed, i, j);
}

/* ---- The reference ---- */

static number quotient(number a, number b)
{
    const double size = b.re * b.re + b.im * b.im;
    const number c = times(a, number_conjugate(b));
    return (number){c.re / size, c.im / size};
}

static double modulus1(number a)
{
    return fabs(a.re) + fabs(a.im);
}

int64_t lu_reference(int64_t m, int64_t n, number *A, int64_t *ipiv)
{
    int64_t info = 0;
    for (int64_t j = 0; j < m && j < n; j++) {
        int64_t p = j;
        for (int64_t i = j + 1; i < m; i++)
            if (modulus1(A[i + j * m]) > modulus1(A[p + j * m]))
                p = i;
        ipiv[j] = p + 1;
        for (int64_t c = 0; c < n; c++) {
            const number kept = A[j + c * m];
            A[j + c * m] = A[p + c * m];
            A[p + c * m] = kept;
        }
        const number pivot = A[j + j * m];
        if (pivot.re == 0 && pivot.im == 0) {
            info = info == 0 ? j + 1 : info;
            continue;
        }
        for (int64_t i = j + 1; i < m; i++)
            A[i + j * m] = quotient(A[i + j * m], pivot);
        for (int64_t c = j + 1; c < n; c++)
            for (int64_t i = j + 1; i < m; i++)
                take(&A[i + c * m], A[i + j * m], A[j + c * m]);
    }
    return info;
}

/* ---- Ratios ---- */

double lu_ratio(gbl_dtype dtype, int64_t m, int64_t n, const number *A, const number *LU,
                const int64_t *ipiv)
{
    const int64_t k = m < n ? m : n;
    const double bound = (double)n * lapack_norm1(m, n, A) * number_roundoff(dtype);
    number *E = lapack_matrix(m, n);
    if (E == NULL)
        return INFINITY;
    for (int64_t j = 0; j < n; j++)
        for (int64_t t = 0; t <= j && t < k; t++) {
            const number u = LU[t + j * m];
            take(&E[t + j * m], (number){-1, 0}, u);
            for (int64_t i = t + 1; i < m; i++)
                take(&E[i + j * m], (number){-LU[i + t * m].re, -LU[i + t * m].im}, u);
        }
    for (int64_t i = k - 1; i >= 0; i--) {
        const int64_t p = ipiv[i] - 1;
        if (p < i || p >= m) {
            free(E);
            return INFINITY;
        }
        for (int64_t j = 0; j < n; j++) {
            const number kept = E[i + j * m];
            E[i + j * m] = E[p + j * m];
            E[p + j * m] = kept;
        }
    }
    for (int64_t j = 0; j < m * n; j++) {
        E[j].re -= A[j].re;
        E[j].im -= A[j].im;
    }
    const double norm = lapack_norm1(m, n, E);
    free(E);
    return bound > 0 ? norm / bound : norm;
}

/* Element (i, j) of op(A). */
static number turned(gable_trans trans, int64_t n, const number *A, int64_t i, int64_t j)
{
    const number a = trans == GABLE_NO_TRANS ? A[i + j * n] : A[j + i * n];
    return trans == GABLE_CONJ_TRANS ? number_conjugate(a) : a;
}

double lu_solve_ratio(gbl_dtype dtype, gable_trans trans, int64_t n, int64_t sides, const number *A,
                      const number *X, const number *B)
{
    double norm = 0, worst = 0;
    for (int64_t j = 0; j < n; j++) {
        double sum = 0;
        for (int64_t i = 0; i < n; i++)
            sum += number_size(turned(trans, n, A, i, j));
        norm = sum > norm ? sum : norm;
    }
    for (int64_t s = 0; s < sides; s++) {
        double rest = 0;
        for (int64_t i = 0; i < n; i++) {
            number r = B[i + s * n];
            for (int64_t j = 0; j < n; j++)
                take(&r, turned(trans, n, A, i, j), X[j + s * n]);
            rest += number_size(r);
        }
        const double size = lapack_norm1(n, 1, X + s * n),
                     bound = norm * size * number_roundoff(dtype),
                     ratio = bound > 0 ? rest / bound : rest;
        if (!(ratio <= worst))
            worst = ratio;
    }
    return worst;
}

/* installed_range.c: matrices and bounds for drivers of the installed LAPACK.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * LAPACK measures complex elements by their moduli, which may pass the range where no part does;
 * its factors are no powers of two, so that values come back rounded; and it scales the bounds of
 * an interval along with the matrix, after it has compared them. So it receives matrices that it
 * leaves as they are.
 */
#include "lapack/installed_range.h"
#include <float.h>
#include <math.h>

/* Within both the range of syevd, from sqrt(safmin / 2u) to 1 / safmin^(1/4), of which moduli take
 * half a step, and that of gesdd, from sqrt(safmin) / 2u to its reciprocal. */
#define SINGLE_FROM (-40)
#define SINGLE_TO   30
#define DOUBLE_FROM (-459)
#define DOUBLE_TO   254

static bool is_single(gbl_dtype dtype)
{
    return gbl_dtype_real_bytes(dtype) == 4;
}

/* ---- The matrix ---- */

static double largest_of(bool single, const void *x, int64_t reals)
{
    const float *narrow = x;
    const double *wide = x;
    double most = 0;
    for (int64_t i = 0; i < reals; i++) {
        const double size = fabs(single ? (double)narrow[i] : wide[i]);
        most = size > most ? size : most;
    }
    return most;
}

/* Powers of two that a float has not are still factors of floats. */
static void multiply(bool single, void *x, int64_t reals, double factor)
{
    float *narrow = x;
    double *wide = x;
    for (int64_t i = 0; i < reals; i++) {
        if (single)
            narrow[i] = (float)(narrow[i] * factor);
        else
            wide[i] *= factor;
    }
}

/* What column j has of the matrix, as real numbers. */
static void *column_of(gbl_dtype dtype, gable_uplo uplo, int64_t m, int64_t j, void *A, int64_t lda,
                       int64_t *reals)
{
    const int64_t first = uplo == GABLE_LOWER ? j : 0, end = uplo == GABLE_UPPER ? j + 1 : m;
    *reals = (end - first) * (gbl_dtype_complex(dtype) ? 2 : 1);
    return gbl_element(dtype, A, lda, first, j);
}

int gbl_installed_range_enter(gbl_dtype dtype, gable_uplo uplo, int64_t m, int64_t n, void *A,
                              int64_t lda)
{
    const bool single = is_single(dtype);
    const int from = single ? SINGLE_FROM : DOUBLE_FROM, to = single ? SINGLE_TO : DOUBLE_TO;
    double most = 0;
    int64_t reals;
    int exponent;
    for (int64_t j = 0; j < n; j++) {
        const void *column = column_of(dtype, uplo, m, j, A, lda, &reals);
        const double size = largest_of(single, column, reals);
        most = size > most ? size : most;
    }
    if (most == 0)
        return 0;
    frexp(most, &exponent); /* 2^(exponent - 1) <= most < 2^exponent */
    const int wanted = exponent > to ? to : exponent - 1 < from ? from + 1 : exponent;
    if (wanted == exponent)
        return 0;
    for (int64_t j = 0; j < n; j++) {
        void *const column = column_of(dtype, uplo, m, j, A, lda, &reals);
        multiply(single, column, reals, ldexp(1, wanted - exponent));
    }
    return wanted - exponent;
}

void gbl_installed_range_leave(gbl_dtype dtype, int64_t count, void *values, int exponent)
{
    if (exponent != 0)
        multiply(is_single(dtype), values, count, ldexp(1, -exponent));
}

/* ---- The interval ---- */

double gbl_installed_bound(gbl_dtype dtype, double x, int exponent)
{
    double bound = ldexp(x, exponent);
    if (ldexp(bound, -exponent) > x)
        bound = nextafter(bound, -INFINITY);
    if (!is_single(dtype) || isinf(bound))
        return bound;
    if (bound > (double)FLT_MAX)
        return (double)FLT_MAX;
    if (bound < -(double)FLT_MAX)
        return -INFINITY;
    const float narrow = (float)bound;
    return (double)narrow > bound ? (double)nextafterf(narrow, -INFINITY) : (double)narrow;
}

void gbl_installed_confine(gbl_dtype dtype, int64_t count, void *values, double from, double to)
{
    const bool single = is_single(dtype);
    const double below = gbl_installed_bound(dtype, from, 0),
                 last = gbl_installed_bound(dtype, to, 0),
                 first = single ? (double)nextafterf((float)below, INFINITY)
                                : nextafter(below, INFINITY);
    for (int64_t i = 0; i < count; i++) {
        const double value = single ? (double)((float *)values)[i] : ((double *)values)[i],
                     inside = value > last    ? last
                              : value < first ? first
                                              : value;
        if (single)
            ((float *)values)[i] = (float)inside;
        else
            ((double *)values)[i] = inside;
    }
}

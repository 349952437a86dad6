/* lu_data.h: matrices, a reference and ratios for tests of LU.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * As lapack_data.h: matrices are numbers, column by column without gaps. Ratios are LAPACK's.
 */
#ifndef TEST_LU_DATA_H
#define TEST_LU_DATA_H

#include "harness/lapack_data.h"

/* CHECK, and whether it held. */
#define HOLDS(condition, ...)                                                                      \
    ((condition) ? (test_passed(), true) : (test_failed(__FILE__, __LINE__, __VA_ARGS__), false))

typedef enum lu_kind {
    LU_EXACT,  /* all sums and quotients are exact, with many ties between pivots */
    LU_RANDOM, /* uniform in (-1, 1) */
    LU_UPPER,  /* triangular */
    LU_LOWER,
    LU_DIAGONAL,
    LU_GROWTH, /* Wilkinson's: L has -1 below its diagonal, the last column ones */
    LU_GRADED, /* rows and columns fall by powers of two */
    LU_ILL,    /* rows that differ by little: cond about 0.1 / u */
    LU_KINDS,
    /* Singular ones: a random matrix whose first, middle or last column, or last half, is zero. */
    LU_ZERO_FIRST = LU_KINDS,
    LU_ZERO_MIDDLE,
    LU_ZERO_LAST,
    LU_ZERO_HALF,
    LU_ZERO,
    LU_ALL_KINDS
} lu_kind;

void lu_matrix(gbl_dtype dtype, lu_kind kind, int64_t m, int64_t n, uint64_t seed, number *A);

/* The pivots that LAPACK's choice leads to, from 1, in double precision: those of any right code
 * where the arithmetic is exact. Returns info. */
int64_t lu_reference(int64_t m, int64_t n, number *A, int64_t *ipiv);

/* norm1(P L U - A) / (n norm1(A) u); LU as getrf leaves it. Infinite where a pivot is outside of
 * the matrix. */
double lu_ratio(gbl_dtype dtype, int64_t m, int64_t n, const number *A, const number *LU,
                const int64_t *ipiv);

/* LAPACK's limit is 30 for solves, too, though their ratio is not divided by n: it grows with the
 * root of n. Right code gives 2.7 for random matrices of order 129. */
#define LU_SOLVE_LIMIT 10.0

/* The largest over columns of norm1(b - op(A) x) / (norm1(op(A)) norm1(x) u). */
double lu_solve_ratio(gbl_dtype dtype, gable_trans trans, int64_t n, int64_t sides, const number *A,
                      const number *X, const number *B);

#endif

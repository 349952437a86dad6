/* lapack_problem.h: one call of a routine of LAPACK on host arrays, whose result is known to the
 * last bit.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Matrices are made of factors with few small numbers, so that every sum is exact in every order:
 *   L: ones on the diagonal, 1/2 in the first column;   U: 2 on the diagonal, c in the first row
 *   G = L L^H: 2 on the diagonal, c in the first column of the factor;   c is 1, or 1 + i
 * The matrix of getrf is L U with its rows upside down.
 *   R: -2 on the diagonal where a reflector is, else 2, c in the first row
 *   Q: reflectors with v = e_i + e_(i + 19), tau = 1, for i < 18: they share no row, and each
 *      product of them only moves rows and changes signs, so Q = Q^H
 * The matrix of geqrf is Q R, that of gelqf R^H Q.
 */
#ifndef LAPACK_PROBLEM_H
#define LAPACK_PROBLEM_H

#include <stdbool.h>
#include "lapack_calls.h"
#include "host_numbers.h"

#define LAPACK_N     37
#define LAPACK_SIDES 3
#define LAPACK_LD    (LAPACK_N + 4)
#define LAPACK_GUARD 77777.0 /* what is where no element is */

typedef number lapack_number;

typedef struct lapack_problem {
    int letter; /* its place in "sdcz" */
    lapack_args args;
    lapack_number c;
    /* By rows: the matrix that is factored, solved with or inverted; A before the call. */
    lapack_number matrix[LAPACK_N][LAPACK_N], in[LAPACK_N][LAPACK_N];
    lapack_number sides[LAPACK_N][LAPACK_SIDES], x[LAPACK_N][LAPACK_SIDES]; /* B; the solution */
    int64_t pivots[LAPACK_N];
    char A[LAPACK_LD * LAPACK_N * sizeof(lapack_number)];
    char B[LAPACK_LD * LAPACK_SIDES * sizeof(lapack_number)];
    char tau[(LAPACK_N + 1) * sizeof(lapack_number)];
    int64_t ipiv[LAPACK_N + 1], info[2];
} lapack_problem;

void lapack_problem_make(lapack_problem *p, int letter, lapack_routine routine, int flags);
/* The arrays of the call anew, from `in` and `sides`. */
void lapack_problem_load(lapack_problem *p);

/* After a call: everything is right, or everything is as it was before. */
bool lapack_problem_right(const lapack_problem *p, const lapack_problem *before);
bool lapack_problem_untouched(const lapack_problem *p, const lapack_problem *before);
/* What the routine does not name is as it was. */
bool lapack_problem_rest(const lapack_problem *p, const lapack_problem *before);

/* ---- Elements ---- */

bool lapack_problem_equal(lapack_number a, lapack_number b);
lapack_number lapack_problem_get(const lapack_problem *p, const char *array, size_t at);
/* Whether the routine names element (i, j) of A. */
bool lapack_problem_names(const lapack_problem *p, int i, int j);
/* What potrf leaves at (i, j), and what trtrs and trtri take. */
lapack_number lapack_problem_factor(const lapack_problem *p, int i, int j);

#endif

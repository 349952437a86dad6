/* host_problem.h: small problems of level 3 with exact results, for tests of the standard door.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Numbers are small integers, so that every order of summation gives the same bits; triangles of
 * solves have powers of two on their diagonals, and integers times those as solutions. References
 * are plain loops over complex doubles. All that a routine must not read is NaN (the other
 * triangle, unit diagonals, rows up to the leading dimension, outputs with beta = 0); all that it
 * must not write is compared byte by byte.
 */
#ifndef HOST_PROBLEM_H
#define HOST_PROBLEM_H

#include "host_calls.h"

typedef struct host_matrix {
    int64_t rows, columns, ld;
    char *data; /* from malloc */
    size_t bytes;
} host_matrix;

typedef struct host_problem {
    char letter; /* s d c z */
    host_args args;
    host_matrix M[3];     /* A, B, C; without rows: there is none */
    host_matrix right[3]; /* as they must be afterwards */
    int output;
} host_problem;

/* Makes matrices and the right result for the flags, sizes and scalars of args. pad: rows between
 * the columns. */
void host_problem_make(host_problem *p, char letter, const host_args *args, int pad, unsigned seed);
void host_problem_free(host_problem *p);
/* Runs it on these addresses. */
gable_status host_problem_call(gable_context *ctx, const host_problem *p, void *const at[3]);
/* Whether memory is as the result, or as it was before. */
bool host_problem_right(const host_problem *p, int operand, const void *memory);
bool host_problem_untouched(const host_problem *p, int operand, const void *memory);

#endif

/* lapack_parts.h: the six parts of routines that solve with a triangle or a definite matrix, or
 * invert it: potrs, posv, trtrs, trtri, lauum, potri.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A test is a typed file with the call of the public function (see test_potrs.c); all else is
 * compiled once. Ratios: lapack_data.h. In `exact` triangles have powers of two on their diagonals
 * and integers only where a column is of one kind and the row of the other, so that their inverses
 * are exact; right-hand sides are made of integer solutions. Then every residual must be 0. What
 * must not be used is NaN in all cases.
 */
#ifndef TEST_LAPACK_PARTS_H
#define TEST_LAPACK_PARTS_H

#include "harness/lapack_data.h"
#include "lapack/lapack.h"

typedef struct lapack_call {
    gable_uplo uplo;
    gable_trans trans;
    gable_diag diag;
    int64_t n, nrhs;
    void *A;
    int64_t lda;
    void *B;
    int64_t ldb;
    int64_t *info;
} lapack_call;

typedef enum lapack_kind {
    LAPACK_POTRS,
    LAPACK_POSV,
    LAPACK_TRTRS,
    LAPACK_TRTRI,
    LAPACK_LAUUM,
    LAPACK_POTRI
} lapack_kind;

typedef struct lapack_form {
    const char *name;
    const char *arguments; /* behind the context, in prototype order, by the names above */
    lapack_kind kind;
    gable_status (*run)(gable_context *ctx, const lapack_call *c);
} lapack_form;

void lapack_exact(routine *r);
void lapack_residual(routine *r);
void lapack_edges(routine *r);
void lapack_guards(routine *r);
void lapack_arguments(routine *r);
void lapack_repeat(routine *r);
const void *lapack_probe(const routine *r, int i);
#define LAPACK_PARTS                                                                               \
    {                                                                                              \
        lapack_exact, lapack_residual, lapack_edges, lapack_guards, lapack_arguments,              \
            lapack_repeat                                                                          \
    }

#endif

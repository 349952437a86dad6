/* eigen_parts.h: the six parts of tests of eigenvalues of symmetric matrices: sterf, stedc, syevd,
 * sygst, sygvd, syevx and their Hermitian kin.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled once. A typed test gives its call and its name in `forms` of its routine_parts.
 */
#ifndef TEST_EIGEN_PARTS_H
#define TEST_EIGEN_PARTS_H

#include "harness/routine.h"

typedef struct eigen_call {
    int64_t itype;
    gable_job jobz;
    gable_range range;
    gable_uplo uplo;
    int64_t n;
    void *A;
    int64_t lda;
    void *B;
    int64_t ldb;
    double vl, vu, abstol;
    int64_t il, iu;
    int64_t *m;
    void *w, *e, *Z; /* w: also d */
    int64_t ldz;
    int64_t *ifail, *info;
} eigen_call;

typedef enum eigen_problem {
    EIGEN_VALUES,      /* sterf */
    EIGEN_TRIDIAGONAL, /* stedc */
    EIGEN_STANDARD,    /* syevd */
    EIGEN_SOME,        /* syevx */
    EIGEN_GENERAL,     /* sygvd */
    EIGEN_FORM         /* sygst */
} eigen_problem;

typedef struct eigen_form {
    const char *name;
    const char *arguments; /* behind the context, in prototype order, by the names above */
    eigen_problem problem;
    int number; /* LAPACK's of A or d: info is minus this where it is not finite */
    gable_status (*run)(gable_context *ctx, const eigen_call *c);
} eigen_form;

void eigen_exact(routine *r);
void eigen_ratios(routine *r);
void eigen_edges(routine *r);
void eigen_guards(routine *r);
void eigen_arguments(routine *r);
void eigen_repeat(routine *r);
const void *eigen_probe(const routine *r, int i);
#define EIGEN_PARTS                                                                                \
    {                                                                                              \
        eigen_exact, eigen_ratios, eigen_edges, eigen_guards, eigen_arguments, eigen_repeat        \
    }

#endif

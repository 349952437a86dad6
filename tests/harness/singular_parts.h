/* singular_parts.h: the six parts of the tests of gesdd and gesvd.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled once. A typed test gives its call and its name in `forms` of its routine_parts. Ratios:
 * singular_data.h. Values descend and are not negative, exactly. `exact` has permuted powers of
 * two: then ratios are 0.
 */
#ifndef TEST_SINGULAR_PARTS_H
#define TEST_SINGULAR_PARTS_H

#include "harness/routine.h"

typedef struct singular_call {
    gable_job jobu, jobvt; /* gesdd: jobu is jobz */
    int64_t m, n;
    void *A;
    int64_t lda;
    void *s, *U;
    int64_t ldu;
    void *Vt;
    int64_t ldvt;
    int64_t *info;
} singular_call;

typedef struct singular_form {
    const char *name;
    const char *arguments; /* behind the context, in prototype order */
    bool two_jobs;
    int64_t bad; /* info of a matrix that is not finite */
    gable_status (*run)(gable_context *ctx, const singular_call *c);
} singular_form;

void singular_exact(routine *r);
void singular_residuals(routine *r);
void singular_edges(routine *r);
void singular_guards(routine *r);
void singular_arguments(routine *r);
void singular_repeat(routine *r);
const void *singular_probe(const routine *r, int i);

#define SINGULAR_PARTS                                                                             \
    {                                                                                              \
        singular_exact, singular_residuals, singular_edges, singular_guards, singular_arguments,   \
            singular_repeat                                                                        \
    }

#endif

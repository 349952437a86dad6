/* reduced_q.h: the six parts of tests of the unitary matrices of reductions: orgtr, orghr, orgbr,
 * ormtr, ormhr, ormbr.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled once. A typed test gives its call and the names in `forms` of its routine_parts. No
 * reduction is run: the test makes reflectors of its own, stores them where LAPACK says that
 * reductions leave them, and multiplies them one by one in plain loops. What LAPACK does not read
 * is NaN or a pattern. `exact` has reflectors that exchange neighbours, so that Q is a permutation:
 * results are those of the loops, bit for bit.
 */
#ifndef TEST_REDUCED_Q_H
#define TEST_REDUCED_Q_H

#include "harness/routine.h"

typedef struct reduced_call {
    gable_vect vect;
    gable_side side;
    gable_uplo uplo;
    gable_trans trans;
    int64_t m, n, k, ilo, ihi;
    void *A;
    int64_t lda;
    void *tau;
    void *C;
    int64_t ldc;
} reduced_call;

typedef enum reduced_kind { REDUCED_TR, REDUCED_HR, REDUCED_BR } reduced_kind;

typedef struct reduced_form {
    const char *name;
    const char *arguments; /* behind the context, in prototype order, by the names above */
    reduced_kind kind;
    bool forms; /* A becomes Q; else C is multiplied */
    gable_status (*run)(gable_context *ctx, const reduced_call *c);
} reduced_form;

void reduced_exact(routine *r);
void reduced_residual(routine *r);
void reduced_edges(routine *r);
void reduced_guards(routine *r);
void reduced_arguments(routine *r);
void reduced_repeat(routine *r);
const void *reduced_probe(const routine *r, int i);

#define REDUCED_PARTS(stem_, forms_)                                                               \
    const routine_parts PARTS = {.stem = stem_,                                                    \
                                 .letter = LETTER,                                                 \
                                 .dtype = DTYPE,                                                   \
                                 .run = {reduced_exact, reduced_residual, reduced_edges,           \
                                         reduced_guards, reduced_arguments, reduced_repeat},       \
                                 .probe = reduced_probe,                                           \
                                 .forms = forms_,                                                  \
                                 .form_count = 1}

#endif

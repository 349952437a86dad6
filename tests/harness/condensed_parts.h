/* condensed_parts.h: the six parts of tests of reductions: sytrd (hetrd) and gehrd.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled once. A typed test gives its call and its name in `forms` of its routine_parts.
 */
#ifndef TEST_CONDENSED_PARTS_H
#define TEST_CONDENSED_PARTS_H

#include "harness/routine.h"

typedef struct condensed_call {
    gable_uplo uplo;
    int64_t n, ilo, ihi;
    void *A;
    int64_t lda;
    void *d, *e, *tau;
} condensed_call;

typedef struct condensed_form {
    const char *name;
    const char *arguments; /* behind the context, in prototype order, by the names above */
    bool symmetric;
    gable_status (*run)(gable_context *ctx, const condensed_call *c);
} condensed_form;

void condensed_exact(routine *r);
void condensed_ratios(routine *r);
void condensed_edges(routine *r);
void condensed_guards(routine *r);
void condensed_arguments(routine *r);
void condensed_repeat(routine *r);
const void *condensed_probe(const routine *r, int i);
#define CONDENSED_PARTS                                                                            \
    {                                                                                              \
        condensed_exact, condensed_ratios, condensed_edges, condensed_guards, condensed_arguments, \
            condensed_repeat                                                                       \
    }

#endif

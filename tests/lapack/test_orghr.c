/* test_orghr.c: the six parts of orghr and unghr: the unitary matrix of gehrd
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "harness/numbers.h"
#include "harness/reduced_q.h"

#if COMPLEX
#define NAMED FN(unghr)
#else
#define NAMED FN(orghr)
#endif

static gable_status run(gable_context *ctx, const reduced_call *c)
{
    return NAMED(ctx, c->n, c->ilo, c->ihi, c->A, c->lda, c->tau);
}

static const reduced_form forms[] = {{.name = NAME(NAMED),
                                      .arguments = "n ilo ihi A lda tau",
                                      .kind = REDUCED_HR,
                                      .forms = true,
                                      .run = run}};

REDUCED_PARTS("orghr", forms);

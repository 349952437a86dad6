/* test_orgtr.c: the six parts of orgtr and ungtr: the unitary matrix of sytrd
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "harness/numbers.h"
#include "harness/reduced_q.h"

#if COMPLEX
#define NAMED FN(ungtr)
#else
#define NAMED FN(orgtr)
#endif

static gable_status run(gable_context *ctx, const reduced_call *c)
{
    return NAMED(ctx, c->uplo, c->n, c->A, c->lda, c->tau);
}

static const reduced_form forms[] = {{.name = NAME(NAMED),
                                      .arguments = "uplo n A lda tau",
                                      .kind = REDUCED_TR,
                                      .forms = true,
                                      .run = run}};

REDUCED_PARTS("orgtr", forms);

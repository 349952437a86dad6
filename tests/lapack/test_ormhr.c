/* test_ormhr.c: the six parts of ormhr and unmhr: C := op(Q) C or C op(Q)
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "harness/numbers.h"
#include "harness/reduced_q.h"

#if COMPLEX
#define NAMED FN(unmhr)
#else
#define NAMED FN(ormhr)
#endif

static gable_status run(gable_context *ctx, const reduced_call *c)
{
    return NAMED(ctx, c->side, c->trans, c->m, c->n, c->ilo, c->ihi, c->A, c->lda, c->tau, c->C,
                 c->ldc);
}

static const reduced_form forms[] = {{.name = NAME(NAMED),
                                      .arguments = "side trans m n ilo ihi A lda tau C ldc",
                                      .kind = REDUCED_HR,

                                      .run = run}};

REDUCED_PARTS("ormhr", forms);

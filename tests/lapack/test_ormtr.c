/* test_ormtr.c: the six parts of ormtr and unmtr: C := op(Q) C or C op(Q)
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "harness/numbers.h"
#include "harness/reduced_q.h"

#if COMPLEX
#define NAMED FN(unmtr)
#else
#define NAMED FN(ormtr)
#endif

static gable_status run(gable_context *ctx, const reduced_call *c)
{
    return NAMED(ctx, c->side, c->uplo, c->trans, c->m, c->n, c->A, c->lda, c->tau, c->C, c->ldc);
}

static const reduced_form forms[] = {{.name = NAME(NAMED),
                                      .arguments = "side uplo trans m n A lda tau C ldc",
                                      .kind = REDUCED_TR,

                                      .run = run}};

REDUCED_PARTS("ormtr", forms);

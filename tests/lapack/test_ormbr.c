/* test_ormbr.c: the six parts of ormbr and unmbr: C := op(Q) C or C op(Q), or P
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "harness/numbers.h"
#include "harness/reduced_q.h"

#if COMPLEX
#define NAMED FN(unmbr)
#else
#define NAMED FN(ormbr)
#endif

static gable_status run(gable_context *ctx, const reduced_call *c)
{
    return NAMED(ctx, c->vect, c->side, c->trans, c->m, c->n, c->k, c->A, c->lda, c->tau, c->C,
                 c->ldc);
}

static const reduced_form forms[] = {{.name = NAME(NAMED),
                                      .arguments = "vect side trans m n k A lda tau C ldc",
                                      .kind = REDUCED_BR,

                                      .run = run}};

REDUCED_PARTS("ormbr", forms);

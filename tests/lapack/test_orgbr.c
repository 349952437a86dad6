/* test_orgbr.c: the six parts of orgbr and ungbr: the unitary matrices of gebrd
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "harness/numbers.h"
#include "harness/reduced_q.h"

#if COMPLEX
#define NAMED FN(ungbr)
#else
#define NAMED FN(orgbr)
#endif

static gable_status run(gable_context *ctx, const reduced_call *c)
{
    return NAMED(ctx, c->vect, c->m, c->n, c->k, c->A, c->lda, c->tau);
}

static const reduced_form forms[] = {{.name = NAME(NAMED),
                                      .arguments = "vect m n k A lda tau",
                                      .kind = REDUCED_BR,
                                      .forms = true,
                                      .run = run}};

REDUCED_PARTS("orgbr", forms);

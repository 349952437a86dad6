/* test_sytrd.c: the six parts of sytrd and hetrd: Q^H A Q = T, tridiagonal
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "harness/condensed_parts.h"
#include "harness/numbers.h"

#if COMPLEX
#define SYTRD FN(hetrd)
#else
#define SYTRD FN(sytrd)
#endif

static gable_status run(gable_context *ctx, const condensed_call *c)
{
    return SYTRD(ctx, c->uplo, c->n, c->A, c->lda, c->d, c->e, c->tau);
}

static const condensed_form form = {
    .name = NAME(SYTRD), .arguments = "uplo n A lda d e tau", .symmetric = true, .run = run};

const routine_parts PARTS = TEST_PARTS("sytrd", .run = CONDENSED_PARTS, .probe = condensed_probe,
                                       .forms = &form, .form_count = 1);

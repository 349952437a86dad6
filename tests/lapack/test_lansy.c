/* test_lansy.c: the six parts of lansy and lanhe: norms of a symmetric or Hermitian matrix
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Bound and reference: norm_parts.h.
 */
#include "harness/norm_parts.h"
#include "harness/numbers.h"

static gable_status lansy(gable_context *ctx, const norm_call *c)
{
    return FN(lansy)(ctx, c->norm, c->uplo, c->n, c->A, c->lda, c->result);
}

#if COMPLEX
static gable_status lanhe(gable_context *ctx, const norm_call *c)
{
    return FN(lanhe)(ctx, c->norm, c->uplo, c->n, c->A, c->lda, c->result);
}
#endif

#define ARGUMENTS "norm uplo n A lda result"

static const norm_form forms[] = {
    {.name = NAME(FN(lansy)), .arguments = ARGUMENTS, .kind = NORM_SYMMETRIC, .run = lansy},
#if COMPLEX
    {.name = NAME(FN(lanhe)), .arguments = ARGUMENTS, .kind = NORM_HERMITIAN, .run = lanhe},
#endif
};

const routine_parts PARTS = TEST_PARTS("lansy", .run = NORM_PARTS, .probe = norm_probe,
                                       .forms = forms, .form_count = COMPLEX ? 2 : 1);

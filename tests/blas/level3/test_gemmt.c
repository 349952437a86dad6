/* test_gemmt.c: the six parts of gemmt: a triangle of C := alpha op(A) op(B) + beta C
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Bound and reference: level3_test.h.
 */
#include "harness/level3_test.h"
#include "harness/numbers.h"

static gable_status gemmt(gable_context *ctx, const level3_call *c)
{
    return FN(gemmt)(ctx, c->uplo, c->transa, c->transb, c->n, c->k, make(c->alpha.re, c->alpha.im),
                     c->A, c->lda, c->B, c->ldb, make(c->beta.re, c->beta.im), c->C, c->ldc);
}

static gable_status gemmt_dev(gable_context *ctx, const level3_call *c)
{
    return FN(gemmt_dev)(ctx, c->uplo, c->transa, c->transb, c->n, c->k, c->alpha_at, c->A, c->lda,
                         c->B, c->ldb, c->beta_at, c->C, c->ldc);
}

static const level3_form form = {.name = NAME(FN(gemmt)),
                                 .name_dev = NAME(FN(gemmt_dev)),
                                 .arguments = "uplo transa transb n k alpha A lda B ldb beta C ldc",
                                 .kind = LEVEL3_PART,
                                 .run = gemmt,
                                 .run_dev = gemmt_dev};

const routine_parts PARTS = TEST_PARTS("gemmt", .run = LEVEL3_PARTS, .probe = level3_probe,
                                       .forms = &form, .form_count = 1);

/* test_trmm.c: the six parts of trmm: B := alpha op(A) B, or B op(A), A triangular
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Bound and reference: level3_test.h.
 */
#include "harness/level3_test.h"
#include "harness/numbers.h"

static gable_status trmm(gable_context *ctx, const level3_call *c)
{
    return FN(trmm)(ctx, c->side, c->uplo, c->transa, c->diag, c->m, c->n,
                    make(c->alpha.re, c->alpha.im), c->A, c->lda, c->B, c->ldb);
}

static gable_status trmm_dev(gable_context *ctx, const level3_call *c)
{
    return FN(trmm_dev)(ctx, c->side, c->uplo, c->transa, c->diag, c->m, c->n, c->alpha_at, c->A,
                        c->lda, c->B, c->ldb);
}

static const level3_form form = {.name = NAME(FN(trmm)),
                                 .name_dev = NAME(FN(trmm_dev)),
                                 .arguments = "side uplo trans diag m n alpha A lda B ldb",
                                 .kind = LEVEL3_TRIANGLE,
                                 .run = trmm,
                                 .run_dev = trmm_dev};

const routine_parts PARTS =
    TEST_PARTS("trmm", .run = LEVEL3_PARTS, .probe = level3_probe, .forms = &form, .form_count = 1);

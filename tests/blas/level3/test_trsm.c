/* test_trsm.c: the six parts of trsm: B := alpha op(A)^-1 B, or B op(A)^-1, A triangular
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Bound and reference: level3_test.h.
 */
#include "harness/level3_test.h"
#include "harness/numbers.h"

static gable_status trsm(gable_context *ctx, const level3_call *c)
{
    return FN(trsm)(ctx, c->side, c->uplo, c->transa, c->diag, c->m, c->n,
                    make(c->alpha.re, c->alpha.im), c->A, c->lda, c->B, c->ldb);
}

static gable_status trsm_dev(gable_context *ctx, const level3_call *c)
{
    return FN(trsm_dev)(ctx, c->side, c->uplo, c->transa, c->diag, c->m, c->n, c->alpha_at, c->A,
                        c->lda, c->B, c->ldb);
}

static const level3_form form = {.name = NAME(FN(trsm)),
                                 .name_dev = NAME(FN(trsm_dev)),
                                 .arguments = "side uplo trans diag m n alpha A lda B ldb",
                                 .kind = LEVEL3_SOLUTION,
                                 .run = trsm,
                                 .run_dev = trsm_dev};

const routine_parts PARTS =
    TEST_PARTS("trsm", .run = LEVEL3_PARTS, .probe = level3_probe, .forms = &form, .form_count = 1);

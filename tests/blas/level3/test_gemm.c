/* test_gemm.c: the six parts of gemm: C := alpha op(A) op(B) + beta C
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Bound and reference: level3_test.h.
 */
#include "harness/level3_test.h"
#include "harness/numbers.h"

static gable_status gemm(gable_context *ctx, const level3_call *c)
{
    return FN(gemm)(ctx, c->transa, c->transb, c->m, c->n, c->k, make(c->alpha.re, c->alpha.im),
                    c->A, c->lda, c->B, c->ldb, make(c->beta.re, c->beta.im), c->C, c->ldc);
}

static gable_status gemm_dev(gable_context *ctx, const level3_call *c)
{
    return FN(gemm_dev)(ctx, c->transa, c->transb, c->m, c->n, c->k, c->alpha_at, c->A, c->lda,
                        c->B, c->ldb, c->beta_at, c->C, c->ldc);
}

static const level3_form form = {.name = NAME(FN(gemm)),
                                 .name_dev = NAME(FN(gemm_dev)),
                                 .arguments = "transa transb m n k alpha A lda B ldb beta C ldc",
                                 .kind = LEVEL3_PRODUCT,
                                 .run = gemm,
                                 .run_dev = gemm_dev};

const routine_parts PARTS =
    TEST_PARTS("gemm", .run = LEVEL3_PARTS, .probe = level3_probe, .forms = &form, .form_count = 1);

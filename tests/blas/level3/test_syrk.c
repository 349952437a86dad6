/* test_syrk.c: the six parts of syrk and herk: a triangle of C := alpha A A^T + beta C, or of A^T A
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Bound and reference: level3_test.h.
 */
#include "harness/level3_test.h"
#include "harness/numbers.h"

static gable_status syrk(gable_context *ctx, const level3_call *c)
{
    return FN(syrk)(ctx, c->uplo, c->transa, c->n, c->k, make(c->alpha.re, c->alpha.im), c->A,
                    c->lda, make(c->beta.re, c->beta.im), c->C, c->ldc);
}

static gable_status syrk_dev(gable_context *ctx, const level3_call *c)
{
    return FN(syrk_dev)(ctx, c->uplo, c->transa, c->n, c->k, c->alpha_at, c->A, c->lda, c->beta_at,
                        c->C, c->ldc);
}

#if COMPLEX
static gable_status herk(gable_context *ctx, const level3_call *c)
{
    return FN(herk)(ctx, c->uplo, c->transa, c->n, c->k, (R)c->alpha.re, c->A, c->lda,
                    (R)c->beta.re, c->C, c->ldc);
}

static gable_status herk_dev(gable_context *ctx, const level3_call *c)
{
    return FN(herk_dev)(ctx, c->uplo, c->transa, c->n, c->k, c->alpha_at, c->A, c->lda, c->beta_at,
                        c->C, c->ldc);
}
#endif

#define ARGUMENTS "uplo trans n k alpha A lda beta C ldc"

static const level3_form forms[] = {{.name = NAME(FN(syrk)),
                                     .name_dev = NAME(FN(syrk_dev)),
                                     .arguments = ARGUMENTS,
                                     .kind = LEVEL3_SELF,
                                     .run = syrk,
                                     .run_dev = syrk_dev},
#if COMPLEX
                                    {.name = NAME(FN(herk)),
                                     .name_dev = NAME(FN(herk_dev)),
                                     .arguments = ARGUMENTS,
                                     .kind = LEVEL3_SELF,
                                     .conj = true,
                                     .real_alpha = true,
                                     .real_beta = true,
                                     .run = herk,
                                     .run_dev = herk_dev}
#endif
};

const routine_parts PARTS =
    TEST_PARTS("syrk", .run = LEVEL3_PARTS, .probe = level3_probe, .forms = forms,
               .form_count = sizeof forms / sizeof forms[0]);

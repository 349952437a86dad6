/* test_symm.c: the six parts of symm and hemm: C := alpha A B + beta C, or B A, A symmetric
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Bound and reference: level3_test.h.
 */
#include "harness/level3_test.h"
#include "harness/numbers.h"

static gable_status symm(gable_context *ctx, const level3_call *c)
{
    return FN(symm)(ctx, c->side, c->uplo, c->m, c->n, make(c->alpha.re, c->alpha.im), c->A, c->lda,
                    c->B, c->ldb, make(c->beta.re, c->beta.im), c->C, c->ldc);
}

static gable_status symm_dev(gable_context *ctx, const level3_call *c)
{
    return FN(symm_dev)(ctx, c->side, c->uplo, c->m, c->n, c->alpha_at, c->A, c->lda, c->B, c->ldb,
                        c->beta_at, c->C, c->ldc);
}

#if COMPLEX
static gable_status hemm(gable_context *ctx, const level3_call *c)
{
    return FN(hemm)(ctx, c->side, c->uplo, c->m, c->n, make(c->alpha.re, c->alpha.im), c->A, c->lda,
                    c->B, c->ldb, make(c->beta.re, c->beta.im), c->C, c->ldc);
}

static gable_status hemm_dev(gable_context *ctx, const level3_call *c)
{
    return FN(hemm_dev)(ctx, c->side, c->uplo, c->m, c->n, c->alpha_at, c->A, c->lda, c->B, c->ldb,
                        c->beta_at, c->C, c->ldc);
}
#endif

#define ARGUMENTS "side uplo m n alpha A lda B ldb beta C ldc"

static const level3_form forms[] = {{.name = NAME(FN(symm)),
                                     .name_dev = NAME(FN(symm_dev)),
                                     .arguments = ARGUMENTS,
                                     .kind = LEVEL3_SYMMETRIC,
                                     .run = symm,
                                     .run_dev = symm_dev},
#if COMPLEX
                                    {.name = NAME(FN(hemm)),
                                     .name_dev = NAME(FN(hemm_dev)),
                                     .arguments = ARGUMENTS,
                                     .kind = LEVEL3_SYMMETRIC,
                                     .conj = true,
                                     .run = hemm,
                                     .run_dev = hemm_dev}
#endif
};

const routine_parts PARTS =
    TEST_PARTS("symm", .run = LEVEL3_PARTS, .probe = level3_probe, .forms = forms,
               .form_count = sizeof forms / sizeof forms[0]);

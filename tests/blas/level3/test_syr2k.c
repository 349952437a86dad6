/* test_syr2k.c: the six parts of syr2k and her2k: a triangle of C := alpha A B^T + alpha B A^T +
 * beta C
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Bound and reference: level3_test.h.
 */
#include "harness/level3_test.h"
#include "harness/numbers.h"

static gable_status syr2k(gable_context *ctx, const level3_call *c)
{
    return FN(syr2k)(ctx, c->uplo, c->transa, c->n, c->k, make(c->alpha.re, c->alpha.im), c->A,
                     c->lda, c->B, c->ldb, make(c->beta.re, c->beta.im), c->C, c->ldc);
}

static gable_status syr2k_dev(gable_context *ctx, const level3_call *c)
{
    return FN(syr2k_dev)(ctx, c->uplo, c->transa, c->n, c->k, c->alpha_at, c->A, c->lda, c->B,
                         c->ldb, c->beta_at, c->C, c->ldc);
}

#if COMPLEX
static gable_status her2k(gable_context *ctx, const level3_call *c)
{
    return FN(her2k)(ctx, c->uplo, c->transa, c->n, c->k, make(c->alpha.re, c->alpha.im), c->A,
                     c->lda, c->B, c->ldb, (R)c->beta.re, c->C, c->ldc);
}

static gable_status her2k_dev(gable_context *ctx, const level3_call *c)
{
    return FN(her2k_dev)(ctx, c->uplo, c->transa, c->n, c->k, c->alpha_at, c->A, c->lda, c->B,
                         c->ldb, c->beta_at, c->C, c->ldc);
}
#endif

#define ARGUMENTS "uplo trans n k alpha A lda B ldb beta C ldc"

static const level3_form forms[] = {{.name = NAME(FN(syr2k)),
                                     .name_dev = NAME(FN(syr2k_dev)),
                                     .arguments = ARGUMENTS,
                                     .kind = LEVEL3_PAIR,
                                     .run = syr2k,
                                     .run_dev = syr2k_dev},
#if COMPLEX
                                    {.name = NAME(FN(her2k)),
                                     .name_dev = NAME(FN(her2k_dev)),
                                     .arguments = ARGUMENTS,
                                     .kind = LEVEL3_PAIR,
                                     .conj = true,
                                     .real_beta = true,
                                     .run = her2k,
                                     .run_dev = her2k_dev}
#endif
};

const routine_parts PARTS =
    TEST_PARTS("syr2k", .run = LEVEL3_PARTS, .probe = level3_probe, .forms = forms,
               .form_count = sizeof forms / sizeof forms[0]);

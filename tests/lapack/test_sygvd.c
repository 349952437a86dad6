/* test_sygvd.c: the six parts of sygvd and hegvd: A Z = B Z diag(w), and two more problems
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "harness/eigen_parts.h"
#include "harness/numbers.h"

#if COMPLEX
#define SYGVD FN(hegvd)
#else
#define SYGVD FN(sygvd)
#endif

static gable_status run(gable_context *ctx, const eigen_call *c)
{
    return SYGVD(ctx, c->itype, c->jobz, c->uplo, c->n, c->A, c->lda, c->B, c->ldb, c->w, c->info);
}

static const eigen_form form = {.name = NAME(SYGVD),
                                .arguments = "itype jobz uplo n A lda B ldb w info",
                                .problem = EIGEN_GENERAL,
                                .number = 5,
                                .run = run};

const routine_parts PARTS =
    TEST_PARTS("sygvd", .run = EIGEN_PARTS, .probe = eigen_probe, .forms = &form, .form_count = 1);

/* test_syevd.c: the six parts of syevd and heevd: A = Z diag(w) Z^H
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "harness/eigen_parts.h"
#include "harness/numbers.h"

#if COMPLEX
#define SYEVD FN(heevd)
#else
#define SYEVD FN(syevd)
#endif

static gable_status run(gable_context *ctx, const eigen_call *c)
{
    return SYEVD(ctx, c->jobz, c->uplo, c->n, c->A, c->lda, c->w, c->info);
}

static const eigen_form form = {.name = NAME(SYEVD),
                                .arguments = "jobz uplo n A lda w info",
                                .problem = EIGEN_STANDARD,
                                .number = 4,
                                .run = run};

const routine_parts PARTS =
    TEST_PARTS("syevd", .run = EIGEN_PARTS, .probe = eigen_probe, .forms = &form, .form_count = 1);

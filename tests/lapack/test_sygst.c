/* test_sygst.c: the six parts of sygst and hegst: L^-1 A L^-H, L^H A L and those of U
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "harness/eigen_parts.h"
#include "harness/numbers.h"

#if COMPLEX
#define SYGST FN(hegst)
#else
#define SYGST FN(sygst)
#endif

static gable_status run(gable_context *ctx, const eigen_call *c)
{
    return SYGST(ctx, c->itype, c->uplo, c->n, c->A, c->lda, c->B, c->ldb);
}

static const eigen_form form = {.name = NAME(SYGST),
                                .arguments = "itype uplo n A lda B ldb",
                                .problem = EIGEN_FORM,
                                .run = run};

const routine_parts PARTS =
    TEST_PARTS("sygst", .run = EIGEN_PARTS, .probe = eigen_probe, .forms = &form, .form_count = 1);

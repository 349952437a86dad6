/* test_syevx.c: the six parts of syevx and heevx: some eigenvalues and vectors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "harness/eigen_parts.h"
#include "harness/numbers.h"

#if COMPLEX
#define SYEVX FN(heevx)
#else
#define SYEVX FN(syevx)
#endif

static gable_status run(gable_context *ctx, const eigen_call *c)
{
    return SYEVX(ctx, c->jobz, c->range, c->uplo, c->n, c->A, c->lda, (R)c->vl, (R)c->vu, c->il,
                 c->iu, (R)c->abstol, c->m, c->w, c->Z, c->ldz, c->ifail, c->info);
}

static const eigen_form form = {
    .name = NAME(SYEVX),
    .arguments = "jobz range uplo n A lda vl vu il iu abstol m w Z ldz ifail info",
    .problem = EIGEN_SOME,
    .number = 5,
    .run = run};

const routine_parts PARTS =
    TEST_PARTS("syevx", .run = EIGEN_PARTS, .probe = eigen_probe, .forms = &form, .form_count = 1);

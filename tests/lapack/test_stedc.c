/* test_stedc.c: the six parts of stedc: eigenvalues and vectors of a tridiagonal matrix
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "harness/eigen_parts.h"
#include "harness/numbers.h"

static gable_status run(gable_context *ctx, const eigen_call *c)
{
    return FN(stedc)(ctx, c->jobz, c->n, c->w, c->e, c->Z, c->ldz, c->info);
}

static const eigen_form form = {.name = NAME(FN(stedc)),
                                .arguments = "compz n d e Z ldz info",
                                .problem = EIGEN_TRIDIAGONAL,
                                .number = 3,
                                .run = run};

const routine_parts PARTS =
    TEST_PARTS("stedc", .run = EIGEN_PARTS, .probe = eigen_probe, .forms = &form, .form_count = 1);

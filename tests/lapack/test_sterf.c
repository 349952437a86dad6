/* test_sterf.c: the six parts of sterf: eigenvalues of a tridiagonal matrix
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "harness/eigen_parts.h"
#include "harness/numbers.h"

#if COMPLEX
const routine_parts PARTS = TEST_PARTS("sterf", .run = {NULL});
#else
static gable_status run(gable_context *ctx, const eigen_call *c)
{
    return FN(sterf)(ctx, c->n, c->w, c->e, c->info);
}

static const eigen_form form = {.name = NAME(FN(sterf)),
                                .arguments = "n d e info",
                                .problem = EIGEN_VALUES,
                                .number = 2,
                                .run = run};

const routine_parts PARTS =
    TEST_PARTS("sterf", .run = EIGEN_PARTS, .probe = eigen_probe, .forms = &form, .form_count = 1);
#endif

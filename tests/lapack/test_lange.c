/* test_lange.c: the six parts of lange: norms of a matrix
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Bound and reference: norm_parts.h.
 */
#include "harness/norm_parts.h"
#include "harness/numbers.h"

static gable_status lange(gable_context *ctx, const norm_call *c)
{
    return FN(lange)(ctx, c->norm, c->m, c->n, c->A, c->lda, c->result);
}

static const norm_form forms[] = {{.name = NAME(FN(lange)),
                                   .arguments = "norm m n A lda result",
                                   .kind = NORM_GENERAL,
                                   .run = lange}};

const routine_parts PARTS =
    TEST_PARTS("lange", .run = NORM_PARTS, .probe = norm_probe, .forms = forms, .form_count = 1);

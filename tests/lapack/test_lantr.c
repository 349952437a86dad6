/* test_lantr.c: the six parts of lantr: norms of a triangle or trapezoid
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Bound and reference: norm_parts.h.
 */
#include "harness/norm_parts.h"
#include "harness/numbers.h"

static gable_status lantr(gable_context *ctx, const norm_call *c)
{
    return FN(lantr)(ctx, c->norm, c->uplo, c->diag, c->m, c->n, c->A, c->lda, c->result);
}

static const norm_form forms[] = {{.name = NAME(FN(lantr)),
                                   .arguments = "norm uplo diag m n A lda result",
                                   .kind = NORM_TRIANGULAR,
                                   .run = lantr}};

const routine_parts PARTS =
    TEST_PARTS("lantr", .run = NORM_PARTS, .probe = norm_probe, .forms = forms, .form_count = 1);

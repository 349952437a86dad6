/* test_trmv.c: the six parts of trmv: x := op(A) x, A triangular
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Bound and reference: triangle_test.h.
 */
#include "harness/triangle_test.h"
#include "harness/numbers.h"

static gable_status trmv(gable_context *ctx, const triangle_call *c)
{
    return FN(trmv)(ctx, c->uplo, c->trans, c->diag, c->n, c->A, c->lda, c->x, c->incx);
}

static const triangle_form form = {.name = NAME(FN(trmv)),
                                   .arguments = "uplo trans diag n A lda x incx",
                                   .how = &stored_triangle,
                                   .run = trmv};

const routine_parts PARTS = TEST_PARTS("trmv", .run = TRIANGLE_PARTS, .probe = triangle_probe,
                                       .forms = &form, .form_count = 1);

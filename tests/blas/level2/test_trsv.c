/* test_trsv.c: the six parts of trsv: x := op(A)^-1 x, A triangular
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Bound and reference: triangle_test.h.
 */
#include "harness/triangle_test.h"
#include "harness/numbers.h"

static gable_status trsv(gable_context *ctx, const triangle_call *c)
{
    return FN(trsv)(ctx, c->uplo, c->trans, c->diag, c->n, c->A, c->lda, c->x, c->incx);
}

static const triangle_form form = {.name = NAME(FN(trsv)),
                                   .arguments = "uplo trans diag n A lda x incx",
                                   .how = &stored_triangle,
                                   .solves = true,
                                   .run = trsv};

const routine_parts PARTS = TEST_PARTS("trsv", .run = TRIANGLE_PARTS, .probe = triangle_probe,
                                       .forms = &form, .form_count = 1);

/* test_tpsv.c: the six parts of tpsv: x := op(A)^-1 x, A triangular, packed
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Bound and reference: triangle_test.h.
 */
#include "harness/triangle_test.h"
#include "harness/numbers.h"

static gable_status tpsv(gable_context *ctx, const triangle_call *c)
{
    return FN(tpsv)(ctx, c->uplo, c->trans, c->diag, c->n, c->A, c->x, c->incx);
}

static const triangle_form form = {.name = NAME(FN(tpsv)),
                                   .arguments = "uplo trans diag n AP x incx",
                                   .how = &stored_packed,
                                   .solves = true,
                                   .run = tpsv};

const routine_parts PARTS = TEST_PARTS("tpsv", .run = TRIANGLE_PARTS, .probe = triangle_probe,
                                       .forms = &form, .form_count = 1);

/* test_tpmv.c: the six parts of tpmv: x := op(A) x, A triangular, packed
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Bound and reference: triangle_test.h.
 */
#include "harness/triangle_test.h"
#include "harness/numbers.h"

static gable_status tpmv(gable_context *ctx, const triangle_call *c)
{
    return FN(tpmv)(ctx, c->uplo, c->trans, c->diag, c->n, c->A, c->x, c->incx);
}

static const triangle_form form = {.name = NAME(FN(tpmv)),
                                   .arguments = "uplo trans diag n AP x incx",
                                   .how = &stored_packed,
                                   .run = tpmv};

const routine_parts PARTS = TEST_PARTS("tpmv", .run = TRIANGLE_PARTS, .probe = triangle_probe,
                                       .forms = &form, .form_count = 1);

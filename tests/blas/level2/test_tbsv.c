/* test_tbsv.c: the six parts of tbsv: x := op(A)^-1 x, A a triangular band
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Bound and reference: triangle_test.h.
 */
#include "harness/triangle_test.h"
#include "harness/numbers.h"

static gable_status tbsv(gable_context *ctx, const triangle_call *c)
{
    return FN(tbsv)(ctx, c->uplo, c->trans, c->diag, c->n, c->k, c->A, c->lda, c->x, c->incx);
}

static const triangle_form form = {.name = NAME(FN(tbsv)),
                                   .arguments = "uplo trans diag n k A lda x incx",
                                   .how = &stored_band_triangle,
                                   .solves = true,
                                   .run = tbsv};

const routine_parts PARTS = TEST_PARTS("tbsv", .run = TRIANGLE_PARTS, .probe = triangle_probe,
                                       .forms = &form, .form_count = 1);

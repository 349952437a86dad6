/* test_gemv.c: the six parts of gemv: y := alpha op(A) x + beta y
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Bound and reference: product_test.h.
 */
#include "harness/product_test.h"
#include "harness/numbers.h"

static gable_status gemv(gable_context *ctx, const product_call *c)
{
    return FN(gemv)(ctx, c->trans, c->m, c->n, make(c->alpha.re, c->alpha.im), c->A, c->lda, c->x,
                    c->incx, make(c->beta.re, c->beta.im), c->y, c->incy);
}

static gable_status gemv_dev(gable_context *ctx, const product_call *c)
{
    return FN(gemv_dev)(ctx, c->trans, c->m, c->n, c->alpha_at, c->A, c->lda, c->x, c->incx,
                        c->beta_at, c->y, c->incy);
}

static const product_form forms[] = {{.name = NAME(FN(gemv)),
                                      .name_dev = NAME(FN(gemv_dev)),
                                      .arguments = "trans m n alpha A lda x incx beta y incy",
                                      .how = &stored_full,
                                      .run = gemv,
                                      .run_dev = gemv_dev}};

const routine_parts PARTS =
    TEST_PARTS("gemv", .run = PRODUCT_PARTS, .probe = product_probe, .forms = forms,
               .form_count = sizeof forms / sizeof forms[0]);

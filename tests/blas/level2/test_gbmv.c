/* test_gbmv.c: the six parts of gbmv: y := alpha op(A) x + beta y, A a band
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Bound and reference: product_test.h.
 */
#include "harness/product_test.h"
#include "harness/numbers.h"

static gable_status gbmv(gable_context *ctx, const product_call *c)
{
    return FN(gbmv)(ctx, c->trans, c->m, c->n, c->kl, c->ku, make(c->alpha.re, c->alpha.im), c->A,
                    c->lda, c->x, c->incx, make(c->beta.re, c->beta.im), c->y, c->incy);
}

static gable_status gbmv_dev(gable_context *ctx, const product_call *c)
{
    return FN(gbmv_dev)(ctx, c->trans, c->m, c->n, c->kl, c->ku, c->alpha_at, c->A, c->lda, c->x,
                        c->incx, c->beta_at, c->y, c->incy);
}

#define ARGUMENTS "trans m n kl ku alpha A lda x incx beta y incy"

static const product_form forms[] = {
    {.name = NAME(FN(gbmv)),
     .name_dev = NAME(FN(gbmv_dev)),
     .arguments = ARGUMENTS,
     .how = &stored_band,
     .run = gbmv,
     .run_dev = gbmv_dev},
};

const routine_parts PARTS =
    TEST_PARTS("gbmv", .run = PRODUCT_PARTS, .probe = product_probe, .forms = forms,
               .form_count = sizeof forms / sizeof forms[0]);

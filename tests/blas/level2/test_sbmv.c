/* test_sbmv.c: the six parts of sbmv and hbmv: y := alpha A x + beta y, A a band
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Bound and reference: product_test.h.
 */
#include "harness/product_test.h"
#include "harness/numbers.h"

static gable_status sbmv(gable_context *ctx, const product_call *c)
{
    return FN(sbmv)(ctx, c->uplo, c->n, c->kl, make(c->alpha.re, c->alpha.im), c->A, c->lda, c->x,
                    c->incx, make(c->beta.re, c->beta.im), c->y, c->incy);
}

static gable_status sbmv_dev(gable_context *ctx, const product_call *c)
{
    return FN(sbmv_dev)(ctx, c->uplo, c->n, c->kl, c->alpha_at, c->A, c->lda, c->x, c->incx,
                        c->beta_at, c->y, c->incy);
}

#if COMPLEX
static gable_status hbmv(gable_context *ctx, const product_call *c)
{
    return FN(hbmv)(ctx, c->uplo, c->n, c->kl, make(c->alpha.re, c->alpha.im), c->A, c->lda, c->x,
                    c->incx, make(c->beta.re, c->beta.im), c->y, c->incy);
}

static gable_status hbmv_dev(gable_context *ctx, const product_call *c)
{
    return FN(hbmv_dev)(ctx, c->uplo, c->n, c->kl, c->alpha_at, c->A, c->lda, c->x, c->incx,
                        c->beta_at, c->y, c->incy);
}
#endif

#define ARGUMENTS "uplo n k alpha A lda x incx beta y incy"

static const product_form forms[] = {
    {.name = NAME(FN(sbmv)),
     .name_dev = NAME(FN(sbmv_dev)),
     .arguments = ARGUMENTS,
     .how = &stored_band_triangle,
     .run = sbmv,
     .run_dev = sbmv_dev},
#if COMPLEX
    {.name = NAME(FN(hbmv)),
     .name_dev = NAME(FN(hbmv_dev)),
     .arguments = ARGUMENTS,
     .how = &stored_band_triangle,
     .conj = true,
     .run = hbmv,
     .run_dev = hbmv_dev},
#endif
};

const routine_parts PARTS =
    TEST_PARTS("sbmv", .run = PRODUCT_PARTS, .probe = product_probe, .forms = forms,
               .form_count = sizeof forms / sizeof forms[0]);

/* test_symv.c: the six parts of symv and hemv: y := alpha A x + beta y
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Bound and reference: product_test.h.
 */
#include "harness/product_test.h"
#include "harness/numbers.h"

static gable_status symv(gable_context *ctx, const product_call *c)
{
    return FN(symv)(ctx, c->uplo, c->n, make(c->alpha.re, c->alpha.im), c->A, c->lda, c->x, c->incx,
                    make(c->beta.re, c->beta.im), c->y, c->incy);
}

static gable_status symv_dev(gable_context *ctx, const product_call *c)
{
    return FN(symv_dev)(ctx, c->uplo, c->n, c->alpha_at, c->A, c->lda, c->x, c->incx, c->beta_at,
                        c->y, c->incy);
}

#if COMPLEX
static gable_status hemv(gable_context *ctx, const product_call *c)
{
    return FN(hemv)(ctx, c->uplo, c->n, make(c->alpha.re, c->alpha.im), c->A, c->lda, c->x, c->incx,
                    make(c->beta.re, c->beta.im), c->y, c->incy);
}

static gable_status hemv_dev(gable_context *ctx, const product_call *c)
{
    return FN(hemv_dev)(ctx, c->uplo, c->n, c->alpha_at, c->A, c->lda, c->x, c->incx, c->beta_at,
                        c->y, c->incy);
}
#endif

#define ARGUMENTS "uplo n alpha A lda x incx beta y incy"

static const product_form forms[] = {{.name = NAME(FN(symv)),
                                      .name_dev = NAME(FN(symv_dev)),
                                      .arguments = ARGUMENTS,
                                      .how = &stored_triangle,
                                      .run = symv,
                                      .run_dev = symv_dev},
#if COMPLEX
                                     {.name = NAME(FN(hemv)),
                                      .name_dev = NAME(FN(hemv_dev)),
                                      .arguments = ARGUMENTS,
                                      .how = &stored_triangle,
                                      .conj = true,
                                      .run = hemv,
                                      .run_dev = hemv_dev}
#endif
};

const routine_parts PARTS =
    TEST_PARTS("symv", .run = PRODUCT_PARTS, .probe = product_probe, .forms = forms,
               .form_count = sizeof forms / sizeof forms[0]);

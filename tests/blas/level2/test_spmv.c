/* test_spmv.c: the six parts of spmv and hpmv: y := alpha A x + beta y, A packed
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Bound and reference: product_test.h.
 */
#include "harness/product_test.h"
#include "harness/numbers.h"

static gable_status spmv(gable_context *ctx, const product_call *c)
{
    return FN(spmv)(ctx, c->uplo, c->n, make(c->alpha.re, c->alpha.im), c->A, c->x, c->incx,
                    make(c->beta.re, c->beta.im), c->y, c->incy);
}

static gable_status spmv_dev(gable_context *ctx, const product_call *c)
{
    return FN(spmv_dev)(ctx, c->uplo, c->n, c->alpha_at, c->A, c->x, c->incx, c->beta_at, c->y,
                        c->incy);
}

#if COMPLEX
static gable_status hpmv(gable_context *ctx, const product_call *c)
{
    return FN(hpmv)(ctx, c->uplo, c->n, make(c->alpha.re, c->alpha.im), c->A, c->x, c->incx,
                    make(c->beta.re, c->beta.im), c->y, c->incy);
}

static gable_status hpmv_dev(gable_context *ctx, const product_call *c)
{
    return FN(hpmv_dev)(ctx, c->uplo, c->n, c->alpha_at, c->A, c->x, c->incx, c->beta_at, c->y,
                        c->incy);
}
#endif

#define ARGUMENTS "uplo n alpha AP x incx beta y incy"

static const product_form forms[] = {
    {.name = NAME(FN(spmv)),
     .name_dev = NAME(FN(spmv_dev)),
     .arguments = ARGUMENTS,
     .how = &stored_packed,
     .run = spmv,
     .run_dev = spmv_dev},
#if COMPLEX
    {.name = NAME(FN(hpmv)),
     .name_dev = NAME(FN(hpmv_dev)),
     .arguments = ARGUMENTS,
     .how = &stored_packed,
     .conj = true,
     .run = hpmv,
     .run_dev = hpmv_dev},
#endif
};

const routine_parts PARTS =
    TEST_PARTS("spmv", .run = PRODUCT_PARTS, .probe = product_probe, .forms = forms,
               .form_count = sizeof forms / sizeof forms[0]);

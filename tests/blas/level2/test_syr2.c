/* test_syr2.c: the six parts of syr2 and her2: A := A + alpha x y^T + alpha y x^T in one triangle,
 * and the Hermitian form
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Bound: |error| <= 5 u (|A_ij| + |alpha| |x_i| |y_j| + |alpha| |y_i| |x_j|), for complex numbers
 * times 2 sqrt 2; see update_test.h.
 */
#include "harness/update_parts.h"

static gable_status run_syr2(gable_context *ctx, const update_call *c)
{
    return FN(syr2)(ctx, c->uplo, c->n, c->alpha, c->x, c->incx, c->y, c->incy, c->A, c->lda);
}

static gable_status run_syr2_dev(gable_context *ctx, const update_call *c)
{
    return FN(syr2_dev)(ctx, c->uplo, c->n, c->alpha_at, c->x, c->incx, c->y, c->incy, c->A,
                        c->lda);
}

#if COMPLEX
static gable_status run_her2(gable_context *ctx, const update_call *c)
{
    return FN(her2)(ctx, c->uplo, c->n, c->alpha, c->x, c->incx, c->y, c->incy, c->A, c->lda);
}

static gable_status run_her2_dev(gable_context *ctx, const update_call *c)
{
    return FN(her2_dev)(ctx, c->uplo, c->n, c->alpha_at, c->x, c->incx, c->y, c->incy, c->A,
                        c->lda);
}
#endif

static const update_form forms[] = {
    {NAME(FN(syr2)), NAME(FN(syr2_dev)), true, false, false, 2, run_syr2, run_syr2_dev, false},
#if COMPLEX
    {NAME(FN(her2)), NAME(FN(her2_dev)), true, true, false, 2, run_her2, run_her2_dev, false},
#endif
};

UPDATE_PARTS("syr2")

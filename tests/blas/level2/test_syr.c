/* test_syr.c: the six parts of syr and her: A := A + alpha x x^T, alpha x x^H in one triangle
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Bound: |error| <= 4 u (|A_ij| + |alpha| |x_i| |x_j|), for complex numbers times 2 sqrt 2; see
 * update_test.h.
 */
#include "harness/update_parts.h"

static gable_status run_syr(gable_context *ctx, const update_call *c)
{
    return FN(syr)(ctx, c->uplo, c->n, c->alpha, c->x, c->incx, c->A, c->lda);
}

static gable_status run_syr_dev(gable_context *ctx, const update_call *c)
{
    return FN(syr_dev)(ctx, c->uplo, c->n, c->alpha_at, c->x, c->incx, c->A, c->lda);
}

#if COMPLEX
static gable_status run_her(gable_context *ctx, const update_call *c)
{
    return FN(her)(ctx, c->uplo, c->n, (R)real_part(c->alpha), c->x, c->incx, c->A, c->lda);
}

static gable_status run_her_dev(gable_context *ctx, const update_call *c)
{
    return FN(her_dev)(ctx, c->uplo, c->n, c->alpha_at, c->x, c->incx, c->A, c->lda);
}
#endif

static const update_form forms[] = {
    {NAME(FN(syr)), NAME(FN(syr_dev)), true, false, false, 1, run_syr, run_syr_dev, false},
#if COMPLEX
    {NAME(FN(her)), NAME(FN(her_dev)), true, true, true, 1, run_her, run_her_dev, false},
#endif
};

UPDATE_PARTS("syr")

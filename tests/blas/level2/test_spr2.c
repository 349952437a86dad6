/* test_spr2.c: the six parts of spr2 and hpr2: A := A + alpha x y^T + alpha y x^T, and the
 * Hermitian form, A packed
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Bound: |error| <= 5 u (|A_ij| + |alpha| |x_i| |y_j| + |alpha| |y_i| |x_j|), for complex numbers
 * times 2 sqrt 2; see update_test.h.
 */
#include "harness/update_parts.h"

static gable_status run_spr2(gable_context *ctx, const update_call *c)
{
    return FN(spr2)(ctx, c->uplo, c->n, c->alpha, c->x, c->incx, c->y, c->incy, c->A);
}

static gable_status run_spr2_dev(gable_context *ctx, const update_call *c)
{
    return FN(spr2_dev)(ctx, c->uplo, c->n, c->alpha_at, c->x, c->incx, c->y, c->incy, c->A);
}

#if COMPLEX
static gable_status run_hpr2(gable_context *ctx, const update_call *c)
{
    return FN(hpr2)(ctx, c->uplo, c->n, c->alpha, c->x, c->incx, c->y, c->incy, c->A);
}

static gable_status run_hpr2_dev(gable_context *ctx, const update_call *c)
{
    return FN(hpr2_dev)(ctx, c->uplo, c->n, c->alpha_at, c->x, c->incx, c->y, c->incy, c->A);
}
#endif

static const update_form forms[] = {
    {NAME(FN(spr2)), NAME(FN(spr2_dev)), true, false, false, 2, run_spr2, run_spr2_dev, true},
#if COMPLEX
    {NAME(FN(hpr2)), NAME(FN(hpr2_dev)), true, true, false, 2, run_hpr2, run_hpr2_dev, true},
#endif
};

UPDATE_PARTS("spr2")

/* test_spr.c: the six parts of spr and hpr: A := A + alpha x x^T, alpha x x^H, A packed
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Bound: |error| <= 4 u (|A_ij| + |alpha| |x_i| |x_j|), for complex numbers times 2 sqrt 2; see
 * update_test.h.
 */
#include "harness/update_parts.h"

static gable_status run_spr(gable_context *ctx, const update_call *c)
{
    return FN(spr)(ctx, c->uplo, c->n, c->alpha, c->x, c->incx, c->A);
}

static gable_status run_spr_dev(gable_context *ctx, const update_call *c)
{
    return FN(spr_dev)(ctx, c->uplo, c->n, c->alpha_at, c->x, c->incx, c->A);
}

#if COMPLEX
static gable_status run_hpr(gable_context *ctx, const update_call *c)
{
    return FN(hpr)(ctx, c->uplo, c->n, (R)real_part(c->alpha), c->x, c->incx, c->A);
}

static gable_status run_hpr_dev(gable_context *ctx, const update_call *c)
{
    return FN(hpr_dev)(ctx, c->uplo, c->n, c->alpha_at, c->x, c->incx, c->A);
}
#endif

static const update_form forms[] = {
    {NAME(FN(spr)), NAME(FN(spr_dev)), true, false, false, 1, run_spr, run_spr_dev, true},
#if COMPLEX
    {NAME(FN(hpr)), NAME(FN(hpr_dev)), true, true, true, 1, run_hpr, run_hpr_dev, true},
#endif
};

UPDATE_PARTS("spr")

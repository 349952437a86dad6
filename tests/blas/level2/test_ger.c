/* test_ger.c: the six parts of ger, geru and gerc: A := A + alpha x y^T, alpha x y^H
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Bound: |error| <= 4 u (|A_ij| + |alpha| |x_i| |y_j|), for complex numbers times 2 sqrt 2; see
 * update_test.h.
 */
#include "harness/update_parts.h"

#if COMPLEX
static gable_status run_geru(gable_context *ctx, const update_call *c)
{
    return FN(geru)(ctx, c->m, c->n, c->alpha, c->x, c->incx, c->y, c->incy, c->A, c->lda);
}

static gable_status run_geru_dev(gable_context *ctx, const update_call *c)
{
    return FN(geru_dev)(ctx, c->m, c->n, c->alpha_at, c->x, c->incx, c->y, c->incy, c->A, c->lda);
}

static gable_status run_gerc(gable_context *ctx, const update_call *c)
{
    return FN(gerc)(ctx, c->m, c->n, c->alpha, c->x, c->incx, c->y, c->incy, c->A, c->lda);
}

static gable_status run_gerc_dev(gable_context *ctx, const update_call *c)
{
    return FN(gerc_dev)(ctx, c->m, c->n, c->alpha_at, c->x, c->incx, c->y, c->incy, c->A, c->lda);
}
#else
static gable_status run_ger(gable_context *ctx, const update_call *c)
{
    return FN(ger)(ctx, c->m, c->n, c->alpha, c->x, c->incx, c->y, c->incy, c->A, c->lda);
}

static gable_status run_ger_dev(gable_context *ctx, const update_call *c)
{
    return FN(ger_dev)(ctx, c->m, c->n, c->alpha_at, c->x, c->incx, c->y, c->incy, c->A, c->lda);
}
#endif

static const update_form forms[] = {
#if COMPLEX
    {NAME(FN(geru)), NAME(FN(geru_dev)), false, false, false, 1, run_geru, run_geru_dev, false},
    {NAME(FN(gerc)), NAME(FN(gerc_dev)), false, true, false, 1, run_gerc, run_gerc_dev, false},
#else
    {NAME(FN(ger)), NAME(FN(ger_dev)), false, false, false, 1, run_ger, run_ger_dev, false},
#endif
};

UPDATE_PARTS("ger")

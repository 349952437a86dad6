/* test_batch_cost.c: what many products at once by pipelines of stages cost, and where the model
 * chooses them, on a pretended H200.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Plans of batches have the tiles of all batch entries, TMA tiles where strides allow them, and no
 * clusters. Times that were measured on an H200 are predicted, and pipelines are chosen where they
 * were faster than `tile`.
 */
#include <math.h>
#include <stdio.h>
#include "blas/batched/gemm_batched.h"
#include "gable/inspect/dry_device.h"
#include "harness/check.h"
#include "model/predict.h"
#include "model/roofs.h"
#include "pretended_h200.h"
#include "tune/tune_line.h"

static gable_context *ctx;
static gbl_roofs roofs;

static gbl_params shape(int32_t rows, int32_t columns, int32_t split_k, int32_t groups)
{
    return (gbl_params){{rows, columns, split_k, 1, 0, groups, 0, 0}};
}

/* Squares of order n, one behind the other. */
static gbl_product_call entries(int64_t n, int64_t batch)
{
    return (gbl_product_call){.dtype = GBL_D,
                              .trans = GABLE_NO_TRANS,
                              .trans_b = GABLE_NO_TRANS,
                              .m = n,
                              .n = n,
                              .k = n,
                              .A = (void *)((uintptr_t)1 << 40),
                              .lda = n,
                              .B = (void *)((uintptr_t)2 << 40),
                              .ldb = n,
                              .C = (void *)((uintptr_t)3 << 40),
                              .ldc = n,
                              .alpha = {.re = 1},
                              .batch = batch,
                              .stride_a = n * n,
                              .stride_b = n * n,
                              .stride_c = n * n};
}

static double batch_seconds(const gbl_variant *batched, const gbl_product_call *call,
                            const gbl_params *params)
{
    const gbl_choice choice = {.variant = batched, .params = *params};
    const gbl_situation replayed = {.replayed = true};
    gbl_prediction p;
    gbl_predict_call(ctx->device, &gbl_gemm_batched_op, call, &choice, &roofs, &replayed, &p);
    return p.seconds;
}

static void check_entries(const gbl_variant *batched)
{
    const gbl_params large = shape(128, 128, 1, 1);
    gbl_pipeline_plan plan;
    gbl_product_call call = entries(256, 50);
    CHECK(gbl_pipeline_plan_make(&call, &large, ctx->device, &plan) && plan.tiles == 4 * 50 &&
              plan.groups == ctx->device->props.units && plan.load_mode_a == GBL_LOAD_TMA_PANELS,
          "%d tiles for %d groups", (int)plan.tiles, (int)plan.groups);
    const double some = batch_seconds(batched, &call, &large);
    gbl_work work;
    gbl_gemm_batched_work(&call, &work);
    CHECK(some > work.flops / gbl_roofs_matrix_flops(&roofs, GBL_D), "%g us are above the roof",
          1e6 * some);
    call.batch = 500;
    const double more = batch_seconds(batched, &call, &large);
    CHECK(more > 5 * some && more < 15 * some,
          "ten times as many batch entries take %g times the time", more / some);
    call.batch = 50;
    call.stride_b++;
    CHECK(gbl_pipeline_plan_make(&call, &large, ctx->device, &plan) &&
              plan.load_mode_a == GBL_LOAD_TMA_PANELS && plan.load_mode_b == GBL_LOAD_ELEMENTS &&
              plan.align_c == 16,
          "an odd stride of B is not one of elements");
    call.stride_a++;
    CHECK(batch_seconds(batched, &call, &large) > some, "copies of elements are for free");
    call.batch = 1;
    CHECK(gbl_pipeline_plan_make(&call, &large, ctx->device, &plan) &&
              plan.load_mode_b == GBL_LOAD_TMA,
          "the stride of a single batch entry counts");
    call = entries(256, 50);
    call.stride_a = 0;
    CHECK(gbl_pipeline_plan_make(&call, &large, ctx->device, &plan) &&
              plan.load_mode_a == GBL_LOAD_TMA_PANELS,
          "one A for all batch entries is not brought by TMA tiles");
    call.pointers = true;
    CHECK(gbl_pipeline_plan_make(&call, &large, ctx->device, &plan) && plan.align_c == 8 &&
              plan.load_mode_a == GBL_LOAD_BATCH_ENTRY && plan.load_mode_b == GBL_LOAD_BATCH_ENTRY,
          "addresses are known before");
    const gbl_params clusters = {{32, 32, 4, 2, 0, 1, 0, 0}};
    call = entries(32, 4);
    CHECK(!gbl_pipeline_plan_make(&call, &clusters, ctx->device, &plan) &&
              gbl_pipeline_plan_nearest(&call, &clusters, ctx->device, &plan) && plan.cluster == 1,
          "groups of a cluster share the tiles of a batch");
}

/* Batches of squares, as they were measured on an H200 (2026-11-17) with the tunables that the
 * model had chosen then. */
static const struct batch_measurement {
    gbl_dtype dtype;
    int64_t n, batch;
    int32_t pointers;
    int32_t rows, columns, split_k, groups;
    double usec, tile_usec; /* of `pipeline`, and of `tile` */
} batches[] = {
    {GBL_D, 64, 1000, 0, 64, 64, 2, 1, 29.19, 34.76},
    {GBL_D, 128, 200, 0, 128, 128, 1, 1, 31.51, 57.30},
    {GBL_D, 256, 50, 0, 128, 128, 1, 1, 43.86, 108.7},
    {GBL_D, 512, 20, 0, 128, 64, 1, 1, 97.61, 247.4},
    {GBL_D, 64, 1000, 1, 64, 64, 2, 1, 40.09, 59.69},
    {GBL_D, 128, 200, 1, 128, 128, 1, 1, 40.40, 93.83},
    {GBL_D, 256, 50, 1, 128, 128, 1, 1, 57.64, 164.6},
    {GBL_D, 512, 20, 1, 128, 64, 1, 1, 159.7, 478.4},
    {GBL_S, 64, 1000, 0, 128, 64, 4, 1, 50.41, 20.72},
    {GBL_S, 128, 200, 0, 128, 128, 1, 2, 33.34, 33.04},
    {GBL_S, 256, 50, 0, 128, 256, 1, 1, 50.39, 58.70},
    {GBL_S, 512, 20, 0, 128, 64, 4, 1, 130.3, 161.5},
    {GBL_S, 256, 50, 1, 128, 256, 1, 1, 74.1, 73.0},
    {GBL_C, 256, 50, 0, 128, 128, 1, 1, 188.5, 168.2},
    {GBL_Z, 256, 50, 0, 64, 32, 2, 1, 140, 380},
};

/* Pipelines are predicted well, and chosen where they were faster; of two that were equally fast
 * either is right. */
static void check_batches(const gbl_variant *batched)
{
    for (size_t i = 0; i < sizeof batches / sizeof batches[0]; i++) {
        const struct batch_measurement *of = &batches[i];
        const gbl_params params = shape(of->rows, of->columns, of->split_k, of->groups);
        gbl_product_call call = entries(of->n, of->batch);
        gbl_choice choice;
        call.dtype = of->dtype;
        call.pointers = of->pointers;
        test_case("%c, %d batch entries of order %d%s", gbl_dtype_letter(call.dtype),
                  (int)of->batch, (int)of->n, of->pointers ? " by addresses" : "");
        const double usec = 1e6 * batch_seconds(batched, &call, &params);
        CHECK(fabs(usec - of->usec) < 0.15 * of->usec, "%g us are predicted, %g us were measured",
              usec, of->usec);
        gbl_op_foresee(ctx->device, &gbl_gemm_batched_op, &call, &choice);
        const bool is = choice.variant == batched;
        CHECK((is ? of->usec : of->tile_usec) < 1.03 * fmin(of->usec, of->tile_usec),
              "%s is chosen", choice.variant != NULL ? choice.variant->name : "nothing");
    }
    /* Batch entries that fit into the local memory of a group, several at a time, stay there. */
    for (int64_t n = 8; n <= 32; n *= 2) {
        gbl_choice choice;
        const gbl_product_call call = entries(n, 1000);
        gbl_op_foresee(ctx->device, &gbl_gemm_batched_op, &call, &choice);
        CHECK(choice.variant != batched, "pipelines for batch entries of order %d", (int)n);
    }
}

int main(void)
{
    test_start("test_batch_cost");
    if (dry_open(&ctx, "sm_90a") != GABLE_OK) {
        CHECK(false, "the pretended device does not open: %s", gable_message(ctx));
        return test_finish();
    }
    pretend_h200(ctx->device);
    gbl_roofs_get(ctx->device, &roofs);
    const gbl_variant *batched = gbl_variant_find(&gbl_gemm_batched_op, "pipeline");
    CHECK(batched != NULL, "gemm_batched has no variant pipeline");
    if (batched != NULL) {
        check_entries(batched);
        check_batches(batched);
    }
    dry_close(ctx);
    return test_finish();
}

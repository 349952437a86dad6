/* test_ring_cost.c: the model's cost of products by rings of stages keeps order, on a pretended H200.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * No time is known here. But whatever the constants are, a product never costs less than its flops at the units' rate,
 * more terms, more tiles and a C that is read cost more, a triangle of C costs about half, and a triangular factor something
 * between half and all. What cannot be planned gets the nearest plan that can. Many products at once cost as much as one
 * with as many tiles.
 */
#include <stdio.h>
#include <string.h>
#include "blas/gemm_batched.h"
#include "blas/gemm_ring.h"
#include "gable/inspect/dry_device.h"
#include "harness/check.h"
#include "model/predict.h"
#include "model/roofs.h"
#include "tune/tune_line.h"

/* The numbers of tunables. */
#define CLUSTER 3
#define GROUPS  5

static gable_context *ctx;
static gbl_roofs roofs;
static const gbl_variant *ring;

static gbl_product_call product(int64_t m, int64_t n, int64_t k)
{
    return (gbl_product_call){.dtype = GBL_D,
                              .trans = GABLE_NO_TRANS,
                              .trans_b = GABLE_NO_TRANS,
                              .m = m,
                              .n = n,
                              .k = k,
                              .A = (void *)((uintptr_t)1 << 40),
                              .lda = m,
                              .B = (void *)((uintptr_t)2 << 40),
                              .ldb = k,
                              .C = (void *)((uintptr_t)3 << 40),
                              .ldc = m,
                              .alpha = {.re = 1}};
}

static gbl_params shape(int32_t rows, int32_t columns, int32_t layers, int32_t cluster,
                        int32_t groups)
{
    return (gbl_params){{rows, columns, layers, cluster, 0, groups, 0}};
}

static double seconds_of(const gbl_product_call *call, const gbl_params *params)
{
    const gbl_choice choice = {.variant = ring, .params = *params};
    const gbl_situation replayed = {.replayed = true};
    gbl_prediction p;
    gbl_predict_call(ctx->device, &gbl_gemm_op, call, &choice, &roofs, &replayed, &p);
    return p.seconds;
}

/* Every start, at sizes from one tile to many. */
static void check_roof(void)
{
    for (int i = 0; i < ring->start_count; i++) {
        double before = 0;
        for (int64_t n = 128; n <= 8192; n *= 2) {
            const gbl_product_call call = product(n, n, n);
            gbl_params params = ring->starts[i];
            gbl_ring_plan plan;
            gbl_work work;
            params.value[CLUSTER] = 1; /* else small products have larger clusters, which cost */
            test_case("start %d, n = %d", i, (int)n);
            if (!gbl_ring_plan_make(&call, &params, ctx->device, &plan))
                continue;
            const double seconds = seconds_of(&call, &params);
            gbl_gemm_work(&call, &work);
            CHECK(seconds > work.flops / gbl_roofs_matrix_flops(&roofs, GBL_D),
                  "%g us are above the roof", 1e6 * seconds);
            CHECK(seconds > before, "%g us, and %g us for half of n", 1e6 * seconds, 1e6 * before);
            before = seconds;
        }
    }
}

static void check_order(void)
{
    const gbl_params large = shape(128, 128, 1, 1, 1);
    gbl_product_call call = product(4096, 4096, 4096);
    const double plain = seconds_of(&call, &large);
    call.beta = (gbl_scalar){.re = 1};
    CHECK(seconds_of(&call, &large) >= plain, "reading C is for free");
    call = product(8192, 8192, 64);
    const double written = seconds_of(&call, &large);
    call.beta = (gbl_scalar){.re = 1};
    CHECK(seconds_of(&call, &large) > 1.2 * written,
          "reading C of an update of rank 64 is for free");

    call = product(4096, 4096, 4096);
    call.part = GBL_LOWER_ONLY;
    const double part = seconds_of(&call, &large) / plain;
    CHECK(part > 0.45 && part < 0.65, "a triangle of C takes %g of the time of all", part);
    call = product(4096, 4096, 4096);
    call.zeros = GBL_A_LOWER;
    const double triangular = seconds_of(&call, &large) / plain;
    CHECK(triangular > 0.45 && triangular < 0.75,
          "a triangular factor takes %g of the time of a full one", triangular);
    call = product(4096, 4096, 4096);
    call.lda++;
    call.ldb++;
    CHECK(seconds_of(&call, &large) > plain, "copies of elements are for free");
}

/* Tunables that do not go together, or not with the call, become others that do. */
static void check_nearest(void)
{
    static const int32_t groups[] = {1, 2};
    gbl_product_call call = product(512, 512, 512);
    const gbl_params none = shape(32, 32, 1, 1, 1);
    gbl_ring_plan plan;
    CHECK(!gbl_ring_plan_make(&call, &none, ctx->device, &plan), "32 x 32 in one layer is planned");
    CHECK(gbl_ring_plan_nearest(&call, &none, ctx->device, &plan) && plan.rows == 32 &&
              plan.columns == 32 && plan.layers > 1,
          "the nearest to 32 x 32 in one layer is %d x %d in %d", (int)plan.rows, (int)plan.columns,
          (int)plan.layers);
    /* All tunables of the space in all precisions that there are, by boxes and by elements. */
    for (int dtype = GBL_S; dtype <= GBL_Z; dtype++) {
        for (int p = 0; gbl_ring_core_of((gbl_dtype)dtype) != NULL && p < 2; p++) {
            call = product(512, 512, 512);
            call.dtype = (gbl_dtype)dtype;
            call.lda += p;
            for (int i = 0; i < ring->start_count; i++) {
                for (int g = 0; g < 2; g++) {
                    gbl_params params = ring->starts[i];
                    params.value[GROUPS] = groups[g];
                    test_case("start %d, groups=%d, lda %d", i, (int)groups[g], (int)call.lda);
                    CHECK(gbl_ring_plan_nearest(&call, &params, ctx->device, &plan),
                          "nothing near can run");
                }
            }
        }
    }
}

/* Squares of order n, one behind the other. */
static gbl_product_call members(int64_t n, int64_t batch)
{
    gbl_product_call call = product(n, n, n);
    call.batch = batch;
    call.stride_a = call.stride_b = call.stride_c = n * n;
    return call;
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

static void check_members(const gbl_variant *batched)
{
    const gbl_params large = shape(128, 128, 1, 1, 1);
    gbl_ring_plan plan;
    gbl_product_call call = members(256, 50);
    CHECK(gbl_ring_plan_make(&call, &large, ctx->device, &plan) && plan.tiles == 4 * 50 &&
              plan.groups == ctx->device->props.units && plan.how_a == GBL_RING_PANELS,
          "%d tiles for %d groups", (int)plan.tiles, (int)plan.groups);
    const double some = batch_seconds(batched, &call, &large);
    gbl_work work;
    gbl_gemm_batched_work(&call, &work);
    CHECK(some > work.flops / gbl_roofs_matrix_flops(&roofs, GBL_D), "%g us are above the roof",
          1e6 * some);
    call.batch = 500;
    const double more = batch_seconds(batched, &call, &large);
    CHECK(more > 5 * some && more < 15 * some, "ten times as many members take %g times the time",
          more / some);
    call.batch = 50;
    call.stride_b++;
    CHECK(gbl_ring_plan_make(&call, &large, ctx->device, &plan) && plan.how_a == GBL_RING_PANELS &&
              plan.how_b == GBL_RING_ELEMENTS && plan.align_c == 16,
          "an odd stride of B is not one of elements");
    call.stride_a++;
    CHECK(batch_seconds(batched, &call, &large) > some, "copies of elements are for free");
    call.batch = 1;
    CHECK(gbl_ring_plan_make(&call, &large, ctx->device, &plan) && plan.how_b == GBL_RING_BOXES,
          "the stride of a single member counts");
    call = members(256, 50);
    call.stride_a = 0;
    CHECK(gbl_ring_plan_make(&call, &large, ctx->device, &plan) && plan.how_a == GBL_RING_PANELS,
          "one A for all members is not brought by boxes");
    call.pointers = true;
    CHECK(gbl_ring_plan_make(&call, &large, ctx->device, &plan) && plan.align_c == 8 &&
              plan.how_a == GBL_RING_MEMBERS && plan.how_b == GBL_RING_MEMBERS,
          "addresses are known before");
    const gbl_params clusters = shape(32, 32, 4, 2, 1);
    call = members(32, 4);
    CHECK(!gbl_ring_plan_make(&call, &clusters, ctx->device, &plan) &&
              gbl_ring_plan_nearest(&call, &clusters, ctx->device, &plan) && plan.cluster == 1,
          "groups of a cluster share the tiles of a batch");
    /* What no GPU has measured is never the model's choice. */
    for (int64_t n = 16; n <= 1024; n *= 2) {
        gbl_choice choice;
        call = members(n, 100);
        test_case("%d members of order %d", 100, (int)n);
        gbl_op_foresee(ctx->device, &gbl_gemm_batched_op, &call, &choice);
        CHECK(choice.variant != NULL && (choice.variant != batched || !batched->rung),
              "it is chosen");
    }
}

int main(void)
{
    test_start("test_ring_cost");
    if (dry_open(&ctx, "sm_90a") != GABLE_OK)
        test_skip(NULL, "no pretended device");
    ring = gbl_variant_find(&gbl_gemm_op, "ring");
    CHECK(ring != NULL, "gemm has no variant ring");
    gbl_roofs_get(ctx->device, &roofs);
    if (ring != NULL) {
        check_roof();
        check_order();
        check_nearest();
    }
    const gbl_variant *batched = gbl_variant_find(&gbl_gemm_batched_op, "ring");
    CHECK(batched != NULL, "gemm_batched has no variant ring");
    if (batched != NULL)
        check_members(batched);
    dry_close(ctx);
    return test_finish();
}

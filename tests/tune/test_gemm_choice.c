/* test_gemm_choice.c: which products are packed, cut or left to gemv, on a pretended H200.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * No time is known here, so only what does not hang on constants is asked for: copies pay where
 * elements would be copied for many tiles, a cut pays where a last round has a few tiles, and
 * neither is chosen where there is nothing to gain. Pieces are whole tiles, cover C once, and are
 * not cut again. And the first choices of a product, for sweeps that time them.
 */
#include <string.h>
#include "blas/gemm/gemm_composed.h"
#include "gable/inspect/dry_device.h"
#include "harness/check.h"
#include "model/predict.h"
#include "model/roofs.h"
#include "tune/choose.h"
#include "tune/space.h"
#include "tune/tune_line.h"

static gable_context *ctx;
static gbl_roofs roofs;

/* Columns start `odd` elements off, and their leading dimension is as much longer than what TMA
 * tiles take. */
static gbl_product_call product(gbl_dtype dtype, int64_t m, int64_t n, int64_t k, int64_t odd)
{
    const int64_t bytes = odd * (int64_t)gbl_dtype_bytes(dtype);
    return (gbl_product_call){.dtype = dtype,
                              .trans = GABLE_NO_TRANS,
                              .trans_b = GABLE_NO_TRANS,
                              .m = m,
                              .n = n,
                              .k = k,
                              .A = (char *)((uintptr_t)1 << 40) + bytes,
                              .lda = (m + 31) / 32 * 32 + odd,
                              .B = (char *)((uintptr_t)2 << 40) + bytes,
                              .ldb = (k + 31) / 32 * 32 + odd,
                              .C = (char *)((uintptr_t)3 << 40) + bytes,
                              .ldc = (m + 31) / 32 * 32 + odd,
                              .alpha = {.re = 1}};
}

static const char *chosen(const gbl_product_call *call)
{
    gbl_choice choice;
    gbl_op_foresee(ctx->device, &gbl_gemm_op, call, &choice);
    return choice.variant != NULL ? choice.variant->name : "none";
}

static double seconds_of(const gbl_product_call *call, const char *name)
{
    const gbl_situation replayed = {.replayed = true};
    gbl_choice choice = {.variant = gbl_variant_find(&gbl_gemm_op, name)};
    gbl_prediction p;
    gbl_params_fallback(choice.variant, &choice.params);
    gbl_predict_call(ctx->device, &gbl_gemm_op, call, &choice, &roofs, &replayed, &p);
    return p.seconds;
}

static void expect_choice(const gbl_product_call *call, const char *name)
{
    const char *is = chosen(call);
    test_case("%cgemm %d x %d x %d, lda %d", gbl_dtype_letter(call->dtype), (int)call->m,
              (int)call->n, (int)call->k, (int)call->lda);
    CHECK(strcmp(is, name) == 0, "%s is chosen, not %s", is, name);
}

static void check_choices(void)
{
    gbl_product_call call;
    for (int dtype = GBL_S; dtype <= GBL_D; dtype++) {
        const gbl_dtype of = (gbl_dtype)dtype;
        call = product(of, 2048, 2048, 2048, 0);
        expect_choice(&call, "pipeline");
        call = product(of, 4095, 4095, 4095, 1);
        expect_choice(&call, "aligned_copy");
        call = product(of, 2049, 2049, 2049, 1);
        expect_choice(&call, "tail_split");
        call = product(of, 2049, 2049, 2049, 0);
        expect_choice(&call, "tail_split");
        CHECK(seconds_of(&call, "tail_split") < seconds_of(&call, "pipeline"),
              "a cut costs more than none");
    }
    /* One tile behind four rounds; complex elements, which cost hardly more than TMA's copies. */
    call = product(GBL_D, 2944, 2944, 2944, 0);
    expect_choice(&call, "tail_split");
    call = product(GBL_C, 4095, 4095, 4095, 1);
    expect_choice(&call, "pipeline");
    for (int dtype = GBL_S; dtype <= GBL_Z; dtype++) {
        call = product((gbl_dtype)dtype, 3000, 1, 2000, 1);
        expect_choice(&call, "vector");
        call = product((gbl_dtype)dtype, 1, 3000, 2000, 0);
        expect_choice(&call, "vector");
        call.math = GABLE_MATH_TF32X3;
        CHECK(strcmp(chosen(&call), "vector") != 0, "a mode of products is left to gemv");
    }
    /* One factor: the other stays where it is. */
    call = product(GBL_D, 4096, 4096, 4096, 0);
    const double whole = gbl_gemm_align_bytes(&call);
    call.lda++;
    const double one = gbl_gemm_align_bytes(&call);
    call.ldb++;
    CHECK(whole == 0 && one == 4096.0 * 4096 * 8 && gbl_gemm_align_bytes(&call) == 2 * one,
          "copies of %g, %g and %g bytes", whole, one, gbl_gemm_align_bytes(&call));
    call.B = call.A;
    call.ldb = call.lda;
    CHECK(gbl_gemm_align_bytes(&call) == one, "one matrix is copied twice");
}

/* All sizes around whole tiles: a cut is whole tiles, and its pieces are not cut again. */
static void check_cuts(void)
{
    static const int64_t tiles[4][2] = {{128, 256}, {128, 128}, {128, 128}, {64, 64}};
    int cuts = 0;
    for (int dtype = GBL_S; dtype <= GBL_Z; dtype++) {
        const int64_t rows = tiles[dtype][0], columns = tiles[dtype][1];
        for (int64_t m = 700; m < 6000;
             m = m % rows == 1 ? m + rows + 18 : m / rows * rows + rows + 1) {
            for (int64_t n = 640; n < 5000; n += n % 5 ? 127 : 449) {
                gbl_product_call call = product((gbl_dtype)dtype, m, n, 2000, 0);
                gbl_gemm_tail_split cut = {0, 0};
                if (!gbl_gemm_tail_split_make(&call, ctx->device, &cut))
                    continue;
                cuts++;
                test_case("%c %d x %d", gbl_dtype_letter((gbl_dtype)dtype), (int)m, (int)n);
                CHECK(cut.rows > 0 && cut.rows <= m && cut.columns > 0 && cut.columns <= n &&
                          (cut.rows < m || cut.columns < n) &&
                          (cut.rows == m || cut.rows % rows == 0) &&
                          (cut.columns == n || cut.columns % columns == 0),
                      "the largest piece is %d x %d", (int)cut.rows, (int)cut.columns);
                call.is_part = 1;
                CHECK(!gbl_gemm_tail_split_make(&call, ctx->device, &cut), "a piece is cut again");
            }
        }
    }
    CHECK(cuts > 100, "%d products are cut", cuts);
}

/* What is not a whole plain product stays whole. */
static void check_refused(void)
{
    const gbl_product_call plain = product(GBL_D, 2049, 2049, 2049, 0);
    gbl_product_call call = plain;
    gbl_gemm_tail_split cut;
    CHECK(gbl_gemm_tail_split_make(&call, ctx->device, &cut) && cut.rows == 2048 &&
              cut.columns == 2048,
          "2049 is cut to %d x %d", (int)cut.rows, (int)cut.columns);
    call.triangle_c = GBL_LOWER_ONLY;
    CHECK(!gbl_gemm_tail_split_make(&call, ctx->device, &cut), "a triangle is cut");
    call = plain;
    call.triangular = GBL_A_LOWER;
    CHECK(!gbl_gemm_tail_split_make(&call, ctx->device, &cut), "a triangular factor is cut");
    call = plain;
    call.two_products = 1;
    CHECK(!gbl_gemm_tail_split_make(&call, ctx->device, &cut), "two products are cut");
    call = plain;
    call.sizes = (const int64_t *)plain.A;
    CHECK(!gbl_gemm_tail_split_make(&call, ctx->device, &cut), "sizes that are not known are cut");
    call = plain;
    call.alpha.re = 0;
    CHECK(!gbl_gemm_tail_split_make(&call, ctx->device, &cut), "a scaling is cut");
    call = plain;
    call.k = 16;
    CHECK(!gbl_gemm_tail_split_make(&call, ctx->device, &cut), "a short sum is cut");
    call = product(GBL_D, 2048, 2048, 2048, 0);
    CHECK(!gbl_gemm_tail_split_make(&call, ctx->device, &cut), "whole rounds are cut");
    call = product(GBL_D, 1000, 1000, 1000, 0);
    CHECK(!gbl_gemm_tail_split_make(&call, ctx->device, &cut), "a product of one round is cut");
}

/* A tile or two with a long sum: enough groups share it that most units have one. */
static void check_long(void)
{
    static const struct {
        int64_t m, n, k;
    } shapes[] = {{64, 64, 100000}, {32, 32, 100000}, {64, 128, 60000}, {100, 64, 50000}};
    for (int dtype = GBL_S; dtype <= GBL_Z; dtype++)
        for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
            const gbl_product_call call =
                product((gbl_dtype)dtype, shapes[i].m, shapes[i].n, shapes[i].k, 0);
            gbl_choice choice;
            gbl_cost cost = {.groups = 0};
            gbl_op_foresee(ctx->device, &gbl_gemm_op, &call, &choice);
            choice.variant->cost(choice.variant, &call, &choice.params, ctx->device, &cost);
            test_case("%cgemm %d x %d x %d", gbl_dtype_letter(call.dtype), (int)call.m, (int)call.n,
                      (int)call.k);
            CHECK(cost.groups >= 0.9 * ctx->device->props.units &&
                      cost.groups <= 4.0 * ctx->device->props.units,
                  "%g groups of %s for %d units", cost.groups, choice.variant->name,
                  ctx->device->props.units);
        }
}

/* The first choices: the one in use, then others that are legal, do other work and are predicted in
 * order; nothing that a forced variant excludes, and no more than asked for. */
static void check_ranks(void)
{
    enum { MOST = 6 };
    static const int64_t sizes[] = {64, 333, 777, 2049};
    for (int i = 0; i < 16; i++) {
        const gbl_product_call call =
            product((gbl_dtype)(i % 4), sizes[i / 4], sizes[i / 4], 500, i % 2);
        gbl_choice list[MOST + 1], choice;
        uint64_t plans[MOST] = {0};
        list[MOST].variant = NULL;
        const int count = gbl_tune_rank(ctx, &gbl_gemm_op, &call, list, MOST);
        CHECK_OK(ctx, gbl_op_choose(ctx, &gbl_gemm_op, &call, &choice));
        test_case("ranks of %cgemm %d", gbl_dtype_letter(call.dtype), (int)call.m);
        CHECK(count >= 3 && count <= MOST && list[MOST].variant == NULL, "%d choices", count);
        CHECK(list[0].variant == choice.variant &&
                  memcmp(&list[0].params, &choice.params, sizeof choice.params) == 0,
              "the first one is %s, and %s is in use", list[0].variant->name, choice.variant->name);
        for (int j = 0; j < count; j++) {
            CHECK(list[j].variant->fits(list[j].variant, &call, ctx->device) &&
                      list[j].variant->deterministic && !list[j].variant->vendor &&
                      !list[j].variant->rung,
                  "%s is not for default choices", list[j].variant->name);
            gbl_question question;
            gbl_question_make(ctx->device, &gbl_gemm_op, &call, NULL, &question);
            CHECK(gbl_space_legal(&list[j], question.call, ctx->device, &plans[j]),
                  "choice %d, %s, is not legal", j, list[j].variant->name);
            for (int other = 0; other < j; other++)
                CHECK(list[other].variant != list[j].variant || plans[other] != plans[j],
                      "choices %d and %d are the same work", other, j);
        }
        CHECK(gbl_tune_rank(ctx, &gbl_gemm_op, &call, list, 1) == 1, "one choice is not one");
        CHECK(gbl_tune_rank(ctx, &gbl_gemm_op, &call, list, 0) == 0, "no choice is one");
    }
}

int main(void)
{
    test_start("test_gemm_choice");
    if (dry_open(&ctx, "sm_90a") != GABLE_OK) {
        CHECK(false, "the pretended device does not open: %s", gable_message(ctx));
        return test_finish();
    }
    gbl_roofs_get(ctx->device, &roofs);
    check_choices();
    check_cuts();
    check_refused();
    check_long();
    check_ranks();
    dry_close(ctx);
    return test_finish();
}

/* test_math.c: the mode of sums in single precision: what is refused, what is kept, and that
 * nothing takes it unasked.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdlib.h>
#include <string.h>
#include "blas/level3/level3.h"
#include "core/math_mode.h"
#include "harness/check.h"

#define ORDER 2048

/* Which variant a large product in single precision would run on memory that starts at a whole
 * line. */
static const gbl_variant *chosen(gable_context *ctx, void *A, gable_math math, gbl_dtype dtype)
{
    const gbl_product_call call = {.dtype = dtype,
                                   .trans = GABLE_NO_TRANS,
                                   .trans_b = GABLE_NO_TRANS,
                                   .math = (uint8_t)math,
                                   .m = ORDER,
                                   .n = ORDER,
                                   .k = ORDER,
                                   .lda = ORDER,
                                   .ldb = ORDER,
                                   .ldc = ORDER,
                                   .A = A,
                                   .B = A,
                                   .C = A,
                                   .alpha = {.re = 1}};
    gbl_choice choice = {.variant = NULL};
    CHECK_OK(ctx, gbl_op_choose(ctx, &gbl_gemm_op, &call, &choice));
    return choice.variant;
}

static gable_math mode_of(gable_context *ctx)
{
    gable_math math = (gable_math)77;
    CHECK_OK(ctx, gable_get_math(ctx, &math));
    return math;
}

static void arguments(gable_context *ctx)
{
    static const int wrong[] = {-1, 2, 111, 1 << 30};
    test_case("gable_set_math");
    CHECK(mode_of(ctx) == GABLE_MATH_PLAIN, "a context starts with mode %d", (int)mode_of(ctx));
    CHECK_OK(ctx, gable_set_math(ctx, GABLE_MATH_TF32X3));
    CHECK(mode_of(ctx) == GABLE_MATH_TF32X3, "the mode was not kept");
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        CHECK_REFUSED(ctx, gable_set_math(ctx, (gable_math)wrong[i]), GABLE_BAD_ARGUMENT,
                      "gable_set_math", "argument 2 (math)", "GABLE_MATH_TF32X3");
        CHECK(mode_of(ctx) == GABLE_MATH_TF32X3, "an error changed the mode");
    }
    CHECK_REFUSED(ctx, gable_get_math(ctx, NULL), GABLE_BAD_ARGUMENT, "gable_get_math",
                  "argument 2 (math)");
    CHECK_OK(ctx, gable_set_math(ctx, GABLE_MATH_PLAIN));
    CHECK(mode_of(ctx) == GABLE_MATH_PLAIN, "the mode was not lifted");
}

static void words(void)
{
    gable_math math = GABLE_MATH_PLAIN;
    test_case("words of modes");
    for (int i = GABLE_MATH_PLAIN; i <= GABLE_MATH_TF32X3; i++)
        CHECK(gbl_math_find(gbl_math_name(i), &math) && (int)math == i, "mode %d is not found", i);
    CHECK(gbl_math_name(-1) == NULL && gbl_math_name(2) == NULL, "there is a third mode");
    CHECK(!gbl_math_find("TF32X3", &math) && !gbl_math_find("", &math), "a wrong word is found");
}

static void environment(void)
{
    gable_context *ctx = NULL;
    test_case("GABLE_MATH");
    setenv("GABLE_MATH", "tf32x3", 1);
    CHECK_OK(ctx, gable_open(&ctx, NULL));
    CHECK(mode_of(ctx) == GABLE_MATH_TF32X3, "GABLE_MATH was not taken");
    gable_close(ctx);
    setenv("GABLE_MATH", "fast", 1);
    CHECK(gable_open(&ctx, NULL) == GABLE_BAD_ARGUMENT &&
              strstr(gable_message(ctx), "GABLE_MATH") != NULL &&
              strstr(gable_message(ctx), "tf32x3") != NULL,
          "GABLE_MATH=fast: %s", gable_message(ctx));
    gable_close(ctx);
    unsetenv("GABLE_MATH");
}

/* The mode is never taken unasked, nor for another precision. */
static void not_silently(gable_context *ctx)
{
    void *A = NULL;
    test_case("variants under the mode");
    CHECK_OK(ctx, gable_alloc(ctx, (size_t)ORDER * ORDER * sizeof(float), &A));
    CHECK(strcmp(chosen(ctx, A, GABLE_MATH_PLAIN, GBL_S)->name, "tf32x3") != 0,
          "a plain product runs tf32x3");
    CHECK(strcmp(chosen(ctx, A, GABLE_MATH_TF32X3, GBL_D)->name, "tf32x3") != 0,
          "a product in double runs tf32x3");
    const gbl_variant *under = chosen(ctx, A, GABLE_MATH_TF32X3, GBL_S);
    if (strcmp(ctx->device->info.arch, "sm_90a") == 0)
        CHECK(strcmp(under->name, "tf32x3") == 0, "under the mode %s runs", under->name);
    else
        CHECK(strcmp(under->name, "tf32x3") != 0, "tf32x3 runs on %s", ctx->device->info.name);
    CHECK_OK(ctx, gable_free(ctx, A));
}

/* Elsewhere the mode changes no bit. */
static void ignored(gable_context *ctx)
{
    enum { N = 96 };
    static float a[N * N], plain[N * N], under[N * N];
    void *A = NULL, *C = NULL;
    test_case("a small product under both modes");
    for (int i = 0; i < N * N; i++)
        a[i] = (float)(i * 37 % 101) / 101;
    CHECK_OK(ctx, gable_alloc(ctx, sizeof a, &A));
    CHECK_OK(ctx, gable_alloc(ctx, sizeof a, &C));
    CHECK_OK(ctx, gable_set_matrix(ctx, N, N, sizeof(float), a, N, A, N));
    for (int mode = 0; mode < 2; mode++) {
        CHECK_OK(ctx, gable_set_math(ctx, mode ? GABLE_MATH_TF32X3 : GABLE_MATH_PLAIN));
        CHECK_OK(ctx,
                 gable_sgemm(ctx, GABLE_NO_TRANS, GABLE_TRANS, N, N, N, 1, A, N, A, N, 0, C, N));
        CHECK_OK(ctx, gable_get_matrix(ctx, N, N, sizeof(float), C, N, mode ? under : plain, N));
    }
    CHECK_OK(ctx, gable_set_math(ctx, GABLE_MATH_PLAIN));
    if (strcmp(ctx->device->info.arch, "sm_90a") != 0)
        CHECK(memcmp(plain, under, sizeof plain) == 0, "the mode changed a result");
    CHECK_OK(ctx, gable_free(ctx, A));
    CHECK_OK(ctx, gable_free(ctx, C));
}

int main(void)
{
    test_start("test_math");
    gable_context *ctx = test_open();
    arguments(ctx);
    words();
    environment();
    not_silently(ctx);
    ignored(ctx);
    gable_close(ctx);
    return test_finish();
}

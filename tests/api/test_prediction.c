/* test_prediction.c: gable_predict: times of products and of their transfers, and wrong arguments.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include "gable/prediction.h"
#include "harness/check.h"

static const char *const stems[] = {"gemm", "gemmt", "symm",  "hemm", "syrk",
                                    "herk", "syr2k", "her2k", "trmm", "trsm"};

static void test_times(gable_context *ctx)
{
    for (int letter = 0; letter < 4; letter++)
        for (size_t i = 0; i < sizeof stems / sizeof stems[0]; i++) {
            char name[16];
            double small = -1, large = -1, small_link = -1, large_link = -1;
            snprintf(name, sizeof name, "%c%s", "sdcz"[letter], stems[i]);
            test_case("%s", name);
            if (letter < 2 && stems[i][0] == 'h') {
                CHECK_REFUSED(ctx,
                              gable_predict(ctx, name, GABLE_LEFT, 8, 8, 8, &small, &small_link),
                              GABLE_BAD_ARGUMENT, "gable_predict", "argument 2 (routine)", name);
                continue;
            }
            CHECK_OK(ctx, gable_predict(ctx, name, GABLE_LEFT, 256, 256, 256, &small, &small_link));
            CHECK_OK(ctx,
                     gable_predict(ctx, name, GABLE_LEFT, 2048, 2048, 2048, &large, &large_link));
            CHECK(small > 0 && large > small && large < 1e5, "%g s and %g s", small, large);
            /* Times 64 in elements; the latency counts once each way. */
            CHECK(small_link >= 0 && large_link >= small_link, "the link takes %g s and %g s",
                  small_link, large_link);
            CHECK_OK(ctx,
                     gable_predict(ctx, name, GABLE_RIGHT, 300, 200, 100, &small, &small_link));
            CHECK(small > 0, "%g s", small);
        }
}

static void test_arguments(gable_context *ctx)
{
    double seconds = -7, link = -7;
    test_case("arguments");
#define REFUSED(number, name, ...)                                                                 \
    CHECK_REFUSED(ctx, gable_predict(ctx, __VA_ARGS__), GABLE_BAD_ARGUMENT, "gable_predict",       \
                  "argument " #number " (" name ")")
    REFUSED(2, "routine", NULL, GABLE_LEFT, 8, 8, 8, &seconds, &link);
    REFUSED(2, "routine", "", GABLE_LEFT, 8, 8, 8, &seconds, &link);
    REFUSED(2, "routine", "gemm", GABLE_LEFT, 8, 8, 8, &seconds, &link);
    REFUSED(2, "routine", "ddot", GABLE_LEFT, 8, 8, 8, &seconds, &link);
    REFUSED(3, "side", "dtrsm", (gable_side)7, 8, 8, 8, &seconds, &link);
    REFUSED(4, "m", "dgemm", GABLE_LEFT, 0, 8, 8, &seconds, &link);
    REFUSED(5, "n", "dgemm", GABLE_LEFT, 8, -1, 8, &seconds, &link);
    REFUSED(6, "k", "dsyrk", GABLE_LEFT, 0, 8, 0, &seconds, &link);
    REFUSED(7, "seconds", "dgemm", GABLE_LEFT, 8, 8, 8, NULL, &link);
    REFUSED(8, "link_seconds", "dgemm", GABLE_LEFT, 8, 8, 8, &seconds, NULL);
    CHECK(seconds == -7 && link == -7, "a result was written");
    CHECK_OK(ctx, gable_predict(ctx, "dsyrk", (gable_side)7, -1, 8, 8, &seconds, &link));
    CHECK_OK(ctx, gable_predict(ctx, "dtrsm", GABLE_LEFT, 8, 8, -1, &seconds, &link));
}

int main(void)
{
    test_start("test_prediction");
    gable_context *const ctx = test_open();
    test_times(ctx);
    test_arguments(ctx);
    gable_close(ctx);
    return test_finish();
}

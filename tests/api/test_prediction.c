/* test_prediction.c: gable_predict: times of products in device and in host memory, and
 * wrong arguments.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include <string.h>
#include "gable/prediction.h"
#include "harness/check.h"

static const char *const stems[] = {"gemm", "gemmt", "symm",  "hemm", "syrk",
                                    "herk", "syr2k", "her2k", "trmm", "trsm"};

/* A C that is not read need not travel; the cpu copies nothing. */
static void check_fresh(gable_context *ctx, const char *stem, double fresh, double read)
{
    gable_device_info info;
    CHECK_OK(ctx, gable_context_describe(ctx, &info));
    const bool same = strcmp(info.name, "cpu") == 0 || strncmp(stem, "tr", 2) == 0;
    CHECK(same ? fresh == read : fresh < read, "C not read %g s, read %g s", fresh, read);
}

static void test_times(gable_context *ctx)
{
    for (int letter = 0; letter < 4; letter++)
        for (size_t i = 0; i < sizeof stems / sizeof stems[0]; i++) {
            char name[16];
            double small = -1, large = -1, small_host = -1, large_host = -1, fresh_host = -1;
            snprintf(name, sizeof name, "%c%s", "sdcz"[letter], stems[i]);
            test_case("%s", name);
            if (letter < 2 && stems[i][0] == 'h') {
                CHECK_REFUSED(ctx,
                              gable_predict(ctx, name, GABLE_LEFT, 8, 8, 8, 1, &small, &small_host),
                              GABLE_BAD_ARGUMENT, "gable_predict", "argument 2 (routine)", name);
                continue;
            }
            CHECK_OK(ctx,
                     gable_predict(ctx, name, GABLE_LEFT, 256, 256, 256, 1, &small, &small_host));
            CHECK_OK(ctx, gable_predict(ctx, name, GABLE_LEFT, 2048, 2048, 2048, 1, &large,
                                        &large_host));
            CHECK(small > 0 && large > small && large < 1e5, "%g s and %g s", small, large);
            CHECK(small_host > 0 && large_host > small_host && large_host < 1e5,
                  "in host memory %g s and %g s", small_host, large_host);
            CHECK_OK(ctx, gable_predict(ctx, name, GABLE_LEFT, 2048, 2048, 2048, 0, &large,
                                        &fresh_host));
            check_fresh(ctx, stems[i], fresh_host, large_host);
            CHECK_OK(ctx,
                     gable_predict(ctx, name, GABLE_RIGHT, 300, 200, 100, 1, &small, &small_host));
            CHECK(small > 0, "%g s", small);
        }
}

/* Solvers take longer than the factorization in them, and with more right-hand sides. */
static void test_lapack(gable_context *ctx)
{
    static const char *const names[] = {"dgetrf", "sgetrs", "zgetri", "dpotrf", "cpotrs",
                                        "spotri", "ztrtrs", "dtrtri", "cposv",  "dgeqrf",
                                        "sorgqr", "zunmlq", "cunglq", "dormqr", "zgels",
                                        "dsyevd", "cheevd", "sgesdd", "zgesvd", "dsygvd"};
    double small, large, factor, one, many;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        test_case("%s", names[i]);
        CHECK_OK(ctx, gable_predict(ctx, names[i], GABLE_LEFT, 256, 256, 256, 0, NULL, &small));
        CHECK_OK(ctx, gable_predict(ctx, names[i], GABLE_LEFT, 2048, 2048, 2048, 0, NULL, &large));
        CHECK(small > 0 && large > small && large < 1e5, "%g s and %g s", small, large);
    }
    test_case("dgesv");
    CHECK_OK(ctx, gable_predict(ctx, "dgetrf", 0, 512, 512, 0, 0, NULL, &factor));
    CHECK_OK(ctx, gable_predict(ctx, "dgesv", 0, -1, 512, 1, 0, NULL, &one));
    CHECK_OK(ctx, gable_predict(ctx, "dgesv", 0, -1, 512, 300, 0, NULL, &many));
    CHECK(factor < one && one < many, "getrf %g s, gesv %g s and %g s", factor, one, many);
    test_case("dgels");
    CHECK_OK(ctx, gable_predict(ctx, "dgeqrf", 0, 900, 300, 0, 0, NULL, &factor));
    CHECK_OK(ctx, gable_predict(ctx, "dgels", 0, 900, 300, 1, 0, NULL, &one));
    CHECK_OK(ctx, gable_predict(ctx, "dgels", 0, 900, 300, 200, 0, NULL, &many));
    CHECK(factor < one && one < many, "geqrf %g s, gels %g s and %g s", factor, one, many);
    test_case("dormqr");
    CHECK_OK(ctx, gable_predict(ctx, "dormqr", GABLE_LEFT, 500, 100, 40, 0, NULL, &one));
    CHECK_OK(ctx, gable_predict(ctx, "dormqr", GABLE_LEFT, 500, 100, 400, 0, NULL, &many));
    CHECK(one < many, "%g s and %g s", one, many);
    CHECK_OK(ctx, gable_predict(ctx, "dpotrf", 0, -1, 64, 0, 0, &small, &one));
    CHECK(small > 0, "%g s", small);
    test_case("drivers with and without vectors");
    CHECK_OK(ctx, gable_predict(ctx, "dgesdd", 0, 900, 600, 0, 0, &small, &one));
    CHECK_OK(ctx, gable_predict(ctx, "dgesdd", 0, 900, 600, 0, 1, &large, &many));
    /* A CPU behind OpenCL has few units for values by bisection, which is more arithmetic than
     * vectors by divide and conquer. */
    const bool few_units = strncmp(test_device(), "opencl", 6) == 0;
    CHECK(small > 0 && large > 0 && (few_units || (small < large && one < many)),
          "%g s and %g s, on the host %g s and %g s", small, large, one, many);
    CHECK_OK(ctx, gable_predict(ctx, "zheevx", 0, -1, 600, 6, 1, &small, &one));
    CHECK_OK(ctx, gable_predict(ctx, "zheevx", 0, -1, 600, 600, 1, &large, &many));
    CHECK(small > 0 && small < large && one < many, "%g s and %g s, on the host %g s and %g s",
          small, large, one, many);
}

static void test_arguments(gable_context *ctx)
{
    double seconds = -7, host = -7;
    test_case("arguments");
#define REFUSED(number, name, ...)                                                                 \
    CHECK_REFUSED(ctx, gable_predict(ctx, __VA_ARGS__), GABLE_BAD_ARGUMENT, "gable_predict",       \
                  "argument " #number " (" name ")")
    REFUSED(2, "routine", NULL, GABLE_LEFT, 8, 8, 8, 1, &seconds, &host);
    REFUSED(2, "routine", "", GABLE_LEFT, 8, 8, 8, 1, &seconds, &host);
    REFUSED(2, "routine", "gemm", GABLE_LEFT, 8, 8, 8, 1, &seconds, &host);
    REFUSED(2, "routine", "ddot", GABLE_LEFT, 8, 8, 8, 1, &seconds, &host);
    REFUSED(3, "side", "dtrsm", (gable_side)7, 8, 8, 8, 1, &seconds, &host);
    REFUSED(4, "m", "dgemm", GABLE_LEFT, 0, 8, 8, 1, &seconds, &host);
    REFUSED(5, "n", "dgemm", GABLE_LEFT, 8, -1, 8, 1, &seconds, &host);
    REFUSED(6, "k", "dsyrk", GABLE_LEFT, 0, 8, 0, 1, &seconds, &host);
    REFUSED(4, "m", "dgetrf", GABLE_LEFT, 0, 8, 8, 1, &seconds, &host);
    REFUSED(5, "n", "dpotrf", GABLE_LEFT, 8, 0, 8, 1, &seconds, &host);
    REFUSED(6, "k", "dgesv", GABLE_LEFT, 8, 8, 0, 1, &seconds, &host);
    REFUSED(2, "routine", "dungqr", GABLE_LEFT, 8, 8, 8, 1, &seconds, &host);
    REFUSED(2, "routine", "zorgqr", GABLE_LEFT, 8, 8, 8, 1, &seconds, &host);
    REFUSED(3, "side", "dormqr", (gable_side)7, 8, 8, 8, 1, &seconds, &host);
    REFUSED(6, "k", "dormqr", GABLE_LEFT, 8, 8, 9, 1, &seconds, &host);
    REFUSED(6, "k", "dgels", GABLE_LEFT, 8, 8, 0, 1, &seconds, &host);
    REFUSED(2, "routine", "zsyevd", GABLE_LEFT, 8, 8, 8, 1, &seconds, &host);
    REFUSED(2, "routine", "dheevd", GABLE_LEFT, 8, 8, 8, 1, &seconds, &host);
    REFUSED(6, "k", "dsyevx", GABLE_LEFT, 8, 8, 0, 1, &seconds, &host);
    REFUSED(6, "k", "dsyevx", GABLE_LEFT, 8, 8, 9, 1, &seconds, &host);
    REFUSED(9, "host_seconds", "dgemm", GABLE_LEFT, 8, 8, 8, 1, &seconds, NULL);
    CHECK(seconds == -7 && host == -7, "a result was written");
    CHECK_OK(ctx, gable_predict(ctx, "dsyrk", (gable_side)7, -1, 8, 8, 1, &seconds, &host));
    CHECK_OK(ctx, gable_predict(ctx, "dtrsm", GABLE_LEFT, 8, 8, -1, 1, &seconds, &host));
    host = -7;
    CHECK_OK(ctx, gable_predict(ctx, "dgemm", GABLE_LEFT, 8, 8, 8, 1, NULL, &host));
    CHECK(host > 0, "in host memory %g s", host);
}

int main(void)
{
    test_start("test_prediction");
    gable_context *const ctx = test_open();
    test_times(ctx);
    test_lapack(ctx);
    test_arguments(ctx);
    gable_close(ctx);
    return test_finish();
}

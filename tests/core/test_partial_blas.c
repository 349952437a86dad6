/* test_partial_blas.c: a BLAS that lacks functions serves with those it has.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <dlfcn.h>
#include <stdlib.h>
#include "device/cpu_blas.h"
#include "expect.h"
#include "gable/gable.h"

#define N 5

static gable_context *ctx;
static int *calls; /* of the library's functions */

static void test_has(void)
{
    EXPECT(gbl_cpu_blas_get() != NULL, "the library is dropped: %s", gbl_cpu_blas_reason());
    EXPECT(gbl_cpu_blas_has("dot", 'd') && gbl_cpu_blas_has("scal", 's'),
           "functions that are there are not found");
    EXPECT(!gbl_cpu_blas_has("dot", 's') && !gbl_cpu_blas_has("gemv", 'd') &&
               !gbl_cpu_blas_has("nothing", 'd'),
           "functions that are not there are found");
    EXPECT(!gbl_cpu_blas_has("dot", 'c'), "cdotc is missing, and dot in c is said to be there");
    EXPECT(!gbl_cpu_blas_has("syrk", 'c'), "cherk is missing, and syrk in c is said to be there");
    EXPECT(!gbl_cpu_blas_has("gemm", 'd'), "gemm is missing, and is said to be there");
    EXPECT(strstr(gbl_cpu_blas_name(), "without") != NULL, "the name is %s", gbl_cpu_blas_name());
}

/* Forced variants: what is there runs, what is not there does not fit; by default all routines
 * work. */
static void test_calls(void)
{
    const double x[N] = {1, 2, 3, 4, 5};
    const float s[N] = {1, 2, 3, 4, 5};
    double sum = 0, y[N];
    float single = 0;
    EXPECT_STATUS(ctx, GABLE_OK, gable_set_variant(ctx, "dot=blas,gemv=blas"));
    const int before = *calls;
    EXPECT_STATUS(ctx, GABLE_OK, gable_ddot(ctx, N, x, 1, x, 1, &sum));
    EXPECT(sum == 55 && *calls == before + 1, "dot is %g after %d calls", sum, *calls - before);
    EXPECT_STATUS(ctx, GABLE_NOT_SUPPORTED, gable_sdot(ctx, N, s, 1, s, 1, &single));
    EXPECT_STATUS(ctx, GABLE_NOT_SUPPORTED,
                  gable_dgemv(ctx, GABLE_NO_TRANS, 1, N, 1, x, 1, x, 1, 0, y, 1));
    EXPECT_STATUS(ctx, GABLE_OK, gable_set_variant(ctx, NULL));
    EXPECT_STATUS(ctx, GABLE_OK, gable_sdot(ctx, N, s, 1, s, 1, &single));
    EXPECT_STATUS(ctx, GABLE_OK, gable_dgemv(ctx, GABLE_NO_TRANS, 1, N, 1, x, 1, x, 1, 0, y, 1));
    EXPECT(single == 55 && y[0] == 55, "dot %g, gemv %g", (double)single, y[0]);
    double product = 0;
    EXPECT_STATUS(
        ctx, GABLE_OK,
        gable_dgemm(ctx, GABLE_TRANS, GABLE_NO_TRANS, 1, 1, N, 1, x, N, x, N, 0, &product, 1));
    EXPECT(product == 55, "gemm %g", product);
}

int main(void)
{
    void *library = dlopen(PARTIAL_BLAS, RTLD_NOW | RTLD_LOCAL);
    calls = library != NULL ? (int *)dlsym(library, "partial_blas_calls") : NULL;
    if (!EXPECT(calls != NULL, "%s cannot be opened", PARTIAL_BLAS))
        return expect_summary("test_partial_blas");
    setenv("GABLE_BLAS", PARTIAL_BLAS, 1);
    unsetenv("GABLE_VARIANT");
    if (EXPECT(gable_open(&ctx, "cpu") == GABLE_OK, "%s", gable_message(ctx))) {
        test_has();
        test_calls();
    }
    gable_close(ctx);
    return expect_summary("test_partial_blas");
}

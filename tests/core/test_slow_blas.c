/* test_slow_blas.c: products leave a slow BLAS aside; what it is given where beta is 0.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include "blas/blas_speed.h"
#include "expect.h"
#include "gable/gable.h"

#define N    48
#define TINY 3

static gable_context *ctx;
static int *calls;
static double *beta;

#define PRODUCT(letter, T)                                                                         \
    static void letter##multiply(int n, const char *variant)                                       \
    {                                                                                              \
        static T A[N * N], B[N * N], C[N * N];                                                     \
        for (int i = 0; i < n * n; i++) {                                                          \
            A[i] = 1;                                                                              \
            B[i] = (T)(i / n);                                                                     \
            C[i] = (T)NAN;                                                                         \
        }                                                                                          \
        EXPECT_STATUS(ctx, GABLE_OK, gable_set_variant(ctx, variant));                             \
        EXPECT_STATUS(ctx, GABLE_OK,                                                               \
                      gable_##letter##gemm(ctx, GABLE_NO_TRANS, GABLE_NO_TRANS, n, n, n, 1, A, n,  \
                                           B, n, 0, C, n));                                        \
        EXPECT_STATUS(ctx, GABLE_OK, gable_set_variant(ctx, NULL));                                \
        int wrong = 0;                                                                             \
        for (int i = 0; i < n * n; i++)                                                            \
            wrong += !(C[i] == (T)(n * (i / n)));                                                  \
        EXPECT(wrong == 0, #letter "gemm of order %d: %d elements are wrong", n, wrong);           \
    }
PRODUCT(s, float)
PRODUCT(d, double)

static void test_choice(void)
{
    const gbl_blas_speed *speed = gbl_blas_speed_get();
    EXPECT(speed->slow, "the library takes %g us, own code %g, and it is not called slow",
           1e6 * speed->library, 1e6 * speed->own);
    int before = *calls;
    dmultiply(N, NULL);
    smultiply(N, NULL);
    EXPECT(*calls == before, "a slow library multiplied");
    before = *calls;
    dmultiply(TINY, NULL);
    EXPECT(*calls > before, "a tiny product was not left to the library");
}

static void test_beta(void)
{
    const int before = *calls;
    dmultiply(N, "gemm=blas");
    EXPECT(*calls > before && *beta == 0,
           "dgemm, which does not read C with beta = 0, is given beta = %g", *beta);
    smultiply(N, "gemm=blas");
    EXPECT(*beta == 1, "sgemm, which reads C with beta = 0, is given beta = %g", *beta);
}

int main(void)
{
    void *library = dlopen(NAIVE_BLAS, RTLD_NOW | RTLD_LOCAL);
    calls = library != NULL ? (int *)dlsym(library, "naive_blas_calls") : NULL;
    beta = library != NULL ? (double *)dlsym(library, "naive_blas_beta") : NULL;
    if (!EXPECT(calls != NULL && beta != NULL, "%s cannot be opened", NAIVE_BLAS))
        return expect_summary("test_slow_blas");
    setenv("GABLE_BLAS", NAIVE_BLAS, 1);
    unsetenv("GABLE_VARIANT");
    if (EXPECT(gable_open(&ctx, "cpu") == GABLE_OK, "%s", gable_message(ctx))) {
        test_choice();
        test_beta();
    }
    gable_close(ctx);
    return expect_summary("test_slow_blas");
}

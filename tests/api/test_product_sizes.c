/* test_product_sizes.c: products whose m, n and k stand in the device's memory.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Every variant of gemm that takes such calls, on the device in $GABLE_DEVICE: sizes from the most
 * that the call tells down to none, called and replayed from one recording while the sizes change.
 * Small integers: exact. NaN stand in A and B beyond the sizes, and C must stay there. Variants
 * that cannot do it must refuse.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "blas/level3/level3.h"
#include "core/context.h"
#include "harness/check.h"

enum { M = 70, N = 45, K = 100, LD = 103, BLOCK = LD * LD };
#define STAYS 17.0

static const int64_t some_sizes[][3] = {
    {M, N, K}, {M - 1, N - 3, K - 7}, {33, 16, 64}, {1, 2, 1}, {M, N, 0}, {0, N, K},
    {M, 0, K}, {64, 32, 17}};
#define CASES ((int)(sizeof some_sizes / sizeof some_sizes[0]))

static gable_context *ctx;
static void *A, *B, *C;
static int64_t *sizes;
static double host[2 * BLOCK], a[2 * BLOCK], b[2 * BLOCK];

static int reals_of(gbl_dtype dtype)
{
    return gbl_dtype_complex(dtype) ? 2 : 1;
}

/* A block of BLOCK elements from `host`, or into it. */
static void put(gbl_dtype dtype, void *to)
{
    static float narrow[2 * BLOCK];
    const bool single = gbl_dtype_real_bytes(dtype) == 4;
    for (int i = 0; single && i < reals_of(dtype) * BLOCK; i++)
        narrow[i] = (float)host[i];
    CHECK_OK(ctx, gable_set_vector(ctx, BLOCK, gbl_dtype_bytes(dtype),
                                   single ? (void *)narrow : (void *)host, 1, to, 1));
}

static void get(gbl_dtype dtype, const void *from)
{
    static float narrow[2 * BLOCK];
    const bool single = gbl_dtype_real_bytes(dtype) == 4;
    CHECK_OK(ctx, gable_get_vector(ctx, BLOCK, gbl_dtype_bytes(dtype), from, 1,
                                   single ? (void *)narrow : (void *)host, 1));
    for (int i = 0; single && i < reals_of(dtype) * BLOCK; i++)
        host[i] = (double)narrow[i];
}

/* A factor with numbers in the first rows and columns, NaN elsewhere; kept in `copy`. */
static void fill(gbl_dtype dtype, int64_t rows, int64_t columns, double *copy, void *to)
{
    const int reals = reals_of(dtype);
    for (int64_t j = 0; j < LD; j++)
        for (int64_t i = 0; i < LD; i++)
            for (int r = 0; r < reals; r++)
                host[(i + j * LD) * reals + r] =
                    i < rows && j < columns ? (double)((i * 3 + j * 5 + r) % 7 - 3) : NAN;
    memcpy(copy, host, sizeof host);
    put(dtype, to);
}

/* A real or imaginary part of the sum of element (i, j); op(A) is A, op(B) is turned where
 * `turned`. */
static double sum_of(int reals, bool turned, int64_t i, int64_t j, int64_t k, int part)
{
    double sum = 0;
    for (int64_t p = 0; p < k; p++) {
        const double *x = &a[(i + p * LD) * reals],
                     *y = &b[(turned ? j + p * LD : p + j * LD) * reals];
        if (reals == 1)
            sum += x[0] * y[0];
        else
            sum += part == 0 ? x[0] * y[0] - x[1] * y[1] : x[0] * y[1] + x[1] * y[0];
    }
    return sum;
}

static void prepare(gbl_dtype dtype, bool turned, const int64_t *is)
{
    fill(dtype, is[0], is[2], a, A);
    fill(dtype, turned ? is[1] : is[2], turned ? is[2] : is[1], b, B);
    for (int i = 0; i < 2 * BLOCK; i++)
        host[i] = STAYS;
    put(dtype, C);
    CHECK_OK(ctx, gable_set_vector(ctx, 3, 8, is, 1, sizes, 1));
}

/* C := 2 op(A) op(B) - C within the sizes. */
static void check(gbl_dtype dtype, bool turned, const int64_t *is)
{
    const int reals = reals_of(dtype);
    int wrong = 0;
    get(dtype, C);
    for (int64_t j = 0; j < LD; j++)
        for (int64_t i = 0; i < LD; i++)
            for (int r = 0; r < reals; r++) {
                const bool inside = i < is[0] && j < is[1];
                const double wanted =
                    inside ? 2 * sum_of(reals, turned, i, j, is[2], r) - STAYS : STAYS;
                wrong += !(host[(i + j * LD) * reals + r] == wanted);
            }
    CHECK(wrong == 0, "%d elements are wrong", wrong);
}

static gbl_product_call call_of(gbl_dtype dtype, bool turned)
{
    return (gbl_product_call){.dtype = dtype,
                              .trans = GABLE_NO_TRANS,
                              .trans_b = turned ? GABLE_TRANS : GABLE_NO_TRANS,
                              .m = M,
                              .n = N,
                              .k = K,
                              .lda = LD,
                              .ldb = LD,
                              .ldc = LD,
                              .A = A,
                              .B = B,
                              .C = C,
                              .sizes = sizes,
                              .alpha = {.re = 2},
                              .beta = {.re = -1}};
}

static void try_variant(const gbl_variant *variant, gbl_dtype dtype, bool turned)
{
    char choice[64];
    const gbl_product_call call = call_of(dtype, turned);
    gable_recording *recording = NULL;
    snprintf(choice, sizeof choice, "gemm=%s", variant->name);
    CHECK_OK(ctx, gable_set_variant(ctx, choice));
    for (int i = 0; i < CASES; i++) {
        const int64_t *is = some_sizes[i];
        test_case("%s %c, m %d, n %d, k %d", choice, gbl_dtype_letter(dtype), (int)is[0],
                  (int)is[1], (int)is[2]);
        prepare(dtype, turned, is);
        CHECK_OK(ctx, gbl_gemm(ctx, "gable_gemm", &call));
        check(dtype, turned, is);
    }
    CHECK_OK(ctx, gable_record_begin(ctx));
    CHECK_OK(ctx, gbl_gemm(ctx, "gable_gemm", &call));
    CHECK_OK(ctx, gable_record_end(ctx, &recording));
    for (int i = 0; i < CASES && recording != NULL; i++) {
        test_case("%s %c, replayed, case %d", choice, gbl_dtype_letter(dtype), i);
        prepare(dtype, turned, some_sizes[i]);
        CHECK_OK(ctx, gable_replay(ctx, recording));
        check(dtype, turned, some_sizes[i]);
    }
    gable_recording_destroy(recording);
}

int main(void)
{
    test_start("test_product_sizes");
    ctx = test_open();
    int taken = 0;
    CHECK_OK(ctx, gable_alloc(ctx, BLOCK * 16, &A));
    CHECK_OK(ctx, gable_alloc(ctx, BLOCK * 16, &B));
    CHECK_OK(ctx, gable_alloc(ctx, BLOCK * 16, &C));
    CHECK_OK(ctx, gable_alloc(ctx, 3 * sizeof *sizes, (void **)&sizes));
    for (int v = 0; v < gbl_gemm_op.variant_count; v++) {
        const gbl_variant *variant = &gbl_gemm_op.variants[v];
        for (int dtype = GBL_S; dtype <= GBL_Z; dtype++) {
            gbl_product_call call = call_of((gbl_dtype)dtype, dtype % 2 != 0);
            const bool fits = variant->fits(variant, &call, ctx->device);
            call.sizes = NULL;
            if (fits) {
                try_variant(variant, (gbl_dtype)dtype, dtype % 2 != 0);
                taken++;
            } else if (variant->fits(variant, &call, ctx->device)) {
                char choice[64];
                snprintf(choice, sizeof choice, "gemm=%s", variant->name);
                test_case("%s %c refuses", choice, gbl_dtype_letter((gbl_dtype)dtype));
                CHECK_OK(ctx, gable_set_variant(ctx, choice));
                call.sizes = sizes;
                CHECK_STATUS(ctx, gbl_gemm(ctx, "gable_gemm", &call), GABLE_NOT_SUPPORTED);
            }
        }
    }
    CHECK(taken >= 4, "%d variants take such calls, of all precisions together", taken);
    gable_free(ctx, A);
    gable_free(ctx, B);
    gable_free(ctx, C);
    gable_free(ctx, sizes);
    gable_close(ctx);
    return test_finish();
}

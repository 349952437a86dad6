/* test_math_error.c: products under GABLE_MATH_TF32X3 are no less accurate than plain ones in
 * single precision.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * For several distributions and numbers of terms: the errors of elements of a product of SIDE rows
 * and columns, which is large enough that no library divides the terms of an element among groups:
 * |C - exact| / (|A| |B|), in units of 2^-24, by the plain default, the vendor's library where
 * there is one, and the mode. Of each the median, the 99th percentile and the largest are printed
 * as a row of the table in docs/numerics.md. Under the mode none of the three may exceed that of
 * the plain default; with few terms the library sums plainly, and the table shows what tf32x3 would
 * give. The exact sums are made in double by plain loops.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "blas/level3/level3.h"
#include "harness/check.h"

#define SIDE     2048
#define ROWS     256 /* of C that are looked at: every eighth, from the first on ... */
#define COLUMNS  256 /* ... and so many columns */
#define APART    (SIDE / ROWS)
#define ELEMENTS (ROWS * COLUMNS)
#define TERMS    4096 /* the most */
#define UNIT     0x1p-24

/* ---- Data ---- */

static uint64_t state;

/* In [0, 1): splitmix64. */
static double uniform(void)
{
    uint64_t x = state += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return (double)((x ^ x >> 31) >> 11) * 0x1p-53;
}

static double symmetric(void)
{
    return 2 * uniform() - 1;
}

static double normal(void)
{
    return sqrt(-2 * log(1 - uniform())) * cos(6.283185307179586 * uniform());
}

/* Magnitudes over 6 decades, products over 12. */
static double wide(void)
{
    return (uniform() < 0.5 ? -1 : 1) * exp2(20 * uniform() - 10);
}

static const struct distribution {
    const char *name;
    double (*draw)(void);
    bool scaled; /* each row of A and column of B by a power of two of its own */
} distributions[] = {
    {"uniform (-1, 1)", symmetric, false},
    {"uniform (0, 1)", uniform, false},
    {"normal", normal, false},
    {"2^(-10 to 10), both signs", wide, false},
    {"rows scaled by 2^(-20 to 20)", symmetric, true},
};

static float A[SIDE * TERMS], B[TERMS * SIDE], C[SIDE * SIDE];
static double exact[ELEMENTS], size[ELEMENTS], errors[ELEMENTS];

static void draw(const struct distribution *of, int k)
{
    for (int p = 0; p < k; p++)
        for (int i = 0; i < SIDE; i++)
            A[i + p * SIDE] =
                (float)ldexp(of->draw(), of->scaled ? (int)((i * 2654435761u >> 7) % 41) - 20 : 0);
    for (int j = 0; j < SIDE; j++)
        for (int p = 0; p < k; p++)
            B[p + j * k] =
                (float)ldexp(of->draw(), of->scaled ? (int)((j * 2246822519u >> 7) % 41) - 20 : 0);
}

static void sum_exactly(int k)
{
    memset(exact, 0, sizeof exact);
    memset(size, 0, sizeof size);
    for (int j = 0; j < COLUMNS; j++)
        for (int p = 0; p < k; p++) {
            const double b = B[p + j * APART * k];
            double *const sum = &exact[j * ROWS], *const moduli = &size[j * ROWS];
            for (int i = 0; i < ROWS; i++) {
                const double term = A[i * APART + p * SIDE] * b;
                sum[i] += term;
                moduli[i] += fabs(term);
            }
        }
}

/* ---- Errors ---- */

typedef struct quantiles {
    double median, most99, largest;
} quantiles;

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* A result that is not finite has the largest error of all. */
static quantiles errors_of(void)
{
    for (int i = 0; i < ELEMENTS; i++) {
        const float is = C[i % ROWS * APART + i / ROWS * APART * SIDE];
        const double error = fabs(is - exact[i]) / size[i] / UNIT;
        errors[i] = error < 1e30 ? error : 1e30;
    }
    qsort(errors, ELEMENTS, sizeof errors[0], by_size);
    return (quantiles){errors[ELEMENTS / 2], errors[ELEMENTS / 100 * 99], errors[ELEMENTS - 1]};
}

static bool multiply(gable_context *ctx, void *const at[3], int k, quantiles *found)
{
    memset(C, 0xff, sizeof C);
    if (!CHECK_OK(ctx, gable_set_matrix(ctx, SIDE, SIDE, sizeof(float), C, SIDE, at[2], SIDE)) ||
        !CHECK_OK(ctx, gable_sgemm(ctx, GABLE_NO_TRANS, GABLE_NO_TRANS, SIDE, SIDE, k, 1, at[0],
                                   SIDE, at[1], k, 0, at[2], SIDE)) ||
        !CHECK_OK(ctx, gable_get_matrix(ctx, SIDE, SIDE, sizeof(float), at[2], SIDE, C, SIDE)))
        return false;
    *found = errors_of();
    return true;
}

static void print_row(const char *distribution, int k, const char *way, quantiles q)
{
    printf("| %s | %d | %s | %.2f | %.2f | %.2f |\n", distribution, k, way, q.median, q.most99,
           q.largest);
}

static const gbl_variant *find_variant(const char *name)
{
    for (int i = 0; i < gbl_gemm_op.variant_count; i++)
        if (strcmp(gbl_gemm_op.variants[i].name, name) == 0)
            return &gbl_gemm_op.variants[i];
    return NULL;
}

static gbl_product_call call_of(void *const at[3], int k, gable_math math)
{
    return (gbl_product_call){.dtype = GBL_S,
                              .trans = GABLE_NO_TRANS,
                              .trans_b = GABLE_NO_TRANS,
                              .math = (uint8_t)math,
                              .m = SIDE,
                              .n = SIDE,
                              .k = k,
                              .lda = SIDE,
                              .ldb = k,
                              .ldc = SIDE,
                              .A = at[0],
                              .B = at[1],
                              .C = at[2],
                              .alpha = {.re = 1}};
}

static bool fits(const gable_context *ctx, const char *name, gable_math math)
{
    static void *const nowhere[3] = {NULL, NULL, NULL};
    const gbl_variant *variant = find_variant(name);
    const gbl_product_call call = call_of(nowhere, 64, math);
    return variant != NULL && variant->fits(variant, &call, ctx->device);
}

/* From so many terms on the mode must be made use of, or nothing is tested. */
#define USED_FROM 128
static void check_used(gable_context *ctx, void *const at[3], int k)
{
    const gbl_product_call call = call_of(at, k, GABLE_MATH_TF32X3);
    gbl_choice choice = {.variant = NULL};
    CHECK_OK(ctx, gbl_op_choose(ctx, &gbl_gemm_op, &call, &choice));
    CHECK(k < USED_FROM || (choice.variant != NULL && strcmp(choice.variant->name, "tf32x3") == 0),
          "under the mode %s runs", choice.variant != NULL ? choice.variant->name : "nothing");
}

static void compare(gable_context *ctx, void *const at[3], const struct distribution *of, int k)
{
    quantiles plain = {0, 0, 0}, vendor = {0, 0, 0}, mode = {0, 0, 0};
    test_case("%s, %d terms", of->name, k);
    state = (uint64_t)k * 1000 + (uint64_t)(of - distributions);
    draw(of, k);
    sum_exactly(k);
    if (!CHECK_OK(ctx, gable_set_matrix(ctx, SIDE, k, sizeof(float), A, SIDE, at[0], SIDE)) ||
        !CHECK_OK(ctx, gable_set_matrix(ctx, k, SIDE, sizeof(float), B, k, at[1], k)) ||
        !multiply(ctx, at, k, &plain))
        return;
    print_row(of->name, k, "plain", plain);
    if (fits(ctx, "vendor", GABLE_MATH_PLAIN)) {
        CHECK_OK(ctx, gable_set_variant(ctx, "gemm=vendor"));
        if (multiply(ctx, at, k, &vendor))
            print_row(of->name, k, "vendor", vendor);
        CHECK_OK(ctx, gable_set_variant(ctx, NULL));
    }
    CHECK_OK(ctx, gable_set_math(ctx, GABLE_MATH_TF32X3));
    check_used(ctx, at, k);
    if (multiply(ctx, at, k, &mode))
        CHECK(mode.median <= plain.median && mode.most99 <= plain.most99 &&
                  mode.largest <= plain.largest,
              "errors under the mode are %g, %g, %g; plain ones %g, %g, %g", mode.median,
              mode.most99, mode.largest, plain.median, plain.most99, plain.largest);
    CHECK_OK(ctx, gable_set_variant(ctx, "gemm=tf32x3"));
    if (multiply(ctx, at, k, &mode))
        print_row(of->name, k, "tf32x3", mode);
    CHECK_OK(ctx, gable_set_variant(ctx, NULL));
    CHECK_OK(ctx, gable_set_math(ctx, GABLE_MATH_PLAIN));
}

int main(void)
{
    static const int terms[] = {64, 256, 1024, TERMS};
    test_start("test_math_error");
    gable_context *ctx = test_open();
    void *at[3] = {NULL, NULL, NULL};
    if (!fits(ctx, "tf32x3", GABLE_MATH_TF32X3)) {
        const char *name = test_device();
        gable_close(ctx);
        test_skip("tf32x3", "%s has no matrix units for TF32X3", name);
    }
    CHECK_OK(ctx, gable_alloc(ctx, sizeof A, &at[0]));
    CHECK_OK(ctx, gable_alloc(ctx, sizeof B, &at[1]));
    CHECK_OK(ctx, gable_alloc(ctx, sizeof C, &at[2]));
    printf("| data | k | by | median | 99 %% | largest |\n| --- | --- | --- | --- | --- | --- |\n");
    for (size_t d = 0; d < sizeof distributions / sizeof distributions[0]; d++)
        for (size_t t = 0; t < sizeof terms / sizeof terms[0]; t++)
            compare(ctx, at, &distributions[d], terms[t]);
    for (int i = 0; i < 3; i++)
        CHECK_OK(ctx, gable_free(ctx, at[i]));
    gable_close(ctx);
    return test_finish();
}

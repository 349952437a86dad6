/* test_gemm_tf32.c: kernels/sm90/gemm_tf32.cu and its plan, run as plain C: layouts, splits,
 * mbarriers, edges.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Small integers must give exact results. Random numbers must stay within what the split and the
 * sums allow, which is far below what a lost part of a product makes (2^-12). Long sums of positive
 * numbers show whether they were truncated. The fake device has 4 units, so groups take several
 * tiles. Mutants of the kernel must be wrong in some call.
 * With an argument, a number of a mutant or 0, only some calls of that kernel: for the thread
 * sanitizer.
 */
#include <math.h>
#include <stdlib.h>
#include "blas/gemm/gemm_tf32.h"
#include "blas/level3/level3.h"
#include "core/context.h"
#include "expect.h"
#include "fake_device.h"
#include "hopper_mutants.h"

#define M       200
#define N       190
#define K       70
#define LD      268 /* a multiple of 4, above all sizes */
#define BOUND   (8 * 0x1p-24)
#define COLUMNS 268
#define ODD_LD  71 /* columns of factors that TMA tiles cannot bring */

static gable_context *ctx;
static float *A, *B, *C;
static float before[LD * COLUMNS];
static int64_t factor_ld = LD;
static const char *problem; /* what the scene is called */
static int wrong_calls;     /* of a mutant */

/* ---- Elements -------------------------------------------------------------------------------- */

static unsigned state = 12345;

/* Small integers, numbers between -1 and 1, or between 0 and 2. */
typedef enum numbers { WHOLE, SIGNED, POSITIVE } numbers;

static double random_number(numbers kind)
{
    state = state * 1664525u + 1013904223u;
    const int bits = (int)(state >> 8);
    return kind == WHOLE ? bits % 9 - 4 : (double)bits / (1 << 23) - (kind == SIGNED);
}

static void fill(numbers kind)
{
    for (int i = 0; i < LD * COLUMNS; i++) {
        A[i] = (float)random_number(kind);
        B[i] = (float)random_number(kind);
        C[i] = (float)random_number(kind);
    }
}

static double stored(const float *X, bool transposed, int64_t i, int64_t j)
{
    return X[transposed ? j + i * factor_ld : i + j * factor_ld];
}

/* op(A)(i, p) and op(B)(p, j) as they count; not a number where they do not. */
static double left(const gbl_product_call *call, const float *X, int64_t i, int64_t p)
{
    if (call->triangular == GBL_A_LOWER ? p > i : call->triangular == GBL_A_UPPER && p < i)
        return NAN;
    if (call->diag == GABLE_UNIT && p == i &&
        (call->triangular == GBL_A_LOWER || call->triangular == GBL_A_UPPER))
        return 1;
    return stored(X, call->trans != GABLE_NO_TRANS, i, p);
}

static double right(const gbl_product_call *call, const float *X, int64_t p, int64_t j)
{
    if (call->triangular == GBL_B_LOWER ? p < j : call->triangular == GBL_B_UPPER && p > j)
        return NAN;
    if (call->diag == GABLE_UNIT && p == j &&
        (call->triangular == GBL_B_LOWER || call->triangular == GBL_B_UPPER))
        return 1;
    return stored(X, call->trans_b != GABLE_NO_TRANS, p, j);
}

static bool counts(const gbl_product_call *call, int64_t i, int64_t j, int64_t p)
{
    return !(call->triangular == GBL_A_LOWER   ? p > i
             : call->triangular == GBL_A_UPPER ? p < i
             : call->triangular == GBL_B_LOWER ? p < j
                                               : call->triangular == GBL_B_UPPER && p > j);
}

/* The sum of an element, and of the moduli of its terms. */
static double sum_of(const gbl_product_call *call, int64_t i, int64_t j, double *size)
{
    double sum = 0;
    *size = 0;
    for (int64_t p = 0; p < call->k; p++) {
        if (!counts(call, i, j, p))
            continue;
        double term = left(call, A, i, p) * right(call, B, p, j);
        sum += term;
        *size += fabs(term);
        if (call->two_products) { /* op' turns where op does not, so factors are stored as before */
            term = left(call, B, i, p) * right(call, A, p, j);
            sum += term;
            *size += fabs(term);
        }
    }
    return sum;
}

/* ---- One call -------------------------------------------------------------------------------- */

static bool is_wanted(const gbl_product_call *call, int64_t i, int64_t j)
{
    return i < call->m && j < call->n &&
           (call->triangle_c == GBL_ALL || (call->triangle_c == GBL_UPPER_ONLY ? i <= j : i >= j));
}

static void check_element(const gbl_product_call *call, int64_t i, int64_t j, double bound,
                          int *wrong)
{
    const float now = C[i + j * LD], old = before[i + j * LD];
    double size = 0;
    if (!is_wanted(call, i, j)) {
        *wrong += !(now == old);
        return;
    }
    const double want =
        call->alpha.re * sum_of(call, i, j, &size) + (call->beta.re != 0 ? call->beta.re * old : 0);
    size = fabs(call->alpha.re) * size + (call->beta.re != 0 ? fabs(call->beta.re * old) : 0);
    const bool good = isnan(want) ? isnan(now) : fabs(now - want) <= bound * size;
    if (!good && *wrong == 0 && fake_mutant == 0)
        EXPECT(false, "%s: C(%d, %d) is %.9g, not %.9g", problem, (int)i, (int)j, (double)now,
               want);
    *wrong += !good;
}

/* Whether the mutant's kernel computes the call. */
static bool is_mutants(const gbl_product_call *call)
{
    char number[32], form[128], two_products[24];
    const fake_kernel *kernel = fake_kernels;
    snprintf(number, sizeof number, "MUTANT=%d", fake_mutant);
    snprintf(form, sizeof form,
             "TRANS_A=%d TRANS_B=%d TRIANGLE_C=%d REAL_DIAGONAL=0 TRIANGULAR=%d UNIT=%d",
             call->trans != GABLE_NO_TRANS, call->trans_b != GABLE_NO_TRANS, call->triangle_c,
             call->triangular, call->triangular != GBL_NOT_TRIANGULAR && call->diag == GABLE_UNIT);
    snprintf(two_products, sizeof two_products, "TWO_PRODUCTS=%d", call->two_products);
    while (kernel->stem != NULL && (strstr(kernel->macros, number) == NULL ||
                                    strlen(strstr(kernel->macros, number)) != strlen(number)))
        kernel++;
    return kernel->stem != NULL && strstr(kernel->macros, form) != NULL &&
           strstr(kernel->macros, two_products) != NULL;
}

static void run(const gbl_product_call *given, double bound)
{
    gbl_product_call call = *given;
    int wrong = 0;
    if (fake_mutant > 0 && (wrong_calls > 0 || !is_mutants(given)))
        return; /* it is seen, or would not be */
    call.dtype = GBL_S;
    call.math = GABLE_MATH_TF32X3;
    call.A = A;
    call.B = B;
    call.C = C;
    call.lda = call.ldb = factor_ld;
    call.ldc = LD;
    for (int64_t e = 0; e < LD * COLUMNS && call.beta.re == 0; e++)
        if (is_wanted(&call, e % LD, e / LD))
            C[e] = NAN; /* what must not be read */
    memcpy(before, C, sizeof before);
    EXPECT_STATUS(ctx, GABLE_OK, gbl_gemm(ctx, "test_gemm_tf32", &call));
    EXPECT_STATUS(ctx, GABLE_OK, gable_sync(ctx));
    for (int64_t j = 0; j < COLUMNS; j++)
        for (int64_t i = 0; i < LD; i++)
            check_element(&call, i, j, bound, &wrong);
    wrong_calls += wrong > 0 || fake_faults() > 0;
    if (fake_mutant > 0)
        return;
    EXPECT(wrong == 0, "%s: %d elements are wrong", problem, wrong);
    EXPECT(fake_faults() == 0, "%s: %s", problem, fake_first_fault());
}

static void run_both(gbl_product_call call, const char *name)
{
    problem = name;
    for (numbers kind = WHOLE; kind <= POSITIVE; kind++) {
        fill(kind);
        run(&call, kind == WHOLE ? 0 : BOUND);
    }
}

static void force(const char *choice)
{
    EXPECT_STATUS(ctx, GABLE_OK, gable_set_variant(ctx, choice));
}

/* ---- Scenes ---------------------------------------------------------------------------------- */

static const gable_trans turns[] = {GABLE_NO_TRANS, GABLE_TRANS};

static void test_products(void)
{
    static const int64_t sizes[][3] = {
        {M, N, K}, {128, 64, 32}, {1, 1, 1}, {129, 65, 33}, {3, 130, 5}};
    char name[96];
    for (int t = 0; t < 4; t++)
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
            snprintf(name, sizeof name, "%c%c %dx%dx%d", "NT"[t / 2], "NT"[t % 2], (int)sizes[s][0],
                     (int)sizes[s][1], (int)sizes[s][2]);
            run_both((gbl_product_call){.trans = turns[t / 2],
                                        .trans_b = turns[t % 2],
                                        .m = sizes[s][0],
                                        .n = sizes[s][1],
                                        .k = sizes[s][2],
                                        .alpha = {.re = s % 2 ? 1 : -2},
                                        .beta = {.re = s % 3 ? 0 : 3}},
                     name);
        }
}

static void test_parts(void)
{
    char name[96];
    for (int triangle_c = GBL_UPPER_ONLY; triangle_c <= GBL_LOWER_ONLY; triangle_c++)
        for (int two_products = 0; two_products < 2; two_products++)
            for (int transposed = 0; transposed < 2; transposed++) {
                snprintf(name, sizeof name, "part %d, twice %d, transposed %d", triangle_c,
                         two_products, transposed);
                run_both((gbl_product_call){.trans = turns[transposed],
                                            .trans_b = turns[!transposed],
                                            .triangle_c = (uint8_t)triangle_c,
                                            .two_products = (uint8_t)two_products,
                                            .m = N,
                                            .n = N,
                                            .k = 40,
                                            .alpha = {.re = 1},
                                            .beta = {.re = 1}},
                         name);
            }
}

/* Beyond the triangle nothing counts, whatever stands there and in the other factor. */
static void test_zeros(void)
{
    enum { ORDER = 140 };
    char name[96];
    for (int triangular = GBL_A_LOWER; triangular <= GBL_B_UPPER; triangular++)
        for (int t = 0; t < 4; t++) {
            const bool of_a = triangular <= GBL_A_UPPER;
            const gbl_product_call call = {.trans = turns[t / 2],
                                           .trans_b = turns[t % 2],
                                           .triangular = (uint8_t)triangular,
                                           .diag = t % 3 ? GABLE_UNIT : GABLE_NON_UNIT,
                                           .m = ORDER,
                                           .n = ORDER,
                                           .k = ORDER,
                                           .alpha = {.re = 1}};
            snprintf(name, sizeof name, "zeros %d, %c%c", triangular, "NT"[t / 2], "NT"[t % 2]);
            run_both(call, name);
            fill(WHOLE);
            float *const triangle = of_a ? A : B, *const other = of_a ? B : A;
            const bool transposed = t / (of_a ? 2 : 1) % 2,
                       other_transposed = t / (of_a ? 1 : 2) % 2;
            const bool lower = triangular == GBL_A_LOWER || triangular == GBL_B_LOWER;
            for (int i = 0; i < ORDER; i++)
                for (int j = 0; j < ORDER; j++)
                    if (lower ? j > i : j < i)
                        triangle[transposed ? j + i * LD : i + j * LD] = NAN;
            /* A term that half of the tiles need, and one that all but one element leave out. */
            for (int j = 0; j < ORDER; j += 70) {
                const int p = (lower == of_a) ? ORDER - 1 : 0;
                other[(of_a == !other_transposed) ? p + j * LD : j + p * LD] = NAN;
            }
            run(&call, 0);
        }
}

/* Not a number in a factor must show. */
static void test_nan(void)
{
    static const uint32_t words[] = {0x7fffffffu, 0x7fc00000u, 0xffffffffu, 0x7f800001u};
    const gbl_product_call call = {.trans = GABLE_NO_TRANS,
                                   .trans_b = GABLE_NO_TRANS,
                                   .m = 128,
                                   .n = 64,
                                   .k = 32,
                                   .alpha = {.re = 1}};
    problem = "NaN";
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        fill(WHOLE);
        memcpy(&A[5 + 7 * LD], &words[i], sizeof words[i]);
        memcpy(&B[9 + 3 * LD], &words[i], sizeof words[i]);
        run(&call, 0);
    }
}

/* Groups stay on the units that are not left free; where none would be, on one. C has 6 tiles. */
static void test_leave(void)
{
    for (int reserved_units = 1; reserved_units <= 5; reserved_units += 2) {
        run_both((gbl_product_call){.trans = GABLE_NO_TRANS,
                                    .trans_b = GABLE_NO_TRANS,
                                    .reserved_units = (uint8_t)reserved_units,
                                    .m = M,
                                    .n = N,
                                    .k = K,
                                    .alpha = {.re = 1}},
                 "units left free");
        const int units = ctx->device->props.units - reserved_units, most = units > 1 ? units : 1;
        const int64_t groups = fake_last_launch().groups;
        EXPECT(fake_mutant > 0 || groups == most, "%d units left free: %lld groups, not %d",
               reserved_units, (long long)groups, most);
    }
}

/* Both factors are one matrix, of which they have different numbers of columns, or the same: then
 * it is copied once. */
static void test_one_matrix(void)
{
    static const int64_t sizes[][3] = {{K, 130, K}, {K, 66, K}, {K, K, K}};
    float *const other = B;
    if (fake_mutant > 0)
        return; /* they are seen without */
    factor_ld = ODD_LD;
    B = A;
    for (int transposed = 0; transposed < 2; transposed++)
        for (int s = 0; s < 3; s++) {
            const bool alike = sizes[s][1] == K;
            const long launches = fake_calls(FAKE_LAUNCH);
            run_both((gbl_product_call){.trans = turns[transposed],
                                        .trans_b = GABLE_NO_TRANS,
                                        .m = sizes[s][0],
                                        .n = sizes[s][1],
                                        .k = sizes[s][2],
                                        .alpha = {.re = 1}},
                     alike ? "A is B" : "A has other columns than B");
            EXPECT(fake_calls(FAKE_LAUNCH) - launches == (alike ? 6 : 9),
                   "%ld launches for three products of one matrix, n %d",
                   fake_calls(FAKE_LAUNCH) - launches, (int)sizes[s][1]);
        }
    B = other;
    factor_ld = LD;
}

/* Copies of large factors are not made: the mode is then a permission that is not used. */
static void test_large_copies(void)
{
    const gbl_variant *variant = gbl_gemm_op.variants;
    const gbl_product_call call = {.dtype = GBL_S,
                                   .trans = GABLE_NO_TRANS,
                                   .trans_b = GABLE_NO_TRANS,
                                   .math = GABLE_MATH_TF32X3,
                                   .m = 1000,
                                   .n = 1000,
                                   .k = 1000,
                                   .A = A,
                                   .B = B,
                                   .C = C,
                                   .lda = 1001,
                                   .ldb = 1001,
                                   .ldc = 1001,
                                   .alpha = {.re = 1}};
    if (fake_mutant > 0)
        return; /* no kernel runs */
    gbl_product_call whole = call;
    const gbl_device *device = ctx->device;
    size_t *const memory = &ctx->device->props.memory_bytes, kept = *memory;
    while (strcmp(variant->name, "tf32x3") != 0)
        variant++;
    whole.lda = whole.ldb = 1004;
    ctx->math = GABLE_MATH_TF32X3;
    *memory = (size_t)80 << 20; /* the copies take 8 MB */
    EXPECT(variant->fits(variant, &call, device), "copies of a tenth of the memory do not fit");
    *memory = (size_t)40 << 20;
    EXPECT(!variant->fits(variant, &call, device), "copies of a fifth of the memory fit");
    EXPECT(gbl_gemm_permitted(ctx, variant, &call).math == GABLE_MATH_PLAIN,
           "TF32X3 is taken where copies have no room");
    EXPECT(variant->fits(variant, &whole, device), "factors that are not copied do not fit");
    ctx->math = GABLE_MATH_PLAIN;
    *memory = kept;
}

/* ---- All scenes ------------------------------------------------------------------------------ */

static void test_long_sums(void)
{
    run_both((gbl_product_call){.trans = GABLE_NO_TRANS,
                                .trans_b = GABLE_NO_TRANS,
                                .m = 130,
                                .n = 70,
                                .k = 260,
                                .alpha = {.re = 1}},
             "k 260");
}

static void run_scenes(void)
{
    force("transpose=stream:items=32:wx=1:vec=1:unroll=1:groups=1");
    force("gemm=tf32x3:columns=64:stages=3:raster=4:stays=0");
    test_products();
    test_one_matrix();
    test_large_copies();
    test_long_sums();
    test_parts();
    test_zeros();
    test_nan();
    test_leave();
    force("gemm=tf32x3:columns=64:stages=3:raster=4:stays=1");
    test_long_sums();
    force("gemm=tf32x3:columns=128:stages=4:raster=8:stays=0");
    run_both((gbl_product_call){.trans = GABLE_NO_TRANS,
                                .trans_b = GABLE_TRANS,
                                .m = M,
                                .n = N,
                                .k = K,
                                .alpha = {.re = 1},
                                .beta = {.re = 1}},
             "128 columns");
}

/* A device of its own, which has compiled nothing: then it takes the kernel of a mutant. */
static void run_mutant(int number, void (*scenes)(void))
{
    const fake_settings settings = {.hopper = true, .is_gpu = true};
    fake_mutant = number;
    wrong_calls = 0;
    fake_install(&settings);
    if (gable_open(&ctx, "fake") == GABLE_OK &&
        gable_alloc(ctx, sizeof before, (void **)&A) == GABLE_OK &&
        gable_alloc(ctx, sizeof before, (void **)&B) == GABLE_OK &&
        gable_alloc(ctx, sizeof before, (void **)&C) == GABLE_OK) {
        scenes();
        gable_free(ctx, A);
        gable_free(ctx, B);
        gable_free(ctx, C);
    } else {
        EXPECT(false, "%s", gable_message(ctx));
    }
    gable_close(ctx);
    fake_remove();
}

/* The first step of a pipeline, all of it and more. */
static void few_scenes(void)
{
    force("gemm=tf32x3:columns=64:stages=3:raster=4:stays=0");
    test_long_sums();
}

static void lanes_scene(void)
{
    force("gemm=tf32x3:columns=64:stages=4:raster=4:stays=0");
    run_both((gbl_product_call){.trans = GABLE_NO_TRANS,
                                .trans_b = GABLE_TRANS,
                                .m = 130,
                                .n = 70,
                                .k = 260,
                                .alpha = {.re = 1}},
             "lanes");
}

/* GABLE_DEBUG=lanes asks for the kernel in which all lanes arrive: with so many stages there is no
 * other here. */
static void run_lanes(void)
{
    setenv("GABLE_DEBUG", "lanes", 1);
    run_mutant(0, lanes_scene);
    unsetenv("GABLE_DEBUG");
}

int main(int count, char **arguments)
{
    if (count > 1) {
        if (atoi(arguments[1]) == 0)
            run_lanes();
        run_mutant(atoi(arguments[1]), few_scenes);
        return expect_summary("test_gemm_tf32");
    }
    run_mutant(0, run_scenes);
    run_lanes();
    for (int i = 0; tf32_mutants[i].name != NULL; i++) {
        if (strcmp(tf32_mutants[i].caught, "result") != 0)
            continue;
        run_mutant(i + 1, run_scenes);
        EXPECT(wrong_calls > 0, "mutant \"%s\" is not seen", tf32_mutants[i].name);
    }
    return expect_summary("test_gemm_tf32");
}

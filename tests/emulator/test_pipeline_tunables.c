/* test_pipeline_tunables.c: products by pipelines of stages with tunables drawn from all that are
 * legal, on the emulated device.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *   test_pipeline_tunables [LETTERS [COUNT]]
 *
 * `gable tune` tries all of them: none may hang, and all have to be right. Elements are small
 * integers, so every sum is exact. COUNT sets for each precision of LETTERS.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "blas/gemm/gemm_pipeline.h"
#include "harness/check.h"
#include "harness/data.h"
#include "tune/space.h"

#define COUNT 6

static gable_context *ctx;
static const gbl_variant *pipeline;

/* Sizes around the edges of tiles and stages; columns that start on 16 bytes and others. */
static const struct {
    int64_t m, n, k;
    const char *trans;
} cases[] = {{97, 70, 203, "NN"}, {128, 64, 256, "TN"}, {66, 130, 331, "TT"}, {130, 33, 96, "NT"}};
#define CASES ((int)(sizeof cases / sizeof cases[0]))

typedef struct matrix {
    int64_t rows, columns;
    double *at; /* pairs of (re, im) */
    void *device;
    uint64_t seed;
} matrix;

static int reals_of(gbl_dtype dtype)
{
    return gbl_dtype_complex(dtype) ? 2 : 1;
}

static void put(gbl_dtype dtype, void *to, int64_t i, double value)
{
    if (gbl_dtype_real_bytes(dtype) == 4)
        ((float *)to)[i] = (float)value;
    else
        ((double *)to)[i] = value;
}

static double got(gbl_dtype dtype, const void *from, int64_t i)
{
    return gbl_dtype_real_bytes(dtype) == 4 ? (double)((const float *)from)[i]
                                            : ((const double *)from)[i];
}

static bool make(gbl_dtype dtype, matrix *A)
{
    const int64_t count = A->rows * A->columns, reals = reals_of(dtype);
    const size_t real = gbl_dtype_real_bytes(dtype);
    void *stored = calloc((size_t)(count * reals), real);
    A->at = calloc((size_t)(2 * count), sizeof *A->at);
    bool made = stored != NULL && A->at != NULL &&
                CHECK_OK(ctx, gable_alloc(ctx, (size_t)(count * reals) * real, &A->device));
    for (int64_t i = 0; made && i < count; i++)
        for (int64_t r = 0; r < reals; r++) {
            A->at[2 * i + r] = data_integer(A->seed, (uint64_t)(2 * i + r), 3);
            put(dtype, stored, i * reals + r, A->at[2 * i + r]);
        }
    made =
        made && CHECK_OK(ctx, gable_set_vector(ctx, count * reals, real, stored, 1, A->device, 1));
    free(stored);
    return made;
}

static void drop(matrix *A)
{
    free(A->at);
    if (A->device != NULL)
        CHECK_OK(ctx, gable_free(ctx, A->device));
}

/* C holds the right result in `at`. */
static void multiply(const matrix *A, const matrix *B, const char *trans, matrix *C, int64_t k)
{
    for (int64_t j = 0; j < C->columns; j++)
        for (int64_t i = 0; i < C->rows; i++) {
            double re = 0, im = 0;
            for (int64_t l = 0; l < k; l++) {
                const double *a = A->at + 2 * (trans[0] == 'N' ? i + l * A->rows : l + i * A->rows),
                             *b = B->at + 2 * (trans[1] == 'N' ? l + j * B->rows : j + l * B->rows);
                re += a[0] * b[0] - a[1] * b[1];
                im += a[0] * b[1] + a[1] * b[0];
            }
            C->at[2 * (i + j * C->rows)] = re;
            C->at[2 * (i + j * C->rows) + 1] = im;
        }
}

static void check_result(gbl_dtype dtype, const matrix *C)
{
    const int64_t count = C->rows * C->columns, reals = reals_of(dtype);
    const size_t real = gbl_dtype_real_bytes(dtype);
    void *result = calloc((size_t)(count * reals), real);
    long wrong = 0;
    if (result != NULL &&
        CHECK_OK(ctx, gable_get_vector(ctx, count * reals, real, C->device, 1, result, 1)))
        for (int64_t i = 0; i < count * reals; i++)
            wrong += got(dtype, result, i) != C->at[2 * (i / reals) + i % reals];
    CHECK(wrong == 0, "%ld elements are wrong", wrong);
    free(result);
}

static bool is_pipeline(void *user, const gbl_variant *variant)
{
    (void)user;
    return variant == pipeline;
}

static void run(const gbl_product_call *call, const gbl_choice *choice, const matrix *C)
{
    char text[256] = "gemm=pipeline";
    for (int p = 0; p < pipeline->space_count; p++) {
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, ":%s=%d", pipeline->space[p].name,
                 (int)choice->params.value[p]);
    }
    test_case("%c %d x %d x %d %s", gbl_dtype_letter(call->dtype), (int)call->m, (int)call->n,
              (int)call->k, text);
    /* What was there before is not the result. */
    CHECK_OK(ctx, gable_fill_bytes(ctx, C->device, 0xff,
                                   (size_t)(C->rows * C->columns) * gbl_dtype_bytes(call->dtype)));
    CHECK_OK(ctx, gable_set_variant(ctx, text));
    if (CHECK_OK(ctx, gbl_gemm(ctx, "gemm", call)) && CHECK_OK(ctx, gable_sync(ctx)))
        check_result(call->dtype, C);
    CHECK_OK(ctx, gable_set_variant(ctx, NULL));
}

static void check_case(gbl_dtype dtype, int which, int count)
{
    const char *trans = cases[which].trans;
    const int64_t m = cases[which].m, n = cases[which].n, k = cases[which].k;
    const bool turned_a = trans[0] != 'N', turned_b = trans[1] != 'N';
    const gbl_space_filter filter = {.variant = is_pipeline};
    matrix A = {.rows = turned_a ? k : m, .columns = turned_a ? m : k, .seed = 1},
           B = {.rows = turned_b ? n : k, .columns = turned_b ? k : n, .seed = 2},
           C = {.rows = m, .columns = n, .seed = 3};
    if (make(dtype, &A) && make(dtype, &B) && make(dtype, &C)) {
        const gbl_product_call call = {.dtype = dtype,
                                       .trans = turned_a ? GABLE_TRANS : GABLE_NO_TRANS,
                                       .trans_b = turned_b ? GABLE_TRANS : GABLE_NO_TRANS,
                                       .m = m,
                                       .n = n,
                                       .k = k,
                                       .A = A.device,
                                       .lda = A.rows,
                                       .B = B.device,
                                       .ldb = B.rows,
                                       .C = C.device,
                                       .ldc = m,
                                       .alpha = {.re = 1}};
        gbl_space space;
        multiply(&A, &B, trans, &C, k);
        const bool room = gbl_space_make(&space, &gbl_gemm_op, &call, ctx->device, &filter);
        CHECK(room && space.count > 10, "there are no points");
        for (int i = 0; room && space.count > 0 && i < count; i++) {
            const uint64_t bits = data_bits((uint64_t)dtype, (uint64_t)(100 * i + which));
            run(&call, &space.points[bits % (uint64_t)space.count].choice, &C);
        }
        if (room)
            gbl_space_free(&space);
    }
    drop(&A);
    drop(&B);
    drop(&C);
}

int main(int words, char **word)
{
    static const char letters[] = "sdcz";
    const char *asked = words > 1 ? word[1] : "dz";
    const int count = words > 2 ? atoi(word[2]) : COUNT;
    test_start("test_pipeline_tunables");
    ctx = test_open();
    pipeline = gbl_variant_find(&gbl_gemm_op, "pipeline");
    CHECK(pipeline != NULL, "gemm has no variant pipeline");
    for (int i = 0; pipeline != NULL && letters[i] != '\0'; i++)
        for (int which = 0; strchr(asked, letters[i]) != NULL && which < CASES; which++)
            check_case((gbl_dtype)i, which, (count + CASES - 1 - which) / CASES);
    gable_close(ctx);
    return test_finish();
}

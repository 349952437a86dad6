/* ladder_check.c: the rungs of gemm's ladder as plain C, beside a loop over small integers, which
 * is exact.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Matrices end with their last element, so that a sanitizer sees a load past it; between columns
 * stand NaN, in C a pattern. kernels_c.cmake has the kernels, in d and z.
 */
#include <math.h>
#include <stdlib.h>
#include "core/kernel_args.h"
#include "core/launch.h"
#include "expect.h"
#include "gemm_args.h"
#include "ladder_check.h"

#define PATTERN 77.0

typedef struct product {
    int64_t m, n, k, pad; /* rows between columns */
    bool beta;            /* C counts; else it is NaN before */
} product;

typedef struct number {
    double re, im;
} number;

typedef struct matrix {
    int64_t rows, columns, ld;
    number *host;
    void *device;
} matrix;

/* Small integers; of doubles the imaginary parts are 0. */
static number small(int64_t i, bool is_complex)
{
    return (number){(double)(i * 7 % 9 - 4), is_complex ? (double)(i * 5 % 7 - 3) : 0};
}

/* a b + c */
static number muladd(number a, number b, number c)
{
    return (number){a.re * b.re - a.im * b.im + c.re, a.re * b.im + a.im * b.re + c.im};
}

static size_t elements(const matrix *A)
{
    return A->rows > 0 && A->columns > 0 ? (size_t)((A->columns - 1) * A->ld + A->rows) : 1;
}

static void send(gable_context *ctx, matrix *A, bool is_complex)
{
    const size_t count = elements(A), bytes = is_complex ? 16 : 8;
    double *reals = malloc(count * bytes);
    for (size_t i = 0; reals != NULL && i < count; i++) {
        reals[is_complex ? 2 * i : i] = A->host[i].re;
        if (is_complex)
            reals[2 * i + 1] = A->host[i].im;
    }
    EXPECT_STATUS(ctx, GABLE_OK, gable_alloc(ctx, count * bytes, &A->device));
    EXPECT_STATUS(ctx, GABLE_OK,
                  gable_set_vector(ctx, (int64_t)count, bytes, reals, 1, A->device, 1));
    free(reals);
}

static matrix make(gable_context *ctx, int64_t rows, int64_t columns, int64_t pad, bool is_complex,
                   double gap, bool known)
{
    matrix A = {.rows = rows, .columns = columns, .ld = rows + pad};
    A.host = malloc(elements(&A) * sizeof *A.host);
    for (size_t i = 0; i < elements(&A); i++) {
        const bool inside = (int64_t)i % A.ld < rows;
        A.host[i] = inside && known ? small((int64_t)i + rows, is_complex)
                                    : (number){inside ? NAN : gap, 0};
    }
    send(ctx, &A, is_complex);
    return A;
}

static void drop(gable_context *ctx, matrix *A)
{
    gable_free(ctx, A->device);
    free(A->host);
}

static number wanted(const product *p, const matrix *A, const matrix *B, const matrix *C, int64_t i,
                     int64_t j, number alpha, number beta)
{
    const number zero = {0, 0};
    number sum = zero;
    for (int64_t l = 0; l < p->k; l++)
        sum = muladd(A->host[i + l * A->ld], B->host[l + j * B->ld], sum);
    return muladd(alpha, sum, p->beta ? muladd(beta, C->host[i + j * C->ld], zero) : zero);
}

static void compare(gable_context *ctx, const char *rung, const product *p, const matrix *A,
                    const matrix *B, const matrix *C, number alpha, number beta, bool is_complex)
{
    const size_t bytes = is_complex ? 16 : 8;
    double *got = malloc(elements(C) * bytes);
    int wrong = 0;
    EXPECT_STATUS(ctx, GABLE_OK,
                  gable_get_vector(ctx, (int64_t)elements(C), bytes, C->device, 1, got, 1));
    for (size_t e = 0; e < elements(C); e++) {
        const int64_t i = (int64_t)e % C->ld, j = (int64_t)e / C->ld;
        const number value =
            i < p->m ? wanted(p, A, B, C, i, j, alpha, beta) : (number){PATTERN, 0};
        const double re = got[is_complex ? 2 * e : e], im = is_complex ? got[2 * e + 1] : 0;
        wrong += !(re == value.re && im == value.im);
    }
    EXPECT(wrong == 0, "%cgemm by %s, %d x %d x %d, beta %d: %d elements are wrong",
           is_complex ? 'z' : 'd', rung, (int)p->m, (int)p->n, (int)p->k, p->beta, wrong);
    free(got);
}

static void check_product(gable_context *ctx, const char *rung, const product *p, bool is_complex)
{
    const number alpha = {2, is_complex ? -1 : 0},
                 beta = {p->beta ? -1 : 0, p->beta && is_complex ? 2 : 0};
    matrix A = make(ctx, p->m, p->k, p->pad, is_complex, NAN, true),
           B = make(ctx, p->k, p->n, p->pad, is_complex, NAN, true),
           C = make(ctx, p->m, p->n, p->pad, is_complex, PATTERN, p->beta);
    const gable_trans N = GABLE_NO_TRANS;
    const gable_cdouble za = {alpha.re, alpha.im}, zb = {beta.re, beta.im};
    EXPECT_STATUS(ctx, GABLE_OK,
                  is_complex ? gable_zgemm(ctx, N, N, p->m, p->n, p->k, za, A.device, A.ld,
                                           B.device, B.ld, zb, C.device, C.ld)
                             : gable_dgemm(ctx, N, N, p->m, p->n, p->k, za.re, A.device, A.ld,
                                           B.device, B.ld, zb.re, C.device, C.ld));
    compare(ctx, rung, p, &A, &B, &C, alpha, beta, is_complex);
    drop(ctx, &A);
    drop(ctx, &B);
    drop(ctx, &C);
}

static void check_rungs(gable_context *ctx)
{
    static const char *const rungs[] = {"uncoalesced:items=16", "tiled:tile=4", "unrolled:tile=8",
                                        "outputs:tile=16:outputs=8", "volkov:rows=64"};
    static const product products[] = {{.m = 1, .n = 1, .k = 1},
                                       {.m = 17, .n = 5, .k = 9, .pad = 3, .beta = true},
                                       {.m = 16, .n = 16, .k = 16},
                                       {.m = 65, .n = 18, .k = 35, .pad = 1}};
    for (size_t r = 0; r < sizeof rungs / sizeof rungs[0]; r++) {
        char choice[64];
        snprintf(choice, sizeof choice, "gemm=%s", rungs[r]);
        EXPECT_STATUS(ctx, GABLE_OK, gable_set_variant(ctx, choice));
        for (size_t p = 0; p < sizeof products / sizeof products[0]; p++)
            for (int is_complex = 0; is_complex < 2; is_complex++)
                check_product(ctx, rungs[r], &products[p], is_complex);
    }
    EXPECT_STATUS(ctx, GABLE_OK, gable_set_variant(ctx, "gemm="));
}

/* Each work-item has the sum of its strip. */
static void check_read(gable_context *ctx, bool across)
{
    enum { ITEMS = 4, STRIP = 16, ROWS = 21, COLUMNS = 18 };
    matrix A = make(ctx, ROWS, COLUMNS, 2, false, NAN, true);
    const int64_t width = across ? COLUMNS : ROWS, length = across ? ROWS : COLUMNS;
    const int64_t x = (width + ITEMS - 1) / ITEMS, y = (length + STRIP - 1) / STRIP;
    const gbl_kernel_spec spec = {
        .file = "gemm_read.cl",
        .dtype = GBL_D,
        .macro_count = 3,
        .macros = {{"ITEMS", ITEMS}, {"STRIP", STRIP}, {"ACROSS", across}}};
    const gemm_args args = {.m = ROWS, .n = COLUMNS, .lda = A.ld};
    double sums[(ROWS + ITEMS) * 2] = {0};
    void *out = NULL;
    gbl_kernel *kernel = NULL;
    int wrong = 0;
    EXPECT_STATUS(ctx, GABLE_OK, gable_alloc(ctx, (size_t)(x * y * ITEMS) * 8, &out));
    EXPECT_STATUS(ctx, GABLE_OK, gbl_kernel_get(ctx->device, &spec, &kernel, &ctx->message));
    gbl_launch_spec launch = {.groups = {x, y},
                              .group = {ITEMS, 1},
                              .buffer_count = 2,
                              .buffers = {A.device, out},
                              .args = &args,
                              .args_bytes = sizeof args};
    if (kernel != NULL)
        EXPECT_STATUS(ctx, GABLE_OK, gbl_launch(ctx, kernel, &launch));
    EXPECT_STATUS(ctx, GABLE_OK, gable_get_vector(ctx, x * y * ITEMS, 8, out, 1, sums, 1));
    for (int64_t strip = 0; strip < y; strip++)
        for (int64_t item = 0; item < width; item++) {
            double sum = 0;
            for (int64_t e = strip * STRIP; e < length && e < (strip + 1) * STRIP; e++)
                sum += A.host[across ? e + item * A.ld : item + e * A.ld].re;
            wrong += sums[strip * x * ITEMS + item] != sum;
        }
    EXPECT(wrong == 0, "gemm_read.cl, across %d: %d sums are wrong", across, wrong);
    gable_free(ctx, out);
    drop(ctx, &A);
}

long check_ladder_kernels(gable_context *ctx)
{
    check_rungs(ctx);
    check_read(ctx, false);
    check_read(ctx, true);
    return expect_failures;
}

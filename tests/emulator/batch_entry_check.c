/* batch_entry_check.c: the kernels for batches of matrices as plain C, beside loops over small
 * integers, which are exact.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Kernels are launched as their plans would, in groups of few work-items; kernels_c.cmake has them,
 * in d and c. Blocks end with their last element, so that a sanitizer sees a load past it; between
 * columns and batch entries stands NaN, in what is written a pattern.
 */
#include <math.h>
#include <stdlib.h>
#include "core/kernel_args.h"
#include "core/launch.h"
#include "expect.h"
#include "gemm_batched_args.h"
#include "batch_entry_check.h"
#include "trsm_batched_args.h"

#define PATTERN 77.0
#define ENTRIES 5

typedef struct number {
    double re, im;
} number;

static number muladd(number a, number b, number c) /* a b + c */
{
    return (number){a.re * b.re - a.im * b.im + c.re, a.re * b.im + a.im * b.re + c.im};
}

static number conjugate(number a, bool really)
{
    return (number){a.re, really ? -a.im : a.im};
}

/* Small integers; of doubles the imaginary parts are 0. */
static number small(int64_t i, gbl_dtype dtype)
{
    return (number){(double)(i * 7 % 9 - 4), dtype == GBL_C ? (double)(i * 5 % 7 - 3) : 0};
}

/* ---- Blocks of batch entries ---- */

typedef struct block {
    gbl_dtype dtype;
    int64_t rows, columns, ld, stride;
    bool pointers; /* batch entries stand backwards then, every second an element further */
    int64_t elements;
    number *host;
    void *device, *addresses;
} block;

static int64_t start(const block *v, int64_t entry)
{
    return v->pointers ? (ENTRIES - 1 - entry) * v->stride + entry % 2 : entry * v->stride;
}

static int64_t at(const block *v, int64_t entry, int64_t i, int64_t j)
{
    return start(v, entry) + i + j * v->ld;
}

static void send(gable_context *ctx, block *v)
{
    double *doubles = malloc((size_t)v->elements * sizeof *doubles);
    float *floats = malloc((size_t)v->elements * 2 * sizeof *floats);
    for (int64_t i = 0; doubles != NULL && floats != NULL && i < v->elements; i++) {
        doubles[i] = v->host[i].re;
        floats[2 * i] = (float)v->host[i].re;
        floats[2 * i + 1] = (float)v->host[i].im;
    }
    EXPECT_STATUS(ctx, GABLE_OK, gable_alloc(ctx, (size_t)v->elements * 8, &v->device));
    EXPECT_STATUS(ctx, GABLE_OK,
                  gable_set_vector(ctx, v->elements, 8,
                                   v->dtype == GBL_C ? (void *)floats : (void *)doubles, 1,
                                   v->device, 1));
    free(doubles);
    free(floats);
    char *list[ENTRIES];
    for (int64_t b = 0; b < ENTRIES; b++)
        list[b] = (char *)v->device + 8 * start(v, b);
    EXPECT_STATUS(ctx, GABLE_OK, gable_alloc(ctx, sizeof list, &v->addresses));
    EXPECT_STATUS(ctx, GABLE_OK,
                  gable_set_vector(ctx, ENTRIES, sizeof list[0], list, 1, v->addresses, 1));
}

/* `pad` rows between columns, and as many elements between batch entries. Unsent, all of it
 * `gap`. */
static block make(gbl_dtype dtype, int64_t rows, int64_t columns, int64_t pad, bool pointers,
                  double gap)
{
    block v = {.dtype = dtype, .rows = rows, .columns = columns, .ld = rows + pad};
    v.stride = v.ld * columns;
    v.pointers = pointers;
    v.elements = ENTRIES * v.stride - pad + pointers;
    v.host = malloc((size_t)v.elements * sizeof *v.host);
    for (int64_t i = 0; i < v.elements; i++)
        v.host[i] = (number){gap, 0};
    return v;
}

static void fill(block *v)
{
    for (int64_t b = 0; b < ENTRIES; b++)
        for (int64_t j = 0; j < v->columns; j++)
            for (int64_t i = 0; i < v->rows; i++)
                v->host[at(v, b, i, j)] = small(at(v, b, i, j) + v->rows, v->dtype);
}

static void drop(gable_context *ctx, block *v)
{
    gable_free(ctx, v->device);
    gable_free(ctx, v->addresses);
    free(v->host);
}

/* What was computed is what the host's block now says. */
static void compare(gable_context *ctx, const block *v, const char *what)
{
    double *doubles = malloc((size_t)v->elements * sizeof *doubles);
    float *floats = malloc((size_t)v->elements * 2 * sizeof *floats);
    int wrong = 0;
    EXPECT_STATUS(ctx, GABLE_OK,
                  gable_get_vector(ctx, v->elements, 8, v->device, 1,
                                   v->dtype == GBL_C ? (void *)floats : (void *)doubles, 1));
    for (int64_t i = 0; i < v->elements; i++) {
        const number got = v->dtype == GBL_C
                               ? (number){(double)floats[2 * i], (double)floats[2 * i + 1]}
                               : (number){doubles[i], 0};
        wrong += !(got.re == v->host[i].re && got.im == v->host[i].im);
    }
    EXPECT(wrong == 0, "%s: %d elements are wrong", what, wrong);
    free(doubles);
    free(floats);
}

static void launch(gable_context *ctx, const gbl_kernel_spec *spec, gbl_launch_spec *with)
{
    gbl_kernel *kernel = NULL;
    EXPECT_STATUS(ctx, GABLE_OK, gbl_kernel_get(ctx->device, spec, &kernel, &ctx->message));
    with->follows_pointers = true;
    if (kernel != NULL)
        EXPECT_STATUS(ctx, GABLE_OK, gbl_launch(ctx, kernel, with));
    EXPECT_STATUS(ctx, GABLE_OK, gable_sync(ctx));
}

/* ---- Products ---- */

typedef struct product {
    gbl_dtype dtype;
    int m, n, k, trans_a, trans_b, pad;
    bool pointers, beta;
    int items, wx;                         /* of gemm_batched.cl; wx = 0: gemm_small.cl, and */
    int entries, rm, rn, av, bv, cv, once; /* its own */
} product;

static gbl_kernel_spec product_spec(const product *p)
{
    const int tight = p->pad == 0 && !p->pointers;
    const gbl_kernel_spec plain = {.file = "gemm_batched.cl",
                                   .dtype = p->dtype,
                                   .macro_count = 5,
                                   .macros = {{"TRANS_A", p->trans_a},
                                              {"TRANS_B", p->trans_b},
                                              {"POINTERS", p->pointers},
                                              {"ITEMS", p->items},
                                              {"WX", p->wx}}};
    const gbl_kernel_spec several = {.file = "gemm_small.cl",
                                     .dtype = p->dtype,
                                     .macro_count = 22,
                                     .macros = {{"TRANS_A", p->trans_a},
                                                {"TRANS_B", p->trans_b},
                                                {"POINTERS", p->pointers},
                                                {"ITEMS", p->items},
                                                {"ENTRIES", p->entries},
                                                {"M", p->m},
                                                {"N", p->n},
                                                {"K", p->k},
                                                {"RM", p->rm},
                                                {"RN", p->rn},
                                                {"AV", p->av},
                                                {"BV", p->bv},
                                                {"CV", p->cv},
                                                {"A_ALIGN", 8 * p->av},
                                                {"B_ALIGN", 8 * p->bv},
                                                {"C_ALIGN", 8 * p->cv},
                                                {"A_TIGHT", tight},
                                                {"B_TIGHT", tight},
                                                {"STEP", p->k},
                                                {"AT_ONCE", p->once},
                                                {"PAD", 1},
                                                {"RESIDENT", 1}}};
    return p->wx > 0 ? plain : several;
}

static number factor(const block *v, int trans, int64_t b, int64_t i, int64_t j)
{
    return trans ? conjugate(v->host[at(v, b, j, i)], trans == 2) : v->host[at(v, b, i, j)];
}

static void check_product(gable_context *ctx, const product *p, const char *what)
{
    const number zero = {0, 0}, alpha = {2, p->dtype == GBL_C ? -1 : 0},
                 beta = {p->beta ? -1 : 0, 0};
    block A = make(p->dtype, p->trans_a ? p->k : p->m, p->trans_a ? p->m : p->k, p->pad,
                   p->pointers, NAN),
          B = make(p->dtype, p->trans_b ? p->n : p->k, p->trans_b ? p->k : p->n, p->pad,
                   p->pointers, NAN),
          C = make(p->dtype, p->m, p->n, p->pad, p->pointers, PATTERN);
    fill(&A);
    fill(&B);
    fill(&C);
    send(ctx, &A);
    send(ctx, &B);
    send(ctx, &C);
    const int64_t blocks = p->wx > 0 ? (p->m + p->wx - 1) / p->wx : 1,
                  across = p->wx > 0 ? (p->n + p->items / p->wx - 1) / (p->items / p->wx) : 1;
    const gemm_batched_args args = {.m = p->m,
                                    .n = p->n,
                                    .k = p->k,
                                    .lda = A.ld,
                                    .ldb = B.ld,
                                    .ldc = C.ld,
                                    .batch = ENTRIES,
                                    .stride_a = A.stride,
                                    .stride_b = B.stride,
                                    .stride_c = C.stride,
                                    .sets = p->wx > 0 ? 2 : (ENTRIES + p->entries - 1) / p->entries,
                                    .row_blocks = blocks,
                                    .scalars = {alpha.re, alpha.im, beta.re, beta.im, 0, 0}};
    gbl_launch_spec with = {.groups = {p->wx > 0 ? blocks * across : 2, p->wx > 0 ? 2 : 1},
                            .group = {p->items, 1},
                            .buffer_count = 5,
                            .buffers = {A.device, A.device, p->pointers ? A.addresses : A.device,
                                        p->pointers ? B.addresses : B.device,
                                        p->pointers ? C.addresses : C.device},
                            .args = &args,
                            .args_bytes = sizeof args};
    const gbl_kernel_spec spec = product_spec(p);
    launch(ctx, &spec, &with);
    for (int64_t b = 0; b < ENTRIES; b++)
        for (int64_t j = 0; j < p->n; j++)
            for (int64_t i = 0; i < p->m; i++) {
                number sum = zero, *c = &C.host[at(&C, b, i, j)];
                for (int64_t l = 0; l < p->k; l++)
                    sum = muladd(factor(&A, p->trans_a, b, i, l), factor(&B, p->trans_b, b, l, j),
                                 sum);
                *c = muladd(alpha, sum, muladd(beta, *c, zero));
            }
    compare(ctx, &C, what);
    drop(ctx, &A);
    drop(ctx, &B);
    drop(ctx, &C);
}

/* ---- Solves ---- */

typedef struct solve {
    gbl_dtype dtype;
    int order, vectors, trans;
    bool conj, backward, unit, staged, pointers;
    int items, nb, wv;
} solve;

/* Element (i, j) of what is solved with. */
static number element(const solve *p, const block *A, int64_t b, int64_t i, int64_t j)
{
    if (i == j && p->unit)
        return (number){1, 0};
    if (p->backward ? j < i : j > i)
        return (number){0, 0};
    return conjugate(A->host[p->trans ? at(A, b, j, i) : at(A, b, i, j)], p->conj);
}

/* The triangle, with ones and powers of two on its diagonal; the other stays NaN. */
static void fill_triangle(const solve *p, block *A)
{
    static const double powers[] = {1, -2, 0.5, -1, 2};
    for (int64_t b = 0; b < ENTRIES; b++)
        for (int64_t j = 0; j < p->order; j++)
            for (int64_t i = 0; i < p->order; i++) {
                number *to = &A->host[p->trans ? at(A, b, j, i) : at(A, b, i, j)];
                if (i == j && !p->unit)
                    *to = (number){powers[(i + b) % 5], 0};
                else if (i != j && (p->backward ? j > i : j < i))
                    *to = small(i + 3 * j + b, p->dtype);
            }
}

/* B is op(A) X of small integers over alpha = 2, and becomes X. */
static void check_solve(gable_context *ctx, const solve *p, const char *what)
{
    const bool left = p->staged; /* right-hand sides are columns */
    block A = make(p->dtype, p->order, p->order, 2, p->pointers, NAN),
          B = make(p->dtype, left ? p->order : p->vectors, left ? p->vectors : p->order, 1,
                   p->pointers, PATTERN),
          X = make(p->dtype, B.rows, B.columns, 1, p->pointers, PATTERN);
    fill_triangle(p, &A);
    fill(&X);
    for (int64_t b = 0; b < ENTRIES; b++)
        for (int64_t v = 0; v < p->vectors; v++)
            for (int64_t i = 0; i < p->order; i++) {
                number sum = {0, 0};
                for (int64_t j = 0; j < p->order; j++)
                    sum = muladd(element(p, &A, b, i, j),
                                 X.host[left ? at(&X, b, j, v) : at(&X, b, v, j)], sum);
                B.host[left ? at(&B, b, i, v) : at(&B, b, v, i)] = (number){sum.re / 2, sum.im / 2};
            }
    send(ctx, &A);
    send(ctx, &B);
    const int entries = p->items / p->wv;
    const trsm_batched_args args = {.order = p->order,
                                    .vectors = p->vectors,
                                    .lda = A.ld,
                                    .step_b = left ? 1 : B.ld,
                                    .next_b = left ? B.ld : 1,
                                    .batch = ENTRIES,
                                    .stride_a = A.stride,
                                    .stride_b = B.stride,
                                    .sets = (ENTRIES + entries - 1) / entries,
                                    .vector_groups = 2,
                                    .backward = p->backward,
                                    .unit = p->unit,
                                    .scalars = {2, 0, 0, 0, 0, 0}};
    gbl_launch_spec with = {.groups = {2, 2},
                            .group = {p->items, 1},
                            .buffer_count = 3,
                            .buffers = {A.device, p->pointers ? A.addresses : A.device,
                                        p->pointers ? B.addresses : B.device},
                            .args = &args,
                            .args_bytes = sizeof args};
    const gbl_kernel_spec spec = {.file = "trsm_batched.cl",
                                  .dtype = p->dtype,
                                  .macro_count = 8,
                                  .macros = {{"ITEMS", p->items},
                                             {"NB", p->nb},
                                             {"WV", p->wv},
                                             {"STAGED", p->staged},
                                             {"TRANS", p->trans},
                                             {"CONJ", p->conj},
                                             {"POINTERS", p->pointers},
                                             {"RESIDENT", 1}}};
    launch(ctx, &spec, &with);
    memcpy(B.host, X.host, (size_t)B.elements * sizeof *B.host);
    compare(ctx, &B, what);
    drop(ctx, &A);
    drop(ctx, &B);
    free(X.host);
}

long check_batch_entry_kernels(gable_context *ctx)
{
    const product products[] = {
        {GBL_D, 5, 3, 4, 0, 1, 2, false, true, .items = 8, .wx = 4},
        {GBL_C, 5, 3, 4, 2, 0, 2, true, true, .items = 8, .wx = 4},
        {GBL_D, 4, 4, 4, 0, 0, 0, false, false, 8, 0, 2, 2, 2, 2, 2, 2, 4},
        {GBL_D, 5, 3, 3, 1, 1, 2, false, true, 16, 0, 2, 2, 2, 1, 1, 1, 2},
        {GBL_D, 3, 3, 3, 0, 0, 0, false, true, 12, 0, 2, 2, 1, 2, 2, 1, 8},
        {GBL_C, 4, 2, 2, 2, 0, 2, true, true, 4, 0, 2, 2, 2, 2, 2, 2, 2},
        {GBL_C, 6, 5, 4, 0, 2, 0, false, false, 16, 0, 1, 2, 2, 2, 2, 2, 4}};
    const solve solves[] = {{GBL_D, 7, 5, 0, false, false, false, true, false, 8, 4, 4},
                            {GBL_D, 7, 5, 0, false, true, true, true, false, 8, 4, 4},
                            {GBL_D, 9, 3, 1, false, true, false, false, false, 4, 4, 2},
                            {GBL_C, 6, 5, 1, true, false, false, true, true, 4, 4, 2},
                            {GBL_C, 3, 5, 0, false, true, false, false, true, 1, 4, 1}};
    char what[32];
    for (size_t i = 0; i < sizeof products / sizeof products[0]; i++) {
        snprintf(what, sizeof what, "product %d of batch entries", (int)i);
        check_product(ctx, &products[i], what);
    }
    for (size_t i = 0; i < sizeof solves / sizeof solves[0]; i++) {
        snprintf(what, sizeof what, "solve %d of batch entries", (int)i);
        check_solve(ctx, &solves[i], what);
    }
    return expect_failures;
}

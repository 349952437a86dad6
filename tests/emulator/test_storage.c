/* test_storage.c: the kernels of triangles on packed triangles and bands.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Products, solves and symmetric products in s and z, upper and lower, plain, transposed and
 * conjugated, with the diagonal and with ones, as plain C on the fake device. With the name of a
 * device as argument they run there, with the tunables that it falls back to. What must not be read
 * is NaN: a unit diagonal, the corners of a band that hold nothing, imaginary parts of a Hermitian
 * diagonal. Numbers are small integers and the diagonal powers of two, so that every order of
 * summation gives the same bits. References are plain loops over the whole matrix.
 */
#include <math.h>
#include <stdlib.h>
#include "blas/level2/triangle_variants.h"
#include "blas/level2/triangular.h"
#include "core/call_class.h"
#include "core/context.h"
#include "core/op.h"
#include "expect.h"
#include "fake_device.h"

#define MOST  40 /* rows */
#define GUARD 7.0

typedef struct number {
    double re, im;
} number;

/* ---- The ops: kernels only ---- */

static void symmetric_work(const void *given, gbl_work *least)
{
    gbl_triangular_work(given, least);
}

static const gbl_matrix_routine product = {.stem = "tpmv", .work = gbl_triangular_work},
                                solve = {.stem = "trsv", .work = gbl_triangular_work},
                                mirrored = {.stem = "symv", .work = symmetric_work};
static const gbl_variant product_variants[] = {GBL_TRMV_VARIANTS(&product)};
static const gbl_variant solve_variants[] = {GBL_TRSV_SINGLE_ITEM_VARIANT(&solve),
                                             GBL_TRSV_VARIANTS(&solve)};
static const gbl_variant mirrored_variants[] = {GBL_SYMV_VARIANT(&mirrored)};
static uint64_t key_of(const void *call)
{
    return gbl_call_key(&gbl_tpmv_op, call);
}
enum { PRODUCT, SOLVE, MIRRORED, KINDS };
static const gbl_op ops[KINDS] = {[PRODUCT] = {.stem = "tpmv",
                                               .work = gbl_triangular_work,
                                               .key = key_of,
                                               .variants = product_variants,
                                               .variant_count = 2},
                                  [SOLVE] = {.stem = "trsv",
                                             .work = gbl_triangular_work,
                                             .key = key_of,
                                             .variants = solve_variants,
                                             .variant_count = 3},
                                  [MIRRORED] = {.stem = "symv",
                                                .work = symmetric_work,
                                                .key = key_of,
                                                .variants = mirrored_variants,
                                                .variant_count = 1}};

static bool fake; /* the device has the kernels of kernels_c.cmake only */

/* The last variant that fits; on the fake device with the tunables of kernels_c.cmake. */
static void choose(gable_context *ctx, const gbl_question *question, gbl_choice *choice)
{
    const gbl_op *op = question->of.op;
    const gbl_matrix_call *call = question->call;
    const bool plain =
        op == &ops[PRODUCT] || op == &ops[SOLVE] ? call->trans == GABLE_NO_TRANS : true;
    choice->variant = NULL;
    for (int i = op->variant_count - 1; i >= 0 && choice->variant == NULL; i--)
        if (op->variants[i].fits(&op->variants[i], call, ctx->device))
            choice->variant = &op->variants[i];
    gbl_params_fallback(choice->variant, &choice->params);
    if (!fake)
        return;
    const int32_t copies[] = {1, 2, 4, 1, 2}, products[] = {4, 2, 2, 2, 2, 2},
                  solves[] = {8, 8, 4, plain ? 2 : 4, 2, 4, 1}, sums[] = {8, 4, 2, 1, 2, 2, 2, 4},
                  wide_sums[] = {8, 4, 1, 2, 2, 2, 1, 4};
    if (op == &ops[PRODUCT])
        memcpy(choice->params.value, products, sizeof products);
    else if (op == &ops[SOLVE] && choice->variant->space_count > 0)
        memcpy(choice->params.value, solves, sizeof solves);
    else if (op == &ops[MIRRORED])
        memcpy(choice->params.value, call->dtype == GBL_Z ? wide_sums : sums, sizeof sums);
    else if (op != &ops[SOLVE])
        memcpy(choice->params.value, copies, sizeof copies);
}

/* ---- Elements ---- */

static void put(gbl_dtype dtype, void *base, int64_t at, number value)
{
    if (dtype == GBL_S) {
        ((float *)base)[at] = (float)value.re;
    } else {
        ((double *)base)[2 * at] = value.re;
        ((double *)base)[2 * at + 1] = value.im;
    }
}

static number get(gbl_dtype dtype, const void *base, int64_t at)
{
    if (dtype == GBL_S)
        return (number){(double)((const float *)base)[at], 0};
    return (number){((const double *)base)[2 * at], ((const double *)base)[2 * at + 1]};
}

static number times(number a, number b)
{
    return (number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* From -3 to 4, never 0: a solution of 0 might be -0. */
static double small(int64_t i, int part)
{
    const int64_t value = (i * 7 + part * 5 + i / 3) % 7 - 3;
    return (double)(value == 0 ? 4 : value);
}

/* ---- One case ---- */

typedef struct scene {
    int kind;
    gbl_matrix_call call; /* its shape */
    number A[MOST][MOST]; /* [column][row], op not applied; what is not stored is 0 */
} scene;

/* Where an element stands in memory; -1: it is not stored. By the definition in BLAS. */
static int64_t place(const gbl_matrix_call *c, int64_t i, int64_t j)
{
    const bool upper = c->uplo == GABLE_UPPER;
    if (upper ? i > j : i < j)
        return -1;
    if (c->storage == GBL_PACKED)
        return upper ? i + j * (j + 1) / 2 : i - j + j * c->n - j * (j - 1) / 2;
    if ((upper ? j - i : i - j) > c->ku)
        return -1;
    return (upper ? c->ku + i - j : i - j) + j * c->lda;
}

static int64_t stored_elements(const gbl_matrix_call *c)
{
    return c->storage == GBL_PACKED ? c->n * (c->n + 1) / 2 : (c->n - 1) * c->lda + c->ku + 1;
}

static void fill(scene *s, void *memory)
{
    const gbl_matrix_call *c = &s->call;
    const int64_t count = stored_elements(c);
    memset(s->A, 0, sizeof s->A);
    for (int64_t at = 0; at < count; at++)
        put(c->dtype, memory, at, (number){NAN, NAN});
    for (int64_t j = 0; j < c->n; j++) {
        for (int64_t i = 0; i < c->n; i++) {
            const int64_t at = place(c, i, j);
            const bool complex = c->dtype == GBL_Z;
            number a = {small(j * 41 + i, 0), complex ? small(j * 41 + i, 1) : 0};
            if (at < 0)
                continue;
            if (i == j && s->kind != MIRRORED)
                a = complex && i % 4 == 3 ? (number){0, 2} : (number){i % 2 ? 2 : -0.5, 0};
            if (i == j && c->conj)
                a.im = 0;
            s->A[j][i] = i == j && c->diag == GABLE_UNIT ? (number){1, 0} : a;
            if (i != j || c->diag != GABLE_UNIT)
                put(c->dtype, memory, at, i == j && c->conj ? (number){a.re, NAN} : a);
        }
    }
}

/* Element (i, j) of op(A), or of the whole symmetric matrix. */
static number element(const scene *s, int64_t i, int64_t j)
{
    const gbl_matrix_call *c = &s->call;
    number a;
    if (s->kind == MIRRORED) {
        const bool is = c->uplo == GABLE_UPPER ? i <= j : i >= j;
        a = is ? s->A[j][i] : s->A[i][j];
        a.im = c->conj && !is ? -a.im : a.im;
        return a;
    }
    a = c->trans == GABLE_NO_TRANS ? s->A[j][i] : s->A[i][j];
    a.im = c->trans == GABLE_CONJ_TRANS ? -a.im : a.im;
    return a;
}

static int64_t element_of(int64_t i, int64_t n, int64_t inc)
{
    return inc > 0 ? i * inc : (n - 1 - i) * -inc;
}

/* A vector of n elements on the device, all of its memory. */
static int64_t reach(int64_t n, int64_t inc)
{
    return (n - 1) * (inc > 0 ? inc : -inc) + 1;
}

static void run_scene(gable_context *ctx, scene *s)
{
    gbl_matrix_call call = s->call;
    const gbl_dtype dtype = call.dtype;
    const size_t elem = gbl_dtype_bytes(dtype);
    const int64_t n = call.n, stored = stored_elements(&call);
    const int64_t x_count = reach(n, call.incx), y_count = reach(n, 2);
    char *A = calloc((size_t)stored, elem), *x = calloc((size_t)x_count, elem),
         *y = calloc((size_t)y_count, elem), *want = calloc((size_t)(x_count + y_count), elem);
    void *device_y = NULL;
    number known[MOST], image[MOST];
    const number alpha = {2, 0}, beta = {-1, 0};
    fill(s, A);
    for (int64_t at = 0; at < x_count; at++)
        put(dtype, x, at, (number){GUARD, GUARD});
    for (int64_t at = 0; at < y_count; at++)
        put(dtype, y, at, (number){GUARD, GUARD});
    for (int64_t i = 0; i < n; i++)
        known[i] = (number){small(i, 0), dtype == GBL_Z ? small(i, 1) : 0};
    for (int64_t i = 0; i < n; i++) {
        image[i] = (number){0, 0};
        for (int64_t j = 0; j < n; j++) {
            const number term = times(element(s, i, j), known[j]);
            image[i] = (number){image[i].re + term.re, image[i].im + term.im};
        }
    }
    const int64_t out_count = s->kind == MIRRORED ? y_count : x_count,
                  out_inc = s->kind == MIRRORED ? 2 : call.incx;
    for (int64_t i = 0; i < n; i++)
        put(dtype, x, element_of(i, n, call.incx), s->kind == SOLVE ? image[i] : known[i]);
    for (int64_t at = 0; at < out_count; at++)
        put(dtype, want, at, (number){GUARD, GUARD});
    for (int64_t i = 0; i < n; i++) {
        number value = s->kind == SOLVE ? known[i] : image[i];
        if (s->kind == MIRRORED) {
            const number old = get(dtype, y, element_of(i, n, 2));
            value = times(alpha, value);
            value.re += beta.re * old.re;
            value.im += beta.re * old.im;
        }
        put(dtype, want, element_of(i, n, out_inc), value);
    }
    EXPECT(gable_alloc(ctx, (size_t)stored * elem, &call.A) == GABLE_OK &&
               gable_alloc(ctx, (size_t)x_count * elem, &call.x) == GABLE_OK &&
               gable_alloc(ctx, (size_t)y_count * elem, &device_y) == GABLE_OK &&
               gable_set_vector(ctx, stored, elem, A, 1, call.A, 1) == GABLE_OK &&
               gable_set_vector(ctx, x_count, elem, x, 1, call.x, 1) == GABLE_OK &&
               gable_set_vector(ctx, y_count, elem, y, 1, device_y, 1) == GABLE_OK,
           "%s", gable_message(ctx));
    if (s->kind == MIRRORED) {
        call.y = device_y;
        call.incy = 2;
        call.alpha = (gbl_scalar){.re = alpha.re};
        call.beta = (gbl_scalar){.re = beta.re};
    }
    const bool ran = gbl_enter(ctx, ops[s->kind].stem) == GABLE_OK &&
                     gbl_op_run(ctx, &ops[s->kind], &call) == GABLE_OK &&
                     gable_get_vector(ctx, out_count, elem, s->kind == MIRRORED ? device_y : call.x,
                                      1, s->kind == MIRRORED ? y : x, 1) == GABLE_OK;
    EXPECT(ran, "%s", gable_message(ctx));
    EXPECT(memcmp(s->kind == MIRRORED ? y : x, want, (size_t)out_count * elem) == 0,
           "%s storage %d %c uplo %d trans %d diag %d conj %d n %lld k %lld lda %lld incx %lld",
           ops[s->kind].stem, call.storage, gbl_dtype_letter(dtype), call.uplo, call.trans,
           call.diag, call.conj, (long long)n, (long long)call.ku, (long long)call.lda,
           (long long)call.incx);
    gable_free(ctx, call.A);
    gable_free(ctx, call.x);
    gable_free(ctx, device_y);
    free(A);
    free(x);
    free(y);
    free(want);
}

/* ---- All of them ---- */

static const gable_trans transposes[] = {GABLE_NO_TRANS, GABLE_TRANS, GABLE_CONJ_TRANS};

static void triangles(gable_context *ctx, scene *s, int kind)
{
    const bool complex = s->call.dtype == GBL_Z;
    s->kind = kind;
    s->call.conj = false;
    for (int form = 0; form < 12; form++) {
        s->call.uplo = form % 2 ? GABLE_UPPER : GABLE_LOWER;
        s->call.diag = form / 2 % 2 ? GABLE_UNIT : GABLE_NON_UNIT;
        s->call.trans = transposes[form / 4];
        s->call.incx = form % 3 == 1 ? -2 : 1;
        if (complex || s->call.trans != GABLE_CONJ_TRANS)
            run_scene(ctx, s);
    }
}

static void symmetric(gable_context *ctx, scene *s)
{
    s->kind = MIRRORED;
    s->call.diag = GABLE_NON_UNIT;
    s->call.trans = GABLE_NO_TRANS;
    for (int form = 0; form < 4; form++) {
        s->call.uplo = form % 2 ? GABLE_UPPER : GABLE_LOWER;
        s->call.conj = form / 2;
        s->call.incx = form % 2 ? -2 : 1;
        if (s->call.dtype == GBL_Z || !s->call.conj)
            run_scene(ctx, s);
    }
}

static void test_device(gable_context *ctx)
{
    static const int64_t sizes[] = {3, 5, 8, 17, 24, 33, 40}, bands[] = {0, 1, 3, 7, 8, 21, 39};
    static scene s;
    for (int d = 0; d < 2; d++) {
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            const int64_t n = sizes[i];
            s.call = (gbl_matrix_call){
                .dtype = d ? GBL_Z : GBL_S, .storage = GBL_PACKED, .m = n, .n = n};
            triangles(ctx, &s, PRODUCT);
            triangles(ctx, &s, SOLVE);
            symmetric(ctx, &s);
            s.call.storage = GBL_BAND;
            for (size_t b = 0; b < sizeof bands / sizeof bands[0]; b++) {
                /* Columns of the matrix start alike, and do not. */
                s.call.kl = s.call.ku = bands[b];
                s.call.lda = bands[b] + 1 + (bands[b] + (int64_t)i) % 2;
                triangles(ctx, &s, SOLVE);
            }
        }
    }
}

int main(int count, char **arguments)
{
    gable_context *ctx = NULL;
    fake = count < 2;
    for (int gpu = 0; gpu < (fake ? 2 : 1); gpu++) {
        const fake_settings settings = {.fence_device = true, .deferred = true, .is_gpu = gpu == 1};
        if (fake)
            fake_install(&settings);
        const gable_status status = gable_open(&ctx, fake ? "fake" : arguments[1]);
        if (!fake && status != GABLE_OK) {
            printf("no device %s: %s\n", arguments[1], gable_message(ctx));
            gable_close(ctx);
            return EXPECT_SKIPPED;
        }
        EXPECT(status == GABLE_OK, "%s", gable_message(ctx));
        gbl_install_choose(choose);
        test_device(ctx);
        gable_close(ctx);
        if (fake)
            fake_remove();
    }
    return expect_summary("test_storage");
}

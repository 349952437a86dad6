/* test_gemm_composed.c: products that are packed or cut, on kernels of kernels/ as plain C, against
 * plain loops.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Small integers: every order of sums gives the same bits. Around matrices and beyond triangles
 * stand NaN, and in C what must stay. Matrices start and end their columns at addresses that no TMA
 * tile takes. What the variants call is chosen here: pipelines with small tiles, and copies by
 * groups of 32 work-items.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "blas/gemm/gemm_composed.h"
#include "core/context.h"
#include "expect.h"
#include "fake_device.h"
#include "gable/gable.h"
#include "product_numbers.h"

#define BLOCK ((size_t)7 << 18) /* bytes */
#define STAYS -4711.0

enum { PACKED, CUT, VECTOR };
static const char *const kinds[] = {"gemm=aligned_copy", "gemm=tail_split", "gemm=vector"};

typedef struct trial {
    gbl_dtype dtype;
    int kind;
    int trans_a, trans_b; /* 2: the conjugate transpose */
    int whole_a, whole_b; /* a factor that TMA tiles can bring */
    int triangle_c, triangular, unit, two_products, real_diagonal, same;
    int m, n, k, units;
    number alpha, beta;
    int on_device, recorded;
} trial;

static gable_context *ctx;
static void *blocks[3], *expected;
static char *scalars;
static gbl_dtype dtype;
static int launches; /* of the last trial */

/* ---- Elements ---- */

static int reals(void)
{
    return gbl_dtype_complex(dtype) ? 2 : 1;
}

static double real_get(const void *from, size_t index)
{
    return gbl_dtype_real_bytes(dtype) == 4 ? (double)((const float *)from)[index]
                                            : ((const double *)from)[index];
}

static void real_set(void *to, size_t index, double value)
{
    if (gbl_dtype_real_bytes(dtype) == 4)
        ((float *)to)[index] = (float)value;
    else
        ((double *)to)[index] = value;
}

static number get(const void *matrix, int64_t ld, int row, int column)
{
    const size_t at = (size_t)(row + column * ld) * (size_t)reals();
    return (number){real_get(matrix, at), reals() > 1 ? real_get(matrix, at + 1) : 0};
}

static void set(void *matrix, int64_t ld, int row, int column, number value)
{
    const size_t at = (size_t)(row + column * ld) * (size_t)reals();
    real_set(matrix, at, value.re);
    if (reals() > 1)
        real_set(matrix, at + 1, value.im);
}

static double draw(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (double)((int)(*state >> 20) % 5 - 2);
}

/* A matrix with `around` on all sides; one that is not whole starts a real number behind 16
 * bytes. */
static void *fill(void *block, bool whole, int rows, int columns, int64_t ld, double around,
                  unsigned seed)
{
    void *const matrix = (char *)block + 64 + (whole ? 0 : gbl_dtype_real_bytes(dtype));
    for (size_t i = 0; i < BLOCK / gbl_dtype_real_bytes(dtype); i++)
        real_set(block, i, around);
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++) {
            number value = {draw(&seed), 0};
            value.im = reals() > 1 ? draw(&seed) : 0;
            set(matrix, ld, i, j, value);
        }
    return matrix;
}

static int64_t leading(int rows, bool whole)
{
    return whole ? (rows + 7) / 4 * 4 : (rows + 2) | 1;
}

/* ---- The reference ---- */

static number element(const void *matrix, int64_t ld, int transposed, int row, int column)
{
    const number value = transposed ? get(matrix, ld, column, row) : get(matrix, ld, row, column);
    return transposed == 2 ? conjugate(value) : value;
}

static number sum_of(const trial *t, const gbl_product_call *call, int i, int j)
{
    number sum = {0, 0};
    for (int p = 0; p < t->k; p++) {
        if (!term_counts((gbl_triangular)t->triangular, i, j, p))
            continue;
        number a = element(call->A, call->lda, t->trans_a, i, p),
               b = element(call->B, call->ldb, t->trans_b, p, j);
        if (t->unit && p == (t->triangular <= GBL_A_UPPER ? i : j))
            *(t->triangular <= GBL_A_UPPER ? &a : &b) = (number){1, 0};
        sum = plus(sum, times(a, b));
        if (t->two_products) /* B is transposed, A is not */
            sum = plus(sum, times(element(call->B, call->ldb, 0, i, p),
                                  element(call->A, call->lda, t->trans_b, p, j)));
    }
    return sum;
}

static number product_element(const trial *t, const gbl_product_call *call, int i, int j)
{
    const number old = get(call->C, call->ldc, i, j), none = {0, 0};
    number value = is_zero(t->alpha) ? none : times(t->alpha, sum_of(t, call, i, j));
    if (!is_zero(t->beta))
        value = plus(value, times(t->beta, t->real_diagonal && i == j ? (number){old.re, 0} : old));
    if (t->real_diagonal && i == j)
        value.im = 0;
    return value;
}

static void spoil(const trial *t, gbl_product_call *call)
{
    const bool left = t->triangular <= GBL_A_UPPER;
    for (int i = 0; i < t->k; i++)
        for (int p = 0; p < t->k; p++)
            if (!term_counts((gbl_triangular)t->triangular, i, i, p) || (t->unit && i == p))
                set(left ? call->A : call->B, left ? call->lda : call->ldb, left ? i : p,
                    left ? p : i, (number){NAN, NAN});
}

/* ---- Trials ---- */

/* What is called inside: a pipeline, and a copy. */
static void choose(gable_context *of, const gbl_question *question, gbl_choice *choice)
{
    static const gbl_params small[4] = {[GBL_S] = {{128, 32, 8, 1, 4, 1, 0, 0}},
                                        [GBL_D] = {{32, 32, 4, 1, 8, 1, 0, 0}},
                                        [GBL_C] = {{64, 32, 8, 1, 4, 1, 0, 0}},
                                        [GBL_Z] = {{32, 32, 4, 1, 8, 1, 0, 0}}};
    static const gbl_params copy = {{32, 1, 1, 1, 1}}, vector = {{32, 1, 1, 1, 1, 1, 0}};
    const gbl_op *op = question->of.op;
    const gbl_matrix_call *call = question->call;
    const char *name = op == &gbl_gemm_op              ? "pipeline"
                       : op == &gbl_transpose_op       ? "stream"
                       : call->trans == GABLE_NO_TRANS ? "split_n"
                                                       : "split_t";
    (void)of;
    for (int i = 0; i < op->variant_count; i++)
        if (strcmp(op->variants[i].name, name) == 0)
            *choice = (gbl_choice){&op->variants[i], op == &gbl_gemm_op        ? small[dtype]
                                                     : op == &gbl_transpose_op ? copy
                                                                               : vector};
}

static gable_trans word(int transposed)
{
    return transposed == 2 ? GABLE_CONJ_TRANS : transposed ? GABLE_TRANS : GABLE_NO_TRANS;
}

static gbl_product_call make_call(const trial *t)
{
    const int a_rows = t->trans_a ? t->k : t->m, a_columns = t->trans_a ? t->m : t->k,
              b_rows = t->trans_b ? t->n : t->k, b_columns = t->trans_b ? t->k : t->n;
    const unsigned seed = (unsigned)(t->m * 31 + t->n * 7 + t->k);
    gbl_product_call call = {.dtype = t->dtype,
                             .trans = word(t->trans_a),
                             .trans_b = word(t->trans_b),
                             .diag = t->unit ? GABLE_UNIT : GABLE_NON_UNIT,
                             .conj = t->real_diagonal,
                             .triangle_c = (uint8_t)t->triangle_c,
                             .triangular = (uint8_t)t->triangular,
                             .two_products = (uint8_t)t->two_products,
                             .m = t->m,
                             .n = t->n,
                             .k = t->k,
                             .lda = leading(a_rows, t->whole_a),
                             .ldb = leading(b_rows, t->whole_b),
                             .ldc = leading(t->m, false)};
    call.A = fill(blocks[0], t->whole_a, a_rows, a_columns, call.lda, NAN, seed);
    call.B = fill(blocks[1], t->whole_b, b_rows, b_columns, call.ldb, NAN, seed + 1);
    call.C = fill(blocks[2], false, t->m, t->n, call.ldc, STAYS, seed + 2);
    if (t->same) {
        call.B = call.A;
        call.ldb = call.lda;
    }
    if (t->triangular != GBL_NOT_TRIANGULAR)
        spoil(t, &call);
    const number scalar[2] = {t->alpha, t->beta};
    for (int i = 0; i < 2; i++)
        set(scalars, 1, i, 0, scalar[i]);
    call.alpha =
        (gbl_scalar){.re = t->alpha.re, .im = t->alpha.im, .device = t->on_device ? scalars : NULL};
    call.beta = (gbl_scalar){.re = t->beta.re,
                             .im = t->beta.im,
                             .device = t->on_device ? scalars + gbl_dtype_bytes(t->dtype) : NULL};
    return call;
}

/* Twice, the second time into what C was before. */
static void replay(const gbl_product_call *call, const void *before)
{
    gable_recording *recording = NULL;
    EXPECT_STATUS(ctx, GABLE_OK, gable_record_begin(ctx));
    EXPECT_STATUS(ctx, GABLE_OK, gbl_gemm(ctx, "gable_gemm", call));
    EXPECT_STATUS(ctx, GABLE_OK, gable_record_end(ctx, &recording));
    for (int i = 0; i < 2 && recording != NULL; i++) {
        memcpy(blocks[2], before, BLOCK);
        EXPECT_STATUS(ctx, GABLE_OK, gable_replay(ctx, recording));
        EXPECT_STATUS(ctx, GABLE_OK, gable_sync(ctx));
    }
    gable_recording_destroy(recording);
}

static void run(const trial *t)
{
    dtype = t->dtype;
    ctx->device->props.units = t->units > 0 ? t->units : 4;
    gbl_product_call call = make_call(t);
    for (int j = 0; j < t->n; j++)
        for (int i = 0; i < t->m; i++)
            if (is_zero(t->beta) && t->triangle_c == GBL_ALL)
                set(call.C, call.ldc, i, j, (number){NAN, NAN});
    void *const before = malloc(BLOCK);
    EXPECT(before != NULL, "no memory for a copy of C");
    if (before == NULL)
        return;
    memcpy(before, blocks[2], BLOCK);
    memcpy(expected, blocks[2], BLOCK);
    void *const C = (char *)expected + ((char *)call.C - (char *)blocks[2]);
    for (int j = 0; j < t->n; j++)
        for (int i = 0; i < t->m; i++)
            if (part_wanted((gbl_triangle_c)t->triangle_c, i, j))
                set(C, call.ldc, i, j, product_element(t, &call, i, j));
    gbl_choices_forget(ctx);
    EXPECT_STATUS(ctx, GABLE_OK, gable_set_variant(ctx, kinds[t->kind]));
    const long first = fake_calls(FAKE_LAUNCH);
    if (t->recorded) {
        replay(&call, before);
    } else {
        EXPECT_STATUS(ctx, GABLE_OK, gbl_gemm(ctx, "gable_gemm", &call));
        EXPECT_STATUS(ctx, GABLE_OK, gable_sync(ctx));
    }
    launches = (int)(fake_calls(FAKE_LAUNCH) - first);
    free(before);
    int wrong = 0;
    size_t where = 0;
    for (size_t i = BLOCK / gbl_dtype_real_bytes(dtype); i-- > 0;) {
        const double is = real_get(blocks[2], i), want = real_get(expected, i);
        if (!(is == want || (isnan(is) && isnan(want)))) {
            where = i;
            wrong++;
        }
    }
    EXPECT(wrong == 0,
           "%c %s, trans %d %d, whole %d %d, part %d, zeros %d, unit %d, twice %d, m %d, n %d, k "
           "%d, recorded %d: %d wrong, the first at real %zu of C's block (ldc %d): %g, not %g",
           gbl_dtype_letter(dtype), kinds[t->kind], t->trans_a, t->trans_b, t->whole_a, t->whole_b,
           t->triangle_c, t->triangular, t->unit, t->two_products, t->m, t->n, t->k, t->recorded,
           wrong, where, (int)call.ldc, real_get(blocks[2], where), real_get(expected, where));
}

static number complex_or(double re, double im)
{
    return (number){re, gbl_dtype_complex(dtype) ? im : 0};
}

static trial transposed(gbl_dtype of, int trans)
{
    dtype = of;
    const int other = gbl_dtype_complex(of) ? 2 : 1;
    return (trial){.dtype = of,
                   .trans_a = trans % 2 ? other : 0,
                   .trans_b = trans / 2,
                   .alpha = complex_or(2, 1),
                   .beta = complex_or(-1, 1)};
}

/* One factor is packed, or both. */
static void test_packed(gbl_dtype of)
{
    for (int trans = 0; trans < 4; trans++) {
        trial t = transposed(of, trans);
        t.m = 35;
        t.n = 33;
        t.k = 21;
        run(&t);
        EXPECT(launches == 3, "%d launches to pack two factors", launches);
        t.on_device = t.recorded = 1;
        run(&t);
        t.recorded = 0;
        t.beta = (number){0, 0};
        t.k = 1;
        run(&t);
        t.on_device = 0;
        t.m = t.n = 1;
        t.k = 40;
        run(&t);
        t.m = 35;
        t.n = 41;
        t.whole_a = trans % 2;
        t.whole_b = !t.whole_a;
        run(&t);
        EXPECT(launches == 2, "%d launches to pack one factor", launches);
    }
    trial t = transposed(of, 0);
    t.m = t.n = t.k = 37;
    t.triangular = GBL_A_LOWER;
    run(&t);
    t.triangular = GBL_B_UPPER;
    t.unit = 1;
    run(&t);
    t = transposed(of, 2);
    t.m = t.n = 37;
    t.k = 20;
    t.triangle_c = GBL_LOWER_ONLY;
    t.two_products = 1;
    run(&t);
    t.two_products = 0;
    t.triangle_c = GBL_UPPER_ONLY;
    t.same = 1;
    t.trans_b = gbl_dtype_complex(of) ? 2 : 1;
    t.real_diagonal = gbl_dtype_complex(of);
    t.alpha.im = t.beta.im = 0;
    run(&t);
    EXPECT(launches == 2, "%d launches where both factors are one matrix", launches);
}

/* A row and a column beyond whole tiles, in z a column alone; so many units that a cut pays. */
static void test_cut(gbl_dtype of)
{
    static const struct {
        int m, n, k, units, pieces;
    } cases[4] = {[GBL_S] = {129, 257, 100, 1, 3},
                  [GBL_D] = {129, 129, 1200, 1, 3},
                  [GBL_C] = {129, 129, 200, 1, 3},
                  [GBL_Z] = {64, 257, 420, 4, 2}};
    for (int trans = 0; trans < 4; trans++) {
        trial t = transposed(of, trans);
        t.kind = CUT;
        t.units = cases[of].units;
        t.m = cases[of].m;
        t.n = cases[of].n;
        t.k = cases[of].k;
        t.whole_a = t.whole_b = of == GBL_C; /* else they are packed once */
        t.recorded = trans == 1;
        t.on_device = trans == 2;
        if (trans == 3)
            t.beta = (number){0, 0};
        run(&t);
        const int copies = t.whole_a ? 0 : 2;
        EXPECT(t.recorded || launches == copies + cases[of].pieces, "%d launches for %d pieces",
               launches, cases[of].pieces);
    }
}

/* Strips of two rows and columns; columns alone. */
static void test_strips(void)
{
    trial t = transposed(GBL_D, 0);
    t.kind = CUT;
    t.units = 2;
    t.m = 130;
    t.n = 258;
    t.k = 600;
    run(&t);
    t.units = 4;
    t.m = 128;
    t.n = 514;
    t.k = 400;
    t.trans_a = 1;
    t.whole_a = t.whole_b = 1;
    run(&t);
    EXPECT(launches == 2, "%d launches for two pieces without copies", launches);
}

/* A column of C, then a row; factors that are transposed, vectors with gaps; no gemv for those that
 * would be conjugated. */
static void test_vector(gbl_dtype of)
{
    for (int trans = 0; trans < 4; trans++) {
        trial t = transposed(of, trans);
        t.kind = VECTOR;
        t.m = 37;
        t.n = 1;
        t.k = 21;
        run(&t);
        EXPECT(launches == 1, "%d launches for a column", launches);
        t.beta = (number){0, 0};
        t.on_device = 1;
        t.k = 70;
        run(&t);
        if (t.trans_a == 2)
            t.trans_a = 1;
        t.m = 1;
        t.n = 37;
        run(&t);
        t.beta = complex_or(-1, 1);
        t.on_device = 0;
        t.recorded = 1;
        t.k = 1;
        run(&t);
        t.n = 1;
        run(&t);
    }
}

/* Calls that nothing is copied for, or that are not cut, do not fit. */
static void test_refused(void)
{
    trial t = transposed(GBL_D, 0);
    t.m = t.n = t.k = 40;
    ctx->device->props.units = 4;
    const gbl_product_call call = make_call(&t);
    gbl_product_call other = call;
    const gbl_variant self = {.name = "aligned_copy"};
    EXPECT(gbl_gemm_aligned_copy_fits(&self, &call, ctx->device),
           "packed does not fit odd columns");
    other.alpha = (gbl_scalar){.re = 0};
    EXPECT(!gbl_gemm_aligned_copy_fits(&self, &other, ctx->device),
           "factors are packed for alpha = 0");
    other = call;
    other.k = 0;
    EXPECT(!gbl_gemm_aligned_copy_fits(&self, &other, ctx->device),
           "factors without terms are packed");
    other = call;
    other.sizes = (const int64_t *)call.A;
    EXPECT(!gbl_gemm_aligned_copy_fits(&self, &other, ctx->device), "sizes in memory are packed");
    t.whole_a = t.whole_b = 1;
    other = make_call(&t);
    EXPECT(!gbl_gemm_aligned_copy_fits(&self, &other, ctx->device), "whole factors are packed");
    EXPECT_STATUS(ctx, GABLE_OK, gable_set_variant(ctx, "gemm=aligned_copy"));
    EXPECT_STATUS(ctx, GABLE_NOT_SUPPORTED, gbl_gemm(ctx, "gable_gemm", &other));
    trial v = transposed(GBL_C, 0);
    v.m = v.k = 5;
    v.n = 1;
    v.trans_b = 2;
    other = make_call(&v);
    EXPECT(!gbl_gemm_vector_fits(&self, &other, ctx->device), "a vector is conjugated");
    other.dtype = GBL_S;
    EXPECT(gbl_gemm_vector_fits(&self, &other, ctx->device), "a real vector is not taken");
    other.k = 0;
    EXPECT(!gbl_gemm_vector_fits(&self, &other, ctx->device), "gemv does not scale C");
}

int main(void)
{
    const fake_settings settings = {.hopper = true, .is_gpu = true};
    fake_install(&settings);
    bool ready = gable_open(&ctx, "fake") == GABLE_OK;
    gbl_install_choose(choose);
    for (int i = 0; i < 3 && ready; i++)
        ready = gable_alloc(ctx, BLOCK, &blocks[i]) == GABLE_OK;
    ready = ready && gable_alloc(ctx, 32, (void **)&scalars) == GABLE_OK;
    expected = malloc(BLOCK);
    if (!ready || expected == NULL) {
        EXPECT(false, "%s", gable_message(ctx));
        return expect_summary("test_gemm_composed");
    }
    for (int of = GBL_S; of <= GBL_Z; of++) {
        test_packed((gbl_dtype)of);
        test_cut((gbl_dtype)of);
        test_vector((gbl_dtype)of);
    }
    test_strips();
    test_refused();
    EXPECT(fake_faults() == 0, "%s", fake_first_fault());
    free(expected);
    for (int i = 0; i < 3; i++)
        gable_free(ctx, blocks[i]);
    gable_free(ctx, scalars);
    gable_close(ctx);
    fake_remove();
    return expect_summary("test_gemm_composed");
}

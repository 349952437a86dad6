/* test_sparse_mv.c: products with sparse matrices: all formats, precisions and widths of indices,
 * all variants.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * PoCL takes long to compile, so there not every precision meets every variant, unless
 * $GABLE_TEST_ALL is set.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "device/cpu_features.h"
#include "harness/side_by_side.h"
#include "model/roofs.h"
#include "sparse/market/generate.h"
#include "sparse/matrix/sparse_product.h"

static gable_context *ctx;
static bool slow; /* kernels take long to compile, and not everything is asked for */

static const gable_format formats[] = {GABLE_CSR, GABLE_COO, GABLE_ELL, GABLE_SELL, GABLE_HYB};
#define FORMATS 5

/* ---- Matrices ---- */

static model model_generated(gbl_generated *from)
{
    model m = {.rows = from->rows, .columns = from->columns, .entries = from->entries};
    m.start = calloc((size_t)m.rows + 1, sizeof *m.start);
    m.column = calloc((size_t)m.entries + 1, sizeof *m.column);
    m.value = calloc((size_t)m.entries + 1, sizeof *m.value);
    memcpy(m.start, from->start, ((size_t)m.rows + 1) * sizeof *m.start);
    memcpy(m.column, from->column, (size_t)m.entries * sizeof *m.column);
    gbl_generated_free(from);
    return m;
}

static model power_law(int64_t rows, int64_t columns, int64_t longest)
{
    gbl_generated made;
    gbl_message message = {NULL, ""};
    CHECK(gbl_generate_power_law(rows, columns, longest, 5, &made, &message) == GABLE_OK, "%s",
          message.text);
    return model_generated(&made);
}

static model laplacian(int64_t nx, int64_t ny)
{
    gbl_generated made;
    gbl_message message = {NULL, ""};
    CHECK(gbl_generate_laplacian(5, (gbl_grid){nx, ny, 1}, &made, &message) == GABLE_OK, "%s",
          message.text);
    return model_generated(&made);
}

#define MODELS 9
static const char *const model_names[MODELS] = {
    "1 by 1",      "empty rows", "one long row", "power law",    "5 points",
    "more shares", "no entries", "no columns",   "one row only",
};
static model make_model(int which)
{
    switch (which) {
    case 0:
        return model_random(1, 1, 1, 0, 3);
    case 1:
        return model_random(37, 29, 0.3, 3, 4);
    case 2:
        return model_ragged(131, 700, 7, 60, 5);
    case 3:
        return power_law(333, 444, 300);
    case 4:
        return laplacian(23, 19);
    case 5:
        return model_ragged(1300, 1400, 11, 1299, 6);
    case 6:
        return model_random(40, 30, 0, 0, 7);
    case 7:
        return model_random(17, 0, 0, 0, 8);
    default:
        return model_ragged(1, 3000, 1, 0, 9);
    }
}

/* ---- Cases ---- */

#define SCALARS 6
static const struct {
    number alpha, beta;
    bool on_device;
} scalars[SCALARS] = {
    {{1, 0}, {0, 0}, false},   {{1, 0}, {1, 0}, false},  {{-0.75, 0.5}, {1.25, -2}, false},
    {{0.5, -3}, {0, 0}, true}, {{0, 0}, {1.5, 1}, true}, {{2, 1}, {1, 0}, true},
};

static const gable_trans turns[] = {GABLE_NO_TRANS, GABLE_TRANS, GABLE_CONJ_TRANS};
static const char turn_letters[] = "NTC";

static product_case case_of(gbl_dtype dtype, int turn)
{
    const int which = turn % SCALARS;
    const number alpha = scalars[which].alpha, beta = scalars[which].beta;
    return (product_case){.dtype = dtype,
                          .trans = GABLE_NO_TRANS,
                          .k = 1,
                          .alpha = number_of(dtype, alpha.re, alpha.im),
                          .beta = number_of(dtype, beta.re, beta.im),
                          .on_device = scalars[which].on_device,
                          .x_unread = alpha.re == 0 && alpha.im == 0,
                          .columns_nan = true,
                          .seed = (uint64_t)turn + 11,
                          .around = guarded_ways[turn % GUARDED_WAYS]};
}

/* The model's matrix in a format; NULL: a failure was counted. */
static gable_sparse *made_in(gbl_dtype dtype, int bits, gable_format format, const model *m)
{
    gable_sparse *A = sparse_of(ctx, dtype, bits, m), *B = NULL;
    if (A == NULL || format == GABLE_CSR)
        return A;
    CHECK_OK(ctx, gbl_sparse_convert(ctx, A, format, 0, 0, &B));
    CHECK_OK(ctx, gable_sparse_destroy(ctx, A));
    return B;
}

/* The names of a case, for failures. */
static void name_case(const char *more, int matrix, gable_format format, int bits,
                      const product_case *of)
{
    test_case("%s: %s, %s, %c, %d bits, %c, k = %lld, alpha %g%+gi, beta %g%+gi%s, seed %llu", more,
              model_names[matrix], gbl_format_name(format), gbl_dtype_letter(of->dtype), bits,
              turn_letters[of->trans == GABLE_TRANS        ? 1
                           : of->trans == GABLE_CONJ_TRANS ? 2
                                                           : 0],
              (long long)of->k, of->alpha.re, of->alpha.im, of->beta.re, of->beta.im,
              of->on_device ? " on the device" : "", (unsigned long long)of->seed);
}

/* ---- The variants that are chosen ---- */

static const int64_t column_counts[] = {1, 2, 3, 8, 64, 0};

static void run_cases(int matrix, gbl_dtype dtype, int bits, gable_format format)
{
    model m = make_model(matrix);
    model_randomise(&m, dtype, (uint64_t)matrix + 1);
    gable_sparse *A = made_in(dtype, bits, format, &m);
    for (int s = 0; A != NULL && s < SCALARS; s++) {
        product_case of = case_of(dtype, s);
        name_case("chosen", matrix, format, bits, &of);
        product_check(ctx, A, &m, &of);
    }
    /* Several columns, with gaps between them. */
    const bool few = slow && dtype != GBL_D;
    for (int i = 0; A != NULL && !few && i < 6; i++) {
        product_case of = case_of(dtype, i + matrix);
        if (slow && (column_counts[i] == 2 || column_counts[i] == 8))
            continue;
        if (column_counts[i] > 8 && m.rows > 100 && !test_all())
            continue; /* the reference takes long */
        of.k = column_counts[i];
        of.several = true;
        of.more_x = i % 3;
        of.more_y = (i + 1) % 3;
        name_case("columns", matrix, format, bits, &of);
        product_check(ctx, A, &m, &of);
    }
    CHECK_OK(ctx, gable_sparse_destroy(ctx, A));
    model_free(&m);
}

static void test_chosen(void)
{
    static const struct {
        gbl_dtype dtype;
        int bits;
    } kinds[] = {{GBL_D, 32}, {GBL_C, 64}, {GBL_Z, 64}, {GBL_S, 32},
                 {GBL_D, 64}, {GBL_S, 64}, {GBL_C, 32}, {GBL_Z, 32}};
    const int few = slow ? 1 : 8;
    for (int matrix = 0; matrix < MODELS; matrix++)
        for (int kind = 0; kind < few; kind++)
            for (int f = 0; f < FORMATS; f++)
                run_cases(matrix, kinds[kind].dtype, kinds[kind].bits, formats[f]);
}

/* ---- Every variant, forced ---- */

static const int32_t small_values[] = {32, 2, 2, 4, 2, 2, 256};

/* Tunables: as they start, or the smallest that the tunable has from a small value on. */
static void set_params(const gbl_variant *variant, bool small, gbl_params *params)
{
    gbl_params_fallback(variant, params);
    for (int i = 0; small && i < variant->space_count; i++) {
        const gbl_param *of = &variant->space[i];
        for (int v = 0; v < of->count; v++)
            if (of->values[v] == small_values[i])
                params->value[i] = small_values[i];
    }
}

static int forced_runs(const gbl_op *op, const gbl_variant *variant, gbl_dtype dtype, int bits,
                       bool small)
{
    gbl_choice choice = {.variant = variant};
    int runs = 0;
    set_params(variant, small, &choice.params);
    CHECK_OK(ctx, gbl_force_choice(ctx, op, &choice));
    for (int matrix = 1; matrix < MODELS; matrix++) {
        if (slow && matrix != 2 && matrix != 3 && matrix != 5)
            continue; /* short rows are kernels of their own */
        model m = make_model(matrix);
        model_randomise(&m, dtype, (uint64_t)matrix + 1);
        for (int f = 0; f < FORMATS; f++) {
            gbl_sparse_args call = {.dtype = dtype, .A = {.format = (uint8_t)formats[f]}};
            if (!variant->fits(variant, &call, ctx->device))
                continue;
            gable_sparse *A = made_in(dtype, bits, formats[f], &m);
            product_case of = case_of(dtype, matrix + f);
            if (op == &gbl_sparse_mm_op) {
                of.k = 2 + matrix % 4;
                of.several = true;
                of.more_x = of.more_y = 1;
            }
            char name[64];
            snprintf(name, sizeof name, "%s=%s%s", op->stem, variant->name, small ? ", small" : "");
            name_case(name, matrix, formats[f], bits, &of);
            if (A != NULL)
                product_check(ctx, A, &m, &of);
            CHECK_OK(ctx, gable_sparse_destroy(ctx, A));
            runs++;
        }
        model_free(&m);
    }
    CHECK_OK(ctx, gbl_force_choice(ctx, op, NULL));
    return runs;
}

static void test_forced(void)
{
    const gbl_op *const ops[] = {&gbl_sparse_mv_op, &gbl_sparse_mm_op};
    for (int o = 0; o < 2; o++)
        for (int i = 0; i < ops[o]->variant_count; i++) {
            const gbl_variant *variant = &ops[o]->variants[i];
            int runs = 0;
            if (!slow) {
                /* On a GPU every form is compiled: half of them here, all in check-all. */
                const bool half = ctx->device->props.is_gpu && !test_all();
                for (int dtype = GBL_S; dtype <= GBL_Z; dtype++) {
                    const bool outer = dtype == GBL_S || dtype == GBL_Z;
                    if (outer || !half)
                        runs += forced_runs(ops[o], variant, (gbl_dtype)dtype, 32, false);
                    if (!outer || !half)
                        runs += forced_runs(ops[o], variant, (gbl_dtype)dtype, 64, true);
                }
            } else if (strstr(variant->name, "single_item") == NULL &&
                       (o == 0 || strcmp(variant->name, "lanes") == 0)) {
                /* Walks are what is chosen; kernels of several columns are those of one. */
                runs += forced_runs(ops[o], variant, GBL_C, 64, true);
            }
            printf("%s=%s: %d products\n", ops[o]->stem, variant->name, runs);
        }
}

/* More columns than CUDA takes groups along y. */
static void test_wide(void)
{
    model m = model_random(2, 2, 1, 0, 5);
    model_randomise(&m, GBL_D, 3);
    for (int i = 0; i < gbl_sparse_mm_op.variant_count; i++) {
        const gbl_variant *variant = &gbl_sparse_mm_op.variants[i];
        const bool in_pieces = strcmp(variant->name, "merge") == 0 ||
                               strncmp(variant->name, "coo", 3) == 0 ||
                               strncmp(variant->name, "hyb", 3) == 0;
        gbl_choice choice = {.variant = variant};
        if (slow && !in_pieces)
            continue;
        set_params(variant, true, &choice.params);
        CHECK_OK(ctx, gbl_force_choice(ctx, &gbl_sparse_mm_op, &choice));
        for (int f = 0; f < FORMATS; f++) {
            gbl_sparse_args call = {.dtype = GBL_D, .A = {.format = (uint8_t)formats[f]}};
            if (!variant->fits(variant, &call, ctx->device))
                continue;
            gable_sparse *A = made_in(GBL_D, 32, formats[f], &m);
            product_case of = case_of(GBL_D, 2);
            of.k = 65539;
            of.several = true;
            of.more_x = of.more_y = 1;
            test_case("%s: %s, k = 65539", variant->name, gbl_format_name(formats[f]));
            if (A != NULL)
                product_check(ctx, A, &m, &of);
            CHECK_OK(ctx, gable_sparse_destroy(ctx, A));
        }
        CHECK_OK(ctx, gbl_force_choice(ctx, &gbl_sparse_mm_op, NULL));
    }
    model_free(&m);
}

/* ---- Transposes ---- */

static void test_transposes(void)
{
    for (int matrix = 0; matrix < MODELS; matrix++)
        for (int kind = slow ? 2 : 1; kind < (slow ? 3 : 5); kind++) {
            const gbl_dtype dtype = (gbl_dtype)(kind % 4);
            const int bits = kind % 2 ? 32 : 64;
            model m = make_model(matrix);
            model_randomise(&m, dtype, (uint64_t)matrix + 2);
            gable_sparse *A = made_in(dtype, bits, formats[(matrix + kind) % FORMATS], &m);
            for (int t = 0; A != NULL && t < 3; t++) {
                product_case of = case_of(dtype, matrix + kind + t);
                of.trans = turns[t];
                of.k = slow ? 1 : 1 + (matrix + t) % 2;
                name_case("transposes", matrix, formats[(matrix + kind) % FORMATS], bits, &of);
                product_check(ctx, A, &m, &of);
            }
            CHECK_OK(ctx, gable_sparse_destroy(ctx, A));
            model_free(&m);
        }
}

/* ---- Doors, arguments, recordings, the choice ---- */

/* The typed functions give what the untyped way gives. */
static void test_doors(void)
{
    model m = model_random(3, 2, 1, 0, 5); /* all places are filled */
    for (int64_t e = 0; e < m.entries; e++)
        m.value[e] = (number){(double)(e + 1), 0};
    const double wanted[] = {2 * (1 * 1 + 2 * 10) + 3 * 1, 2 * (3 * 1 + 4 * 10) + 3 * 2,
                             2 * (5 * 1 + 6 * 10) + 3 * 3};
    for (int kind = 0; kind < 4; kind++)
        for (int form = 0; form < 4; form++) {
            const gbl_dtype dtype = (gbl_dtype)kind;
            const size_t elem = gbl_dtype_bytes(dtype);
            char near[8 * 16];
            char *far = NULL;
            gable_sparse *A = sparse_of(ctx, dtype, 32, &m);
            /* x, y, alpha, beta */
            static const double numbers[] = {1, 10, 1, 2, 3, 2, 3};
            for (int i = 0; i < 7; i++)
                number_store(dtype, near + (size_t)i * elem, (number){numbers[i], 0});
            test_case("doors: %c, form %d", gbl_dtype_letter(dtype), form);
            CHECK_OK(ctx, gable_alloc(ctx, 7 * elem, (void **)&far));
            CHECK_OK(ctx, gable_set_vector(ctx, 7, elem, near, 1, far, 1));
            void *x = far, *y = far + 2 * elem, *alpha = far + 5 * elem, *beta = far + 6 * elem;
#define DOORS(letter, two, three)                                                                  \
    (form == 0   ? gable_sparse_##letter##mv(ctx, GABLE_NO_TRANS, two, A, x, three, y)             \
     : form == 1 ? gable_sparse_##letter##mv_dev(ctx, GABLE_NO_TRANS, alpha, A, x, beta, y)        \
     : form == 2                                                                                   \
         ? gable_sparse_##letter##mm(ctx, GABLE_NO_TRANS, 1, two, A, x, 2, three, y, 3)            \
         : gable_sparse_##letter##mm_dev(ctx, GABLE_NO_TRANS, 1, alpha, A, x, 2, beta, y, 3))
            const gable_cfloat two_c = {2, 0}, three_c = {3, 0};
            const gable_cdouble two_z = {2, 0}, three_z = {3, 0};
            const gable_status status = dtype == GBL_S   ? DOORS(s, 2, 3)
                                        : dtype == GBL_D ? DOORS(d, 2, 3)
                                        : dtype == GBL_C ? DOORS(c, two_c, three_c)
                                                         : DOORS(z, two_z, three_z);
            CHECK(status == GABLE_OK, "%s", gable_message(ctx));
            CHECK_OK(ctx, gable_get_vector(ctx, 7, elem, far, 1, near, 1));
            for (int i = 0; i < 3; i++)
                CHECK(number_load(dtype, near + (size_t)(2 + i) * elem).re == wanted[i],
                      "row %d is %g, not %g", i,
                      number_load(dtype, near + (size_t)(2 + i) * elem).re, wanted[i]);
            CHECK_OK(ctx, gable_free(ctx, far));
            CHECK_OK(ctx, gable_sparse_destroy(ctx, A));
        }
    model_free(&m);
}

static void test_arguments(void)
{
    model m = model_random(9, 7, 0.5, 0, 5);
    gable_sparse *A = sparse_of(ctx, GBL_D, 32, &m);
    double *x = NULL, *y = NULL;
    CHECK_OK(ctx, gable_alloc(ctx, 64 * sizeof *x, (void **)&x));
    CHECK_OK(ctx, gable_alloc(ctx, 64 * sizeof *y, (void **)&y));
    test_case("arguments of mv");
#define MV(pieces, ...)                                                                            \
    CHECK_REFUSED(ctx, gable_sparse_dmv(ctx, __VA_ARGS__), GABLE_BAD_ARGUMENT, "gable_sparse_dmv", \
                  pieces)
#define MM(pieces, ...)                                                                            \
    CHECK_REFUSED(ctx, gable_sparse_dmm(ctx, __VA_ARGS__), GABLE_BAD_ARGUMENT, "gable_sparse_dmm", \
                  pieces)
    MV("argument 2 (trans) is 7", (gable_trans)7, 1, A, x, 0, y);
    MV("argument 4 (A) is NULL", GABLE_NO_TRANS, 1, NULL, x, 0, y);
    MV("argument 5 (x) is NULL", GABLE_NO_TRANS, 1, A, NULL, 0, y);
    MV("argument 7 (y) is NULL", GABLE_NO_TRANS, 1, A, x, 0, NULL);
    CHECK_OK(ctx, gable_sparse_dmv(ctx, GABLE_NO_TRANS, 0, A, NULL, 0, y)); /* x is not read */
    CHECK_REFUSED(ctx, gable_sparse_smv(ctx, GABLE_NO_TRANS, 1, A, (float *)x, 0, (float *)y),
                  GABLE_BAD_ARGUMENT, "gable_sparse_smv", "argument 4 (A)", "precision d");
    CHECK_REFUSED(ctx, gable_sparse_dmv_dev(ctx, GABLE_NO_TRANS, NULL, A, x, y, y),
                  GABLE_BAD_ARGUMENT, "gable_sparse_dmv_dev", "argument 3 (alpha)", "NULL");
    CHECK_REFUSED(ctx, gable_sparse_dmv_dev(ctx, GABLE_NO_TRANS, x, A, x, NULL, y),
                  GABLE_BAD_ARGUMENT, "gable_sparse_dmv_dev", "argument 6 (beta)", "NULL");
    test_case("arguments of mm");
    MM("argument 3 (k) is -1", GABLE_NO_TRANS, -1, 1, A, x, 7, 0, y, 9);
    MM("argument 5 (A) is NULL", GABLE_NO_TRANS, 2, 1, NULL, x, 7, 0, y, 9);
    MM("argument 6 (X) is NULL", GABLE_NO_TRANS, 2, 1, A, NULL, 7, 0, y, 9);
    MM("argument 7 (ldx) is 6; it must be at least max(1, 7)", GABLE_NO_TRANS, 2, 1, A, x, 6, 0, y,
       9);
    MM("argument 7 (ldx) is 8; it must be at least max(1, 9)", GABLE_TRANS, 2, 1, A, x, 8, 0, y, 9);
    MM("argument 9 (Y) is NULL", GABLE_NO_TRANS, 2, 1, A, x, 7, 0, NULL, 9);
    MM("argument 10 (ldy) is 8; it must be at least max(1, 9)", GABLE_NO_TRANS, 2, 1, A, x, 7, 0, y,
       8);
    MM("argument 7 (ldx)", GABLE_NO_TRANS, INT64_MAX, 1, A, x, 7, 0, y, 9);
    CHECK_OK(ctx, gable_sparse_dmm(ctx, GABLE_NO_TRANS, 0, 1, A, NULL, 7, 0, NULL, 9));
    CHECK_OK(ctx, gable_free(ctx, x));
    CHECK_OK(ctx, gable_free(ctx, y));
    CHECK_OK(ctx, gable_sparse_destroy(ctx, A));
    model_free(&m);
}

/* A recorded product is made when it is replayed, with what x and beta are then. */
static void test_recorded(void)
{
    enum { N = 23 * 19 };
    model m = make_model(4);
    static double x[N], y[N], twice[N], beta;
    double *far = NULL;
    for (int64_t e = 0; e < m.entries; e++)
        m.value[e] = (number){(double)(1 + e % 3), 0};
    for (int f = 0; f < FORMATS; f++) {
        gable_sparse *A = made_in(GBL_D, 32, formats[f], &m);
        gable_recording *recording = NULL;
        test_case("recorded: %s", gbl_format_name(formats[f]));
        CHECK_OK(ctx, gable_alloc(ctx, (2 * N + 2) * sizeof *far, (void **)&far));
        double *dx = far, *dy = far + N, *dalpha = far + 2 * N, *dbeta = dalpha + 1;
        for (int i = 0; i < N; i++) {
            x[i] = i % 5;
            y[i] = 100 + i;
        }
        const double one = 1;
        beta = 0;
        CHECK_OK(ctx, gable_set_vector(ctx, N, sizeof *x, y, 1, dy, 1));
        CHECK_OK(ctx, gable_set_vector(ctx, 1, sizeof one, &one, 1, dalpha, 1));
        CHECK_OK(ctx, gable_set_vector(ctx, 1, sizeof beta, &beta, 1, dbeta, 1));
        CHECK_OK(ctx, gable_record_begin(ctx));
        CHECK_OK(ctx, gable_sparse_dmv_dev(ctx, GABLE_NO_TRANS, dalpha, A, dx, dbeta, dy));
        CHECK_OK(ctx, gable_record_end(ctx, &recording));
        CHECK_OK(ctx, gable_set_vector(ctx, N, sizeof *x, x, 1, dx, 1));
        CHECK_OK(ctx, gable_replay(ctx, recording));
        CHECK_OK(ctx, gable_get_vector(ctx, N, sizeof *y, dy, 1, y, 1));
        beta = 3;
        CHECK_OK(ctx, gable_set_vector(ctx, 1, sizeof beta, &beta, 1, dbeta, 1));
        CHECK_OK(ctx, gable_replay(ctx, recording));
        CHECK_OK(ctx, gable_get_vector(ctx, N, sizeof *y, dy, 1, twice, 1));
        for (int i = 0; i < N; i++) {
            double sum = 0;
            for (int64_t e = m.start[i]; e < m.start[i + 1]; e++)
                sum += m.value[e].re * x[m.column[e]];
            CHECK(y[i] == sum, "row %d is %g, not %g", i, y[i], sum);
            CHECK(twice[i] == 4 * sum, "row %d is %g the second time, not %g", i, twice[i],
                  4 * sum);
        }
        gable_recording_destroy(recording);
        CHECK_OK(ctx, gable_free(ctx, far));
        CHECK_OK(ctx, gable_sparse_destroy(ctx, A));
    }
    model_free(&m);
}

/* The format for a matrix that is only described, d with indices of 32 bits. */
static gable_format picked(int64_t rows, int64_t shortest, int64_t longest, double mean,
                           double deviation, char *why, size_t why_bytes)
{
    /* Two cores of a Xeon (Sapphire Rapids), measured 2026-11. */
    static const gbl_roofs roofs = {
        .read = 27.4e9,
        .write = 19.2e9,
        .copy = 35.1e9,
        .cache = 48e9,
        .cache_bytes = 45.8e6,
        .unit = 14.5e9,
        .flops = {[GBL_S] = 311e9, [GBL_D] = 138e9, [GBL_C] = 311e9, [GBL_Z] = 138e9},
        .launch_replay = 3.5e-9,
        .launch_single = 6.7e-8,
        .latency = 2.4e-7,
        .barrier = 1.2e-6,
        .points = 3,
        .point_bytes = {32768, 2097152, 33554432},
        .point_read = {97e9, 104e9, 48e9}};
    gbl_format_foreseen list[GABLE_HYB + 1];
    gable_sparse A = {.device = ctx->device, .measured = true};
    A.layout = (gbl_sparse_layout){.dtype = GBL_D,
                                   .format = GABLE_CSR,
                                   .index_bytes = 4,
                                   .rows = rows,
                                   .columns = rows,
                                   .entries = (int64_t)(mean * (double)rows),
                                   .longest = longest};
    A.layout.stored = A.layout.entries;
    A.lengths.shortest = shortest;
    A.lengths.longest = longest;
    A.lengths.mean = mean;
    A.lengths.deviation = deviation;
    CHECK_OK(ctx, gbl_sparse_foresee(ctx, &A, &roofs, list));
    return gbl_sparse_pick(&A, list, 0, why, why_bytes);
}

/* On the cpu, formats are taken that were measured to be faster there, not those with a few bytes
 * less. */
static void test_host_choice(void)
{
    char why[256] = "";
    if (!ctx->device->props.is_host)
        return;
    const bool gathers = gbl_cpu_gathers();
    gbl_cpu_features_hide(true);
    test_case("7 points, 50^3, single loads");
    gable_format format = picked(125000, 4, 7, 6.88, 0.33, why, sizeof why);
    CHECK(format == GABLE_CSR, "%s", why); /* 794 us, SELL 831 */
    gbl_cpu_features_hide(false);
    if (!gathers)
        return;
    test_case("7 points, 20^3, gathers");
    format = picked(8000, 4, 7, 6.7, 0.5, why, sizeof why);
    CHECK(format == GABLE_SELL || format == GABLE_ELL, "%s", why); /* CSR 24.1, SELL 16.4 */
    test_case("1138_bus, gathers");
    format = picked(1138, 2, 18, 3.56, 1.8, why, sizeof why);
    CHECK(format == GABLE_SELL, "%s", why); /* CSR 2.9, SELL 2.5, ELL 7.4 */
    test_case("memplus, gathers");
    format = picked(17758, 2, 574, 7.1, 22, why, sizeof why);
    CHECK(format == GABLE_CSR || format == GABLE_SELL, "%s", why); /* ELL 50000 */
}

static void test_choice(void)
{
    for (int matrix = 0; matrix < MODELS; matrix++) {
        model m = make_model(matrix);
        gable_sparse *A = sparse_of(ctx, GBL_D, 32, &m), *B = NULL;
        gable_format format = GABLE_FORMAT_AUTO;
        int64_t chunk = -1, sigma = -1;
        char why[256] = "";
        test_case("the choice for %s", model_names[matrix]);
        CHECK_OK(ctx, gbl_sparse_choose(ctx, A, &format, &chunk, &sigma, why, sizeof why));
        CHECK(format >= GABLE_CSR && format <= GABLE_HYB && chunk >= 0 && sigma >= 0,
              "format %d, chunk %lld, sigma %lld", (int)format, (long long)chunk, (long long)sigma);
        CHECK(strncmp(why, gbl_format_name(format), strlen(gbl_format_name(format))) == 0,
              "\"%s\" does not start with %s", why, gbl_format_name(format));
        CHECK(matrix != 2 || format != GABLE_ELL, "one long row fills up all others: %s", why);
        CHECK(matrix != 6 || format == GABLE_CSR, "a matrix without entries: %s", why);
        printf("%s: %s\n", model_names[matrix], why);
        CHECK_OK(ctx, gbl_sparse_convert(ctx, A, format, chunk, sigma, &B));
        CHECK_OK(ctx, gable_sparse_destroy(ctx, A));
        CHECK_OK(ctx, gable_sparse_destroy(ctx, B));
        model_free(&m);
    }
    test_host_choice();
}

/* test_sparse_mv [chosen|forced|...]: all parts, or one. */
int main(int argc, char **argv)
{
    static void (*const parts[])(void) = {test_chosen,     test_forced, test_wide,
                                          test_transposes, test_doors,  test_arguments,
                                          test_recorded,   test_choice};
    static const char *const names[] = {"chosen", "forced",    "wide",     "transposes",
                                        "doors",  "arguments", "recorded", "choice"};
    const int count = (int)(sizeof parts / sizeof parts[0]);
    if (argc == 1 && side_by_side_asked())
        return side_by_side(argv[0], names, count);
    test_start("test_sparse_mv");
    ctx = test_open();
    slow = test_small() ||
           (ctx->device->table->build != NULL && !ctx->device->props.is_gpu && !test_all());
    for (int i = 0; i < count; i++)
        if (argc == 1 || strcmp(argv[1], names[i]) == 0)
            parts[i]();
    gable_close(ctx);
    return test_finish();
}

/* test_sparse_convert.c: formats of sparse matrices: how they lie in memory, there and back, the
 * same bits again.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Every place of every format is compared with what src/device/sparse_args.h says, entry by entry.
 */
#include <stdlib.h>
#include <string.h>
#include "sparse/matrix/sparse_matrix.h"
#include "sparse/matrix/sparse_model.h"

static gable_context *ctx;

/* ---- Arrays of a layout, on the host ---- */

typedef struct near {
    int64_t *start, *row, *column, *order, *rest_row, *rest_column;
    void *value, *rest_value;
} near;

static int64_t *fetch_indices(const void *array, int bytes, int64_t count)
{
    int64_t *indices = malloc(((size_t)count + 1) * sizeof *indices);
    int32_t *narrow = malloc(((size_t)count + 1) * sizeof *narrow);
    if (array != NULL)
        CHECK_OK(ctx, gable_get_vector(ctx, count, (size_t)bytes, array, 1,
                                       bytes == 4 ? (void *)narrow : (void *)indices, 1));
    for (int64_t i = 0; i < count && bytes == 4; i++)
        indices[i] = narrow[i];
    free(narrow);
    return indices;
}

static void *fetch_values(const void *array, gbl_dtype dtype, int64_t count)
{
    const size_t elem = gbl_dtype_bytes(dtype);
    void *values = calloc((size_t)count + 1, elem);
    if (array != NULL)
        CHECK_OK(ctx, gable_get_vector(ctx, count, elem, array, 1, values, 1));
    return values;
}

static near near_of(const gbl_sparse_layout *A)
{
    const int bytes = A->index_bytes;
    const int64_t starts = A->format == GABLE_CSR ? A->rows + 1 : A->slices + 1;
    return (near){.start = fetch_indices(A->start, bytes, starts),
                  .row = fetch_indices(A->row, bytes, A->entries),
                  .column = fetch_indices(A->column, bytes, A->stored),
                  .order = fetch_indices(A->order, bytes, A->rows),
                  .rest_row = fetch_indices(A->rest_row, bytes, A->rest),
                  .rest_column = fetch_indices(A->rest_column, bytes, A->rest),
                  .value = fetch_values(A->value, A->dtype, A->stored),
                  .rest_value = fetch_values(A->rest_value, A->dtype, A->rest)};
}

static void near_free(near *n)
{
    void *const all[] = {n->start,    n->row,         n->column, n->order,
                         n->rest_row, n->rest_column, n->value,  n->rest_value};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        free(all[i]);
}

/* ---- Every place against the model ---- */

static int64_t wrong; /* places */

static void place_is(const gbl_sparse_layout *A, const near *n, int64_t at, int64_t column,
                     number value)
{
    const number found = element_get(A->dtype, n->value, at);
    const number wanted = number_of(A->dtype, value.re, value.im);
    wrong += n->column[at] != column || found.re != wanted.re || found.im != wanted.im;
}

/* Row `row` in `width` places, `step` apart; gives how many entries of it do not fit. */
static int64_t padded_row(const gbl_sparse_layout *A, const near *n, const model *m, int64_t row,
                          int64_t base, int64_t step, int64_t width)
{
    const int64_t from = row >= 0 ? m->start[row] : 0, to = row >= 0 ? m->start[row + 1] : 0;
    for (int64_t j = 0; j < width; j++)
        if (from + j < to)
            place_is(A, n, base + j * step, m->column[from + j], m->value[from + j]);
        else
            place_is(A, n, base + j * step, -1, (number){0, 0});
    return to - from > width ? to - from - width : 0;
}

static void check_ell(const gbl_sparse_layout *A, const near *n, const model *m)
{
    int64_t rest = 0, width = 0, longer = 0, filling = 0;
    CHECK(A->stride % 32 == 0 && A->stride >= m->rows && A->stride < m->rows + 32, "stride %lld",
          (long long)A->stride);
    CHECK(A->stored == A->stride * A->width, "%lld places", (long long)A->stored);
    for (int64_t i = 0; i < A->stride; i++) {
        const int64_t row = i < m->rows ? i : -1,
                      left = padded_row(A, n, m, row, i, A->stride, A->width);
        for (int64_t j = 0; j < left; j++, rest++) {
            const int64_t e = m->start[row] + A->width + j;
            const number found = element_get(A->dtype, n->rest_value, rest),
                         wanted = number_of(A->dtype, m->value[e].re, m->value[e].im);
            wrong += rest >= A->rest || n->rest_row[rest] != row ||
                     n->rest_column[rest] != m->column[e] || found.re != wanted.re ||
                     found.im != wanted.im;
        }
        longer += left > 0;
        const int64_t length = row >= 0 ? m->start[row + 1] - m->start[row] : 0;
        width = length > width ? length : width;
        filling += length >= A->width;
    }
    CHECK(rest == A->rest, "%lld entries are left, not %lld", (long long)A->rest, (long long)rest);
    if (A->format == GABLE_ELL)
        CHECK(A->width == width && rest == 0, "width %lld", (long long)A->width);
    else
        CHECK(longer <= m->rows / 3 && (A->width == 0 || filling > m->rows / 3),
              "%lld of %lld rows are longer, %lld than one less", (long long)longer,
              (long long)m->rows, (long long)filling);
}

static void check_sell(const gbl_sparse_layout *A, const near *n, const model *m)
{
    const int64_t rows = m->rows;
    int64_t *seen = calloc((size_t)rows + 1, sizeof *seen), places = 0, unsorted = 0;
    CHECK(A->slices == (rows + A->chunk - 1) / A->chunk, "%lld slices", (long long)A->slices);
    CHECK((A->order != NULL) == (A->sigma > 1), "an order where sigma is %lld",
          (long long)A->sigma);
    for (int64_t s = 0; s < A->slices; s++) {
        const int64_t width = (n->start[s + 1] - n->start[s]) / A->chunk;
        int64_t longest = 0;
        wrong += n->start[s] != places;
        for (int64_t l = 0; l < A->chunk; l++) {
            const int64_t i = s * A->chunk + l, row = i >= rows          ? -1
                                                      : A->order != NULL ? n->order[i]
                                                                         : i;
            if (row >= 0) {
                seen[row]++;
                const int64_t length = m->start[row + 1] - m->start[row];
                longest = length > longest ? length : longest;
                wrong += row / A->sigma != i / A->sigma; /* it stays in its window */
                if (i % A->sigma > 0) {
                    const int64_t above = A->order != NULL ? n->order[i - 1] : i - 1,
                                  other = m->start[above + 1] - m->start[above];
                    unsorted += other < length || (other == length && above > row);
                }
            }
            wrong += padded_row(A, n, m, row, n->start[s] + l, A->chunk, width);
        }
        wrong += longest != width;
        places = n->start[s + 1];
    }
    for (int64_t i = 0; i < rows; i++)
        wrong += seen[i] != 1;
    CHECK(places == A->stored, "%lld places, not %lld", (long long)places, (long long)A->stored);
    CHECK(unsorted == 0, "%lld rows stand behind shorter ones", (long long)unsorted);
    free(seen);
}

static void check_layout(const gable_sparse *B, const model *m)
{
    const gbl_sparse_layout *A = &B->layout;
    near n = near_of(A);
    wrong = 0;
    switch (A->format) {
    case GABLE_ELL:
    case GABLE_HYB:
        check_ell(A, &n, m);
        break;
    case GABLE_SELL:
        check_sell(A, &n, m);
        break;
    default:
        CHECK(A->stored == m->entries, "%lld places", (long long)A->stored);
        for (int64_t i = 0; i < m->rows; i++) {
            wrong += A->format == GABLE_CSR && n.start[i + 1] != m->start[i + 1];
            for (int64_t e = m->start[i]; e < m->start[i + 1]; e++) {
                wrong += A->format == GABLE_COO && n.row[e] != i;
                place_is(A, &n, e, m->column[e], m->value[e]);
            }
        }
    }
    CHECK(wrong == 0, "%lld places are wrong", (long long)wrong);
    near_free(&n);
}

/* ---- There and back ---- */

static const struct {
    gable_format format;
    int64_t chunk, sigma;
} targets[] = {{GABLE_CSR, 0, 0},  {GABLE_COO, 0, 0},         {GABLE_ELL, 0, 0},
               {GABLE_SELL, 0, 0}, {GABLE_SELL, 4, 1},        {GABLE_SELL, 8, 24},
               {GABLE_SELL, 1, 7}, {GABLE_SELL, 32, 1 << 20}, {GABLE_HYB, 0, 0}};
#define TARGETS ((int)(sizeof targets / sizeof targets[0]))

static void convert(gbl_dtype dtype, int bits, const model *m, const char *what)
{
    gable_sparse *A = sparse_of(ctx, dtype, bits, m);
    for (int t = 0; A != NULL && t < TARGETS; t++) {
        gable_sparse *B = NULL, *C = NULL, *D = NULL;
        test_case("%c, %d bits, %s to format %d, chunk %lld, sigma %lld", gbl_dtype_letter(dtype),
                  bits, what, (int)targets[t].format, (long long)targets[t].chunk,
                  (long long)targets[t].sigma);
        if (!CHECK_OK(ctx, gable_sparse_convert(ctx, A, targets[t].format, targets[t].chunk,
                                                targets[t].sigma, &B)))
            continue;
        check_layout(B, m);
        check_same(ctx, dtype, B, m);
        if (CHECK_OK(ctx, gable_sparse_convert(ctx, B, GABLE_CSR, 0, 0, &C))) {
            check_layout(C, m);
            check_same(ctx, dtype, C, m);
        }
        /* straight from one to the next */
        const int next = (t + 3) % TARGETS;
        if (CHECK_OK(ctx, gable_sparse_convert(ctx, B, targets[next].format, targets[next].chunk,
                                               targets[next].sigma, &D)))
            check_layout(D, m);
        CHECK_OK(ctx, gable_sparse_destroy(ctx, B));
        CHECK_OK(ctx, gable_sparse_destroy(ctx, C));
        CHECK_OK(ctx, gable_sparse_destroy(ctx, D));
    }
    CHECK_OK(ctx, gable_sparse_destroy(ctx, A));
}

static void shapes(gbl_dtype dtype, int bits)
{
    const struct {
        const char *what;
        model m;
    } all[] = {{"0 x 0", model_random(0, 0, 0, 0, 1)},
               {"0 x 5", model_random(0, 5, 0, 0, 1)},
               {"7 x 0", model_random(7, 0, 0, 0, 1)},
               {"1 x 1", model_random(1, 1, 1, 0, 2)},
               {"7 x 9 without entries", model_random(7, 9, 0, 0, 3)},
               {"37 x 53", model_random(37, 53, 0.2, 3, 4)},
               {"65 x 64, full", model_random(65, 64, 1, 0, 5)},
               {"150 x 90, ragged", model_ragged(150, 90, 9, 71, 6)},
               {"300 x 40, a long row", model_ragged(300, 40, 1, 299, 7)}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        model m = all[i].m;
        convert(dtype, bits, &m, all[i].what);
        model_free(&m);
    }
}

/* ---- Refusals, defaults ---- */

static void arguments(void)
{
    model m = model_ragged(3000, 3000, 1, 17, 8), thin = model_ragged(4000, 10, 1, -1, 9);
    thin.entries = 0; /* one entry alone: */
    for (int64_t i = 0; i <= thin.rows; i++)
        thin.start[i] = i > 5;
    thin.entries = 1;
    gable_sparse *A = sparse_of(ctx, GBL_D, 32, &m), *B = NULL,
                 *one = sparse_of(ctx, GBL_D, 32, &thin);
    const char *name = "gable_sparse_convert";
    test_case("arguments of %s", name);
    CHECK_REFUSED(ctx, gable_sparse_convert(ctx, NULL, GABLE_ELL, 0, 0, &B), GABLE_BAD_ARGUMENT,
                  name, "argument 2 (A)", "NULL");
    CHECK_REFUSED(ctx, gable_sparse_convert(ctx, A, (gable_format)9, 0, 0, &B), GABLE_BAD_ARGUMENT,
                  name, "argument 3 (format)", "9");
    CHECK_REFUSED(ctx, gable_sparse_convert(ctx, A, GABLE_ELL, 4, 0, &B), GABLE_BAD_ARGUMENT, name,
                  "argument 4 (chunk)", "4");
    CHECK_REFUSED(ctx, gable_sparse_convert(ctx, A, GABLE_SELL, 12, 0, &B), GABLE_BAD_ARGUMENT,
                  name, "argument 4 (chunk)", "power of two");
    CHECK_REFUSED(ctx, gable_sparse_convert(ctx, A, GABLE_SELL, 2048, 0, &B), GABLE_BAD_ARGUMENT,
                  name, "argument 4 (chunk)", "1024");
    CHECK_REFUSED(ctx, gable_sparse_convert(ctx, A, GABLE_SELL, 8, -1, &B), GABLE_BAD_ARGUMENT,
                  name, "argument 5 (sigma)", "-1");
    CHECK_REFUSED(ctx, gable_sparse_convert(ctx, A, GABLE_CSR, 0, 3, &B), GABLE_BAD_ARGUMENT, name,
                  "argument 5 (sigma)", "3");
    CHECK_REFUSED(ctx, gable_sparse_convert(ctx, A, GABLE_SELL, 8, 1, NULL), GABLE_BAD_ARGUMENT,
                  name, "argument 6 (B)", "NULL");
    CHECK_REFUSED(ctx, gable_sparse_convert(ctx, A, GABLE_ELL, 0, 0, &B), GABLE_NOT_SUPPORTED, name,
                  "ELL", "9024000 places", "5999 entries", "1000");
    CHECK_REFUSED(ctx, gable_sparse_convert(ctx, one, GABLE_ELL, 0, 0, &B), GABLE_NOT_SUPPORTED,
                  name, "4000 places", "1 entries");
    CHECK(B == NULL, "a matrix was made");
    gable_sparse_info info;
    test_case("what suits");
    if (CHECK_OK(ctx, gable_sparse_convert(ctx, A, GABLE_SELL, 0, 0, &B))) {
        CHECK_OK(ctx, gable_sparse_describe(ctx, B, &info));
        CHECK(info.format == GABLE_SELL && info.chunk > 1 && info.sigma > info.chunk &&
                  info.stored < 6000 + 3000 * info.chunk,
              "chunk %lld, sigma %lld, %lld places", (long long)info.chunk, (long long)info.sigma,
              (long long)info.stored);
        CHECK_OK(ctx, gable_sparse_destroy(ctx, B));
    }
    CHECK_OK(ctx, gable_sparse_destroy(ctx, A));
    CHECK_OK(ctx, gable_sparse_destroy(ctx, one));
    model_free(&m);
    model_free(&thin);
}

/* ---- How many products repay a conversion ---- */

static void repeats(void)
{
    model m = model_ragged(300, 300, 9, -1, 6);
    gable_sparse *A = sparse_of(ctx, GBL_D, 32, &m), *B = NULL;
    const char *name = "gable_sparse_set";
    gable_format format = GABLE_FORMAT_AUTO;
    char why[256] = "";
    test_case("arguments of %s", name);
    CHECK_REFUSED(ctx, gable_sparse_set(ctx, NULL, "repeats=1"), GABLE_BAD_ARGUMENT, name,
                  "argument 2 (A)", "NULL");
    CHECK_REFUSED(ctx, gable_sparse_set(ctx, A, NULL), GABLE_BAD_ARGUMENT, name,
                  "argument 3 (options)", "NULL");
    CHECK_REFUSED(ctx, gable_sparse_set(ctx, A, "often"), GABLE_BAD_ARGUMENT, name,
                  "argument 3 (options)", "often", "repeats");
    CHECK_REFUSED(ctx, gable_sparse_set(ctx, A, "repeats=-1"), GABLE_BAD_ARGUMENT, name,
                  "argument 3 (options)", "repeats=-1", "whole number");
    CHECK_REFUSED(ctx, gable_sparse_set(ctx, A, "repeats=1.5"), GABLE_BAD_ARGUMENT, name,
                  "repeats=1.5");
    CHECK(atomic_load(&A->repeats) == 0, "a refused option was taken");

    test_case("one product repays no conversion");
    CHECK_OK(ctx, gable_sparse_set(ctx, A, "repeats=1"));
    CHECK_OK(ctx, gable_sparse_choose(ctx, A, &format, why, sizeof why));
    CHECK(format == GABLE_CSR, "%s", why);
    if (CHECK_OK(ctx, gable_sparse_convert(ctx, A, GABLE_FORMAT_AUTO, 0, 0, &B)))
        CHECK(B->layout.format == GABLE_CSR && atomic_load(&B->repeats) == 1, "format %d",
              (int)B->layout.format);

    /* SELL gains 5 us per product and takes 100 us to make: 20 products. */
    gbl_format_foreseen list[GABLE_HYB + 1] = {
        [GABLE_CSR] = {.bytes = 4e4, .seconds = 1e-5, .compared = 1e-5},
        [GABLE_COO] = {.bytes = 6e4, .seconds = 2e-5, .compared = 2e-5, .made = 1e-5},
        [GABLE_ELL] = {.bytes = 4e4, .seconds = 9e-6, .compared = 9e-6, .made = 1e-3},
        [GABLE_SELL] = {.bytes = 4e4, .seconds = 5e-6, .compared = 5e-6, .made = 1e-4},
    };
    test_case("a conversion that 20 products repay");
    CHECK(gbl_format_repaid(A, list, GABLE_SELL) == 20, "after %lld",
          (long long)gbl_format_repaid(A, list, GABLE_SELL));
    CHECK(gbl_sparse_pick(A, list, 0, why, sizeof why) == GABLE_SELL, "%s", why);
    CHECK(gbl_sparse_pick(A, list, 19, why, sizeof why) == GABLE_CSR && strstr(why, "20") != NULL &&
              strstr(why, "19 products") != NULL,
          "%s", why);
    CHECK(gbl_sparse_pick(A, list, 30, why, sizeof why) == GABLE_SELL &&
              strstr(why, "repaid after 20 products") != NULL,
          "%s", why);
    /* What A has need not be made. */
    if (B != NULL && CHECK_OK(ctx, gable_sparse_destroy(ctx, B)) &&
        CHECK_OK(ctx, gable_sparse_convert(ctx, A, GABLE_ELL, 0, 0, &B))) {
        list[GABLE_ELL].made = 0;
        list[GABLE_CSR].made = 1e-4;
        CHECK(gbl_sparse_pick(B, list, 10, NULL, 0) == GABLE_ELL, "ELL does not stay");
        CHECK(gbl_sparse_pick(B, list, 100, NULL, 0) == GABLE_SELL, "SELL is not taken");
        CHECK_OK(ctx, gable_sparse_destroy(ctx, B));
    }
    CHECK_OK(ctx, gable_sparse_destroy(ctx, A));
    model_free(&m);
}

/* A row alone against a product that divides entries, on a device like an H200. */
static void long_rows(void)
{
    const gbl_roofs roofs = {.copy = 4e12,
                             .read = 4.4e12,
                             .write = 4e12,
                             .points = 2,
                             .point_bytes = {1 << 20, 1 << 30},
                             .point_read = {8e12, 4.4e12},
                             .cache = 8e12,
                             .cache_bytes = 4e7,
                             .unit = 5e10,
                             .flops = {6e13, 3e13, 6e13, 3e13},
                             .launch_replay = 1.5e-6,
                             .launch_single = 4e-6,
                             .latency = 7e-7,
                             .barrier = 1e-6};
    gbl_device pretended = *ctx->device;
    pretended.props.is_gpu = true;
    pretended.props.is_host = false;
    pretended.props.units = 132;
    pretended.props.simd = 32;
    pretended.props.max_group = 1024;
    gbl_sparse_layout A = {.dtype = GBL_D,
                           .format = GABLE_CSR,
                           .index_bytes = 4,
                           .rows = 1000000,
                           .columns = 1000000,
                           .entries = 7000000,
                           .stored = 7000000,
                           .longest = 7};
    test_case("rows that hold others back");
    const bool kernels = ctx->device->table->build != NULL;
    CHECK(!gbl_sparse_rows_hold_back(&pretended, &A, &roofs), "seven entries");
    A.longest = 2000;
    CHECK(!gbl_sparse_rows_hold_back(&pretended, &A, &roofs), "2000 entries");
    A.longest = 500000;
    CHECK(gbl_sparse_rows_hold_back(&pretended, &A, &roofs) == kernels, "500000 entries");
    A.format = GABLE_SELL;
    CHECK(!gbl_sparse_rows_hold_back(&pretended, &A, &roofs), "SELL");
    A.format = GABLE_CSR;
    pretended.props.is_gpu = false;
    CHECK(!gbl_sparse_rows_hold_back(&pretended, &A, &roofs), "a CPU");
}

int main(void)
{
    test_start("test_sparse_convert");
    ctx = test_open();
    const bool slow =
        (strncmp(test_device(), "opencl", 6) == 0 && !test_all()) || test_only("repeat");
    for (int d = 0; d < GBL_DTYPES;
         d++) /* PoCL compiles slowly: both widths, but not all precisions */
        for (int bits = 32; bits <= 64; bits += 32)
            if (!slow || (d == GBL_S && bits == 32) || (d == GBL_Z && bits == 64))
                shapes((gbl_dtype)d, bits);
    arguments();
    repeats();
    long_rows();
    gable_close(ctx);
    return test_finish();
}

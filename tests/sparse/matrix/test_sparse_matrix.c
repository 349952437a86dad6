/* test_sparse_matrix.c: sparse matrices: made from arrays of all kinds, given back, described,
 * transposed; wrong arrays.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Values are small integers, so all sums of duplicates are exact, and everything is compared bit by
 * bit.
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "sparse/market/generate.h"
#include "sparse/matrix/sparse_matrix.h"
#include "sparse/matrix/sparse_model.h"

static gable_context *ctx;
static bool slow; /* PoCL compiles slowly: one width of indices per precision there */

/* ---- Creation ---- */

static void create(gbl_dtype dtype, const way *how, const model *m, const char *what)
{
    gable_sparse *A = NULL;
    arrays a;
    test_case("%c, %d bits, %s, %s%s on the %s, from %d", gbl_dtype_letter(dtype), how->bits, what,
              how->coordinates ? "coordinates" : "rows", how->shuffled ? " shuffled" : "",
              how->on_device ? "device" : "host", how->base);
    if (arrays_make(ctx, dtype, m, how, &a)) {
        const unsigned flags = how->base ? GABLE_SPARSE_ONE_BASED : 0;
        if (CHECK_OK(ctx, how->coordinates
                              ? sparse_coo(ctx, dtype, m->rows, m->columns, m->entries, how->bits,
                                           a.first, a.column, a.values, flags, &A)
                              : sparse_csr(ctx, dtype, m->rows, m->columns, m->entries, how->bits,
                                           a.first, a.column, a.values, flags, &A)))
            check_same(ctx, dtype, A, m);
        if (A != NULL) {
            int64_t longest = 0;
            for (int64_t i = 0; i < m->rows; i++)
                longest = m->start[i + 1] - m->start[i] > longest ? m->start[i + 1] - m->start[i]
                                                                  : longest;
            CHECK(A->layout.format == GABLE_CSR && A->layout.stored == m->entries &&
                      A->layout.longest == longest,
                  "format %d, %lld places, longest row %lld", A->layout.format,
                  (long long)A->layout.stored, (long long)A->layout.longest);
        }
    }
    arrays_free(&a);
    CHECK_OK(ctx, gable_sparse_destroy(ctx, A));
}

static int usual_bits(gbl_dtype dtype)
{
    return dtype == GBL_S || dtype == GBL_C ? 32 : 64;
}

static void creations(gbl_dtype dtype)
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
               {"1 x 300", model_random(1, 300, 0.9, 0, 5)},
               {"500 x 90, ragged", model_ragged(500, 90, 9, 71, 6)}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        model m = all[i].m;
        for (int bit = 0; bit < 32; bit++) {
            const way how = {.coordinates = bit & 1,
                             .shuffled = bit & 2,
                             .on_device = bit & 4,
                             .base = bit & 8 ? 1 : 0,
                             .bits = bit & 16 ? 64 : 32};
            if (slow && how.bits != usual_bits(dtype))
                continue;
            create(dtype, &how, &m, all[i].what);
        }
        model_free(&m);
    }
}

/* Entries with one place, added in the order given. With 2^60 and 1 the order shows. */
static void duplicates(gbl_dtype dtype)
{
    static const char *const coo_name[] = {"gable_sparse_scoo", "gable_sparse_dcoo",
                                           "gable_sparse_ccoo", "gable_sparse_zcoo"};
    enum { ENTRIES = 9 };
    const int32_t row[ENTRIES] = {2, 0, 2, 1, 2, 0, 2, 0, 2},
                  column[ENTRIES] = {1, 3, 1, 0, 0, 3, 1, 1, 1};
    const double value[ENTRIES] = {0x1p60, 5, 1, 7, 4, 6, -0x1p60, 2, 3};
    /* (2, 1): ((2^60 + 1) - 2^60) + 3 is 3, since 2^60 + 1 is rounded. */
    model m = model_random(3, 4, 0, 0, 1);
    const int64_t starts[4] = {0, 2, 3, 5}, columns[5] = {1, 3, 0, 0, 1};
    const double sums[5] = {2, 11, 7, 4, 3};
    model_free(&m);
    m = model_ragged(3, 4, 2, -1, 1);
    m.entries = 5;
    for (int i = 0; i < 4; i++)
        m.start[i] = starts[i];
    for (int e = 0; e < 5; e++) {
        m.column[e] = columns[e];
        m.value[e] = (number){sums[e], gbl_dtype_complex(dtype) ? 2 * sums[e] : 0};
    }
    for (int far = 0; far < 2; far++) {
        gable_sparse *A = NULL;
        void *values = calloc(ENTRIES, 16), *given[3] = {NULL, NULL, NULL};
        for (int e = 0; e < ENTRIES; e++)
            element_put(dtype, values, e, (number){value[e], 2 * value[e]});
        const void *near[3] = {row, column, values};
        const size_t bytes[3] = {4, 4, gbl_dtype_bytes(dtype)};
        test_case("%c, duplicates on the %s", gbl_dtype_letter(dtype), far ? "device" : "host");
        for (int i = 0; i < 3 && far; i++) {
            CHECK_OK(ctx, gable_alloc(ctx, ENTRIES * bytes[i], &given[i]));
            CHECK_OK(ctx, gable_set_vector(ctx, ENTRIES, bytes[i], near[i], 1, given[i], 1));
            near[i] = given[i];
        }
        CHECK_REFUSED(ctx,
                      sparse_coo(ctx, dtype, 3, 4, ENTRIES, 32, near[0], near[1], near[2], 0, &A),
                      GABLE_BAD_ARGUMENT, coo_name[dtype], "argument 7 (column)", "entry 2 ",
                      "row 2, column 1", "GABLE_SPARSE_SUM");
        CHECK(A == NULL, "a matrix was made");
        if (CHECK_OK(ctx, sparse_coo(ctx, dtype, 3, 4, ENTRIES, 32, near[0], near[1], near[2],
                                     GABLE_SPARSE_SUM, &A)))
            check_same(ctx, dtype, A, &m);
        CHECK_OK(ctx, gable_sparse_destroy(ctx, A));
        for (int i = 0; i < 3; i++)
            CHECK_OK(ctx, gable_free(ctx, given[i]));
        free(values);
    }
    model_free(&m);
}

/* ---- The transpose, what is told of a matrix ---- */

static void transposes(gbl_dtype dtype, int bits)
{
    const int64_t shapes[][2] = {{0, 3}, {3, 0}, {1, 1}, {41, 70}, {130, 33}};
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        model m = model_random(shapes[s][0], shapes[s][1], 0.3, 5, 40 + s),
              t = model_random(shapes[s][1], shapes[s][0], 1, 0, 1);
        t.entries = 0;
        for (int64_t j = 0; j < m.columns; j++) {
            for (int64_t i = 0; i < m.rows; i++)
                for (int64_t e = m.start[i]; e < m.start[i + 1]; e++)
                    if (m.column[e] == j) {
                        t.column[t.entries] = i;
                        t.value[t.entries++] = m.value[e];
                    }
            t.start[j + 1] = t.entries;
        }
        gable_sparse *A = sparse_of(ctx, dtype, bits, &m), *B = NULL, *again = NULL, *ell = NULL;
        test_case("%c, %d bits, the transpose of %lld x %lld", gbl_dtype_letter(dtype), bits,
                  (long long)m.rows, (long long)m.columns);
        if (CHECK_OK(ctx, gbl_sparse_transpose(ctx, A, &B)))
            check_same(ctx, dtype, B, &t);
        CHECK_OK(ctx, gbl_sparse_transpose(ctx, A, &again));
        CHECK(again == B, "it was made twice");
        if ((!slow || dtype == GBL_D) &&
            CHECK_OK(ctx, gable_sparse_convert(ctx, A, GABLE_ELL, 0, 0, &ell)) &&
            CHECK_OK(ctx, gbl_sparse_transpose(ctx, ell, &B)))
            check_same(ctx, dtype, B, &t);
        CHECK_OK(ctx, gable_sparse_destroy(ctx, ell));
        CHECK_OK(ctx, gable_sparse_destroy(ctx, A));
        model_free(&m);
        model_free(&t);
    }
}

/* So many entries that several threads and many groups share them; rows and columns of very
 * different lengths. */
static void large(void)
{
    gbl_message message = {NULL, ""};
    gbl_generated made;
    gable_sparse *A = NULL, *turned = NULL, *back = NULL;
    test_case("a large matrix");
    if (gbl_generate_power_law(60000, 50000, 20000, 5, &made, &message) != GABLE_OK) {
        CHECK(false, "no matrix: %s", message.text);
        return;
    }
    model m = {made.rows, made.columns, made.entries, made.start, made.column, NULL};
    m.value = malloc((size_t)made.entries * sizeof *m.value);
    for (int64_t e = 0; e < made.entries; e++)
        m.value[e] = (number){made.value[e], 0};
    for (int bit = 0; bit < 4; bit++) {
        const way how = {
            .coordinates = bit & 1, .shuffled = true, .on_device = bit & 2, .bits = 64};
        create(GBL_D, &how, &m, "a large matrix");
    }
    A = sparse_of(ctx, GBL_D, 64, &m);
    test_case("a large matrix, transposed twice");
    if (CHECK_OK(ctx, gbl_sparse_transpose(ctx, A, &turned)) &&
        CHECK_OK(ctx, gbl_sparse_transpose(ctx, turned, &back)))
        check_same(ctx, GBL_D, back, &m);
    CHECK(turned != NULL && turned->layout.rows == m.columns &&
              turned->layout.entries == m.entries && turned->layout.longest > 10,
          "the transpose has other sizes");
    CHECK_OK(ctx, gable_sparse_destroy(ctx, A));
    free(m.value);
    gbl_generated_free(&made);
}

/* Square matrices of order 5 with known answers. */
static void descriptions(gbl_dtype dtype)
{
    typedef struct triple {
        int i, j;
        number v;
    } triple;
    const number one = {1, 0}, two = {2, 0}, turned = {2, 3}, back = {2, -3}, nan = {NAN, 0};
    const bool complex = gbl_dtype_complex(dtype);
    const struct {
        const char *what;
        triple entries[8];
        int count, symmetric, hermitian, positive;
        int64_t bandwidth, empty;
    } all[] = {
        {"the identity",
         {{0, 0, one}, {1, 1, one}, {2, 2, one}, {3, 3, one}, {4, 4, one}},
         5,
         1,
         1,
         1,
         0,
         0},
        {"a diagonal with a zero",
         {{0, 0, one}, {1, 1, one}, {2, 2, {0, 0}}, {3, 3, one}, {4, 4, one}},
         5,
         1,
         1,
         0,
         0,
         1},
        {"a pair", {{0, 4, two}, {4, 0, two}, {1, 1, one}}, 3, 1, 1, 0, 4, 4},
        {"a pair that differs", {{0, 4, two}, {4, 0, one}}, 2, 0, 0, 0, 4, 5},
        {"an entry alone", {{3, 1, two}}, 1, 0, 0, 0, 2, 5},
        {"a zero alone", {{3, 1, {0, 0}}, {2, 2, {0, 0}}, {1, 1, {-1, 0}}}, 3, 1, 1, 0, 2, 4},
        {"a complex pair", {{0, 2, turned}, {2, 0, turned}}, 2, 1, !complex, 0, 2, 5},
        {"a conjugate pair", {{0, 2, turned}, {2, 0, back}}, 2, !complex, 1, 0, 2, 5},
        {"a complex diagonal",
         {{0, 0, turned}, {1, 1, one}, {2, 2, one}, {3, 3, one}, {4, 4, one}},
         5,
         1,
         !complex,
         !complex,
         0,
         0},
        {"entries whose mirror images are others",
         {{0, 1, two}, {1, 4, two}, {4, 4, two}},
         3,
         0,
         0,
         0,
         3,
         4},
        {"NaN", {{0, 2, nan}, {2, 0, nan}}, 2, 0, 0, 0, 2, 5},
    };
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
        const int bits = usual_bits(dtype);
        int64_t row[8], column[8];
        int32_t narrow[2][8];
        void *values = calloc(8, 16);
        gable_sparse *A = NULL, *B = NULL;
        gable_sparse_info info = {.precision = 0};
        for (int e = 0; e < all[k].count; e++) {
            row[e] = narrow[0][e] = all[k].entries[e].i;
            column[e] = narrow[1][e] = all[k].entries[e].j;
            element_put(dtype, values, e, all[k].entries[e].v);
        }
        test_case("%c, what is told of %s", gbl_dtype_letter(dtype), all[k].what);
        if (CHECK_OK(ctx,
                     sparse_coo(ctx, dtype, 5, 5, all[k].count, bits,
                                bits == 64 ? (void *)row : (void *)narrow[0],
                                bits == 64 ? (void *)column : (void *)narrow[1], values, 0, &A)) &&
            CHECK_OK(ctx, gable_sparse_describe(ctx, A, &info))) {
            CHECK(info.symmetric == all[k].symmetric && info.hermitian == all[k].hermitian,
                  "symmetric %d, hermitian %d", info.symmetric, info.hermitian);
            CHECK(info.bandwidth == all[k].bandwidth && info.empty_diagonal == all[k].empty,
                  "bandwidth %lld, empty diagonal %lld", (long long)info.bandwidth,
                  (long long)info.empty_diagonal);
            CHECK(A->known && A->statistics.positive_diagonal == all[k].positive,
                  "positive diagonal %d", A->statistics.positive_diagonal);
        }
        if (A != NULL && (!slow || dtype == GBL_D) &&
            CHECK_OK(ctx, gable_sparse_convert(ctx, A, GABLE_SELL, 2, 5, &B))) {
            B->known = B->measured = false; /* it looks itself */
            CHECK_OK(ctx, gbl_sparse_lengths_get(ctx, B));
            CHECK_OK(ctx, gbl_sparse_statistics_get(ctx, B));
            CHECK(B->lengths.mean == A->lengths.mean &&
                      B->lengths.deviation == A->lengths.deviation &&
                      B->statistics.symmetric == A->statistics.symmetric &&
                      B->statistics.bandwidth == A->statistics.bandwidth &&
                      B->statistics.empty_diagonal == A->statistics.empty_diagonal,
                  "SELL has another answer");
        }
        CHECK_OK(ctx, gable_sparse_destroy(ctx, A));
        CHECK_OK(ctx, gable_sparse_destroy(ctx, B));
        free(values);
    }

    const size_t index = (size_t)usual_bits(dtype) / 8;
    model m = model_ragged(4000, 60, 3, 1000, 3); /* lengths 1, 2, 3 in turn, but one of 60 */
    gable_sparse *A = sparse_of(ctx, dtype, usual_bits(dtype), &m);
    gable_sparse_info info = {.precision = 0};
    test_case("%c, lengths of rows", gbl_dtype_letter(dtype));
    CHECK_OK(ctx, gable_sparse_describe(ctx, A, &info));
    double squares = 0;
    int64_t band = 0;
    for (int64_t i = 0; i < m.rows; i++) {
        const double off = (double)(m.start[i + 1] - m.start[i]) - (double)m.entries / 4000;
        squares += off * off;
        for (int64_t e = m.start[i]; e < m.start[i + 1]; e++)
            band = llabs(i - m.column[e]) > band ? llabs(i - m.column[e]) : band;
    }
    CHECK(info.shortest == 1 && info.longest == 60 && info.mean == (double)m.entries / 4000 &&
              fabs(info.deviation - sqrt(squares / 4000)) < 1e-12 && info.bandwidth == band,
          "%lld to %lld, mean %g, deviation %g, bandwidth %lld", (long long)info.shortest,
          (long long)info.longest, info.mean, info.deviation, (long long)info.bandwidth);
    CHECK(info.symmetric == 0 && info.hermitian == 0 && info.index_bits == usual_bits(dtype) &&
              info.format == GABLE_CSR && info.stored == m.entries &&
              info.bytes == (uint64_t)m.entries * (index + gbl_dtype_bytes(dtype)) + index * 4001,
          "symmetric %d, %d bits, format %d, %lld places, %llu bytes", info.symmetric,
          info.index_bits, (int)info.format, (long long)info.stored,
          (unsigned long long)info.bytes);
    CHECK_OK(ctx, gable_sparse_destroy(ctx, A));
    model_free(&m);
}

/* ---- Wrong arguments ---- */

/* One array of a good matrix changed, on the host and on the device. */
static void spoiled(bool coordinates, int base, int array, int64_t at, int64_t value,
                    const char *const *pieces)
{
    model m = model_ragged(20, 10, 3, -1, 3);
    for (int far = 0; far < 2; far++)
        for (int bits = 32; bits <= 64; bits += 32) {
            const way how = {.coordinates = coordinates, .bits = bits, .base = base};
            const unsigned flags = base ? GABLE_SPARSE_ONE_BASED : 0;
            arrays a;
            gable_sparse *A = NULL;
            void *given[3] = {NULL, NULL, NULL};
            test_case("%s: array %d has %lld at %lld, %d bits on the %s",
                      coordinates ? "coordinates" : "rows", array, (long long)value, (long long)at,
                      bits, far ? "device" : "host");
            if (!arrays_make(ctx, GBL_D, &m, &how, &a))
                continue;
            void *const near[3] = {a.first, a.column, a.values};
            if (bits == 32)
                ((int32_t *)near[array])[at] = (int32_t)value;
            else
                ((int64_t *)near[array])[at] = value;
            const int64_t counts[3] = {coordinates ? m.entries : m.rows + 1, m.entries, m.entries};
            for (int i = 0; i < 3; i++) {
                const size_t bytes = i < 2 ? (size_t)bits / 8 : 8;
                given[i] = near[i];
                if (far) {
                    CHECK_OK(ctx, gable_alloc(ctx, (size_t)counts[i] * bytes, &given[i]));
                    CHECK_OK(ctx, gable_set_vector(ctx, counts[i], bytes, near[i], 1, given[i], 1));
                }
            }
            const gable_status status =
                coordinates ? gable_sparse_dcoo(ctx, 20, 10, m.entries, bits, given[0], given[1],
                                                given[2], flags, &A)
                            : gable_sparse_dcsr(ctx, 20, 10, m.entries, bits, given[0], given[1],
                                                given[2], flags, &A);
            test_refused(__FILE__, __LINE__, "creation", ctx, status, GABLE_BAD_ARGUMENT,
                         coordinates ? "gable_sparse_dcoo" : "gable_sparse_dcsr", pieces);
            CHECK(A == NULL, "a matrix was made");
            for (int i = 0; i < 3 && far; i++)
                CHECK_OK(ctx, gable_free(ctx, given[i]));
            arrays_free(&a);
        }
    model_free(&m);
}
#define SPOILED(coordinates, base, array, at, value, ...)                                          \
    spoiled(coordinates, base, array, at, value, (const char *const[]){__VA_ARGS__, NULL})

static void wrong_entries(void)
{
    SPOILED(false, 0, 0, 0, 1, "argument 6 (start): element 0 is 1; it must be 0");
    SPOILED(false, 1, 0, 0, 0, "argument 6 (start): element 0 is 0; it must be 1");
    SPOILED(false, 0, 0, 7, 3, "argument 6 (start): element 7 is 3, less than the 12 before it");
    SPOILED(false, 0, 0, 7, 1000, "argument 6 (start): element 8 is",
            "less than the 1000 before it");
    SPOILED(false, 0, 0, 20, 38, "argument 6 (start): element 20, the last, is 38",
            "it must be 39");
    SPOILED(false, 1, 0, 20, 41, "element 20, the last, is 41", "it must be 40", "plus 1");
    SPOILED(false, 0, 1, 12, 10,
            "argument 7 (column): entry 12 is column 10 of a matrix with 10 columns");
    SPOILED(false, 0, 1, 12, -1, "argument 7 (column): entry 12 is column -1 of");
    SPOILED(false, 1, 1, 12, 0, "entry 12 is column 0 of a matrix with 10 columns, counted from 1");
    SPOILED(false, 1, 1, 12, 11,
            "entry 12 is column 11 of a matrix with 10 columns, counted from 1");
    SPOILED(true, 0, 0, 5, 20, "argument 6 (row): entry 5 is row 20 of a matrix with 20 rows");
    SPOILED(true, 0, 0, 5, -3, "argument 6 (row): entry 5 is row -3 of");
    SPOILED(true, 0, 0, 38, 20, "argument 6 (row): entry 38 is row 20 of");
    SPOILED(true, 1, 0, 5, 0, "argument 6 (row): entry 5 is row 0", "counted from 1");
    SPOILED(true, 0, 1, 38, 10, "argument 7 (column): entry 38 is column 10 of");
    /* row 1 has entries 1 and 2, in columns 1 and 6 */
    SPOILED(false, 0, 1, 2, 1,
            "argument 7 (column): entry 2 is row 1, column 1, as an entry before it");
    SPOILED(false, 1, 1, 2, 2, "entry 2 is row 2, column 2, as an entry before it");
    SPOILED(true, 0, 1, 2, 1,
            "argument 7 (column): entry 2 is row 1, column 1, as an entry before it");
}

/* Two long rows, whose entries have larger numbers than rows have: the starts lie against memory
 * that cannot be touched, so that taking an entry's number for a row's ends the test. */
static void faults_in_long_rows(void)
{
    enum { COLUMNS = 3000, ENTRIES = 2 * COLUMNS };
    static int64_t column[ENTRIES], row[ENTRIES];
    static double values[ENTRIES];
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t bytes = page + sizeof column + page;
    char *map = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED || mprotect(map, page, PROT_READ | PROT_WRITE) != 0) {
        CHECK(false, "no pages");
        return;
    }
    int64_t *start = (int64_t *)(void *)(map + page) - 3;
    const struct {
        int64_t at, value;
        const char *said;
    } all[] = {{5500, COLUMNS, "entry 5500 is column 3000 of a matrix with 3000 columns"},
               {5999, -1, "entry 5999 is column -1 of"},
               {5999, INT64_MAX, "entry 5999 is column 9223372036854775807 of"},
               {5999, INT64_MIN, "entry 5999 is column -9223372036854775808 of"},
               {2, COLUMNS, "entry 2 is column 3000 of"},
               {5500, 2499, "entry 5500 is row 1, column 2499, as an entry before it"},
               {5998, 2999, "entry 5999 is row 1, column 2999, as an entry before it"}};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
        gable_sparse *A = NULL;
        test_case("entry %lld of long rows has column %lld", (long long)all[k].at,
                  (long long)all[k].value);
        for (int64_t e = 0; e < ENTRIES; e++) {
            row[e] = e / COLUMNS;
            column[e] = e % COLUMNS;
            values[e] = 1;
        }
        for (int64_t i = 0; i <= 2; i++)
            start[i] = i * COLUMNS;
        column[all[k].at] = all[k].value;
        CHECK_REFUSED(ctx,
                      gable_sparse_dcsr(ctx, 2, COLUMNS, ENTRIES, 64, start, column, values, 0, &A),
                      GABLE_BAD_ARGUMENT, "gable_sparse_dcsr", "argument 7 (column)", all[k].said);
        CHECK_REFUSED(ctx,
                      gable_sparse_dcoo(ctx, 2, COLUMNS, ENTRIES, 64, row, column, values, 0, &A),
                      GABLE_BAD_ARGUMENT, "gable_sparse_dcoo", "argument 7 (column)", all[k].said);
        CHECK(A == NULL, "a matrix was made");
    }
    munmap(map, bytes);
}

static void arguments(void)
{
    const int32_t start[3] = {0, 1, 2}, column[2] = {0, 1};
    const double values[2] = {1, 2};
    const int64_t huge = INT64_C(1) << 62;
    const char *name = "gable_sparse_dcsr";
    gable_sparse *A = NULL, *B = NULL;
    gable_sparse_info info;
    test_case("arguments");
#define CSR(...) gable_sparse_dcsr(ctx, __VA_ARGS__)
    CHECK_REFUSED(ctx, CSR(-1, 2, 2, 32, start, column, values, 0, &A), GABLE_BAD_ARGUMENT, name,
                  "argument 2 (rows)", "-1");
    CHECK_REFUSED(ctx, CSR(2, -1, 2, 32, start, column, values, 0, &A), GABLE_BAD_ARGUMENT, name,
                  "argument 3 (columns)", "-1");
    CHECK_REFUSED(ctx, CSR(2, 2, -1, 32, start, column, values, 0, &A), GABLE_BAD_ARGUMENT, name,
                  "argument 4 (entries)", "-1");
    CHECK_REFUSED(ctx, CSR(2, 2, 2, 16, start, column, values, 0, &A), GABLE_BAD_ARGUMENT, name,
                  "argument 5 (index_bits)", "16");
    CHECK_REFUSED(ctx, CSR(2, 2, 2, 32, NULL, column, values, 0, &A), GABLE_BAD_ARGUMENT, name,
                  "argument 6 (start)", "NULL");
    CHECK_REFUSED(ctx, CSR(2, 2, 2, 32, start, NULL, values, 0, &A), GABLE_BAD_ARGUMENT, name,
                  "argument 7 (column)", "NULL");
    CHECK_REFUSED(ctx, CSR(2, 2, 2, 32, start, column, NULL, 0, &A), GABLE_BAD_ARGUMENT, name,
                  "argument 8 (values)", "NULL");
    CHECK_REFUSED(ctx, CSR(2, 2, 2, 32, start, column, values, 8, &A), GABLE_BAD_ARGUMENT, name,
                  "argument 9 (flags)", "8");
    CHECK_REFUSED(ctx, CSR(2, 2, 2, 32, start, column, values, 0, NULL), GABLE_BAD_ARGUMENT, name,
                  "argument 10 (A)", "NULL");
    CHECK_REFUSED(ctx, CSR(huge, 2, 2, 64, start, column, values, 0, &A), GABLE_BAD_ARGUMENT, name,
                  "argument 2 (rows)", "2^63");
    CHECK_REFUSED(ctx, CSR(2, 2, huge, 64, start, column, values, 0, &A), GABLE_BAD_ARGUMENT, name,
                  "argument 4 (entries)", "2^63");
    CHECK_REFUSED(ctx, CSR(2, INT64_C(1) << 31, 2, 32, start, column, values, 0, &A),
                  GABLE_BAD_ARGUMENT, name, "argument 3 (columns)", "32 bits");
    CHECK_REFUSED(ctx, CSR(2, 2, INT32_MAX, 32, start, column, values, 0, &A), GABLE_BAD_ARGUMENT,
                  name, "argument 4 (entries)", "32 bits");
    CHECK_REFUSED(ctx, CSR(0, 2, 2, 32, start, column, values, 0, &A), GABLE_BAD_ARGUMENT, name,
                  "argument 4 (entries)", "without rows");
    CHECK_REFUSED(ctx, gable_sparse_dcoo(ctx, 2, 2, 2, 32, NULL, column, values, 0, &A),
                  GABLE_BAD_ARGUMENT, "gable_sparse_dcoo", "argument 6 (row)", "NULL");
    CHECK_REFUSED(ctx, gable_sparse_dget(ctx, NULL, NULL, NULL, NULL), GABLE_BAD_ARGUMENT,
                  "gable_sparse_dget", "argument 2 (A)", "NULL");
    CHECK_REFUSED(ctx, gable_sparse_describe(ctx, NULL, &info), GABLE_BAD_ARGUMENT,
                  "gable_sparse_describe", "argument 2 (A)", "NULL");
    const int64_t fallen[3] = {0, INT64_MIN, 2}, risen[3] = {1, INT64_MAX, 3},
                  far_column[2] = {1, INT64_MIN};
    CHECK_REFUSED(ctx, CSR(2, 2, 2, 64, fallen, far_column, values, 0, &A), GABLE_BAD_ARGUMENT,
                  name, "argument 6 (start): element 1 is -9223372036854775808, less than the 0");
    CHECK_REFUSED(ctx, CSR(2, 2, 2, 64, risen, far_column, values, GABLE_SPARSE_ONE_BASED, &A),
                  GABLE_BAD_ARGUMENT, name,
                  "argument 6 (start): element 2 is 3, less than the 9223372036854775807");
    CHECK_REFUSED(ctx,
                  gable_sparse_dcoo(ctx, 2, 2, 2, 64, far_column, far_column, values,
                                    GABLE_SPARSE_ONE_BASED, &A),
                  GABLE_BAD_ARGUMENT, "gable_sparse_dcoo",
                  "argument 6 (row): entry 1 is row -9223372036854775808");
    CHECK(A == NULL, "a matrix was made");
    CHECK_OK(ctx, gable_sparse_destroy(ctx, NULL));
    if (strcmp(test_device(), "cpu") != 0) {
        void *far = NULL;
        CHECK_OK(ctx, gable_alloc(ctx, 64, &far));
        CHECK_REFUSED(ctx, CSR(2, 2, 2, 32, start, far, values, 0, &A), GABLE_BAD_ARGUMENT, name,
                      "argument 7 (column)", "memory of the device");
        CHECK_REFUSED(ctx, CSR(2, 2, 2, 32, far, far, values, 0, &A), GABLE_BAD_ARGUMENT, name,
                      "argument 8 (values)", "memory of the host");
        CHECK_OK(ctx, gable_free(ctx, far));
    }
    if (CHECK_OK(ctx, CSR(2, 2, 2, 32, start, column, values, 0, &A))) {
        gable_recording *recording = NULL;
        int64_t only[3] = {-1, -1, -1};
        float other[2];
        CHECK_REFUSED(ctx, gable_sparse_sget(ctx, A, NULL, NULL, other), GABLE_BAD_ARGUMENT,
                      "gable_sparse_sget", "argument 2 (A)", "precision d");
        CHECK_REFUSED(ctx, gable_sparse_describe(ctx, A, NULL), GABLE_BAD_ARGUMENT,
                      "gable_sparse_describe", "argument 3 (info)", "NULL");
        CHECK_OK(ctx, gable_sparse_dget(ctx, A, only, NULL, NULL)); /* each may be NULL */
        CHECK(only[0] == 0 && only[1] == 1 && only[2] == 2, "starts %lld %lld %lld",
              (long long)only[0], (long long)only[1], (long long)only[2]);
        CHECK_OK(ctx, gable_record_begin(ctx));
        CHECK_REFUSED(ctx, CSR(2, 2, 2, 32, start, column, values, 0, &B), GABLE_NOT_RECORDABLE,
                      name, "recording");
        CHECK_REFUSED(ctx, gable_sparse_convert(ctx, A, GABLE_ELL, 0, 0, &B), GABLE_NOT_RECORDABLE,
                      "gable_sparse_convert", "recording");
        CHECK_REFUSED(ctx, gable_sparse_destroy(ctx, A), GABLE_NOT_RECORDABLE,
                      "gable_sparse_destroy", "recording");
        if (CHECK_OK(ctx, gable_record_end(ctx, &recording)))
            gable_recording_destroy(recording);
    }
    CHECK_OK(ctx, gable_sparse_destroy(ctx, A));
}

int main(void)
{
    test_start("test_sparse_matrix");
    ctx = test_open();
    slow = strncmp(test_device(), "opencl", 6) == 0 && !test_all();
    for (int d = 0; d < GBL_DTYPES; d++) {
        creations((gbl_dtype)d);
        duplicates((gbl_dtype)d);
        transposes((gbl_dtype)d, usual_bits((gbl_dtype)d));
        descriptions((gbl_dtype)d);
    }
    large();
    wrong_entries();
    faults_in_long_rows();
    arguments();
    gable_close(ctx);
    return test_finish();
}

/* test_sparse_file.c: sparse matrices read from Matrix Market files and written to them; real ones
 * in all formats.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdlib.h>
#include <string.h>
#include "core/scratch_folder.h"
#include "sparse/market/market.h"
#include "sparse/matrix/sparse_matrix.h"
#include "sparse/matrix/sparse_model.h"

static gable_context *ctx;
static char folder[SCRATCH_BYTES];

static const char *path_of(const char *name)
{
    static char path[SCRATCH_BYTES + 64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_text(const char *path, const char *text)
{
    FILE *stream = fopen(path, "w");
    CHECK(stream != NULL && fputs(text, stream) >= 0 && fclose(stream) == 0, "no file %s", path);
}

static bool holds(const char *path, const char *text)
{
    static char all[4096];
    FILE *stream = fopen(path, "r");
    if (stream == NULL)
        return false;
    all[fread(all, 1, sizeof all - 1, stream)] = '\0';
    fclose(stream);
    return strstr(all, text) != NULL;
}

/* ---- Small files ---- */

/* A file of order 3 against all of its 9 elements, row by row, each two numbers. */
static void small(const char *what, const char *text, char precision, char wanted_precision,
                  int64_t entries, const double elements[18], const char *banner)
{
    gable_sparse *A = NULL, *again = NULL;
    gable_sparse_info info = {.precision = 0};
    test_case("%s as '%c'", what, precision ? precision : '0');
    write_text(path_of("a.mtx"), text);
    if (!CHECK_OK(ctx, gable_sparse_read(ctx, path_of("a.mtx"), precision, &A)))
        return;
    for (int turn = 0; turn < 2; turn++) {
        gable_sparse *B = turn ? again : A;
        const gbl_dtype dtype = (gbl_dtype)(strchr("sdcz", wanted_precision) - "sdcz");
        CHECK_OK(ctx, gable_sparse_describe(ctx, B, &info));
        CHECK(info.precision == wanted_precision && info.rows == 3 && info.columns == 3 &&
                  info.entries == entries && info.index_bits == 32,
              "%c, %lld x %lld, %lld entries, %d bits", info.precision, (long long)info.rows,
              (long long)info.columns, (long long)info.entries, info.index_bits);
        int64_t start[4], column[9];
        double values[18] = {0}, found[18] = {0};
        if (info.entries > 9 || info.precision != wanted_precision)
            break;
        CHECK_OK(ctx, sparse_get(ctx, dtype, B, start, column, values));
        for (int i = 0; i < 3; i++)
            for (int64_t e = start[i]; e < start[i + 1]; e++) {
                const number value = element_get(dtype, values, e);
                found[2 * (3 * i + column[e])] = value.re;
                found[2 * (3 * i + column[e]) + 1] = value.im;
            }
        CHECK(memcmp(found, elements, sizeof found) == 0, "turn %d: elements differ", turn);
        if (turn == 0) {
            CHECK_OK(ctx, gable_sparse_write(ctx, A, path_of("b.mtx")));
            CHECK(holds(path_of("b.mtx"), banner), "the file has no \"%s\"", banner);
            if (!CHECK_OK(ctx, gable_sparse_read(ctx, path_of("b.mtx"), wanted_precision, &again)))
                break;
        }
    }
    CHECK_OK(ctx, gable_sparse_destroy(ctx, A));
    CHECK_OK(ctx, gable_sparse_destroy(ctx, again));
}

static void small_files(void)
{
    static const double mirrored[18] = {4, 0, -1, 0, 0, 0, -1, 0, 5, 0, 2, 0, 0, 0, 2, 0, 0, 0},
                        skewed[18] = {0, 0, 3, 0, 0, 0, -3, 0},
                        turned[18] = {4, 0, 1, -2, 0, 0, 1, 2, 5, 0}, ones[18] = {1, 0, 0, 0, 1, 0},
                        summed[18] = {0, 0, 3.5, 0},
                        dense[18] = {1, 0, 4, 0, 0, 0, 2, 0, 0, 0, 8, 0, 0, 0, 6, 0, 9, 0};
    const char *symmetric = "%%MatrixMarket matrix coordinate real symmetric\n3 3 4\n1 1 4\n2 1 "
                            "-1\n2 2 5\n3 2 2\n",
               *hermitian =
                   "%%MatrixMarket matrix coordinate complex hermitian\n3 3 3\n1 1 4 0\n2 1 "
                   "1 2\n2 2 5 0\n";
    for (const char *p = "sdcz"; *p != '\0'; p++)
        small("a symmetric file", symmetric, *p, *p, 6, mirrored,
              *p == 's' || *p == 'd' ? "coordinate real symmetric"
                                     : "coordinate complex symmetric");
    small("a symmetric file", symmetric, 0, 'd', 6, mirrored, "real symmetric\n3 3 4\n");
    small("a hermitian file", hermitian, 0, 'z', 4, turned, "complex hermitian\n3 3 3\n");
    small("a hermitian file", hermitian, 'c', 'c', 4, turned, "complex hermitian");
    small("a skew file", "%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 1\n2 1 -3\n", 0,
          'd', 2, skewed, "real general");
    small("a pattern", "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 1\n1 3\n", 's',
          's', 2, ones, "real general");
    small("duplicates",
          "%%MatrixMarket matrix coordinate real general\n3 3 3\n1 2 1\n1 2 2\n1 2 .5\n", 0, 'd', 1,
          summed, "3 3 1\n");
    small("an array", "%%MatrixMarket matrix array real general\n3 3\n1\n2\n0\n4\n0\n6\n0\n8\n9\n",
          0, 'd', 6, dense, "coordinate real general");
}

static void refusals(void)
{
    gable_sparse *A = NULL;
    const char *name = "gable_sparse_read";
    test_case("wrong files and arguments");
    write_text(path_of("c.mtx"),
               "%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 2 3\n");
    write_text(path_of("bad.mtx"), "%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 1\n");
    CHECK_REFUSED(ctx, gable_sparse_read(ctx, path_of("c.mtx"), 'd', &A), GABLE_BAD_ARGUMENT, name,
                  "argument 3 (precision)", "complex");
    CHECK_REFUSED(ctx, gable_sparse_read(ctx, path_of("c.mtx"), 'x', &A), GABLE_BAD_ARGUMENT, name,
                  "argument 3 (precision)", "'x'");
    CHECK_REFUSED(ctx, gable_sparse_read(ctx, NULL, 'd', &A), GABLE_BAD_ARGUMENT, name,
                  "argument 2 (path)");
    CHECK_REFUSED(ctx, gable_sparse_read(ctx, path_of("c.mtx"), 'z', NULL), GABLE_BAD_ARGUMENT,
                  name, "argument 4 (A)");
    CHECK_REFUSED(ctx, gable_sparse_read(ctx, path_of("none.mtx"), 0, &A), GABLE_BAD_ARGUMENT, name,
                  "none.mtx");
    CHECK_REFUSED(ctx, gable_sparse_read(ctx, path_of("bad.mtx"), 0, &A), GABLE_NOT_SUPPORTED, name,
                  "bad.mtx:3:");
    CHECK(A == NULL, "a matrix was made");
    CHECK_REFUSED(ctx, gable_sparse_write(ctx, NULL, "x.mtx"), GABLE_BAD_ARGUMENT,
                  "gable_sparse_write", "argument 2 (A)");
    if (CHECK_OK(ctx, gable_sparse_read(ctx, path_of("c.mtx"), 0, &A))) {
        CHECK_REFUSED(ctx, gable_sparse_write(ctx, A, NULL), GABLE_BAD_ARGUMENT,
                      "gable_sparse_write", "argument 3 (path)");
        CHECK_REFUSED(ctx, gable_sparse_write(ctx, A, path_of("no/where.mtx")), GABLE_BAD_ARGUMENT,
                      "gable_sparse_write", "where.mtx");
    }
    CHECK_OK(ctx, gable_sparse_destroy(ctx, A));
}

/* ---- Zeros that are stored ---- */

/* Written and read, a matrix has the same entries: places, values and the signs of zeros. */
static void come_back(gbl_dtype dtype, const char *what, const char *text, const char *banner)
{
    gable_sparse *A = NULL, *B = NULL;
    int64_t start[2][4] = {{0}}, column[2][9] = {{0}};
    double values[2][18] = {{0}};
    test_case("%c, %s", gbl_dtype_letter(dtype), what);
    write_text(path_of("a.mtx"), text);
    if (CHECK_OK(ctx, gable_sparse_read(ctx, path_of("a.mtx"), gbl_dtype_letter(dtype), &A)) &&
        CHECK_OK(ctx, gable_sparse_write(ctx, A, path_of("b.mtx"))) &&
        CHECK_OK(ctx, gable_sparse_read(ctx, path_of("b.mtx"), gbl_dtype_letter(dtype), &B))) {
        CHECK_OK(ctx, sparse_get(ctx, dtype, A, start[0], column[0], values[0]));
        CHECK_OK(ctx, sparse_get(ctx, dtype, B, start[1], column[1], values[1]));
        CHECK(memcmp(start[0], start[1], sizeof start[0]) == 0 &&
                  memcmp(column[0], column[1], sizeof column[0]) == 0,
              "other places: %lld entries, not %lld", (long long)start[1][3],
              (long long)start[0][3]);
        CHECK(memcmp(values[0], values[1], sizeof values[0]) == 0, "other values");
        CHECK(holds(path_of("b.mtx"), banner), "the file has no \"%s\"", banner);
    }
    CHECK_OK(ctx, gable_sparse_destroy(ctx, A));
    CHECK_OK(ctx, gable_sparse_destroy(ctx, B));
}

#define REAL     "%%MatrixMarket matrix coordinate real general\n"
#define COMPLEX_ "%%MatrixMarket matrix coordinate complex general\n"
static void stored_zeros(void)
{
    for (int dtype = 0; dtype < GBL_DTYPES; dtype++) {
        come_back((gbl_dtype)dtype, "a zero above the diagonal",
                  REAL "3 3 4\n1 1 1\n1 3 0\n2 2 1\n3 3 1\n", "general\n3 3 4\n");
        come_back((gbl_dtype)dtype, "a zero below the diagonal",
                  REAL "3 3 4\n1 1 1\n3 1 0\n2 2 1\n3 3 1\n", "general\n3 3 4\n");
        come_back((gbl_dtype)dtype, "zeros at other places",
                  REAL "3 3 6\n1 2 0\n2 3 5\n3 1 0\n3 2 5\n2 2 1\n3 3 1\n", "general\n3 3 6\n");
        come_back((gbl_dtype)dtype, "zeros of both signs",
                  REAL "3 3 4\n1 1 1\n1 2 0\n2 1 -0\n3 3 1\n", "general\n3 3 4\n");
        come_back((gbl_dtype)dtype, "zeros on both sides",
                  REAL "3 3 5\n1 1 1\n1 2 0\n2 1 0\n2 2 0\n3 3 1\n", "symmetric\n3 3 4\n");
    }
    come_back(GBL_Z, "a Hermitian matrix with zeros",
              COMPLEX_ "3 3 5\n1 1 1 0\n1 2 3 4\n2 1 3 -4\n2 3 0 0\n3 2 0 -0\n",
              "hermitian\n3 3 3\n");
    come_back(GBL_Z, "a Hermitian matrix with a zero on one side",
              COMPLEX_ "3 3 4\n1 1 1 0\n1 2 3 4\n2 1 3 -4\n2 3 0 0\n", "general\n3 3 4\n");
}

/* ---- Sizes beyond memory ---- */

static void large_files(void)
{
    gable_sparse *A = NULL;
    gable_sparse_info info = {.precision = 0};
    const int64_t row[1] = {5}, column[1] = {0};
    const double value[1] = {2};
    test_case("more rows than memory holds");
    write_text(path_of("far.mtx"), REAL "1099511627776 1099511627776 1\n1 1 1\n");
    CHECK_REFUSED(ctx, gable_sparse_read(ctx, path_of("far.mtx"), 0, &A), GABLE_OUT_OF_MEMORY,
                  "gable_sparse_read", "far.mtx: a matrix of 1099511627776 rows, 1099511627776",
                  "1 entries takes", "bytes of host memory", "are available");
    CHECK_REFUSED(ctx,
                  gable_sparse_dcoo(ctx, INT64_C(1) << 40, 9, 1, 64, row, column, value, 0, &A),
                  GABLE_OUT_OF_MEMORY, "gable_sparse_dcoo", "1099511627776 rows");
    CHECK(A == NULL, "a matrix was made");
    test_case("many rows and one entry");
    write_text(path_of("many.mtx"), REAL "3000000 2000000000 1\n3000000 2000000000 7\n");
    if (CHECK_OK(ctx, gable_sparse_read(ctx, path_of("many.mtx"), 0, &A))) {
        CHECK_OK(ctx, gable_sparse_describe(ctx, A, &info));
        CHECK(info.rows == 3000000 && info.columns == 2000000000 && info.entries == 1,
              "%lld x %lld, %lld entries", (long long)info.rows, (long long)info.columns,
              (long long)info.entries);
    }
    CHECK_OK(ctx, gable_sparse_destroy(ctx, A));
}

/* ---- Real matrices ---- */

/* The entries of a file as a model, by a plain sort. */
typedef struct place {
    int64_t row, column;
    double value;
} place;

static int by_place(const void *a, const void *b)
{
    const place *p = a, *q = b;
    if (p->row != q->row)
        return p->row < q->row ? -1 : 1;
    return (p->column > q->column) - (p->column < q->column);
}

static bool model_of_file(const char *path, model *m)
{
    const gbl_market_options options = {.expand = true};
    gbl_message message = {NULL, ""};
    gbl_market file;
    if (gbl_market_read(path, &options, &file, &message) != GABLE_OK)
        return false;
    place *places = malloc((size_t)file.entries * sizeof *places);
    *m = model_ragged(file.rows, file.columns, file.entries / file.rows + 1, -1, 1);
    for (int64_t e = 0; e < file.entries; e++)
        places[e] = (place){file.row[e], file.column[e], file.values[e]};
    qsort(places, (size_t)file.entries, sizeof *places, by_place);
    memset(m->start, 0, (size_t)(m->rows + 1) * sizeof *m->start);
    m->entries = 0;
    for (int64_t e = 0; e < file.entries; e++) {
        m->column[e] = places[e].column;
        m->value[e] = (number){places[e].value, 0};
        m->start[places[e].row + 1] = ++m->entries;
    }
    for (int64_t i = 0; i < m->rows; i++)
        m->start[i + 1] = m->start[i + 1] > m->start[i] ? m->start[i + 1] : m->start[i];
    free(places);
    gbl_market_free(&file);
    return true;
}

static void real_matrices(void)
{
    static const struct {
        const char *name;
        int symmetric;
    } names[] = {{"1138_bus", 1}, {"Trefethen_2000", 1}, {"bcsstk13", 1}, {"memplus", 0},
                 {"olm1000", 0},  {"sherman5", 0},       {"watt_2", 0},   {"west0479", 0}};
    const char *given = getenv("GABLE_MATRICES"),
               *where = given != NULL ? given : GABLE_SOURCE_DIR "/../shared/matrices";
    int missing = 0;
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        char path[1024];
        model m;
        gable_sparse *A = NULL;
        gable_sparse_info info = {.precision = 0};
        snprintf(path, sizeof path, "%s/%s.mtx", where, names[k].name);
        test_case("%s", names[k].name);
        if (!model_of_file(path, &m)) {
            missing++;
            continue;
        }
        if (CHECK_OK(ctx, gable_sparse_read(ctx, path, 0, &A))) {
            check_same(ctx, GBL_D, A, &m);
            CHECK_OK(ctx, gable_sparse_describe(ctx, A, &info));
            CHECK(info.symmetric == names[k].symmetric, "symmetric %d", info.symmetric);
        }
        for (gable_format f = GABLE_FORMAT_AUTO; A != NULL && f <= GABLE_HYB; f++) {
            gable_sparse *B = NULL;
            test_case("%s in format %d", names[k].name, (int)f);
            if (CHECK_OK(ctx, gable_sparse_convert(ctx, A, f, 0, 0, &B)))
                check_same(ctx, GBL_D, B, &m);
            CHECK_OK(ctx, gable_sparse_destroy(ctx, B));
        }
        CHECK_OK(ctx, gable_sparse_destroy(ctx, A));
        A = NULL;
        model_free(&m);
    }
    if (missing > 0)
        test_leave_out(NULL, "%d matrices are not in %s ($GABLE_MATRICES names another folder)",
                       missing, where);
}

int main(void)
{
    test_start("test_sparse_file");
    ctx = test_open();
    if (!scratch_make(folder))
        test_skip(NULL, "no folder can be made");
    small_files();
    refusals();
    stored_zeros();
    large_files();
    real_matrices();
    scratch_clear(folder, false);
    gable_close(ctx);
    return test_finish();
}

/* test_market.c: Matrix Market files: all headers there and back, numbers, forms of lines, locales,
 * wrong files.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <sys/wait.h>
#include "harness/check.h"
#include "core/scratch_folder.h"
#include "market_text.h"
#include "sparse/market/market_number.h"

static char folder[SCRATCH_BYTES];

/* ---- Numbers ---- */

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void check_number(const char *text, const char *plain)
{
    char line[1200];
    double value = 0;
    bool too_large;
    snprintf(line, sizeof line, "%s\n", text);
    const char *after = gbl_market_number(line, &value, &too_large);
    const double wanted = strtod(plain, NULL);
    if (isinf(wanted) && strchr(plain, 'i') == NULL) {
        if (after != NULL || !too_large)
            CHECK(false, "'%s' is not too large", text);
    } else if (after == NULL || *after != '\n' || bits_of(value) != bits_of(wanted))
        CHECK(false, "'%s' is read as %.17g, not %.17g", text, value, wanted);
}

/* strtod in the C locale is the oracle. */
static void numbers(void)
{
    static const char *const known[][2] = {
        {"1", "1"},
        {"+1", "1"},
        {"-0", "-0"},
        {"1.", "1"},
        {".5", "0.5"},
        {"-.5e1", "-5"},
        {"1.0D+00", "1"},
        {"2d-3", "2e-3"},
        {"007", "7"},
        {"0.000", "0"},
        {"1e-400", "0"},
        {"0e999999999999999999999", "0"},
        {"inf", "inf"},
        {"-Infinity", "-inf"},
        {"INF", "inf"},
        {"9007199254740993", "9007199254740993"},
        {"9007199254740992.5", "9007199254740992.5"},
        {"9007199254740993.00000000000000000000000001",
         "9007199254740993.00000000000000000000000001"},
        {"2.2250738585072011e-308", "2.2250738585072011e-308"},
        {"5e-324", "5e-324"},
        {"2.4703282292062327e-324", "2.4703282292062327e-324"},
        {"1.7976931348623157e308", "1.7976931348623157e308"},
        {"18446744073709551615", "18446744073709551615"},
        {"18446744073709551616", "18446744073709551616"},
        {"0.00000000000000000000000000000000012345678901234567890", "1.2345678901234567890e-34"}};
    uint64_t state = 7;
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++)
        check_number(known[k][0], known[k][1]);
    for (int k = 0; k < 100000; k++) {
        char text[64];
        const int digits = (int)(next_random(&state) % 20) + 1;
        const int power =
            (int)(next_random(&state) % (k % 4 == 0 ? 600 : 60)) - (k % 4 == 0 ? 300 : 30);
        int at = 0;
        if (next_random(&state) % 2 == 0)
            text[at++] = '-';
        for (int d = 0; d < digits; d++) {
            if (d == digits / 2 && d > 0 && k % 3 == 0)
                text[at++] = '.';
            text[at++] = (char)('0' + next_random(&state) % 10);
        }
        text[at] = '\0';
        if (k % 5 != 0)
            snprintf(text + at, sizeof text - (size_t)at, "e%d", power);
        check_number(text, text);
    }
    for (int k = 0; k < 100000;
         k++) { /* bits of any double, and the middle between it and the next */
        char text[64];
        const uint64_t bits = next_random(&state) << 32 ^ next_random(&state);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (k % 2 == 0) /* where the fast ways end */
            value = ldexp((double)((bits >> 11) | 1), (int)(bits % 24) - 12 - 53);
        if (!isfinite(value))
            continue;
        snprintf(text, sizeof text, k % 3 == 0 ? "%.16g" : k % 3 == 1 ? "%.17g" : "%.19g", value);
        check_number(text, text);
    }
    for (int k = 0; k < 60000; k++) { /* quotients of few bits, where the remainder decides */
        char text[64];
        const uint64_t whole = next_random(&state) << 32 ^ next_random(&state);
        snprintf(text, sizeof text, "%llue-27", (unsigned long long)whole % 10000000000000000000u);
        check_number(text, text);
    }
    char middle[1000];
    snprintf(middle, sizeof middle, "%.60f", 1 + 0x1p-53 + 0x1p-54);
    check_number(middle, middle);
    char many[1100];
    memset(many, '3', sizeof many);
    many[1] = '.';
    many[sizeof many - 1] = '\0';
    check_number(many, many);
}

/* ---- All headers, there and back ---- */

#define ORDER 7

static double any_double(uint64_t *state, gbl_market_field field, bool special)
{
    static const double specials[] = {0.0, -0.0, INFINITY, -INFINITY, 5e-324, 1e22, 0.1, 1e300};
    const uint64_t bits = next_random(state) << 32 ^ next_random(state);
    double value;
    if (field == GBL_MARKET_INTEGER)
        return bits % 8 == 0 ? ldexp((double)(bits >> 11), (int)(bits % 900))
                             : (double)((int64_t)(bits % 2001) - 1000);
    if (special && bits % 4 == 0)
        return specials[bits / 4 % 8];
    memcpy(&value, &bits, sizeof value);
    return isfinite(value) ? value : 0.5;
}

static void fill_values(gbl_market *matrix, uint64_t *state)
{
    const int64_t numbers = matrix->entries * value_numbers(matrix);
    matrix->values = numbers > 0 ? malloc((size_t)numbers * sizeof(double)) : NULL;
    for (int64_t k = 0; k < numbers; k++)
        matrix->values[k] = any_double(state, matrix->field, true);
}

/* Random coordinates with duplicates, or a full array; diagonals as the symmetry wants them. */
static gbl_market make_matrix(bool array, gbl_market_field field, gbl_market_symmetry symmetry,
                              int64_t columns, uint64_t *state)
{
    gbl_market matrix = {
        .array = array, .field = field, .symmetry = symmetry, .rows = ORDER, .columns = columns};
    const int64_t numbers = field == GBL_MARKET_COMPLEX ? 2 : 1;
    if (array) {
        matrix.entries = gbl_market_array_entries(symmetry, ORDER, columns);
        fill_values(&matrix, state);
        for (int64_t j = 0, e = 0; j < ORDER && symmetry == GBL_MARKET_HERMITIAN;
             e += ORDER - j, j++)
            matrix.values[2 * e + 1] = 0;
        return matrix;
    }
    matrix.entries = 60;
    matrix.row = malloc(60 * sizeof *matrix.row);
    matrix.column = malloc(60 * sizeof *matrix.column);
    fill_values(&matrix, state);
    for (int64_t e = 0; e < 60; e++) {
        const int64_t i = (int64_t)(next_random(state) % ORDER),
                      j = (int64_t)(next_random(state) % (uint64_t)columns);
        const bool turn = symmetry != GBL_MARKET_GENERAL && i < j;
        matrix.row[e] = turn ? j : i;
        matrix.column[e] = turn ? i : j;
        if (i == j && symmetry == GBL_MARKET_SKEW)
            memset(matrix.values + numbers * e, 0, (size_t)numbers * sizeof(double));
        if (i == j && symmetry == GBL_MARKET_HERMITIAN)
            matrix.values[2 * e + 1] = 0;
    }
    return matrix;
}

static bool equal_value(const gbl_market *matrix, int64_t e, const double *value, bool mirrored)
{
    const int64_t numbers = value_numbers(matrix);
    for (int64_t k = 0; k < numbers; k++) {
        const bool minus = mirrored && (matrix->symmetry == GBL_MARKET_SKEW ||
                                        (k == 1 && matrix->symmetry == GBL_MARKET_HERMITIAN));
        if (bits_of(matrix->values[numbers * e + k]) != bits_of(minus ? -value[k] : value[k]))
            return false;
    }
    return true;
}

/* The expanded matrix against the triangle, entry by entry. */
static void check_expanded(const gbl_market *triangle, const gbl_market *full)
{
    const int64_t numbers = value_numbers(triangle);
    int64_t at = triangle->entries, wrong = 0;
    if (triangle->array) {
        const int64_t skew = triangle->symmetry == GBL_MARKET_SKEW;
        at = 0;
        for (int64_t j = 0; j < ORDER; j++)
            for (int64_t i = j + skew; i < ORDER; i++, at++) {
                wrong += !equal_value(full, i + j * ORDER, triangle->values + numbers * at, false);
                wrong += i != j &&
                         !equal_value(full, j + i * ORDER, triangle->values + numbers * at, true);
            }
        for (int64_t j = 0; j < ORDER && skew; j++)
            wrong += full->values[numbers * (j + j * ORDER)] != 0;
        CHECK(full->entries == ORDER * ORDER && wrong == 0, "%lld entries are wrong",
              (long long)wrong);
        return;
    }
    for (int64_t e = 0; e < triangle->entries; e++) {
        wrong += full->row[e] != triangle->row[e] || full->column[e] != triangle->column[e] ||
                 !equal_value(full, e, triangle->values + numbers * e, false);
        if (triangle->row[e] == triangle->column[e])
            continue;
        wrong += at >= full->entries || full->row[at] != triangle->column[e] ||
                 full->column[at] != triangle->row[e] ||
                 !equal_value(full, at, triangle->values + numbers * e, true);
        at++;
    }
    CHECK(at == full->entries && wrong == 0, "%lld entries are wrong", (long long)wrong);
}

static gable_status read_back(const char *path, bool expand, int64_t piece, gbl_market *matrix)
{
    static gbl_message message;
    const gbl_market_options options = {.expand = expand, .piece_bytes = piece};
    const gable_status status = gbl_market_read(path, &options, matrix, &message);
    CHECK(status == GABLE_OK, "%s", message.text);
    return status;
}

static void round_trip(const gbl_market *matrix)
{
    char path[SCRATCH_BYTES + 16];
    static gbl_message message;
    gbl_market back, full, again;
    snprintf(path, sizeof path, "%s/trip.mtx", folder);
    const gable_status wrote =
        gbl_market_write(path, matrix, "made by a test\nin two lines", &message);
    CHECK(wrote == GABLE_OK, "%s", message.text);
    static const int64_t pieces[] = {0, 1, 33};
    for (int p = 0; p < 3; p++) {
        if (read_back(path, false, pieces[p], &back) == GABLE_OK)
            CHECK(same_matrix(matrix, &back), "the file reads back differently");
        gbl_market_free(&back);
    }
    if (read_back(path, true, 20, &full) == GABLE_OK) {
        CHECK(full.expanded == (matrix->symmetry != GBL_MARKET_GENERAL), "expanded is wrong");
        if (full.expanded)
            check_expanded(matrix, &full);
        CHECK(gbl_market_write(path, &full, NULL, &message) == GABLE_OK, "%s", message.text);
        if (read_back(path, false, 0, &again) == GABLE_OK)
            CHECK(same_matrix(matrix, &again), "the expanded matrix reads back differently");
        gbl_market_free(&again);
    }
    gbl_market_free(&full);
}

static void headers(void)
{
    uint64_t state = 3;
    char path[SCRATCH_BYTES + 16];
    snprintf(path, sizeof path, "%s/none.mtx", folder);
    for (int k = 0; k < 32; k++) {
        const bool array = k >= 16;
        const gbl_market_field field = k / 4 % 4;
        const gbl_market_symmetry symmetry = k % 4;
        test_case("%s %s %s", array ? "array" : "coordinate", gbl_market_field_names[field],
                  gbl_market_symmetry_names[symmetry]);
        if (gbl_market_contradiction(array, field, symmetry) != NULL) {
            const gbl_market empty = {.array = array, .field = field, .symmetry = symmetry};
            CHECK(gbl_market_write(path, &empty, NULL, NULL) == GABLE_BAD_ARGUMENT &&
                      access(path, F_OK) != 0,
                  "it was written");
            continue;
        }
        for (int turn = 0; turn < 6; turn++) {
            gbl_market matrix =
                make_matrix(array, field, symmetry,
                            turn % 2 == 1 && symmetry == GBL_MARKET_GENERAL ? 4 : ORDER, &state);
            round_trip(&matrix);
            gbl_market_free(&matrix);
        }
    }
    test_case("empty matrices");
    for (int k = 0; k < 4; k++) {
        const gbl_market empty = {.array = k % 2 == 1, .rows = k < 2 ? 0 : 5};
        round_trip(&empty);
    }
    CHECK(scratch_count(folder) == 1, "drafts are left in %s", folder);
}

/* ---- Forms of lines ---- */

static void lines(void)
{
    static const char untidy[] = "%%matrixmarket\tMATRIX Coordinate  REAL General \n%c\n\n"
                                 "  2\t3 2  \n\n 1 3 .5\n%\n\t2 1 -2.D0\t\n\n \n";
    static const char *const texts[] = {
        "%%MatrixMarket matrix coordinate real general\n2 3 2\n1 3 0.5\n2 1 -2\n",
        "%%MatrixMarket matrix coordinate real general\r\n2 3 2\r\n1 3 0.5\r\n2 1 -2\r\n", untidy,
        "%%MatrixMarket matrix coordinate real general\n2 3 2\n+1 03 5.E-1\n2 1 -0.2e+1",
        "%%MatrixMarket matrix coordinate real general\n2 3 2\n1 3 0.5\n2 1 -2\n    "};
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++)
        for (int64_t piece = 0; piece < 50; piece++) {
            const gbl_market_options options = {.piece_bytes = piece};
            static gbl_message message;
            gbl_market matrix;
            test_case("form %zu, pieces of %lld", k, (long long)piece);
            const gable_status status =
                read_bytes(texts[k], strlen(texts[k]), &options, &matrix, &message);
            CHECK(status == GABLE_OK, "%s", message.text);
            CHECK(matrix.entries == 2 && matrix.row[0] == 0 && matrix.column[0] == 2 &&
                      matrix.values[0] == 0.5 && matrix.row[1] == 1 && matrix.column[1] == 0 &&
                      matrix.values[1] == -2,
                  "the entries are wrong");
            gbl_market_free(&matrix);
        }
}

/* The shortest entries that there are, and no end of the last line: no count is refused as too
 * large for them. */
static void tight_files(void)
{
    static const char *const texts[] = {
        "%%MatrixMarket matrix coordinate pattern general\n1 1 2\n1 1\n1 1",
        "%%MatrixMarket matrix coordinate real general\n1 1 2\n1 1 1\n1 1 1",
        "%%MatrixMarket matrix coordinate complex general\n1 1 2\n1 1 1 1\n1 1 1 1",
        "%%MatrixMarket matrix array integer general\n2 1\n1\n1",
        "%%MatrixMarket matrix array complex general\n1 2\n1 1\n1 1"};
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        static gbl_message message;
        gbl_market matrix;
        test_case("tight file %zu", k);
        const gable_status status = read_bytes(texts[k], strlen(texts[k]), NULL, &matrix, &message);
        CHECK(status == GABLE_OK, "%s", message.text);
        CHECK(matrix.entries == 2, "%lld entries", (long long)matrix.entries);
        gbl_market_free(&matrix);
    }
    test_case("many rows");
    const char *rows = "%%MatrixMarket matrix coordinate pattern general\n"
                       "9223372036854775807 9223372036854775807 1\n"
                       "9223372036854775807 9223372036854775806";
    gbl_market matrix;
    CHECK(read_bytes(rows, strlen(rows), NULL, &matrix, NULL) == GABLE_OK &&
              matrix.row[0] == INT64_MAX - 1 && matrix.column[0] == INT64_MAX - 2,
          "the largest extents are not read");
    gbl_market_free(&matrix);
}

/* ---- What cannot be written or opened ---- */

static void refusals(void)
{
    int64_t row[] = {0}, column[] = {1};
    double values[] = {0.5, 1};
    static gbl_message message;
    char path[SCRATCH_BYTES + 32];
    gbl_market back;
    const gbl_market wrong[] = {
        {.rows = 1, .columns = 1, .entries = 1, .row = row, .column = column, .values = values},
        {.symmetry = GBL_MARKET_SYMMETRIC,
         .rows = 2,
         .columns = 2,
         .entries = 1,
         .row = row,
         .column = column,
         .values = values},
        {.field = GBL_MARKET_INTEGER,
         .rows = 1,
         .columns = 2,
         .entries = 1,
         .row = row,
         .column = column,
         .values = values},
        {.array = true, .rows = 1, .columns = 2, .entries = 1, .values = values},
        {.symmetry = GBL_MARKET_SKEW,
         .rows = 2,
         .columns = 2,
         .entries = 1,
         .row = row,
         .column = row,
         .values = values},
        {.field = GBL_MARKET_COMPLEX,
         .symmetry = GBL_MARKET_HERMITIAN,
         .rows = 2,
         .columns = 2,
         .entries = 1,
         .row = row,
         .column = row,
         .values = values},
        {.symmetry = GBL_MARKET_SYMMETRIC, .rows = 2, .columns = 3},
        {.rows = -1}};
    snprintf(path, sizeof path, "%s/refused.mtx", folder);
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        test_case("refusal %zu", k);
        CHECK(gbl_market_write(path, &wrong[k], NULL, &message) == GABLE_BAD_ARGUMENT &&
                  access(path, F_OK) != 0,
              "it was written");
    }
    test_case("paths");
    const gbl_market right = {
        .array = true, .rows = 1, .columns = 2, .entries = 2, .values = values};
    CHECK(gbl_market_read(path, NULL, &back, &message) == GABLE_BAD_ARGUMENT &&
              strstr(message.text, strerror(ENOENT)) != NULL,
          "%s", message.text);
    CHECK(gbl_market_read(folder, NULL, &back, &message) == GABLE_BAD_ARGUMENT,
          "a folder was read");
    snprintf(path, sizeof path, "%s/none/refused.mtx", folder);
    CHECK(gbl_market_write(path, &right, NULL, &message) == GABLE_BAD_ARGUMENT &&
              strstr(message.text, strerror(ENOENT)) != NULL,
          "%s", message.text);
    if (access("/dev/full", W_OK) != 0)
        test_leave_out(NULL, "no /dev/full stands for a full disk");
    else
        CHECK(gbl_market_write("/dev/full", &right, NULL, &message) == GABLE_BAD_ARGUMENT &&
                  strstr(message.text, strerror(ENOSPC)) != NULL,
              "%s", message.text);
}

/* ---- Pipes and links ---- */

static void pipes(void)
{
    static const char text[] = "%%MatrixMarket matrix array real general\n1 2\n3\n4\n";
    char path[32];
    int ends[2];
    gbl_market matrix;
    static gbl_message message;
    test_case("pipe");
    if (pipe(ends) != 0 || write(ends[1], text, sizeof text - 1) != (ssize_t)(sizeof text - 1)) {
        CHECK(false, "no pipe");
        return;
    }
    close(ends[1]);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    if (access(path, R_OK) != 0) {
        test_leave_out(NULL, "no /dev/fd gives pipes a name");
    } else {
        const gable_status status = gbl_market_read(path, NULL, &matrix, &message);
        CHECK(status == GABLE_OK, "%s", message.text);
        CHECK(matrix.entries == 2 && matrix.values[0] == 3 && matrix.values[1] == 4,
              "the values are wrong");
        gbl_market_free(&matrix);
    }
    close(ends[0]);
}

/* A link stays one: what it names is replaced. */
static void links(void)
{
    double values[] = {0.5, 1};
    const gbl_market one = {.array = true, .rows = 1, .columns = 1, .entries = 1, .values = values};
    const gbl_market two = {.array = true, .rows = 2, .columns = 1, .entries = 2, .values = values};
    char file[SCRATCH_BYTES + 32], link[SCRATCH_BYTES + 32];
    struct stat about;
    gbl_market back;
    test_case("link");
    snprintf(file, sizeof file, "%s/file.mtx", folder);
    snprintf(link, sizeof link, "%s/link.mtx", folder);
    CHECK(gbl_market_write(file, &one, NULL, NULL) == GABLE_OK && symlink(file, link) == 0 &&
              gbl_market_write(link, &two, NULL, NULL) == GABLE_OK,
          "it cannot be written");
    CHECK(lstat(link, &about) == 0 && S_ISLNK(about.st_mode), "the link is gone");
    if (read_back(file, false, 0, &back) == GABLE_OK)
        CHECK(same_matrix(&back, &two), "the old file is still there");
    gbl_market_free(&back);
}

/* ---- Locales ---- */

static bool set_comma_locale(void)
{
    char path[SCRATCH_BYTES + 64];
    snprintf(path, sizeof path, "%s/de_DE.UTF-8", folder);
    const pid_t child = fork();
    if (child == 0) {
        if (freopen("/dev/null", "w", stderr) != NULL)
            execlp("localedef", "localedef", "--no-archive", "-c", "-i", "de_DE", "-f", "UTF-8",
                   path, (char *)NULL);
        _exit(127);
    }
    int status = 0;
    if (child > 0)
        waitpid(child, &status, 0);
    setenv("LOCPATH", folder, 1);
    return setlocale(LC_ALL, "de_DE.UTF-8") != NULL;
}

static void locales(void)
{
    uint64_t state = 11;
    test_case("locale");
    if (!set_comma_locale()) {
        test_leave_out("locale", "localedef makes no de_DE.UTF-8 (Debian: locales)");
        return;
    }
    for (int turn = 0; turn < 6; turn++) {
        gbl_market matrix = make_matrix(false, GBL_MARKET_REAL, GBL_MARKET_GENERAL, ORDER, &state);
        round_trip(&matrix);
        gbl_market_free(&matrix);
    }
    double value;
    bool too_large;
    CHECK(gbl_market_number("1.2345678901234567e-100\n", &value, &too_large) != NULL &&
              value == 1.2345678901234567e-100,
          "the slow way reads %g", value);
    setlocale(LC_ALL, "C");
}

/* ---- Files of others ---- */

typedef struct known_file {
    const char *name;
    int64_t rows, entries, expanded;
} known_file;

static void known_files(void)
{
    static const known_file files[] = {
        {"1138_bus.mtx", 1138, 2596, 4054},    {"Trefethen_2000.mtx", 2000, 21953, 41906},
        {"bcsstk13.mtx", 2003, 42943, 83883},  {"memplus.mtx", 17758, 126150, 126150},
        {"olm1000.mtx", 1000, 3996, 3996},     {"sherman5.mtx", 3312, 20793, 20793},
        {"watt_2.mtx", 1856, 11550, 11550},    {"west0479.mtx", 479, 1910, 1910},
        {"ani5_crop.mtx", 12561, 86227, 86227}};
    const char *where = getenv("GABLE_MATRICES");
    if (where == NULL)
        where = access(GABLE_SOURCE_DIR "/shared/matrices", R_OK) == 0
                    ? GABLE_SOURCE_DIR "/shared/matrices"
                    : GABLE_SOURCE_DIR "/../shared/matrices";
    int missing = 0;
    for (size_t k = 0; k < sizeof files / sizeof files[0]; k++) {
        char path[1024];
        gbl_market matrix;
        test_case("%s", files[k].name);
        snprintf(path, sizeof path, "%s/%s", where, files[k].name);
        if (access(path, R_OK) != 0) {
            missing++;
            continue;
        }
        if (read_back(path, false, 0, &matrix) == GABLE_OK) {
            CHECK(matrix.rows == files[k].rows && matrix.entries == files[k].entries,
                  "%lld rows, %lld entries", (long long)matrix.rows, (long long)matrix.entries);
            round_trip(&matrix);
        }
        gbl_market_free(&matrix);
        if (read_back(path, true, 0, &matrix) == GABLE_OK)
            CHECK(matrix.entries == files[k].expanded, "%lld entries", (long long)matrix.entries);
        gbl_market_free(&matrix);
    }
    if (missing > 0)
        test_leave_out(NULL,
                       "%d of 9 matrices are not in %s ($GABLE_MATRICES names another folder)",
                       missing, where);
}

int main(void)
{
    test_start("test_market");
    if (!scratch_make(folder))
        test_skip(NULL, "no folder for scratch files");
    test_case("numbers");
    numbers();
    headers();
    lines();
    tight_files();
    market_errors();
    refusals();
    pipes();
    links();
    market_mutations();
    known_files();
    locales();
    scratch_clear(folder, false);
    return test_finish();
}

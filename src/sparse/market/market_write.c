/* market_write.c: writes files of the Matrix Market format.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The matrix is checked before anything is written. The file is a draft first (core/draft_file.h),
 * so that a full disk leaves the old one.
 */
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "core/draft_file.h"
#include "core/number_text.h"
#include "sparse/market/market.h"
#include "sparse/market/market_number.h"

#define BUFFER_BYTES 65536
#define NUMBER_BYTES 352 /* the largest double as a whole number has 309 digits */
#define ENTRY_BYTES  (4 * NUMBER_BYTES)

typedef struct sink {
    int file;
    int error; /* errno of the first write that failed, or 0 */
    size_t used;
    char buffer[BUFFER_BYTES];
} sink;

/* ---- Bytes ---- */

static void flush_sink(sink *to)
{
    for (size_t done = 0; done < to->used && to->error == 0;) {
        const ssize_t wrote = write(to->file, to->buffer + done, to->used - done);
        if (wrote >= 0)
            done += (size_t)wrote;
        else if (errno != EINTR)
            to->error = errno;
    }
    to->used = 0;
}

static void put_bytes(sink *to, const char *bytes, size_t count)
{
    while (count > 0) {
        const size_t room = BUFFER_BYTES - to->used, part = count < room ? count : room;
        memcpy(to->buffer + to->used, bytes, part);
        to->used += part;
        bytes += part;
        count -= part;
        if (to->used == BUFFER_BYTES)
            flush_sink(to);
    }
}

static void put_text(sink *to, const char *text)
{
    put_bytes(to, text, strlen(text));
}

/* ---- Numbers ---- */

static char *write_whole(int64_t value, char *text)
{
    char digits[24];
    int count = 0;
    uint64_t rest = value < 0 ? (uint64_t)0 - (uint64_t)value : (uint64_t)value;
    if (value < 0)
        *text++ = '-';
    do {
        digits[count++] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    while (count > 0)
        *text++ = digits[--count];
    return text;
}

static bool reads_back(const char *text, size_t length, double value)
{
    char line[GBL_NUMBER_BYTES + 1];
    double back;
    bool too_large;
    memcpy(line, text, length);
    line[length] = '\n';
    return gbl_market_number(line, &back, &too_large) != NULL && back == value;
}

/* Up to 15 digits %g leaves out what is not needed; below the normal numbers one digit may do. */
static char *write_shortest(double value, char *text)
{
    size_t length = 0;
    for (int digits = fabs(value) < DBL_MIN ? 1 : 15; digits <= 17; digits++) {
        length = strlen(gbl_number_write(value, digits, text));
        if (reads_back(text, length, value))
            break;
    }
    return text + length;
}

static char *write_value(double value, bool integer, char *text)
{
    if (!isfinite(value)) {
        strcpy(text, isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
        return text + strlen(text);
    }
    if (value == floor(value) && fabs(value) < 1e15) {
        if (value == 0 && signbit(value))
            *text++ = '-';
        return write_whole((int64_t)value, text);
    }
    return integer ? text + snprintf(text, NUMBER_BYTES, "%.0f", value)
                   : write_shortest(value, text);
}

/* ---- The matrix ---- */

static bool is_complex(const gbl_market *matrix)
{
    return matrix->field == GBL_MARKET_COMPLEX;
}

/* The first place that a column of a file has. */
static int64_t first_row(const gbl_market *matrix, int64_t column)
{
    return matrix->symmetry == GBL_MARKET_GENERAL ? 0
                                                  : column + (matrix->symmetry == GBL_MARKET_SKEW);
}

static bool is_left_out(const gbl_market *matrix, int64_t e)
{
    return matrix->expanded && !matrix->array && matrix->row[e] < matrix->column[e];
}

static gable_status check_value(const gbl_market *matrix, int64_t e, bool diagonal,
                                gbl_message *message)
{
    const double *value = is_complex(matrix) ? matrix->values + 2 * e : matrix->values + e;
    if (matrix->field == GBL_MARKET_INTEGER && !(isfinite(*value) && *value == floor(*value)))
        return gbl_fail(message, GABLE_BAD_ARGUMENT,
                        "value %lld is %s, which an integer file cannot hold", (long long)e,
                        GBL_NUMBER(*value));
    if (diagonal && matrix->symmetry == GBL_MARKET_SKEW &&
        (value[0] != 0 || (is_complex(matrix) && value[1] != 0)))
        return gbl_fail(message, GABLE_BAD_ARGUMENT,
                        "value %lld is on the diagonal of a skew-symmetric matrix and not 0",
                        (long long)e);
    if (diagonal && matrix->symmetry == GBL_MARKET_HERMITIAN && value[1] != 0)
        return gbl_fail(message, GABLE_BAD_ARGUMENT,
                        "value %lld is on the diagonal of a hermitian matrix and not real",
                        (long long)e);
    return GABLE_OK;
}

static gable_status check_coordinates(const gbl_market *matrix, gbl_message *message)
{
    for (int64_t e = 0; e < matrix->entries; e++) {
        const int64_t i = matrix->row[e], j = matrix->column[e];
        if (i < 0 || i >= matrix->rows || j < 0 || j >= matrix->columns)
            return gbl_fail(message, GABLE_BAD_ARGUMENT,
                            "entry %lld is (%lld, %lld), outside of a matrix of %lld x %lld",
                            (long long)e, (long long)i, (long long)j, (long long)matrix->rows,
                            (long long)matrix->columns);
        if (i < j && matrix->symmetry != GBL_MARKET_GENERAL && !matrix->expanded)
            return gbl_fail(message, GABLE_BAD_ARGUMENT,
                            "entry %lld is (%lld, %lld), above the diagonal of a %s matrix",
                            (long long)e, (long long)i, (long long)j,
                            gbl_market_symmetry_names[matrix->symmetry]);
        if (matrix->field != GBL_MARKET_PATTERN)
            TRY(check_value(matrix, e, i == j, message));
    }
    return GABLE_OK;
}

static gable_status check_array(const gbl_market *matrix, gbl_message *message)
{
    const gbl_market_symmetry stored = matrix->expanded ? GBL_MARKET_GENERAL : matrix->symmetry;
    const int64_t entries = gbl_market_array_entries(stored, matrix->rows, matrix->columns);
    if (entries != matrix->entries)
        return gbl_fail(message, GABLE_BAD_ARGUMENT,
                        "a %s array of %lld x %lld does not have %lld values",
                        gbl_market_symmetry_names[stored], (long long)matrix->rows,
                        (long long)matrix->columns, (long long)matrix->entries);
    int64_t e = 0;
    for (int64_t j = 0; j < matrix->columns && entries > 0; j++)
        for (int64_t i = matrix->expanded ? 0 : first_row(matrix, j); i < matrix->rows; i++, e++)
            TRY(check_value(matrix, e, i == j, message));
    return GABLE_OK;
}

static gable_status check_matrix(const gbl_market *matrix, gbl_message *message)
{
    const char *why = gbl_market_contradiction(matrix->array, matrix->field, matrix->symmetry);
    if (why != NULL)
        return gbl_fail(message, GABLE_BAD_ARGUMENT, "%s", why);
    if (matrix->rows < 0 || matrix->columns < 0 || matrix->entries < 0)
        return gbl_fail(message, GABLE_BAD_ARGUMENT,
                        "%lld rows, %lld columns, %lld entries: none may be negative",
                        (long long)matrix->rows, (long long)matrix->columns,
                        (long long)matrix->entries);
    if (matrix->symmetry != GBL_MARKET_GENERAL && matrix->rows != matrix->columns)
        return gbl_fail(message, GABLE_BAD_ARGUMENT,
                        "%lld rows and %lld columns; a %s matrix is square",
                        (long long)matrix->rows, (long long)matrix->columns,
                        gbl_market_symmetry_names[matrix->symmetry]);
    return matrix->array ? check_array(matrix, message) : check_coordinates(matrix, message);
}

/* ---- Lines ---- */

static void put_comment(sink *to, const char *comment)
{
    while (comment != NULL && *comment != '\0') {
        const size_t length = strcspn(comment, "\n");
        put_text(to, "% ");
        put_bytes(to, comment, length);
        put_text(to, "\n");
        comment += length + (comment[length] == '\n');
    }
}

static char *write_values(const gbl_market *matrix, int64_t e, char *end)
{
    const bool integer = matrix->field == GBL_MARKET_INTEGER;
    if (!is_complex(matrix))
        return write_value(matrix->values[e], integer, end);
    end = write_value(matrix->values[2 * e], false, end);
    *end++ = ' ';
    return write_value(matrix->values[2 * e + 1], false, end);
}

static void put_coordinates(sink *to, const gbl_market *matrix)
{
    for (int64_t e = 0; e < matrix->entries && to->error == 0; e++) {
        char line[ENTRY_BYTES], *end = line;
        if (is_left_out(matrix, e))
            continue;
        end = write_whole(matrix->row[e] + 1, end);
        *end++ = ' ';
        end = write_whole(matrix->column[e] + 1, end);
        if (matrix->field != GBL_MARKET_PATTERN) {
            *end++ = ' ';
            end = write_values(matrix, e, end);
        }
        *end++ = '\n';
        put_bytes(to, line, (size_t)(end - line));
    }
}

static void put_array(sink *to, const gbl_market *matrix)
{
    int64_t e = 0;
    for (int64_t j = 0; j < matrix->columns && matrix->entries > 0; j++) {
        if (matrix->expanded)
            e = first_row(matrix, j) + j * matrix->rows;
        for (int64_t i = first_row(matrix, j); i < matrix->rows && to->error == 0; i++, e++) {
            char line[ENTRY_BYTES], *end = write_values(matrix, e, line);
            *end++ = '\n';
            put_bytes(to, line, (size_t)(end - line));
        }
    }
}

static void put_matrix(sink *to, const gbl_market *matrix, const char *comment)
{
    char line[128];
    int64_t entries = 0;
    snprintf(line, sizeof line, "%%%%MatrixMarket matrix %s %s %s\n",
             matrix->array ? "array" : "coordinate", gbl_market_field_names[matrix->field],
             gbl_market_symmetry_names[matrix->symmetry]);
    put_text(to, line);
    put_comment(to, comment);
    for (int64_t e = 0; e < matrix->entries; e++)
        entries += !is_left_out(matrix, e);
    snprintf(line, sizeof line, matrix->array ? "%lld %lld\n" : "%lld %lld %lld\n",
             (long long)matrix->rows, (long long)matrix->columns, (long long)entries);
    put_text(to, line);
    if (matrix->array)
        put_array(to, matrix);
    else
        put_coordinates(to, matrix);
    flush_sink(to);
}

/* ---- The file ---- */

/* Puts the matrix into an open draft and closes it. */
static gable_status write_draft(gbl_draft *draft, const char *path, const gbl_market *matrix,
                                const char *comment, gbl_message *message)
{
    sink *to = calloc(1, sizeof *to);
    if (to == NULL) {
        gbl_draft_drop(draft);
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory to write %s", path);
    }
    to->file = draft->file;
    put_matrix(to, matrix, comment);
    const int error = to->error;
    free(to);
    if (error != 0)
        gbl_draft_drop(draft);
    else if (gbl_draft_keep(draft))
        return GABLE_OK;
    return gbl_fail(message, GABLE_BAD_ARGUMENT, "writing %s failed: %s", path,
                    strerror(error != 0 ? error : errno));
}

gable_status gbl_market_write_draft(gbl_draft *draft, const char *path, const gbl_market *matrix,
                                    const char *comment, gbl_message *message)
{
    const gable_status status = check_matrix(matrix, message);
    if (status == GABLE_OK)
        return write_draft(draft, path, matrix, comment, message);
    gbl_draft_drop(draft);
    return status;
}

gable_status gbl_market_write(const char *path, const gbl_market *matrix, const char *comment,
                              gbl_message *message)
{
    gbl_draft draft;
    TRY(check_matrix(matrix, message));
    if (!gbl_draft_open(&draft, path))
        return gbl_fail(message, GABLE_BAD_ARGUMENT, "%.1000s cannot be written: %s", path,
                        strerror(errno));
    return write_draft(&draft, path, matrix, comment, message);
}

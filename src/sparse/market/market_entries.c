/* market_entries.c: the entries of a Matrix Market file, parsed by several threads.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The text is cut into pieces at line ends. A first walk counts the lines and entries of each
 * piece, so that every piece knows its place in the arrays, and a wrong count is found before
 * memory is taken. A second walk parses. Pieces depend on the text alone, so the result does not
 * depend on the threads. A piece stops at its first bad line. The first such line of all is then
 * parsed again with a message to write to: there is one parser, and it writes no messages where
 * nobody waits for them.
 */
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "device/cpu_team.h"
#include "sparse/market/market_entries.h"
#include "sparse/market/market_number.h"

/* Large against what starting a piece costs, small against a file that is worth several threads. */
#define PIECE_BYTES 262144

typedef struct piece {
    const char *begin, *end;     /* whole lines */
    int64_t lines, entries;      /* in it */
    int64_t first_line, first;   /* number of its first line, of its first entry */
    int64_t mirrored, mirror_at; /* entries off the diagonal; where their mirrors go */
    const char *bad;             /* its first bad line, or NULL */
    int64_t bad_line, bad_entry;
} piece;

typedef struct parse_job parse_job;
struct parse_job {
    const gbl_market_head *head;
    gbl_market *matrix;
    piece *pieces;
    int64_t count;
    void (*walk)(const parse_job *job, piece *own);
    atomic_llong next; /* piece that no thread has taken */
};

/* ---- Messages ---- */

gable_status gbl_market_fail(gbl_message *message, const char *name, int64_t line,
                             const char *format, ...)
{
    char text[512];
    va_list list;
    if (message == NULL)
        return GABLE_NOT_SUPPORTED;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    return gbl_fail(message, GABLE_NOT_SUPPORTED, "%s:%lld: %s", name, (long long)line, text);
}

const char *gbl_market_word(const char *text, char word[GBL_MARKET_WORD_BYTES])
{
    int count = 0;
    for (; count < GBL_MARKET_WORD_BYTES - 4 && !gbl_market_is_gap(text[count]); count++)
        word[count] = text[count] >= ' ' && text[count] <= '~' ? text[count] : '?';
    strcpy(word + count, gbl_market_is_gap(text[count]) ? "" : "...");
    return word;
}

/* ---- One line ---- */

/* Where an entry was found, and what of it goes where. */
typedef struct line_place {
    gbl_message *message; /* NULL while several threads parse */
    int64_t line, entry;  /* counted from 1, from 0 */
    int64_t row, column;  /* of an array's entry; set by the parser for coordinates */
} line_place;

static const char *read_index(const parse_job *job, const line_place *at, const char *p,
                              const char *what, int64_t extent, int64_t *index)
{
    const char *name = job->head->name;
    const char *after = gbl_market_whole(p, index);
    if (*p == '\n')
        gbl_market_fail(at->message, name, at->line, "the line ends where a %s is expected", what);
    else if (after == NULL || !gbl_market_is_gap(*after))
        gbl_market_fail(at->message, name, at->line,
                        "'%s' is no whole number below 2^63; a %s is expected", GBL_MARKET_WORD(p),
                        what);
    else if (*index < 1)
        gbl_market_fail(at->message, name, at->line, "%s %lld is below 1; %ss count from 1", what,
                        (long long)*index, what);
    else if (*index > extent)
        gbl_market_fail(at->message, name, at->line,
                        "%s %lld is beyond the %lld %ss that line %lld says", what,
                        (long long)*index, (long long)extent, what, (long long)job->head->lines);
    else {
        --*index;
        return gbl_market_skip(after);
    }
    return NULL;
}

/* Whether digits and a sign are all there is. */
static bool is_whole(const char *p, const char *end)
{
    p += *p == '-' || *p == '+';
    for (; p < end; p++)
        if (*p < '0' || *p > '9')
            return false;
    return true;
}

static const char *read_value(const parse_job *job, const line_place *at, const char *p,
                              double *value)
{
    const char *name = job->head->name;
    const bool integer = job->matrix->field == GBL_MARKET_INTEGER;
    bool too_large;
    const char *after = gbl_market_number(p, value, &too_large);
    if (*p == '\n')
        gbl_market_fail(at->message, name, at->line, "the line ends where a value is expected; %s",
                        job->matrix->field == GBL_MARKET_COMPLEX
                            ? "a complex value is two numbers"
                            : "line 1 says that entries have one");
    else if (too_large)
        gbl_market_fail(at->message, name, at->line, "'%s' is past the largest double, 1.8e308",
                        GBL_MARKET_WORD(p));
    else if (after == NULL || !gbl_market_is_gap(*after))
        gbl_market_fail(at->message, name, at->line, "'%s' is no number", GBL_MARKET_WORD(p));
    else if (integer && !is_whole(p, after))
        gbl_market_fail(at->message, name, at->line,
                        "'%s' is no whole number, and line 1 says integer", GBL_MARKET_WORD(p));
    else
        return gbl_market_skip(after);
    return NULL;
}

/* What the symmetry that line 1 says asks of an entry. */
static bool fits_symmetry(const parse_job *job, const line_place *at, const double value[2])
{
    const char *name = job->head->name;
    const gbl_market_symmetry symmetry = job->matrix->symmetry;
    const long long i = at->row + 1, j = at->column + 1;
    if (i < j)
        gbl_market_fail(
            at->message, name, at->line,
            "entry (%lld, %lld) is above the diagonal; %s files hold the lower triangle", i, j,
            gbl_market_symmetry_names[symmetry]);
    else if (i == j && symmetry == GBL_MARKET_SKEW && (value[0] != 0 || value[1] != 0))
        gbl_market_fail(
            at->message, name, at->line,
            "entry (%lld, %lld) is not 0; skew-symmetric matrices have a diagonal of zeros", i, j);
    else if (i == j && symmetry == GBL_MARKET_HERMITIAN && value[1] != 0)
        gbl_market_fail(
            at->message, name, at->line,
            "entry (%lld, %lld) has an imaginary part; hermitian matrices have a real diagonal", i,
            j);
    else
        return true;
    return false;
}

static void put_value(const gbl_market *matrix, int64_t index, const double value[2])
{
    if (matrix->field == GBL_MARKET_COMPLEX)
        memcpy(matrix->values + 2 * index, value, 2 * sizeof *value);
    else if (matrix->values != NULL)
        matrix->values[index] = value[0];
}

/* The value of the mirrored entry. */
static void mirror_value(gbl_market_symmetry symmetry, const double value[2], double mirrored[2])
{
    mirrored[0] = symmetry == GBL_MARKET_SKEW ? -value[0] : value[0];
    mirrored[1] = symmetry == GBL_MARKET_SYMMETRIC ? value[1] : -value[1];
}

static void store_entry(const parse_job *job, const line_place *at, const double value[2])
{
    gbl_market *matrix = job->matrix;
    if (!matrix->array) {
        matrix->row[at->entry] = at->row;
        matrix->column[at->entry] = at->column;
        put_value(matrix, at->entry, value);
    } else if (!matrix->expanded) {
        put_value(matrix, at->entry, value);
    } else {
        double mirrored[2];
        mirror_value(matrix->symmetry, value, mirrored);
        put_value(matrix, at->row + at->column * matrix->rows, value);
        if (at->row != at->column)
            put_value(matrix, at->column + at->row * matrix->rows, mirrored);
    }
}

/* Reads and stores the entry at p, which starts with no gap: its line's end, or NULL. */
static const char *read_entry(const parse_job *job, line_place *at, const char *p)
{
    const gbl_market *matrix = job->matrix;
    double value[2] = {1, 0};
    if (!matrix->array) {
        p = read_index(job, at, p, "row", matrix->rows, &at->row);
        if (p != NULL)
            p = read_index(job, at, p, "column", matrix->columns, &at->column);
    }
    if (p != NULL && matrix->field != GBL_MARKET_PATTERN)
        p = read_value(job, at, p, &value[0]);
    if (p != NULL && matrix->field == GBL_MARKET_COMPLEX)
        p = read_value(job, at, p, &value[1]);
    if (p == NULL)
        return NULL;
    if (*p != '\n') {
        gbl_market_fail(at->message, job->head->name, at->line,
                        "'%s' follows the entry; each line has one entry, here %s%s%s",
                        GBL_MARKET_WORD(p), matrix->array ? "" : "row and column",
                        matrix->array || matrix->field == GBL_MARKET_PATTERN ? "" : " and ",
                        matrix->field == GBL_MARKET_PATTERN   ? ""
                        : matrix->field == GBL_MARKET_COMPLEX ? "two numbers"
                                                              : "one number");
        return NULL;
    }
    if (matrix->symmetry != GBL_MARKET_GENERAL && !fits_symmetry(job, at, value))
        return NULL;
    store_entry(job, at, value);
    return p;
}

/* ---- Entries of arrays ---- */

/* Entries before column j of a lower triangle. */
static int64_t before_column(const gbl_market *matrix, int64_t j)
{
    const int64_t longest = matrix->rows - (matrix->symmetry == GBL_MARKET_SKEW);
    return j * longest - j * (j - 1) / 2;
}

static void find_place(const gbl_market *matrix, int64_t entry, line_place *at)
{
    if (matrix->symmetry == GBL_MARKET_GENERAL) {
        at->row = matrix->rows == 0 ? 0 : entry % matrix->rows;
        at->column = matrix->rows == 0 ? 0 : entry / matrix->rows;
        return;
    }
    int64_t low = 0,
            high = matrix->columns; /* the last column that starts at or before the entry */
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (before_column(matrix, middle) <= entry)
            low = middle;
        else
            high = middle;
    }
    at->column = low;
    at->row = low + (matrix->symmetry == GBL_MARKET_SKEW) + entry - before_column(matrix, low);
}

static void next_place(const gbl_market *matrix, line_place *at)
{
    if (++at->row == matrix->rows) {
        at->column++;
        at->row = matrix->symmetry == GBL_MARKET_GENERAL
                      ? 0
                      : at->column + (matrix->symmetry == GBL_MARKET_SKEW);
    }
}

/* ---- Pieces ---- */

static const char *line_end(const char *p, const char *end)
{
    const char *found = memchr(p, '\n', (size_t)(end - p));
    return found != NULL ? found : end;
}

static bool is_entry(const char *start)
{
    return *start != '\n' && *start != '%';
}

static void count_piece(const parse_job *job, piece *own)
{
    (void)job;
    for (const char *p = own->begin; p < own->end; own->lines++) {
        p = gbl_market_skip(p);
        own->entries += p < own->end && is_entry(p);
        p = p < own->end ? line_end(p, own->end) + 1 : p;
    }
}

static void parse_piece(const parse_job *job, piece *own)
{
    const gbl_market *matrix = job->matrix;
    line_place at = {.line = own->first_line, .entry = own->first};
    if (matrix->array)
        find_place(matrix, at.entry, &at);
    for (const char *p = own->begin; p < own->end; p++, at.line++) {
        const char *start = gbl_market_skip(p);
        if (start >= own->end)
            return; /* gaps at the end of the file */
        if (!is_entry(start)) {
            p = line_end(start, own->end);
            continue;
        }
        p = read_entry(job, &at, start);
        if (p == NULL) {
            own->bad = start;
            own->bad_line = at.line;
            own->bad_entry = at.entry;
            return;
        }
        own->mirrored += at.row != at.column;
        at.entry++;
        if (matrix->array)
            next_place(matrix, &at);
    }
}

static void mirror_piece(const parse_job *job, piece *own)
{
    gbl_market *matrix = job->matrix;
    int64_t to = own->mirror_at;
    for (int64_t e = own->first; e < own->first + own->entries; e++) {
        if (matrix->row[e] == matrix->column[e])
            continue;
        matrix->row[to] = matrix->column[e];
        matrix->column[to] = matrix->row[e];
        if (matrix->values != NULL) {
            const bool complex_value = matrix->field == GBL_MARKET_COMPLEX;
            const double value[2] = {matrix->values[complex_value ? 2 * e : e],
                                     complex_value ? matrix->values[2 * e + 1] : 0};
            double mirrored[2];
            mirror_value(matrix->symmetry, value, mirrored);
            put_value(matrix, to, mirrored);
        }
        to++;
    }
}

/* Threads take piece after piece, so one whose core is busy elsewhere holds up the others by one
 * piece at most. */
static void take_pieces(void *data, int number, int64_t begin, int64_t end)
{
    parse_job *job = data;
    (void)number, (void)begin, (void)end;
    for (int64_t k; (k = (int64_t)atomic_fetch_add(&job->next, 1)) < job->count;)
        job->walk(job, &job->pieces[k]);
}

static void walk_pieces(parse_job *job, void (*walk)(const parse_job *job, piece *own))
{
    job->walk = walk;
    atomic_store(&job->next, 0);
    gbl_cpu_share(job->count, GBL_CPU_LINE, PIECE_BYTES, take_pieces, job);
}

/* ---- Memory ---- */

static gable_status no_memory(const parse_job *job, gbl_message *message)
{
    return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory for the %lld entries of %s",
                    (long long)job->head->entries, job->head->name);
}

static gable_status cut_pieces(parse_job *job, gbl_message *message)
{
    const gbl_market_head *head = job->head;
    const int64_t bytes = head->end - head->text;
    const int64_t step = head->options.piece_bytes > 0 ? head->options.piece_bytes : PIECE_BYTES;
    job->count = bytes / step + 1;
    job->pieces = calloc((size_t)job->count, sizeof *job->pieces);
    if (job->pieces == NULL)
        return no_memory(job, message);
    const char *begin = head->text;
    for (int64_t k = 0; k < job->count; k++) {
        const char *end = head->end;
        if (k + 1 < job->count) { /* a line that starts before the cut belongs here */
            end = head->text + (k + 1) * step;
            end = end <= begin ? begin : line_end(end - 1, head->end);
            end = end < head->end && end > begin ? end + 1 : end;
        }
        job->pieces[k].begin = begin;
        job->pieces[k].end = end;
        begin = end;
    }
    return GABLE_OK;
}

static int64_t *resize_whole(int64_t *array, int64_t count)
{
    return realloc(array, count > 0 ? (size_t)count * sizeof *array : 1);
}

/* The arrays of coordinates, made longer. Counts are held against the length of the file before. */
static bool resize(gbl_market *matrix, int64_t count)
{
    const size_t value_bytes =
        sizeof(double) * (size_t)(matrix->field == GBL_MARKET_COMPLEX ? 2 : 1);
    int64_t *row = resize_whole(matrix->row, count);
    matrix->row = row != NULL ? row : matrix->row;
    int64_t *column = resize_whole(matrix->column, count);
    matrix->column = column != NULL ? column : matrix->column;
    if (row == NULL || column == NULL)
        return false;
    if (matrix->field == GBL_MARKET_PATTERN)
        return true;
    double *values = realloc(matrix->values, count > 0 ? (size_t)count * value_bytes : 1);
    matrix->values = values != NULL ? values : matrix->values;
    return values != NULL;
}

static bool take_memory(const parse_job *job)
{
    gbl_market *matrix = job->matrix;
    matrix->entries = job->head->entries;
    if (!matrix->array)
        return resize(matrix, matrix->entries);
    if (matrix->expanded)
        matrix->entries = matrix->rows * matrix->columns;
    const size_t numbers = matrix->field == GBL_MARKET_COMPLEX ? 2 : 1;
    matrix->values = calloc((size_t)matrix->entries * numbers + 1, sizeof(double));
    return matrix->values != NULL;
}

/* ---- All of it ---- */

/* The line of the first entry that is too many. */
static int64_t surplus_line(const parse_job *job)
{
    int64_t k = 0;
    while (job->pieces[k].first + job->pieces[k].entries <= job->head->entries)
        k++;
    const piece *own = &job->pieces[k];
    int64_t line = own->first_line, entry = own->first;
    for (const char *p = own->begin; p < own->end; line++) {
        p = gbl_market_skip(p);
        if (is_entry(p) && entry++ == job->head->entries)
            break;
        p = line_end(p, own->end) + 1;
    }
    return line;
}

static gable_status check_counts(const parse_job *job, gbl_message *message)
{
    const gbl_market_head *head = job->head;
    int64_t lines = head->lines, entries = 0;
    for (int64_t k = 0; k < job->count; k++) {
        job->pieces[k].first_line = lines + 1;
        job->pieces[k].first = entries;
        lines += job->pieces[k].lines;
        entries += job->pieces[k].entries;
    }
    if (entries < head->entries)
        return gbl_market_fail(
            message, head->name, lines, "the file ends after %lld entries; line %lld says %lld",
            (long long)entries, (long long)head->lines, (long long)head->entries);
    if (entries > head->entries)
        return gbl_market_fail(
            message, head->name, surplus_line(job),
            "this is one entry too many; line %lld says %lld, and the file has %lld",
            (long long)head->lines, (long long)head->entries, (long long)entries);
    return GABLE_OK;
}

static gable_status check_pieces(const parse_job *job, gbl_message *message)
{
    for (int64_t k = 0; k < job->count; k++) {
        const piece *own = &job->pieces[k];
        if (own->bad == NULL)
            continue;
        line_place at = {.message = message, .line = own->bad_line, .entry = own->bad_entry};
        if (job->matrix->array)
            find_place(job->matrix, at.entry, &at);
        if (read_entry(job, &at, own->bad) == NULL)
            return GABLE_NOT_SUPPORTED;
        return gbl_fail(message, GABLE_INTERNAL, "%s:%lld was read in two ways", job->head->name,
                        (long long)own->bad_line);
    }
    return GABLE_OK;
}

static gable_status expand(parse_job *job, gbl_message *message)
{
    gbl_market *matrix = job->matrix;
    int64_t total = matrix->entries;
    for (int64_t k = 0; k < job->count; k++) {
        job->pieces[k].mirror_at = total;
        total += job->pieces[k].mirrored;
    }
    if (!resize(matrix, total))
        return no_memory(job, message);
    walk_pieces(job, mirror_piece);
    matrix->entries = total;
    return GABLE_OK;
}

gable_status gbl_market_entries(const gbl_market_head *head, gbl_market *matrix,
                                gbl_message *message)
{
    parse_job job = {.head = head, .matrix = matrix};
    matrix->expanded = head->options.expand && matrix->symmetry != GBL_MARKET_GENERAL;
    gable_status status = cut_pieces(&job, message);
    if (status != GABLE_OK)
        goto done;
    walk_pieces(&job, count_piece);
    status = check_counts(&job, message);
    if (status != GABLE_OK)
        goto done;
    if (!take_memory(&job)) {
        status = no_memory(&job, message);
        goto done;
    }
    walk_pieces(&job, parse_piece);
    status = check_pieces(&job, message);
    if (status == GABLE_OK && matrix->expanded && !matrix->array)
        status = expand(&job, message);
done:
    free(job.pieces);
    return status;
}

/* market_read.c: reads files of the Matrix Market format: the file, its banner and its size line.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The file is read whole and not mapped: a mapped file that another program shortens ends the
 * process. Threads read pieces of it side by side. Entries are the business of market_entries.c.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "device/cpu_team.h"
#include "sparse/market/market_entries.h"
#include "sparse/market/market_number.h"

#define READ_BYTES ((int64_t)1 << 20) /* that one thread reads at a time */

const char *const gbl_market_field_names[4] = {"real", "integer", "complex", "pattern"};
const char *const gbl_market_symmetry_names[4] = {"general", "symmetric", "skew-symmetric",
                                                  "hermitian"};

void gbl_market_free(gbl_market *matrix)
{
    free(matrix->row);
    free(matrix->column);
    free(matrix->values);
    *matrix = (gbl_market){.rows = 0};
}

const char *gbl_market_contradiction(bool array, gbl_market_field field,
                                     gbl_market_symmetry symmetry)
{
    if (array && field == GBL_MARKET_PATTERN)
        return "an array has values: pattern is for coordinate files";
    if (symmetry == GBL_MARKET_HERMITIAN && field != GBL_MARKET_COMPLEX)
        return "hermitian is for complex matrices; real ones are symmetric";
    if (symmetry == GBL_MARKET_SKEW && field == GBL_MARKET_PATTERN)
        return "a pattern has no values that mirrored entries could be the negative of";
    return NULL;
}

int64_t gbl_market_array_entries(gbl_market_symmetry symmetry, int64_t rows, int64_t columns)
{
    const int64_t most = INT64_MAX / 16; /* complex values have 16 bytes */
    if (rows == 0 || columns == 0)
        return 0;
    if (rows > most / columns)
        return -1;
    if (symmetry == GBL_MARKET_GENERAL)
        return rows * columns;
    return symmetry == GBL_MARKET_SKEW ? rows * (rows - 1) / 2 : rows * (rows + 1) / 2;
}

/* ---- The banner ---- */

static const char *next_line(gbl_market_head *head)
{
    const char *line = head->text;
    const char *end = memchr(line, '\n', (size_t)(head->end - line));
    head->text = end != NULL ? end + 1 : head->end;
    head->lines++;
    return line;
}

/* Whether the word at p is this one, in letters of either case. */
static bool is_word(const char *p, const char *word)
{
    for (; *word != '\0'; p++, word++)
        if (*p != *word && !(*p >= 'A' && *p <= 'Z' && *p - 'A' + 'a' == *word))
            return false;
    return gbl_market_is_gap(*p);
}

static const char *next_word(const char *p)
{
    while (!gbl_market_is_gap(*p))
        p++;
    return gbl_market_skip(p);
}

/* The place of the word in a list, or -1. */
static int find_word(const char *p, const char *const *list, int count)
{
    for (int k = 0; k < count; k++)
        if (is_word(p, list[k]))
            return k;
    return -1;
}

/* A file that is no text, known by its first bytes; or text with a mark of its encoding, which is
 * skipped where it is UTF-8. */
static gable_status check_packed(gbl_market_head *head, gbl_message *message)
{
    static const struct {
        const char *start;
        size_t bytes;
        const char *what, *unpack;
    } kinds[] = {{"\x1f\x8b", 2, "compressed by gzip", "gunzip -k"},
                 {"\xfd"
                  "7zXZ",
                  5, "compressed by xz", "unxz -k"},
                 {"BZh", 3, "compressed by bzip2", "bunzip2 -k"},
                 {"\x28\xb5\x2f\xfd", 4, "compressed by zstd", "unzstd"},
                 {"PK\x03\x04", 4, "a zip archive", "unzip"},
                 {"\xff\xfe", 2, "text in UTF-16", "iconv -f UTF-16 -t UTF-8"},
                 {"\xfe\xff", 2, "text in UTF-16", "iconv -f UTF-16 -t UTF-8"}};
    const size_t bytes = (size_t)(head->end - head->text);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (bytes >= kinds[i].bytes && memcmp(head->text, kinds[i].start, kinds[i].bytes) == 0)
            return gbl_fail(message, GABLE_NOT_SUPPORTED,
                            "%s is %s, which is not read; unpack it first, with %s", head->name,
                            kinds[i].what, kinds[i].unpack);
    if (bytes >= 3 && memcmp(head->text, "\xef\xbb\xbf", 3) == 0)
        head->text += 3;
    return GABLE_OK;
}

static gable_status read_banner(gbl_market_head *head, gbl_market *matrix, gbl_message *message)
{
    static const char *const layouts[] = {"coordinate", "array"};
    const char *p = next_line(head);
    if (!is_word(p, "%%matrixmarket"))
        return gbl_market_fail(message, head->name, 1,
                               "the file starts with '%s', not with %%%%MatrixMarket",
                               GBL_MARKET_WORD(p));
    p = next_word(p);
    if (!is_word(p, "matrix"))
        return gbl_market_fail(message, head->name, 1,
                               "'%s' stands where the word matrix is expected", GBL_MARKET_WORD(p));
    p = next_word(p);
    const int layout = find_word(p, layouts, 2);
    if (layout < 0)
        return gbl_market_fail(message, head->name, 1,
                               "'%s' stands where coordinate or array is expected",
                               GBL_MARKET_WORD(p));
    p = next_word(p);
    const int field = find_word(p, gbl_market_field_names, 4);
    if (field < 0)
        return gbl_market_fail(message, head->name, 1,
                               "'%s' stands where real, integer, complex or pattern is expected",
                               GBL_MARKET_WORD(p));
    p = next_word(p);
    const int symmetry = find_word(p, gbl_market_symmetry_names, 4);
    if (symmetry < 0)
        return gbl_market_fail(
            message, head->name, 1,
            "'%s' stands where general, symmetric, skew-symmetric or hermitian is expected",
            GBL_MARKET_WORD(p));
    p = next_word(p);
    if (*p != '\n')
        return gbl_market_fail(message, head->name, 1,
                               "'%s' follows the five words that a banner has", GBL_MARKET_WORD(p));
    matrix->array = layout == 1;
    matrix->field = (gbl_market_field)field;
    matrix->symmetry = (gbl_market_symmetry)symmetry;
    const char *why = gbl_market_contradiction(matrix->array, matrix->field, matrix->symmetry);
    if (why != NULL)
        return gbl_market_fail(message, head->name, 1, "%s", why);
    return GABLE_OK;
}

/* ---- The size line ---- */

/* The fewest bytes that a line with one entry has. */
static int64_t entry_bytes(const gbl_market *matrix)
{
    const int64_t numbers = (matrix->array ? 0 : 2) + (matrix->field != GBL_MARKET_PATTERN) +
                            (matrix->field == GBL_MARKET_COMPLEX);
    return 2 * numbers; /* a digit and a gap */
}

static gable_status check_size(gbl_market_head *head, const gbl_market *matrix,
                               gbl_message *message)
{
    const int64_t left = head->end - head->text;
    if (matrix->symmetry != GBL_MARKET_GENERAL && matrix->rows != matrix->columns)
        return gbl_market_fail(message, head->name, head->lines,
                               "%lld rows and %lld columns; a %s matrix is square",
                               (long long)matrix->rows, (long long)matrix->columns,
                               gbl_market_symmetry_names[matrix->symmetry]);
    if (matrix->array)
        head->entries = gbl_market_array_entries(matrix->symmetry, matrix->rows, matrix->columns);
    if (head->entries < 0)
        return gbl_market_fail(message, head->name, head->lines,
                               "%lld x %lld values are past the limit of 2^63 bytes",
                               (long long)matrix->rows, (long long)matrix->columns);
    if (head->entries > (left + 1) / entry_bytes(matrix))
        return gbl_market_fail(message, head->name, head->lines,
                               "%lld entries take at least %lld bytes each; only %lld bytes follow",
                               (long long)head->entries, (long long)entry_bytes(matrix),
                               (long long)left);
    return GABLE_OK;
}

static gable_status read_size(gbl_market_head *head, gbl_market *matrix, gbl_message *message)
{
    const int count = matrix->array ? 2 : 3;
    const char *const names = matrix->array ? "rows and columns" : "rows, columns and entries";
    const char *p = "\n";
    while (head->text < head->end) {
        p = gbl_market_skip(next_line(head));
        if (*p != '\n' && *p != '%')
            break;
        p = "\n";
    }
    if (*p == '\n')
        return gbl_market_fail(message, head->name, head->lines,
                               "the file ends before the line with the numbers of %s", names);
    int64_t *const sizes[] = {&matrix->rows, &matrix->columns, &head->entries};
    for (int k = 0; k < count; k++) {
        const char *after = gbl_market_whole(p, sizes[k]);
        if (*p == '\n')
            return gbl_market_fail(message, head->name, head->lines,
                                   "the line has %d numbers; it needs %d: %s", k, count, names);
        if (after == NULL || !gbl_market_is_gap(*after) || *sizes[k] < 0)
            return gbl_market_fail(
                message, head->name, head->lines,
                "'%s' is no number from 0 to 2^63 - 1; the line has the numbers of %s",
                GBL_MARKET_WORD(p), names);
        p = gbl_market_skip(after);
    }
    if (*p != '\n')
        return gbl_market_fail(message, head->name, head->lines, "'%s' follows the numbers of %s",
                               GBL_MARKET_WORD(p), names);
    return check_size(head, matrix, message);
}

gable_status gbl_market_parse(const char *name, const char *text, int64_t bytes,
                              const gbl_market_options *options, gbl_market *matrix,
                              gbl_message *message)
{
    gbl_market_head head = {.name = name, .text = text, .end = text + bytes};
    if (options != NULL)
        head.options = *options;
    *matrix = (gbl_market){.rows = 0};
    gable_status status = check_packed(&head, message);
    if (status == GABLE_OK)
        status = read_banner(&head, matrix, message);
    if (status == GABLE_OK)
        status = read_size(&head, matrix, message);
    if (status == GABLE_OK)
        status = gbl_market_entries(&head, matrix, message);
    if (status != GABLE_OK)
        gbl_market_free(matrix);
    return status;
}

/* ---- The file ---- */

typedef struct load_job {
    int file;
    char *text;
    int64_t bytes;
    int failed[GBL_CPU_MAX_PIECES]; /* errno by piece; -1: the file has become shorter */
} load_job;

static void load_piece(void *data, int number, int64_t begin, int64_t end)
{
    load_job *job = data;
    end = end * READ_BYTES < job->bytes ? end * READ_BYTES : job->bytes;
    job->failed[number] = 0;
    for (int64_t at = begin * READ_BYTES; at < end && job->failed[number] == 0;) {
        const size_t want = (size_t)(end - at < READ_BYTES ? end - at : READ_BYTES);
        const ssize_t got = pread(job->file, job->text + at, want, (off_t)at);
        if (got > 0)
            at += got;
        else if (got == 0 || errno != EINTR)
            job->failed[number] = got == 0 ? -1 : errno;
    }
}

static gable_status load_whole(const char *path, load_job *job, gbl_message *message)
{
    job->text = malloc((size_t)job->bytes + 1);
    if (job->text == NULL)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory for the %lld bytes of %s",
                        (long long)job->bytes, path);
    const int pieces = gbl_cpu_share((job->bytes + READ_BYTES - 1) / READ_BYTES, GBL_CPU_LINE,
                                     READ_BYTES, load_piece, job);
    for (int k = 0; k < pieces; k++)
        if (job->failed[k] != 0)
            return gbl_fail(message, GABLE_BAD_ARGUMENT, "reading %s failed: %s", path,
                            job->failed[k] < 0 ? "it has become shorter meanwhile"
                                               : strerror(job->failed[k]));
    return GABLE_OK;
}

/* What has no length before it is read: pipes, files of /proc. */
static gable_status load_stream(const char *path, load_job *job, gbl_message *message)
{
    int64_t room = 0;
    for (;;) {
        if (job->bytes == room) {
            room = room == 0 ? READ_BYTES : 2 * room;
            char *larger = realloc(job->text, (size_t)room + 1);
            if (larger == NULL)
                return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory for %lld bytes of %s",
                                (long long)room, path);
            job->text = larger;
        }
        const ssize_t got = read(job->file, job->text + job->bytes, (size_t)(room - job->bytes));
        if (got == 0)
            return GABLE_OK;
        if (got < 0 && errno != EINTR)
            return gbl_fail(message, GABLE_BAD_ARGUMENT, "reading %s failed: %s", path,
                            strerror(errno));
        job->bytes += got > 0 ? got : 0;
    }
}

gable_status gbl_market_read(const char *path, const gbl_market_options *options,
                             gbl_market *matrix, gbl_message *message)
{
    load_job job = {.file = open(path, O_RDONLY | O_CLOEXEC)};
    struct stat about;
    gable_status status = GABLE_OK;
    *matrix = (gbl_market){.rows = 0};
    if (job.file < 0)
        return gbl_fail(message, GABLE_BAD_ARGUMENT, "%s cannot be opened: %s", path,
                        strerror(errno));
    if (fstat(job.file, &about) != 0 || S_ISDIR(about.st_mode)) {
        status = gbl_fail(message, GABLE_BAD_ARGUMENT, "%s is no file that can be read", path);
        goto done;
    }
    if (S_ISREG(about.st_mode) && about.st_size > 0) {
        job.bytes = (int64_t)about.st_size;
        status = load_whole(path, &job, message);
    } else {
        status = load_stream(path, &job, message);
    }
    if (status != GABLE_OK)
        goto done;
    job.text[job.bytes] = '\n';
    status = gbl_market_parse(path, job.text, job.bytes, options, matrix, message);
done:
    free(job.text);
    close(job.file);
    return status;
}

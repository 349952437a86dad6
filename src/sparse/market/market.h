/* market.h: files of the Matrix Market exchange format, read into host arrays and written from
 * them.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The format: R. Boisvert, R. Pozo, K. Remington, The Matrix Market Exchange Formats, NISTIR 5935
 * (1996). Fields are real, integer, complex and pattern; matrices are general, symmetric,
 * skew-symmetric or hermitian. hermitian needs complex; pattern is for coordinates that are general
 * or symmetric. Symmetric files hold the lower triangle.
 *
 * Read beyond the letter of the format: blank lines and comments after the banner, tabs, spaces at
 * line ends, CRLF, a last line without an end, exponents with D, nan, inf and infinity in any case,
 * a byte order mark of UTF-8 in front. An integer past 2^53 is rounded to the nearest double.
 * Compressed files are refused by the name of their kind.
 *
 * Messages start with the file and the line: "A.mtx:17: row 12 is beyond the 10 rows that line 3
 * says". Statuses: GABLE_NOT_SUPPORTED for a file with wrong contents, GABLE_BAD_ARGUMENT for a
 * path that cannot be opened, read or written and for a matrix that cannot be written,
 * GABLE_OUT_OF_MEMORY.
 */
#ifndef GBL_MARKET_H
#define GBL_MARKET_H

#include <stdbool.h>
#include <stdint.h>
#include "core/draft_file.h"
#include "device/message.h"

typedef enum gbl_market_field {
    GBL_MARKET_REAL,
    GBL_MARKET_INTEGER,
    GBL_MARKET_COMPLEX,
    GBL_MARKET_PATTERN
} gbl_market_field;

typedef enum gbl_market_symmetry {
    GBL_MARKET_GENERAL,
    GBL_MARKET_SYMMETRIC,
    GBL_MARKET_SKEW,
    GBL_MARKET_HERMITIAN
} gbl_market_symmetry;

/* Coordinates: entry e is (row[e], column[e]), counted from 0, in the order of the file; duplicates
 * stay. When symmetry is expanded, the mirrored entries follow after all others, in the same order.
 * Arrays: row and column are NULL. A general or expanded array is column-major with leading
 * dimension rows; else values are the columns of the lower triangle one after another, for skew
 * matrices without the diagonal.
 * A complex value is two doubles. A pattern has no values (NULL). */
typedef struct gbl_market {
    bool array;
    gbl_market_field field;
    gbl_market_symmetry symmetry; /* as the file says */
    bool expanded;                /* both triangles are here, though symmetry is not general */
    int64_t rows, columns;
    int64_t entries; /* in row, column and values */
    int64_t *row, *column;
    double *values;
} gbl_market;

typedef struct gbl_market_options {
    bool expand; /* add the mirrored entries: conjugate for hermitian, negative for skew */
    int64_t
        piece_bytes; /* what one thread parses at a time; 0: as usual. The result is the same. */
} gbl_market_options;

/* Reads a file. options may be NULL. On failure the matrix is empty; else gbl_market_free it. */
gable_status gbl_market_read(const char *path, const gbl_market_options *options,
                             gbl_market *matrix, gbl_message *message);

/* The same from memory: text[bytes] must be '\n', beyond what counts. Messages say `name` for the
 * file. */
gable_status gbl_market_parse(const char *name, const char *text, int64_t bytes,
                              const gbl_market_options *options, gbl_market *matrix,
                              gbl_message *message);

void gbl_market_free(gbl_market *matrix);

/* Writes a file: a draft beside it first, renamed when all is on the disk. comment may be NULL or
 * have several lines. Numbers have 15, 16 or 17 digits, less those that are 0 at the end: the first
 * of these that reads back the same. NaN loses its sign and its payload. Of an expanded matrix the
 * lower triangle is written. */
gable_status gbl_market_write(const char *path, const gbl_market *matrix, const char *comment,
                              gbl_message *message);
/* The same into a draft that is open, and closed then; path is for messages. */
gable_status gbl_market_write_draft(gbl_draft *draft, const char *path, const gbl_market *matrix,
                                    const char *comment, gbl_message *message);

/* Why there are no files with this header, or NULL. */
const char *gbl_market_contradiction(bool array, gbl_market_field field,
                                     gbl_market_symmetry symmetry);

/* How many values an array file has, or -1 where that is past the limit of 63 bits in bytes. */
int64_t gbl_market_array_entries(gbl_market_symmetry symmetry, int64_t rows, int64_t columns);

extern const char *const gbl_market_field_names[4], *const gbl_market_symmetry_names[4];

#endif

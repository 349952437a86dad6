/* market_entries.h: the part of a Matrix Market file behind its size line.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_MARKET_ENTRIES_H
#define GBL_MARKET_ENTRIES_H

#include "sparse/market/market.h"

/* What the lines before the entries say. */
typedef struct gbl_market_head {
    const char *name; /* of the file, for messages */
    const char *text,
        *end;        /* the entries: first character, one past the last, where a '\n' stands */
    int64_t lines;   /* before text; the last of them is the size line */
    int64_t entries; /* that the file must have */
    gbl_market_options options;
} gbl_market_head;

/* Takes memory for the entries of a matrix whose header is filled in, and reads them. The caller
 * frees the matrix, also on failure. */
gable_status gbl_market_entries(const gbl_market_head *head, gbl_market *matrix,
                                gbl_message *message);

/* Bad contents: "name:line: text", GABLE_NOT_SUPPORTED. */
gable_status gbl_market_fail(gbl_message *message, const char *name, int64_t line,
                             const char *format, ...) GBL_PRINTF(4, 5);

/* The word at the start of a text that ends in '\n', for messages: printable, cut where it is
 * long. */
#define GBL_MARKET_WORD_BYTES 40
const char *gbl_market_word(const char *text, char word[GBL_MARKET_WORD_BYTES]);
#define GBL_MARKET_WORD(text) gbl_market_word((text), (char[GBL_MARKET_WORD_BYTES]){0})

/* Past spaces, tabs and carriage returns; never past a line's end. */
static inline const char *gbl_market_skip(const char *p)
{
    while (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\v' || *p == '\f')
        p++;
    return p;
}

static inline bool gbl_market_is_gap(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f' || c == '\n';
}

#endif

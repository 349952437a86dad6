/* market_text.h: Matrix Market texts of the tests.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef MARKET_TEXT_H
#define MARKET_TEXT_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "sparse/market/market.h"

/* Reads a text from memory that ends where the text ends, so that the sanitizers see each step too
 * far. */
static inline gable_status read_bytes(const char *bytes, size_t count,
                                      const gbl_market_options *options, gbl_market *matrix,
                                      gbl_message *message)
{
    char *copy = malloc(count + 1);
    if (copy == NULL)
        return GABLE_OUT_OF_MEMORY;
    memcpy(copy, bytes, count);
    copy[count] = '\n';
    const gable_status status =
        gbl_market_parse("A.mtx", copy, (int64_t)count, options, matrix, message);
    free(copy);
    return status;
}

static inline int64_t value_numbers(const gbl_market *matrix)
{
    return matrix->field == GBL_MARKET_PATTERN ? 0 : matrix->field == GBL_MARKET_COMPLEX ? 2 : 1;
}

/* The same header and the same bits. */
static inline bool same_matrix(const gbl_market *a, const gbl_market *b)
{
    const size_t count = (size_t)a->entries;
    if (a->array != b->array || a->field != b->field || a->symmetry != b->symmetry ||
        a->expanded != b->expanded || a->rows != b->rows || a->columns != b->columns ||
        a->entries != b->entries)
        return false;
    if (count > 0 && !a->array &&
        (memcmp(a->row, b->row, count * sizeof *a->row) != 0 ||
         memcmp(a->column, b->column, count * sizeof *a->column) != 0))
        return false;
    const size_t bytes = count * (size_t)value_numbers(a) * sizeof(double);
    return bytes == 0 || memcmp(a->values, b->values, bytes) == 0;
}

/* The next number of a sequence that is the same everywhere. */
static inline uint64_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (*state >> 33) ^ (*state << 31);
}

void market_errors(void);
void market_mutations(void);

#endif

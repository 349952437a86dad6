/* operand_words.h: what `gable bench` is told of the operands of matrices: where they lie and what they hold.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TOOL_OPERAND_WORDS_H
#define TOOL_OPERAND_WORDS_H

#include "bench_request.h"

/* The options as they were typed; NULL: not given. */
typedef struct operand_words {
    const char *offset, *ld, *beta, *data, *math;
} operand_words;

/* Reads them for the ops that are known already. Returns EXIT_DONE to go on, EXIT_USAGE after a sentence. */
int operand_words_read(const operand_words *words, bench_request *asked);

/* What a table and a file of rows say of the data. */
void operand_words_text(const bench_request *asked, char *text, size_t text_bytes);
#define OPERAND_TEXT_BYTES 640

#endif

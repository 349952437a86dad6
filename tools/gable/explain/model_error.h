/* model_error.h: how far predictions are from measurements: |predicted - measured| / measured.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Quantiles lie between the ordered errors: position q (rows - 1), linear between its two
 * neighbours. The median of an even number of rows is then the mean of the two in the middle.
 */
#ifndef TOOL_MODEL_ERROR_H
#define TOOL_MODEL_ERROR_H

#include <stdbool.h>

typedef struct model_error_row {
    const char *op, *mode; /* lasting texts */
    double error;
} model_error_row;

typedef struct model_errors {
    int count, room;
    model_error_row *rows;
} model_errors;

typedef struct model_error_summary {
    int rows;
    double median, p90; /* 0 without rows */
} model_error_summary;

/* Adds a row. false: its measurement is no time (not above 0), the prediction no number, or memory
 * is short. */
bool model_error_add(model_errors *errors, const char *op, const char *mode, double predicted,
                     double measured);
/* Over the rows of an op and a mode; NULL: of all. */
model_error_summary model_error_summarise(const model_errors *errors, const char *op,
                                          const char *mode);
/* The ops in the order of their first rows: the op of number `index`, NULL behind the last. */
const char *model_error_op(const model_errors *errors, int index);
void model_error_free(model_errors *errors);

/* The table of all ops and modes, or one JSON object. */
void model_error_print(const model_errors *errors);
void model_error_write(const model_errors *errors);

#endif

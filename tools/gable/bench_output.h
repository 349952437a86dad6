/* bench_output.h: rows of `gable bench` as a table or as JSON, remarks, and signs of life.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TOOL_BENCH_OUTPUT_H
#define TOOL_BENCH_OUTPUT_H

#include "bench.h"

typedef struct bench_output {
    bool json;
    const bench_session *session;
    const char *variant; /* forced, or NULL */
    double started;
    int shown_width; /* of the line of progress on the terminal */
    int rows, failed;
    struct {
        double log_sum, worst;
        int count;
        char worst_row[96];
    } ratios[BENCH_MAX_PEERS];
} bench_output;

/* How the times were taken, on which device, against whom. Peers must be open. */
void bench_output_header(bench_output *output);
/* One row, flushed. */
void bench_output_row(bench_output *output, const bench_row *row);
/* Geometric means and failures; nothing for JSON. */
void bench_output_summary(bench_output *output);

/* A remark: in the table's place for it, or on the standard error beside JSON. */
void bench_output_note(bench_output *output, const char *text);
/* What is being measured, on a terminal and once the work takes over two seconds. */
void bench_output_progress(bench_output *output, const char *text);
/* Leaves the terminal clean. */
void bench_output_clear(bench_output *output);

#endif

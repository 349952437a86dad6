/* bench_output.h: rows of `gable bench` as a table, as JSON or as CSV; remarks; the summary.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * JSON and CSV rows come as they are measured. So do those of a table of one device; with several
 * devices the rows of a case wait until all devices had their turn, and stand side by side.
 */
#ifndef TOOL_BENCH_OUTPUT_H
#define TOOL_BENCH_OUTPUT_H

#include "bench_request.h"
#include "gable/explain/model_error.h"
#include "ratios.h"
#include "sweep_summary.h"
#include "gable/table.h"

#define BENCH_CASE_ROWS 5 /* two modes at two temperatures, and one with transfers */
#define BENCH_MAX_SAVED (ARGS_MAX_WORDS * BENCH_MAX_DEVICES)

typedef struct bench_output {
    const bench_request *asked;
    const bench_session *sessions; /* one per device */
    int rows, failed;
    bool flops; /* products of matrices are among the cases */
    ratios ratios;
    model_errors errors; /* of rows that were predicted */
    sweep_values values; /* of cases that were drawn */
    int late;            /* of those: not begun, as the budget was spent */
    table table;
    /* Side by side: the rows of the case in work, by device; usec 0 where there is none. */
    bench_row held[BENCH_MAX_DEVICES][BENCH_CASE_ROWS];
    /* The files of the data folder that this run has begun. */
    struct bench_saved {
        int device;
        const char *stem;
    } saved[BENCH_MAX_SAVED];
    int saved_count;
    bool save_failed;
} bench_output;

/* How the times were taken, on which devices, against whom. Peers must be open. */
void bench_output_header(bench_output *output);
/* One row of one device, flushed or held. */
void bench_output_row(bench_output *output, int device, const bench_row *row);
/* All devices are done with a case. */
void bench_output_case_end(bench_output *output);
/* Geometric means and failures, for people only; the model's errors, where it was asked. */
void bench_output_summary(bench_output *output);
/* A remark: in the table's place for it, or on the standard error beside JSON and CSV. */
void bench_output_note(const bench_output *output, const char *text);

/* ---- Pieces for the files that print ---- */

const char *bench_temp_name(bool hot);
/* "cpu Arm Neoverse V1" */
void bench_device_text(const gable_context *ctx, char *text, size_t text_bytes);

/* bench_rows.c: JSON and CSV. The header is of one device, or of all: -1. */
void bench_json_header(const bench_output *output, int device);
void bench_json_row(const bench_session *session, const bench_row *row);
void bench_csv_header(const bench_output *output);
void bench_csv_field(const char *text); /* quoted where it must be */
void bench_csv_row(const bench_output *output, const bench_session *session, const bench_row *row);

/* bench_save.c: keeps a row in the data folder; bench_save_line what `write` writes as JSON, in the
 * file of a stem. */
void bench_save_row(bench_output *output, int device, const bench_row *row);
void bench_save_line(bench_output *output, int device, const char *stem,
                     void (*write)(const bench_session *session, const void *row), const void *row);

/* bench_table.c: the table. */
void bench_table_header(bench_output *output);
void bench_table_row(bench_output *output, const bench_row *row);
void bench_table_side_by_side(bench_output *output);
/* What stands above any table: versions and devices; peers and a forced variant. */
void bench_table_devices(const bench_output *output);
void bench_table_peers(const bench_output *output);

#define BENCH_SPARSE_DATA_TEXT                                                                     \
    "x and b uniform in [-1, 1], the same for all; alpha = 1, beta = 0, solvers from x = 0 with "  \
    "tolerance 0"
#define BENCH_SPARSE_CLOCK_TEXT                                                                    \
    "median of repeats, parties in turn; products on the device's clock, iterations as the "       \
    "difference of two solves on the host's"
#define BENCH_CLOCK_TEXT                                                                           \
    "median of repeats on the device's clock, parties in turn; vs: median of the ratios of rounds"

/* What a table and a file of rows say of the data. */
#define BENCH_DATA_BYTES 640
void bench_output_data(const bench_request *asked, char *text, size_t text_bytes);

#endif

/* profile_test.h: what the tests of profiles read: tables and traces.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PROFILE_TEST_H
#define PROFILE_TEST_H

#include <stdbool.h>
#include <stdint.h>
#include "core/scratch_folder.h"
#include "gable/gable.h"

/* A row of the table; rates and roof are -1 where it has "-". */
typedef struct table_row {
    long long calls;
    double inclusive, exclusive; /* ms */
    double gbs, gflops, roof;
    char limiter[32];
} table_row;

/* The row of a label in a table; false: none. */
bool table_find(const char *text, const char *label, table_row *row);

/* What the events of one name add up to. */
typedef struct trace_sum {
    int64_t events;
    double bytes, flops;
    double usec;       /* of their durations */
    double first, end; /* us */
    double host_usec;  /* 0 without device times */
    int64_t overlaps;  /* events that start before one of the same thread and depth 0 has ended */
    int64_t inside;    /* events with a depth above 0 */
} trace_sum;

/* Reads a file and adds the events of a name; "": of all. Each line must be a whole event; what is
 * wrong with a file goes to `wrong`, which is else "". */
void trace_read(const char *path, const char *name, trace_sum *sum, char *wrong, int wrong_bytes);

/* The text of a file, from malloc; "" where there is none. */
char *file_text(const char *path);

/* From begin to end what is written to the standard error goes to a file. */
void capture_begin(const char *path);
void capture_end(void);

/* ---- A profile from start to stop, in a folder of the test's own ---- */

extern char folder[SCRATCH_BYTES];
extern char trace_path[SCRATCH_BYTES + 32], table_path[SCRATCH_BYTES + 32];
extern char *table; /* of the last profile */

/* Also $XDG_DATA_HOME is there, so that the roofs are no one's own. */
void profile_folder_make(void);
void profile_folder_remove(void);

/* With a table and a trace; stop reads the table. */
void profile_start(gable_context *ctx, bool times);
void profile_stop(gable_context *ctx);
void profile_read_table(void);

/* Their rows and sums, checked to be there and whole. */
table_row row_of(const char *label);
trace_sum sum_of(const char *name);

double seconds_now(void);

#endif

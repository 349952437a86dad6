/* study.h: what the files of `gable study` share.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A configuration is one set of copy's five tunables. study_space.c lists them and says what each
 * is for the other ops; study_store.c keeps rows in a file and reads them back; study_sweep.c
 * measures; study_result.c works out histograms, correlations and losses; study_show.c and
 * study_plot.c show them.
 */
#ifndef TOOL_STUDY_H
#define TOOL_STUDY_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include "gable/args.h"
#include "bench_ops.h"
#include "blas/level1/stream_plan.h"

enum { STUDY_COPY, STUDY_ADD, STUDY_DOT, STUDY_GEMV, STUDY_OPS };

#define STUDY_PATH_BYTES   1024
#define STUDY_CONFIG_BYTES 96
#define STUDY_BINS         20

/* ---- study_space.c ---- */

extern const char *const study_op_names[STUDY_OPS];

/* The configurations, numbered; those that share a kernel (all but the groups are equal) are
 * neighbours. */
int study_config_count(void);
int study_configs_a_kernel(void);
void study_config(int index, gbl_params *params);
/* -1: no configuration has these values. */
int study_config_find(const gbl_params *params);
/* "local=256:groups=8:vec=2:range=0:unroll=4" */
void study_config_text(int index, char text[STUDY_CONFIG_BYTES]);

/* The order in which kernels are tried: any beginning of it is spread over the space. */
int study_kernel_at(int place);

/* What is run for an op: vectors of n elements, or a matrix that has about as many bytes as two. */
void study_case(int op, gbl_dtype dtype, int64_t n, bench_case *what);
int64_t study_matrix_rows(int64_t n);
/* What a configuration is for an op. */
void study_choice(int op, int config, gbl_dtype dtype, const gbl_device *device,
                  gbl_choice *choice);

/* ---- study_store.c ---- */

/* One configuration of one op. usec is 0 where it was not measured. */
typedef struct study_row {
    double usec, usec_min, gbs;
    double error; /* over its bound; -1: this one was not checked */
    double ratio; /* rate over that of the op's reference, timed in turn with it; 0: not timed so */
    int runs;
    bool known;  /* measured or failed */
    bool failed; /* it cannot run */
} study_row;

/* A study of one device, precision and size, in memory and in its file. */
typedef struct study {
    char path[STUDY_PATH_BYTES];
    char device[256], device_class[256], driver[160], commit[64];
    char slug[128]; /* the file's name without what stands around it */
    gbl_dtype dtype;
    int64_t size;
    double roof_copy, roof_read; /* GB/s */
    bool has_header;
    int bad_lines;
    study_row *rows[STUDY_OPS]; /* by configuration */
    int reference[STUDY_OPS];   /* what the best were timed again in turn with; -1: nothing yet */
} study;

bool study_make(study *s); /* false: no memory */
void study_free(study *s);

/* The path of a file of the studies' folder; `folder` is that of --out or NULL. false: no folder is
 * known. */
bool study_path(const char *folder, const char *name, char path[STUDY_PATH_BYTES]);

/* Reads rows of the precision and size in s; with `any` those of the file's last header are taken.
 * false: there is no such file, or no header in it that fits. */
bool study_load(study *s, bool any);
/* Each appends a line. false: it cannot be written. */
bool study_write_header(study *s, const gbl_device *device);
bool study_write_row(study *s, int op, int config, const char *why_failed);
bool study_write_again(study *s, int op, int config);
/* Ratios to another reference no longer count. */
void study_set_reference(study *s, int op, int config);

/* Lines of JSON into memory: begin, json_...(), end. The text is from malloc. */
void study_line_begin(void);
char *study_line_end(void);
/* The circumstances that every header has, within a line. */
void study_write_circumstances(const char *which, const gbl_device *device);

/* ---- study_sweep.c ---- */

typedef struct study_sweep {
    study *s;
    gable_context *ctx;
    double deadline, start;      /* by terminal_now */
    volatile sig_atomic_t *stop; /* set by Ctrl-C */
    int wrong;                   /* kernels whose results were wrong */
    char wrong_text[256];        /* the first of them */
} study_sweep;

/* Measures what is missing until the budget ends; then times the best again. */
gable_status study_measure(study_sweep *sweep);

/* ---- study_result.c ---- */

typedef struct study_op_result {
    int rows, failed, wrong;
    double peak;                 /* GB/s */
    int best;                    /* configuration; -1: none */
    double best_gbs, copys_gbs;  /* of the best, and with copy's best; 0: not measured */
    double median_percent, loss; /* loss 0: not known */
    bool correlated;             /* whether the two are known */
    double spearman, kendall;    /* with copy */
    int histogram[STUDY_BINS];
} study_op_result;

typedef struct study_result {
    study_op_result op[STUDY_OPS];
    int copys_best; /* -1: none */
    int loss_ops;
    double loss; /* geometric mean */
} study_result;

/* Whether a row counts: measured, and not wrong. */
bool study_row_counts(const study_row *row);
/* The best configuration of an op: of those timed again, where there are any; -1: none. */
int study_best(const study *s, int op);
/* The next best after `count` given ones, by their rows alone; -1: none. */
int study_next_best(const study *s, int op, const int *found, int count);
/* false: no memory. */
bool study_work_out(const study *s, study_result *result);
/* Configurations that count for both ops (of two studies), as percent of each peak; room for all of
 * them. */
int study_pairs(const study *s, int op, const study_result *of_s, const study *t, int other,
                const study_result *of_t, double *x, double *y);

/* ---- study_show.c ---- */

void study_show(const study *s, const study_result *result);
/* The summaries and the loss, as lines; from malloc. */
char *study_summary_lines(const study *s, const study_result *result);

/* ---- study_compare.c: --devices ---- */

int study_compare(const args_command *args, const char *names, const char *folder, bool json);

/* ---- study_plot.c ---- */

/* A script for gnuplot: commands go to the stream, then it is run. The sentence says what was made,
 * or why nothing was. */
typedef struct study_plot {
    FILE *script;
    char script_path[STUDY_PATH_BYTES], svg_path[STUDY_PATH_BYTES];
} study_plot;
/* `base` is the path without its ending. The terminal is set up for `columns` plots side by side,
 * in `rows`. false: the script cannot be written. */
bool study_plot_begin(study_plot *plot, const char *base, int columns, int rows);
void study_plot_end(study_plot *plot, char *sentence, size_t sentence_bytes);
void study_plot_portability(const study *s, const study_result *result, char *sentence,
                            size_t sentence_bytes);

#endif

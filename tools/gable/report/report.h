/* report.h: what `gable report` has read, and the page it writes.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Rows, roofs, tuning entries and studies are read first, each with its device. Sections then write
 * text to `html` and commands for gnuplot to `script`: where a plot belongs, the text has a mark.
 * At the end gnuplot runs once over the whole script, and its pictures take the places of the
 * marks.
 */
#ifndef TOOL_REPORT_H
#define TOOL_REPORT_H

#include <stdbool.h>
#include <stdio.h>
#include "device/message.h"
#include "gable/device_slug.h"

#define REPORT_MAX_PEERS   8
#define REPORT_MAX_DEVICES 32
#define REPORT_TEXT_BYTES  192

/* One measured row of `gable bench`. */
typedef struct report_row {
    char op[24], flags[64], variant[24], shape[48], limiter[16], date[24];
    char prec; /* 's', 'd', 'c', 'z' */
    int device;
    bool single, hot;
    bool model_only; /* from a file of the model's errors: no curve */
    bool on_axis;    /* has one size, x: a vector's length or the side of a square */
    bool by_flops;   /* a product of matrices: its rate is flops, not bytes */
    double x, elements;
    double usec, gbs, gflops, roof, error;
    double predicted;            /* us; 0: none */
    double vs[REPORT_MAX_PEERS]; /* in order of the report's peers; 0: none */
    long order;                  /* of reading */
} report_row;

/* What was said of a device in the newest line of circumstances, and measured of its roofs. */
typedef struct report_device {
    char kind[32], title[160], slug[DEVICE_SLUG_BYTES];
    char first_date[24], last_date[24];
    char driver[REPORT_TEXT_BYTES], compiler[REPORT_TEXT_BYTES], commit[48], version[24];
    char libraries[512];
    double copy, read, cache;   /* bytes per second; 0: unknown */
    double flops[4];            /* a second, s d c z */
    char circumstances[160];    /* how busy the machine was when roofs were measured; "": never */
    int rows, wrong, predicted; /* of the rows that are kept; of wrong ones; with a prediction */
} report_device;

/* A line of another file (studies, tuning), kept as text. */
typedef struct report_line {
    const char *text; /* ends with '\n' or '\0' */
    int device;       /* -1: not named */
    int file;         /* of those lines */
} report_line;

typedef struct report_lines {
    long count, room;
    report_line *line;
} report_lines;

typedef struct report {
    long row_count, row_room;
    report_row *rows;
    int device_count;
    report_device devices[REPORT_MAX_DEVICES];
    int peer_count;
    char peers[REPORT_MAX_PEERS][24];
    report_lines tuning, studies;
    int file_count, text_room;
    char **texts;   /* of files whose lines are kept */
    long bad_lines; /* that are no JSON objects */
    bool out_of_memory;
    const char *only; /* a piece of a slug; NULL: all devices */
    const char *title;

    /* The page in work. */
    FILE *html, *script;
    int plots;
    char **alts; /* of the plots */
    int alt_room;
} report;

/* ---- report_files.c, report_rows.c: reading ---- */

/* Reads a folder with all below it, or a file. false: it cannot be read, which errno explains. */
bool report_read(report *r, const char *path);
void report_free(report *r);
/* Room for one more in a list; false where memory is gone. */
bool report_grow(report *r, void **list, long count, long *room, size_t item_bytes);
/* The rows of a file's text; model_only: they are the model's, and make no curves. */
void report_take_rows(report *r, const char *text, bool model_only);
/* The index of a device by either of its texts, which is made if need be; -1: not wanted, or too
 * many. */
int report_device_of(report *r, const char *text);

/* ---- report_groups.c: order ---- */

/* The newest row of each case remains, with the newest ratio to each peer; sorted by device, op,
 * flags, axis before shapes, precision and size. */
void report_sort(report *r);

/* The rows of one op with its flags on one device, neighbours after sorting. */
typedef struct report_group {
    long first, end;
    const report_row *row; /* the first */
    char name[96];         /* "gemv N" */
} report_group;
/* The group after *group on that device; begin with group->end = 0. */
bool report_next_group(const report *r, int device, report_group *group);
/* Whether a row is among those that curves and figures show: replayed, and cold. */
bool report_is_shown(const report_row *row);
/* Bytes per second of memory in GB/s: a measured roof, else the best copy row; 0: unknown. */
double report_memory_roof(const report *r, int device, bool *measured);
double report_median(double *values, long count);

/* ---- report_figures.c: figures, text and commands ---- */

#define REPORT_MARK '\001'

/* Text for HTML: markup is escaped, control characters are gone. */
void report_text(report *r, const char *text);
/* Text for gnuplot's commands, between single quotes: letters that could end or change a command
 * are gone. */
void report_label(report *r, const char *text);
/* Starts a plot of this size (0: that of the grids), with the mark in the page; `alt` says what is
 * seen. The commands behind it are those of the plot. */
void report_plot(report *r, int width, int height, const char *alt, ...) GBL_PRINTF(4, 5);
/* <figure>, its title and legend. `legend` is HTML from report_key calls between the two. */
void report_figure_begin(report *r, const char *class_name, const char *title);
void report_key(report *r, const char *class_name, const char *text);
void report_figure_caption_end(report *r);
void report_figure_end(report *r);
/* <p class="none">: nothing was measured yet; `command` measures it. */
void report_nothing(report *r, const char *what, const char *command);
/* Seconds of microseconds and the like, at three digits. */
const char *report_number(double value, char text[32]);
/* A size: 4096, 100k, 10M. */
const char *report_size(double size, char text[32]);
/* Ticks of a logarithmic axis, at most so many: powers of ten, with 2 and 5 between where there is
 * room. */
void report_log_ticks(report *r, const char *axis, double low, double high, int most);
/* The step of a linear axis' ticks, 1, 2 or 5 times a power of ten: four to eight of them in the
 * range. */
double report_tick_step(double range);
/* The colour of a series, '#01000N', as gnuplot is told; pictures get var(--sN) for it. */
int report_prec_colour(char prec);
extern const char report_precs[];

/* ---- report_gnuplot.c ---- */

/* Runs gnuplot over the script: the pictures, one after the other, as text from malloc. NULL: `why`
 * says. */
char *report_gnuplot(const char *script, size_t bytes, char *why, size_t why_bytes);
/* Writes the next of the pictures for the page, with colours that follow it; returns behind it, or
 * NULL where there is none. */
const char *report_picture(const char *pictures, const char *alt, FILE *out);

/* ---- the sections ---- */

void report_roofline(report *r, int device); /* report_roofline.c */
void report_summary(report *r, int device);  /* report_summary.c */
void report_curves(report *r, int device);   /* report_curves.c */
void report_model(report *r, int device);    /* report_model.c */
void report_tuning(report *r, int device);   /* report_tuning.c */
void report_studies(report *r, int device);  /* report_studies.c */

/* ---- report_page.c ---- */

void report_page(report *r);
extern const char *const report_style[]; /* report_style.c; ends with NULL */

#endif

/* profile_cells.h: what a profile counts: between the files of the profile.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A cell counts calls of one routine with the same flags, variant and key of choice on one device.
 * Rows of the table are sums of cells; the model is asked once per cell, with the first call it
 * saw. Cells are made once and stay until the process ends, so that recordings may point to them; a
 * new profile sets them to zero. Everything here is used under the profile's lock.
 */
#ifndef GBL_PROFILE_CELLS_H
#define GBL_PROFILE_CELLS_H

#include "core/observe.h"
#include "model/predict.h"
#include "model/profile.h"

#define GBL_CELL_CALL_BYTES 768 /* room for the largest call that is kept to ask the model */

typedef struct gbl_cell gbl_cell;

/* op is NULL for events, where kind counts. */
typedef struct gbl_cell_key {
    const gbl_device *device;
    const gbl_op *op;
    const gbl_variant *variant;
    const char *routine; /* "gable_dgemv", by its address; NULL inside other ops */
    uint64_t key;        /* of the choice */
    char flags[GBL_VIEW_FLAGS];
    gbl_dtype dtype;
    gbl_event_kind kind;
} gbl_cell_key;

/* Seconds with and without the ops inside. */
typedef struct gbl_spent {
    double inclusive, exclusive;
} gbl_spent;

/* A part of a recording: so many calls of a cell. */
typedef struct gbl_triangle_c {
    gbl_cell *cell;
    int64_t calls;
    double bytes, flops;
} gbl_triangle_c;

/* What a recording holds; hangs at it, and dies with it. */
typedef struct gbl_note {
    gbl_cell *replay; /* its cell, once it was replayed */
    int count, capacity;
    gbl_triangle_c parts[];
} gbl_note;

struct gbl_cell {
    gbl_cell_key key;
    gbl_cell *chain, *next;
    char device_name[32], device_title[128];
    bool on_host; /* calls are done when they return */
    bool link;    /* of a span, as `walked` */
    double walked;
    char name[128];  /* "dgemv", "replay(dgemv, daxpy x2)", "set_matrix" */
    char label[160]; /* with flags: "dgemv N" */
    char head[320];  /* the parts of a line of the trace that do not change */
    char tail[320];

    int64_t calls, failed, untimed;
    double bytes, flops;
    gbl_spent host, timed;
    int64_t
        compiled; /* kernels, in calls of it and not in those inside, and the seconds they took */
    double compile_seconds;

    gbl_triangle_c *parts; /* of a replay */
    int part_count;

    /* The first call, and what the model says of it alone [0] and within a recording [1]. */
    gbl_work work;
    gbl_choice choice;
    size_t call_bytes;
    _Alignas(16) unsigned char call[GBL_CELL_CALL_BYTES];
    bool predicted;
    double roof_seconds; /* of the slowest resource, all of it used */
    double term[2][GBL_LIMITERS];
    gbl_roofs_source roofs;
};

/* The cell of a call or an event, made where it is missing; NULL without memory. */
gbl_cell *gbl_cell_of_call(gable_context *ctx, const gbl_op *op, const void *call,
                           const gbl_choice *choice, const gbl_call_view *view,
                           const gbl_work *work);
gbl_cell *gbl_cell_of_event(gable_context *ctx, gbl_event_kind kind, double bytes);
gbl_cell *gbl_cell_of_replay(gable_context *ctx, gable_recording *recording);
gbl_cell *gbl_cell_of_span(gable_context *ctx, const gbl_span *span);

/* Adds a call to the note of a recording in progress. */
void gbl_note_call(gable_recording *recording, gbl_cell *cell, const gbl_work *work);

/* Asks the model about the cells of a device that was not asked yet; NULL: of all. The devices must
 * be open. */
void gbl_cells_predict(const gbl_device *device);

gbl_cell *gbl_cells_first(void);
void gbl_cells_zero(void);

/* ---- profile_table.c: the summary ---- */

typedef struct gbl_summary_head {
    double seconds; /* the profile lasted */
    bool timed;     /* by the devices' clocks */
    double calls;   /* seconds in which at least one call was under way */
    double opening; /* contexts, and closing them */
} gbl_summary_head;

/* The table as text, from malloc; NULL without memory. */
char *gbl_summary_text(const gbl_summary_head *head);

/* To the standard error: a summary that was asked for, or why there is no profile. */
void gbl_profile_say(const char *text);

/* ---- profile_trace.c: the file ---- */

/* One line. */
typedef struct gbl_trace_event {
    const gbl_cell *cell;
    const gbl_call_view *view;
    const gbl_work *work;
    int context, depth;
    int64_t start_ns, length_ns; /* from the start of the profile */
    int64_t host_ns;             /* of the call; negative: length_ns is that */
    int64_t compile_ns;          /* of the kernels that were compiled for it */
} gbl_trace_event;

typedef struct gbl_trace gbl_trace;

/* NULL: the file cannot be made, errno says why. */
gbl_trace *gbl_trace_open(const char *path);
void gbl_trace_add(gbl_trace *trace, const gbl_trace_event *event);
/* false: not all could be written, errno says why. Frees. */
bool gbl_trace_close(gbl_trace *trace);

#endif

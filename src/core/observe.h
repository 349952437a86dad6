/* observe.h: what a profile is told of beside the ops: replays, transfers, spans, contexts that
 * close.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The hook for ops is in op.h. Both are NULL unless a profile runs; a call then costs one test. A
 * profile may keep a note at a recording (freed with it) and a state at a context (which it frees
 * itself when the context closes).
 */
#ifndef GBL_OBSERVE_H
#define GBL_OBSERVE_H

#include <stdbool.h>
#include "device/dtype.h"
#include "gable/gable.h"

typedef enum gbl_event_kind {
    GBL_EVENT_REPLAY,
    GBL_EVENT_SET, /* host to device */
    GBL_EVENT_GET, /* device to host */
    GBL_EVENT_COPY,
    GBL_EVENT_FILL,
    GBL_EVENT_WORK, /* of the library's own that is no op: conversions, iterations, files */
    GBL_EVENT_WAIT, /* the host waits for the device */
    GBL_EVENT_USER, /* a function of the caller's, which the library calls */
    /* Of a context that closes: with `begin` first; again when all work is done and nothing is
     * freed yet; and CLOSED, without a context, in the same thread when it is gone. */
    GBL_EVENT_CLOSE,
    GBL_EVENT_CLOSED,
    GBL_EVENTS
} gbl_event_kind;

/* A stretch of time that is no op: a call that has nothing but these, or a part of one. Bytes and
 * flops are those that any method needs; they are told at the end. */
typedef struct gbl_span {
    gbl_event_kind kind; /* GBL_EVENT_WORK, _WAIT or _USER */
    const char *name;    /* as a table shows it; a literal, "gable_" in front is left out */
    bool typed;          /* the letter of dtype stands in front of the name */
    gbl_dtype dtype;
    uint64_t class; /* spans with one name and class are judged together: sizes are alike */
    double bytes, flops;
    double walked; /* bytes of one pass, where it makes many; 0: as `bytes` */
    bool link;     /* its bytes cross the host link, where there is one */
    int64_t iterations;
} gbl_span;

typedef struct gbl_event {
    gbl_event_kind kind;
    bool begin;                 /* told before, and again after with the status */
    gable_status status;        /* after */
    size_t bytes;               /* of a transfer, a copy, a fill */
    gable_recording *recording; /* of a replay */
    const gbl_span *span;       /* of work, waits and functions of the caller's */
} gbl_event;

typedef void (*gbl_event_hook)(gable_context *ctx, const gbl_event *event);
void gbl_install_events(gbl_event_hook hook);

/* Tells the hook, if there is one. */
void gbl_tell(gable_context *ctx, const gbl_event *event);

/* Around a span; end gives the status back. Spans nest. What is inside of a span that waits for the
 * device is told, too; its time is not the span's own. */
void gbl_span_begin(gable_context *ctx, const gbl_span *span);
gable_status gbl_span_end(gable_context *ctx, const gbl_span *span, gable_status status);

#endif

/* observe.h: what a profile is told of beside the ops: replays, transfers, contexts that close.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The hook for ops is in op.h. Both are NULL unless a profile runs; a call then costs one test.
 * A profile may keep a note at a recording (freed with it) and a state at a context (which it frees itself
 * when the context closes).
 */
#ifndef GBL_OBSERVE_H
#define GBL_OBSERVE_H

#include <stdbool.h>
#include "gable/gable.h"

typedef enum gbl_event_kind {
    GBL_EVENT_REPLAY,
    GBL_EVENT_SET, /* host to device */
    GBL_EVENT_GET, /* device to host */
    GBL_EVENT_COPY,
    GBL_EVENT_FILL,
    GBL_EVENT_CLOSE, /* once, when all work is done and nothing of the context is freed yet */
    GBL_EVENTS
} gbl_event_kind;

typedef struct gbl_event {
    gbl_event_kind kind;
    bool begin;                 /* told before, and again after with the status */
    gable_status status;        /* after */
    size_t bytes;               /* of a transfer, a copy, a fill */
    gable_recording *recording; /* of a replay */
} gbl_event;

typedef void (*gbl_event_hook)(gable_context *ctx, const gbl_event *event);
void gbl_install_events(gbl_event_hook hook);

/* Tells the hook, if there is one. */
void gbl_tell(gable_context *ctx, const gbl_event *event);

#endif

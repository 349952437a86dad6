/* recording.h: calls written down once and replayed.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * While a recording is made, launch.c appends steps here instead of enqueueing them. A step's
 * arguments are copied into blocks that never move. The recording has an arena of its own, so that
 * its workspace and counters are never shared with live calls.
 */
#ifndef GBL_RECORDING_H
#define GBL_RECORDING_H

#include "core/arena.h"
#include "gable/gable.h"

typedef struct gbl_block gbl_block;

/* An allocation that the steps from a position on use. */
typedef struct gbl_needed {
    const void *start;
    uint64_t serial;
    int64_t position;
} gbl_needed;

struct gable_recording {
    gable_context *ctx;
    gbl_step *steps;
    int64_t count, capacity;
    gbl_block *blocks; /* memory behind the steps' args and maps */
    gbl_arena arena;
    gbl_needed *needed; /* allocations of operands, of guarded contexts */
    int64_t needed_count, needed_capacity;
    uint64_t ended;   /* gbl_allocations_ended when they were last seen alive */
    gbl_graph *graph; /* NULL: replayed step by step */
    void *note;       /* of a profile: what the calls were; from malloc */
    gable_recording *next, **link;
};

/* Appends a copy of step, with what it points to. */
gable_status gbl_recording_append(gable_context *ctx, const gbl_step *step);

/* The calls that follow use an allocation: once it is gone, a replay is refused. */
gable_status gbl_recording_needs(gable_context *ctx, const void *start, uint64_t serial);

/* How many steps the recording in progress has (0 without one), and back to there. */
int64_t gbl_recording_position(const gable_context *ctx);
void gbl_recording_rewind(gable_context *ctx, int64_t position);

#endif

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
#include "core/objects.h"
#include "gable/gable.h"

typedef struct gbl_block gbl_block;
struct gbl_preparation;

/* An allocation that the steps from a position on use. */
typedef struct gbl_needed {
    const void *start;
    uint64_t serial;
    int64_t position;
    bool of_matrix; /* an array of a sparse matrix, whose end is gable_sparse_destroy */
} gbl_needed;

struct gable_recording {
    gable_context *ctx;
    gbl_object object;
    gbl_step *steps;
    int64_t count, capacity;
    gbl_block *blocks; /* memory behind the steps' args and maps */
    gbl_arena arena;
    gbl_arena branch_arena; /* of chains beside others (branch.h) */
    gbl_needed *needed;     /* arrays of sparse matrices; of guarded contexts all operands */
    int64_t needed_count, needed_capacity;
    uint64_t ended;                      /* gbl_allocations_ended when they were last seen alive */
    gbl_graph *graph;                    /* NULL: replayed step by step */
    void *note;                          /* of a profile: what the calls were; from malloc */
    struct gbl_preparation *preparation; /* set: steps are dropped, kernels noted (prepare.h) */
    gable_recording *next, **link;
};

/* Begins one that is a preparation, also within a recording: the caller puts that back. */
gable_status gbl_recording_prepare(gable_context *ctx);

/* Appends a copy of step, with what it points to. */
gable_status gbl_recording_append(gable_context *ctx, const gbl_step *step);

/* The calls that follow use an allocation: once it is gone, a replay is refused. */
gable_status gbl_recording_needs(gable_context *ctx, const void *start, uint64_t serial);
/* The same for a sparse matrix, by one of its arrays. Without a recording in progress nothing is
 * done. */
gable_status gbl_recording_needs_matrix(gable_context *ctx, const void *array);

/* How many steps the recording in progress has (0 without one), and back to there. */
int64_t gbl_recording_position(const gable_context *ctx);
void gbl_recording_rewind(gable_context *ctx, int64_t position);

#endif

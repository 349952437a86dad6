/* profile_state.h: what a profile keeps of each context: the calls under way, device times not yet
 * read.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * With device times every call stands between two marks of its queue. They are read late and many
 * at a time: a mark is asked for its time when at least half of WAITING calls came after it, so
 * that the host hardly ever waits for the device. Marks are used again.
 */
#ifndef GBL_PROFILE_STATE_H
#define GBL_PROFILE_STATE_H

#include "core/kernel.h"
#include "model/profile_cells.h"

#define GBL_PROFILE_DEPTH   16 /* deeper calls are not looked at */
#define GBL_PROFILE_WAITING 1024
#define GBL_PROFILE_MARKS   (2 * (GBL_PROFILE_WAITING + GBL_PROFILE_DEPTH) + 1)

/* A call that began, or one that ended and whose device time is not read yet. */
typedef struct gbl_observed {
    gbl_cell *cell;   /* NULL: not looked at */
    gbl_cell *parent; /* of the call that it is inside of, or NULL */
    bool again;       /* inside of the same op: its time is in the outer one's already */
    int depth;
    unsigned run;      /* of the profile it began in */
    int64_t start_ns;  /* host clock */
    int64_t inside_ns; /* of calls inside it; when it ended, its own time */
    gbl_mark *from, *to;
    gbl_compiled compiled; /* by this thread before it; when it ended, for it */
    gbl_work work;
    gbl_call_view view;
} gbl_observed;

typedef struct gbl_profile_state gbl_profile_state;
struct gbl_profile_state {
    gable_context *ctx;
    int number; /* 1, 2, ...: "tid" of its lines */
    gbl_profile_state *next;
    int level; /* calls under way; those from GBL_PROFILE_DEPTH on are not in `open` */
    gbl_observed open[GBL_PROFILE_DEPTH];
    /* Of device times, from here on: */
    gbl_observed *waiting; /* a ring */
    int first, count;
    gbl_mark *spare[GBL_PROFILE_MARKS];
    int spare_count;
    gbl_mark *origin; /* a mark whose place in time is known ... */
    int64_t origin_ns;
};

/* Told when a call's times are known; device_ns is negative where there is none. */
typedef void (*gbl_known_function)(gbl_profile_state *state, const gbl_observed *call,
                                   int64_t start_ns, int64_t device_ns);

/* Makes the ring and the origin; waits for the queue, once. Where the device refuses there is no
 * origin, and calls have no device times. */
void gbl_marks_prepare(gbl_profile_state *state);
/* Sets a mark in the queue; NULL: the device refused. */
gbl_mark *gbl_marks_set(gbl_profile_state *state);
void gbl_marks_return(gbl_profile_state *state, gbl_mark *mark);

/* Puts a call that ended into the ring; reads the older half when it is full. */
void gbl_marks_wait_for(gbl_profile_state *state, const gbl_observed *call,
                        gbl_known_function known);
/* Reads all. */
void gbl_marks_read(gbl_profile_state *state, int count, gbl_known_function known);
void gbl_marks_free(gbl_profile_state *state);

#endif

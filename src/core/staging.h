/* staging.h: pageable host memory on its way to and from a device, through pinned buffers.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Two buffers take turns, so that packing and the link overlap. Each is as large as a quarter of
 * what travels, and at most 16 MB: on an H200 with 8 copying threads that gives 49 GB/s to the
 * device and 47 back, where buffers of 4 MB gave 30 and 25 (2026-11).
 */
#ifndef GBL_STAGING_H
#define GBL_STAGING_H

#include "core/copy_team.h"
#include "core/loan.h"
#include "device/device.h"

#define GBL_STAGES       2
#define GBL_STAGE_BYTES  ((size_t)16 << 20)
#define GBL_STAGE_STREAM ((size_t)8 << 20)

/* A pinned buffer. */
typedef struct gbl_stage {
    void *buffer;
    size_t bytes;
    gbl_mark *mark; /* set when the copy from or to the buffer is enqueued */
    bool busy;
} gbl_stage;

/* The buffers of one queue. */
typedef struct gbl_stager {
    gbl_queue *queue;
    gbl_stage stages[GBL_STAGES];
    int turn;
    /* Seconds that a wait may take: then it is GABLE_DEVICE_LOST, and the buffers stay with the
     * device. 0: no limit. */
    double limit;
    /* What lies between the runs on the device's side may be read, and overwritten: then what
     * travels is contiguous there. */
    bool owns_gaps;
    /* Transfers follow each other without a pause: buffers are filled up to GBL_STAGE_STREAM, also
     * where a transfer is short. */
    bool streams;
    /* Of the last get, also where it failed: runs that were copied to their end, and whether any
     * byte was. */
    int64_t delivered;
    bool touched;
    /* The host's side of what travels; NULL: it stays until the transfer is done. Whether a get
     * overwrites what cannot be computed again. */
    gbl_loan *loan;
    bool binds;
    gbl_loan *watched; /* shown that the driver answers; NULL: nobody looks */
} gbl_stager;

/* Copies as `spec` says; only the kept bytes of the host's side are read or written. set returns
 * when the host's memory may be reused, the copies being enqueued; get when it is filled. */
gable_status gbl_stage_set(gbl_stager *stager, const gbl_copy_spec *spec, const gbl_clip *clip,
                           gbl_message *message);
gable_status gbl_stage_get(gbl_stager *stager, const gbl_copy_spec *spec, const gbl_clip *clip,
                           gbl_message *message);
/* A get in two steps: begin enqueues the first copies into the buffers and returns, so that they
 * arrive while the host does something else; finish is the rest of it. In between there is no other
 * get of the stager. */
typedef struct gbl_stage_piece {
    int64_t run, runs;
    size_t offset, bytes; /* within each run */
    size_t pitch;         /* between runs in the stage */
} gbl_stage_piece;
typedef struct gbl_stage_fetch {
    gbl_copy_spec spec;
    size_t chunk, pitch; /* how it is cut */
    struct {
        gbl_stage *stage;
        gbl_stage_piece piece;
    } waiting[GBL_STAGES];
    int64_t sent, done;
    gbl_stage_piece next; /* to be sent; bytes = 0: there is none */
} gbl_stage_fetch;
gable_status gbl_stage_get_begin(gbl_stager *stager, gbl_stage_fetch *fetch,
                                 const gbl_copy_spec *spec, gbl_message *message);
gable_status gbl_stage_get_finish(gbl_stager *stager, gbl_stage_fetch *fetch, const gbl_clip *clip,
                                  gbl_message *message);
/* Waits for a mark as long as the limit of the stager allows. */
gable_status gbl_stage_wait(const gbl_stager *stager, gbl_mark *mark, gbl_message *message);

/* After a sync. */
void gbl_stager_free(gbl_stager *stager);

#endif

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
#include "device/device.h"

#define GBL_STAGES      2
#define GBL_STAGE_BYTES ((size_t)16 << 20)

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
    /* Of the last get, also where it failed: runs that were copied to their end, and whether any
     * byte was. */
    int64_t delivered;
    bool touched;
} gbl_stager;

/* Copies as `spec` says; only the kept bytes of the host's side are read or written. set returns
 * when the host's memory may be reused, the copies being enqueued; get when it is filled. */
gable_status gbl_stage_set(gbl_stager *stager, const gbl_copy_spec *spec, const gbl_clip *clip,
                           gbl_message *message);
gable_status gbl_stage_get(gbl_stager *stager, const gbl_copy_spec *spec, const gbl_clip *clip,
                           gbl_message *message);
/* Waits for a mark as long as the limit of the stager allows. */
gable_status gbl_stage_wait(const gbl_stager *stager, gbl_mark *mark, gbl_message *message);

/* After a sync. */
void gbl_stager_free(gbl_stager *stager);

#endif

/* host_door.h: what the files of the standard door share.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *   host_door.c   the way in: checks, where to run, what to do when the device fails
 *   host_split.c  calls that do not fit are made of smaller ones
 *   host_leaf.c   a call that fits, on the device: panels travel while others are computed
 *   host_panel.c  what panels are
 *   host_model.c  which side is faster
 *   host_lapack.c routines of LAPACK
 */
#ifndef GBL_HOST_DOOR_H
#define GBL_HOST_DOOR_H

#include "core/context.h"
#include "core/staging.h"
#include "host/host_call.h"

#define GBL_HOST_SLOTS 3 /* panels of the output on the device: next, computed, on its way back */

typedef struct gbl_host_door {
    gable_context *ctx; /* of the device */
    gable_context *cpu; /* NULL: not needed so far */
    bool may_use_cpu;
    size_t memory_bytes; /* most that may be taken of the device's memory */
    /* Beside the queue of the context, which computes: one for each direction. */
    gbl_stager up, down;
    gbl_mark *computed[GBL_HOST_SLOTS]; /* panels, on the context's queue */
    gbl_mark *ends[3];                  /* of all three queues, to wait for after a failure */
    void *buffer;                       /* the device's memory; kept between calls */
    size_t buffer_bytes;
    void *shadow; /* of results of LAPACK: fresh memory costs more than the copy; kept, too */
    size_t shadow_bytes;
    char last[2 * sizeof((gable_device_info *)NULL)->name + 8];
    /* Of the call that runs: */
    const char *name;
    size_t budget;  /* bytes of the device's memory it may take */
    bool updates;   /* its output is also an input: what is delivered cannot be computed again */
    bool shadowed;  /* the output is a copy: writing it changes nothing of the caller's */
    bool committed; /* a part of the result is in the caller's memory */
    bool failed;    /* the device did; what is left is for the cpu */
} gbl_host_door;

/* ---- host_door.c ---- */

/* The door of a context, made at its first call. */
gable_status gbl_host_open_door(gable_context *ctx);
/* Arguments against the description of an op, with operands in any memory. */
gable_status gbl_host_check(gable_context *ctx, const char *name, const gbl_op *op,
                            const gbl_product_call *call);
/* Whether the device addresses all host memory, as the cpu does. */
bool gbl_host_reaches_all(gable_context *ctx);
/* How long the device may take to answer, from the seconds that it should take. */
void gbl_host_limit(gbl_host_door *door, double predicted);

/* ---- host_leaf.c ---- */

/* Whether a call with its output in host memory fits the budget. */
bool gbl_host_leaf_fits(const gbl_host_door *door, const gbl_host_call *host);
/* And in panels wide enough for a GPU. */
bool gbl_host_leaf_fits_well(const gbl_host_door *door, const gbl_host_call *host);
/* Runs one that fits. After a failure of the device `failed` is set; if a part had been delivered
 * before, the cpu computes the rest. */
gable_status gbl_host_leaf_run(gbl_host_door *door, const gbl_host_call *host);
/* Whether the inputs of a call with its output in the device's memory fit, and the call. */
bool gbl_host_leaf_in_place_fits(const gbl_host_door *door, const gbl_host_call *host);
gable_status gbl_host_leaf_in_place(gbl_host_door *door, const gbl_host_call *host);
/* Makes queues and marks. */
gable_status gbl_host_leaf_open(gbl_host_door *door);
void gbl_host_leaf_close(gbl_host_door *door);
/* So much of the device's memory as the buffer, within the budget. */
gable_status gbl_host_need_buffer(gbl_host_door *door, size_t bytes);
/* Frees the device's memory that is kept between calls; nothing is under way. */
gable_status gbl_host_leaf_release(gbl_host_door *door);
/* Waits until all that was enqueued is done; a device that does not answer is abandoned. */
gable_status gbl_host_drain(gbl_host_door *door);

/* ---- host_cpu.c ---- */

/* The context of the cpu, and a call there. */
gable_status gbl_host_open_cpu(gbl_host_door *door);
gable_status gbl_host_run_cpu(gbl_host_door *door, const gbl_host_call *host);

/* ---- host_split.c ---- */

/* Runs a call with its output in host memory: whole, or made of smaller ones. */
gable_status gbl_host_split_run(gbl_host_door *door, const gbl_host_call *host);

#endif

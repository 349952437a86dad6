/* context.h: the context as the library sees it, and the checks every public function makes.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_CONTEXT_H
#define GBL_CONTEXT_H

#include "gable/gable.h"
#include "core/arena.h"
#include "core/loan.h"
#include "core/objects.h"
#include "core/op.h"
#include "device/device.h"

struct gable_timer {
    gable_context *ctx;
    gbl_mark *from, *to;
    bool started, stopped;
    gable_timer *next, **link;
};

struct gable_context {
    gbl_message message;
    unsigned process;   /* that opened it: gbl_process_number */
    gbl_device *device; /* NULL: it could not be opened */
    gbl_queue *queue;
    gbl_arena_meter meter; /* of its own arena and those of its recordings */
    gbl_arena own_arena;
    gbl_arena *arena;        /* own_arena, or the recording's while one is made */
    gbl_queue *branch_queue; /* of chains beside others (branch.h); NULL: there were none */
    gbl_arena branch_arena;
    bool branched;               /* a chain beside another is being enqueued */
    gable_recording *recording;  /* being made, or NULL */
    gable_recording *recordings; /* all that exist */
    gable_timer *timers;
    gbl_object object; /* itself */
    gbl_object
        *objects; /* matrices and solvers that were made on it; under the lock of objects.c */
    struct {
        const void *self;
        uint64_t ended;
    } known[GBL_OBJECT_KINDS];           /* last found alive: gbl_object_known */
    int solving;                         /* solves under way, one inside of another */
    struct gbl_stager *stager;           /* of set_ and get_; NULL: not needed so far */
    gbl_loan loan;                       /* of the operands of a gable_host_ call */
    struct gbl_memory_pool *memory_pool; /* memory with several owners; NULL: there was none */
    struct gbl_host_door *host;          /* of gable_host_ calls; NULL: there were none */
    void (*host_close)(gable_context *ctx);
    bool named;      /* the device was asked for by its name */
    double limit;    /* seconds that a wait for the queue may take; 0: no limit */
    bool abandoned;  /* a wait took too long: nothing of the device is used any more */
    bool any_memory; /* operands that are checked may be in host memory */
    void *slot;      /* pinned memory: results on their way to the host */
    size_t slot_bytes;
    void *slot_address; /* where kernels write them: slot itself or device memory */
    int depth;          /* ops inside ops */
    gable_math math;    /* what sums in single may be made of */
    bool debug_sync, debug_log, debug_check, debug_lanes;
    bool guarded;   /* operands are compared with allocations: core/extents.h */
    void *observer; /* what a profile keeps of the context */
    void *evidence; /* what choices are based on: gbl_evidence_hooks */
    gbl_choices choices;
};

/* Every public function starts here: no context, no device and the name for messages. */
gable_status gbl_enter(gable_context *ctx, const char *routine);

/* "argument 2 (n) " followed by the text; returns GABLE_BAD_ARGUMENT. */
gable_status gbl_fail_argument(gable_context *ctx, int number, const char *name, const char *format,
                               ...) GBL_PRINTF(4, 5);

/* Returns from the calling function when the condition does not hold. */
#define CHECK_ARG(ctx, condition, number, name, ...)                                               \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return gbl_fail_argument(ctx, number, name, __VA_ARGS__);                              \
    } while (0)

/* Refuses NULL and memory that the device cannot address. */
gable_status gbl_check_address(gable_context *ctx, int number, const char *name,
                               const void *address);

/* Refuses what cannot be part of a recording. */
gable_status gbl_check_not_recording(gable_context *ctx, const char *what);

/* A result pointer: device memory is used as it is; host memory is exchanged for a slot, to be
 * fetched by gbl_result_end, which then waits. A recording refuses host memory. */
typedef struct gbl_result {
    void *address; /* where the kernel writes */
    void *host;    /* NULL: nothing to fetch */
    size_t bytes;
} gbl_result;
gable_status gbl_result_begin(gable_context *ctx, int number, const char *name, void *pointer,
                              size_t bytes, gbl_result *result);
gable_status gbl_result_end(gable_context *ctx, const gbl_result *result);

/* Waits for the queue, inside of a gable_host_ call no longer than that may wait. */
gable_status gbl_wait_queue(gable_context *ctx);
/* Whether such a wait was given up: then memory of copies that were under way stays with the
 * device. */
static inline bool gbl_is_left(const gable_context *ctx, gable_status status)
{
    return ctx->limit > 0 && status == GABLE_DEVICE_LOST;
}

/* Waits and reads up to 64 bytes of device memory: for algorithms that must look. */
gable_status gbl_read_scalar(gable_context *ctx, const void *address, size_t bytes, void *value);

/* Data between the host and the device as gable_set_matrix and gable_get_matrix move it: through
 * pinned memory where that pays. Waits. */
gable_status gbl_transfer(gable_context *ctx, const gbl_copy_spec *spec);

/* A line on the standard error, only under GABLE_DEBUG=log. */
void gbl_log(const gable_context *ctx, const char *format, ...) GBL_PRINTF(2, 3);

/* Contexts, without the hooks of higher layers: gable_open is in src/api. */
gable_status gbl_context_open(gable_context **ctx, const char *device);

/* timer.c, recording.c: objects that die with the context. */
void gbl_timers_free(gable_context *ctx);
void gbl_recordings_free(gable_context *ctx);

#endif

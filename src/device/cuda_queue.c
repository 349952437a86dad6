/* cuda_queue.c: CUDA queues, the second stream, tasks and marks.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A queue is a stream. A launch with overlap_previous runs on a second stream, beside the launch
 * before it and after everything older; a row of such launches runs beside the one launch before
 * them. So the second stream must wait for the point just before that launch, and a point can only
 * be marked in passing: an event, one more driver call, which plain launches must not pay. Hence
 * the rule: a queue marks the point before a launch only for WATCHED launches after it last saw the
 * flag. The first flagged launch of a queue therefore runs in order, a loop of pairs overlaps from
 * its second round on, and queues that never use the flag record nothing. When anything but a
 * launch came last (a copy, a task, a graph), a flagged launch runs in order.
 *
 * Before the next launch without the flag, and before anything that is not a launch, the main
 * stream waits for the second.
 */
#include <stdlib.h>
#include "device/cuda_device.h"
#include "device/patience.h"

/* An algorithm that overlaps at all does so every step, and a step of a reduction has a few dozen
 * launches; a queue that has moved on to other work stops paying after this many. */
#define WATCHED 256

typedef struct cuda_mark {
    gbl_mark base;
    gbl_cu_event *event;
} cuda_mark;

static gbl_cuda_device *device_of(const gbl_queue *queue)
{
    return (gbl_cuda_device *)queue->device;
}

/* Makes `later` wait for what `earlier` holds now. */
static gable_status order_streams(gbl_cu_event *event, gbl_cu_stream *earlier, gbl_cu_stream *later,
                                  gbl_message *message)
{
    CUDA_TRY(gbl_cuda.event_record(event, earlier), "recording an event", message);
    CUDA_TRY(gbl_cuda.stream_wait(later, event, 0), "waiting for an event", message);
    return GABLE_OK;
}

static gable_status wait_for_side(gbl_cuda_queue *queue, gbl_message *message)
{
    if (!queue->side_busy)
        return GABLE_OK;
    TRY(order_streams(queue->side_done, queue->side, queue->stream, message));
    queue->side_busy = false;
    return GABLE_OK;
}

gable_status gbl_cuda_join(gbl_cuda_queue *queue, gbl_message *message)
{
    queue->before_known = false;
    return wait_for_side(queue, message);
}

static gable_status make_side(gbl_cuda_queue *queue, gbl_message *message)
{
    if (queue->before == NULL)
        CUDA_TRY(gbl_cuda.event_create(&queue->before, CU_EVENT_NO_TIMING), "cuEventCreate",
                 message);
    if (queue->side_done == NULL)
        CUDA_TRY(gbl_cuda.event_create(&queue->side_done, CU_EVENT_NO_TIMING), "cuEventCreate",
                 message);
    if (queue->side == NULL)
        CUDA_TRY(gbl_cuda.stream_create(&queue->side, CU_STREAM_NON_BLOCKING), "cuStreamCreate",
                 message);
    return GABLE_OK;
}

gable_status gbl_cuda_launch_stream(gbl_cuda_queue *queue, bool overlap_previous,
                                    gbl_cu_stream **stream, gbl_message *message)
{
    if (overlap_previous) {
        if (queue->side == NULL)
            TRY(make_side(queue, message));
        queue->watch = WATCHED;
        if (queue->before_known) {
            if (!queue->side_busy)
                CUDA_TRY(gbl_cuda.stream_wait(queue->side, queue->before, 0),
                         "waiting for an event", message);
            queue->side_busy = true;
            *stream = queue->side;
            return GABLE_OK;
        }
    }
    if (queue->side_busy)
        TRY(wait_for_side(queue, message));
    queue->before_known = false;
    if (queue->watch > 0) {
        queue->watch--;
        CUDA_TRY(gbl_cuda.event_record(queue->before, queue->stream), "recording an event",
                 message);
        queue->before_known = true;
    }
    *stream = queue->stream;
    return GABLE_OK;
}

/* ---- queues ---- */

static void queue_free(gbl_cuda_queue *queue)
{
    if (queue->vendor_close != NULL)
        queue->vendor_close(queue);
    gbl_cu_event *const events[] = {queue->order, queue->before, queue->side_done};
    for (int i = 0; i < 3; i++)
        if (events[i] != NULL)
            gbl_cuda.event_destroy(events[i]);
    if (queue->side != NULL)
        gbl_cuda.stream_destroy(queue->side);
    if (queue->own != NULL)
        gbl_cuda.stream_destroy(queue->own);
    free(queue);
}

gable_status gbl_cuda_queue_open(gbl_device *device, gbl_queue **queue, gbl_message *message)
{
    bool pushed;
    gable_status status = GABLE_OK;
    *queue = NULL;
    gbl_cuda_queue *fresh = calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory for a queue");
    fresh->base.device = device;
    status = gbl_cuda_enter((gbl_cuda_device *)device, &pushed, message);
    if (status != GABLE_OK) {
        free(fresh);
        return status;
    }
    int result = gbl_cuda.stream_create(&fresh->own, CU_STREAM_NON_BLOCKING);
    if (result == 0)
        result = gbl_cuda.event_create(&fresh->order, CU_EVENT_NO_TIMING);
    if (result != 0) {
        status = gbl_cuda_fail(result, "making a stream", message);
        queue_free(fresh);
    } else {
        fresh->stream = fresh->own;
        *queue = &fresh->base;
    }
    gbl_cuda_leave(pushed);
    return status;
}

void gbl_cuda_queue_close(gbl_queue *base)
{
    gbl_cuda_queue *queue = (gbl_cuda_queue *)base;
    bool pushed = false;
    if (queue == NULL)
        return;
    /* Errors are the business of sync; closing must free what it can even on a lost device. */
    gbl_cuda_enter(device_of(base), &pushed, NULL);
    gbl_cuda_join(queue, NULL);
    gbl_cuda.stream_sync(queue->stream);
    queue_free(queue);
    gbl_cuda_leave(pushed);
}

static gable_status use_inside(gbl_cuda_queue *queue, gbl_cu_stream *stream, gbl_message *message)
{
    if (stream == queue->stream)
        return GABLE_OK;
    if (stream != queue->own) {
        gbl_cu_context *context = NULL;
        CUDA_TRY(gbl_cuda.stream_context(stream, &context), "asking for the stream's context",
                 message);
        if (context != device_of(&queue->base)->context)
            return gbl_fail(
                message, GABLE_BAD_ARGUMENT,
                "the stream belongs to another device or CUDA context than %s's primary "
                "one; make it there (cudaSetDevice, then cudaStreamCreate)",
                queue->base.device->info.name);
    }
    TRY(gbl_cuda_join(queue, message));
    TRY(order_streams(queue->order, queue->stream, stream, message));
    queue->stream = stream;
    return GABLE_OK;
}

gable_status gbl_cuda_queue_use(gbl_queue *base, void *stream, gbl_message *message)
{
    gbl_cuda_queue *queue = (gbl_cuda_queue *)base;
    bool pushed;
    TRY(gbl_cuda_enter(device_of(base), &pushed, message));
    const gable_status status = use_inside(queue, stream != NULL ? stream : queue->own, message);
    gbl_cuda_leave(pushed);
    return status;
}

void *gbl_cuda_queue_stream(gbl_queue *queue)
{
    return ((gbl_cuda_queue *)queue)->stream;
}

static gable_status sync_inside(gbl_cuda_queue *queue, gbl_message *message)
{
    TRY(gbl_cuda_join(queue, message));
    CUDA_TRY(gbl_cuda.stream_sync(queue->stream), "synchronising", message);
    return GABLE_OK;
}

gable_status gbl_cuda_sync(gbl_queue *queue, gbl_message *message)
{
    bool pushed;
    TRY(gbl_cuda_enter(device_of(queue), &pushed, message));
    const gable_status status = sync_inside((gbl_cuda_queue *)queue, message);
    gbl_cuda_leave(pushed);
    return status;
}

static gable_status wait_inside(gbl_cuda_queue *queue, gbl_cuda_queue *other, gbl_message *message)
{
    TRY(gbl_cuda_join(queue, message));
    TRY(gbl_cuda_join(other, message));
    return order_streams(other->order, other->stream, queue->stream, message);
}

gable_status gbl_cuda_wait(gbl_queue *queue, gbl_queue *other, gbl_message *message)
{
    bool pushed;
    if (queue->device != other->device)
        return gbl_fail(message, GABLE_BAD_ARGUMENT,
                        "the contexts are on different devices (%s and %s); only contexts on one "
                        "device can wait for each other",
                        queue->device->info.name, other->device->info.name);
    TRY(gbl_cuda_enter(device_of(queue), &pushed, message));
    const gable_status status =
        wait_inside((gbl_cuda_queue *)queue, (gbl_cuda_queue *)other, message);
    gbl_cuda_leave(pushed);
    return status;
}

gable_status gbl_cuda_task(gbl_queue *base, const gbl_task_spec *spec, gbl_message *message)
{
    gbl_cuda_queue *queue = (gbl_cuda_queue *)base;
    bool pushed;
    TRY(gbl_cuda_enter(device_of(base), &pushed, message));
    gable_status status = gbl_cuda_join(queue, message);
    if (status == GABLE_OK)
        status = spec->function(base, queue->stream, spec->args, message);
    gbl_cuda_leave(pushed);
    return status;
}

/* ---- marks ---- */

gable_status gbl_cuda_mark_create(gbl_queue *queue, gbl_mark **mark, gbl_message *message)
{
    bool pushed;
    *mark = NULL;
    cuda_mark *fresh = calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory for a mark");
    fresh->base.queue = queue;
    gable_status status = gbl_cuda_enter(device_of(queue), &pushed, message);
    if (status == GABLE_OK) {
        const int result = gbl_cuda.event_create(&fresh->event, CU_EVENT_DEFAULT);
        if (result != 0)
            status = gbl_cuda_fail(result, "cuEventCreate", message);
        gbl_cuda_leave(pushed);
    }
    if (status == GABLE_OK)
        *mark = &fresh->base;
    else
        free(fresh);
    return status;
}

gable_status gbl_cuda_mark_set(gbl_mark *mark, gbl_message *message)
{
    gbl_cuda_queue *queue = (gbl_cuda_queue *)mark->queue;
    bool pushed;
    TRY(gbl_cuda_enter(device_of(mark->queue), &pushed, message));
    gable_status status = gbl_cuda_join(queue, message);
    if (status == GABLE_OK) {
        const int result = gbl_cuda.event_record(((cuda_mark *)mark)->event, queue->stream);
        if (result != 0)
            status = gbl_cuda_fail(result, "recording an event", message);
    }
    gbl_cuda_leave(pushed);
    return status;
}

gable_status gbl_cuda_mark_wait(gbl_mark *mark, gbl_message *message)
{
    bool pushed;
    gable_status status = GABLE_OK;
    TRY(gbl_cuda_enter(device_of(mark->queue), &pushed, message));
    const int result = gbl_cuda.event_sync(((cuda_mark *)mark)->event);
    if (result != 0)
        status = gbl_cuda_fail(result, "waiting for a mark", message);
    gbl_cuda_leave(pushed);
    return status;
}

/* cuEventSynchronize waits for ever. */
gable_status gbl_cuda_mark_wait_until(gbl_mark *mark, double seconds, bool *reached,
                                      gbl_message *message)
{
    gbl_patience patience = gbl_patience_begin(seconds);
    bool pushed;
    int result = 0;
    TRY(gbl_cuda_enter(device_of(mark->queue), &pushed, message));
    do {
        result = gbl_cuda.event_query(((cuda_mark *)mark)->event);
    } while (result == CU_NOT_READY && gbl_patience_wait(&patience));
    *reached = result != CU_NOT_READY;
    const gable_status status = result == 0 || result == CU_NOT_READY
                                    ? GABLE_OK
                                    : gbl_cuda_fail(result, "waiting for a mark", message);
    gbl_cuda_leave(pushed);
    return status;
}

gable_status gbl_cuda_mark_seconds(gbl_mark *from, gbl_mark *to, double *seconds,
                                   gbl_message *message)
{
    float milliseconds = 0;
    bool pushed;
    gable_status status = GABLE_OK;
    TRY(gbl_cuda_enter(device_of(to->queue), &pushed, message));
    int result = gbl_cuda.event_sync(((cuda_mark *)to)->event);
    if (result == 0)
        result = gbl_cuda.event_elapsed(&milliseconds, ((cuda_mark *)from)->event,
                                        ((cuda_mark *)to)->event);
    if (result != 0)
        status = gbl_cuda_fail(result, "reading the time between two marks", message);
    else
        *seconds = 1e-3 * milliseconds;
    gbl_cuda_leave(pushed);
    return status;
}

void gbl_cuda_mark_destroy(gbl_mark *mark)
{
    bool pushed;
    if (mark == NULL)
        return;
    if (gbl_cuda_enter(device_of(mark->queue), &pushed, NULL) == GABLE_OK) {
        gbl_cuda.event_destroy(((cuda_mark *)mark)->event);
        gbl_cuda_leave(pushed);
    }
    free(mark);
}

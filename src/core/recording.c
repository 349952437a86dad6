/* recording.c: calls written down once and replayed.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * At the end a device that has graphs makes one of the steps; on other devices a replay
 * enqueues the steps one by one, which gives the same bits.
 */
#include <stdlib.h>
#include <string.h>
#include "core/allocations.h"
#include "core/context.h"
#include "core/launch.h"
#include "core/observe.h"
#include "core/prepare.h"
#include "core/recording.h"

#define BLOCK_BYTES 16384 /* at least; what is larger gets a block of its own */

struct gbl_block {
    gbl_block *next;
    size_t used, room;
    _Alignas(64) unsigned char bytes[];
};

/* A copy of bytes that lives as long as the recording; NULL without memory. */
static void *keep(gable_recording *recording, const void *source, size_t bytes)
{
    gbl_block *block = recording->blocks;
    const size_t whole = (bytes + 63) / 64 * 64;
    if (block == NULL || block->room - block->used < whole) {
        const size_t room = whole > BLOCK_BYTES ? whole : BLOCK_BYTES;
        block = aligned_alloc(64, sizeof *block + room);
        if (block == NULL)
            return NULL;
        block->used = 0;
        block->room = room;
        block->next = recording->blocks;
        recording->blocks = block;
    }
    void *place = block->bytes + block->used;
    memcpy(place, source, bytes);
    block->used += whole;
    return place;
}

static gable_status no_memory(gable_context *ctx)
{
    return gbl_fail(&ctx->message, GABLE_OUT_OF_MEMORY, "no host memory to record another step");
}

gable_status gbl_recording_append(gable_context *ctx, const gbl_step *step)
{
    gable_recording *recording = ctx->recording;
    if (recording->preparation != NULL)
        return GABLE_OK;
    if (recording->count == recording->capacity) {
        const int64_t capacity = recording->capacity > 0 ? 2 * recording->capacity : 64;
        gbl_step *steps = realloc(recording->steps, (size_t)capacity * sizeof *steps);
        if (steps == NULL)
            return no_memory(ctx);
        recording->steps = steps;
        recording->capacity = capacity;
    }
    gbl_step copy = *step;
    if (step->kind == GBL_STEP_LAUNCH) {
        const gbl_launch_spec *launch = &step->as.launch;
        if (launch->args_bytes > 0 &&
            (copy.as.launch.args = keep(recording, launch->args, launch->args_bytes)) == NULL)
            return no_memory(ctx);
        if (launch->map_count > 0 &&
            (copy.as.launch.maps = keep(recording, launch->maps,
                                        (size_t)launch->map_count * sizeof *launch->maps)) == NULL)
            return no_memory(ctx);
    } else if (step->kind == GBL_STEP_TASK && step->as.task.args_bytes > 0) {
        copy.as.task.args = keep(recording, step->as.task.args, step->as.task.args_bytes);
        if (copy.as.task.args == NULL)
            return no_memory(ctx);
    }
    recording->steps[recording->count++] = copy;
    return GABLE_OK;
}

static gable_status needs(gable_context *ctx, const gbl_needed *fresh)
{
    gable_recording *recording = ctx->recording;
    if (recording->preparation != NULL)
        return GABLE_OK;
    for (int64_t i = recording->needed_count - 1; i >= 0; i--)
        if (recording->needed[i].serial == fresh->serial)
            return GABLE_OK;
    if (recording->needed_count == recording->needed_capacity) {
        const int64_t capacity =
            recording->needed_capacity > 0 ? 2 * recording->needed_capacity : 16;
        gbl_needed *needed = realloc(recording->needed, (size_t)capacity * sizeof *needed);
        if (needed == NULL)
            return no_memory(ctx);
        recording->needed = needed;
        recording->needed_capacity = capacity;
    }
    recording->needed[recording->needed_count] = *fresh;
    recording->needed[recording->needed_count++].position = recording->count;
    return GABLE_OK;
}

gable_status gbl_recording_needs(gable_context *ctx, const void *start, uint64_t serial)
{
    return needs(ctx, &(gbl_needed){.start = start, .serial = serial});
}

gable_status gbl_recording_needs_matrix(gable_context *ctx, const void *array)
{
    gbl_allocation found;
    if (ctx->recording == NULL || gbl_allocations_find(array, &found) != GBL_LIVE)
        return GABLE_OK;
    return needs(ctx,
                 &(gbl_needed){.start = found.start, .serial = found.serial, .of_matrix = true});
}

int64_t gbl_recording_position(const gable_context *ctx)
{
    return ctx->recording != NULL ? ctx->recording->count : 0;
}

void gbl_recording_rewind(gable_context *ctx, int64_t position)
{
    gable_recording *recording = ctx->recording;
    if (recording == NULL)
        return;
    recording->count = position;
    while (recording->needed_count > 0 &&
           recording->needed[recording->needed_count - 1].position >= position)
        recording->needed_count--;
}

/* A new recording, from here on the one in progress. */
static gable_status begin(gable_context *ctx)
{
    gable_recording *recording = calloc(1, sizeof *recording);
    if (recording == NULL)
        return gbl_fail(&ctx->message, GABLE_OUT_OF_MEMORY, "no host memory for a recording");
    recording->ctx = ctx;
    recording->object = (gbl_object){.kind = GBL_OBJECT_RECORDING, .self = recording};
    gbl_object_add(&recording->object);
    recording->next = ctx->recordings;
    recording->link = &ctx->recordings;
    if (ctx->recordings != NULL)
        ctx->recordings->link = &recording->next;
    ctx->recordings = recording;
    ctx->recording = recording;
    return GABLE_OK;
}

gable_status gable_record_begin(gable_context *ctx)
{
    TRY(gbl_enter(ctx, "gable_record_begin"));
    TRY(gbl_check_not_recording(ctx, "a recording"));
    TRY(begin(ctx));
    ctx->recording->arena.spare = &ctx->own_arena;
    ctx->recording->arena.meter = &ctx->meter;
    ctx->arena = &ctx->recording->arena;
    return GABLE_OK;
}

gable_status gbl_recording_prepare(gable_context *ctx)
{
    gbl_preparation *preparation = calloc(1, sizeof *preparation);
    if (preparation == NULL)
        return gbl_fail(&ctx->message, GABLE_OUT_OF_MEMORY, "no host memory for a preparation");
    const gable_status status = begin(ctx);
    if (status == GABLE_OK)
        ctx->recording->preparation = preparation;
    else
        free(preparation);
    return status;
}

gable_status gable_record_end(gable_context *ctx, gable_recording **out)
{
    TRY(gbl_enter(ctx, "gable_record_end"));
    gable_recording *recording = ctx->recording;
    if (recording == NULL || recording->preparation != NULL)
        return gbl_fail(&ctx->message, GABLE_BAD_ARGUMENT,
                        "no recording is in progress; gable_record_begin starts one");
    ctx->recording = NULL;
    ctx->arena = &ctx->own_arena;

    gable_status status = GABLE_OK;
    if (out != NULL && ctx->device->table->graph_build != NULL && recording->count > 0) {
        const gbl_span span = {.kind = GBL_EVENT_WORK, .name = "gable_record_end"};
        gbl_span_begin(ctx, &span);
        status = gbl_span_end(ctx, &span,
                              ctx->device->table->graph_build(ctx->queue, recording->steps,
                                                              recording->count, &recording->graph,
                                                              &ctx->message));
    }
    if (out != NULL)
        *out = status == GABLE_OK ? recording : NULL;
    if (out == NULL || status != GABLE_OK)
        gable_recording_destroy(recording);
    return status;
}

static gable_status replay_step(gable_context *ctx, const gbl_step *step)
{
    const gbl_device_table *table = ctx->device->table;
    switch (step->kind) {
    case GBL_STEP_LAUNCH:
        return table->launch(ctx->queue, &step->as.launch, &ctx->message);
    case GBL_STEP_TASK:
        return table->task(ctx->queue, &step->as.task, &ctx->message);
    case GBL_STEP_COPY:
        return table->copy(ctx->queue, &step->as.copy, &ctx->message);
    case GBL_STEP_FILL:
        return table->fill(ctx->queue, &step->as.fill, &ctx->message);
    case GBL_STEP_FORK:
    case GBL_STEP_BESIDE:
    case GBL_STEP_JOIN: /* without a graph the chains follow each other */
        return GABLE_OK;
    }
    return gbl_fail(&ctx->message, GABLE_INTERNAL, "a recorded step of kind %d", (int)step->kind);
}

/* Whether all memory of the calls is still there. Nothing is looked up where nothing was freed
 * since. */
static gable_status check_memory(gable_context *ctx, gable_recording *recording)
{
    const uint64_t ended = gbl_allocations_ended();
    if (recording->needed_count == 0 || recording->ended == ended)
        return GABLE_OK;
    for (int64_t i = 0; i < recording->needed_count; i++) {
        const gbl_needed *needed = &recording->needed[i];
        if (gbl_allocations_alive(needed->start, needed->serial))
            continue;
        CHECK_ARG(ctx, !needed->of_matrix, 2, "recording",
                  "uses a sparse matrix that gable_sparse_destroy has destroyed since");
        return gbl_fail_argument(ctx, 2, "recording",
                                 "uses memory at %p that gable_free has freed since",
                                 needed->start);
    }
    recording->ended = ended;
    return GABLE_OK;
}

static gable_status replay_steps(gable_context *ctx, gable_recording *recording)
{
    if (recording->graph != NULL)
        TRY(ctx->device->table->graph_run(ctx->queue, recording->graph, &ctx->message));
    else
        for (int64_t i = 0; i < recording->count; i++)
            TRY(replay_step(ctx, &recording->steps[i]));
    return gbl_debug_sync(ctx, "a replay");
}

gable_status gable_replay(gable_context *ctx, gable_recording *recording)
{
    TRY(gbl_enter(ctx, "gable_replay"));
    CHECK_ARG(ctx, recording != NULL, 2, "recording", "is NULL");
    CHECK_ARG(ctx, gbl_object_known(ctx, GBL_OBJECT_RECORDING, recording), 2, "recording",
              "is none: it was destroyed, or its context closed");
    CHECK_ARG(ctx, recording->ctx == ctx, 2, "recording", "was made on another context");
    CHECK_ARG(ctx, recording != ctx->recording, 2, "recording", "is still being made");
    TRY(gbl_check_not_recording(ctx, "a replay"));
    TRY(check_memory(ctx, recording));
    gbl_log(ctx, "replay of %lld steps", (long long)recording->count);
    gbl_event event = {.kind = GBL_EVENT_REPLAY, .begin = true, .recording = recording};
    gbl_tell(ctx, &event);
    event.begin = false;
    event.status = replay_steps(ctx, recording);
    gbl_tell(ctx, &event);
    return event.status;
}

void gable_recording_destroy(gable_recording *recording)
{
    if (recording == NULL || !gbl_object_alive(GBL_OBJECT_RECORDING, recording))
        return;
    gable_context *ctx = recording->ctx;
    gbl_object_remove(&recording->object);
    if (ctx->recording == recording) {
        ctx->recording = NULL;
        ctx->arena = &ctx->own_arena;
    }
    /* Replays may still run on its workspace. A lost device answers an error, and nothing runs. */
    if (recording->preparation == NULL)
        ctx->device->table->sync(ctx->queue, NULL);
    if (recording->graph != NULL)
        ctx->device->table->graph_free(recording->graph);
    gbl_arena_free(&recording->arena, ctx->device);
    gbl_arena_free(&recording->branch_arena, ctx->device);
    *recording->link = recording->next;
    if (recording->next != NULL)
        recording->next->link = recording->link;
    while (recording->blocks != NULL) {
        gbl_block *block = recording->blocks;
        recording->blocks = block->next;
        free(block);
    }
    free(recording->steps);
    free(recording->needed);
    free(recording->note);
    gbl_preparation_free(recording->preparation);
    free(recording);
}

void gbl_recordings_free(gable_context *ctx)
{
    while (ctx->recordings != NULL)
        gable_recording_destroy(ctx->recordings);
}

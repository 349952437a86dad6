/* staging.c: pageable host memory on its way to and from a device, through pinned buffers.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A transfer is cut into pieces that fit a buffer: several whole runs, or a part of one.
 */
#include "core/limited_wait.h"
#include "core/staging.h"

#define LEAST_BYTES ((size_t)256 << 10)

static const gbl_device_table *table_of(const gbl_stager *stager)
{
    return stager->queue->device->table;
}

void gbl_stager_free(gbl_stager *stager)
{
    for (int i = 0; i < GBL_STAGES; i++) {
        gbl_stage *stage = &stager->stages[i];
        if (stage->mark != NULL)
            table_of(stager)->mark_destroy(stage->mark);
        if (stage->buffer != NULL)
            table_of(stager)->pinned_free(stager->queue->device, stage->buffer);
        *stage = (gbl_stage){.buffer = NULL};
    }
}

gable_status gbl_stage_wait(const gbl_stager *stager, gbl_mark *mark, gbl_message *message)
{
    return gbl_wait_limited(mark, stager->limit, stager->watched, message);
}

/* A stage of at least so many bytes whose last copy is done. */
static gable_status stage_ready(gbl_stager *stager, gbl_stage *stage, size_t bytes,
                                gbl_message *message)
{
    const gbl_device_table *table = table_of(stager);
    gbl_device *device = stager->queue->device;
    if (stage->busy)
        TRY(gbl_stage_wait(stager, stage->mark, message));
    stage->busy = false;
    if (stage->mark == NULL)
        TRY(table->mark_create(stager->queue, &stage->mark, message));
    if (stage->bytes >= bytes)
        return GABLE_OK;
    size_t enough = LEAST_BYTES;
    while (enough < bytes)
        enough *= 2;
    if (stage->buffer != NULL)
        table->pinned_free(device, stage->buffer);
    stage->buffer = NULL;
    stage->bytes = 0;
    TRY(table->pinned_alloc(device, enough, &stage->buffer, message));
    stage->bytes = enough;
    return GABLE_OK;
}

/* ---- Pieces ---- */

typedef gbl_stage_piece piece;

/* How a transfer is cut. */
typedef struct cut {
    const gbl_copy_spec *spec;
    size_t chunk; /* bytes of a stage */
    size_t pitch; /* between whole runs in it */
} cut;

static cut cut_of(const gbl_stager *stager, const gbl_copy_spec *spec)
{
    const size_t device_pitch =
        spec->direction == GBL_TO_DEVICE ? spec->target_pitch : spec->source_pitch;
    cut made = {.spec = spec, .pitch = spec->run_bytes};
    /* Gaps that are shorter than the runs may travel. */
    if (stager->owns_gaps && device_pitch < 2 * spec->run_bytes)
        made.pitch = device_pitch;
    const size_t quarter = made.pitch * (size_t)spec->runs / 4;
    const size_t least = stager->streams ? GBL_STAGE_STREAM : LEAST_BYTES;
    made.chunk = quarter < least ? least : quarter;
    /* Who owns the gaps wants whole runs: where a get failed, runs are there or not. */
    if (stager->owns_gaps && made.chunk < made.pitch)
        made.chunk = made.pitch;
    made.chunk = made.chunk < GBL_STAGE_BYTES ? made.chunk : GBL_STAGE_BYTES;
    return made;
}

/* The one behind *p; with bytes = 0 the first. */
static bool next_piece(const cut *how, piece *p)
{
    const gbl_copy_spec *spec = how->spec;
    if (p->bytes == 0) {
        p->run = 0;
        p->offset = 0;
    } else if (p->offset + p->bytes < spec->run_bytes) {
        p->offset += p->bytes;
    } else {
        p->run += p->runs;
        p->offset = 0;
    }
    if (p->run >= spec->runs)
        return false;
    if (how->pitch > how->chunk) {
        const size_t left = spec->run_bytes - p->offset;
        p->runs = 1;
        p->bytes = left < how->chunk ? left : how->chunk;
        p->pitch = p->bytes;
    } else {
        p->bytes = spec->run_bytes;
        p->pitch = how->pitch;
        p->runs = (int64_t)(how->chunk / how->pitch);
        p->runs = p->runs < spec->runs - p->run ? p->runs : spec->runs - p->run;
    }
    return true;
}

/* The copy between the caller's memory and a stage. */
static gable_status pack(const gbl_stager *stager, const gbl_copy_spec *spec, const gbl_clip *clip,
                         const piece *p, gbl_stage *stage, gbl_message *message)
{
    const bool to_device = spec->direction == GBL_TO_DEVICE;
    gbl_host_copy copy = {.run_bytes = p->bytes, .runs = p->runs};
    if (to_device) {
        copy.target = stage->buffer;
        copy.target_pitch = p->pitch;
        copy.source = (const char *)spec->source + (size_t)p->run * spec->source_pitch + p->offset;
        copy.source_pitch = spec->source_pitch;
    } else {
        copy.target = (char *)spec->target + (size_t)p->run * spec->target_pitch + p->offset;
        copy.target_pitch = spec->target_pitch;
        copy.source = stage->buffer;
        copy.source_pitch = p->pitch;
    }
    if (clip != NULL && clip->keep != GBL_KEEP_ALL)
        copy.clip = (gbl_clip){.keep = clip->keep,
                               .edge = clip->edge + p->run * clip->step - (int64_t)p->offset,
                               .step = clip->step};
    if (!(stager->binds && !to_device ? gbl_loan_bind : gbl_loan_begin)(stager->loan))
        return gbl_fail(message, GABLE_DEVICE_LOST, "%s", GBL_LOAN_OVER);
    gbl_copy_team_run(&copy);
    gbl_loan_end(stager->loan);
    return GABLE_OK;
}

/* Enqueues the copy between a stage and the device, and marks its end. Without the mark the stage
 * must not be used again while the copy may still run, so a failing mark waits. */
static gable_status send(gbl_stager *stager, const gbl_copy_spec *spec, const piece *p,
                         gbl_stage *stage, gbl_message *message)
{
    const gbl_device_table *table = table_of(stager);
    const bool to_device = spec->direction == GBL_TO_DEVICE;
    gbl_copy_spec part = {.direction = spec->direction, .run_bytes = p->bytes, .runs = p->runs};
    if (to_device) {
        part.target = (char *)spec->target + (size_t)p->run * spec->target_pitch + p->offset;
        part.target_pitch = spec->target_pitch;
        part.source = stage->buffer;
        part.source_pitch = p->pitch;
    } else {
        part.target = stage->buffer;
        part.target_pitch = p->pitch;
        part.source = (const char *)spec->source + (size_t)p->run * spec->source_pitch + p->offset;
        part.source_pitch = spec->source_pitch;
    }
    if (p->runs > 1 && part.source_pitch == part.target_pitch && p->pitch != p->bytes) {
        /* The same gaps on both sides: one long run, which ends with the last short one. */
        part.run_bytes = (size_t)(p->runs - 1) * p->pitch + p->bytes;
        part.runs = 1;
    }
    TRY(table->copy(stager->queue, &part, message));
    const gable_status status = table->mark_set(stage->mark, message);
    if (status != GABLE_OK)
        table->sync(stager->queue, NULL);
    else
        stage->busy = true;
    return status;
}

/* ---- Transfers ---- */

static gbl_stage *next_stage(gbl_stager *stager)
{
    gbl_stage *stage = &stager->stages[stager->turn];
    stager->turn = (stager->turn + 1) % GBL_STAGES;
    return stage;
}

gable_status gbl_stage_set(gbl_stager *stager, const gbl_copy_spec *spec, const gbl_clip *clip,
                           gbl_message *message)
{
    const cut how = cut_of(stager, spec);
    for (piece p = {.bytes = 0}; next_piece(&how, &p);) {
        gbl_stage *stage = next_stage(stager);
        TRY(stage_ready(stager, stage, how.chunk, message));
        TRY(pack(stager, spec, clip, &p, stage, message));
        TRY(send(stager, spec, &p, stage, message));
    }
    return GABLE_OK;
}

/* Takes what has arrived in a stage. */
static gable_status unpack(gbl_stager *stager, const cut *how, const gbl_clip *clip, const piece *p,
                           gbl_stage *stage, gbl_message *message)
{
    TRY(stage_ready(stager, stage, how->chunk, message));
    TRY(pack(stager, how->spec, clip, p, stage, message));
    stager->touched = true;
    if (p->offset + p->bytes == how->spec->run_bytes)
        stager->delivered = p->run + p->runs;
    return GABLE_OK;
}

/* Takes what has arrived first. */
static gable_status unpack_oldest(gbl_stager *stager, gbl_stage_fetch *fetch, const gbl_clip *clip,
                                  gbl_message *message)
{
    const cut how = {.spec = &fetch->spec, .chunk = fetch->chunk, .pitch = fetch->pitch};
    const int oldest = (int)(fetch->done++ % GBL_STAGES);
    return unpack(stager, &how, clip, &fetch->waiting[oldest].piece, fetch->waiting[oldest].stage,
                  message);
}

/* Sends the next piece into a free stage, and finds the one behind it. */
static gable_status send_next(gbl_stager *stager, gbl_stage_fetch *fetch, gbl_message *message)
{
    const cut how = {.spec = &fetch->spec, .chunk = fetch->chunk, .pitch = fetch->pitch};
    gbl_stage *stage = next_stage(stager);
    TRY(stage_ready(stager, stage, fetch->chunk, message));
    TRY(send(stager, &fetch->spec, &fetch->next, stage, message));
    fetch->waiting[fetch->sent % GBL_STAGES].stage = stage;
    fetch->waiting[fetch->sent++ % GBL_STAGES].piece = fetch->next;
    if (!next_piece(&how, &fetch->next))
        fetch->next.bytes = 0;
    return GABLE_OK;
}

gable_status gbl_stage_get_begin(gbl_stager *stager, gbl_stage_fetch *fetch,
                                 const gbl_copy_spec *spec, gbl_message *message)
{
    const cut how = cut_of(stager, spec);
    *fetch = (gbl_stage_fetch){.spec = *spec, .chunk = how.chunk, .pitch = how.pitch};
    stager->delivered = 0;
    stager->touched = false;
    if (!next_piece(&how, &fetch->next))
        fetch->next.bytes = 0;
    while (fetch->next.bytes > 0 && fetch->sent < GBL_STAGES)
        TRY(send_next(stager, fetch, message));
    return GABLE_OK;
}

gable_status gbl_stage_get_finish(gbl_stager *stager, gbl_stage_fetch *fetch, const gbl_clip *clip,
                                  gbl_message *message)
{
    while (fetch->next.bytes > 0) {
        TRY(unpack_oldest(stager, fetch, clip, message));
        TRY(send_next(stager, fetch, message));
    }
    while (fetch->done < fetch->sent)
        TRY(unpack_oldest(stager, fetch, clip, message));
    return GABLE_OK;
}

gable_status gbl_stage_get(gbl_stager *stager, const gbl_copy_spec *spec, const gbl_clip *clip,
                           gbl_message *message)
{
    gbl_stage_fetch fetch;
    TRY(gbl_stage_get_begin(stager, &fetch, spec, message));
    return gbl_stage_get_finish(stager, &fetch, clip, message);
}

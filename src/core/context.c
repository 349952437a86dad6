/* context.c: contexts, and the checks every public function makes.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "core/allocations.h"
#include "core/context.h"
#include "core/disk_cache.h"
#include "core/observe.h"
#include "core/extents.h"
#include "core/limited_wait.h"
#include "core/math_mode.h"
#include "core/owned_memory.h"
#include "core/prepare.h"
#include "core/recording.h"
#include "core/staging.h"
#include "device/fork_guard.h"

#define SLOT_BYTES ((size_t)64) /* at first; it grows with the results */

gable_status gbl_enter(gable_context *ctx, const char *routine)
{
    if (ctx == NULL)
        return GABLE_BAD_ARGUMENT;
    if (ctx->depth == 0)
        ctx->message.routine = routine;
    if (ctx->process != gbl_process_number)
        return gbl_fail(&ctx->message, GABLE_DEVICE_LOST,
                        "the context belongs to the process that forked this one; open another "
                        "one here (gable_close frees this one's host memory)");
    if (ctx->device == NULL) {
        /* The reason stands at the end of the message, whichever call wrote it. */
        const char *why = strstr(ctx->message.text, "gable_open: ");
        char reason[512];
        snprintf(reason, sizeof reason, "%.500s", why != NULL ? why : ctx->message.text);
        return gbl_fail(&ctx->message, GABLE_NO_DEVICE, "the context has no device: %s", reason);
    }
    if (ctx->abandoned)
        return gbl_fail(&ctx->message, GABLE_DEVICE_LOST,
                        "%s did not answer an earlier call; the context can only be closed",
                        ctx->device->info.name);
    return GABLE_OK;
}

gable_status gbl_fail_argument(gable_context *ctx, int number, const char *name, const char *format,
                               ...)
{
    char text[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    return gbl_fail(&ctx->message, GABLE_BAD_ARGUMENT, "argument %d (%s) %s", number, name, text);
}

gable_status gbl_check_address(gable_context *ctx, int number, const char *name,
                               const void *address)
{
    CHECK_ARG(ctx, address != NULL, number, name, "is NULL; it must be %sdevice memory",
              ctx->any_memory ? "host or " : "");
    if (ctx->device->props.is_host || ctx->any_memory)
        return GABLE_OK;
    CHECK_ARG(ctx, ctx->device->table->where(ctx->device, address) != GBL_AT_HOST, number, name,
              "is %p, which %s cannot address; it must be memory from gable_alloc on that device",
              address, ctx->device->info.name);
    return GABLE_OK;
}

gable_status gbl_check_not_recording(gable_context *ctx, const char *what)
{
    if (ctx->recording == NULL)
        return GABLE_OK;
    if (gbl_preparing(ctx) != NULL)
        return gbl_fail(&ctx->message, GABLE_NOT_RECORDABLE,
                        "%s cannot be prepared; call gable_prepare_end first", what);
    return gbl_fail(&ctx->message, GABLE_NOT_RECORDABLE,
                    "%s cannot be part of a recording; call gable_record_end first", what);
}

static void free_slot(gable_context *ctx)
{
    const gbl_device_table *table = ctx->device->table;
    if (ctx->slot_address != NULL && ctx->slot_address != ctx->slot)
        table->free(ctx->device, ctx->slot_address, NULL);
    if (ctx->slot != NULL)
        table->pinned_free(ctx->device, ctx->slot);
    ctx->slot = ctx->slot_address = NULL;
    ctx->slot_bytes = 0;
}

/* A slot of at least bytes. Whoever uses it waits until it was read, so it may be exchanged. */
static gable_status need_slot(gable_context *ctx, size_t bytes)
{
    if (ctx->slot_bytes >= bytes && ctx->slot != NULL)
        return GABLE_OK;
    if (ctx->slot_address != NULL && ctx->slot_address != ctx->slot)
        TRY(ctx->device->table->free(ctx->device, ctx->slot_address, &ctx->message));
    ctx->slot_address = NULL;
    free_slot(ctx);
    size_t enough = SLOT_BYTES;
    while (enough < bytes && enough <= SIZE_MAX / 2)
        enough *= 2;
    TRY(ctx->device->table->pinned_alloc(ctx->device, enough, &ctx->slot, &ctx->message));
    ctx->slot_bytes = enough;
    return GABLE_OK;
}

gable_status gbl_result_begin(gable_context *ctx, int number, const char *name, void *pointer,
                              size_t bytes, gbl_result *result)
{
    CHECK_ARG(ctx, pointer != NULL, number, name, "is NULL; it must be device or host memory");
    if (ctx->guarded) {
        const gbl_extent operand =
            gbl_extent_vector(name, number, GBL_WRITE, pointer, (int64_t)bytes, 1, 1);
        TRY(gbl_extents_check(ctx, &operand, 1));
    }
    result->address = pointer;
    result->host = NULL;
    result->bytes = bytes;
    /* Pinned and managed memory can be reached by the device, but the host looks there when the
     * call returns. */
    if ((ctx->device->props.is_host && ctx->recording == NULL) ||
        ctx->device->table->where(ctx->device, pointer) == GBL_AT_DEVICE)
        return GABLE_OK;

    if (ctx->recording != NULL && gbl_preparing(ctx) == NULL)
        return gbl_fail(&ctx->message, GABLE_NOT_RECORDABLE,
                        "argument %d (%s) is host memory, for which the call would wait; in a "
                        "recording results go to device memory (gable_alloc, on cpu too)",
                        number, name);
    TRY(need_slot(ctx, bytes));
    if (ctx->slot_address == NULL) {
        if (ctx->device->props.pinned_is_address)
            ctx->slot_address = ctx->slot;
        else
            TRY(ctx->device->table->alloc(ctx->device, ctx->slot_bytes, &ctx->slot_address,
                                          &ctx->message));
    }
    result->address = ctx->slot_address;
    result->host = pointer;
    return GABLE_OK;
}

gable_status gbl_wait_queue(gable_context *ctx)
{
    const gbl_device_table *table = ctx->device->table;
    gbl_mark *mark = NULL;
    if (ctx->limit <= 0)
        return table->sync(ctx->queue, &ctx->message);
    TRY(table->mark_create(ctx->queue, &mark, &ctx->message));
    gable_status status = table->mark_set(mark, &ctx->message);
    if (status == GABLE_OK)
        status = gbl_wait_limited(mark, ctx->limit, &ctx->loan, &ctx->message);
    if (status != GABLE_DEVICE_LOST)
        table->mark_destroy(mark);
    return status;
}

/* Waits for the queue, and a profile knows it. */
static gable_status wait_told(gable_context *ctx, const char *name)
{
    const gbl_span span = {.kind = GBL_EVENT_WAIT, .name = name};
    gbl_span_begin(ctx, &span);
    return gbl_span_end(ctx, &span, gbl_wait_queue(ctx));
}

gable_status gbl_result_end(gable_context *ctx, const gbl_result *result)
{
    static const char *const name = "wait for a result";
    if (result->host == NULL || gbl_preparing(ctx) != NULL)
        return GABLE_OK;
    if (ctx->slot_address != ctx->slot) {
        const gbl_span span = {.kind = GBL_EVENT_WAIT, .name = name};
        gbl_span_begin(ctx, &span);
        return gbl_span_end(ctx, &span,
                            gbl_read_scalar(ctx, result->address, result->bytes, result->host));
    }
    TRY(wait_told(ctx, name));
    memcpy(result->host, ctx->slot, result->bytes);
    return GABLE_OK;
}

/* Through the slot: the caller's memory is written only when the value is known to be there. */
gable_status gbl_read_scalar(gable_context *ctx, const void *address, size_t bytes, void *value)
{
    TRY(gbl_check_not_recording(ctx, "a value that the host waits for"));
    TRY(need_slot(ctx, bytes));
    const gbl_copy_spec copy = {.direction = GBL_TO_HOST,
                                .target = ctx->slot,
                                .target_pitch = bytes,
                                .source = address,
                                .source_pitch = bytes,
                                .run_bytes = bytes,
                                .runs = 1};
    TRY(ctx->device->table->copy(ctx->queue, &copy, &ctx->message));
    TRY(gbl_wait_queue(ctx));
    memcpy(value, ctx->slot, bytes);
    return GABLE_OK;
}

void gbl_log(const gable_context *ctx, const char *format, ...)
{
    if (!ctx->debug_log)
        return;
    char text[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    char line[1280];
    snprintf(line, sizeof line, "gable %s: %s\n", ctx->device ? ctx->device->info.name : "-", text);
    fputs(line, stderr); /* asked for by GABLE_DEBUG=log */
}

/* ---- Open and close ---- */

static gable_status read_debug(gable_context *ctx)
{
    const char *words = getenv("GABLE_DEBUG");
    for (const char *word = words; word != NULL && *word != '\0';) {
        const size_t length = strcspn(word, ",");
        if (length == 4 && strncmp(word, "sync", 4) == 0)
            ctx->debug_sync = true;
        else if (length == 3 && strncmp(word, "log", 3) == 0)
            ctx->debug_log = true;
        else if (length == 5 && strncmp(word, "check", 5) == 0)
            ctx->debug_check = true;
        else if (length == 5 && strncmp(word, "lanes", 5) == 0)
            ctx->debug_lanes = true;
        else if (length > 0)
            return gbl_fail(&ctx->message, GABLE_BAD_ARGUMENT,
                            "GABLE_DEBUG has \"%.*s\"; it may hold sync, log, check and lanes, "
                            "separated by commas",
                            (int)length, word);
        word += length + (word[length] == ',');
    }
    return GABLE_OK;
}

/* src/tune reads it at each choice; a word that means nothing is told here. */
static gable_status check_tuning(gable_context *ctx)
{
    const char *word = getenv("GABLE_TUNING");
    if (word == NULL || word[0] == '\0' || strcmp(word, "on") == 0 || strcmp(word, "off") == 0)
        return GABLE_OK;
    return gbl_fail(&ctx->message, GABLE_BAD_ARGUMENT,
                    "GABLE_TUNING is \"%.100s\"; it must be on or off", word);
}

/* All that can fail after the context itself exists. */
static gable_status open_parts(gable_context *ctx, const char *name)
{
    TRY(read_debug(ctx));
    TRY(check_tuning(ctx));
    if (name == NULL || name[0] == '\0')
        name = getenv("GABLE_DEVICE");
    ctx->named = name != NULL && name[0] != '\0';
    gbl_message note = {"gable_open", ""};
    TRY(gbl_device_open(name, &ctx->device, &note, &ctx->message));
    const gable_status status =
        ctx->device->table->queue_open(ctx->device, &ctx->queue, &ctx->message);
    if (status != GABLE_OK) {
        ctx->device = NULL;
        return status;
    }
    ctx->own_arena.queue = ctx->queue;
    ctx->own_arena.meter = &ctx->meter;
    ctx->guarded = ctx->debug_check || ctx->device->props.guard_operands;
    const char *forced = getenv("GABLE_VARIANT");
    if (forced != NULL && forced[0] != '\0') {
        const gable_status forcing = gbl_force(ctx, forced);
        if (forcing != GABLE_OK) {
            const gbl_message detail = ctx->message;
            const char *rule = strstr(detail.text, "(choice) ");
            return gbl_fail(&ctx->message, forcing, "GABLE_VARIANT cannot be used: \"%s\" %s",
                            forced, rule != NULL ? rule + strlen("(choice) ") : detail.text);
        }
    }
    TRY(gbl_math_open(ctx));
    if (strlen(note.text) > strlen("gable_open: "))
        gbl_fail(&ctx->message, GABLE_OK, "%s", note.text + strlen("gable_open: "));
    gbl_log(ctx, "open %s", ctx->device->info.title);
    char why[GBL_TRUST_BYTES];
    if (ctx->debug_log && ctx->device->props.disk_cache && !gbl_disk_cache_usable(why))
        gbl_log(ctx, "the kernel cache is not used: %s", why);
    return GABLE_OK;
}

gable_status gbl_context_open(gable_context **out, const char *device)
{
    if (out == NULL)
        return GABLE_BAD_ARGUMENT;
    gable_context *ctx = calloc(1, sizeof *ctx);
    *out = ctx;
    if (ctx == NULL)
        return GABLE_OUT_OF_MEMORY;
    ctx->message.routine = "gable_open";
    ctx->process = gbl_process_number;
    ctx->arena = &ctx->own_arena;
    gbl_loan_bind(&ctx->loan); /* only calls that start it give operands back */
    ctx->object = (gbl_object){.kind = GBL_OBJECT_CONTEXT, .self = ctx};
    gbl_object_add(&ctx->object);
    gable_status status = open_parts(ctx, device);
    if (status == GABLE_OK && !gbl_evidence_take(ctx))
        status = gbl_fail(&ctx->message, GABLE_OUT_OF_MEMORY,
                          "no host memory for what is known of %s", ctx->device->info.name);
    if (status != GABLE_OK && ctx->device != NULL) {
        ctx->device->table->queue_close(ctx->queue);
        ctx->device = NULL;
        ctx->queue = NULL;
    }
    return status;
}

static void close_branch(gable_context *ctx)
{
    if (ctx->branch_queue == NULL)
        return;
    gbl_arena_free(&ctx->branch_arena, ctx->device);
    ctx->device->table->queue_close(ctx->branch_queue);
    ctx->branch_queue = NULL;
}

void gable_close(gable_context *ctx)
{
    if (ctx == NULL || !gbl_object_alive(GBL_OBJECT_CONTEXT, ctx))
        return;
    if (ctx->solving > 0) {
        ctx->message.routine = "gable_close";
        gbl_fail(&ctx->message, GABLE_BAD_ARGUMENT,
                 "a solver of the context is solving; the context stays open: close it when the "
                 "solve has returned");
        return;
    }
    if (ctx->host_close != NULL)
        ctx->host_close(ctx);
    if (ctx->abandoned) {
        gbl_pool_close(ctx);
        gbl_choices_clear(ctx);
        gbl_evidence_drop(ctx);
    } else if (ctx->device != NULL) {
        gbl_device *device = ctx->device;
        gbl_tell(ctx, &(gbl_event){.kind = GBL_EVENT_CLOSE, .begin = true});
        device->table->sync(ctx->queue, NULL);
        ctx->recording = NULL; /* one in progress would refuse to free memory */
        ctx->arena = &ctx->own_arena;
        gbl_objects_orphan(ctx, GBL_OBJECT_SOLVER);
        gbl_objects_orphan(ctx, GBL_OBJECT_SPARSE);
        gbl_tell(ctx, &(gbl_event){.kind = GBL_EVENT_CLOSE});
        gbl_recordings_free(ctx);
        gbl_timers_free(ctx);
        if (ctx->stager != NULL)
            gbl_stager_free(ctx->stager);
        free(ctx->stager);
        close_branch(ctx);
        gbl_arena_free(&ctx->own_arena, device);
        free_slot(ctx);
        gbl_pool_close(ctx);
        gbl_allocations_release(NULL, ctx);
        gbl_allocations_disown(ctx);
        device->table->queue_close(ctx->queue);
        gbl_choices_clear(ctx);
        gbl_evidence_drop(ctx);
        gbl_tell(NULL, &(gbl_event){.kind = GBL_EVENT_CLOSED});
    }
    gbl_object_remove(&ctx->object);
    free(ctx);
}

const char *gable_message(const gable_context *ctx)
{
    if (ctx == NULL)
        return "there is no context: gable_open found no memory, or it was never called";
    return ctx->message.text;
}

gable_status gable_context_describe(const gable_context *ctx, gable_device_info *info)
{
    if (ctx == NULL || info == NULL)
        return GABLE_BAD_ARGUMENT;
    if (ctx->device == NULL)
        return GABLE_NO_DEVICE;
    gbl_device_describe_open(ctx->device, info);
    return GABLE_OK;
}

int gable_device_count(void)
{
    return gbl_device_count();
}

gable_status gable_device_describe(int index, gable_device_info *info)
{
    if (info == NULL)
        return GABLE_BAD_ARGUMENT;
    return gbl_device_describe(index, info, NULL);
}

gable_status gable_sync(gable_context *ctx)
{
    TRY(gbl_enter(ctx, "gable_sync"));
    TRY(gbl_check_not_recording(ctx, "gable_sync"));
    TRY(wait_told(ctx, "gable_sync"));
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    const double now = (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
    gbl_arena *const arenas[] = {&ctx->own_arena, &ctx->branch_arena};
    for (int i = 0; i < 2; i++) {
        gbl_arena_trim(arenas[i], ctx->device);
        gbl_arena_age(arenas[i], ctx->device, now);
    }
    gbl_pool_collect(ctx);
    return GABLE_OK;
}

gable_status gable_wait(gable_context *ctx, gable_context *other)
{
    TRY(gbl_enter(ctx, "gable_wait"));
    CHECK_ARG(ctx, other != NULL && other->device != NULL, 2, "other", "is no open context");
    CHECK_ARG(ctx, other->process == ctx->process, 2, "other",
              "belongs to the process that forked this one");
    CHECK_ARG(ctx, other->device == ctx->device, 2, "other",
              "is on %s and the context on %s; both must be on one device",
              other->device->info.name, ctx->device->info.name);
    TRY(gbl_check_not_recording(ctx, "gable_wait"));
    CHECK_ARG(ctx, other->recording == NULL, 2, "other", "is making a recording");
    if (other == ctx)
        return GABLE_OK;
    return ctx->device->table->wait(ctx->queue, other->queue, &ctx->message);
}

gable_status gable_set_stream(gable_context *ctx, void *stream)
{
    TRY(gbl_enter(ctx, "gable_set_stream"));
    TRY(gbl_check_not_recording(ctx, "a change of stream"));
    if (!ctx->device->props.streams)
        return gbl_fail(&ctx->message, GABLE_NOT_SUPPORTED, "%s has no streams",
                        ctx->device->info.name);
    return ctx->device->table->queue_use(ctx->queue, stream, &ctx->message);
}

gable_status gable_get_stream(gable_context *ctx, void **stream)
{
    TRY(gbl_enter(ctx, "gable_get_stream"));
    CHECK_ARG(ctx, stream != NULL, 2, "stream", "is NULL");
    *stream = ctx->device->props.streams ? ctx->device->table->queue_stream(ctx->queue) : NULL;
    return GABLE_OK;
}

gable_status gable_set_variant(gable_context *ctx, const char *choice)
{
    TRY(gbl_enter(ctx, "gable_set_variant"));
    return gbl_force(ctx, choice);
}

gable_status gable_reserve(gable_context *ctx, size_t bytes)
{
    TRY(gbl_enter(ctx, "gable_reserve"));
    return gbl_arena_reserve(ctx->arena, ctx->device, bytes, &ctx->message);
}

gable_status gable_workspace(gable_context *ctx, gable_workspace_info *info)
{
    TRY(gbl_enter(ctx, "gable_workspace"));
    CHECK_ARG(ctx, info != NULL, 2, "info", "is NULL");
    *info = (gable_workspace_info){.held = ctx->meter.held,
                                   .most_held = ctx->meter.most_held,
                                   .most_taken = ctx->meter.most_taken,
                                   .allocated = gbl_allocations_bytes(ctx)};
    return GABLE_OK;
}

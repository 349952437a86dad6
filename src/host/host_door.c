/* host_door.c: the standard door: routines on operands in host or device memory.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Check, choose a side, run. Rule: no byte of the caller's memory is written before the result
 * exists and the device has said so; after that the call is completed, by the cpu where the device
 * fails. Where that could not be done, because an input is in the device's memory, the result is
 * made in a copy first.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/arguments.h"
#include "core/copy_team.h"
#include "host/host_entry.h"
#include "host/host_door.h"
#include "host/host_model.h"
#include "host/host_panel.h"

#define LEAST_BUDGET   ((size_t)1 << 16)
#define UNKNOWN_MEMORY ((size_t)1 << 30) /* of a device that does not tell */
#define LEAST_LIMIT    10.0              /* seconds */
#define LIMIT_FACTOR   20.0
/* Where the host's own processors are the device, and compile its kernels in the queue: they may be
 * busy with other programs. */
#define SHARED_LIMIT 600.0

/* ---- The door of a context ---- */

static void close_door(gable_context *ctx)
{
    gbl_host_door *door = ctx->host;
    if (door == NULL)
        return;
    if (ctx->device != NULL && !ctx->abandoned)
        gbl_host_leaf_close(door);
    gable_close(door->cpu);
    free(door->shadow);
    free(door);
    ctx->host = NULL;
}

/* "2G", "512M", "100000": bytes; 0 for other texts. */
static size_t read_bytes(const char *text)
{
    char *rest = NULL;
    errno = 0;
    const unsigned long long number = strtoull(text, &rest, 10);
    static const char units[] = "KMGT";
    unsigned shift = 0;
    if (rest == text || errno != 0 || text[0] == '-')
        return 0;
    if (rest[0] != '\0') {
        const char *unit = strchr(units, rest[0]);
        if (unit == NULL || rest[1] != '\0')
            return 0;
        shift = 10 * (unsigned)(unit - units + 1);
    }
    return number > (SIZE_MAX >> shift) ? SIZE_MAX : (size_t)number << shift;
}

static gable_status read_environment(gbl_host_door *door)
{
    gable_context *ctx = door->ctx;
    const char *policy = getenv("GABLE_HOST"), *memory = getenv("GABLE_HOST_MEMORY");
    const size_t all = ctx->device->props.memory_bytes;
    door->may_use_cpu = !ctx->named;
    door->memory_bytes = all > 0 ? all / 2 : UNKNOWN_MEMORY;
    if (policy != NULL && policy[0] != '\0') {
        door->may_use_cpu = strcmp(policy, "auto") == 0;
        if (!door->may_use_cpu && strcmp(policy, "device") != 0)
            return gbl_fail(&ctx->message, GABLE_BAD_ARGUMENT,
                            "GABLE_HOST is \"%.100s\"; it must be auto or device", policy);
    }
    if (memory != NULL && memory[0] != '\0') {
        door->memory_bytes = read_bytes(memory);
        if (door->memory_bytes < LEAST_BUDGET)
            return gbl_fail(&ctx->message, GABLE_BAD_ARGUMENT,
                            "GABLE_HOST_MEMORY is \"%.100s\"; it must be a number of bytes from "
                            "64K on, such as 512M or 2G",
                            memory);
    }
    return GABLE_OK;
}

gable_status gbl_host_open_door(gable_context *ctx)
{
    if (ctx->host != NULL)
        return GABLE_OK;
    gbl_host_door *door = calloc(1, sizeof *door);
    if (door == NULL)
        return gbl_fail(&ctx->message, GABLE_OUT_OF_MEMORY, "no host memory for a call");
    door->ctx = ctx;
    const gable_status status = read_environment(door);
    if (status != GABLE_OK) {
        free(door);
        return status;
    }
    ctx->host = door;
    ctx->host_close = close_door;
    return GABLE_OK;
}

void gbl_host_limit(gbl_host_door *door, double predicted)
{
    const double least = door->ctx->device->props.is_gpu ? LEAST_LIMIT : SHARED_LIMIT,
                 limit = LIMIT_FACTOR * predicted;
    door->up.limit = door->down.limit = door->ctx->limit = limit > least ? limit : least;
}

/* ---- Which side ---- */

/* The cpu is looked at where it may be used. */
static gbl_host_times predict(gbl_host_door *door, const gbl_host_call *host, bool may_use_cpu)
{
    gbl_roofs roofs;
    gbl_roofs_get(door->ctx->device, &roofs);
    gbl_host_times times = {.cpu = HUGE_VAL,
                            .device = gbl_host_device_seconds(host, &roofs, gbl_copy_team_size())};
    if (may_use_cpu && gbl_host_open_cpu(door) == GABLE_OK) {
        gbl_roofs_get(door->cpu->device, &roofs);
        times.cpu = gbl_host_cpu_seconds(host, &roofs);
    }
    return times;
}

/* ---- Copies of the output ---- */

static gbl_host_copy whole_copy(const gbl_host_call *host, int operand)
{
    const gbl_host_block whole = gbl_host_whole(host, operand);
    const size_t elem = gbl_dtype_bytes(host->call.dtype);
    return (gbl_host_copy){.run_bytes = (size_t)whole.rows * elem,
                           .runs = whole.columns,
                           .clip = gbl_host_clip(host, operand, &whole)};
}

/* Moves the output between the caller's memory and its copy, from host to host or through the
 * link. In the device's memory all of it is written: outside of the triangle what was read. */
static gable_status move_output(gbl_host_door *door, const gbl_host_call *host, void *shadow,
                                bool back)
{
    const int output = gbl_host_output(host->kind);
    const size_t pitch = (size_t)gbl_host_ld(host, output) * gbl_dtype_bytes(host->call.dtype);
    gbl_host_copy copy = whole_copy(host, output);
    void *const caller = gbl_host_address(host, output);
    if (host->place[output] != GBL_AT_DEVICE) {
        copy.target = back ? caller : shadow;
        copy.source = back ? shadow : caller;
        copy.target_pitch = back ? pitch : copy.run_bytes;
        copy.source_pitch = back ? copy.run_bytes : pitch;
        if (!(back ? gbl_loan_bind : gbl_loan_begin)(&door->ctx->loan))
            return gbl_fail(&door->ctx->message, GABLE_DEVICE_LOST, "%s", GBL_LOAN_OVER);
        gbl_copy_team_run(&copy);
        gbl_loan_end(&door->ctx->loan);
        return GABLE_OK;
    }
    const gbl_device_table *table = door->ctx->device->table;
    gbl_message *message = &door->ctx->message;
    gbl_stager *stager = back ? &door->up : &door->down;
    const gbl_copy_spec spec = {.direction = back ? GBL_TO_DEVICE : GBL_TO_HOST,
                                .target = back ? caller : shadow,
                                .target_pitch = back ? pitch : copy.run_bytes,
                                .source = back ? shadow : caller,
                                .source_pitch = back ? copy.run_bytes : pitch,
                                .run_bytes = copy.run_bytes,
                                .runs = copy.runs};
    TRY(table->wait(stager->queue, door->ctx->queue, message));
    stager->owns_gaps = false; /* they are the caller's */
    gable_status status = (back ? gbl_stage_set : gbl_stage_get)(stager, &spec, NULL, message);
    stager->owns_gaps = true;
    if (status == GABLE_OK && back)
        status = table->mark_set(door->ends[1], message);
    return status == GABLE_OK && back ? gbl_stage_wait(stager, door->ends[1], message) : status;
}

static gable_status run_shadowed(gbl_host_door *door, const gbl_host_call *host)
{
    const int output = gbl_host_output(host->kind);
    const gbl_host_block whole = gbl_host_whole(host, output);
    const size_t bytes =
        (size_t)whole.rows * (size_t)whole.columns * gbl_dtype_bytes(host->call.dtype);
    const bool reads = output == GBL_HOST_B || !gbl_scalar_zero(&host->call.beta) ||
                       host->place[output] == GBL_AT_DEVICE;
    gbl_host_call there = *host;
    void *shadow = malloc(bytes);
    if (shadow == NULL)
        return gbl_fail(&door->ctx->message, GABLE_OUT_OF_MEMORY,
                        "no %zu bytes of host memory for a copy of the output", bytes);
    gbl_host_put(&there, output, shadow, whole.rows);
    there.place[output] = GBL_AT_HOST;
    door->shadowed = true;
    gable_status status = reads ? move_output(door, host, shadow, false) : GABLE_OK;
    if (status == GABLE_OK)
        status = gbl_host_split_run(door, &there);
    if (status == GABLE_OK)
        status = move_output(door, host, shadow, true);
    free(shadow);
    return status;
}

/* ---- On the device ---- */

static bool is_input_there(const gbl_host_call *host)
{
    const int output = gbl_host_output(host->kind);
    for (int i = 0; i < GBL_HOST_OPERANDS; i++)
        if (i != output && gbl_host_has(host->kind, i) && host->place[i] == GBL_AT_DEVICE)
            return true;
    return false;
}

static gable_status run_once(gbl_host_door *door, const gbl_host_call *host)
{
    TRY(gbl_host_leaf_open(door));
    if (host->place[gbl_host_output(host->kind)] == GBL_AT_DEVICE)
        return gbl_host_leaf_in_place_fits(door, host) ? gbl_host_leaf_in_place(door, host)
                                                       : run_shadowed(door, host);
    return is_input_there(host) ? run_shadowed(door, host) : gbl_host_split_run(door, host);
}

/* Where memory is short less of it is tried. */
static gable_status run_device(gbl_host_door *door, const gbl_host_call *host)
{
    gable_status status;
    door->committed = false;
    door->updates = gbl_host_output(host->kind) == GBL_HOST_B || !gbl_scalar_zero(&host->call.beta);
    door->budget = door->memory_bytes;
    do {
        door->failed = door->shadowed = false;
        status = run_once(door, host);
        door->budget /= 2;
    } while (status == GABLE_OUT_OF_MEMORY && !door->committed && door->budget >= LEAST_BUDGET &&
             !door->ctx->abandoned);
    /* What failed half-way may have left work behind. */
    if (status != GABLE_OK && !door->ctx->abandoned)
        gbl_host_drain(door);
    return status;
}

/* alpha = 0 or no terms: the output is scaled, and the inputs are not read. */
static gable_status run_scaling(gbl_host_door *door, const gbl_host_call *host)
{
    gable_context *ctx = door->ctx;
    const int output = gbl_host_output(host->kind);
    if (host->place[output] != GBL_AT_DEVICE) {
        snprintf(door->last, sizeof door->last, "cpu");
        return gbl_host_run_cpu(door, host);
    }
    gbl_host_call there = *host;
    for (int i = 0; i < GBL_HOST_OPERANDS; i++)
        if (i != output && gbl_host_has(host->kind, i) && host->place[i] != GBL_AT_DEVICE)
            gbl_host_put(&there, i, gbl_host_address(host, output), gbl_host_ld(host, i));
    snprintf(door->last, sizeof door->last, "%s", ctx->device->info.name);
    TRY(gbl_host_leaf_open(door));
    return gbl_host_leaf_in_place(door, &there);
}

/* ---- The way in ---- */

static bool is_scaling(const gbl_host_call *host)
{
    const bool terms = gbl_host_has(host->kind, GBL_HOST_C) && host->kind != GBL_HOST_SYMM;
    return gbl_scalar_zero(&host->call.alpha) || (terms && host->call.k == 0);
}

static gable_status run_chosen(gbl_host_door *door, gbl_host_call *host)
{
    gable_context *ctx = door->ctx;
    bool all_away = true;
    for (int i = 0; i < GBL_HOST_OPERANDS; i++)
        if (gbl_host_has(host->kind, i)) {
            const void *address = gbl_host_address(host, i);
            host->place[i] =
                ctx->abandoned ? GBL_AT_HOST : ctx->device->table->where(ctx->device, address);
            all_away = all_away && host->place[i] != GBL_AT_DEVICE;
        }
    gbl_host_limit(door, 0);
    if (is_scaling(host))
        return run_scaling(door, host);
    const bool may_use_cpu = door->may_use_cpu && all_away;
    const gbl_host_times times = predict(door, host, may_use_cpu);
    gbl_host_limit(door, times.device);
    gable_status status = GABLE_DEVICE_LOST;
    if (!ctx->abandoned && !(may_use_cpu && !gbl_host_pays(&times))) {
        status = run_device(door, host);
        snprintf(door->last, sizeof door->last, "%s%s", ctx->device->info.name,
                 status == GABLE_OK && door->failed ? ", then cpu" : "");
        if (status == GABLE_OK || !may_use_cpu)
            return status;
    }
    snprintf(door->last, sizeof door->last, "cpu");
    return gbl_host_run_cpu(door, host);
}

bool gbl_host_reaches_all(gable_context *ctx)
{
    return !ctx->abandoned && ctx->device->table->where(ctx->device, &ctx) != GBL_AT_HOST;
}

gable_status gbl_host_check(gable_context *ctx, const char *name, const gbl_op *op,
                            const gbl_product_call *call)
{
    ctx->message.routine = name;
    /* A context that gave its device up may go on with the cpu. */
    if (!(ctx->abandoned && ctx->host != NULL && ctx->host->may_use_cpu))
        TRY(gbl_enter(ctx, name));
    TRY(gbl_check_not_recording(ctx, "a call with operands in host memory"));
    ctx->any_memory = true;
    const gable_status status = gbl_arguments_walk(ctx, op, call);
    ctx->any_memory = false;
    return status;
}

gable_status gbl_host_run(gable_context *ctx, const char *name, gbl_host_kind kind,
                          const gbl_product_call *call)
{
    gbl_host_call host = {.kind = kind, .call = *call};
    const gbl_op *op = gbl_host_op(kind);
    if (ctx == NULL)
        return GABLE_BAD_ARGUMENT;
    TRY(gbl_host_check(ctx, name, op, call));
    TRY(gbl_host_open_door(ctx));
    gbl_host_door *door = ctx->host;
    if (gbl_call_empty(op, call) || (op->idle != NULL && op->idle(call)))
        return GABLE_OK;
    door->name = name;
    if (!gbl_loan_start(&ctx->loan))
        return gbl_fail(&ctx->message, GABLE_DEVICE_LOST, "%s", GBL_LOAN_OVER);
    if (!gbl_host_reaches_all(ctx)) {
        const gable_status status = run_chosen(door, &host);
        ctx->limit = 0;
        gbl_loan_bind(&ctx->loan);
        return status;
    }
    /* The routine works on the operands themselves. */
    gbl_loan_bind(&ctx->loan);
    snprintf(door->last, sizeof door->last, "%s", ctx->device->info.name);
    return gbl_host_call_run(ctx, name, &host);
}

const char *gable_last_device(const gable_context *ctx)
{
    return ctx != NULL && ctx->host != NULL ? ctx->host->last : "";
}

int gable_host_recall(gable_context *ctx)
{
    return ctx != NULL && gbl_loan_recall(&ctx->loan);
}

gable_status gable_host_release(gable_context *ctx)
{
    TRY(gbl_enter(ctx, "gable_host_release"));
    TRY(gbl_check_not_recording(ctx, "giving memory back"));
    TRY(gable_sync(ctx));
    if (ctx->host != NULL) {
        free(ctx->host->shadow);
        ctx->host->shadow = NULL;
        ctx->host->shadow_bytes = 0;
    }
    return ctx->host != NULL ? gbl_host_leaf_release(ctx->host) : GABLE_OK;
}

/* ---- Pinned memory ---- */

gable_status gable_host_pin(gable_context *ctx, void *address, size_t bytes)
{
    TRY(gbl_enter(ctx, "gable_host_pin"));
    CHECK_ARG(ctx, address != NULL, 2, "address", "is NULL");
    CHECK_ARG(ctx, bytes > 0, 3, "bytes", "is 0; it must be at least 1");
    const gbl_device_table *table = ctx->device->table;
    return table->pin != NULL ? table->pin(ctx->device, address, bytes, &ctx->message) : GABLE_OK;
}

gable_status gable_host_unpin(gable_context *ctx, void *address)
{
    TRY(gbl_enter(ctx, "gable_host_unpin"));
    CHECK_ARG(ctx, address != NULL, 2, "address", "is NULL");
    const gbl_device_table *table = ctx->device->table;
    return table->unpin != NULL ? table->unpin(ctx->device, address, &ctx->message) : GABLE_OK;
}

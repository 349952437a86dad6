/* profile_cells.c: the cells of a profile: found, named, predicted; the notes of recordings.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "core/call_class.h"
#include "core/context.h"
#include "core/recording.h"
#include "model/profile_cells.h"

#define CHAINS       1024
#define NAMED_PARTS  4 /* of a recording; its name would be longer than the table is wide */
#define FIRST_PARTS  16
#define PREFIX       "gable_"
#define PREFIX_BYTES (sizeof PREFIX - 1)

static gbl_cell *chains[CHAINS];
static gbl_cell *first, **last = &first;

gbl_cell *gbl_cells_first(void)
{
    return first;
}

void gbl_cells_zero(void)
{
    for (gbl_cell *cell = first; cell != NULL; cell = cell->next) {
        cell->calls = cell->failed = cell->untimed = 0;
        cell->bytes = cell->flops = 0;
        cell->host = cell->timed = (gbl_spent){0, 0};
        cell->compiled = 0;
        cell->compile_seconds = 0;
    }
}

static size_t chain_of(const gbl_cell_key *key)
{
    uint64_t hash = (uintptr_t)key->device ^ (uintptr_t)key->op >> 3 ^ (uintptr_t)key->variant >> 2;
    uint32_t flags;
    memcpy(&flags, key->flags, sizeof flags);
    hash = (hash ^ key->key ^ (uint64_t)flags << 24 ^ (uintptr_t)key->routine << 8) *
           0x9e3779b97f4a7c15u;
    return (size_t)(hash >> 32) % CHAINS;
}

static bool same_key(const gbl_cell_key *a, const gbl_cell_key *b)
{
    return a->device == b->device && a->op == b->op && a->variant == b->variant &&
           a->routine == b->routine && a->key == b->key && a->dtype == b->dtype &&
           a->kind == b->kind && memcmp(a->flags, b->flags, sizeof a->flags) == 0;
}

static gbl_cell *find(const gbl_cell_key *key)
{
    for (gbl_cell *cell = chains[chain_of(key)]; cell != NULL; cell = cell->chain)
        if (same_key(&cell->key, key))
            return cell;
    return NULL;
}

/* A new cell, in no chain yet. */
static gbl_cell *make(const gbl_cell_key *key)
{
    gbl_cell *cell = calloc(1, sizeof *cell);
    if (cell == NULL)
        return NULL;
    cell->key = *key;
    cell->on_host = key->device->props.is_host;
    snprintf(cell->device_name, sizeof cell->device_name, "%s", key->device->info.name);
    snprintf(cell->device_title, sizeof cell->device_title, "%s", key->device->info.title);
    *last = cell;
    last = &cell->next;
    return cell;
}

static void put_in_chain(gbl_cell *cell)
{
    gbl_cell **chain = &chains[chain_of(&cell->key)];
    cell->chain = *chain;
    *chain = cell;
}

/* The label, and what lines of the trace start and go on with; the name is there. */
static void write_texts(gbl_cell *cell, const char *category, const char *detail)
{
    char *at = cell->label + snprintf(cell->label, sizeof cell->label, "%s", cell->name);
    for (int i = 0; i < GBL_VIEW_FLAGS && cell->key.flags[i] != '\0'; i++) {
        *at++ = ' ';
        *at++ = cell->key.flags[i];
    }
    *at = '\0';
    snprintf(cell->head, sizeof cell->head,
             "{\"name\":\"%s\",\"cat\":\"%s\",\"ph\":\"X\",\"pid\":%ld,\"tid\":", cell->label,
             category, (long)getpid());
    snprintf(cell->tail, sizeof cell->tail, ",\"args\":{%s\"device\":\"%s\"", detail,
             cell->device_name);
}

/* ---- Calls and events ---- */

gbl_cell *gbl_cell_of_call(gable_context *ctx, const gbl_op *op, const void *call,
                           const gbl_choice *choice, const gbl_call_view *view,
                           const gbl_work *work)
{
    gbl_cell_key key = {.device = ctx->device,
                        .op = op,
                        .variant = choice->variant,
                        .routine = ctx->depth == 0 ? ctx->message.routine : NULL,
                        .key = gbl_call_key(op, call),
                        .dtype = ((const gbl_call *)call)->dtype};
    memcpy(key.flags, view->flags, sizeof key.flags);
    gbl_cell *cell = find(&key);
    if (cell != NULL)
        return cell;
    cell = make(&key);
    if (cell == NULL)
        return NULL;
    if (key.routine != NULL && strncmp(key.routine, PREFIX, PREFIX_BYTES) == 0)
        snprintf(cell->name, sizeof cell->name, "%s", key.routine + PREFIX_BYTES);
    else
        snprintf(cell->name, sizeof cell->name, "%c%s", gbl_dtype_letter(key.dtype), op->stem);
    char detail[192];
    snprintf(detail, sizeof detail, "\"op\":\"%s\",\"prec\":\"%c\",\"variant\":\"%s\",", op->stem,
             gbl_dtype_letter(key.dtype), choice->variant->name);
    write_texts(cell, "op", detail);
    cell->work = *work;
    cell->choice = *choice;
    if (view->call_bytes <= sizeof cell->call) {
        cell->call_bytes = view->call_bytes;
        memcpy(cell->call, call, view->call_bytes);
    }
    put_in_chain(cell);
    return cell;
}

gbl_cell *gbl_cell_of_event(gable_context *ctx, gbl_event_kind kind, double bytes)
{
    static const char *const names[GBL_EVENTS] = {"replay",     "set_vector", "get_vector",
                                                  "copy_bytes", "fill_bytes", ""};
    /* Inside of another call it is none of the caller's. */
    const gbl_cell_key key = {.device = ctx->device,
                              .routine = ctx->depth == 0 ? ctx->message.routine : NULL,
                              .kind = kind};
    gbl_cell *cell = find(&key);
    if (cell != NULL)
        return cell;
    cell = make(&key);
    if (cell == NULL)
        return NULL;
    const bool public = key.routine != NULL && strncmp(key.routine, PREFIX, PREFIX_BYTES) == 0;
    snprintf(cell->name, sizeof cell->name, "%s",
             public ? key.routine + PREFIX_BYTES : names[kind]);
    char detail[64];
    snprintf(detail, sizeof detail, "\"op\":\"%s\",",
             kind == GBL_EVENT_SET   ? "set"
             : kind == GBL_EVENT_GET ? "get"
                                     : names[kind]);
    write_texts(cell, kind == GBL_EVENT_REPLAY ? "replay" : "memory", detail);
    cell->work.bytes_read = bytes;
    put_in_chain(cell);
    return cell;
}

gbl_cell *gbl_cell_of_span(gable_context *ctx, const gbl_span *span)
{
    const gbl_cell_key key = {.device = ctx->device,
                              .routine = span->name,
                              .key = span->class,
                              .dtype = span->dtype,
                              .kind = span->kind};
    gbl_cell *cell = find(&key);
    if (cell != NULL)
        return cell;
    cell = make(&key);
    if (cell == NULL)
        return NULL;
    const bool public = strncmp(span->name, PREFIX, PREFIX_BYTES) == 0;
    const char letter[2] = {span->typed ? gbl_dtype_letter(span->dtype) : '\0', '\0'};
    snprintf(cell->name, sizeof cell->name, "%s%.100s", letter,
             public ? span->name + PREFIX_BYTES : span->name);
    write_texts(cell,
                span->kind == GBL_EVENT_WORK   ? "work"
                : span->kind == GBL_EVENT_WAIT ? "wait"
                                               : "program",
                "");
    put_in_chain(cell);
    return cell;
}

/* ---- Recordings ---- */

void gbl_note_call(gable_recording *recording, gbl_cell *cell, const gbl_work *work)
{
    gbl_note *note = recording->note;
    const double bytes = work->bytes_read + work->bytes_written;
    if (cell == NULL)
        return;
    for (int i = 0; note != NULL && i < note->count; i++) {
        gbl_triangle_c *part = &note->parts[i];
        if (part->cell == cell) {
            part->calls++;
            part->bytes += bytes;
            part->flops += work->flops;
            return;
        }
    }
    if (note == NULL || note->count == note->capacity) {
        const int capacity = note == NULL ? FIRST_PARTS : 2 * note->capacity;
        gbl_note *grown = realloc(note, sizeof *grown + (size_t)capacity * sizeof *grown->parts);
        if (grown == NULL)
            return;
        if (note == NULL) {
            grown->replay = NULL;
            grown->count = 0;
        }
        grown->capacity = capacity;
        recording->note = note = grown;
    }
    note->parts[note->count++] = (gbl_triangle_c){cell, 1, bytes, work->flops};
}

/* "replay(dgemv, daxpy x2)": names in the order of their first call. */
static void write_replay_name(gbl_cell *cell)
{
    char *text = cell->name;
    const size_t room = sizeof cell->name;
    size_t used = (size_t)snprintf(text, room, "replay(");
    int named = 0;
    for (int i = 0; i < cell->part_count; i++) {
        const char *name = cell->parts[i].cell->name;
        int64_t calls = 0;
        int before = 0; /* parts of the same name, in other sizes or with other flags */
        for (int j = 0; j < cell->part_count; j++) {
            const bool same = strcmp(cell->parts[j].cell->name, name) == 0;
            before += same && j < i;
            calls += same ? cell->parts[j].calls : 0;
        }
        if (before > 0)
            continue;
        const bool more = named == NAMED_PARTS;
        if (!more && calls > 1)
            used += (size_t)snprintf(text + used, room - used, "%s%.24s x%lld", named ? ", " : "",
                                     name, (long long)calls);
        else
            used += (size_t)snprintf(text + used, room - used, "%s%.24s", named ? ", " : "",
                                     more ? "..." : name);
        if (more)
            break;
        named++;
    }
    snprintf(text + used, room - used, ")");
}

static bool same_parts(const gbl_cell *cell, const gbl_note *note)
{
    if (cell->part_count != note->count)
        return false;
    for (int i = 0; i < note->count; i++) {
        const gbl_triangle_c *a = &cell->parts[i], *b = &note->parts[i];
        if (a->cell != b->cell || a->calls != b->calls || a->bytes != b->bytes ||
            a->flops != b->flops)
            return false;
    }
    return true;
}

gbl_cell *gbl_cell_of_replay(gable_context *ctx, gable_recording *recording)
{
    gbl_note *note = recording->note;
    if (note == NULL || note->count == 0) /* made before the profile, or empty */
        return gbl_cell_of_event(ctx, GBL_EVENT_REPLAY, 0);
    if (note->replay != NULL)
        return note->replay;
    for (gbl_cell *cell = first; cell != NULL; cell = cell->next)
        if (cell->parts != NULL && cell->key.device == ctx->device && same_parts(cell, note))
            return note->replay = cell;

    gbl_triangle_c *parts = malloc((size_t)note->count * sizeof *parts);
    const gbl_cell_key key = {.device = ctx->device, .kind = GBL_EVENT_REPLAY};
    gbl_cell *cell = parts != NULL ? make(&key) : NULL;
    if (cell == NULL) {
        free(parts);
        return NULL;
    }
    memcpy(parts, note->parts, (size_t)note->count * sizeof *parts);
    cell->parts = parts;
    cell->part_count = note->count;
    for (int i = 0; i < note->count; i++) {
        cell->work.bytes_read += parts[i].bytes;
        cell->work.flops += parts[i].flops;
    }
    write_replay_name(cell);
    write_texts(cell, "replay", "\"op\":\"replay\",");
    return note->replay = cell;
}

/* ---- The model ---- */

/* A copy, a fill or a transfer: what its bytes take on the way they go. */
static void predict_event(gbl_cell *cell, const gbl_roofs *roofs)
{
    const gbl_event_kind kind = cell->key.kind;
    const double bytes = cell->work.bytes_read + cell->work.bytes_written;
    const double link = kind == GBL_EVENT_SET   ? roofs->link_to_device
                        : kind == GBL_EVENT_GET ? roofs->link_to_host
                                                : 0;
    double term[GBL_LIMITERS] = {0};
    if (link > 0) {
        term[GBL_LIMIT_LINK] = bytes / link;
        term[GBL_LIMIT_LATENCY] = roofs->link_latency;
        cell->roof_seconds = term[GBL_LIMIT_LINK];
    } else {
        /* set and get on the host read and write what they count once */
        const bool twice = kind == GBL_EVENT_SET || kind == GBL_EVENT_GET;
        const double moved = twice ? 2 * bytes : bytes;
        const double memory = kind == GBL_EVENT_FILL ? roofs->write : roofs->copy;
        const bool cached = moved <= roofs->cache_bytes && roofs->cache > memory;
        const double rate = cached ? roofs->cache : memory;
        cell->roof_seconds = rate > 0 ? moved / rate : 0;
        term[cached ? GBL_LIMIT_CACHE : GBL_LIMIT_MEMORY] = cell->roof_seconds;
    }
    memcpy(cell->term[0], term, sizeof term);
    memcpy(cell->term[1], term, sizeof term);
}

/* Work that is no op: its bytes at the rate of a copy, from the cache where one pass fits it. */
static void predict_span(gbl_cell *cell, const gbl_roofs *roofs)
{
    const double bytes = cell->work.bytes_read;
    const bool cached = cell->walked <= roofs->cache_bytes && roofs->cache > roofs->copy;
    const bool link = cell->link && roofs->link_to_device > 0;
    const double rate = link ? roofs->link_to_device : cached ? roofs->cache : roofs->copy;
    cell->roof_seconds = rate > 0 ? bytes / rate : 0;
    for (int i = 0; i < 2; i++)
        cell->term[i][link     ? GBL_LIMIT_LINK
                      : cached ? GBL_LIMIT_CACHE
                               : GBL_LIMIT_MEMORY] = cell->roof_seconds;
}

static bool is_span(const gbl_cell *cell)
{
    return cell->key.op == NULL &&
           (cell->key.kind == GBL_EVENT_WORK || cell->key.kind == GBL_EVENT_WAIT ||
            cell->key.kind == GBL_EVENT_USER);
}

static void predict(gbl_cell *cell, const gbl_roofs *roofs)
{
    cell->roofs = roofs->source;
    if (is_span(cell)) {
        predict_span(cell, roofs);
        return;
    }
    if (cell->key.op == NULL) {
        if (cell->key.kind != GBL_EVENT_REPLAY)
            predict_event(cell, roofs);
        return;
    }
    if (cell->call_bytes == 0 || cell->choice.variant->cost == NULL)
        return;
    for (int i = 0; i < 2; i++) {
        /* What fits the cache may be in it: the roof is what the device could do at best. */
        const gbl_situation situation = {.replayed = i == 1, .hot = true};
        gbl_prediction p;
        gbl_predict_call(cell->key.device, cell->key.op, cell->call, &cell->choice, roofs,
                         &situation, &p);
        memcpy(cell->term[i], p.term, sizeof p.term);
        double slowest = p.memory_seconds;
        slowest = p.cache_seconds > slowest ? p.cache_seconds : slowest;
        slowest = p.arithmetic_seconds > slowest ? p.arithmetic_seconds : slowest;
        slowest = p.matrix_seconds > slowest ? p.matrix_seconds : slowest;
        cell->roof_seconds = slowest;
    }
}

void gbl_cells_predict(const gbl_device *device)
{
    for (gbl_cell *cell = first; cell != NULL; cell = cell->next) {
        if (cell->predicted || (device != NULL && cell->key.device != device))
            continue;
        if (is_span(cell) && cell->calls == 0) /* its work is known when one has ended */
            continue;
        gbl_roofs roofs;
        gbl_roofs_get(cell->key.device, &roofs);
        predict(cell, &roofs);
        cell->predicted = true;
    }
}

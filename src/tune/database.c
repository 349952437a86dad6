/* database.c: what the tuning database answers, and new entries.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "core/data_folder.h"
#include "core/key.h"
#include "model/roofs.h"
#include "tune/database_private.h"
#include "tune/space.h"
#include "tune/tune_line.h"

const char *gbl_match_name(gbl_match match)
{
    static const char *const names[] = {"none", "model", "built-in", "near size", "exact"};
    return names[match];
}

/* ---- Answers ---- */

static void fill_entry(const gbl_stored *kept, gbl_entry *entry)
{
    memset(entry, 0, sizeof *entry);
    snprintf(entry->op, sizeof entry->op, "%s", kept->op->stem);
    snprintf(entry->variant, sizeof entry->variant, "%s", kept->variant->name);
    snprintf(entry->device, sizeof entry->device, "%s", kept->device);
    snprintf(entry->version, sizeof entry->version, "%s", kept->version);
    memcpy(entry->kernel, kept->kernel, sizeof entry->kernel);
    memcpy(entry->date, kept->date, sizeof entry->date);
    entry->dtype = gbl_key_dtype(kept->key);
    entry->key = kept->key;
    entry->params = kept->params;
    entry->param_count = kept->variant->space_count;
    entry->usec = kept->usec;
    entry->spread = kept->spread;
    entry->error = kept->error;
    entry->runs = kept->runs;
    entry->winner = kept->winner;
}

static bool current(const gbl_stored *kept)
{
    char hash[20];
    gbl_variant_hash(kept->variant, hash);
    return strcmp(hash, kept->kernel) == 0;
}

/* One question: of all that could answer it, the best so far. */
typedef struct question {
    const gbl_device *device;
    const gbl_op *op;
    const gbl_variant *variant; /* NULL: any that may run by default */
    const void *call;
    uint64_t key;
    const char *device_class;
    const gbl_stored *best;
    int best_distance, best_file;
} question;

/* Whether an entry beats the best: nearer; of a higher file; of two buckets that are equally near the larger;
 * in one bucket the last winner, else the fastest. */
static bool better(const question *ask, const gbl_stored *kept, int distance, int file)
{
    const gbl_stored *best = ask->best;
    if (best == NULL || distance != ask->best_distance)
        return best == NULL || distance < ask->best_distance;
    if (file != ask->best_file)
        return file < ask->best_file;
    if (kept->key != best->key)
        return kept->key > best->key;
    if (kept->winner || best->winner)
        return kept->winner;
    return kept->usec < best->usec;
}

/* Whether it may answer at all: asked last, as it costs most. */
static bool may_answer(const question *ask, const gbl_stored *kept)
{
    const gbl_variant *variant = kept->variant;
    const gbl_choice choice = {.variant = variant, .params = kept->params};
    uint64_t plan;
    if (ask->variant != NULL ? variant != ask->variant : !variant->deterministic || variant->vendor)
        return false;
    return kept->error <= 1 && current(kept) && variant->fits(variant, ask->call, ask->device) &&
           gbl_space_legal(ask->op, &choice, ask->call, ask->device, &plan);
}

static void search(question *ask)
{
    int file_count;
    const gbl_tune_file *files = gbl_tune_files(ask->op, &file_count);
    const int index = gbl_op_index(ask->op);
    for (int f = 0; f < file_count && index != GBL_NOWHERE; f++) {
        for (int64_t at = files[f].first[index]; at != GBL_NOWHERE;
             at = files[f].entries[at].next) {
            const gbl_stored *kept = &files[f].entries[at];
            const int distance = gbl_key_distance(kept->key, ask->key);
            if (distance >= 0 && distance <= GBL_NEAR_DISTANCE &&
                strcmp(kept->device, ask->device_class) == 0 && better(ask, kept, distance, f) &&
                may_answer(ask, kept)) {
                ask->best = kept;
                ask->best_distance = distance;
                ask->best_file = f;
            }
        }
    }
}

static bool turned_off(void)
{
    const char *word = getenv("GABLE_TUNING");
    return word != NULL && strcmp(word, "off") == 0;
}

gbl_match gbl_database_find_entry(const gbl_device *device, const gbl_op *op,
                                  const gbl_variant *variant, const void *call, gbl_choice *choice,
                                  gbl_entry *entry)
{
    char device_class[128];
    if (turned_off())
        return GBL_MATCH_NONE;
    gbl_device_class(device, device_class, sizeof device_class);
    question ask = {.device = device,
                    .op = op,
                    .variant = variant,
                    .call = call,
                    .key = op->key(call) & GBL_KEY_KEPT_BITS,
                    .device_class = device_class};
    gbl_database_lock();
    search(&ask);
    if (ask.best != NULL) {
        choice->variant = ask.best->variant;
        choice->params = ask.best->params;
        if (entry != NULL)
            fill_entry(ask.best, entry);
    }
    gbl_database_unlock();
    if (ask.best == NULL)
        return GBL_MATCH_NONE;
    return ask.best_distance == 0 ? GBL_MATCH_EXACT : GBL_MATCH_NEAR_SIZE;
}

gbl_match gbl_database_find(const gbl_device *device, const gbl_op *op, const gbl_variant *variant,
                            const void *call, gbl_choice *choice)
{
    return gbl_database_find_entry(device, op, variant, call, choice, NULL);
}

void gbl_database_visit(const gbl_op *op, const gbl_device *device,
                        bool (*visit)(void *user, const gbl_entry *entry), void *user)
{
    char device_class[128] = "";
    bool more = true;
    if (device != NULL)
        gbl_device_class(device, device_class, sizeof device_class);
    gbl_database_lock();
    int file_count;
    const gbl_tune_file *files = gbl_tune_files(op, &file_count);
    for (int f = file_count - 1; f >= 0 && more; f--) {
        for (int64_t at = 0; at < files[f].count && more; at++) {
            const gbl_stored *kept = &files[f].entries[at];
            gbl_entry entry;
            if ((op != NULL && kept->op != op) ||
                (device != NULL && strcmp(kept->device, device_class) != 0))
                continue;
            fill_entry(kept, &entry);
            more = visit(user, &entry);
        }
    }
    gbl_database_unlock();
}

/* Whether the file, or where there is none the nearest folder above it, can be written. */
static bool can_write(const char *path)
{
    char folder[1024];
    snprintf(folder, sizeof folder, "%s", path);
    for (;;) {
        if (access(folder, F_OK) == 0)
            return access(folder, W_OK) == 0;
        char *slash = strrchr(folder, '/');
        if (slash == NULL || slash == folder)
            return false;
        *slash = '\0';
    }
}

void gbl_database_describe(gbl_database_state *state)
{
    memset(state, 0, sizeof *state);
    state->off = turned_off();
    gbl_database_lock();
    int file_count;
    const gbl_tune_file *files = gbl_tune_files(NULL, &file_count);
    const bool own_known = files[0].path[0] != '\0';
    for (int f = 0; f < file_count; f++) {
        const gbl_tune_file *file = &files[f];
        state->files += file->readable;
        state->entries += file->count;
        state->foreign_entries += f > 0 ? file->count : 0;
        state->bad_lines += file->bad + file->bad_tail;
        state->unknown += file->unknown;
        for (int64_t i = 0; i < file->count; i++)
            state->old_entries += !current(&file->entries[i]);
    }
    if (own_known)
        snprintf(state->path, sizeof state->path, "%s", files[0].path);
    state->readable = own_known && files[0].readable;
    /* A folder in the file's place is writable, but no file. */
    state->writable =
        own_known && (files[0].readable || !files[0].exists) && can_write(state->path);
    gbl_database_unlock();
}

/* ---- New entries ---- */

void gbl_entry_make(const gbl_device *device, const gbl_op *op, const gbl_choice *choice,
                    const void *call, gbl_entry *entry)
{
    const time_t now = time(NULL);
    struct tm utc;
    memset(entry, 0, sizeof *entry);
    snprintf(entry->op, sizeof entry->op, "%s", op->stem);
    snprintf(entry->variant, sizeof entry->variant, "%s", choice->variant->name);
    gbl_device_class(device, entry->device, sizeof entry->device);
    gbl_variant_hash(choice->variant, entry->kernel);
    entry->key = op->key(call) & GBL_KEY_KEPT_BITS;
    entry->dtype = gbl_key_dtype(entry->key);
    entry->params = choice->params;
    entry->param_count = choice->variant->space_count;
    if (gmtime_r(&now, &utc) != NULL)
        strftime(entry->date, sizeof entry->date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    snprintf(entry->version, sizeof entry->version, "gable %s %.*s", gable_version(), 64,
             device->props.build_key);
}

gable_status gbl_database_add(const gbl_entry *entries, int count, gbl_message *message)
{
    char path[1024];
    if (!gbl_data_path("tuning.jsonl", path, sizeof path))
        return gbl_fail(message, GABLE_NOT_SUPPORTED,
                        "there is no folder for measurements; set XDG_DATA_HOME or HOME");
    char *lines = malloc((size_t)count * GBL_TUNE_LINE_BYTES + 1);
    if (lines == NULL)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory for %d measurements", count);
    gable_status status = GABLE_OK;
    char *end = lines;
    *end = '\0';
    for (int i = 0; i < count && status == GABLE_OK; i++) {
        if (gbl_tune_line_write(&entries[i], end))
            end += strlen(end);
        else
            status = gbl_fail(message, GABLE_INTERNAL,
                              "a measurement of %s=%s cannot be written as a line", entries[i].op,
                              entries[i].variant);
    }
    if (status == GABLE_OK)
        status = gbl_database_append(path, lines, message);
    free(lines);
    return status;
}

gable_status gbl_database_append(const char *path, const char *lines, gbl_message *message)
{
    gbl_database_lock();
    errno = 0;
    const bool wrote = gbl_data_append(path, lines);
    const int error = errno;
    gbl_database_unlock();
    if (wrote)
        return GABLE_OK;
    return gbl_fail(message, GABLE_NOT_SUPPORTED,
                    "%s cannot be written%s%s; mend that or set XDG_DATA_HOME to another folder",
                    path, error != 0 ? ": " : "", error != 0 ? strerror(error) : "");
}

/* database.c: what the tuning database answers, and new entries.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "core/call_class.h"
#include "core/data_folder.h"
#include "core/key.h"
#include "model/roofs.h"
#include "tune/snapshot.h"
#include "tune/space.h"
#include "tune/tune_line.h"

const char *gbl_match_name(gbl_match match)
{
    static const char *const names[] = {"none", "model", "built-in", "near size", "exact"};
    return names[match];
}

/* ---- Answers ---- */

/* Whether an entry may answer: asked last, as it costs most. */
static bool may_answer(const gbl_device *device, const gbl_question *question,
                       const gbl_stored *stored)
{
    const gbl_class *of = &question->of;
    const gbl_choice choice = {.variant = stored->variant, .params = stored->params};
    uint64_t plan;
    if (of->forced != NULL ? stored->variant != of->forced
                           : !(of->fitting >> (stored->variant - of->op->variants) & 1))
        return false;
    return gbl_space_legal(&choice, question->call, device, &plan);
}

/* Of two keys the nearer one counts; of two that are equally near that of a higher file, then the
 * larger. */
gbl_match gbl_database_answer(gbl_snapshot *snapshot, const gbl_device *device,
                              const gbl_question *question, gbl_choice *choice, gbl_entry *entry)
{
    int64_t count;
    const gbl_stored_key *keys = gbl_snapshot_op(snapshot, question->of.op, &count);
    const gbl_stored *best = NULL;
    int best_distance = GBL_NEAR_DISTANCE;
    for (int64_t k = 0; k < count; k++) {
        const int distance = gbl_key_distance(keys[k].key, question->of.key);
        if (distance < 0 || distance > best_distance)
            continue;
        int64_t i = 0;
        while (i < keys[k].count && !may_answer(device, question, &keys[k].entries[i]))
            i++;
        if (i == keys[k].count ||
            (best != NULL && distance == best_distance && keys[k].entries[i].file > best->file))
            continue;
        best = &keys[k].entries[i];
        best_distance = distance;
    }
    if (best == NULL)
        return GBL_MATCH_NONE;
    choice->variant = best->variant;
    choice->params = best->params;
    if (entry != NULL)
        gbl_snapshot_entry(snapshot, best, entry);
    return best_distance == 0 ? GBL_MATCH_EXACT : GBL_MATCH_NEAR_SIZE;
}

gbl_match gbl_database_find_entry(const gbl_device *device, const gbl_op *op,
                                  const gbl_variant *variant, const void *call, gbl_choice *choice,
                                  gbl_entry *entry)
{
    gbl_question question;
    gbl_snapshot *snapshot = gbl_snapshot_take(device);
    if (snapshot == NULL)
        return GBL_MATCH_NONE;
    gbl_question_make(device, op, call, variant, &question);
    const gbl_match match = gbl_database_answer(snapshot, device, &question, choice, entry);
    gbl_snapshot_drop(snapshot);
    return match;
}

gbl_match gbl_database_find(const gbl_device *device, const gbl_op *op, const gbl_variant *variant,
                            const void *call, gbl_choice *choice)
{
    return gbl_database_find_entry(device, op, variant, call, choice, NULL);
}

/* ---- All of it ---- */

typedef struct walk {
    const gbl_op *op; /* NULL: all */
    char device_class[128];
    bool (*visit)(void *user, const gbl_entry *entry);
    void *user;
    bool stopped;
    int64_t entries, old, bad, unknown;
} walk;

static bool take_line(void *user, const char *line, bool ended)
{
    walk *all = user;
    const gbl_op *op;
    const gbl_variant *variant;
    gbl_entry entry;
    (void)ended;
    switch (line != NULL ? gbl_tune_line_read(line, &entry, &op, &variant) : GBL_LINE_BAD) {
    case GBL_LINE_BAD:
        all->bad++;
        return true;
    case GBL_LINE_UNKNOWN:
        all->unknown++;
        return true;
    default:
        break;
    }
    all->entries++;
    all->old += !gbl_entry_current(&entry);
    if (all->visit != NULL && (all->op == NULL || op == all->op) &&
        (all->device_class[0] == '\0' || strcmp(entry.device, all->device_class) == 0))
        all->stopped = !all->visit(all->user, &entry);
    return !all->stopped;
}

void gbl_database_visit(const gbl_op *op, const gbl_device *device,
                        bool (*visit)(void *user, const gbl_entry *entry), void *user)
{
    walk all = {.op = op, .visit = visit, .user = user};
    gbl_snapshot *snapshot = gbl_snapshot_take(device);
    int files = 0;
    if (snapshot == NULL)
        return;
    if (device != NULL)
        gbl_device_class(device, all.device_class, sizeof all.device_class);
    while (gbl_snapshot_file(snapshot, files) != NULL)
        files++;
    for (int f = files - 1; f >= 0 && !all.stopped; f--) {
        const gbl_tune_text *file = gbl_snapshot_file(snapshot, f);
        if (file->text != NULL)
            gbl_text_walk(file->text, file->bytes, take_line, &all);
    }
    gbl_snapshot_drop(snapshot);
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
    const char *word = getenv("GABLE_TUNING");
    state->off = word != NULL && strcmp(word, "off") == 0;
    gbl_snapshot *snapshot = gbl_snapshot_take(NULL);
    const gbl_tune_text *file;
    for (int f = 0; snapshot != NULL && (file = gbl_snapshot_file(snapshot, f)) != NULL; f++) {
        walk all = {.op = NULL};
        if (file->text != NULL)
            gbl_text_walk(file->text, file->bytes, take_line, &all);
        state->files += file->text != NULL;
        state->entries += all.entries;
        state->foreign_entries += f > 0 ? all.entries : 0;
        state->old_entries += all.old;
        state->bad_lines += all.bad;
        state->unknown += all.unknown;
        if (f > 0 || file->path[0] == '\0')
            continue;
        snprintf(state->path, sizeof state->path, "%s", file->path);
        state->readable = file->text != NULL;
        /* A folder in the file's place is writable, but no file. */
        state->writable = (state->readable || !file->exists) && can_write(state->path);
    }
    if (snapshot != NULL)
        gbl_snapshot_drop(snapshot);
}

void gbl_database_reset(void)
{
    gbl_snapshot_reset();
    gbl_variant_hash_reset();
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
    entry->key = gbl_call_key(op, call);
    entry->from = entry->upto = entry->trans = entry->aligned = -1;
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
                    "%s cannot be written%s%s; fix that or set XDG_DATA_HOME to another folder",
                    path, error != 0 ? ": " : "", error != 0 ? strerror(error) : "");
}

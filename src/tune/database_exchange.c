/* database_exchange.c: measurements from other files, and to them.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Lines travel as they are. Those that a file holds already are known by a 64-bit hash of their
 * text.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "core/data_folder.h"
#include "core/draft_file.h"
#include "model/roofs.h"
#include "tune/snapshot.h"
#include "tune/tune_line.h"

typedef struct exchange {
    bool no_memory;
    uint64_t *hashes; /* of lines, sorted up to `sorted` */
    size_t count, room, sorted;
    char *lines; /* to be written */
    size_t used, lines_room;
    const char *device_class; /* "": all */
    int64_t taken, bad;
} exchange;

static void grow(exchange *all, void **memory, size_t *room, size_t needed, size_t each)
{
    if (needed <= *room)
        return;
    void *grown = realloc(*memory, 2 * needed * each);
    if (grown == NULL) {
        all->no_memory = true;
        return;
    }
    *memory = grown;
    *room = 2 * needed;
}

static uint64_t hash_of(const char *line)
{
    uint64_t h = 0xcbf29ce484222325u; /* FNV-1a */
    for (; *line != '\0'; line++)
        h = (h ^ (unsigned char)*line) * 0x100000001b3u;
    return h;
}

static int compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void remember(exchange *all, const char *line)
{
    void *memory = all->hashes;
    grow(all, &memory, &all->room, all->count + 1, sizeof *all->hashes);
    all->hashes = memory;
    if (!all->no_memory)
        all->hashes[all->count++] = hash_of(line);
}

/* The new ones of this walk stand unsorted behind the others; they are few or, in a first import,
 * all different, so they are sorted in when they have doubled. */
static bool holds(exchange *all, const char *line)
{
    const uint64_t hash = hash_of(line);
    if (all->count >= 2 * all->sorted + 64) {
        qsort(all->hashes, all->count, sizeof hash, compare);
        all->sorted = all->count;
    }
    for (size_t i = all->sorted; i < all->count; i++)
        if (all->hashes[i] == hash)
            return true;
    return all->sorted > 0 &&
           bsearch(&hash, all->hashes, all->sorted, sizeof hash, compare) != NULL;
}

/* Lines of the user's own file, to know them again. */
static bool take_own(void *user, const char *line, bool ended)
{
    exchange *all = user;
    (void)ended;
    if (line != NULL)
        remember(all, line);
    return true;
}

static void append_line(exchange *all, const char *line)
{
    const size_t length = strlen(line);
    void *memory = all->lines;
    grow(all, &memory, &all->lines_room, all->used + length + 2, 1);
    all->lines = memory;
    if (all->no_memory)
        return;
    memcpy(all->lines + all->used, line, length);
    memcpy(all->lines + all->used + length, "\n", 2);
    all->used += length + 1;
    all->taken++;
}

/* Lines of the file that is imported or exported. */
static bool take_foreign(void *user, const char *line, bool ended)
{
    exchange *all = user;
    const gbl_op *op;
    const gbl_variant *variant;
    gbl_entry entry;
    (void)ended;
    if (line == NULL || gbl_tune_line_read(line, &entry, &op, &variant) == GBL_LINE_BAD) {
        all->bad++;
        return true;
    }
    if ((all->device_class[0] == '\0' || strcmp(entry.device, all->device_class) == 0) &&
        !holds(all, line)) {
        append_line(all, line);
        remember(all, line);
    }
    return true;
}

/* Gives the lines of a file to a function; false: it cannot be read. */
static bool walk(const char *path, bool (*take)(void *user, const char *line, bool ended),
                 exchange *all)
{
    size_t bytes;
    bool exists;
    char *text = gbl_text_read(path, &bytes, &exists);
    if (text == NULL)
        return false;
    gbl_text_walk(text, bytes, take, all);
    free(text);
    return true;
}

gable_status gbl_database_import(const char *path, int64_t *lines, int64_t *bad,
                                 gbl_message *message)
{
    exchange all = {.device_class = ""};
    char own[1024];
    gable_status status = GABLE_OK;
    *lines = *bad = 0;
    if (!gbl_data_path("tuning.jsonl", own, sizeof own))
        return gbl_fail(message, GABLE_NOT_SUPPORTED,
                        "there is no folder for measurements; set XDG_DATA_HOME or HOME");
    gbl_database_lock();
    walk(own, take_own, &all);
    const bool read = walk(path, take_foreign, &all);
    gbl_database_unlock();
    if (!read)
        status = gbl_fail(message, GABLE_BAD_ARGUMENT, "%s is no file that can be read", path);
    else if (all.no_memory)
        status = gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory for the lines of %s", path);
    else if (all.taken > 0)
        status = gbl_database_append(own, all.lines, message);
    if (status == GABLE_OK) {
        *lines = all.taken;
        *bad = all.bad;
    }
    free(all.hashes);
    free(all.lines);
    return status;
}

static bool same_file(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static gable_status write_lines(const char *path, const exchange *all, gbl_message *message)
{
    gbl_draft draft;
    if (!gbl_draft_open(&draft, path))
        return gbl_fail(message, GABLE_BAD_ARGUMENT, "%s cannot be written: %s", path,
                        strerror(errno));
    for (size_t done = 0; done < all->used;) {
        const ssize_t wrote = write(draft.file, all->lines + done, all->used - done);
        if (wrote >= 0) {
            done += (size_t)wrote;
        } else if (errno != EINTR) {
            const int error = errno;
            gbl_draft_drop(&draft);
            errno = error;
            break;
        }
    }
    if (draft.file < 0 || !gbl_draft_keep(&draft))
        return gbl_fail(message, GABLE_BAD_ARGUMENT, "writing %s failed: %s", path,
                        strerror(errno));
    return GABLE_OK;
}

gable_status gbl_database_export(const char *path, const gbl_device *device, int64_t *lines,
                                 gbl_message *message)
{
    char own[1024], device_class[128] = "";
    exchange all = {.device_class = device_class};
    gable_status status = GABLE_OK;
    *lines = 0;
    if (device != NULL)
        gbl_device_class(device, device_class, sizeof device_class);
    if (gbl_data_path("tuning.jsonl", own, sizeof own)) {
        if (same_file(own, path))
            return gbl_fail(message, GABLE_BAD_ARGUMENT,
                            "%s is the database itself; name another file", path);
        gbl_database_lock();
        walk(own, take_foreign, &all);
        gbl_database_unlock();
    }
    if (all.no_memory)
        status = gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory for the lines of %s", own);
    else
        status = write_lines(path, &all, message);
    if (status == GABLE_OK)
        *lines = all.taken;
    free(all.hashes);
    free(all.lines);
    return status;
}

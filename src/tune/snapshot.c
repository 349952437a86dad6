/* snapshot.c: the tuning database as it was at one time.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Files are read whole: writers append whole lines, so a reader needs no lock of the file, and a
 * line without its end is damage or still growing. One pass notes where the lines of each op stand;
 * they are read when the op is first asked for, and of them only those are kept that can answer on
 * the device, sorted so that an answer is found by looking at few. The newest snapshot stays in
 * memory, for the next context.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "core/data_folder.h"
#include "core/trust.h"
#include "device/environment.h"
#include "device/fork_guard.h"
#include "model/roofs.h"
#include "tune/snapshot.h"
#include "tune/tune_line.h"

#define MAX_FILES 8 /* the user's own and seven of $XDG_DATA_DIRS */

/* How a file looked from outside: unchanged, it need not be read again. */
typedef struct file_stat {
    int64_t device, node, size, seconds, nanoseconds;
} file_stat;

/* Where the lines of an op stand in a file. */
typedef struct line_list {
    size_t *at;
    int64_t count, room;
} line_list;

/* What an op has to say. */
typedef struct op_part {
    bool read;
    gbl_stored *entries;
    int64_t count, room;
    gbl_stored_key *keys;
    int64_t key_count;
} op_part;

struct gbl_snapshot {
    int users;
    char device_class[128];
    bool off; /* GABLE_TUNING=off */
    const gbl_op *const *ops;
    int op_count, file_count;
    gbl_tune_text files[MAX_FILES];
    file_stat stats[MAX_FILES];
    bool indexed;
    line_list *lines; /* of file f and op i: f * op_count + i */
    op_part *parts;   /* of each op */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
GBL_FORK_GUARD(.lock = &lock)
static gbl_snapshot *newest;

void gbl_database_lock(void)
{
    pthread_mutex_lock(&lock);
}

void gbl_database_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

/* ---- Texts ---- */

static file_stat stat_of(const struct stat *found)
{
    return (file_stat){.device = (int64_t)found->st_dev,
                       .node = (int64_t)found->st_ino,
                       .size = (int64_t)found->st_size,
                       .seconds = (int64_t)found->st_mtim.tv_sec,
                       .nanoseconds = (int64_t)found->st_mtim.tv_nsec};
}

static ssize_t read_some(int file, char *buffer, size_t bytes)
{
    ssize_t got;
    do {
        got = read(file, buffer, bytes);
    } while (got < 0 && errno == EINTR);
    return got;
}

/* Reads from a file until its end: it may have grown since its size was read. */
static char *read_all(int file, size_t expected, size_t *bytes)
{
    size_t room = expected + 1, used = 0;
    char *text = malloc(room + 1);
    while (text != NULL) {
        const ssize_t got = read_some(file, text + used, room - used);
        if (got <= 0)
            break;
        used += (size_t)got;
        if (used < room)
            continue;
        room *= 2;
        char *grown = realloc(text, room + 1);
        if (grown == NULL)
            free(text);
        text = grown;
    }
    if (text != NULL)
        text[used] = '\0';
    *bytes = used;
    return text;
}

/* The text of a file and how it looked; NULL where it is no file that can be read. A pipe in its
 * place must not make us wait for its writer. */
static char *read_file(const char *path, size_t *bytes, bool *exists, file_stat *looks)
{
    struct stat found;
    *bytes = 0;
    memset(looks, 0, sizeof *looks);
    *exists = stat(path, &found) == 0;
    if (!*exists || !S_ISREG(found.st_mode))
        return NULL;
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return NULL;
    char *text = NULL;
    if (fstat(file, &found) == 0 && S_ISREG(found.st_mode)) {
        *looks = stat_of(&found);
        text = read_all(file, (size_t)found.st_size, bytes);
    }
    close(file);
    return text;
}

char *gbl_text_read(const char *path, size_t *bytes, bool *exists)
{
    file_stat looks;
    return read_file(path, bytes, exists, &looks);
}

static bool is_blank(const char *line, size_t length)
{
    size_t at = 0;
    while (at < length && (line[at] == ' ' || line[at] == '\t' || line[at] == '\r'))
        at++;
    return at == length;
}

void gbl_text_walk(const char *text, size_t bytes,
                   bool (*take)(void *user, const char *line, bool ended), void *user)
{
    char line[GBL_FILE_LINE_BYTES];
    bool more = true;
    for (size_t at = 0; more && at < bytes;) {
        const char *end = memchr(text + at, '\n', bytes - at);
        const size_t length = (end != NULL ? (size_t)(end - text) : bytes) - at;
        const bool whole = length < sizeof line && memchr(text + at, '\0', length) == NULL;
        if (whole) {
            memcpy(line, text + at, length);
            line[length] = '\0';
        }
        if (!is_blank(text + at, length))
            more = take(user, whole ? line : NULL, end != NULL);
        at += length + 1;
    }
}

/* ---- Making and sharing ---- */

static void add_path(gbl_snapshot *made, const char *folder, size_t length)
{
    gbl_tune_text *file = &made->files[made->file_count];
    if (length == 0 || folder[0] != '/' || made->file_count == MAX_FILES ||
        length + sizeof "/gable/tuning.jsonl" > sizeof file->path)
        return;
    snprintf(file->path, sizeof file->path, "%.*s/gable/tuning.jsonl", (int)length, folder);
    made->file_count++;
}

static void name_files(gbl_snapshot *made)
{
    const char *folders = gbl_getenv_path("XDG_DATA_DIRS");
    if (!gbl_data_path("tuning.jsonl", made->files[0].path, sizeof made->files[0].path))
        made->files[0].path[0] = '\0';
    made->file_count = 1;
    if (folders == NULL || folders[0] == '\0')
        folders = "/usr/local/share:/usr/share";
    for (const char *p = folders; *p != '\0'; p += strcspn(p, ":"), p += *p == ':')
        add_path(made, p, strcspn(p, ":"));
}

/* Whether a snapshot whose files were only named would be the newest one again. */
static bool is_newest(const gbl_snapshot *named)
{
    if (newest == NULL || newest->off != named->off || newest->ops != named->ops ||
        newest->file_count != named->file_count ||
        strcmp(newest->device_class, named->device_class) != 0)
        return false;
    for (int f = 0; f < named->file_count; f++) {
        struct stat found;
        file_stat looks = {0};
        const char *path = named->files[f].path;
        const bool exists = path[0] != '\0' && stat(path, &found) == 0;
        if (exists && S_ISREG(found.st_mode))
            looks = stat_of(&found);
        if (strcmp(newest->files[f].path, path) != 0 || newest->files[f].exists != exists ||
            memcmp(&newest->stats[f], &looks, sizeof looks) != 0)
            return false;
    }
    return true;
}

static void free_parts(gbl_snapshot *snapshot)
{
    for (int i = 0; snapshot->lines != NULL && i < MAX_FILES * snapshot->op_count; i++)
        free(snapshot->lines[i].at);
    for (int i = 0; snapshot->parts != NULL && i < snapshot->op_count; i++) {
        free(snapshot->parts[i].entries);
        free(snapshot->parts[i].keys);
    }
    for (int f = 0; f < snapshot->file_count; f++)
        free(snapshot->files[f].text);
    free(snapshot->lines);
    free(snapshot->parts);
}

/* Under the lock. */
static void drop(gbl_snapshot *snapshot)
{
    if (snapshot == NULL || --snapshot->users > 0)
        return;
    free_parts(snapshot);
    free(snapshot);
}

static bool turned_off(void)
{
    const char *word = getenv("GABLE_TUNING");
    return word != NULL && strcmp(word, "off") == 0;
}

gbl_snapshot *gbl_snapshot_take(const gbl_device *device)
{
    gbl_snapshot *made = calloc(1, sizeof *made);
    if (made == NULL)
        return NULL;
    if (device != NULL)
        gbl_device_class(device, made->device_class, sizeof made->device_class);
    made->off = turned_off();
    made->ops = gbl_op_list();
    while (made->ops[made->op_count] != NULL)
        made->op_count++;
    name_files(made);

    gbl_database_lock();
    if (is_newest(made)) {
        free(made);
        made = newest;
    } else {
        for (int f = 0; f < made->file_count; f++) {
            gbl_tune_text *file = &made->files[f];
            char why[GBL_TRUST_BYTES];
            struct stat found;
            if (file->path[0] == '\0')
                continue;
            if (f == 0 && !gbl_data_trusted(file->path, why))
                file->exists = stat(file->path, &found) == 0;
            else
                file->text = read_file(file->path, &file->bytes, &file->exists, &made->stats[f]);
        }
        drop(newest);
        newest = made;
        made->users = 1;
    }
    made->users++;
    gbl_database_unlock();
    return made;
}

void gbl_snapshot_drop(gbl_snapshot *snapshot)
{
    gbl_database_lock();
    drop(snapshot);
    gbl_database_unlock();
}

void gbl_snapshot_reset(void)
{
    gbl_database_lock();
    drop(newest);
    newest = NULL;
    gbl_database_unlock();
}

const gbl_tune_text *gbl_snapshot_file(const gbl_snapshot *snapshot, int index)
{
    return index < snapshot->file_count ? &snapshot->files[index] : NULL;
}

/* ---- Lines by op ---- */

static int op_index(const gbl_snapshot *snapshot, const gbl_op *op)
{
    int index = 0;
    while (index < snapshot->op_count && snapshot->ops[index] != op)
        index++;
    return index < snapshot->op_count ? index : -1;
}

/* The op that a line as this library writes them is of, or -1: it must be read to know. Lines of
 * one op stand together mostly. */
static int op_of_line(const gbl_snapshot *snapshot, const char *line, size_t length, int guess)
{
    static const char start[] = "{\"op\":\"";
    const size_t before = sizeof start - 1;
    if (length <= before || memcmp(line, start, before) != 0)
        return -1;
    const char *name = line + before, *end = memchr(name, '"', length - before);
    const size_t name_length = end != NULL ? (size_t)(end - name) : 0;
    for (int i = -1; i < snapshot->op_count; i++) {
        const int at = i < 0 ? guess : i;
        if (at >= 0 && strncmp(snapshot->ops[at]->stem, name, name_length) == 0 &&
            snapshot->ops[at]->stem[name_length] == '\0')
            return at;
    }
    return -1;
}

static void note_line(line_list *list, size_t at)
{
    if (list->count == list->room) {
        const int64_t room = list->room > 0 ? 2 * list->room : 16;
        size_t *grown = realloc(list->at, (size_t)room * sizeof *grown);
        if (grown == NULL)
            return; /* as if it had not been measured */
        list->at = grown;
        list->room = room;
    }
    list->at[list->count++] = at;
}

/* A line that does not start as ours do is of every op, until it is read. */
static void index_lines(gbl_snapshot *snapshot)
{
    snapshot->indexed = true;
    snapshot->lines =
        calloc((size_t)MAX_FILES * (size_t)snapshot->op_count, sizeof *snapshot->lines);
    snapshot->parts = calloc((size_t)snapshot->op_count, sizeof *snapshot->parts);
    if (snapshot->lines == NULL || snapshot->parts == NULL)
        return;
    for (int f = 0; f < snapshot->file_count; f++) {
        const gbl_tune_text *file = &snapshot->files[f];
        int op = -1;
        for (size_t at = 0; file->text != NULL && at < file->bytes;) {
            const char *end = memchr(file->text + at, '\n', file->bytes - at);
            const size_t length = (end != NULL ? (size_t)(end - file->text) : file->bytes) - at;
            op = op_of_line(snapshot, file->text + at, length, op);
            for (int i = op < 0 ? 0 : op; i < (op < 0 ? snapshot->op_count : op + 1); i++)
                note_line(&snapshot->lines[f * snapshot->op_count + i], at);
            at += length + 1;
        }
    }
}

/* Without memory it is as if it had not been measured. */
static void keep(op_part *part, const gbl_stored *entry)
{
    if (part->count == part->room) {
        const int64_t room = part->room > 0 ? 2 * part->room : 32;
        gbl_stored *grown = realloc(part->entries, (size_t)room * sizeof *grown);
        if (grown == NULL)
            return;
        part->entries = grown;
        part->room = room;
    }
    part->entries[part->count++] = *entry;
}

/* A line of a file, if it can answer on the snapshot's device. */
static void read_line(gbl_snapshot *snapshot, const gbl_op *op, int file, size_t at, op_part *part)
{
    const gbl_tune_text *text = &snapshot->files[file];
    const char *end = memchr(text->text + at, '\n', text->bytes - at);
    const size_t length = (end != NULL ? (size_t)(end - text->text) : text->bytes) - at;
    const gbl_op *named;
    const gbl_variant *variant;
    gbl_entry entry;
    /* The reader stops at a newline or a 0: a line that holds a 0 is cut short there, which is
     * damage. */
    if (length >= GBL_FILE_LINE_BYTES || memchr(text->text + at, '\0', length) != NULL ||
        gbl_tune_line_read(text->text + at, &entry, &named, &variant) != GBL_LINE_GOOD ||
        named != op || entry.from >= 0 || entry.at_count > 0 || !(entry.error <= 1) ||
        strcmp(entry.device, snapshot->device_class) != 0 || !gbl_entry_current(&entry))
        return;
    const gbl_stored made = {.variant = variant,
                             .key = entry.key,
                             .params = entry.params,
                             .usec = entry.usec,
                             .file = file,
                             .place = (int64_t)at,
                             .winner = entry.winner};
    keep(part, &made);
}

/* By key; of one key those of a higher file first, there the last winner, then the others by
 * time. */
static int compare(const void *left, const void *right)
{
    const gbl_stored *a = left, *b = right;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    if (a->file != b->file)
        return a->file < b->file ? -1 : 1;
    if (a->winner != b->winner)
        return a->winner ? -1 : 1;
    if (!a->winner && a->usec != b->usec)
        return a->usec < b->usec ? -1 : 1;
    if (a->place == b->place)
        return 0;
    return (a->place > b->place) == a->winner ? -1 : 1;
}

/* Without memory nothing answers. */
static void sort_entries(op_part *part)
{
    if (part->count == 0)
        return;
    qsort(part->entries, (size_t)part->count, sizeof *part->entries, compare);
    part->keys = malloc((size_t)part->count * sizeof *part->keys);
    for (int64_t i = 0; part->keys != NULL && i < part->count; i++) {
        if (i == 0 || part->entries[i].key != part->entries[i - 1].key)
            part->keys[part->key_count++] =
                (gbl_stored_key){part->entries[i].key, &part->entries[i], 0};
        part->keys[part->key_count - 1].count++;
    }
}

static void read_op(gbl_snapshot *snapshot, const gbl_op *op, int index)
{
    op_part *part = &snapshot->parts[index];
    part->read = true;
    for (int f = 0; f < snapshot->file_count; f++) {
        const line_list *list = &snapshot->lines[f * snapshot->op_count + index];
        for (int64_t i = 0; i < list->count; i++)
            read_line(snapshot, op, f, list->at[i], part);
    }
    sort_entries(part);
}

const gbl_stored_key *gbl_snapshot_op(gbl_snapshot *snapshot, const gbl_op *op, int64_t *count)
{
    const gbl_stored_key *keys = NULL;
    const int index = op_index(snapshot, op);
    *count = 0;
    if (snapshot->off || index < 0)
        return NULL;
    gbl_database_lock();
    if (!snapshot->indexed)
        index_lines(snapshot);
    if (snapshot->lines != NULL && snapshot->parts != NULL) {
        if (!snapshot->parts[index].read)
            read_op(snapshot, op, index);
        keys = snapshot->parts[index].keys;
        *count = snapshot->parts[index].key_count;
    }
    gbl_database_unlock();
    return keys;
}

void gbl_snapshot_entry(const gbl_snapshot *snapshot, const gbl_stored *stored, gbl_entry *entry)
{
    const gbl_op *named;
    const gbl_variant *variant;
    gbl_tune_line_read(snapshot->files[stored->file].text + stored->place, entry, &named, &variant);
}

/* database_files.c: the files of the tuning database, in memory.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each file has its own list of entries, and in it each op its own chain, so that a question walks over one
 * op's entries only. Lines of an op are kept as text until somebody asks for it: a program that uses three
 * routines does not pay for the measurements of thirty. Files are looked at (stat) before each question; one
 * that grew is read on from where the last reading ended, one that was rewritten from its start.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "core/data_folder.h"
#include "device/environment.h"
#include "device/fork_guard.h"
#include "tune/database_private.h"
#include "tune/tune_line.h"

#define MAX_FILES   8 /* the user's own and seven of $XDG_DATA_DIRS */
#define TEXT_CHAINS 256
#define NOWHERE     GBL_NOWHERE

/* A text that many entries share. */
typedef struct shared_text {
    struct shared_text *next;
    char text[];
} shared_text;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
GBL_FORK_GUARD(.lock = &lock)
static gbl_tune_file files[MAX_FILES]; /* the user's own first, then by falling rank */
static int file_count;
static bool own_known; /* files[0] has a path */
static const gbl_op *const *known_ops;
static shared_text *texts[TEXT_CHAINS];

void gbl_database_lock(void)
{
    pthread_mutex_lock(&lock);
}

void gbl_database_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

/* The same text for all who ask for it, or NULL without memory. */
static const char *share(const char *text)
{
    unsigned chain = 0;
    for (const char *p = text; *p != '\0'; p++)
        chain = chain * 31 + (unsigned char)*p;
    shared_text **link = &texts[chain % TEXT_CHAINS];
    for (; *link != NULL; link = &(*link)->next)
        if (strcmp((*link)->text, text) == 0)
            return (*link)->text;
    const size_t bytes = strlen(text) + 1;
    shared_text *made = malloc(sizeof *made + bytes);
    if (made == NULL)
        return NULL;
    made->next = NULL;
    memcpy(made->text, text, bytes);
    *link = made;
    return made->text;
}

int gbl_op_index(const gbl_op *op)
{
    int index = 0;
    while (index < GBL_MAX_OPS && known_ops[index] != NULL && known_ops[index] != op)
        index++;
    return index < GBL_MAX_OPS && known_ops[index] != NULL ? index : NOWHERE;
}

static void forget(gbl_tune_file *file)
{
    file->count = file->bad = file->unknown = 0;
    file->bad_tail = false;
    for (int i = 0; i < GBL_MAX_OPS; i++) {
        file->first[i] = file->last[i] = NOWHERE;
        free(file->waiting[i].text);
        memset(&file->waiting[i], 0, sizeof file->waiting[i]);
    }
}

/* Keeps an entry; without memory it is left out, as if it had not been measured. */
static void keep(gbl_tune_file *file, const gbl_entry *entry, const gbl_op *op,
                 const gbl_variant *variant)
{
    const int index = gbl_op_index(op);
    const char *device = share(entry->device), *version = share(entry->version);
    if (index == NOWHERE || device == NULL || version == NULL)
        return;
    if (file->count == file->room) {
        const int64_t room = file->room > 0 ? 2 * file->room : 64;
        gbl_stored *grown = realloc(file->entries, (size_t)room * sizeof *grown);
        if (grown == NULL)
            return;
        file->entries = grown;
        file->room = room;
    }
    const int64_t at = file->count++;
    gbl_stored *kept = &file->entries[at];
    *kept = (gbl_stored){.op = op,
                         .variant = variant,
                         .device = device,
                         .version = version,
                         .key = entry->key,
                         .params = entry->params,
                         .usec = entry->usec,
                         .spread = entry->spread,
                         .error = entry->error,
                         .runs = entry->runs,
                         .winner = entry->winner,
                         .next = NOWHERE};
    memcpy(kept->kernel, entry->kernel, sizeof kept->kernel);
    memcpy(kept->date, entry->date, sizeof kept->date);
    if (file->first[index] == NOWHERE)
        file->first[index] = at;
    else
        file->entries[file->last[index]].next = at;
    file->last[index] = at;
}

/* Reads a line, or counts why not; whether it is a measurement. */
static bool read_line(gbl_tune_file *file, const char *line, bool ended)
{
    const gbl_op *op;
    const gbl_variant *variant;
    gbl_entry entry;
    switch (line != NULL ? gbl_tune_line_read(line, &entry, &op, &variant) : GBL_LINE_BAD) {
    case GBL_LINE_GOOD:
        keep(file, &entry, op, variant);
        return true;
    case GBL_LINE_UNKNOWN:
        file->unknown++;
        return true;
    default:
        if (ended)
            file->bad++;
        else
            file->bad_tail = true;
        return false;
    }
}

/* The op that a line as this library writes them is of, or NOWHERE: it must be read to know. */
static int op_of_line(const char *line)
{
    static const char start[] = "{\"op\":\"";
    if (strncmp(line, start, sizeof start - 1) != 0)
        return NOWHERE;
    line += sizeof start - 1;
    const size_t length = strcspn(line, "\"");
    for (int i = 0; i < GBL_MAX_OPS && known_ops[i] != NULL; i++)
        if (strncmp(known_ops[i]->stem, line, length) == 0 && known_ops[i]->stem[length] == '\0')
            return i;
    return NOWHERE;
}

/* Reads the lines of an op that were only kept so far. */
static void wake(gbl_tune_file *file, int index)
{
    gbl_waiting_lines *waiting = &file->waiting[index];
    if (waiting->awake)
        return;
    waiting->awake = true;
    for (char *line = waiting->text, *end; line != NULL && *line != '\0'; line = end + 1) {
        end = strchr(line, '\n');
        *end = '\0';
        read_line(file, line, true);
    }
    free(waiting->text);
    waiting->text = NULL;
    waiting->used = waiting->room = 0;
}

/* Keeps a line as text; false: no memory. */
static bool let_wait(gbl_waiting_lines *waiting, const char *line)
{
    const size_t length = strlen(line), needed = waiting->used + length + 2;
    if (needed > waiting->room) {
        char *grown = realloc(waiting->text, 2 * needed);
        if (grown == NULL)
            return false;
        waiting->text = grown;
        waiting->room = 2 * needed;
    }
    memcpy(waiting->text + waiting->used, line, length);
    memcpy(waiting->text + waiting->used + length, "\n", 2);
    waiting->used += length + 1;
    return true;
}

static bool take_line(void *user, const char *line, bool ended)
{
    gbl_tune_file *file = user;
    if (line != NULL && line[strspn(line, " \t\r")] == '\0')
        return false;
    const int index = line != NULL ? op_of_line(line) : NOWHERE;
    if (index != NOWHERE && ended && !file->waiting[index].awake &&
        let_wait(&file->waiting[index], line))
        return true;
    if (index != NOWHERE)
        wake(file, index); /* in the file's order */
    return read_line(file, line, ended);
}

static void look_at(gbl_tune_file *file)
{
    gbl_file_change change;
    const int opened = gbl_file_open(file->path, &file->place, &change, &file->exists);
    if (change == GBL_FILE_REWRITTEN)
        forget(file);
    if (opened >= 0) {
        file->bad_tail = false;
        gbl_file_walk(opened, &file->place, take_line, file);
        close(opened);
    }
    file->readable = opened >= 0 || (file->exists && file->place.node != 0);
}

static void add_file(const char *folder, size_t length)
{
    gbl_tune_file *file = &files[file_count];
    if (length == 0 || folder[0] != '/' || file_count == MAX_FILES ||
        length + sizeof "/gable/tuning.jsonl" > sizeof file->path)
        return;
    snprintf(file->path, sizeof file->path, "%.*s/gable/tuning.jsonl", (int)length, folder);
    file_count++;
}

static void clear_all(void)
{
    for (int i = 0; i < MAX_FILES; i++) {
        forget(&files[i]);
        free(files[i].entries);
        memset(&files[i], 0, sizeof files[i]);
        forget(&files[i]);
    }
    for (int i = 0; i < TEXT_CHAINS; i++) {
        while (texts[i] != NULL) {
            shared_text *next = texts[i]->next;
            free(texts[i]);
            texts[i] = next;
        }
    }
    file_count = 0;
    known_ops = NULL;
}

/* Brings what is in memory of an op (NULL: of all) up to date. The names of ops are needed for that, so a new
 * list starts anew. */
static void refresh(const gbl_op *op)
{
    if (known_ops != gbl_op_list()) {
        const char *folders = gbl_getenv_path("XDG_DATA_DIRS");
        clear_all();
        known_ops = gbl_op_list();
        own_known = gbl_data_path("tuning.jsonl", files[0].path, sizeof files[0].path);
        if (!own_known)
            files[0].path[0] = '\0';
        file_count = 1;
        if (folders == NULL || folders[0] == '\0')
            folders = "/usr/local/share:/usr/share";
        for (const char *p = folders; *p != '\0'; p += strcspn(p, ":"), p += *p == ':')
            add_file(p, strcspn(p, ":"));
    }
    for (int i = own_known ? 0 : 1; i < file_count; i++) {
        look_at(&files[i]);
        for (int k = 0; k < GBL_MAX_OPS && known_ops[k] != NULL; k++)
            if (op == NULL || known_ops[k] == op)
                wake(&files[i], k);
    }
}

const gbl_tune_file *gbl_tune_files(const gbl_op *op, int *count)
{
    refresh(op);
    *count = file_count;
    return files;
}

void gbl_database_reset(void)
{
    gbl_database_lock();
    clear_all();
    gbl_database_unlock();
    gbl_variant_hash_reset();
}

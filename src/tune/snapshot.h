/* snapshot.h: the tuning database as it was when a context opened; the context chooses by it while
 * it is open.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A snapshot holds the texts of the files and never changes. Lines of an op are read when it is
 * first asked for: a program that uses three routines does not pay for the measurements of thirty.
 * Contexts on devices of one class share a snapshot as long as no file has changed. Everything here
 * is safe from several threads.
 */
#ifndef GBL_SNAPSHOT_H
#define GBL_SNAPSHOT_H

#include "tune/database.h"

/* A measurement in memory. */
typedef struct gbl_stored {
    const gbl_variant *variant;
    uint64_t key;
    gbl_params params;
    double usec;
    int file;      /* 0 is the user's own; a lower one counts more */
    int64_t place; /* of its line among those of the file */
    bool winner;
} gbl_stored;

typedef struct gbl_snapshot gbl_snapshot;

/* The database as it is now, for a device; NULL without memory. Taken again it may be the same
 * one. */
gbl_snapshot *gbl_snapshot_take(const gbl_device *device);
void gbl_snapshot_drop(gbl_snapshot *snapshot);

/* The measurements of one key, in the order in which they count. */
typedef struct gbl_stored_key {
    uint64_t key;
    const gbl_stored *entries;
    int64_t count;
} gbl_stored_key;

/* The measurements of an op that may answer on the snapshot's device: right, and with this
 * library's kernels. By rising key. NULL where there are none. */
const gbl_stored_key *gbl_snapshot_op(gbl_snapshot *snapshot, const gbl_op *op, int64_t *count);

/* All of an entry. */
void gbl_snapshot_entry(const gbl_snapshot *snapshot, const gbl_stored *stored, gbl_entry *entry);

/* ---- Files ---- */

/* One file as it was read. Its members stay as they are. */
typedef struct gbl_tune_text {
    char path[1024];
    char *text; /* ended by 0; NULL: no file, or it cannot be read */
    size_t bytes;
    bool exists;
} gbl_tune_text;

/* The files of a snapshot, the user's own first, then by falling rank. The path of the first is ""
 * where no folder is known. */
const gbl_tune_text *gbl_snapshot_file(const gbl_snapshot *snapshot, int index);

/* Gives each line of a text that is not blank to `take`, as a text of its own without its end; NULL
 * for a line that is too long or holds a 0. The last one may not have ended. take returns false to
 * stop. */
#define GBL_FILE_LINE_BYTES 8192 /* a longer line is damage */
void gbl_text_walk(const char *text, size_t bytes,
                   bool (*take)(void *user, const char *line, bool ended), void *user);

/* The whole of a file, from malloc, and its length; NULL where it is no file that can be read.
 * *exists: something is there. */
char *gbl_text_read(const char *path, size_t *bytes, bool *exists);

/* Around every opening of a file of the database: closing it drops the lock that this process holds
 * on it. */
void gbl_database_lock(void);
void gbl_database_unlock(void);

/* Appends whole lines to the user's own file; takes the lock. */
gable_status gbl_database_append(const char *path, const char *lines, gbl_message *message);

/* Forgets what is shared: for tests. */
void gbl_snapshot_reset(void);
void gbl_variant_hash_reset(void);

#endif

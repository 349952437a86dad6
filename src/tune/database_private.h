/* database_private.h: what the files of the tuning database share.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_DATABASE_PRIVATE_H
#define GBL_DATABASE_PRIVATE_H

#include "tune/database.h"
#include "tune/tune_file.h"

#define GBL_NOWHERE (-1)

/* A measurement in memory. */
typedef struct gbl_stored {
    const gbl_op *op;
    const gbl_variant *variant;
    const char *device, *version; /* shared */
    uint64_t key;
    gbl_params params;
    double usec, spread, error;
    int runs;
    bool winner;
    char kernel[20], date[24];
    int64_t next; /* of the same op, or GBL_NOWHERE */
} gbl_stored;

/* Lines of an op that nobody asked for yet. */
typedef struct gbl_waiting_lines {
    char *text;
    size_t used, room;
    bool awake; /* they were read: new ones are read at once */
} gbl_waiting_lines;

typedef struct gbl_tune_file {
    char path[1024];
    gbl_file_place place;
    gbl_stored *entries;
    int64_t count, room;
    int64_t first[GBL_MAX_OPS], last[GBL_MAX_OPS]; /* of each op, by its place in the list */
    gbl_waiting_lines waiting[GBL_MAX_OPS];
    int64_t bad, unknown;
    bool bad_tail; /* a last line without its end, no measurement */
    bool exists, readable;
} gbl_tune_file;

/* Around everything below, and around every opening of the file: closing it drops the lock that this process
 * holds on it. */
void gbl_database_lock(void);
void gbl_database_unlock(void);

/* All files, the user's own first, then by falling rank, with what they hold now of an op (NULL: of all). The
 * path of the first is "" where no folder is known. */
const gbl_tune_file *gbl_tune_files(const gbl_op *op, int *count);

/* The place of an op in the list of all, or GBL_NOWHERE. */
int gbl_op_index(const gbl_op *op);

/* Appends whole lines to the user's own file; takes the lock. */
gable_status gbl_database_append(const char *path, const char *lines, gbl_message *message);

void gbl_variant_hash_reset(void);

#endif

/* database.h: measurements of variants and their tunables, kept on disk, and the best of them for a call.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * $XDG_DATA_HOME/gable/tuning.jsonl: one flat JSON line a measurement, appended under a lock, all kept.
 * Read once a process and again when the file grew; bad lines are skipped and counted. An entry counts for
 * a call if op, dtype, variant, kernel and device class are the same; of those the nearest size bucket, and
 * there the fastest. Entries of an older kernel are no answer, but a place for the tuner to start.
 */
#ifndef GBL_DATABASE_H
#define GBL_DATABASE_H

#include "core/op.h"

/* How well an answer matches the call, worst first. */
typedef enum gbl_match {
    GBL_MATCH_NONE,
    GBL_MATCH_MODEL,     /* nothing measured: the model's choice */
    GBL_MATCH_BUILT_IN,  /* from the table of known devices */
    GBL_MATCH_NEAR_SIZE, /* measured here, for a size nearby */
    GBL_MATCH_EXACT      /* measured here, for this size bucket */
} gbl_match;
const char *gbl_match_name(gbl_match match);

/* One measurement. Texts are cut to their room. */
typedef struct gbl_entry {
    char op[16], variant[24], device[128],
        kernel[20]; /* kernel: hash of its source, "" for cpu rows */
    gbl_dtype dtype;
    uint64_t key; /* op->key of the call: size bucket and flags */
    gbl_params params;
    int param_count;
    double usec, spread; /* median, and median deviation from it */
    double error;        /* over its bound; above 1: wrong, never chosen */
    int runs;
    bool
        winner; /* beat the one before it by more than noise in interleaved runs, or is the first */
    char date[24], version[40]; /* when; library, driver and compiler */
} gbl_entry;

/* What was read. */
typedef struct gbl_database_state {
    char path[1024]; /* "" where no folder is known */
    int64_t entries, bad_lines,
        unknown; /* unknown: op, variant, tunable or kernel that this library lacks */
    bool readable, writable;
} gbl_database_state;
void gbl_database_describe(gbl_database_state *state);

/* The entry that answers a call with a variant (or any default one where variant is NULL), and how well.
 * Checked against the device's limits before it is returned. */
gbl_match gbl_database_find(const gbl_device *device, const gbl_op *op, const gbl_variant *variant,
                            const void *call, gbl_choice *choice);

/* Visits entries of an op on a device, of any kernel hash, in the file's order: places to start, studies,
 * reports. NULL op or device: all. The visitor returns false to stop. */
void gbl_database_visit(const gbl_op *op, const gbl_device *device,
                        bool (*visit)(void *user, const gbl_entry *entry), void *user);

/* Fills all of an entry but its times. */
void gbl_entry_make(const gbl_device *device, const gbl_op *op, const gbl_choice *choice,
                    const void *call, gbl_entry *entry);

/* Appends; contexts that are open see it at their next fresh choice. */
gable_status gbl_database_add(const gbl_entry *entries, int count, gbl_message *message);

/* Copies all good lines of another file that are not here yet; writes all lines of one device class (NULL:
 * all). *lines: how many; *bad: how many were skipped. */
gable_status gbl_database_import(const char *path, int64_t *lines, int64_t *bad,
                                 gbl_message *message);
gable_status gbl_database_export(const char *path, const gbl_device *device, int64_t *lines,
                                 gbl_message *message);

/* Forgets what was read: for tests. */
void gbl_database_reset(void);

#endif

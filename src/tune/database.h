/* database.h: measurements of variants and their tunables, kept on disk, and the best of them for a
 * call.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * $XDG_DATA_HOME/gable/tuning.jsonl: one flat JSON line per measurement, appended under a lock, all
 * kept; then, read only, gable/tuning.jsonl in the folders of $XDG_DATA_DIRS. Bad lines are skipped
 * and counted. An entry counts for a call if op, dtype, variant, kernel text and device class are
 * the same; of those the nearest size bucket, there the last winner or, without one, the fastest.
 * Entries of an older kernel are no answer, but a place for the tuner to start. A context answers
 * from a snapshot (snapshot.h), the functions here from what the files hold now. Everything here is
 * safe from several threads.
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
/* "none", "model", "built-in", "near size", "exact". */
const char *gbl_match_name(gbl_match match);

/* Sizes at most so many factors of two apart, over all dimensions, are near. */
#define GBL_NEAR_DISTANCE 2
#define GBL_ENTRY_SIZES   4

/* One measurement. Texts are cut to their room. */
typedef struct gbl_entry {
    char op[32], variant[32], device[128]; /* test_limits: every name fits */
    char kernel[20];                       /* gbl_variant_hash when it was measured */
    gbl_dtype dtype;
    uint64_t key; /* op->key of the call: size bucket and flags */
    gbl_params params;
    int param_count;
    double usec, spread; /* median, and median deviation from it */
    double error; /* over its bound; above 1: wrong; NaN: not checked; neither is ever chosen */
    int runs;
    bool
        winner; /* beat the one before it by more than noise in interleaved runs, or is the first */
    /* Of lines that the library carries, else -1: they serve this class of the main size and all
     * above, up to this sum of the classes of all sizes (-1: any), plain (0) or transposed (1)
     * matrices only, those whose columns all start at multiples of 16 bytes (1) or others (0)
     * only. */
    int from, upto, trans, aligned;
    /* Of lines that the library carries for calls of sizes nearby: those of the call that was
     * timed, in the order of its arguments; `key` says the flags. */
    int64_t at[GBL_ENTRY_SIZES];
    int at_count; /* 0: it is no such line */
    double
        old_usec;  /* of a winner that took the place of another choice: the time of that; else 0 */
    char size[48]; /* of the call, for readers: "3000x3000"; "" where nobody said */
    char date[24]; /* "2026-11-15T12:00:00Z" */
    char version[96]; /* of the library, then of driver and compiler */
} gbl_entry;

/* The hash of the kernel texts of a variant as 16 hexadecimal digits; "" for variants without
 * kernels. */
void gbl_variant_hash(const gbl_variant *variant, char hash[20]);

/* Whether an entry was measured with the kernel that this library has: else it is only a place to
 * start. */
bool gbl_entry_current(const gbl_entry *entry);

/* What was read. */
typedef struct gbl_database_state {
    char path[1024];         /* the user's own file; "" where no folder is known */
    int64_t entries;         /* that this library understands, of all devices, in all files ... */
    int64_t foreign_entries; /* ... of which in read-only files */
    int64_t old_entries;     /* ... of which with another kernel text: places to start */
    int64_t bad_lines;
    int64_t unknown; /* lines with an op, variant, tunable or value that this library lacks */
    int files;       /* that were found */
    bool readable, writable;
    bool off; /* GABLE_TUNING=off: choices do not ask */
} gbl_database_state;
void gbl_database_describe(gbl_database_state *state);

/* The entry of a snapshot that answers a question (with the forced variant, or any that fits), and
 * how well. Its tunables are legal for the question's call. choice is left alone where there is
 * none. entry may be NULL. */
struct gbl_snapshot;
gbl_match gbl_database_answer(struct gbl_snapshot *snapshot, const gbl_device *device,
                              const gbl_question *question, gbl_choice *choice, gbl_entry *entry);

/* The same for a call, from what the files hold now. */
gbl_match gbl_database_find(const gbl_device *device, const gbl_op *op, const gbl_variant *variant,
                            const void *call, gbl_choice *choice);
gbl_match gbl_database_find_entry(const gbl_device *device, const gbl_op *op,
                                  const gbl_variant *variant, const void *call, gbl_choice *choice,
                                  gbl_entry *entry);

/* Visits entries of an op on a device, of any kernel hash, in the file's order, read-only files
 * first: places to start, studies, reports. NULL op or device: all. The visitor returns false to
 * stop. */
void gbl_database_visit(const gbl_op *op, const gbl_device *device,
                        bool (*visit)(void *user, const gbl_entry *entry), void *user);

/* Fills all of an entry but its times, error, runs and winner, which are zeroed. */
void gbl_entry_make(const gbl_device *device, const gbl_op *op, const gbl_choice *choice,
                    const void *call, gbl_entry *entry);

/* Appends; contexts that are open do not see it, unless gbl_choices_forget is called for them. */
gable_status gbl_database_add(const gbl_entry *entries, int count, gbl_message *message);

/* Copies all good lines of another file that are not here yet; writes all lines of the user's own
 * file of one device class (NULL: all). *lines: how many; *bad: how many were skipped. Lines with
 * ops or variants that this library lacks travel too. */
gable_status gbl_database_import(const char *path, int64_t *lines, int64_t *bad,
                                 gbl_message *message);
gable_status gbl_database_export(const char *path, const gbl_device *device, int64_t *lines,
                                 gbl_message *message);

/* Forgets what was read: for tests. */
void gbl_database_reset(void);

#endif

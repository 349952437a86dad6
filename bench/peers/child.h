/* child.h: a child program that times another library, spoken to through pipes
 * (bench/children/child_system.h).
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The programs are looked for in $GABLE_PEERS, else in the folder of the command itself. They are
 * in a process group of their own, so that Ctrl-C reaches the command first; when the pipe closes,
 * they end.
 */
#ifndef BENCH_CHILD_H
#define BENCH_CHILD_H

#include "sparse_system.h"

#define CHILD_MAX_WORDS 12

typedef struct bench_child {
    long process; /* 0: none */
    int to, from;
    char folder[1024], file[1100]; /* the system's file, in a folder of its own */
    char line[512];                /* what it said last */
    size_t used;                   /* bytes of `more` */
    char more[512];
} bench_child;

/* The path of a program; GABLE_NOT_SUPPORTED and how to get it where it is missing. */
gable_status bench_child_find(const char *program, char *path, size_t path_bytes,
                              gbl_message *message);

/* What it says of itself when it is asked for its version. */
gable_status bench_child_version(const char *path, char *version, size_t version_bytes,
                                 gbl_message *message);

/* Writes the system to a file and starts words[0] with the other words; a word that is "@" stands
 * for the file. Waits until it is ready: version receives what it says of itself. */
gable_status bench_child_start(bench_child *child, const bench_sparse_system *system,
                               const char *const *words, char *version, size_t version_bytes,
                               gbl_message *message);
/* Ends it, and removes the file. */
void bench_child_end(bench_child *child);

/* Sends "word count" and waits for the number that answers it. */
gable_status bench_child_ask(bench_child *child, const char *word, int64_t count, double *number,
                             gbl_message *message);

#endif

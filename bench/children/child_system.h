/* child_system.h: what a child program of `gable bench` reads: a system in compressed rows, from a
 * file.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The parent writes the file (bench/peers/child.c), and all children read it, in C and in C++. It
 * holds, one after the other and without gaps: the header, start[rows + 1], column[entries],
 * value[entries], b[rows]. Columns of a row rise.
 *
 * Called with --version, a child prints one line, "ready VERSION", and ends. Called with the file
 * and a precision, it sets up and prints that line. It then answers one line for each line it
 * reads, until the end of its input:
 *
 *     cg N     solves A x = b from x = 0 by N plain iterations     "ok SECONDS"
 *     mv N     computes y = A b N times                            "ok SECONDS"
 *     check    of the last result                                  "ok |b - A x| / |b|", "ok |y|"
 *
 * What it cannot do it answers with "no REASON". Between commands it keeps no core busy.
 */
#ifndef BENCH_CHILD_SYSTEM_H
#define BENCH_CHILD_SYSTEM_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CHILD_MAGIC "gblcsr1"

typedef struct child_header {
    char magic[8];
    int64_t rows, entries;
} child_header;

typedef struct child_system {
    int64_t rows, entries;
    int64_t *start;
    int32_t *column;
    double *value, *b;
} child_system;

/* A new array of `count` elements from the file; NULL: no memory, or the file is too short. */
static inline void *child_array(FILE *file, int64_t count, size_t element)
{
    void *array = malloc((size_t)count * element + 1);
    if (array != NULL && fread(array, element, (size_t)count, file) == (size_t)count)
        return array;
    free(array);
    return NULL;
}

/* Reads the file. Returns what is wrong with it, or NULL. */
static inline const char *child_read(const char *path, child_system *system)
{
    child_header header;
    FILE *file = fopen(path, "rb");
    memset(system, 0, sizeof *system);
    if (file == NULL)
        return "the file of the system cannot be opened";
    if (fread(&header, sizeof header, 1, file) != 1 ||
        memcmp(header.magic, CHILD_MAGIC, sizeof header.magic) != 0) {
        fclose(file);
        return "the file is no system of this version";
    }
    system->rows = header.rows;
    system->entries = header.entries;
    system->start = (int64_t *)child_array(file, header.rows + 1, sizeof(int64_t));
    system->column = (int32_t *)child_array(file, header.entries, sizeof(int32_t));
    system->value = (double *)child_array(file, header.entries, sizeof(double));
    system->b = (double *)child_array(file, header.rows, sizeof(double));
    fclose(file);
    return system->start != NULL && system->column != NULL && system->value != NULL &&
                   system->b != NULL
               ? NULL
               : "the file of the system is too short, or memory is";
}

static inline double child_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static inline void child_say(const char *word, double number)
{
    printf("%s %.17g\n", word, number);
    fflush(stdout);
}

static inline void child_refuse(const char *why)
{
    printf("no %s\n", why);
    fflush(stdout);
}

#endif

/* fortran_names.c: the context, copies and counts of routines with LAPACK's Fortran names.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "fortran_names.h"

#define MOST_ROUTINES 128
#define FAILED        3

static gable_context *ctx;
static struct {
    const char *routine;
    long calls;
} counts[MOST_ROUTINES];
static int count;

static void write_counts(void)
{
    const char *path = getenv("GABLE_NAMES_LOG");
    FILE *file = path != NULL ? fopen(path, "w") : NULL;
    for (int i = 0; file != NULL && i < count; i++)
        fprintf(file, "%s %ld\n", counts[i].routine, counts[i].calls);
    if (file != NULL)
        fclose(file);
}

void names_check(gable_status status, const char *routine)
{
    if (status == GABLE_OK)
        return;
    fprintf(stderr, "%s: %s\n", routine, gable_message(ctx));
    exit(FAILED);
}

gable_context *names_context(void)
{
    if (ctx == NULL)
        names_check(gable_open(&ctx, NULL), "gable_open");
    return ctx;
}

void names_count(const char *routine)
{
    int i = 0;
    while (i < count && strcmp(counts[i].routine, routine) != 0)
        i++;
    if (i == MOST_ROUTINES) {
        fprintf(stderr, "MOST_ROUTINES must grow\n");
        exit(FAILED);
    }
    if (count == 0)
        atexit(write_counts);
    if (i == count)
        counts[count++].routine = routine;
    counts[i].calls++;
}

void *names_in(const void *matrix, int64_t rows, int64_t columns, int64_t ld, size_t elem_bytes)
{
    void *copy = NULL;
    gable_context *const to = names_context();
    if (rows == 0 || columns == 0)
        return NULL;
    names_check(gable_alloc(to, (size_t)(rows * columns) * elem_bytes, &copy), "gable_alloc");
    names_check(gable_set_matrix(to, rows, columns, elem_bytes, matrix, ld, copy, rows),
                "gable_set_matrix");
    return copy;
}

void names_out(void *copy, void *matrix, int64_t rows, int64_t columns, int64_t ld,
               size_t elem_bytes)
{
    if (copy == NULL)
        return;
    if (matrix != NULL)
        names_check(gable_get_matrix(ctx, rows, columns, elem_bytes, copy, rows, matrix, ld),
                    "gable_get_matrix");
    names_check(gable_free(ctx, copy), "gable_free");
}

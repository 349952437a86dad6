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

static int64_t *wide_numbers(int64_t n)
{
    int64_t *const numbers = calloc(n > 0 ? (size_t)n : 1, sizeof *numbers);
    if (numbers == NULL) {
        fprintf(stderr, "no memory for %lld pivots\n", (long long)n);
        exit(FAILED);
    }
    return numbers;
}

int64_t *names_pivots_in(const int *ipiv, int64_t n)
{
    gable_context *const to = names_context();
    int64_t *const wide = wide_numbers(n);
    void *copy = NULL;
    for (int64_t i = 0; ipiv != NULL && i < n; i++)
        wide[i] = ipiv[i];
    names_check(gable_alloc(to, (n > 0 ? (size_t)n : 1) * sizeof *wide, &copy), "gable_alloc");
    names_check(gable_set_vector(to, n, sizeof *wide, wide, 1, copy, 1), "gable_set_vector");
    free(wide);
    return copy;
}

void names_pivots_out(int64_t *copy, int *ipiv, int64_t n)
{
    int64_t *const wide = wide_numbers(n);
    names_check(gable_get_vector(ctx, n, sizeof *wide, copy, 1, wide, 1), "gable_get_vector");
    for (int64_t i = 0; ipiv != NULL && i < n; i++)
        ipiv[i] = (int)wide[i];
    free(wide);
    names_check(gable_free(ctx, copy), "gable_free");
}

/* The number at the letter's place; letters are capitals. */
static int choose(const char *letter, const char *letters, const int *numbers)
{
    const int capital = *letter >= 'a' && *letter <= 'z' ? *letter - 'a' + 'A' : *letter;
    for (int i = 0; letters[i] != '\0'; i++)
        if (capital == letters[i])
            return numbers[i];
    return 0;
}

int names_uplo(const char *uplo)
{
    return choose(uplo, "UL", (const int[]){GABLE_UPPER, GABLE_LOWER});
}

int names_trans(const char *trans)
{
    return choose(trans, "NTC", (const int[]){GABLE_NO_TRANS, GABLE_TRANS, GABLE_CONJ_TRANS});
}

int names_diag(const char *diag)
{
    return choose(diag, "NU", (const int[]){GABLE_NON_UNIT, GABLE_UNIT});
}

int names_side(const char *side)
{
    return choose(side, "LR", (const int[]){GABLE_LEFT, GABLE_RIGHT});
}

int names_vect(const char *vect)
{
    return choose(vect, "QP", (const int[]){GABLE_VECT_Q, GABLE_VECT_P});
}

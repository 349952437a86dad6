/* sparse_named.c: sparse matrices of benchmarks, made or read by name.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "bench_ops.h"
#include "sparse/market/generate.h"
#include "sparse/market/market.h"
#include "sparse_named.h"

#define PECLET       0.5
#define LONGEST_ROW  1000
#define POWER_SEED   0x9e3779b97f4a7c15u
#define MAX_UNKNOWNS 64

/* What a name before the colon makes. */
typedef struct family {
    const char *name;
    int number;     /* points, or unknowns per point; 0: none */
    int dimensions; /* of its grid; 1: rows alone */
    gable_status (*make)(const struct family *family, gbl_grid grid, gbl_generated *made,
                         gbl_message *message);
} family;

/* ---- Names ---- */

static gable_status laplacian(const family *f, gbl_grid grid, gbl_generated *made,
                              gbl_message *message)
{
    return gbl_generate_laplacian(f->number, grid, made, message);
}

static gable_status elasticity(const family *f, gbl_grid grid, gbl_generated *made,
                               gbl_message *message)
{
    return gbl_generate_elasticity(grid, f->number, made, message);
}

static gable_status convection(const family *f, gbl_grid grid, gbl_generated *made,
                               gbl_message *message)
{
    (void)f;
    return gbl_generate_convection(grid, PECLET, made, message);
}

static gable_status power_law(const family *f, gbl_grid grid, gbl_generated *made,
                              gbl_message *message)
{
    (void)f;
    const int64_t longest = grid.nx < LONGEST_ROW ? grid.nx : LONGEST_ROW;
    return gbl_generate_power_law(grid.nx, grid.nx, longest, POWER_SEED, made, message);
}

static const family families[] = {
    {.name = "laplace5", .number = 5, .dimensions = 2, .make = laplacian},
    {.name = "laplace7", .number = 7, .dimensions = 3, .make = laplacian},
    {.name = "laplace27", .number = 27, .dimensions = 3, .make = laplacian},
    {.name = "convection5", .dimensions = 2, .make = convection},
    {.name = "convection7", .dimensions = 3, .make = convection},
    {.name = "power", .dimensions = 1, .make = power_law},
};

/* The family before the colon; *rest points behind that. Unknowns per point are a part of the name
 * of elasticity. */
static bool find_family(const char *name, family *found, const char **rest)
{
    static const char elastic[] = "elasticity";
    const char *colon = strchr(name, ':');
    if (colon == NULL)
        return false;
    const size_t length = (size_t)(colon - name), prefix = sizeof elastic - 1;
    *rest = colon + 1;
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++)
        if (strlen(families[i].name) == length && strncmp(families[i].name, name, length) == 0) {
            *found = families[i];
            return true;
        }
    char *end = NULL;
    const long unknowns = length > prefix && strncmp(name, elastic, prefix) == 0
                              ? strtol(name + prefix, &end, 10)
                              : 0;
    *found =
        (family){.name = elastic, .number = (int)unknowns, .dimensions = 3, .make = elasticity};
    return unknowns >= 1 && unknowns <= MAX_UNKNOWNS && end == colon;
}

static bool is_file(const char *name)
{
    const size_t length = strlen(name);
    return length > 4 && strcmp(name + length - 4, ".mtx") == 0;
}

/* "3000x3000": as many numbers as there are dimensions, or one for all. */
static bool read_grid(const char *text, int dimensions, gbl_grid *grid)
{
    bench_size size;
    const char *end;
    if (!bench_size_read(text, &size, &end) || *end != '\0' ||
        (size.count != 1 && size.count != dimensions))
        return false;
    int64_t part[3] = {1, 1, 1};
    for (int i = 0; i < dimensions; i++)
        part[i] = size.part[size.count == 1 ? 0 : i];
    *grid = (gbl_grid){part[0], part[1], part[2]};
    return true;
}

bool bench_sparse_name_check(const char *name, char *text, size_t text_bytes)
{
    family found;
    const char *rest;
    gbl_grid grid;
    if (is_file(name))
        return true;
    if (!find_family(name, &found, &rest)) {
        snprintf(text, text_bytes,
                 "there is no matrix \"%.100s\"; matrices are laplace5:N, laplace7:N, laplace27:N, "
                 "elasticity3:N, convection5:N, convection7:N, power:N, or a file that ends in "
                 ".mtx",
                 name);
        return false;
    }
    if (read_grid(rest, found.dimensions, &grid))
        return true;
    static const char *const forms[] = {"", "a number such as 1e6", "100 or 100x80",
                                        "100 or 100x80x60"};
    snprintf(text, text_bytes, "\"%.100s\" has no size that %s takes: it takes %s", name,
             found.name, forms[found.dimensions]);
    return false;
}

/* ---- Files ---- */

/* Entries in the order of keys, stable: where entry i of the old order goes. counts has `keys` + 1
 * zeros and returns starts. */
static void sort_by(const int64_t *key, const int64_t *order, int64_t entries, int64_t *counts,
                    int64_t keys, int64_t *sorted)
{
    for (int64_t i = 0; i < entries; i++)
        counts[key[i] + 1]++;
    for (int64_t k = 0; k < keys; k++)
        counts[k + 1] += counts[k];
    for (int64_t i = 0; i < entries; i++) {
        const int64_t e = order != NULL ? order[i] : i;
        sorted[counts[key[e]]++] = e;
    }
}

/* Compressed rows from entries in any order; those with the same place are added. */
static bool compress(const gbl_market *file, bench_sparse_matrix *m)
{
    const int parts = m->complex_values ? 2 : 1;
    const size_t entries = (size_t)file->entries + 1;
    const int64_t keys = m->rows > m->columns ? m->rows : m->columns;
    int64_t *by_column = malloc(entries * sizeof *by_column);
    int64_t *order = malloc(entries * sizeof *order);
    int64_t *counts = calloc((size_t)keys + 2, sizeof *counts);
    m->start = calloc((size_t)m->rows + 1, sizeof *m->start);
    m->column = malloc(entries * sizeof *m->column);
    m->value = malloc(entries * sizeof *m->value * (size_t)parts);
    const bool good = by_column != NULL && order != NULL && counts != NULL && m->start != NULL &&
                      m->column != NULL && m->value != NULL;
    if (good) {
        sort_by(file->column, NULL, file->entries, counts, m->columns, by_column);
        memset(counts, 0, ((size_t)keys + 2) * sizeof *counts);
        sort_by(file->row, by_column, file->entries, counts, m->rows, order);
        int64_t at = -1, last = -1;
        for (int64_t i = 0; i < file->entries; i++) {
            const int64_t e = order[i], row = file->row[e];
            if (at < 0 || last != row || m->column[at] != file->column[e]) {
                m->column[++at] = file->column[e];
                m->start[row + 1]++;
                for (int p = 0; p < parts; p++)
                    m->value[at * parts + p] = 0;
            }
            for (int p = 0; p < parts; p++)
                m->value[at * parts + p] +=
                    file->values != NULL ? file->values[e * parts + p] : (double)(p == 0);
            last = row;
        }
        for (int64_t row = 0; row < m->rows; row++)
            m->start[row + 1] += m->start[row];
        m->entries = at + 1;
    }
    free(by_column);
    free(order);
    free(counts);
    return good;
}

static gable_status read_matrix(const char *path, bench_sparse_matrix *m, gbl_message *message)
{
    const gbl_market_options options = {.expand = true};
    gbl_market file;
    TRY(gbl_market_read(path, &options, &file, message));
    gable_status status = GABLE_OK;
    m->rows = file.rows;
    m->columns = file.columns;
    m->complex_values = file.field == GBL_MARKET_COMPLEX;
    if (file.array)
        status =
            gbl_fail(message, GABLE_NOT_SUPPORTED,
                     "%s is a dense array; a benchmark of sparse matrices takes coordinates", path);
    else if (file.entries == 0)
        status = gbl_fail(message, GABLE_NOT_SUPPORTED, "%s has no entries to multiply with", path);
    else if (!compress(&file, m))
        status = gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory for %s", path);
    gbl_market_free(&file);
    return status;
}

/* ---- Matrices ---- */

gable_status bench_sparse_make(const char *name, bench_sparse_matrix *matrix, gbl_message *message)
{
    family found;
    const char *rest;
    gbl_grid grid;
    char text[512];
    memset(matrix, 0, sizeof *matrix);
    snprintf(matrix->name, sizeof matrix->name, "%s", name);
    if (!bench_sparse_name_check(name, text, sizeof text))
        return gbl_fail(message, GABLE_BAD_ARGUMENT, "%s", text);
    if (is_file(name)) {
        const gable_status status = read_matrix(name, matrix, message);
        if (status != GABLE_OK)
            bench_sparse_free(matrix);
        return status;
    }
    gbl_generated made;
    find_family(name, &found, &rest);
    read_grid(rest, found.dimensions, &grid);
    TRY(found.make(&found, grid, &made, message));
    matrix->rows = made.rows;
    matrix->columns = made.columns;
    matrix->entries = made.entries;
    matrix->start = made.start;
    matrix->column = made.column;
    matrix->value = made.value;
    return GABLE_OK;
}

void bench_sparse_free(bench_sparse_matrix *matrix)
{
    free(matrix->start);
    free(matrix->column);
    free(matrix->value);
    matrix->start = matrix->column = NULL;
    matrix->value = NULL;
}

gable_status bench_sparse_transpose(const bench_sparse_matrix *m, bool conj, bench_sparse_matrix *t,
                                    gbl_message *message)
{
    const int parts = m->complex_values ? 2 : 1;
    *t = *m;
    t->rows = m->columns;
    t->columns = m->rows;
    t->start = calloc((size_t)t->rows + 2, sizeof *t->start);
    t->column = malloc((size_t)(m->entries + 1) * sizeof *t->column);
    t->value = malloc((size_t)(m->entries + 1) * sizeof *t->value * (size_t)parts);
    if (t->start == NULL || t->column == NULL || t->value == NULL) {
        bench_sparse_free(t);
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory for a transpose");
    }
    /* start[c + 1] is where the next entry of row c goes, and in the end where row c + 1 starts. */
    for (int64_t e = 0; e < m->entries; e++)
        if (m->column[e] + 2 <= t->rows)
            t->start[m->column[e] + 2]++;
    for (int64_t c = 0; c < t->rows; c++)
        t->start[c + 1] += t->start[c];
    for (int64_t row = 0; row < m->rows; row++)
        for (int64_t e = m->start[row]; e < m->start[row + 1]; e++) {
            const int64_t at = t->start[m->column[e] + 1]++;
            t->column[at] = row;
            t->value[at * parts] = m->value[e * parts];
            if (parts == 2)
                t->value[at * parts + 1] =
                    conj ? -m->value[e * parts + 1] : m->value[e * parts + 1];
        }
    return GABLE_OK;
}

void bench_sparse_value(const bench_sparse_matrix *matrix, int64_t e, gbl_dtype dtype, double *re,
                        double *im)
{
    *re = matrix->value[matrix->complex_values ? 2 * e : e];
    *im = matrix->complex_values ? matrix->value[2 * e + 1] : 0;
    if (gbl_dtype_real_bytes(dtype) == 4) {
        *re = (float)*re;
        *im = (float)*im;
    }
}

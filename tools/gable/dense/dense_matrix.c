/* dense_matrix.c: a dense matrix of a file, on the host.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "gable/dense/dense_matrix.h"
#include <math.h>
#include <stdlib.h>
#include "device/host_memory.h"

#define MOST_ELEMENTS 0x1p48 /* bytes of them fit into 64 bits */

bool dense_open(dense_matrix *A, int asked, gbl_market *file, gbl_message *message)
{
    const gbl_market_options options = {.expand = true};
    if (gbl_market_read(A->path, &options, file, message) != GABLE_OK)
        return false;
    A->m = file->rows;
    A->n = file->columns;
    A->dtype = asked >= 0 ? (gbl_dtype)asked : file->field == GBL_MARKET_COMPLEX ? GBL_Z : GBL_D;
    return true;
}

static void add(const gbl_market *file, int64_t e, dense_matrix *A)
{
    const bool complex = file->field == GBL_MARKET_COMPLEX;
    const int64_t at = file->array ? e : file->row[e] + file->column[e] * A->m;
    A->pairs[2 * at] += file->values == NULL ? 1 : file->values[complex ? 2 * e : e];
    A->pairs[2 * at + 1] += complex ? file->values[2 * e + 1] : 0;
}

static gable_status make_room(dense_matrix *A, const gbl_market *file, double bytes,
                              gbl_message *message)
{
    const double elements = (double)A->m * (double)A->n;
    const int64_t available = gbl_host_memory();
    if (file->field == GBL_MARKET_COMPLEX && !gbl_dtype_complex(A->dtype))
        return gbl_fail(message, GABLE_NOT_SUPPORTED,
                        "%s has complex numbers; ask with --prec c or z", A->path);
    if (elements <= MOST_ELEMENTS && bytes > (double)available)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY,
                        "%s with all %lld x %lld elements takes about %.3g GB of host memory, and "
                        "%.3g GB are available",
                        A->path, (long long)A->m, (long long)A->n, bytes / 1e9,
                        (double)available / 1e9);
    if (elements > MOST_ELEMENTS ||
        (A->pairs = calloc((size_t)(A->m * A->n) + 1, 2 * sizeof *A->pairs)) == NULL)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY,
                        "no memory for %s with all %lld x %lld elements", A->path, (long long)A->m,
                        (long long)A->n);
    return GABLE_OK;
}

bool dense_fill(dense_matrix *A, gbl_market *file, double bytes, gbl_message *message)
{
    const bool right = make_room(A, file, bytes, message) == GABLE_OK;
    for (int64_t e = 0; right && e < file->entries; e++)
        add(file, e, A);
    gbl_market_free(file);
    if (right)
        A->norm = dense_norm(A->m, A->n, A->pairs);
    return right;
}

void dense_free(dense_matrix *A)
{
    free(A->pairs);
    A->pairs = NULL;
}

double dense_norm(int64_t rows, int64_t columns, const double *pairs)
{
    double most = 0;
    for (int64_t j = 0; j < columns; j++) {
        double sum = 0;
        for (int64_t i = 0; i < rows; i++)
            sum += hypot(pairs[2 * (i + j * rows)], pairs[2 * (i + j * rows) + 1]);
        if (!(sum <= most))
            most = sum;
    }
    return most;
}

double dense_distance_to_identity(int64_t rows, double *pairs)
{
    for (int64_t i = 0; i < rows; i++)
        pairs[2 * (i + i * rows)] -= 1;
    return dense_norm(rows, rows, pairs);
}

gable_status dense_write(gbl_draft *draft, const char *path, gbl_dtype dtype, int64_t rows,
                         int64_t columns, const double *pairs, const char *comment,
                         gbl_message *message)
{
    const bool complex = gbl_dtype_complex(dtype);
    const int64_t entries = rows * columns;
    double *values = malloc(((size_t)entries + 1) * 2 * sizeof *values);
    if (values == NULL) {
        gbl_draft_drop(draft);
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no memory to write %s", path);
    }
    for (int64_t i = 0; i < entries; i++)
        for (int k = 0; k < 1 + complex; k++)
            values[(1 + complex) * i + k] = pairs[2 * i + k];
    const gbl_market file = {.array = true,
                             .field = complex ? GBL_MARKET_COMPLEX : GBL_MARKET_REAL,
                             .rows = rows,
                             .columns = columns,
                             .entries = entries,
                             .values = values};
    const gable_status status = gbl_market_write_draft(draft, path, &file, comment, message);
    free(values);
    return status;
}

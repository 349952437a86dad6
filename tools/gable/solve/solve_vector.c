/* solve_vector.c: right-hand sides and solutions in Matrix Market files.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A vector is a matrix of one column or of one row, an array or coordinates; duplicates are added,
 * what is missing is 0.
 */
#include <stdlib.h>
#include "solve.h"
#include "sparse/market/market.h"

double *solve_vector_read(const char *path, int64_t *n, bool *complex, gbl_message *message)
{
    const gbl_market_options options = {.expand = true};
    gbl_market file;
    if (gbl_market_read(path, &options, &file, message) != GABLE_OK)
        return NULL;
    double *pairs = NULL;
    *complex = file.field == GBL_MARKET_COMPLEX;
    *n = file.columns == 1 ? file.rows : file.columns;
    if (file.columns != 1 && file.rows != 1)
        gbl_fail(message, GABLE_NOT_SUPPORTED,
                 "%s is %lld x %lld; a right-hand side has one column", path, (long long)file.rows,
                 (long long)file.columns);
    else if ((pairs = calloc((size_t)*n + 1, 2 * sizeof *pairs)) == NULL)
        gbl_fail(message, GABLE_OUT_OF_MEMORY, "no memory for the %lld elements of %s",
                 (long long)*n, path);
    for (int64_t e = 0; pairs != NULL && e < file.entries; e++) {
        const int64_t at = file.array ? e : file.columns == 1 ? file.row[e] : file.column[e];
        pairs[2 * at] += file.values == NULL ? 1 : file.values[*complex ? 2 * e : e];
        pairs[2 * at + 1] += *complex ? file.values[2 * e + 1] : 0;
    }
    gbl_market_free(&file);
    return pairs;
}

void solve_vector_pack(gbl_dtype dtype, int64_t n, const double *pairs, void *elements)
{
    for (int64_t i = 0; i < n; i++) {
        const double re = pairs[2 * i], im = pairs[2 * i + 1];
        switch (dtype) {
        case GBL_S:
            ((float *)elements)[i] = (float)re;
            break;
        case GBL_D:
            ((double *)elements)[i] = re;
            break;
        case GBL_C:
            ((gable_cfloat *)elements)[i] = (gable_cfloat){(float)re, (float)im};
            break;
        default:
            ((gable_cdouble *)elements)[i] = (gable_cdouble){re, im};
        }
    }
}

void solve_vector_unpack(gbl_dtype dtype, int64_t n, const void *elements, double *pairs)
{
    const bool single = gbl_dtype_real_bytes(dtype) == 4;
    const int parts = gbl_dtype_complex(dtype) ? 2 : 1;
    for (int64_t i = 0; i < n; i++)
        for (int k = 0; k < 2; k++)
            pairs[2 * i + k] = k >= parts ? 0
                               : single   ? (double)((const float *)elements)[parts * i + k]
                                          : ((const double *)elements)[parts * i + k];
}

gable_status solve_vector_write(gbl_draft *draft, const char *path, gbl_dtype dtype, int64_t n,
                                const double *pairs, gbl_message *message)
{
    const bool complex = gbl_dtype_complex(dtype);
    double *values = malloc(((size_t)n + 1) * 2 * sizeof *values);
    if (values == NULL) {
        gbl_draft_drop(draft);
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no memory for the %lld elements of x",
                        (long long)n);
    }
    for (int64_t i = 0; i < n; i++)
        for (int k = 0; k < 1 + complex; k++)
            values[(1 + complex) * i + k] = pairs[2 * i + k];
    const gbl_market file = {.array = true,
                             .field = complex ? GBL_MARKET_COMPLEX : GBL_MARKET_REAL,
                             .rows = n,
                             .columns = 1,
                             .entries = n,
                             .values = values};
    const gable_status status =
        gbl_market_write_draft(draft, path, &file, "solution by gable solve", message);
    free(values);
    return status;
}

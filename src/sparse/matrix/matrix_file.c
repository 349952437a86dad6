/* matrix_file.c: sparse matrices from Matrix Market files, and written to them.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A file becomes coordinates on the host, with its symmetry expanded, and then a matrix as any
 * others; entries with one place are added. Of a dense array the elements that are 0 are left out.
 * A matrix that equals its transpose is written as the lower triangle, one that equals its
 * conjugate transpose likewise, where that brings back the same entries: those that are 0 are
 * stored on both sides, with the same sign.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "core/observe.h"
#include "sparse/market/market.h"
#include "sparse/matrix/sparse_host.h"

/* ---- Reading ---- */

static void put_value(gbl_dtype dtype, void *values, int64_t at, double re, double im)
{
    switch (dtype) {
    case GBL_S:
        ((float *)values)[at] = (float)re;
        break;
    case GBL_D:
        ((double *)values)[at] = re;
        break;
    case GBL_C:
        ((gable_cfloat *)values)[at] = (gable_cfloat){(float)re, (float)im};
        break;
    default:
        ((gable_cdouble *)values)[at] = (gable_cdouble){re, im};
    }
}

/* The entries of a file as arrays of a source; those of an array file without its zeros. */
static int64_t move_entries(const gbl_market *file, gbl_dtype dtype, int bytes, void *row,
                            void *column, void *values)
{
    const bool complex = file->field == GBL_MARKET_COMPLEX,
               pattern = file->field == GBL_MARKET_PATTERN;
    int64_t count = 0, i = 0, j = 0;
    for (int64_t e = 0; e < file->entries; e++) {
        const double re = pattern   ? 1
                          : complex ? file->values[2 * e]
                                    : file->values[e],
                     im = complex ? file->values[2 * e + 1] : 0;
        if (!file->array || re != 0 || im != 0) {
            gbl_index_put(row, bytes, count, file->array ? i : file->row[e]);
            gbl_index_put(column, bytes, count, file->array ? j : file->column[e]);
            put_value(dtype, values, count, re, im);
            count++;
        }
        i = i + 1 < file->rows ? i + 1 : 0; /* column by column */
        j += i == 0;
    }
    return count;
}

static gable_status make(gable_context *ctx, const char *path, const gbl_market *file,
                         gbl_dtype dtype, gable_sparse **A)
{
    const bool narrow =
        file->rows < INT32_MAX && file->columns < INT32_MAX && file->entries < INT32_MAX;
    const size_t index = narrow ? 4 : 8, elem = gbl_dtype_bytes(dtype);
    gbl_sparse_source source = {.dtype = dtype,
                                .coordinates = true,
                                .rows = file->rows,
                                .columns = file->columns,
                                .entries = file->entries,
                                .index_bits = 8 * (int)index,
                                .flags = GABLE_SPARSE_SUM};
    void *parts[3] = {NULL, NULL, NULL};
    gbl_sparse_host host;
    TRY(gbl_sparse_check_memory(ctx, path, &source,
                                (2 * (double)index + (double)elem) * (double)file->entries));
    gable_status status = gbl_sparse_room(ctx, file->entries, index, &parts[0]);
    if (status == GABLE_OK)
        status = gbl_sparse_room(ctx, file->entries, index, &parts[1]);
    if (status == GABLE_OK)
        status = gbl_sparse_room(ctx, file->entries, elem, &parts[2]);
    if (status == GABLE_OK) {
        source.entries = move_entries(file, dtype, (int)index, parts[0], parts[1], parts[2]);
        source.first = parts[0];
        source.column = parts[1];
        source.values = parts[2];
        status = gbl_sparse_host_make(ctx, &source, &host);
    }
    for (int i = 0; i < 3; i++) /* coordinates are sorted into arrays of their own */
        free(parts[i]);
    if (status != GABLE_OK)
        return status;
    status = gbl_sparse_from_host(ctx, &host, A);
    gbl_sparse_host_free(&host);
    return status;
}

/* Of a file that was read or written, for profiles. */
static double file_bytes(const char *path)
{
    struct stat found;
    return stat(path, &found) == 0 ? (double)found.st_size : 0;
}

gable_status gbl_sparse_read(gable_context *ctx, const char *path, char precision, gable_sparse **A)
{
    TRY(gbl_enter(ctx, "gable_sparse_read"));
    CHECK_ARG(ctx, path != NULL, 2, "path", "is NULL");
    const char *const letters = "sdcz",
                      *letter = precision != 0 ? strchr(letters, precision) : NULL;
    CHECK_ARG(ctx, precision == 0 || letter != NULL, 3, "precision",
              "is '%c'; it must be 's', 'd', 'c', 'z' or 0", precision);
    CHECK_ARG(ctx, A != NULL, 4, "A", "is NULL");
    TRY(gbl_check_not_recording(ctx, "the creation of a matrix"));
    const gbl_market_options options = {.expand = true};
    gbl_market file;
    gbl_span span = {.kind = GBL_EVENT_WORK, .name = "gable_sparse_read", .link = true};
    span.class = gbl_span_class(file_bytes(path));
    gbl_span_begin(ctx, &span);
    const gable_status parsed = gbl_market_read(path, &options, &file, &ctx->message);
    if (parsed != GABLE_OK)
        return gbl_span_end(ctx, &span, parsed);
    const bool complex = file.field == GBL_MARKET_COMPLEX;
    const gbl_dtype dtype = letter != NULL ? (gbl_dtype)(letter - letters)
                            : complex      ? GBL_Z
                                           : GBL_D;
    gable_sparse *fresh = NULL;
    gable_status status;
    if (complex && !gbl_dtype_complex(dtype)) {
        status = gbl_fail_argument(ctx, 3, "precision",
                                   "is '%c', but %s has complex numbers; 'c' and 'z' hold them",
                                   precision, path);
    } else {
        ctx->depth++;
        status = make(ctx, path, &file, dtype, &fresh);
        if (status == GABLE_OK)
            status = gbl_sparse_complete(ctx, &fresh);
        ctx->depth--;
    }
    gbl_market_free(&file);
    if (status == GABLE_OK) {
        span.bytes = file_bytes(path) + (double)gbl_sparse_memory(&fresh->layout);
        *A = fresh;
    }
    return gbl_span_end(ctx, &span, status);
}

/* ---- Writing ---- */

static void get_value(gbl_dtype dtype, const void *values, int64_t at, double *to)
{
    switch (dtype) {
    case GBL_S:
        to[0] = ((const float *)values)[at];
        break;
    case GBL_D:
        to[0] = ((const double *)values)[at];
        break;
    case GBL_C:
        to[0] = ((const gable_cfloat *)values)[at].re;
        to[1] = ((const gable_cfloat *)values)[at].im;
        break;
    default:
        to[0] = ((const gable_cdouble *)values)[at].re;
        to[1] = ((const gable_cdouble *)values)[at].im;
    }
}

/* Entries as a file has them: of a symmetric matrix the lower triangle. */
static void fill(const gbl_sparse_host *host, gbl_market *file)
{
    const int parts = file->field == GBL_MARKET_COMPLEX ? 2 : 1;
    for (int64_t i = 0; i < host->rows; i++) {
        const int64_t end = gbl_index_get(host->start, host->index_bytes, i + 1);
        for (int64_t e = gbl_index_get(host->start, host->index_bytes, i); e < end; e++) {
            const int64_t j = gbl_index_get(host->column, host->index_bytes, e);
            if (file->symmetry != GBL_MARKET_GENERAL && j > i)
                continue;
            file->row[file->entries] = i;
            file->column[file->entries] = j;
            get_value(host->dtype, host->values, e, file->values + parts * file->entries);
            file->entries++;
        }
    }
}

/* Whether entry e is what the reader makes of entry `lower`, its mirror image, bit by bit. */
static bool is_mirrored(const gbl_sparse_host *host, gbl_market_symmetry symmetry, int64_t lower,
                        int64_t e)
{
    double from[2] = {0, 0}, to[2] = {0, 0};
    get_value(host->dtype, host->values, lower, from);
    get_value(host->dtype, host->values, e, to);
    if (symmetry == GBL_MARKET_HERMITIAN)
        from[1] = -from[1];
    return memcmp(from, to, sizeof from) == 0;
}

/* Whether the lower triangle says all of a matrix whose values are symmetric: each entry below the
 * diagonal has its mirror image above it, and no others are there. Rows are walked in order, and so
 * are the columns above: *next of each row is the first that was not seen yet. */
static bool says_all(const gbl_sparse_host *host, gbl_market_symmetry symmetry, int64_t *next)
{
    const int bytes = host->index_bytes;
    for (int64_t i = 0; i < host->rows; i++) {
        int64_t e = gbl_index_get(host->start, bytes, i);
        const int64_t end = gbl_index_get(host->start, bytes, i + 1);
        for (; e < end && gbl_index_get(host->column, bytes, e) < i; e++) {
            const int64_t j = gbl_index_get(host->column, bytes, e), mirror = next[j]++;
            if (mirror >= gbl_index_get(host->start, bytes, j + 1) ||
                gbl_index_get(host->column, bytes, mirror) != i ||
                !is_mirrored(host, symmetry, e, mirror))
                return false;
        }
        if (e < end && gbl_index_get(host->column, bytes, e) == i)
            e++;
        next[i] = e;
    }
    for (int64_t i = 0; i < host->rows; i++)
        if (next[i] != gbl_index_get(host->start, bytes, i + 1))
            return false;
    return true;
}

static gable_status write_host(gable_context *ctx, const gable_sparse *A,
                               const gbl_sparse_host *host, const char *path)
{
    const bool complex = gbl_dtype_complex(host->dtype);
    gbl_market file = {.field = complex ? GBL_MARKET_COMPLEX : GBL_MARKET_REAL,
                       .symmetry = A->statistics.symmetric              ? GBL_MARKET_SYMMETRIC
                                   : complex && A->statistics.hermitian ? GBL_MARKET_HERMITIAN
                                                                        : GBL_MARKET_GENERAL,
                       .rows = host->rows,
                       .columns = host->columns};
    void *parts[3] = {NULL, NULL, NULL}, *next;
    if (file.symmetry != GBL_MARKET_GENERAL) {
        TRY(gbl_sparse_room(ctx, host->rows, sizeof(int64_t), &next));
        if (!says_all(host, file.symmetry, next))
            file.symmetry = GBL_MARKET_GENERAL;
        free(next);
    }
    gable_status status = gbl_sparse_room(ctx, host->entries, sizeof(int64_t), &parts[0]);
    if (status == GABLE_OK)
        status = gbl_sparse_room(ctx, host->entries, sizeof(int64_t), &parts[1]);
    if (status == GABLE_OK)
        status = gbl_sparse_room(ctx, host->entries, 2 * sizeof(double), &parts[2]);
    file.row = parts[0];
    file.column = parts[1];
    file.values = parts[2];
    if (status == GABLE_OK) {
        fill(host, &file);
        status = gbl_market_write(path, &file, NULL, &ctx->message);
    }
    for (int i = 0; i < 3; i++)
        free(parts[i]);
    return status;
}

gable_status gbl_sparse_write(gable_context *ctx, gable_sparse *A, const char *path)
{
    TRY(gbl_enter(ctx, "gable_sparse_write"));
    TRY(gbl_sparse_check(ctx, 2, "A", A));
    CHECK_ARG(ctx, path != NULL, 3, "path", "is NULL");
    TRY(gbl_check_not_recording(ctx, "a transfer between host and device"));
    gbl_span span = {.kind = GBL_EVENT_WORK, .name = "gable_sparse_write", .link = true};
    span.class = gbl_span_class((double)gbl_sparse_memory(&A->layout));
    gbl_sparse_host host;
    gbl_span_begin(ctx, &span);
    ctx->depth++;
    gable_status status = gbl_sparse_statistics_get(ctx, A);
    if (status == GABLE_OK)
        status = gbl_sparse_fetch(ctx, A, &host);
    if (status == GABLE_OK) {
        status = write_host(ctx, A, &host, path);
        gbl_sparse_host_free(&host);
    }
    ctx->depth--;
    if (status == GABLE_OK)
        span.bytes = file_bytes(path) + (double)gbl_sparse_memory(&A->layout);
    return gbl_span_end(ctx, &span, status);
}

/* sparse_doors.c: the doors of sparse matrices that know no precision.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "core/observe.h"
#include "sparse/matrix/sparse_matrix.h"

gable_status gable_sparse_describe(gable_context *ctx, gable_sparse *A, gable_sparse_info *info)
{
    return gbl_sparse_describe(ctx, A, info);
}

gable_status gable_sparse_convert(gable_context *ctx, gable_sparse *A, gable_format format,
                                  int64_t chunk, int64_t sigma, gable_sparse **B)
{
    return gbl_sparse_convert(ctx, A, format, chunk, sigma, B);
}

gable_status gable_sparse_set(gable_context *ctx, gable_sparse *A, const char *options)
{
    return gbl_sparse_set(ctx, A, options);
}

gable_status gable_sparse_choose(gable_context *ctx, gable_sparse *A, gable_format *format,
                                 char *why, size_t why_bytes)
{
    int64_t chunk, sigma;
    gable_format chosen;
    TRY(gbl_enter(ctx, "gable_sparse_choose"));
    TRY(gbl_sparse_check(ctx, 2, "A", A));
    CHECK_ARG(ctx, format != NULL, 3, "format", "is NULL");
    const gbl_span span = {.kind = GBL_EVENT_WORK, .name = "gable_sparse_choose"};
    gbl_span_begin(ctx, &span);
    TRY(gbl_span_end(ctx, &span,
                     gbl_sparse_choose(ctx, A, &chosen, &chunk, &sigma, why, why_bytes)));
    *format = chosen;
    return GABLE_OK;
}

gable_status gable_sparse_read(gable_context *ctx, const char *path, char precision,
                               gable_sparse **A)
{
    return gbl_sparse_read(ctx, path, precision, A);
}

gable_status gable_sparse_write(gable_context *ctx, gable_sparse *A, const char *path)
{
    return gbl_sparse_write(ctx, A, path);
}

gable_status gable_sparse_destroy(gable_context *ctx, gable_sparse *A)
{
    return gbl_sparse_destroy(ctx, A);
}

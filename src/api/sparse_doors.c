/* sparse_doors.c: the doors of sparse matrices that know no precision.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "sparse/sparse_matrix.h"

gable_status gable_sparse_describe(gable_context *ctx, gable_sparse *A, gable_sparse_info *info)
{
    return gbl_sparse_describe(ctx, A, info);
}

gable_status gable_sparse_convert(gable_context *ctx, gable_sparse *A, gable_format format,
                                  int64_t chunk, int64_t sigma, gable_sparse **B)
{
    return gbl_sparse_convert(ctx, A, format, chunk, sigma, B);
}

gable_status gable_sparse_destroy(gable_context *ctx, gable_sparse *A)
{
    return gbl_sparse_destroy(ctx, A);
}

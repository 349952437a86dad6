/* sparse_typed_doors.c: the typed doors of sparse matrices: made from arrays, and given back.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled once per precision; no decisions.
 */
#include "api/typed/door.h"
#include "sparse/matrix/sparse_matrix.h"

/* gable_sparse_scsr gable_sparse_dcsr gable_sparse_ccsr gable_sparse_zcsr: a matrix from compressed
 * rows */
gable_status FN_SPARSE(csr)(gable_context *ctx, int64_t rows, int64_t columns, int64_t entries,
                            int index_bits, const void *start, const void *column, const T *values,
                            unsigned flags, gable_sparse **A)
{
    const gbl_sparse_source source =
        CALL(.rows = rows, .columns = columns, .entries = entries, .index_bits = index_bits,
             .first = start, .column = column, .values = values, .flags = flags);
    return gbl_sparse_create(ctx, NAME(FN_SPARSE(csr)), &source, A);
}

/* gable_sparse_scoo gable_sparse_dcoo gable_sparse_ccoo gable_sparse_zcoo: a matrix from its
 * entries in any order */
gable_status FN_SPARSE(coo)(gable_context *ctx, int64_t rows, int64_t columns, int64_t entries,
                            int index_bits, const void *row, const void *column, const T *values,
                            unsigned flags, gable_sparse **A)
{
    const gbl_sparse_source source =
        CALL(.coordinates = true, .rows = rows, .columns = columns, .entries = entries,
             .index_bits = index_bits, .first = row, .column = column, .values = values,
             .flags = flags);
    return gbl_sparse_create(ctx, NAME(FN_SPARSE(coo)), &source, A);
}

/* gable_sparse_sget gable_sparse_dget gable_sparse_cget gable_sparse_zget: its entries, on the
 * host */
gable_status FN_SPARSE(get)(gable_context *ctx, gable_sparse *A, int64_t *start, int64_t *column,
                            T *values)
{
    return gbl_sparse_get(ctx, NAME(FN_SPARSE(get)), A, DTYPE, start, column, values);
}

/* gable_sparse_sset_values gable_sparse_dset_values gable_sparse_cset_values
 * gable_sparse_zset_values: other values */
gable_status FN_SPARSE(set_values)(gable_context *ctx, gable_sparse *A, const T *values)
{
    return gbl_sparse_set_values(ctx, NAME(FN_SPARSE(set_values)), A, DTYPE, values);
}

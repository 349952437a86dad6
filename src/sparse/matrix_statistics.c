/* matrix_statistics.c: what a sparse matrix is: its layout, and what its entries say.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "sparse/sparse_host.h"

/* Bytes of all arrays of a layout. */
static uint64_t memory_of(const gbl_sparse_layout *A)
{
    const uint64_t index = A->index_bytes, value = gbl_dtype_bytes(A->dtype);
    const uint64_t starts = A->format == GABLE_CSR    ? (uint64_t)A->rows + 1
                            : A->format == GABLE_SELL ? (uint64_t)A->slices + 1
                                                      : 0;
    uint64_t bytes = (uint64_t)A->stored * (index + value) + starts * index;
    bytes += (uint64_t)A->rest * (2 * index + value);
    bytes += A->row != NULL ? (uint64_t)A->entries * index : 0;
    return bytes + (A->order != NULL ? (uint64_t)A->rows * index : 0);
}

gable_status gbl_sparse_describe(gable_context *ctx, gable_sparse *A, gable_sparse_info *info)
{
    TRY(gbl_enter(ctx, "gable_sparse_describe"));
    TRY(gbl_sparse_check(ctx, 2, "A", A));
    CHECK_ARG(ctx, info != NULL, 3, "info", "is NULL");
    const gbl_sparse_layout *layout = &A->layout;
    const gbl_sparse_statistics *known = &A->statistics;
    *info = (gable_sparse_info){.precision = gbl_dtype_letter(layout->dtype),
                                .index_bits = 8 * layout->index_bytes,
                                .format = (gable_format)layout->format,
                                .rows = layout->rows,
                                .columns = layout->columns,
                                .entries = layout->entries,
                                .stored = layout->stored + layout->rest,
                                .shortest = known->shortest,
                                .longest = layout->longest,
                                .mean = known->mean,
                                .deviation = known->deviation,
                                .bandwidth = known->bandwidth,
                                .empty_diagonal = known->empty_diagonal,
                                .symmetric = known->symmetric,
                                .hermitian = known->hermitian,
                                .chunk = layout->chunk,
                                .sigma = layout->sigma,
                                .bytes = memory_of(layout)};
    return GABLE_OK;
}

/* matrix_device.c: sparse matrices from arrays on the device.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Kernels look at every entry once and say what is wrong first; then arrays are copied on the
 * device. The host reads findings, and of a wrong entry its indices.
 */
#include "sparse/matrix/sparse_host.h"
#include "sparse/matrix/sparse_kernels.h"

/* One index of an array, for a message. */
static gable_status read_index(gable_context *ctx, const gbl_sparse_source *source,
                               const void *array, int64_t at, int64_t *index)
{
    const size_t bytes = (size_t)source->index_bits / 8;
    int64_t raw = 0;
    TRY(gbl_read_scalar(ctx, (const char *)array + (size_t)at * bytes, bytes, &raw));
    *index = gbl_index_get(&raw, (int)bytes, 0);
    return GABLE_OK;
}

static gable_status refuse(gable_context *ctx, const gbl_sparse_source *source,
                           gbl_entry_fault fault, int64_t place)
{
    int64_t before = 0, first = 0, column = 0;
    const bool start = fault == GBL_FAULT_START;
    if (start || source->coordinates)
        TRY(read_index(ctx, source, source->first, place, &first));
    if (start && place > 0)
        TRY(read_index(ctx, source, source->first, place - 1, &before));
    if (!start)
        TRY(read_index(ctx, source, source->column, place, &column));
    return gbl_sparse_fault(ctx, source, fault, place, before, first, column);
}

static gable_status look(gable_context *ctx, const gbl_sparse_source *source,
                         gbl_sparse_kernel kernel, int64_t *found)
{
    const sparse_convert_args args = {
        .rows = source->rows, .columns = source->columns, .entries = source->entries};
    const gbl_sparse_form form = {.kernel = kernel, .index_bytes = source->index_bits / 8};
    const void *const buffers[] = {source->first,
                                   source->column != NULL ? source->column : source->first};
    return gbl_sparse_find(ctx, &form,
                           kernel == GBL_SPARSE_CHECK_ENTRIES ? source->entries : source->rows,
                           buffers, kernel == GBL_SPARSE_CHECK_STARTS ? 1 : 2, &args, found);
}

/* *sorted: the arrays may be copied as they are. */
static gable_status check_rows(gable_context *ctx, const gbl_sparse_source *source, bool *sorted,
                               int64_t *longest)
{
    int64_t starts[SPARSE_FINDINGS], rows[SPARSE_FINDINGS];
    TRY(look(ctx, source, GBL_SPARSE_CHECK_STARTS, starts));
    if (starts[0] != SPARSE_NOWHERE)
        return refuse(ctx, source, GBL_FAULT_START, starts[0]);
    *longest = starts[1];
    TRY(look(ctx, source, GBL_SPARSE_CHECK_ROWS, rows));
    if (rows[0] != SPARSE_NOWHERE)
        return refuse(ctx, source, GBL_FAULT_COLUMN, rows[0]);
    *sorted = rows[1] == SPARSE_NOWHERE;
    return GABLE_OK;
}

static gable_status check_entries(gable_context *ctx, const gbl_sparse_source *source, bool *sorted)
{
    int64_t found[SPARSE_FINDINGS];
    TRY(look(ctx, source, GBL_SPARSE_CHECK_ENTRIES, found));
    if (found[0] != SPARSE_NOWHERE && found[0] <= found[1])
        return refuse(ctx, source, GBL_FAULT_ROW, found[0]);
    if (found[1] != SPARSE_NOWHERE)
        return refuse(ctx, source, GBL_FAULT_COLUMN, found[1]);
    *sorted = found[2] == SPARSE_NOWHERE;
    return GABLE_OK;
}

static gable_status copy(gable_context *ctx, const void *source, int64_t count, size_t bytes,
                         const void **target)
{
    TRY(gbl_sparse_alloc(ctx, count, bytes, target));
    return gable_copy_bytes(ctx, (void *)(uintptr_t)*target, source, (size_t)count * bytes);
}

static gable_status copy_arrays(gable_context *ctx, const gbl_sparse_source *source,
                                gbl_sparse_layout *A)
{
    const size_t index = A->index_bytes;
    TRY(copy(ctx, source->column, A->entries, index, &A->column));
    TRY(copy(ctx, source->values, A->entries, gbl_dtype_bytes(A->dtype), &A->value));
    if (!source->coordinates)
        return copy(ctx, source->first, A->rows + 1, index, &A->start);
    TRY(gbl_sparse_starts(ctx, A, source->first, A->entries, &A->start));
    /* The longest row: the starts are right, and are looked at for it. */
    int64_t found[SPARSE_FINDINGS];
    gbl_sparse_source rows = *source;
    rows.first = A->start;
    TRY(look(ctx, &rows, GBL_SPARSE_CHECK_STARTS, found));
    A->longest = found[1];
    return GABLE_OK;
}

gable_status gbl_sparse_from_device(gable_context *ctx, const gbl_sparse_source *source,
                                    gable_sparse **A)
{
    bool sorted = false;
    int64_t longest = 0;
    *A = NULL;
    if ((source->flags & GABLE_SPARSE_ONE_BASED) != 0 ||
        (source->rows == 0 && source->entries > 0) || source->entries == 0)
        return GABLE_OK; /* indices must change, or there is nothing to check here */
    if (source->coordinates)
        TRY(check_entries(ctx, source, &sorted));
    else
        TRY(check_rows(ctx, source, &sorted, &longest));
    if (!sorted)
        return GABLE_OK;
    gbl_sparse_layout layout = {.dtype = source->dtype,
                                .format = GABLE_CSR,
                                .index_bytes = (uint8_t)(source->index_bits / 8),
                                .rows = source->rows,
                                .columns = source->columns,
                                .entries = source->entries,
                                .stored = source->entries,
                                .longest = longest};
    gable_status status = copy_arrays(ctx, source, &layout);
    if (status == GABLE_OK)
        status = gbl_sparse_new(ctx, &layout, A);
    if (status != GABLE_OK)
        gbl_sparse_free_arrays(ctx, &layout);
    return status;
}

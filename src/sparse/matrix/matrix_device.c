/* matrix_device.c: sparse matrices from arrays on the device.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A kernel looks at every entry once and says what is wrong first; beside it arrays are copied on
 * the device. The host waits once, and reads findings, and of a wrong entry its indices. So a
 * matrix never has an index that a product would follow out of its operands.
 */
#include <math.h>
#include <stdlib.h>
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

static sparse_convert_args args_of(const gbl_sparse_source *source)
{
    return (sparse_convert_args){.rows = source->rows,
                                 .columns = source->columns,
                                 .entries = source->entries,
                                 .places = source->entries};
}

/* ---- Lengths of rows ---- */

__extension__ typedef __int128 wide;

/* From the sum of their squares, exactly: rows^2 times the square of the deviation is a whole
 * number. False where the sum may not fit 63 bits. */
static bool lengths_of(const int64_t *found, int64_t rows, int64_t entries,
                       gbl_sparse_lengths *lengths)
{
    const int64_t longest = found[3];
    int64_t most;
    if (rows == 0 || __builtin_mul_overflow(longest, entries, &most))
        return false;
    const wide off = (wide)rows * found[5] - (wide)entries * entries;
    *lengths = (gbl_sparse_lengths){.shortest = found[4],
                                    .longest = longest,
                                    .mean = (double)entries / (double)rows,
                                    .deviation = sqrt((double)off) / (double)rows};
    return true;
}

gable_status gbl_sparse_lengths_find(gable_context *ctx, const gbl_sparse_layout *rows,
                                     gbl_sparse_lengths *lengths)
{
    int64_t found[SPARSE_FINDINGS];
    const sparse_convert_args args = {
        .rows = rows->rows, .columns = rows->columns, .entries = rows->entries};
    const gbl_sparse_form form = {.kernel = GBL_SPARSE_CHECK_ROWS,
                                  .index_bytes = rows->index_bytes};
    const void *const buffers[] = {rows->start, rows->column};
    TRY(gbl_sparse_find(ctx, &form, rows->rows, buffers, 2, &args, found));
    if (lengths_of(found, rows->rows, rows->entries, lengths))
        return GABLE_OK;
    /* Their squares are too large for whole numbers: on the host, in doubles. */
    void *start;
    TRY(gbl_sparse_room(ctx, rows->rows + 1, rows->index_bytes, &start));
    const gable_status status =
        gable_get_vector(ctx, rows->rows + 1, rows->index_bytes, rows->start, 1, start, 1);
    if (status == GABLE_OK)
        gbl_sparse_lengths_count(rows, start, lengths);
    free(start);
    return status;
}

/* ---- Checked and copied ---- */

/* The arrays of a matrix, not filled. */
static gable_status alloc_rows(gable_context *ctx, const gbl_sparse_source *source,
                               gbl_sparse_layout *A)
{
    *A = (gbl_sparse_layout){.dtype = source->dtype,
                             .format = GABLE_CSR,
                             .index_bytes = (uint8_t)(source->index_bits / 8),
                             .rows = source->rows,
                             .columns = source->columns,
                             .entries = source->entries,
                             .stored = source->entries};
    const gbl_sparse_array_spec arrays[] = {
        {&A->start, A->rows + 1, A->index_bytes},
        {&A->column, A->entries, A->index_bytes},
        {&A->value, A->entries, gbl_dtype_bytes(A->dtype)},
    };
    return gbl_sparse_alloc_all(ctx, arrays, 3, A);
}

static gable_status copy(gable_context *ctx, const void *source, int64_t count, size_t bytes,
                         const void *target)
{
    return gable_copy_bytes(ctx, (void *)(uintptr_t)target, source, (size_t)count * bytes);
}

static gable_status copy_entries(gable_context *ctx, const gbl_sparse_source *source,
                                 const gbl_sparse_layout *A)
{
    TRY(copy(ctx, source->column, A->entries, A->index_bytes, A->column));
    return copy(ctx, source->values, A->entries, gbl_dtype_bytes(A->dtype), A->value);
}

/* Compressed rows: copied while it is not known yet whether they are right. What the look at them
 * found comes back behind the copies, so both are waited for once. */
static gable_status take_rows(gable_context *ctx, const gbl_sparse_source *source,
                              gbl_sparse_layout *A, int64_t *found)
{
    gbl_sparse_looking looking;
    const sparse_convert_args args = args_of(source);
    const gbl_sparse_form form = {.kernel = GBL_SPARSE_CHECK_ROWS, .index_bytes = A->index_bytes};
    const void *const buffers[] = {source->first, source->column};
    const int64_t most = source->rows > source->entries ? source->rows : source->entries;
    TRY(gbl_sparse_find_begin(ctx, &form, most, buffers, 2, &args, &looking));
    TRY(copy(ctx, source->first, A->rows + 1, A->index_bytes, A->start));
    TRY(copy_entries(ctx, source, A));
    return gbl_sparse_find_end(ctx, &looking, found);
}

static gable_status from_rows(gable_context *ctx, const gbl_sparse_source *source,
                              gbl_sparse_layout *A, gable_sparse **made)
{
    int64_t found[SPARSE_FINDINGS];
    gbl_sparse_lengths lengths;
    TRY(take_rows(ctx, source, A, found));
    if (found[0] != SPARSE_NOWHERE)
        return refuse(ctx, source, GBL_FAULT_START, found[0]);
    if (found[1] != SPARSE_NOWHERE)
        return refuse(ctx, source, GBL_FAULT_COLUMN, found[1]);
    if (found[2] != 0)
        return GABLE_OK; /* not sorted */
    A->longest = found[3];
    TRY(gbl_sparse_new(ctx, A, made));
    if (lengths_of(found, A->rows, A->entries, &lengths)) {
        (*made)->lengths = lengths;
        atomic_store(&(*made)->measured, true);
    }
    return GABLE_OK;
}

/* Coordinates: rows must be known to be right before their starts are made. */
static gable_status from_entries(gable_context *ctx, const gbl_sparse_source *source,
                                 gbl_sparse_layout *A, gable_sparse **made)
{
    int64_t found[SPARSE_FINDINGS];
    gbl_sparse_lengths lengths;
    const sparse_convert_args args = args_of(source);
    const gbl_sparse_form form = {.kernel = GBL_SPARSE_CHECK_ENTRIES,
                                  .index_bytes = A->index_bytes};
    const void *const buffers[] = {source->first, source->column};
    TRY(gbl_sparse_find(ctx, &form, source->entries, buffers, 2, &args, found));
    if (found[0] != SPARSE_NOWHERE && found[0] <= found[1])
        return refuse(ctx, source, GBL_FAULT_ROW, found[0]);
    if (found[1] != SPARSE_NOWHERE)
        return refuse(ctx, source, GBL_FAULT_COLUMN, found[1]);
    if (found[2] != SPARSE_NOWHERE)
        return GABLE_OK;
    TRY(gbl_sparse_starts(ctx, A, source->first, A->entries, A->start));
    TRY(copy_entries(ctx, source, A));
    TRY(gbl_sparse_lengths_find(ctx, A, &lengths)); /* waits for the copies */
    A->longest = lengths.longest;
    TRY(gbl_sparse_new(ctx, A, made));
    (*made)->lengths = lengths;
    atomic_store(&(*made)->measured, true);
    return GABLE_OK;
}

gable_status gbl_sparse_from_device(gable_context *ctx, const gbl_sparse_source *source,
                                    gable_sparse **A)
{
    gbl_sparse_layout layout;
    *A = NULL;
    if ((source->flags & GABLE_SPARSE_ONE_BASED) != 0 || source->rows == 0 || source->entries == 0)
        return GABLE_OK; /* indices must change, or there is nothing to check here */
    const gbl_arena_mark mark = gbl_arena_mark_get(ctx->arena);
    TRY(alloc_rows(ctx, source, &layout));
    const gable_status status = source->coordinates ? from_entries(ctx, source, &layout, A)
                                                    : from_rows(ctx, source, &layout, A);
    gbl_arena_release(ctx->arena, mark);
    if (*A == NULL) {
        /* Where the findings could not be read, copies may still be under way: gable_free waits. */
        const gable_status freed = gbl_sparse_free_arrays(ctx, &layout);
        return status == GABLE_OK ? freed : status;
    }
    return status;
}

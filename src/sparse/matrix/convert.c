/* convert.c: sparse matrices from one format to another.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Every way leads through compressed rows. Entries never leave the device: kernels count and scan
 * (convert_device.c) and fill the new arrays; the host waits for the numbers that size these. On
 * cpu the host counts (convert_plan.c).
 */
#include <stdlib.h>
#include <string.h>
#include "core/observe.h"
#include "sparse/matrix/convert_plan.h"
#include "sparse/matrix/sparse_kernels.h"

static sparse_convert_args args_of(const gbl_sparse_layout *padded, int64_t places, int64_t shift)
{
    return (sparse_convert_args){.rows = padded->rows,
                                 .columns = padded->columns,
                                 .entries = padded->entries,
                                 .places = places,
                                 .step =
                                     padded->format == GABLE_SELL ? padded->chunk : padded->stride,
                                 .shift = shift,
                                 .width = padded->width};
}

static gbl_sparse_form form_of(gbl_sparse_kernel kernel, const gbl_sparse_layout *padded)
{
    return (gbl_sparse_form){.kernel = kernel,
                             .dtype = padded->dtype,
                             .index_bytes = padded->index_bytes,
                             .sliced = padded->format == GABLE_SELL,
                             .ordered = padded->order != NULL,
                             .rest = padded->format == GABLE_HYB};
}

/* An array that a format lacks: any other serves, it is not looked at. */
static const void *or_any(const void *array, const void *any)
{
    return array != NULL ? array : any;
}

/* An array of the device on the host: itself on cpu, else a copy, to be freed. */
static gable_status fetch(gable_context *ctx, const void *array, int64_t count, size_t bytes,
                          const void **indices, void **owned)
{
    *owned = NULL;
    *indices = array;
    if (ctx->device->props.is_host)
        return GABLE_OK;
    TRY(gbl_sparse_room(ctx, count, bytes, owned));
    *indices = *owned;
    return gable_get_vector(ctx, count, bytes, array, 1, *owned, 1);
}

static gable_status copy(gable_context *ctx, const void *to, const void *from, int64_t count,
                         size_t bytes)
{
    return gable_copy_bytes(ctx, (void *)(uintptr_t)to, from, (size_t)count * bytes);
}

/* ---- From compressed rows ---- */

static gable_status fill_coo(gable_context *ctx, const gbl_sparse_layout *A, gbl_sparse_layout *to)
{
    const size_t index = A->index_bytes;
    const gbl_sparse_array_spec arrays[] = {{&to->row, A->entries, index},
                                            {&to->column, A->entries, index},
                                            {&to->value, A->entries, gbl_dtype_bytes(A->dtype)}};
    TRY(gbl_sparse_alloc_all(ctx, arrays, 3, to));
    const sparse_convert_args args = args_of(to, A->rows, 0);
    const gbl_sparse_form form = form_of(GBL_SPARSE_REST, to);
    const void *const buffers[] = {A->start, A->column,  A->value, A->start,
                                   to->row,  to->column, to->value};
    const bool by_rows = ctx->device->props.is_host;
    return gbl_sparse_launch(ctx, &form, by_rows ? A->rows : A->entries, buffers, 7, &args);
}

static gable_status fill_csr(gable_context *ctx, const gbl_sparse_layout *A, gbl_sparse_layout *to)
{
    const size_t index = A->index_bytes, value = gbl_dtype_bytes(A->dtype);
    const gbl_sparse_array_spec arrays[] = {{&to->start, A->rows + 1, index},
                                            {&to->column, A->entries, index},
                                            {&to->value, A->entries, value}};
    TRY(gbl_sparse_alloc_all(ctx, arrays, 3, to));
    TRY(copy(ctx, to->start, A->start, A->rows + 1, index));
    TRY(copy(ctx, to->column, A->column, A->entries, index));
    return copy(ctx, to->value, A->value, A->entries, value);
}

/* Indices of a plan into an array of the device. */
static gable_status place(gable_context *ctx, const gbl_convert_plan *plan, const void *indices,
                          int64_t count, const void *array)
{
    const size_t bytes = plan->layout.index_bytes;
    if (indices == NULL)
        return GABLE_OK;
    if (plan->on_device)
        return copy(ctx, array, indices, count, bytes);
    return gable_set_vector(ctx, count, bytes, indices, 1, (void *)(uintptr_t)array, 1);
}

static gable_status fill_rest(gable_context *ctx, const gbl_sparse_layout *A,
                              const gbl_convert_plan *plan, const gbl_sparse_layout *to)
{
    const size_t index = A->index_bytes;
    const bool by_rows = ctx->device->props.is_host;
    const sparse_convert_args args = args_of(to, plan->places, 0);
    const gbl_sparse_form form = form_of(GBL_SPARSE_REST, to);
    const void *buffers[] = {A->start,     A->column,       A->value,      plan->rest_start,
                             to->rest_row, to->rest_column, to->rest_value};
    const gbl_arena_mark mark = gbl_arena_mark_get(ctx->arena);
    void *start = plan->rest_start;
    gable_status status = GABLE_OK;
    if (!plan->on_device && !by_rows) {
        status = gbl_arena_take(ctx->arena, ctx->device, (size_t)(A->rows + 1) * index, &start,
                                &ctx->message);
        if (status == GABLE_OK)
            status = place(ctx, plan, plan->rest_start, A->rows + 1, start);
        buffers[3] = start;
    }
    if (status == GABLE_OK)
        status = gbl_sparse_launch(ctx, &form, by_rows ? A->rows : A->entries, buffers, 7, &args);
    gbl_arena_release(ctx->arena, mark);
    return status;
}

static gable_status fill_padded(gable_context *ctx, const gbl_sparse_layout *A,
                                const gbl_convert_plan *plan, gbl_sparse_layout *to)
{
    const size_t index = A->index_bytes, value = gbl_dtype_bytes(A->dtype);
    gbl_sparse_array_spec arrays[7];
    int count = 0;
    if (plan->slice != NULL)
        arrays[count++] = (gbl_sparse_array_spec){&to->start, to->slices + 1, index};
    if (plan->order != NULL)
        arrays[count++] = (gbl_sparse_array_spec){&to->order, to->rows, index};
    arrays[count++] = (gbl_sparse_array_spec){&to->column, to->stored, index};
    arrays[count++] = (gbl_sparse_array_spec){&to->value, to->stored, value};
    if (to->format == GABLE_HYB) {
        arrays[count++] = (gbl_sparse_array_spec){&to->rest_row, to->rest, index};
        arrays[count++] = (gbl_sparse_array_spec){&to->rest_column, to->rest, index};
        arrays[count++] = (gbl_sparse_array_spec){&to->rest_value, to->rest, value};
    }
    TRY(gbl_sparse_alloc_all(ctx, arrays, count, to));
    TRY(place(ctx, plan, plan->slice, to->slices + 1, to->start));
    TRY(place(ctx, plan, plan->order, to->rows, to->order));
    const sparse_convert_args args = args_of(to, plan->places, plan->shift);
    const gbl_sparse_form form = form_of(GBL_SPARSE_PACK, to);
    const void *const buffers[] = {
        A->start,   A->column, A->value, or_any(to->start, A->start), or_any(to->order, A->start),
        to->column, to->value};
    const bool by_places = form.sliced && !ctx->device->props.is_host;
    TRY(gbl_sparse_launch(ctx, &form, by_places ? to->stored : plan->places, buffers, 7, &args));
    return to->format == GABLE_HYB && to->rest > 0 ? fill_rest(ctx, A, plan, to) : GABLE_OK;
}

/* On the host, from the starts of rows there. */
static gable_status plan_on_host(gable_context *ctx, const gbl_sparse_layout *A,
                                 gable_format format, int64_t chunk, int64_t sigma,
                                 gbl_convert_plan *plan)
{
    const void *start;
    void *owned;
    gable_status status = fetch(ctx, A->start, A->rows + 1, A->index_bytes, &start, &owned);
    if (status == GABLE_OK)
        status = gbl_convert_plan_make(ctx, A, start, format, chunk, sigma, plan);
    free(owned);
    return status;
}

static gable_status from_rows(gable_context *ctx, const gbl_sparse_layout *A, gable_format format,
                              int64_t chunk, int64_t sigma, gbl_sparse_layout *to)
{
    gbl_convert_plan plan = {.slice = NULL};
    const gbl_arena_mark mark = gbl_arena_mark_get(ctx->arena);
    gable_status status = GABLE_OK;
    bool done = false;
    if (!ctx->device->props.is_host)
        status = gbl_convert_plan_device(ctx, A, format, chunk, sigma, &plan, &done);
    if (status == GABLE_OK && !done)
        status = plan_on_host(ctx, A, format, chunk, sigma, &plan);
    *to = plan.layout;
    if (status == GABLE_OK)
        status = format == GABLE_CSR   ? fill_csr(ctx, A, to)
                 : format == GABLE_COO ? fill_coo(ctx, A, to)
                                       : fill_padded(ctx, A, &plan, to);
    gbl_convert_plan_free(&plan);
    gbl_arena_release(ctx->arena, mark);
    return status;
}

/* ---- To compressed rows ---- */

gable_status gbl_sparse_starts(gable_context *ctx, const gbl_sparse_layout *A, const void *row,
                               int64_t entries, const void *start)
{
    const sparse_convert_args args = {.rows = A->rows, .entries = entries};
    const gbl_sparse_form form = {.kernel = GBL_SPARSE_STARTS, .index_bytes = A->index_bytes};
    const void *const buffers[] = {row, start};
    return gbl_sparse_launch(ctx, &form, entries + 1, buffers, 2, &args);
}

static gable_status alloc_rows(gable_context *ctx, gbl_sparse_layout *to)
{
    const size_t index = to->index_bytes;
    const gbl_sparse_array_spec arrays[] = {{&to->start, to->rows + 1, index},
                                            {&to->column, to->entries, index},
                                            {&to->value, to->entries, gbl_dtype_bytes(to->dtype)}};
    return gbl_sparse_alloc_all(ctx, arrays, 3, to);
}

static gable_status from_coo(gable_context *ctx, const gbl_sparse_layout *A, gbl_sparse_layout *to)
{
    TRY(alloc_rows(ctx, to));
    TRY(gbl_sparse_starts(ctx, A, A->row, A->entries, to->start));
    TRY(copy(ctx, to->column, A->column, A->entries, A->index_bytes));
    return copy(ctx, to->value, A->value, A->entries, gbl_dtype_bytes(A->dtype));
}

/* Lengths of rows become starts, in place. The rest of HYB is added to the first part. */
static gable_status starts_from_lengths(gable_context *ctx, const gbl_sparse_layout *A,
                                        const void *rest_start, const void *lengths)
{
    const int index = A->index_bytes;
    void *starts = (void *)(uintptr_t)lengths, *total;
    if (!ctx->device->props.is_host) {
        const sparse_convert_args args = {.rows = A->rows};
        const gbl_sparse_form form = {.kernel = GBL_SPARSE_COUNTS,
                                      .index_bytes = index,
                                      .kind = SPARSE_OF_ROWS,
                                      .rest = rest_start != NULL};
        TRY(gbl_arena_take(ctx->arena, ctx->device, sizeof(int64_t), &total, &ctx->message));
        return gbl_sparse_scan(ctx, &form, A->rows, A->column, rest_start, starts, total, &args);
    }
    int64_t sum = 0;
    for (int64_t i = 0; i < A->rows; i++) {
        const int64_t length = gbl_index_get(lengths, index, i);
        gbl_index_put(starts, index, i, sum);
        sum += length;
        if (rest_start != NULL)
            sum += gbl_index_get(rest_start, index, i + 1) - gbl_index_get(rest_start, index, i);
    }
    gbl_index_put(starts, index, A->rows, sum);
    return GABLE_OK;
}

static gable_status unpack(gable_context *ctx, const gbl_sparse_layout *A, gbl_sparse_layout *to)
{
    void *rest_start = NULL;
    int64_t shift = 0;
    while ((int64_t)1 << shift < A->chunk)
        shift++;
    const sparse_convert_args args = args_of(A, A->rows, shift);
    const void *slice = or_any(A->start, A->column), *order = or_any(A->order, A->column);

    TRY(alloc_rows(ctx, to));
    gbl_sparse_form form = form_of(GBL_SPARSE_LENGTHS, A);
    const void *const counted[] = {A->column, slice, order, to->start};
    TRY(gbl_sparse_launch(ctx, &form, A->rows, counted, 4, &args));
    if (A->format == GABLE_HYB) {
        TRY(gbl_arena_take(ctx->arena, ctx->device, (size_t)(A->rows + 1) * A->index_bytes,
                           &rest_start, &ctx->message));
        TRY(gbl_sparse_starts(ctx, A, A->rest_row, A->rest, rest_start));
    }
    TRY(starts_from_lengths(ctx, A, rest_start, to->start));

    form = form_of(GBL_SPARSE_UNPACK, A);
    const void *const moved[] = {A->column,
                                 A->value,
                                 slice,
                                 order,
                                 or_any(rest_start, A->column),
                                 or_any(A->rest_column, A->column),
                                 or_any(A->rest_value, A->value),
                                 to->start,
                                 to->column,
                                 to->value};
    return gbl_sparse_launch(ctx, &form, A->rows, moved, 10, &args);
}

static gable_status from_padded(gable_context *ctx, const gbl_sparse_layout *A,
                                gbl_sparse_layout *to)
{
    const gbl_arena_mark mark = gbl_arena_mark_get(ctx->arena);
    const gable_status status = unpack(ctx, A, to);
    gbl_arena_release(ctx->arena, mark);
    return status;
}

static gable_status to_rows(gable_context *ctx, const gbl_sparse_layout *A, gbl_sparse_layout *to)
{
    *to = (gbl_sparse_layout){.dtype = A->dtype,
                              .format = GABLE_CSR,
                              .index_bytes = A->index_bytes,
                              .rows = A->rows,
                              .columns = A->columns,
                              .entries = A->entries,
                              .stored = A->entries,
                              .longest = A->longest};
    return A->format == GABLE_COO ? from_coo(ctx, A, to) : from_padded(ctx, A, to);
}

gable_status gbl_sparse_rows_of(gable_context *ctx, const gable_sparse *A, gbl_sparse_layout *rows,
                                bool *borrowed)
{
    *borrowed = A->layout.format == GABLE_CSR;
    if (*borrowed) {
        *rows = A->layout;
        return GABLE_OK;
    }
    const gable_status status = to_rows(ctx, &A->layout, rows);
    if (status != GABLE_OK)
        gbl_sparse_free_arrays(ctx, rows);
    return status;
}

/* ---- All ---- */

static gable_status convert(gable_context *ctx, const gable_sparse *A, gable_format format,
                            int64_t chunk, int64_t sigma, gable_sparse **B)
{
    gbl_sparse_layout rows, to;
    bool borrowed;
    TRY(gbl_sparse_rows_of(ctx, A, &rows, &borrowed));
    gable_status status = GABLE_OK;
    const bool done = format == GABLE_CSR && !borrowed;
    if (done)
        to = rows;
    else
        status = from_rows(ctx, &rows, format, chunk, sigma, &to);
    if (status == GABLE_OK)
        status = gbl_sparse_new(ctx, &to, B);
    if (status != GABLE_OK)
        gbl_sparse_free_arrays(ctx, &to);
    if (!borrowed && !done)
        gbl_sparse_free_arrays(ctx, &rows);
    if (status == GABLE_OK && atomic_load(&A->known)) {
        (*B)->statistics = A->statistics;
        atomic_store(&(*B)->known, true);
    }
    if (status == GABLE_OK && atomic_load(&A->measured)) {
        (*B)->lengths = A->lengths;
        atomic_store(&(*B)->measured, true);
    }
    if (status == GABLE_OK)
        atomic_store(&(*B)->repeats, atomic_load(&A->repeats));
    return status;
}

gable_status gbl_sparse_convert(gable_context *ctx, gable_sparse *A, gable_format format,
                                int64_t chunk, int64_t sigma, gable_sparse **B)
{
    TRY(gbl_enter(ctx, "gable_sparse_convert"));
    TRY(gbl_sparse_check(ctx, 2, "A", A));
    CHECK_ARG(ctx, format >= GABLE_FORMAT_AUTO && format <= GABLE_HYB, 3, "format",
              "is %d; it must be a gable_format", (int)format);
    const bool sell = format == GABLE_SELL;
    CHECK_ARG(ctx, sell || chunk == 0, 4, "chunk", "is %lld; formats without slices take 0",
              (long long)chunk);
    CHECK_ARG(ctx, chunk >= 0 && chunk <= GBL_MOST_CHUNK && (chunk & (chunk - 1)) == 0, 4, "chunk",
              "is %lld; it must be a power of two up to %d, or 0", (long long)chunk,
              GBL_MOST_CHUNK);
    CHECK_ARG(ctx, sell || sigma == 0, 5, "sigma", "is %lld; formats without slices take 0",
              (long long)sigma);
    CHECK_ARG(ctx, sigma >= 0, 5, "sigma", "is %lld; it must be at least 0", (long long)sigma);
    CHECK_ARG(ctx, B != NULL, 6, "B", "is NULL");
    TRY(gbl_check_not_recording(ctx, "the conversion of a matrix"));
    gbl_span span = {.kind = GBL_EVENT_WORK, .name = "gable_sparse_convert"};
    span.class = gbl_span_class((double)gbl_sparse_memory(&A->layout));
    gable_sparse *fresh = NULL;
    gable_status status = GABLE_OK;
    gbl_span_begin(ctx, &span);
    ctx->depth++;
    if (format == GABLE_FORMAT_AUTO)
        status = gbl_sparse_choose(ctx, A, &format, &chunk, &sigma, NULL, 0);
    if (status == GABLE_OK)
        status = convert(ctx, A, format, chunk, sigma, &fresh);
    if (status == GABLE_OK)
        status = gbl_sparse_complete(ctx, &fresh);
    ctx->depth--;
    if (status == GABLE_OK) {
        span.bytes = (double)(gbl_sparse_memory(&A->layout) + gbl_sparse_memory(&fresh->layout));
        *B = fresh;
    }
    return gbl_span_end(ctx, &span, status);
}

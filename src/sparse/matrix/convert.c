/* convert.c: sparse matrices from one format to another.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Every way leads through compressed rows. Entries never leave the device: of a matrix in
 * compressed rows the starts come to the host, which plans (convert_plan.c), and kernels fill the
 * new arrays; of other formats the lengths of rows come, and their sums go back as starts.
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

/* Indices on the host into a fresh array of the device. */
static gable_status send(gable_context *ctx, const void *indices, int64_t count, size_t bytes,
                         const void **array)
{
    TRY(gbl_sparse_alloc(ctx, count, bytes, array));
    return gable_set_vector(ctx, count, bytes, indices, 1, (void *)(uintptr_t)*array, 1);
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

/* ---- From compressed rows ---- */

static gable_status fill_coo(gable_context *ctx, const gbl_sparse_layout *A, gbl_sparse_layout *to)
{
    const size_t index = A->index_bytes;
    TRY(gbl_sparse_alloc(ctx, A->entries, index, &to->row));
    TRY(gbl_sparse_alloc(ctx, A->entries, index, &to->column));
    TRY(gbl_sparse_alloc(ctx, A->entries, gbl_dtype_bytes(A->dtype), &to->value));
    const sparse_convert_args args = args_of(to, A->rows, 0);
    const gbl_sparse_form form = form_of(GBL_SPARSE_REST, to);
    const void *const buffers[] = {A->start, A->column,  A->value, A->start,
                                   to->row,  to->column, to->value};
    return gbl_sparse_launch(ctx, &form, A->rows, buffers, 7, &args);
}

static gable_status fill_csr(gable_context *ctx, const gbl_sparse_layout *A, gbl_sparse_layout *to)
{
    const size_t index = A->index_bytes, value = gbl_dtype_bytes(A->dtype);
    TRY(gbl_sparse_alloc(ctx, A->rows + 1, index, &to->start));
    TRY(gbl_sparse_alloc(ctx, A->entries, index, &to->column));
    TRY(gbl_sparse_alloc(ctx, A->entries, value, &to->value));
    TRY(gable_copy_bytes(ctx, (void *)(uintptr_t)to->start, A->start,
                         (size_t)(A->rows + 1) * index));
    TRY(gable_copy_bytes(ctx, (void *)(uintptr_t)to->column, A->column,
                         (size_t)A->entries * index));
    return gable_copy_bytes(ctx, (void *)(uintptr_t)to->value, A->value,
                            (size_t)A->entries * value);
}

static gable_status fill_padded(gable_context *ctx, const gbl_sparse_layout *A,
                                const gbl_convert_plan *plan, gbl_sparse_layout *to)
{
    const size_t index = A->index_bytes, value = gbl_dtype_bytes(A->dtype);
    if (plan->slice != NULL)
        TRY(send(ctx, plan->slice, to->slices + 1, index, &to->start));
    if (plan->order != NULL)
        TRY(send(ctx, plan->order, to->rows, index, &to->order));
    TRY(gbl_sparse_alloc(ctx, to->stored, index, &to->column));
    TRY(gbl_sparse_alloc(ctx, to->stored, value, &to->value));
    const sparse_convert_args args = args_of(to, plan->places, plan->shift);
    const gbl_sparse_form form = form_of(GBL_SPARSE_PACK, to);
    const void *const buffers[] = {
        A->start,   A->column, A->value, or_any(to->start, A->start), or_any(to->order, A->start),
        to->column, to->value};
    return gbl_sparse_launch(ctx, &form, plan->places, buffers, 7, &args);
}

static gable_status fill_rest(gable_context *ctx, const gbl_sparse_layout *A,
                              const gbl_convert_plan *plan, gbl_sparse_layout *to)
{
    const size_t index = A->index_bytes;
    const void *rest_start = NULL;
    TRY(gbl_sparse_alloc(ctx, to->rest, index, &to->rest_row));
    TRY(gbl_sparse_alloc(ctx, to->rest, index, &to->rest_column));
    TRY(gbl_sparse_alloc(ctx, to->rest, gbl_dtype_bytes(A->dtype), &to->rest_value));
    gable_status status = send(ctx, plan->rest_start, to->rows + 1, index, &rest_start);
    if (status == GABLE_OK) {
        const sparse_convert_args args = args_of(to, plan->places, 0);
        const gbl_sparse_form form = form_of(GBL_SPARSE_REST, to);
        const void *const buffers[] = {A->start,     A->column,       A->value,      rest_start,
                                       to->rest_row, to->rest_column, to->rest_value};
        status = gbl_sparse_launch(ctx, &form, to->rows, buffers, 7, &args);
    }
    const gable_status freed = gable_free(ctx, (void *)(uintptr_t)rest_start);
    return status == GABLE_OK ? freed : status;
}

static gable_status from_rows(gable_context *ctx, const gbl_sparse_layout *A, gable_format format,
                              int64_t chunk, int64_t sigma, gbl_sparse_layout *to)
{
    const void *start;
    void *owned;
    gbl_convert_plan plan = {.slice = NULL};
    gable_status status = fetch(ctx, A->start, A->rows + 1, A->index_bytes, &start, &owned);
    if (status == GABLE_OK)
        status = gbl_convert_plan_make(ctx, A, start, format, chunk, sigma, &plan);
    *to = plan.layout;
    if (status == GABLE_OK)
        status = format == GABLE_CSR   ? fill_csr(ctx, A, to)
                 : format == GABLE_COO ? fill_coo(ctx, A, to)
                                       : fill_padded(ctx, A, &plan, to);
    if (status == GABLE_OK && format == GABLE_HYB)
        status = fill_rest(ctx, A, &plan, to);
    gbl_convert_plan_free(&plan);
    free(owned);
    return status;
}

/* ---- To compressed rows ---- */

gable_status gbl_sparse_starts(gable_context *ctx, const gbl_sparse_layout *A, const void *row,
                               int64_t entries, const void **start)
{
    TRY(gbl_sparse_alloc(ctx, A->rows + 1, A->index_bytes, start));
    const sparse_convert_args args = {.rows = A->rows, .entries = entries};
    const gbl_sparse_form form = {.kernel = GBL_SPARSE_STARTS, .index_bytes = A->index_bytes};
    const void *const buffers[] = {row, *start};
    return gbl_sparse_launch(ctx, &form, entries + 1, buffers, 2, &args);
}

static gable_status from_coo(gable_context *ctx, const gbl_sparse_layout *A, gbl_sparse_layout *to)
{
    const size_t index = A->index_bytes, value = gbl_dtype_bytes(A->dtype);
    TRY(gbl_sparse_starts(ctx, A, A->row, A->entries, &to->start));
    TRY(gbl_sparse_alloc(ctx, A->entries, index, &to->column));
    TRY(gbl_sparse_alloc(ctx, A->entries, value, &to->value));
    TRY(gable_copy_bytes(ctx, (void *)(uintptr_t)to->column, A->column,
                         (size_t)A->entries * index));
    return gable_copy_bytes(ctx, (void *)(uintptr_t)to->value, A->value,
                            (size_t)A->entries * value);
}

/* Lengths of rows, on the host, to starts on the device. The rest of HYB is added to the first
 * part. */
static gable_status starts_from_lengths(gable_context *ctx, const gbl_sparse_layout *A,
                                        const void *lengths, const void *rest_start,
                                        const void **start)
{
    const int index = A->index_bytes;
    void *sums;
    int64_t sum = 0;
    TRY(gbl_sparse_room(ctx, A->rows + 1, (size_t)index, &sums));
    for (int64_t i = 0; i < A->rows; i++) {
        gbl_index_put(sums, index, i, sum);
        sum += gbl_index_get(lengths, index, i);
        if (rest_start != NULL)
            sum += gbl_index_get(rest_start, index, i + 1) - gbl_index_get(rest_start, index, i);
    }
    gbl_index_put(sums, index, A->rows, sum);
    const gable_status status = send(ctx, sums, A->rows + 1, (size_t)index, start);
    free(sums);
    return status;
}

/* What from_padded has for a while, on the device and on the host. */
typedef struct between {
    const void *lengths, *rest_start;
    const void *near_lengths, *near_rest;
    void *owned[2];
} between;

static gable_status unpack(gable_context *ctx, const gbl_sparse_layout *A, between *b,
                           gbl_sparse_layout *to)
{
    const size_t index = A->index_bytes;
    int64_t shift = 0;
    while ((int64_t)1 << shift < A->chunk)
        shift++;
    const sparse_convert_args args = args_of(A, A->rows, shift);
    const void *slice = or_any(A->start, A->column), *order = or_any(A->order, A->column);

    TRY(gbl_sparse_alloc(ctx, A->rows, index, &b->lengths));
    gbl_sparse_form form = form_of(GBL_SPARSE_LENGTHS, A);
    const void *const counted[] = {A->column, slice, order, b->lengths};
    TRY(gbl_sparse_launch(ctx, &form, A->rows, counted, 4, &args));
    TRY(fetch(ctx, b->lengths, A->rows, index, &b->near_lengths, &b->owned[0]));
    if (A->format == GABLE_HYB) {
        TRY(gbl_sparse_starts(ctx, A, A->rest_row, A->rest, &b->rest_start));
        TRY(fetch(ctx, b->rest_start, A->rows + 1, index, &b->near_rest, &b->owned[1]));
    }
    TRY(starts_from_lengths(ctx, A, b->near_lengths, b->near_rest, &to->start));

    TRY(gbl_sparse_alloc(ctx, A->entries, index, &to->column));
    TRY(gbl_sparse_alloc(ctx, A->entries, gbl_dtype_bytes(A->dtype), &to->value));
    form = form_of(GBL_SPARSE_UNPACK, A);
    const void *const moved[] = {A->column,
                                 A->value,
                                 slice,
                                 order,
                                 or_any(b->rest_start, A->column),
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
    between b = {.lengths = NULL};
    gable_status status = unpack(ctx, A, &b, to);
    const gable_status freed[2] = {gable_free(ctx, (void *)(uintptr_t)b.lengths),
                                   gable_free(ctx, (void *)(uintptr_t)b.rest_start)};
    free(b.owned[0]);
    free(b.owned[1]);
    for (int i = 0; i < 2; i++)
        status = status == GABLE_OK ? freed[i] : status;
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

/* matrix_transpose.c: the transpose of a sparse matrix, made once and kept.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * It is made on the host, by counting: entries go there and the result comes back, once per matrix.
 * Each thread has a range of columns, looks at the columns of all entries, and moves those of its
 * own. Rows are walked in order, so the columns of the transpose rise, and the result does not
 * depend on the number of threads.
 */
#include <stdlib.h>
#include <string.h>
#include "core/observe.h"
#include "device/cpu_team.h"
#include "sparse/matrix/sparse_host.h"

typedef struct turn {
    const gbl_sparse_host *from;
    gbl_sparse_host *to;
    int64_t *next; /* of each column: how many entries; then where the next one goes */
} turn;

static void count_columns(void *job, int piece, int64_t begin, int64_t end)
{
    const turn *t = job;
    const int bytes = t->from->index_bytes;
    (void)piece;
    for (int64_t j = begin; j < end; j++)
        t->next[j] = 0;
    for (int64_t e = 0; e < t->from->entries; e++) {
        const int64_t j = gbl_index_get(t->from->column, bytes, e);
        if (j >= begin && j < end)
            t->next[j]++;
    }
}

static void move_columns(void *job, int piece, int64_t begin, int64_t end)
{
    const turn *t = job;
    const gbl_sparse_host *from = t->from;
    const int bytes = from->index_bytes;
    const size_t elem = gbl_dtype_bytes(from->dtype);
    (void)piece;
    for (int64_t i = 0; i < from->rows; i++) {
        const int64_t last = gbl_index_get(from->start, bytes, i + 1);
        for (int64_t e = gbl_index_get(from->start, bytes, i); e < last; e++) {
            const int64_t j = gbl_index_get(from->column, bytes, e);
            if (j < begin || j >= end)
                continue;
            const int64_t at = t->next[j]++;
            gbl_index_put(t->to->owned[1], bytes, at, i);
            gbl_value_move(t->to->owned[2], at, from->values, e, elem);
        }
    }
}

static gable_status fill(gable_context *ctx, turn *t)
{
    const gbl_sparse_host *from = t->from;
    gbl_sparse_host *to = t->to;
    const size_t index = (size_t)from->index_bytes;
    int64_t sum = 0;
    TRY(gbl_sparse_room(ctx, to->rows + 1, index, &to->owned[0]));
    TRY(gbl_sparse_room(ctx, to->entries, index, &to->owned[1]));
    TRY(gbl_sparse_room(ctx, to->entries, gbl_dtype_bytes(to->dtype), &to->owned[2]));
    /* Every thread looks at all columns: what a piece costs does not shrink with it, so few columns
     * stay with one thread. */
    const int64_t each = from->columns > 0 ? 16 * (from->entries / from->columns + 1) : 16;
    gbl_cpu_share(from->columns, 8, each, count_columns, t);
    for (int64_t j = 0; j < to->rows; j++) {
        const int64_t count = t->next[j];
        to->longest = count > to->longest ? count : to->longest;
        gbl_index_put(to->owned[0], from->index_bytes, j, sum);
        t->next[j] = sum;
        sum += count;
    }
    gbl_index_put(to->owned[0], from->index_bytes, to->rows, sum);
    gbl_cpu_share(from->columns, 8, each, move_columns, t);
    to->start = to->owned[0];
    to->column = to->owned[1];
    to->values = to->owned[2];
    return GABLE_OK;
}

gable_status gbl_sparse_host_transpose(gable_context *ctx, const gbl_sparse_host *host,
                                       gbl_sparse_host *transpose)
{
    void *next;
    *transpose = (gbl_sparse_host){.dtype = host->dtype,
                                   .index_bytes = host->index_bytes,
                                   .rows = host->columns,
                                   .columns = host->rows,
                                   .entries = host->entries};
    TRY(gbl_sparse_room(ctx, host->columns, sizeof(int64_t), &next));
    turn t = {host, transpose, next};
    const gable_status status = fill(ctx, &t);
    free(next);
    if (status != GABLE_OK)
        gbl_sparse_host_free(transpose);
    return status;
}

/* The arrays of compressed rows on the host: themselves on cpu. */
static gable_status fetch(gable_context *ctx, const gbl_sparse_layout *A, gbl_sparse_host *host)
{
    const size_t index = A->index_bytes, elem = gbl_dtype_bytes(A->dtype);
    *host = (gbl_sparse_host){.dtype = A->dtype,
                              .index_bytes = A->index_bytes,
                              .rows = A->rows,
                              .columns = A->columns,
                              .entries = A->entries,
                              .longest = A->longest,
                              .start = A->start,
                              .column = A->column,
                              .values = A->value};
    if (ctx->device->props.is_host)
        return GABLE_OK;
    TRY(gbl_sparse_room(ctx, A->rows + 1, index, &host->owned[0]));
    TRY(gbl_sparse_room(ctx, A->entries, index, &host->owned[1]));
    TRY(gbl_sparse_room(ctx, A->entries, elem, &host->owned[2]));
    TRY(gable_get_vector(ctx, A->rows + 1, index, A->start, 1, host->owned[0], 1));
    TRY(gable_get_vector(ctx, A->entries, index, A->column, 1, host->owned[1], 1));
    TRY(gable_get_vector(ctx, A->entries, elem, A->value, 1, host->owned[2], 1));
    host->start = host->owned[0];
    host->column = host->owned[1];
    host->values = host->owned[2];
    return GABLE_OK;
}

gable_status gbl_sparse_fetch(gable_context *ctx, const gable_sparse *A, gbl_sparse_host *host)
{
    gbl_sparse_layout rows;
    bool borrowed;
    *host = (gbl_sparse_host){.rows = 0};
    TRY(gbl_sparse_rows_of(ctx, A, &rows, &borrowed));
    gable_status status = fetch(ctx, &rows, host);
    if (borrowed)
        goto done;
    if (status == GABLE_OK && ctx->device->props.is_host) {
        /* The arrays are only there for this: they must outlive the layout. */
        const void *const arrays[3] = {rows.start, rows.column, rows.value};
        const size_t bytes[3] = {((size_t)rows.rows + 1) * rows.index_bytes,
                                 (size_t)rows.entries * rows.index_bytes,
                                 (size_t)rows.entries * gbl_dtype_bytes(rows.dtype)};
        for (int i = 0; i < 3 && status == GABLE_OK; i++) {
            status = gbl_sparse_room(ctx, (int64_t)bytes[i], 1, &host->owned[i]);
            if (status == GABLE_OK && bytes[i] > 0)
                memcpy(host->owned[i], arrays[i], bytes[i]);
        }
        host->start = host->owned[0];
        host->column = host->owned[1];
        host->values = host->owned[2];
    }
    gbl_sparse_free_arrays(ctx, &rows);
done:
    if (status != GABLE_OK)
        gbl_sparse_host_free(host);
    return status;
}

static gable_status make(gable_context *ctx, const gable_sparse *A, gable_sparse **made)
{
    gbl_sparse_host host, transpose;
    TRY(gbl_sparse_fetch(ctx, A, &host));
    gable_status status = gbl_sparse_host_transpose(ctx, &host, &transpose);
    gbl_sparse_host_free(&host);
    if (status == GABLE_OK)
        status = gbl_sparse_from_host(ctx, &transpose, made);
    gbl_sparse_host_free(&transpose);
    /* Other contexts may use it at once: all of it must be there. */
    return status == GABLE_OK ? gbl_sparse_complete(ctx, made) : status;
}

gable_status gbl_sparse_transpose(gable_context *ctx, gable_sparse *A, gable_sparse **transpose)
{
    *transpose = atomic_load(&A->transpose);
    if (*transpose != NULL)
        return GABLE_OK;
    TRY(gbl_check_not_recording(
        ctx, "the first product with a transposed matrix, which makes the transpose,"));
    gable_status status = GABLE_OK;
    pthread_mutex_lock(&A->lock);
    *transpose = atomic_load(&A->transpose);
    if (*transpose == NULL) {
        const double bytes = 2 * (double)gbl_sparse_memory(&A->layout);
        const gbl_span span = {.kind = GBL_EVENT_WORK,
                               .name = "sparse_transpose",
                               .class = gbl_span_class(bytes),
                               .bytes = bytes,
                               .link = true};
        gbl_span_begin(ctx, &span);
        ctx->depth++;
        status = make(ctx, A, transpose);
        ctx->depth--;
        gbl_span_end(ctx, &span, status);
        if (status == GABLE_OK)
            atomic_store(&A->transpose, *transpose);
    }
    pthread_mutex_unlock(&A->lock);
    return status;
}

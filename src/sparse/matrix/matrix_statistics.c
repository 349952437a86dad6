/* matrix_statistics.c: what a sparse matrix is: its layout, and what its entries say.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * All of it is found where the entries are, when it is first asked for: lengths of rows, which the
 * choice of a format needs, by kernels/sparse/sparse_check_rows.cl, the rest by sparse_look.cl, or
 * on cpu by the same loops here. Nothing depends on threads or launches.
 */
#include <math.h>
#include <stdlib.h>
#include "core/observe.h"
#include "device/cpu_team.h"
#include "sparse/matrix/sparse_host.h"
#include "sparse/matrix/sparse_kernels.h"

uint64_t gbl_sparse_memory(const gbl_sparse_layout *A)
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

uint64_t gbl_span_class(double bytes)
{
    int exponent = 0;
    frexp(bytes, &exponent);
    return exponent > 0 ? (uint64_t)exponent : 0;
}

/* ---- Lengths of rows ---- */

void gbl_sparse_lengths_count(const gbl_sparse_layout *A, const void *start,
                              gbl_sparse_lengths *found)
{
    const double mean = A->rows > 0 ? (double)A->entries / (double)A->rows : 0;
    double squares = 0;
    *found = (gbl_sparse_lengths){.shortest = A->rows > 0 ? INT64_MAX : 0, .mean = mean};
    for (int64_t i = 0; i < A->rows; i++) {
        const int64_t length =
            gbl_index_get(start, A->index_bytes, i + 1) - gbl_index_get(start, A->index_bytes, i);
        const double off = (double)length - mean;
        found->shortest = length < found->shortest ? length : found->shortest;
        found->longest = length > found->longest ? length : found->longest;
        squares += off * off;
    }
    found->deviation = A->rows > 0 ? sqrt(squares / (double)A->rows) : 0;
}

static gable_status measure(gable_context *ctx, const gbl_sparse_layout *rows,
                            gbl_sparse_lengths *found)
{
    if (!ctx->device->props.is_host && rows->rows > 0)
        return gbl_sparse_lengths_find(ctx, rows, found);
    if (ctx->device->props.is_host)
        gbl_sparse_lengths_count(rows, rows->start, found);
    else
        *found = (gbl_sparse_lengths){.longest = 0};
    return GABLE_OK;
}

/* ---- Entries, on cpu ---- */

typedef struct value_pair {
    double re, im;
} value_pair;

/* float becomes double without a change. */
static value_pair value_at(const gbl_sparse_layout *A, int64_t e)
{
    switch (A->dtype) {
    case GBL_S:
        return (value_pair){((const float *)A->value)[e], 0};
    case GBL_D:
        return (value_pair){((const double *)A->value)[e], 0};
    case GBL_C:
        return (value_pair){((const gable_cfloat *)A->value)[e].re,
                            ((const gable_cfloat *)A->value)[e].im};
    default:
        return (value_pair){((const gable_cdouble *)A->value)[e].re,
                            ((const gable_cdouble *)A->value)[e].im};
    }
}

/* Entry (i, j), 0 where there is none: rows are sorted. */
static value_pair entry_at(const gbl_sparse_layout *A, int64_t i, int64_t j)
{
    int64_t low = gbl_index_get(A->start, A->index_bytes, i);
    const int64_t to = gbl_index_get(A->start, A->index_bytes, i + 1);
    int64_t high = to;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (gbl_index_get(A->column, A->index_bytes, middle) < j)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < to && gbl_index_get(A->column, A->index_bytes, low) == j)
        return value_at(A, low);
    return (value_pair){0, 0};
}

typedef struct look {
    const gbl_sparse_layout *A;
    int64_t found[GBL_CPU_MAX_PIECES][SPARSE_FINDINGS];
} look;

/* As kernels/sparse/sparse_look.cl. */
static void look_at_rows(void *job, int piece, int64_t begin, int64_t end)
{
    look *l = job;
    const gbl_sparse_layout *A = l->A;
    int64_t band = 0, full = 0, positive = 0, differs = 0;
    for (int64_t i = begin; i < end; i++) {
        const int64_t to = gbl_index_get(A->start, A->index_bytes, i + 1);
        for (int64_t e = gbl_index_get(A->start, A->index_bytes, i); e < to; e++) {
            const int64_t j = gbl_index_get(A->column, A->index_bytes, e),
                          off = i < j ? j - i : i - j;
            const value_pair here = value_at(A, e);
            band = off > band ? off : band;
            if (off == 0) {
                full += here.re != 0 || here.im != 0;
                positive += here.re > 0 && here.im == 0;
            }
            if (A->rows == A->columns && differs != 3) {
                const value_pair there = entry_at(A, j, i);
                const bool real = !(here.re == there.re);
                differs |= (real || !(here.im == there.im) ? 1 : 0) +
                           (real || !(here.im == -there.im) ? 2 : 0);
            }
        }
    }
    const int64_t found[SPARSE_FINDINGS] = {band, full, positive, differs};
    for (int k = 0; k < SPARSE_FINDINGS; k++)
        l->found[piece][k] = found[k];
}

static gable_status look_on_cpu(gable_context *ctx, const gbl_sparse_layout *A, int64_t *findings)
{
    void *room;
    TRY(gbl_sparse_room(ctx, 1, sizeof(look), &room));
    look *l = room;
    l->A = A;
    const int64_t each = A->rows > 0 ? A->entries / A->rows + 1 : 1;
    const int pieces = gbl_cpu_share(A->rows, A->index_bytes, 64 * each, look_at_rows, l);
    for (int k = 0; k < SPARSE_FINDINGS; k++) {
        findings[k] = gbl_sparse_unfound(GBL_SPARSE_LOOK, k);
        for (int i = 0; i < pieces; i++)
            findings[k] = gbl_sparse_together(GBL_SPARSE_LOOK, k, findings[k], l->found[i][k]);
    }
    free(l);
    return GABLE_OK;
}

/* ---- Together ---- */

static gable_status look_at(gable_context *ctx, const gbl_sparse_layout *A,
                            gbl_sparse_statistics *found)
{
    int64_t findings[SPARSE_FINDINGS];
    if (ctx->device->props.is_host) {
        TRY(look_on_cpu(ctx, A, findings));
    } else {
        const sparse_convert_args args = {
            .rows = A->rows, .columns = A->columns, .entries = A->entries};
        const gbl_sparse_form form = {
            .kernel = GBL_SPARSE_LOOK, .dtype = A->dtype, .index_bytes = A->index_bytes};
        const void *const buffers[] = {A->start, A->column, A->value};
        TRY(gbl_sparse_find(ctx, &form, A->entries, buffers, 3, &args, findings));
    }
    const bool square = A->rows == A->columns;
    const int64_t diagonal = A->rows < A->columns ? A->rows : A->columns;
    found->bandwidth = findings[0];
    found->empty_diagonal = diagonal - findings[1];
    found->positive_diagonal = square && findings[2] == diagonal;
    found->symmetric = square && (findings[3] & 1) == 0;
    found->hermitian = square && (findings[3] & 2) == 0;
    return GABLE_OK;
}

/* What is asked for: the lengths of rows, or the statistics. */
static gable_status find_out(gable_context *ctx, const gable_sparse *A,
                             gbl_sparse_statistics *found, gbl_sparse_lengths *lengths)
{
    gbl_sparse_layout rows;
    bool borrowed;
    TRY(gbl_sparse_rows_of(ctx, A, &rows, &borrowed));
    gable_status status = found != NULL ? look_at(ctx, &rows, found) : measure(ctx, &rows, lengths);
    if (!borrowed) {
        const gable_status freed = gbl_sparse_free_arrays(ctx, &rows);
        status = status == GABLE_OK ? freed : status;
    }
    return status;
}

/* Once per matrix, by whoever asks first; others wait for it. */
static gable_status find_out_once(gable_context *ctx, gable_sparse *A, bool all)
{
    atomic_bool *const done = all ? &A->known : &A->measured;
    gable_status status = GABLE_OK;
    if (atomic_load(done))
        return GABLE_OK;
    TRY(gbl_check_not_recording(ctx, "a look at the entries of a matrix"));
    pthread_mutex_lock(&A->lock);
    if (!atomic_load(done)) {
        gbl_sparse_statistics found = {.bandwidth = 0};
        gbl_sparse_lengths lengths = {.longest = 0};
        const double bytes = (double)gbl_sparse_memory(&A->layout);
        const gbl_span span = {.kind = GBL_EVENT_WORK,
                               .name = all ? "sparse_statistics" : "sparse_lengths",
                               .class = gbl_span_class(bytes),
                               .bytes = bytes};
        gbl_span_begin(ctx, &span);
        ctx->depth++;
        status = find_out(ctx, A, all ? &found : NULL, &lengths);
        ctx->depth--;
        gbl_span_end(ctx, &span, status);
        if (status == GABLE_OK && all)
            A->statistics = found;
        else if (status == GABLE_OK)
            A->lengths = lengths;
        if (status == GABLE_OK)
            atomic_store(done, true);
    }
    pthread_mutex_unlock(&A->lock);
    return status;
}

gable_status gbl_sparse_lengths_get(gable_context *ctx, gable_sparse *A)
{
    return find_out_once(ctx, A, false);
}

gable_status gbl_sparse_statistics_get(gable_context *ctx, gable_sparse *A)
{
    return find_out_once(ctx, A, true);
}

gable_status gbl_sparse_describe(gable_context *ctx, gable_sparse *A, gable_sparse_info *info)
{
    TRY(gbl_enter(ctx, "gable_sparse_describe"));
    TRY(gbl_sparse_check(ctx, 2, "A", A));
    CHECK_ARG(ctx, info != NULL, 3, "info", "is NULL");
    TRY(gbl_sparse_lengths_get(ctx, A));
    TRY(gbl_sparse_statistics_get(ctx, A));
    const gbl_sparse_layout *layout = &A->layout;
    const gbl_sparse_lengths *lengths = &A->lengths;
    const gbl_sparse_statistics *known = &A->statistics;
    *info = (gable_sparse_info){.precision = gbl_dtype_letter(layout->dtype),
                                .index_bits = 8 * layout->index_bytes,
                                .format = (gable_format)layout->format,
                                .rows = layout->rows,
                                .columns = layout->columns,
                                .entries = layout->entries,
                                .stored = layout->stored + layout->rest,
                                .shortest = lengths->shortest,
                                .longest = layout->longest,
                                .mean = lengths->mean,
                                .deviation = lengths->deviation,
                                .bandwidth = known->bandwidth,
                                .empty_diagonal = known->empty_diagonal,
                                .symmetric = known->symmetric,
                                .hermitian = known->hermitian,
                                .chunk = layout->chunk,
                                .sigma = layout->sigma,
                                .bytes = gbl_sparse_memory(layout)};
    return GABLE_OK;
}

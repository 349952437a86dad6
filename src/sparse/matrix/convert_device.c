/* convert_device.c: how rows will lie in another format: found from their lengths, on the device.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * SELL: rows are sorted within windows (sparse_sort.cl), the places of slices counted and scanned
 * (sparse_counts.cl, sparse_scan.cl). Where the caller leaves it to the library whether rows are
 * sorted, both is enqueued, and the host reads both sums at once: it waits once, for the number
 * that sizes the arrays. HYB: the width is searched between 0 and three times the mean length: at
 * most a third of the rows can be longer than that (Markov's inequality). Each pass counts for as
 * many widths as a group has findings, and is waited for; the rest is one wait more.
 */
#include "blas/kernel_plan.h"
#include "core/launch.h"
#include "sparse/matrix/convert_plan.h"
#include "sparse/matrix/sparse_kernels.h"

static gable_status take(gable_context *ctx, int64_t count, size_t bytes, void **room)
{
    return gbl_arena_take(ctx->arena, ctx->device, (size_t)count * bytes, room, &ctx->message);
}

static sparse_convert_args args_of(const gbl_convert_plan *plan)
{
    return (sparse_convert_args){.rows = plan->layout.rows,
                                 .columns = plan->layout.columns,
                                 .entries = plan->layout.entries,
                                 .shift = plan->shift,
                                 .width = plan->layout.width};
}

/* ---- SELL ---- */

static gable_status count_slices(gable_context *ctx, const gbl_sparse_layout *A,
                                 const gbl_convert_plan *plan, const void *order, void *slice,
                                 void *total)
{
    const sparse_convert_args args = args_of(plan);
    const gbl_sparse_form form = {.kernel = GBL_SPARSE_COUNTS,
                                  .index_bytes = A->index_bytes,
                                  .kind = SPARSE_OF_SLICES,
                                  .ordered = order != NULL};
    return gbl_sparse_scan(ctx, &form, plan->layout.slices, A->start, order, slice, total, &args);
}

static gable_status sort_rows(gable_context *ctx, const gbl_sparse_layout *A,
                              const gbl_convert_plan *plan, int64_t sigma, void *order)
{
    sparse_convert_args args = args_of(plan);
    gbl_sparse_form form = {.kernel = GBL_SPARSE_SORT, .index_bytes = A->index_bytes, .window = 2};
    while (form.window < sigma)
        form.window *= 2;
    args.width = sigma;
    const void *const buffers[] = {A->start, order};
    return gbl_sparse_launch(ctx, &form, gbl_parts(A->rows, sigma), buffers, 2, &args);
}

static gable_status plan_sell(gable_context *ctx, const gbl_sparse_layout *A, int64_t chunk,
                              int64_t sigma, gbl_convert_plan *plan, bool *done)
{
    gbl_sparse_layout *to = &plan->layout;
    gbl_convert_plan_slices(ctx->device, chunk, plan);
    /* Unsorted slices have at most so many places: often that says already that sorting does not
     * pay. */
    const double most = (double)plan->places * (double)A->longest;
    const bool open = sigma == 0 && most > GBL_SORT_FROM * (double)A->entries;
    const int64_t wanted = sigma > 0 ? sigma
                           : open    ? GBL_SORTED_SLICES * to->chunk
                                     : 1,
                  window = gbl_convert_sigma(wanted, A->rows);
    const bool sorts = window > 1, plain = open || !sorts;
    if (window > GBL_SPARSE_WINDOW)
        return GABLE_OK;
    *done = true;
    void *slice[2] = {NULL, NULL}, *order = NULL, *far;
    int64_t total[2] = {0, 0};
    TRY(take(ctx, 2, sizeof(int64_t), &far));
    int64_t *const totals = far;
    for (int sorted = 0; sorted < 2; sorted++) {
        if (!(sorted ? sorts : plain))
            continue;
        if (sorted) {
            TRY(take(ctx, A->rows, A->index_bytes, &order));
            TRY(sort_rows(ctx, A, plan, window, order));
        }
        TRY(take(ctx, to->slices + 1, A->index_bytes, &slice[sorted]));
        TRY(count_slices(ctx, A, plan, order, slice[sorted], totals + sorted));
    }
    TRY(gable_get_vector(ctx, 2, sizeof(int64_t), far, 1, total, 1));
    const bool takes_order =
        sorts && !(open && (double)total[0] <= GBL_SORT_FROM * (double)A->entries);
    to->sigma = takes_order ? window : 1;
    to->stored = total[takes_order];
    plan->slice = slice[takes_order];
    plan->order = takes_order ? order : NULL;
    return gbl_convert_check_room(ctx, to);
}

/* ---- HYB ---- */

/* The smallest width that leaves at most a third of the rows longer. */
static gable_status hyb_width(gable_context *ctx, const gbl_sparse_layout *A, int64_t *width)
{
    int64_t low = 0, high = 3 * A->entries / A->rows + 1; /* it is not above high */
    high = high < A->longest ? high : A->longest;
    const gbl_sparse_form form = {.kernel = GBL_SPARSE_LONGER, .index_bytes = A->index_bytes};
    const void *const buffers[] = {A->start};
    while (low < high) {
        int64_t longer[SPARSE_FINDINGS];
        const int64_t step = gbl_parts(high - low, SPARSE_FINDINGS);
        const sparse_convert_args args = {.rows = A->rows, .width = low, .step = step};
        TRY(gbl_sparse_find(ctx, &form, A->rows, buffers, 1, &args, longer));
        int k = 0;
        while (k < SPARSE_FINDINGS && longer[k] > A->rows / 3)
            k++;
        const int64_t above = low + k * step;
        if (k > 0)
            low = above - step + 1;
        high = above < high ? above : high;
    }
    *width = high;
    return GABLE_OK;
}

static gable_status plan_hyb(gable_context *ctx, const gbl_sparse_layout *A, gbl_convert_plan *plan)
{
    int64_t width;
    void *total;
    TRY(hyb_width(ctx, A, &width));
    gbl_convert_plan_ell(plan, width);
    TRY(gbl_convert_check_room(ctx, &plan->layout));
    TRY(take(ctx, A->rows + 1, A->index_bytes, &plan->rest_start));
    TRY(take(ctx, 1, sizeof(int64_t), &total));
    const sparse_convert_args args = args_of(plan);
    const gbl_sparse_form form = {
        .kernel = GBL_SPARSE_COUNTS, .index_bytes = A->index_bytes, .kind = SPARSE_OF_RESTS};
    TRY(gbl_sparse_scan(ctx, &form, A->rows, A->start, NULL, plan->rest_start, total, &args));
    return gbl_read_scalar(ctx, total, sizeof plan->layout.rest, &plan->layout.rest);
}

/* ---- All ---- */

gable_status gbl_convert_plan_device(gable_context *ctx, const gbl_sparse_layout *A,
                                     gable_format format, int64_t chunk, int64_t sigma,
                                     gbl_convert_plan *plan, bool *done)
{
    *done = false;
    if (A->rows == 0)
        return GABLE_OK;
    gbl_convert_plan_begin(A, format, plan);
    plan->on_device = true;
    if (format == GABLE_SELL)
        return plan_sell(ctx, A, chunk, sigma, plan, done);
    *done = true;
    if (format == GABLE_HYB)
        return plan_hyb(ctx, A, plan);
    if (format == GABLE_ELL)
        gbl_convert_plan_ell(plan, A->longest);
    else
        plan->layout.stored = A->entries;
    return gbl_convert_check_room(ctx, &plan->layout);
}

/* convert_plan.c: how rows will lie in another format: found from their lengths, on the host.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * For cpu, and elsewhere where rows are sorted in very large windows: then the starts of rows come
 * to the host, and entries stay where they are. Widths, orders and starts are the same as those of
 * convert_device.c.
 */
#include <stdlib.h>
#include <string.h>
#include "blas/kernel_plan.h"
#include "core/extents.h"
#include "device/cpu_features.h"
#include "device/cpu_team.h"
#include "sparse/matrix/convert_plan.h"

#define MOST_FILL  1000 /* places per entry: as sparse.h says */
#define ELL_STRIDE 32   /* rows are rounded up to it, so that columns start aligned */

void gbl_convert_plan_free(gbl_convert_plan *plan)
{
    if (!plan->on_device) {
        free(plan->slice);
        free(plan->order);
        free(plan->rest_start);
    }
    plan->slice = plan->order = plan->rest_start = NULL;
}

/* The starts of A's rows. */
typedef struct lengths {
    const void *start;
    int bytes;
    int64_t rows;
} lengths;

static int64_t length_of(const lengths *of, int64_t row)
{
    return gbl_index_get(of->start, of->bytes, row + 1) - gbl_index_get(of->start, of->bytes, row);
}

static const char *name_of(int format)
{
    static const char *const names[] = {"AUTO", "CSR", "COO", "ELL", "SELL", "HYB"};
    return names[format];
}

/* Whether the copy may exist. */
gable_status gbl_convert_check_room(gable_context *ctx, const gbl_sparse_layout *to)
{
    const size_t each = gbl_dtype_bytes(to->dtype) + to->index_bytes;
    const uint64_t memory = ctx->device->props.memory_bytes;
    if (to->entries > 0 && to->stored / MOST_FILL > to->entries)
        return gbl_fail(&ctx->message, GABLE_NOT_SUPPORTED,
                        "%s would have %lld places for %lld entries, more than %d for each; SELL "
                        "and HYB suit rows of such different lengths",
                        name_of(to->format), (long long)to->stored, (long long)to->entries,
                        MOST_FILL);
    if (!gbl_extent_fits(1, 0, to->stored, each) ||
        (memory > 0 && (uint64_t)to->stored * each > memory))
        return gbl_fail(&ctx->message, GABLE_NOT_SUPPORTED,
                        "%s would have %lld places of %zu bytes, more than the memory of %s",
                        name_of(to->format), (long long)to->stored, each, ctx->device->info.name);
    if (to->format == GABLE_SELL && to->index_bytes == 4 && to->stored > INT32_MAX)
        return gbl_fail(&ctx->message, GABLE_NOT_SUPPORTED,
                        "SELL would have %lld places, more than indices of 32 bits count; make "
                        "the matrix with 64 bits",
                        (long long)to->stored);
    return GABLE_OK;
}

/* ---- ELL and HYB ---- */

void gbl_convert_plan_ell(gbl_convert_plan *plan, int64_t width)
{
    gbl_sparse_layout *to = &plan->layout;
    to->stride = gbl_parts(to->rows, ELL_STRIDE) * ELL_STRIDE;
    to->width = width;
    if (__builtin_mul_overflow(to->width, to->stride, &to->stored))
        to->stored = INT64_MAX;
    plan->places = to->stride;
}

/* The smallest width that leaves at most a third of the rows longer. */
static gable_status hyb_width(gable_context *ctx, const lengths *of, int64_t longest,
                              int64_t *width)
{
    void *room;
    TRY(gbl_sparse_room(ctx, longest + 1, sizeof(int64_t), &room));
    int64_t *rows = room; /* of each length */
    memset(rows, 0, (size_t)(longest + 1) * sizeof *rows);
    for (int64_t i = 0; i < of->rows; i++)
        rows[length_of(of, i)]++;
    int64_t longer = of->rows - rows[0], w = 0;
    while (longer > of->rows / 3)
        longer -= rows[++w];
    free(rows);
    *width = w;
    return GABLE_OK;
}

static gable_status plan_hyb(gable_context *ctx, const lengths *of, gbl_convert_plan *plan)
{
    int64_t width, rest = 0;
    TRY(hyb_width(ctx, of, plan->layout.longest, &width));
    gbl_convert_plan_ell(plan, width);
    TRY(gbl_sparse_room(ctx, of->rows + 1, (size_t)of->bytes, &plan->rest_start));
    for (int64_t i = 0; i < of->rows; i++) {
        const int64_t length = length_of(of, i);
        gbl_index_put(plan->rest_start, of->bytes, i, rest);
        rest += length > width ? length - width : 0;
    }
    gbl_index_put(plan->rest_start, of->bytes, of->rows, rest);
    plan->layout.rest = rest;
    return GABLE_OK;
}

/* ---- SELL ---- */

/* Sorts windows of sigma rows: the longest first, equals as they stand. */
typedef struct windows {
    const lengths *of;
    int64_t sigma;
    int64_t *order, *scratch;
} windows;

static void sort_windows(void *job, int piece, int64_t first, int64_t last)
{
    const windows *w = job;
    (void)piece;
    for (int64_t window = first; window < last; window++) {
        const int64_t base = window * w->sigma, left = w->of->rows - base,
                      count = left < w->sigma ? left : w->sigma;
        int64_t *from = w->order + base, *to = w->scratch + base;
        for (int64_t k = 0; k < count; k++)
            from[k] = base + k;
        for (int64_t width = 1; width < count; width *= 2) {
            for (int64_t begin = 0; begin < count; begin += 2 * width) {
                const int64_t middle = begin + width < count ? begin + width : count,
                              end = begin + 2 * width < count ? begin + 2 * width : count;
                int64_t a = begin, b = middle;
                for (int64_t k = begin; k < end; k++) {
                    const bool near = a < middle && (b >= end || length_of(w->of, from[a]) >=
                                                                     length_of(w->of, from[b]));
                    to[k] = near ? from[a++] : from[b++];
                }
            }
            int64_t *other = from;
            from = to;
            to = other;
        }
        if (from != w->order + base)
            memcpy(w->order + base, from, (size_t)count * sizeof *from);
    }
}

/* The order as indices of the matrix; host memory for it is the plan's. */
static gable_status make_order(gable_context *ctx, const lengths *of, int64_t sigma,
                               gbl_convert_plan *plan)
{
    void *rooms[2] = {NULL, NULL};
    gable_status status = gbl_sparse_room(ctx, of->rows, sizeof(int64_t), &rooms[0]);
    if (status == GABLE_OK)
        status = gbl_sparse_room(ctx, of->rows, sizeof(int64_t), &rooms[1]);
    if (status == GABLE_OK)
        status = gbl_sparse_room(ctx, of->rows, (size_t)of->bytes, &plan->order);
    if (status == GABLE_OK) {
        windows w = {of, sigma, rooms[0], rooms[1]};
        gbl_cpu_share(gbl_parts(of->rows, sigma), GBL_CPU_LINE, 16 * sigma * of->bytes,
                      sort_windows, &w);
        for (int64_t i = 0; i < of->rows; i++)
            gbl_index_put(plan->order, of->bytes, i, w.order[i]);
    }
    free(rooms[0]);
    free(rooms[1]);
    return status;
}

/* The widest row of each slice; gives all places together. */
static int64_t fill_slices(const lengths *of, gbl_convert_plan *plan, bool keep)
{
    const int64_t chunk = plan->layout.chunk;
    int64_t stored = 0;
    for (int64_t s = 0; s < plan->layout.slices; s++) {
        const int64_t begin = s * chunk, end = begin + chunk < of->rows ? begin + chunk : of->rows;
        int64_t width = 0;
        for (int64_t i = begin; i < end; i++) {
            const int64_t row = plan->order != NULL ? gbl_index_get(plan->order, of->bytes, i) : i;
            const int64_t length = length_of(of, row);
            width = length > width ? length : width;
        }
        if (keep)
            gbl_index_put(plan->slice, of->bytes, s, stored);
        if (__builtin_mul_overflow(width, chunk, &width) ||
            __builtin_add_overflow(stored, width, &stored))
            return INT64_MAX;
    }
    if (keep)
        gbl_index_put(plan->slice, of->bytes, plan->layout.slices, stored);
    return stored;
}

/* Kernels for CPUs behind OpenCL have 8 work-items side by side; cpu_sparse_rows.h reads 32 rows at
 * a time, cpu_gather.c as many as it gathers elements at once: smaller slices fill up less. */
int64_t gbl_convert_chunk(const gbl_device *device, gbl_dtype dtype, int index_bytes)
{
    if (device->props.is_gpu)
        return GBL_CHUNK_WIDE;
    if (!device->props.is_host)
        return GBL_CHUNK_OPENCL_CPU;
    const int gathered = index_bytes == 4 ? gbl_cpu_gathered_rows(dtype) : 0;
    return gathered > 0 ? gathered : GBL_CHUNK_WIDE;
}

void gbl_convert_plan_slices(const gbl_device *device, int64_t chunk, gbl_convert_plan *plan)
{
    gbl_sparse_layout *to = &plan->layout;
    to->chunk = chunk > 0 ? chunk : gbl_convert_chunk(device, to->dtype, to->index_bytes);
    to->slices = gbl_parts(to->rows, to->chunk);
    while ((int64_t)1 << plan->shift < to->chunk)
        plan->shift++;
    plan->places = to->slices * to->chunk;
}

int64_t gbl_convert_sigma(int64_t sigma, int64_t rows)
{
    return sigma < rows ? sigma : rows > 0 ? rows : 1;
}

static gable_status plan_sell(gable_context *ctx, const lengths *of, int64_t chunk, int64_t sigma,
                              gbl_convert_plan *plan)
{
    gbl_sparse_layout *to = &plan->layout;
    gbl_convert_plan_slices(ctx->device, chunk, plan);
    if (sigma == 0) {
        const int64_t plain = fill_slices(of, plan, false);
        sigma =
            (double)plain > GBL_SORT_FROM * (double)to->entries ? GBL_SORTED_SLICES * to->chunk : 1;
    }
    to->sigma = gbl_convert_sigma(sigma, of->rows);
    if (to->sigma > 1)
        TRY(make_order(ctx, of, to->sigma, plan));
    to->stored = fill_slices(of, plan, false);
    TRY(gbl_convert_check_room(ctx, to));
    TRY(gbl_sparse_room(ctx, to->slices + 1, (size_t)of->bytes, &plan->slice));
    fill_slices(of, plan, true);
    return GABLE_OK;
}

/* ---- All ---- */

static gable_status make(gable_context *ctx, const lengths *of, int64_t chunk, int64_t sigma,
                         gbl_convert_plan *plan)
{
    switch (plan->layout.format) {
    case GABLE_ELL:
        gbl_convert_plan_ell(plan, plan->layout.longest);
        break;
    case GABLE_SELL:
        TRY(plan_sell(ctx, of, chunk, sigma, plan));
        break;
    case GABLE_HYB:
        TRY(plan_hyb(ctx, of, plan));
        break;
    default:
        plan->layout.stored = plan->layout.entries;
    }
    return gbl_convert_check_room(ctx, &plan->layout);
}

void gbl_convert_plan_begin(const gbl_sparse_layout *A, gable_format format, gbl_convert_plan *plan)
{
    *plan = (gbl_convert_plan){.layout = {.dtype = A->dtype,
                                          .format = (uint8_t)format,
                                          .index_bytes = A->index_bytes,
                                          .rows = A->rows,
                                          .columns = A->columns,
                                          .entries = A->entries,
                                          .longest = A->longest}};
}

gable_status gbl_convert_plan_make(gable_context *ctx, const gbl_sparse_layout *A,
                                   const void *start, gable_format format, int64_t chunk,
                                   int64_t sigma, gbl_convert_plan *plan)
{
    const lengths of = {start, A->index_bytes, A->rows};
    gbl_convert_plan_begin(A, format, plan);
    const gable_status status = make(ctx, &of, chunk, sigma, plan);
    if (status != GABLE_OK)
        gbl_convert_plan_free(plan);
    return status;
}

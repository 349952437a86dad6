/* line_read.c: what it costs to read a matrix with neighbours a row or a column apart.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdlib.h>
#include <string.h>
#include "blas/gemm/gemm_plan.h"
#include "blas/level1/stream_plan.h"
#include "core/launch.h"
#include "line_read.h"
#include "operands.h"
#include "roof.h"

#define ITEMS        128
#define STRIP        64
#define SECTOR_BYTES 32 /* that a GPU's cache brings at least for one element */
#define RUNS         9

typedef struct line_read {
    gable_context *ctx;
    gbl_dtype dtype;
    int64_t m, n;
    bool across;
    bench_pool pool;
    void *A, *out;
    bench_roof flush;
    gable_timer *timer;
} line_read;

static int64_t groups_x(const line_read *read)
{
    return gbl_some_parts(read->across ? read->n : read->m, ITEMS);
}

static int64_t groups_y(const line_read *read)
{
    return gbl_some_parts(read->across ? read->m : read->n, STRIP);
}

bool bench_line_read_fits(const gable_context *ctx, int64_t m, int64_t n)
{
    const int64_t most = GBL_MOST_GROUPS_Y * (int64_t)STRIP;
    return ctx->device->table->build != NULL && m > 0 && n > 0 && m <= most && n <= most;
}

static gable_status run(const line_read *read)
{
    gbl_kernel_spec spec;
    gbl_kernel *kernel;
    const gemm_args args = {.m = read->m, .n = read->n, .lda = read->m};
    memset(&spec, 0, sizeof spec);
    spec.file = "gemm_read.cl";
    spec.dtype = read->dtype;
    gbl_kernel_add_macro(&spec, "ITEMS", ITEMS);
    gbl_kernel_add_macro(&spec, "STRIP", STRIP);
    gbl_kernel_add_macro(&spec, "ACROSS", read->across);
    TRY(gbl_kernel_get(read->ctx->device, &spec, &kernel, &read->ctx->message));
    gbl_launch_spec launch = {
        .groups = {groups_x(read), groups_y(read)},
        .group = {ITEMS, 1},
        .buffer_count = 2,
        .buffers = {read->A, read->out},
        .args = &args,
        .args_bytes = sizeof args,
    };
    return gbl_launch(read->ctx, kernel, &launch);
}

static gable_status make(line_read *read)
{
    const size_t elem = gbl_dtype_bytes(read->dtype);
    const size_t bytes = (size_t)read->m * (size_t)read->n * elem;
    read->pool.ctx = read->ctx;
    TRY(bench_pool_take(&read->pool, bytes, &read->A));
    TRY(bench_pool_take(&read->pool, (size_t)groups_x(read) * (size_t)groups_y(read) * ITEMS * elem,
                        &read->out));
    return bench_fill_random(read->ctx, read->A, bytes);
}

static gable_status turn(line_read *read, double *seconds)
{
    TRY(bench_roof_run(&read->flush, 0));
    TRY(gable_timer_start(read->timer));
    TRY(run(read));
    TRY(gable_timer_stop(read->timer));
    return gable_timer_seconds(read->timer, seconds);
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static gable_status measure(line_read *read, double *seconds)
{
    gable_context *ctx = read->ctx;
    double took[RUNS];
    TRY(make(read));
    TRY(bench_roof_make(&read->flush, ctx, BENCH_ROOF_READ, 2 * bench_cache_bytes(ctx), 1));
    TRY(gable_timer_create(ctx, &read->timer));
    TRY(turn(read, &took[0])); /* compiles */
    for (int i = 0; i < RUNS; i++)
        TRY(turn(read, &took[i]));
    qsort(took, RUNS, sizeof took[0], compare);
    *seconds = took[RUNS / 2];
    return GABLE_OK;
}

gable_status bench_line_read_seconds(gable_context *ctx, gbl_dtype dtype, int64_t m, int64_t n,
                                     bool across, double *seconds)
{
    line_read *read = calloc(1, sizeof *read);
    if (read == NULL)
        return gbl_fail(&ctx->message, GABLE_OUT_OF_MEMORY, "no host memory for a measurement");
    read->ctx = ctx;
    read->dtype = dtype;
    read->m = m;
    read->n = n;
    read->across = across;
    const gable_status status = measure(read, seconds);
    gable_timer_destroy(read->timer);
    bench_roof_free(&read->flush);
    bench_pool_free(&read->pool);
    free(read);
    return status;
}

/* Across, a load takes a sector for each element; those of the next rows may still be there, which
 * is not counted on. */
void bench_line_read_cost(const gbl_device *device, gbl_dtype dtype, int64_t m, int64_t n,
                          bool across, gbl_cost *cost)
{
    const double elem = (double)gbl_dtype_bytes(dtype), elements = (double)m * (double)n;
    const line_read read = {.m = m, .n = n, .across = across};
    memset(cost, 0, sizeof *cost);
    cost->groups = (double)groups_x(&read) * (double)groups_y(&read);
    cost->group_items = ITEMS;
    cost->written_bytes = cost->groups * ITEMS * elem;
    cost->memory_bytes = elements * elem + cost->written_bytes;
    if (across && device->props.is_gpu && elem < SECTOR_BYTES)
        cost->cache_bytes = elements * (SECTOR_BYTES - elem);
    cost->launches = 1;
    cost->bytes_in_flight = 8 * elem * ITEMS;
}

gable_status bench_line_read_launch(gable_context *ctx, gbl_dtype dtype, bool across)
{
    line_read *read = calloc(1, sizeof *read);
    if (read == NULL)
        return gbl_fail(&ctx->message, GABLE_OUT_OF_MEMORY, "no host memory for a launch");
    *read = (line_read){.ctx = ctx, .dtype = dtype, .m = ITEMS, .n = STRIP, .across = across};
    gable_status status = make(read);
    if (status == GABLE_OK)
        status = run(read);
    if (status == GABLE_OK)
        status = gable_sync(ctx);
    bench_pool_free(&read->pool);
    free(read);
    return status;
}

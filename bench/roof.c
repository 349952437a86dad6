/* roof.c: what a device's memory gives to work that does nothing else.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <string.h>
#include "blas/level1/stream_plan.h"
#include "stream_args.h"
#include "core/launch.h"
#include "cpu/cpu_kernels.h"
#include "roof.h"

/* A multiple of every vector of the read kernel, of a cache line and of what gbl_cpu_read takes. */
#define GRAIN         ((size_t)128)
#define WRITTEN       0x3f /* no zeros, which a memory might store in fewer bytes */
#define TUNE_SECONDS  0.002
#define TUNE_MAX_RUNS 64

/* Shapes of the read kernel worth trying: local, groups per unit, vec (of 8 bytes), range,
 * unroll. */
static const gbl_params gpu_shapes[] = {
    {{256, 8, 2, 0, 4}},  {{256, 8, 2, 0, 8}},  {{512, 4, 2, 0, 8}}, {{1024, 2, 2, 0, 8}},
    {{128, 16, 2, 0, 8}}, {{256, 16, 2, 0, 2}}, {{256, 8, 4, 0, 4}}, {{512, 4, 2, 1, 4}},
};
static const gbl_params cpu_shapes[] = {
    {{1, 4, 16, 1, 4}}, {{1, 4, 8, 1, 4}},  {{1, 1, 16, 1, 2}},
    {{1, 1, 8, 1, 8}},  {{1, 8, 16, 1, 1}},
};

static int shape_count(const gable_context *ctx)
{
    return ctx->device->props.is_gpu ? (int)(sizeof gpu_shapes / sizeof gpu_shapes[0])
                                     : (int)(sizeof cpu_shapes / sizeof cpu_shapes[0]);
}

static const gbl_params *shape(const gable_context *ctx, int index)
{
    return ctx->device->props.is_gpu ? &gpu_shapes[index] : &cpu_shapes[index];
}

static size_t whole_grains(size_t bytes)
{
    return bytes < GRAIN ? GRAIN : bytes / GRAIN * GRAIN;
}

/* Room for one word per work-item of the largest shape. */
static size_t out_bytes(const gable_context *ctx)
{
    size_t most = sizeof(uint64_t);
    for (int i = 0; i < shape_count(ctx); i++) {
        const gbl_params *params = shape(ctx, i);
        const size_t items = (size_t)params->value[STREAM_LOCAL] *
                             (size_t)params->value[STREAM_GROUPS] *
                             (size_t)ctx->device->props.units;
        if (items * sizeof(uint64_t) > most)
            most = items * sizeof(uint64_t);
    }
    return most;
}

gable_status bench_roof_make(bench_roof *roof, gable_context *ctx, bench_roof_kind kind,
                             size_t bytes, int64_t sets)
{
    memset(roof, 0, sizeof *roof);
    roof->ctx = roof->pool.ctx = ctx;
    roof->kind = kind;
    roof->params = *shape(ctx, 0);
    const size_t one = whole_grains(kind == BENCH_ROOF_COPY ? bytes / 2 : bytes);
    roof->bytes = kind == BENCH_ROOF_COPY ? 2 * one : one;
    if (kind == BENCH_ROOF_READ)
        TRY(bench_pool_take(&roof->pool, out_bytes(ctx), &roof->out));
    for (int64_t set = 0; set < sets; set++) {
        void *source = NULL, *target = NULL;
        gable_status status = bench_pool_take(&roof->pool, one, &source);
        if (status == GABLE_OK && kind == BENCH_ROOF_COPY)
            status = bench_pool_take(&roof->pool, one, &target);
        if (status == GABLE_OUT_OF_MEMORY && set > 0)
            break;
        TRY(status);
        TRY(bench_fill_random(ctx, source, one));
        if (target != NULL)
            TRY(bench_fill_random(ctx, target, one));
        roof->source[set] = source;
        roof->target[set] = target;
        roof->sets = set + 1;
    }
    return gable_sync(ctx);
}

void bench_roof_free(bench_roof *roof)
{
    bench_pool_free(&roof->pool);
}

static gable_status run_read(bench_roof *roof, void *source)
{
    gable_context *ctx = roof->ctx;
    if (ctx->device->props.is_host) {
        const gbl_cpu_read_args args = {(int64_t)roof->bytes, source, roof->out, 1, 0};
        return gbl_task(ctx, "read", gbl_cpu_read, &args, sizeof args);
    }
    const gbl_vector_call call = {
        .dtype = GBL_D, .n = (int64_t)(roof->bytes / sizeof(double)), .x = source, .incx = 1};
    const gbl_stream_use use = {.file = "read.cl"};
    gbl_stream plan;
    gbl_kernel *kernel;
    TRY(gbl_stream_prepare(ctx, &call, &roof->params, &use, &plan, &kernel));
    const stream_args args = plan.args;
    gbl_launch_spec launch = {
        .groups = {plan.groups, 1},
        .group = {plan.local, 1},
        .buffer_count = 2,
        .buffers = {source, roof->out},
        .args = &args,
        .args_bytes = sizeof args,
    };
    return gbl_launch(ctx, kernel, &launch);
}

static gable_status run_routine(bench_roof *roof, int64_t set)
{
    const size_t bytes = roof->kind == BENCH_ROOF_WRITE ? roof->bytes : roof->bytes / 2;
    gbl_vector_call call = {.dtype = GBL_D,
                            .n = (int64_t)(bytes / sizeof(double)),
                            .x = roof->source[set],
                            .incx = 1,
                            .y = roof->target[set],
                            .incy = 1,
                            .alpha = {.re = 1.5},
                            .result = roof->out};
    if (roof->kind == BENCH_ROOF_COPY)
        return gbl_copy(roof->ctx, "copy", &call);
    if (roof->kind == BENCH_ROOF_WRITE)
        return gbl_fill(roof->ctx, "fill", &call);
    call.y = roof->source[set] + bytes;
    return gbl_dot(roof->ctx, "dot", &call);
}

gable_status bench_roof_run(bench_roof *roof, int64_t set)
{
    set %= roof->sets;
    if (roof->by_routine)
        return run_routine(roof, set);
    if (roof->kind == BENCH_ROOF_READ)
        return run_read(roof, roof->source[set]);
    if (roof->kind == BENCH_ROOF_WRITE)
        return gable_fill_bytes(roof->ctx, roof->source[set], WRITTEN, roof->bytes);
    return gable_copy_bytes(roof->ctx, roof->target[set], roof->source[set], roof->bytes / 2);
}

gable_status bench_roof_seconds(bench_roof *roof, int64_t runs, double *seconds)
{
    gable_context *ctx = roof->ctx;
    gable_timer *timer = NULL;
    gable_recording *recording = NULL;
    gable_status status = gable_record_begin(ctx);
    for (int64_t run = 0; status == GABLE_OK && run < runs; run++)
        status = bench_roof_run(roof, run);
    if (status == GABLE_OK)
        status = gable_record_end(ctx, &recording);
    else
        gable_record_end(ctx, NULL);
    if (status == GABLE_OK)
        status = gable_timer_create(ctx, &timer);
    *seconds = 0;
    for (int repeat = 0; status == GABLE_OK && repeat < 4; repeat++) { /* the first warms up */
        double took = 0;
        status = gable_timer_start(timer);
        if (status == GABLE_OK)
            status = gable_replay(ctx, recording);
        if (status == GABLE_OK)
            status = gable_timer_stop(timer);
        if (status == GABLE_OK)
            status = gable_timer_seconds(timer, &took);
        took /= (double)runs;
        if (repeat == 1 || (repeat > 1 && took < *seconds))
            *seconds = took;
    }
    gable_timer_destroy(timer);
    gable_recording_destroy(recording);
    return status;
}

/* A way to do the work, and what it took. */
typedef struct way {
    gbl_params params;
    bool by_routine;
    double seconds; /* 0: none was timed yet */
} way;

static gable_status try_way(bench_roof *roof, int64_t runs, way *best)
{
    double seconds = 0;
    TRY(bench_roof_run(roof, 0)); /* compiles */
    TRY(bench_roof_seconds(roof, runs, &seconds));
    if (best->seconds == 0 || seconds < best->seconds)
        *best = (way){roof->params, roof->by_routine, seconds};
    return GABLE_OK;
}

gable_status bench_roof_tune(bench_roof *roof)
{
    const gbl_props *props = &roof->ctx->device->props;
    const bool reads = roof->kind == BENCH_ROOF_READ;
    if (props->is_host)
        return GABLE_OK;
    double seconds = 0;
    TRY(bench_roof_run(roof, 0)); /* compiles */
    TRY(bench_roof_seconds(roof, 1, &seconds));
    int64_t runs = (int64_t)(TUNE_SECONDS / (seconds + 1e-9)) + 1;
    runs = runs < TUNE_MAX_RUNS ? runs : TUNE_MAX_RUNS;
    runs = runs > roof->sets || roof->sets > TUNE_MAX_RUNS ? runs : roof->sets;
    way best = {roof->params, false, 0};
    for (int i = 0; i < (reads ? shape_count(roof->ctx) : 1); i++) {
        roof->params = *shape(roof->ctx, i);
        if (roof->params.value[STREAM_LOCAL] <= props->max_group)
            TRY(try_way(roof, runs, &best));
    }
    roof->by_routine = !reads || !props->is_gpu;
    if (roof->by_routine)
        TRY(try_way(roof, runs, &best));
    roof->params = best.params;
    roof->by_routine = best.by_routine;
    return GABLE_OK;
}

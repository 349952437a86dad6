/* roofs_latency.c: what it costs to begin: launches, loads that wait, hand-overs, the way to the
 * host.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * launch: kernels/roofs/sweep.cl with no load, one group per unit, each work-item of which stores a
 * word; on cpu a task. latency: on GPUs how much longer such a launch takes when each work-item
 * loads 16 bytes that were not touched before; elsewhere, and at least, kernels/roofs/chase.cl:
 * loads at random places of the whole pool, one after the other. barrier: kernels/roofs/arrive.cl
 * with and without hand-over, one group per unit.
 * step: kernels/roofs/exchange.cl; where it goes through local memory, that over GBL_LOCAL_STEPS.
 */
#include <time.h>
#include "core/launch.h"
#include "cpu/cpu_kernels.h"
#include "model/roofs_private.h"

#define LAUNCHES       256
#define LAUNCH_GPU     256 /* work-items per group */
#define LAUNCH_CPU     1
#define LAUNCH_BYTES   ((size_t)16) /* that one of them loads */
#define LOADS          1000
#define CHASE_STEP     0x2545f4914f6cdd1d
#define ARRIVE_GPU     256 /* work-items per group, ... */
#define ARRIVE_CPU     1
#define ARRIVE_GROUPS  1 /* ... groups per unit */
#define ARRIVE_RUNS    64
#define EXCHANGE_ITEMS 32
#define LINK_BYTES     ((size_t)32 << 20)
#define READ_BACKS     31
#define COUNTER_OFFSET 64 /* bytes behind the end of the sums */

/* ---- Launches and loads ---- */

static gable_status chase(gbl_probe *probe, int64_t loads)
{
    const int64_t words = (int64_t)(probe->pool_bytes / sizeof(uint64_t)), start = probe->chases;
    probe->chases += loads;
    if (probe->ctx->device->props.is_host) {
        const gbl_cpu_chase_args args = {loads, words, CHASE_STEP, probe->pool, probe->out, start};
        return gbl_task(probe->ctx, "chase", gbl_cpu_chase, &args, sizeof args);
    }
    const gbl_probe_launch launch = {
        .file = "chase.cl",
        .dtype = GBL_D,
        .groups = 1,
        .items = 1,
        .buffers = {probe->pool, probe->out},
        .buffer_count = 2,
        .args = {.rounds = loads, .size = words, .share = start, .step = CHASE_STEP},
    };
    return gbl_probe_enqueue(probe, &launch);
}

static gable_status load_rounds(gbl_probe *probe, const void *what, int64_t rounds)
{
    (void)what;
    return chase(probe, rounds);
}

/* Launches of one group per unit, in which each work-item loads `loads` vectors, from memory that
 * none of the launches before has touched, and stores a word. */
static gable_status launch_rounds(gbl_probe *probe, const void *what, int64_t rounds)
{
    const int64_t loads = *(const int64_t *)what;
    const gbl_props *props = &probe->ctx->device->props;
    const int64_t groups = props->units > 0 ? props->units : 1;
    gbl_probe_launch launch = {
        .file = "sweep.cl",
        .dtype = GBL_D,
        .macros = {{"WX", props->is_gpu ? LAUNCH_GPU : LAUNCH_CPU}, {"VEC", 2}, {"UNROLL", 1}},
        .groups = groups,
        .items = props->is_gpu ? LAUNCH_GPU : LAUNCH_CPU,
        .buffer_count = 2,
    };
    if (probe->launch_items == 0 && !props->is_host)
        TRY(gbl_probe_fit(probe, &launch, &probe->launch_items));
    const int32_t items = probe->launch_items;
    launch.macros[0].value = launch.items = items;
    launch.args = (roof_args){.rounds = loads, .size = groups * items, .share = items, .step = 1};
    const size_t bytes = (size_t)(groups * items) * LAUNCH_BYTES;
    for (int64_t i = 0; i < rounds; i++) {
        launch.buffers[0] = probe->pool + (size_t)i * bytes % (probe->pool_bytes - bytes + 1) /
                                              LAUNCH_BYTES * LAUNCH_BYTES;
        launch.buffers[1] = probe->out;
        TRY(props->is_host ? chase(probe, 0) : gbl_probe_enqueue(probe, &launch));
    }
    return GABLE_OK;
}

/* What a launch waits for its first bytes from memory, or one load for the one before. */
static gable_status measure_latency(gbl_probe *probe, gbl_roofs *roofs)
{
    static const int64_t one = 1;
    const gbl_props *props = &probe->ctx->device->props;
    double seconds = 0;
    TRY(gbl_probe_seconds(probe, load_rounds, NULL, LOADS, &roofs->latency));
    if (!props->is_gpu)
        return GABLE_OK;
    TRY(gbl_probe_replayed(probe, launch_rounds, &one, LAUNCHES, &seconds));
    seconds -= roofs->launch_replay +
               (double)props->units * probe->launch_items * (double)LAUNCH_BYTES / roofs->read;
    roofs->latency = seconds > roofs->latency ? seconds : roofs->latency;
    return GABLE_OK;
}

/* ---- Hand-overs ---- */

static gable_status arrive(gbl_probe *probe, int32_t one_pass)
{
    gable_context *ctx = probe->ctx;
    const gbl_props *props = &ctx->device->props;
    const int64_t groups = (int64_t)ARRIVE_GROUPS * (props->units > 0 ? props->units : 1);
    void *counter;
    TRY(gbl_arena_counter(ctx->arena, ctx->queue, &counter, &ctx->message));
    gbl_probe_launch launch = {
        .file = "arrive.cl",
        .dtype = GBL_D,
        .macros = {{"WX", props->is_gpu ? ARRIVE_GPU : ARRIVE_CPU}, {"ONE_PASS", one_pass}},
        .groups = groups,
        .items = props->is_gpu ? ARRIVE_GPU : ARRIVE_CPU,
        .buffers = {probe->pool, probe->out, counter,
                    (char *)probe->out + (size_t)groups * sizeof(double) + COUNTER_OFFSET},
        .buffer_count = 4,
    };
    if (probe->arrive_items == 0)
        TRY(gbl_probe_fit(probe, &launch, &probe->arrive_items));
    launch.macros[0].value = launch.items = probe->arrive_items;
    return gbl_probe_enqueue(probe, &launch);
}

static gable_status arrive_rounds(gbl_probe *probe, const void *what, int64_t rounds)
{
    for (int64_t i = 0; i < rounds; i++)
        TRY(arrive(probe, *(const int32_t *)what));
    return GABLE_OK;
}

/* ---- Exchanges within a group ---- */

static gable_status exchange_rounds(gbl_probe *probe, const void *what, int64_t rounds)
{
    (void)what;
    const gbl_probe_launch launch = {
        .file = "exchange.cl",
        .dtype = GBL_S,
        .macros = {{"WX", EXCHANGE_ITEMS}},
        .groups = 1,
        .items = EXCHANGE_ITEMS,
        .buffers = {probe->floats, probe->out},
        .buffer_count = 2,
        .args = {.rounds = rounds},
    };
    return gbl_probe_enqueue(probe, &launch);
}

static gable_status measure_step(gbl_probe *probe, double *step)
{
    float together = 0;
    *step = 0;
    if (probe->ctx->device->props.is_host)
        return GABLE_OK;
    TRY(gbl_probe_seconds(probe, exchange_rounds, NULL, 16, step));
    TRY(gbl_read_scalar(probe->ctx, (float *)probe->out + EXCHANGE_ITEMS, sizeof together,
                        &together));
    *step /= together > 1 ? ROOF_STEPS : ROOF_STEPS * GBL_LOCAL_STEPS;
    return GABLE_OK;
}

static gable_status fork_rounds(gbl_probe *probe, const void *what, int64_t rounds)
{
    (void)what;
    const gbl_cpu_chase_args args = {.rounds = rounds};
    return gbl_task(probe->ctx, "fork", gbl_cpu_fork, &args, sizeof args);
}

static gable_status measure_barrier(gbl_probe *probe, double *barrier)
{
    static const int32_t apart = 0, together = 1;
    double without = 0, with = 0;
    *barrier = 0;
    if (probe->ctx->device->props.is_host)
        return gbl_probe_seconds(probe, fork_rounds, NULL, 1, barrier);
    if (!probe->ctx->device->props.fence_device)
        return GABLE_OK;
    TRY(gbl_probe_replayed(probe, arrive_rounds, &apart, ARRIVE_RUNS, &without));
    TRY(gbl_probe_replayed(probe, arrive_rounds, &together, ARRIVE_RUNS, &with));
    *barrier = with > without ? with - without : 0;
    return GABLE_OK;
}

/* What runs between launches that are timed alone. */
static gable_status other_work(gbl_probe *probe, const void *what, int64_t rounds)
{
    (void)what, (void)rounds;
    return probe->ctx->device->props.is_host
               ? GABLE_OK
               : arrive(probe, probe->ctx->device->props.fence_device);
}

gable_status gbl_measure_latencies(gbl_probe *probe, gbl_roofs *roofs)
{
    static const int64_t none = 0;
    TRY(gbl_probe_replayed(probe, launch_rounds, &none, LAUNCHES, &roofs->launch_replay));
    TRY(gbl_probe_alone(probe, launch_rounds, &none, other_work, &roofs->launch_single));
    TRY(measure_latency(probe, roofs));
    TRY(measure_step(probe, &roofs->step));
    return measure_barrier(probe, &roofs->barrier);
}

gable_status gbl_launch_latencies(gbl_probe *probe)
{
    static const int64_t none = 0;
    TRY(chase(probe, 0));
    TRY(exchange_rounds(probe, NULL, 1));
    TRY(launch_rounds(probe, &none, 1));
    return arrive(probe, probe->ctx->device->props.fence_device);
}

/* ---- The host link ---- */

typedef struct link_work {
    gbl_direction direction;
    void *pinned;
    size_t bytes;
} link_work;

static gable_status link_rounds(gbl_probe *probe, const void *what, int64_t rounds)
{
    const link_work *of = what;
    const bool down = of->direction == GBL_TO_DEVICE;
    const gbl_copy_spec spec = {.direction = of->direction,
                                .target = down ? probe->pool : of->pinned,
                                .target_pitch = of->bytes,
                                .source = down ? of->pinned : probe->pool,
                                .source_pitch = of->bytes,
                                .run_bytes = of->bytes,
                                .runs = 1};
    for (int64_t i = 0; i < rounds; i++)
        TRY(probe->ctx->device->table->copy(probe->ctx->queue, &spec, &probe->ctx->message));
    return GABLE_OK;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static gable_status link_rates(gbl_probe *probe, void *pinned, size_t bytes, gbl_roofs *roofs)
{
    link_work up = {GBL_TO_HOST, pinned, bytes}, down = {GBL_TO_DEVICE, pinned, bytes};
    double seconds = 0;
    TRY(gbl_probe_seconds(probe, link_rounds, &up, 1, &seconds)); /* first: random data come */
    roofs->link_to_host = (double)bytes / seconds;
    TRY(gbl_probe_seconds(probe, link_rounds, &down, 1, &seconds));
    roofs->link_to_device = (double)bytes / seconds;
    return gable_sync(probe->ctx);
}

gable_status gbl_measure_link(gbl_probe *probe, gbl_roofs *roofs)
{
    gable_context *ctx = probe->ctx;
    const size_t bytes = LINK_BYTES < probe->pool_bytes ? LINK_BYTES : probe->pool_bytes;
    void *pinned = NULL;
    double took[READ_BACKS], value;
    roofs->link_to_device = roofs->link_to_host = roofs->link_latency = 0;
    if (ctx->device->props.is_host)
        return GABLE_OK;
    TRY(ctx->device->table->pinned_alloc(ctx->device, bytes, &pinned, &ctx->message));
    const gable_status status = link_rates(probe, pinned, bytes, roofs);
    ctx->device->table->sync(ctx->queue, NULL);
    ctx->device->table->pinned_free(ctx->device, pinned);
    TRY(status);
    for (int i = 0; i < READ_BACKS; i++) {
        const double begin = now();
        TRY(gbl_read_scalar(ctx, probe->pool, sizeof value, &value));
        took[i] = now() - begin;
    }
    roofs->link_latency = gbl_probe_median(took, READ_BACKS);
    return GABLE_OK;
}

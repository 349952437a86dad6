/* roofs_probe.c: memory with random data, runs of works, and their times.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdlib.h>
#include <string.h>
#include "core/launch.h"
#include "core/number_text.h"
#include "model/roofs_private.h"

#define SEED_BYTES ((size_t)1 << 20) /* of random words that differ; the pool repeats them */
#define GPU_POOL   ((size_t)2 << 30)
#define CPU_POOL   ((size_t)64 << 20)
#define CACHES     4 /* the pool is at least so many caches large ... */
#define CPU_CACHES                                                                                 \
    16 /* ... on CPUs, whose caches keep a part of what is read over and over, so many ... */
#define CPU_MOST    ((size_t)1 << 30) /* ... but no larger than this for their sake ... */
#define MEMORY_PART 16                /* ... and at most this part of the memory */
#define OUT_BYTES   ((size_t)8 << 20)
#define GPU_SLICE   1e-3
#define CPU_SLICE   2e-3
#define RUNS        6
#define MOST_RUNS   40
#define CPU_TOTAL   0.04 /* others run on a CPU too: of many runs one is undisturbed */
#define GROWTH      32
#define MANY        15
#define MOST_ROUNDS ((int64_t)1 << 40) /* no device does as many in half a slice */

/* ---- Memory ---- */

static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u; /* splitmix64 */
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static size_t pool_size(const gbl_props *props)
{
    size_t wanted = props->is_gpu ? GPU_POOL : CPU_POOL, bytes = SEED_BYTES;
    if (!props->is_gpu && wanted < CPU_CACHES * props->cache_bytes)
        wanted =
            CPU_CACHES * props->cache_bytes < CPU_MOST ? CPU_CACHES * props->cache_bytes : CPU_MOST;
    if (wanted < CACHES * props->cache_bytes)
        wanted = CACHES * props->cache_bytes;
    if (props->memory_bytes > 0 && wanted > props->memory_bytes / MEMORY_PART)
        wanted = props->memory_bytes / MEMORY_PART;
    while (bytes * 2 <= wanted)
        bytes *= 2;
    /* Half of what is wanted would be too little for what the caches keep. */
    if (bytes < CACHES * props->cache_bytes && bytes * 2 <= props->memory_bytes / MEMORY_PART)
        bytes *= 2;
    return bytes;
}

/* Random words for the pool, which is written as a whole first: on cpu each thread then has its own
 * part near. */
static gable_status fill_pool(gbl_probe *probe)
{
    const size_t seed_bytes = probe->pool_bytes < SEED_BYTES ? probe->pool_bytes : SEED_BYTES;
    uint64_t state = 1, *seed = malloc(seed_bytes);
    if (seed == NULL)
        return gbl_fail(&probe->ctx->message, GABLE_OUT_OF_MEMORY, "no host memory for %zu bytes",
                        seed_bytes);
    for (size_t i = 0; i < seed_bytes / sizeof *seed; i++)
        seed[i] = next_random(&state);
    gable_status status = gbl_fill_bytes(probe->ctx, probe->pool, 0x3f, probe->pool_bytes);
    if (status == GABLE_OK)
        status = gable_set_vector(probe->ctx, (int64_t)seed_bytes, 1, seed, 1, probe->pool, 1);
    for (size_t done = seed_bytes; status == GABLE_OK && done < probe->pool_bytes; done *= 2)
        status = gbl_copy_on_device(probe->ctx, probe->pool + done, probe->pool, done);
    free(seed);
    return status;
}

static gable_status fill_numbers(gbl_probe *probe)
{
    float floats[GBL_PROBE_NUMBERS];
    double doubles[GBL_PROBE_NUMBERS];
    uint64_t state = 2;
    for (int i = 0; i < GBL_PROBE_NUMBERS; i++) {
        doubles[i] = i == 0 ? -1.9 : (double)(next_random(&state) >> 11) * 0x1p-52 - 1;
        floats[i] = (float)doubles[i];
    }
    TRY(gable_set_vector(probe->ctx, GBL_PROBE_NUMBERS, sizeof *floats, floats, 1, probe->floats,
                         1));
    return gable_set_vector(probe->ctx, GBL_PROBE_NUMBERS, sizeof *doubles, doubles, 1,
                            probe->doubles, 1);
}

gable_status gbl_probe_make(gbl_probe *probe, gable_context *ctx, size_t pool_bytes)
{
    const gbl_props *props = &ctx->device->props;
    memset(probe, 0, sizeof *probe);
    probe->ctx = ctx;
    probe->slice = props->is_gpu ? GPU_SLICE : CPU_SLICE;
    probe->total = props->is_gpu ? 0 : CPU_TOTAL;
    probe->pool_bytes = pool_bytes > 0 ? pool_bytes : pool_size(props);
    probe->out_bytes = OUT_BYTES;
    TRY(gable_timer_create(ctx, &probe->timer));
    TRY(gable_alloc(ctx, probe->out_bytes, &probe->out));
    TRY(gable_alloc(ctx, GBL_PROBE_NUMBERS * sizeof(float), (void **)&probe->floats));
    TRY(gable_alloc(ctx, GBL_PROBE_NUMBERS * sizeof(double), (void **)&probe->doubles));
    gable_status status = gable_alloc(ctx, probe->pool_bytes, (void **)&probe->pool);
    while (status == GABLE_OUT_OF_MEMORY &&
           probe->pool_bytes > SEED_BYTES) { /* others use it too */
        probe->pool_bytes /= 2;
        status = gable_alloc(ctx, probe->pool_bytes, (void **)&probe->pool);
    }
    TRY(status);
    TRY(fill_pool(probe));
    return fill_numbers(probe);
}

void gbl_probe_free(gbl_probe *probe)
{
    gable_free(probe->ctx, probe->pool);
    gable_free(probe->ctx, probe->doubles);
    gable_free(probe->ctx, probe->floats);
    gable_free(probe->ctx, probe->out);
    gable_timer_destroy(probe->timer);
}

/* ---- Times ---- */

static gable_status one_run(gbl_probe *probe, gbl_probe_work work, const void *what, int64_t rounds,
                            double *seconds)
{
    TRY(gable_timer_start(probe->timer));
    TRY(work(probe, what, rounds));
    TRY(gable_timer_stop(probe->timer));
    return gable_timer_seconds(probe->timer, seconds);
}

gable_status gbl_probe_seconds(gbl_probe *probe, gbl_probe_work work, const void *what,
                               int64_t least, double *seconds)
{
    int64_t rounds = least;
    double took = 0, best = 0;
    TRY(work(probe, what, rounds)); /* compiles, warms up */
    for (;;) {
        TRY(gable_sync(probe->ctx));
        TRY(one_run(probe, work, what, rounds, &took));
        if (took >= probe->slice / 2)
            break;
        if (rounds > MOST_ROUNDS)
            return gbl_fail(&probe->ctx->message, GABLE_DEVICE_FAILED,
                            "the device's clock says %s s for %lld rounds of work: no rate can be "
                            "measured with it",
                            GBL_NUMBER(took), (long long)rounds);
        const double more = took > 0 ? probe->slice / took : GROWTH;
        rounds = (int64_t)((double)rounds * (more < GROWTH ? more : GROWTH)) + 1;
    }
    best = took;
    double total = 0, all[MOST_RUNS];
    int runs = 0;
    while (runs < RUNS || (runs < MOST_RUNS && total < probe->total)) {
        TRY(one_run(probe, work, what, rounds, &took));
        best = took < best ? took : best;
        total += took;
        all[runs++] = took;
    }
    probe->unsteady += 1 - best / gbl_probe_median(all, runs);
    probe->works++;
    *seconds = best / (double)rounds;
    return GABLE_OK;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double gbl_probe_median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, ascending);
    return values[count / 2];
}

gable_status gbl_probe_replayed(gbl_probe *probe, gbl_probe_work work, const void *what,
                                int64_t rounds, double *seconds)
{
    gable_context *ctx = probe->ctx;
    gable_recording *recording = NULL;
    double took[MANY];
    TRY(work(probe, what, 1));
    TRY(gable_record_begin(ctx));
    gable_status status = work(probe, what, rounds);
    if (status != GABLE_OK) {
        gable_record_end(ctx, NULL);
        return status;
    }
    TRY(gable_record_end(ctx, &recording));
    status = gable_replay(ctx, recording);
    for (int i = 0; status == GABLE_OK && i < MANY; i++) {
        status = gable_timer_start(probe->timer);
        if (status == GABLE_OK)
            status = gable_replay(ctx, recording);
        if (status == GABLE_OK)
            status = gable_timer_stop(probe->timer);
        if (status == GABLE_OK)
            status = gable_timer_seconds(probe->timer, &took[i]);
    }
    gable_recording_destroy(recording);
    if (status == GABLE_OK)
        *seconds = gbl_probe_median(took, MANY) / (double)rounds;
    return status;
}

gable_status gbl_probe_alone(gbl_probe *probe, gbl_probe_work work, const void *what,
                             gbl_probe_work before, double *seconds)
{
    double took[MANY];
    TRY(work(probe, what, 1));
    for (int i = 0; i < MANY; i++) {
        TRY(before(probe, what, 1));
        TRY(gable_sync(probe->ctx));
        TRY(one_run(probe, work, what, 1, &took[i]));
    }
    *seconds = gbl_probe_median(took, MANY);
    return GABLE_OK;
}

/* ---- Kernels ---- */

static gable_status get_kernel(gbl_probe *probe, const gbl_probe_launch *launch,
                               gbl_kernel **kernel)
{
    gbl_kernel_spec spec;
    memset(&spec, 0, sizeof spec);
    spec.file = launch->file;
    spec.dtype = launch->dtype;
    _Static_assert(GBL_PROBE_MACROS <= GBL_MAX_MACROS, "a kernel's macros have room for a probe's");
    for (int i = 0; i < GBL_PROBE_MACROS && launch->macros[i].name != NULL; i++) {
        spec.macros[spec.macro_count].name = launch->macros[i].name;
        spec.macros[spec.macro_count++].value = launch->macros[i].value;
    }
    return gbl_kernel_get(probe->ctx->device, &spec, kernel, &probe->ctx->message);
}

static void halve(gbl_probe_launch *launch)
{
    launch->items /= 2;
    for (int i = 0; i < GBL_PROBE_MACROS && launch->macros[i].name != NULL; i++)
        if (strcmp(launch->macros[i].name, "WX") == 0)
            launch->macros[i].value = launch->items;
}

gable_status gbl_probe_fit(gbl_probe *probe, const gbl_probe_launch *launch, int32_t *items)
{
    const int most = probe->ctx->device->props.max_group; /* 0: not known */
    gbl_probe_launch fitting = *launch;
    gbl_kernel *kernel;
    while (most > 0 && fitting.items > most)
        halve(&fitting);
    TRY(get_kernel(probe, &fitting, &kernel));
    while (!gbl_kernel_takes(kernel, fitting.items)) {
        halve(&fitting);
        TRY(get_kernel(probe, &fitting, &kernel));
    }
    *items = fitting.items;
    return GABLE_OK;
}

gable_status gbl_probe_enqueue(gbl_probe *probe, const gbl_probe_launch *launch)
{
    gable_context *ctx = probe->ctx;
    gbl_kernel *kernel;
    TRY(get_kernel(probe, launch, &kernel));
    gbl_launch_spec run = {.groups = {launch->groups, 1},
                           .group = {launch->items, 1},
                           .buffer_count = launch->buffer_count,
                           .args = &launch->args,
                           .args_bytes = sizeof launch->args};
    if (launch->other_args != NULL) {
        run.args = launch->other_args;
        run.args_bytes = launch->other_bytes;
    }
    _Static_assert(sizeof launch->buffers <= sizeof run.buffers, "likewise its buffers");
    memcpy(run.buffers, launch->buffers, sizeof launch->buffers);
    return gbl_launch(ctx, kernel, &run);
}

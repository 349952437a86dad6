/* roofs_bandwidth.c: bytes per second of memory and of the last-level cache.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Copies and fills are the device's own, enqueued one after another; OpenCL on a CPU makes them
 * with one core, so there kernels/level1/copy.cl and fill.cl are tried, too. Reads are
 * kernels/roofs/sweep.cl, the fastest of a few shapes, and on cpu its twin in C; over sets from a
 * part of the cache to the whole pool they show where the cache ends.
 */
#include "core/launch.h"
#include "cpu/cpu_kernels.h"
#include "model/roofs_private.h"
#include "map_args.h"

/* Of the plateau: what the cache still serves. */
#define FULL_SPEED 0.85
#define GPU_SET    ((size_t)1 << 20)
#define CPU_SET    ((size_t)32 << 10)
#define WORD       sizeof(int64_t)

/* A shape of sweep.cl; on GPUs all groups are resident at once, so that none works alone at the
 * end. `streams` is of CPUs: as many parts of the set a core reads side by side, at most
 * `unroll`. */
typedef struct shape {
    int32_t items, groups /* per unit */, vec, unroll, streams;
} shape;
static const shape gpu_shapes[] = {{256, 4, 2, 4, 0}, {256, 4, 2, 8, 0}, {512, 3, 2, 4, 0}};
static const shape cpu_shapes[] = {{1, 4, 8, 4, 1}, {1, 1, 16, 4, 1}, {1, 1, 8, 4, 4}};
#define SHAPES 3
/* One group that asks for as much as a multiprocessor or a core can. */
static const shape gpu_alone = {1024, 1, 2, 8, 0}, cpu_alone = {1, 1, 8, 4, 4};

typedef struct reading {
    shape shape; /* as the device takes it */
    size_t bytes;
    bool alone; /* one group, one thread */
} reading;

/* ---- Works ---- */

static int64_t groups_of(const gbl_probe *probe, const reading *what)
{
    const shape *s = &what->shape;
    if (what->alone)
        return 1;
    const int units = probe->ctx->device->props.units;
    const int64_t groups = (int64_t)s->groups * (units > 0 ? units : 1);
    const int64_t most = (int64_t)(probe->out_bytes / WORD) / s->items;
    return groups < most ? groups : most;
}

/* Bytes that one round reads. */
static double round_bytes(const gbl_probe *probe, const reading *what)
{
    if (probe->ctx->device->props.is_host)
        return (double)what->bytes;
    const shape *s = &what->shape;
    return (double)groups_of(probe, what) * s->items * s->unroll * s->vec * (double)WORD;
}

/* A GPU's step: all groups, odd and no multiple of 3, as sets are powers of two or three times
 * that. */
static int64_t whole_step(int64_t groups, int64_t items, int64_t size)
{
    int64_t factor = groups | 1;
    factor += factor % 3 == 0 ? 2 : 0;
    return factor * items % size;
}

/* How the vectors of a set are visited. A CPU's streams: steps of a part of the set, in a set one
 * shorter, so that after the last stream comes the next vector of the first. */
static roof_args walk_of(const gbl_probe *probe, const reading *what, int64_t rounds)
{
    const shape *s = &what->shape;
    const int64_t groups = groups_of(probe, what), size = (int64_t)(what->bytes / WORD) / s->vec;
    if (probe->ctx->device->props.is_gpu)
        return (roof_args){rounds, size, s->items, whole_step(groups, s->items, size)};
    if (s->streams <= 1)
        return (roof_args){rounds, size, size / groups, 1};
    const int64_t part = size / s->streams;
    return (roof_args){rounds, part * s->streams - 1, part / groups, part};
}

static gbl_probe_launch launch_of(const shape *s)
{
    return (gbl_probe_launch){
        .file = "sweep.cl",
        .dtype = GBL_D,
        .macros = {{"WX", s->items}, {"VEC", s->vec}, {"UNROLL", s->unroll}},
        .items = s->items,
    };
}

/* A reading of a shape, in smaller groups where the device takes no larger ones; as many more of
 * them where there are several. */
static gable_status plan_reading(gbl_probe *probe, const shape *wanted, size_t bytes, bool alone,
                                 reading *what)
{
    *what = (reading){*wanted, bytes, alone};
    if (probe->ctx->device->props.is_host)
        return GABLE_OK;
    const gbl_probe_launch launch = launch_of(wanted);
    TRY(gbl_probe_fit(probe, &launch, &what->shape.items));
    if (!alone)
        what->shape.groups *= wanted->items / what->shape.items;
    return GABLE_OK;
}

static gable_status read_rounds(gbl_probe *probe, const void *what, int64_t rounds)
{
    const reading *of = what;
    if (probe->ctx->device->props.is_host) {
        const gbl_cpu_read_args args = {(int64_t)of->bytes, probe->pool, probe->out, rounds,
                                        of->alone};
        return gbl_task(probe->ctx, "sweep", gbl_cpu_read, &args, sizeof args);
    }
    gbl_probe_launch launch = launch_of(&of->shape);
    launch.groups = groups_of(probe, of);
    launch.buffers[0] = probe->pool;
    launch.buffers[1] = probe->out;
    launch.buffer_count = 2;
    launch.args = walk_of(probe, of, rounds);
    return gbl_probe_enqueue(probe, &launch);
}

static gable_status copy_rounds(gbl_probe *probe, const void *what, int64_t rounds)
{
    (void)what;
    const size_t half = probe->pool_bytes / 2;
    for (int64_t i = 0; i < rounds; i++)
        TRY(gbl_copy_on_device(probe->ctx, probe->pool + half, probe->pool, half));
    return GABLE_OK;
}

static gable_status write_rounds(gbl_probe *probe, const void *what, int64_t rounds)
{
    const unsigned char value = *(const unsigned char *)what;
    for (int64_t i = 0; i < rounds; i++)
        TRY(gbl_fill_bytes(probe->ctx, probe->pool + probe->pool_bytes / 2, value,
                           probe->pool_bytes / 2));
    return GABLE_OK;
}

/* copy.cl from one half of the pool to the other, or fill.cl of the other: every core a contiguous
 * part. */
static gable_status kernel_rounds(gbl_probe *probe, const void *what, int64_t rounds)
{
    enum { VEC = 16, UNROLL = 2 };
    const int64_t groups =
        probe->ctx->device->props.units > 0 ? probe->ctx->device->props.units : 1;
    const int64_t words = (int64_t)(probe->pool_bytes / 2 / WORD), vectors = words / VEC;
    const map_args args = {.range = {.n = words,
                                     .vectors = vectors,
                                     .per_group = (vectors + groups - 1) / groups,
                                     .incx = 1,
                                     .incy = 1,
                                     .incw = 1},
                           .scalars.alpha_re = 1.5};
    char *from = probe->pool, *to = probe->pool + probe->pool_bytes / 2;
    const bool copies = *(const bool *)what;
    const gbl_probe_launch launch = {
        .file = copies ? "copy.cl" : "fill.cl",
        .dtype = GBL_D,
        .macros = {{"WX", 1},
                   {"VEC", VEC},
                   {"UNROLL", UNROLL},
                   {"RANGE", 1},
                   {"STRIDED", 0},
                   {"ALIGN", 16}},
        .groups = groups,
        .items = 1,
        .buffers = {from, from, copies ? from : to, copies ? to : from, from},
        .buffer_count = 5,
        .other_args = &args,
        .other_bytes = sizeof args,
    };
    for (int64_t i = 0; i < rounds; i++)
        TRY(gbl_probe_enqueue(probe, &launch));
    return GABLE_OK;
}

/* ---- Rates ---- */

static gable_status read_rate(gbl_probe *probe, const reading *what, double *rate)
{
    const double bytes = round_bytes(probe, what);
    const int64_t whole =
        (int64_t)((double)what->bytes / bytes) + 1; /* rounds over the whole set */
    double seconds = 0;
    TRY(gbl_probe_seconds(probe, read_rounds, what, bytes < (double)what->bytes ? whole : 1,
                          &seconds));
    *rate = bytes / seconds;
    return GABLE_OK;
}

static const shape *shapes_of(const gbl_probe *probe)
{
    return probe->ctx->device->props.is_gpu ? gpu_shapes : cpu_shapes;
}

static const shape *alone_of(const gbl_probe *probe)
{
    return probe->ctx->device->props.is_gpu ? &gpu_alone : &cpu_alone;
}

/* The fastest read of a set by all shapes. */
static gable_status best_rate(gbl_probe *probe, size_t bytes, double *rate)
{
    const int count = probe->ctx->device->props.is_host ? 1 : SHAPES;
    *rate = 0;
    for (int i = 0; i < count; i++) {
        reading what;
        double now = 0;
        TRY(plan_reading(probe, &shapes_of(probe)[i], bytes, false, &what));
        TRY(read_rate(probe, &what, &now));
        *rate = now > *rate ? now : *rate;
    }
    return GABLE_OK;
}

/* What one unit can take by itself, from the pool. */
static gable_status measure_unit(gbl_probe *probe, double *rate)
{
    reading what;
    double seconds = 0;
    TRY(plan_reading(probe, alone_of(probe), probe->pool_bytes, true, &what));
    TRY(gbl_probe_seconds(probe, read_rounds, &what, 1, &seconds));
    *rate = round_bytes(probe, &what) / seconds;
    return GABLE_OK;
}

/* Seconds of a round of the device's own work or, on CPUs with kernels, of a kernel, whichever is
 * shorter. */
static gable_status best_seconds(gbl_probe *probe, gbl_probe_work work, const void *what,
                                 bool copies, double *seconds)
{
    const gbl_props *props = &probe->ctx->device->props;
    double by_kernel = 0;
    TRY(gbl_probe_seconds(probe, work, what, 1, seconds));
    if (props->is_gpu || props->is_host)
        return GABLE_OK;
    TRY(gbl_probe_seconds(probe, kernel_rounds, &copies, 1, &by_kernel));
    *seconds = by_kernel < *seconds ? by_kernel : *seconds;
    return GABLE_OK;
}

gable_status gbl_measure_bandwidth(gbl_probe *probe, gbl_roofs *roofs)
{
    static const unsigned char pattern = 0x3f; /* zeros might take fewer bytes */
    double seconds = 0;
    if (probe->ctx->device->props.is_gpu) /* its clocks rise with the first work */
        TRY(best_rate(probe, probe->pool_bytes, &roofs->read));
    TRY(best_rate(probe, probe->pool_bytes, &roofs->read));
    TRY(measure_unit(probe, &roofs->unit));
    TRY(best_seconds(probe, copy_rounds, NULL, true, &seconds));
    roofs->copy = (double)probe->pool_bytes / seconds;
    TRY(best_seconds(probe, write_rounds, &pattern, false, &seconds));
    roofs->write = (double)probe->pool_bytes / 2 / seconds;
    /* The second half is random again. */
    return copy_rounds(probe, NULL, 1);
}

/* ---- The cache ---- */

/* The next set: powers of two, and around the size of the cache the values half way too. */
static size_t next_set(size_t bytes, size_t cache)
{
    const bool power = (bytes & (bytes - 1)) == 0;
    if (!power)
        return bytes / 3 * 4;
    return bytes >= cache / 4 && bytes <= 2 * cache ? bytes / 2 * 3 : bytes * 2;
}

/* The plateau of the last-level cache, and the largest set within FULL_SPEED of it. The smaller
 * caches are faster, so the plateau is looked for where only the last can hold the set. */
void gbl_roofs_find_cache(const gbl_props *props, gbl_roofs *roofs)
{
    const double reported = (double)props->cache_bytes;
    const double from = reported / 4;
    const double to = reported > 0 ? reported : roofs->point_bytes[roofs->points - 1];
    int edge = -1;
    roofs->cache = 0;
    for (int i = 0; i < roofs->points; i++)
        if (roofs->point_bytes[i] >= from && roofs->point_bytes[i] <= to &&
            roofs->point_read[i] > roofs->cache)
            roofs->cache = roofs->point_read[i];
    if (roofs->cache < roofs->read)
        roofs->cache = roofs->read;
    const double enough = FULL_SPEED * roofs->cache;
    for (int i = 0; i < roofs->points; i++)
        if (roofs->point_read[i] >= enough && roofs->point_bytes[i] <= to)
            edge = i;
    roofs->cache_bytes = edge >= 0 ? roofs->point_bytes[edge] : roofs->point_bytes[0];
    if (edge >= 0 && edge + 1 < roofs->points && roofs->point_read[edge + 1] < enough) {
        const double over = roofs->point_read[edge] - enough,
                     fall = roofs->point_read[edge] - roofs->point_read[edge + 1];
        roofs->cache_bytes +=
            over / fall * (roofs->point_bytes[edge + 1] - roofs->point_bytes[edge]);
    }
}

gable_status gbl_measure_caches(gbl_probe *probe, gbl_roofs *roofs)
{
    const gbl_props *props = &probe->ctx->device->props;
    roofs->points = 0;
    for (size_t bytes = props->is_gpu ? GPU_SET : CPU_SET;
         bytes <= probe->pool_bytes && roofs->points < GBL_ROOF_POINTS;
         bytes = next_set(bytes, props->cache_bytes)) {
        const int i = roofs->points;
        TRY(best_rate(probe, bytes, &roofs->point_read[i]));
        roofs->point_bytes[i] = (double)bytes;
        roofs->points++;
        if (bytes == probe->pool_bytes && roofs->point_read[i] > roofs->read)
            roofs->read = roofs->point_read[i]; /* the same once more, less disturbed */
    }
    gbl_roofs_find_cache(props, roofs);
    return GABLE_OK;
}

gable_status gbl_launch_bandwidth(gbl_probe *probe)
{
    static const bool both[] = {true, false};
    for (int i = 0; i < 2 && !probe->ctx->device->props.is_gpu; i++)
        TRY(kernel_rounds(probe, &both[i], 1));
    for (int i = 0; i <= SHAPES; i++) {
        const bool alone = i == SHAPES;
        reading what;
        TRY(plan_reading(probe, alone ? alone_of(probe) : &shapes_of(probe)[i], probe->pool_bytes,
                         alone, &what));
        TRY(read_rounds(probe, &what, 1));
    }
    return GABLE_OK;
}

/* roofs_private.h: what the files that measure roofs share.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A probe has a pool of random data far larger than the cache, a stopwatch and room for what
 * kernels write. A work runs so many rounds; its rate is that of the best of several runs, each
 * long enough for the clock and for the cost of its launch not to matter.
 */
#ifndef GBL_ROOFS_PRIVATE_H
#define GBL_ROOFS_PRIVATE_H

#include "core/context.h"
#include "core/kernel.h"
#include "core/kernel_args.h"
#include "model/roofs.h"
#include "roof_args.h"

/* Flops in TF32 to those of multiply-adds in single precision, dense, by the H100 whitepaper: 495
 * to 67. */
#define GBL_TF32_FACTOR 7

#define GBL_PROBE_MACROS  6
#define GBL_PROBE_BUFFERS 5
#define GBL_PROBE_NUMBERS 256 /* random ones in [-1, 1] of each real type; the first is -1.9 */

typedef struct gbl_probe {
    gable_context *ctx;
    gable_timer *timer;
    char *pool;        /* random words */
    size_t pool_bytes; /* a power of two */
    void *out;         /* what works write */
    size_t out_bytes;
    float *floats; /* GBL_PROBE_NUMBERS each */
    double *doubles;
    double slice;   /* seconds a run should take */
    int64_t chases; /* loads of all runs of chase.cl so far */
    int32_t launch_items,
        arrive_items; /* work-items per group of sweep.cl and arrive.cl; 0: not known yet */
    double total;     /* seconds of runs after which no further one is needed */
    double unsteady;  /* by which parts usual runs took longer than the best ... */
    int works;        /* ... summed over so many works */
} gbl_probe;

/* Memory for all works; pool_bytes 0: as much as fits the device. To be freed also where it
 * failed. */
gable_status gbl_probe_make(gbl_probe *probe, gable_context *ctx, size_t pool_bytes);
void gbl_probe_free(gbl_probe *probe);

/* Enqueues `rounds` rounds of what `what` describes. */
typedef gable_status (*gbl_probe_work)(gbl_probe *probe, const void *what, int64_t rounds);

/* Seconds of a round, of the best run. `least` rounds are the fewest that make sense. */
gable_status gbl_probe_seconds(gbl_probe *probe, gbl_probe_work work, const void *what,
                               int64_t least, double *seconds);
/* Seconds of one round in a recording of `rounds`, and alone on an idle queue after other work has
 * passed through the caches of instructions: medians. */
gable_status gbl_probe_replayed(gbl_probe *probe, gbl_probe_work work, const void *what,
                                int64_t rounds, double *seconds);
gable_status gbl_probe_alone(gbl_probe *probe, gbl_probe_work work, const void *what,
                             gbl_probe_work before, double *seconds);
double gbl_probe_median(double *values, int count);

/* A kernel with a few macros (names end with NULL), its buffers and its arguments. */
typedef struct gbl_probe_launch {
    const char *file;
    gbl_dtype dtype;
    struct {
        const char *name;
        int32_t value;
    } macros[GBL_PROBE_MACROS];
    int64_t groups;
    int items;
    const void *buffers[GBL_PROBE_BUFFERS];
    int buffer_count;
    roof_args args;
    const void *other_args; /* instead, where a kernel takes them; else NULL */
    size_t other_bytes;
} gbl_probe_launch;
gable_status gbl_probe_enqueue(gbl_probe *probe, const gbl_probe_launch *launch);
/* The most work-items per group that the device takes for the launch's kernel: launch->items, or
 * half as many, and so on. A kernel's limit may be lower than the device's: NVIDIA's OpenCL (driver
 * 580) says 256 for kernels of 512 and of 1024. Compiles; the macro WX is the number of items. */
gable_status gbl_probe_fit(gbl_probe *probe, const gbl_probe_launch *launch, int32_t *items);

/* The parts of a measurement. roofs_bandwidth.c, roofs_arithmetic.c, roofs_latency.c */
gable_status gbl_measure_bandwidth(gbl_probe *probe, gbl_roofs *roofs);
gable_status gbl_measure_caches(gbl_probe *probe, gbl_roofs *roofs);
gable_status gbl_measure_arithmetic(gbl_probe *probe, gbl_roofs *roofs);
gable_status gbl_measure_latencies(gbl_probe *probe, gbl_roofs *roofs);
gable_status gbl_measure_link(gbl_probe *probe, gbl_roofs *roofs);
/* roofs_products.c: products by the installed BLAS, on cpu; says how many samples. */
int gbl_measure_products(const gable_context *ctx, gbl_cpu_sample samples[GBL_ROOF_PRODUCTS]);
/* Each kernel of theirs once. */
gable_status gbl_launch_bandwidth(gbl_probe *probe);
gable_status gbl_launch_arithmetic(gbl_probe *probe);
gable_status gbl_launch_latencies(gbl_probe *probe);

/* roofs_builtin.c */
bool gbl_roofs_builtin(const char *device_class, gbl_roofs *roofs);
void gbl_roofs_guess(const gbl_device *device, gbl_roofs *roofs);

/* roofs_bandwidth.c: cache and cache_bytes from the points. */
void gbl_roofs_find_cache(const gbl_props *props, gbl_roofs *roofs);

/* roofs_better.c: makes of a new measurement what counts beside an old one; true: it is the new one
 * as it was. */
bool gbl_roofs_better(const gbl_props *props, const gbl_roofs *old, gbl_roofs *fresh);

/* roofs.c: what the file says of the device; false: nothing. */
bool gbl_roofs_stored(const gbl_device *device, gbl_roofs *roofs);

/* roofs.c: from now on the roofs of the device. */
void gbl_roofs_keep(const gbl_device *device, const gbl_roofs *roofs);

#endif

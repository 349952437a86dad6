/* roofs.h: what a device can do: bandwidths, arithmetic, launch and hand-over costs, the host link.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * No library call measures: gable_calibrate, `gable info --roofs`, `explain` and `tune` do, and
 * store the result in the data folder (roofs.jsonl, one line per measurement, the last of a device
 * class counts). A line says how busy the machine was; a measurement that was more disturbed than
 * the one before takes from that what is better (roofs_better.c). Until then roofs come from a
 * built-in table for known devices, else from guesses by the device's properties.
 */
#ifndef GBL_ROOFS_H
#define GBL_ROOFS_H

#include "device/dtype.h"
#include "device/device.h"
#include "gable/gable.h"
#include "model/cpu_rates.h"

#define GBL_ROOF_POINTS   24
#define GBL_ROOF_PRODUCTS 12

/* Where a device's roofs come from, worst first. */
typedef enum gbl_roofs_source {
    GBL_ROOFS_GUESSED,  /* from the device's properties */
    GBL_ROOFS_BUILT_IN, /* measured on another device of the same kind */
    GBL_ROOFS_MEASURED
} gbl_roofs_source;

const char *gbl_roofs_source_name(gbl_roofs_source source); /* "guessed", "built in", "measured" */

typedef struct gbl_roofs {
    gbl_roofs_source source;
    /* While it was measured: the part of the processors' time that other programs took, and by
     * which part the usual run of a work took longer than the best. -1: not known. On GPUs the
     * processors do not count. */
    double busy, unsteady;
    /* Bytes per second of operands far larger than the cache: read and written counted both in
     * copy. */
    double copy, read, write;
    /* Bytes per second of reading a working set over and over, smallest set first. */
    int points;
    double point_bytes[GBL_ROOF_POINTS], point_read[GBL_ROOF_POINTS];
    double cache;       /* bytes per second out of the last-level cache */
    double cache_bytes; /* the largest working set that it serves at that speed */
    double
        unit; /* bytes per second that one multiprocessor or core can take from memory by itself */
    double
        flops[GBL_DTYPES]; /* a second, fused multiply-adds counted as two, per dtype; c and z take
                                 the instructions of s and d, and their rates */
    double
        matrix_flops;  /* of the matrix units in double or, where they have none, single; 0: none */
    double tf32_flops; /* of those of warpgroups in TF32; 0: none, or not known */
    double launch_replay; /* seconds of the smallest call in a recording ... */
    double launch_single; /* ... and alone on an idle queue, by the device's clock */
    double
        /* seconds that a launch waits for its first bytes; on CPUs a load for the one before */
        latency;
    double barrier; /* seconds of a hand-over between groups within a launch; on cpu of a fork
                             and join of the threads; 0 where groups cannot hand over */
    double
        /* seconds of an exchange between neighbouring work-items that waits for the one before */
        step;
    double link_to_device,
        link_to_host;    /* bytes per second between pinned host memory and the device; 0: none */
    double link_latency; /* seconds of the smallest copy to the host and its wait */
} gbl_roofs;

/* What identifies devices that behave alike: "cuda|NVIDIA H200|sm_90a|132|140 GiB". The memory of
 * GPUs only. No serial numbers, no driver version. */
void gbl_device_class(const gbl_device *device, char *text, size_t text_bytes);

/* The roofs of a device: measured by this process or stored by another, else built in, else
 * guessed. Kept after the first question; cheap, safe from several threads. */
void gbl_roofs_get(const gbl_device *device, gbl_roofs *roofs);

/* Flops per second of the matrix units on elements of a precision, in single as TF32; where nothing
 * is known of them, those of other units, in single seven times as many (the ratio of Hopper). */
double gbl_roofs_matrix_flops(const gbl_roofs *roofs, gbl_dtype dtype);
/* Flops per second that a product of matrices can have: in double also those of the matrix units,
 * in single under GABLE_MATH_TF32X3 a third of those in TF32. `math` is a gable_math. */
double gbl_roofs_product_flops(const gbl_roofs *roofs, gbl_dtype dtype, int math);

/* What became of a measurement. */
typedef struct gbl_roofs_outcome {
    gbl_roofs fresh; /* what it found */
    bool whole;  /* it counts as it is; else the better figures of it and of the one before do */
    bool stored; /* in the file */
    int product_count; /* on cpu: products by the installed BLAS, which are stored beside it */
    gbl_cpu_sample products[GBL_ROOF_PRODUCTS];
    char unstored[1200]; /* why not: a sentence */
} gbl_roofs_outcome;

/* Measures, about a second on a GPU, stores and keeps; `roofs` is what counts from now on. again:
 * what was measured before no longer counts. progress may be NULL: told of each step and the part
 * done. outcome may be NULL. Waits; refused during a recording. */
gable_status gbl_roofs_measure(gable_context *ctx, bool again, gbl_roofs *roofs,
                               gbl_roofs_outcome *outcome,
                               void (*progress)(const char *text, double done));

/* How much a measurement was disturbed, 0 to 1; 1 where nothing is known, 0 for what was not
 * measured here. */
#define GBL_ROOFS_BUSY 0.1 /* from here on another measurement is worth its time */
double gbl_roofs_disturbed(const gbl_roofs *roofs);

/* "other programs took 3 % of the processors, repeats differed by 1 %"; "" for what was not
 * measured here. */
#define GBL_ROOFS_TEXT_BYTES 160
const char *gbl_roofs_circumstances(const gbl_roofs *roofs, char text[GBL_ROOFS_TEXT_BYTES]);

/* Launches every kernel that measures once, on little memory: for tools that look at kernels. */
gable_status gbl_roofs_launch_all(gable_context *ctx);

/* One line of roofs.jsonl, ended by a newline: false where it does not fit. And its figures back,
 * as `source`: false for a damaged line. */
#define GBL_ROOFS_LINE_BYTES 4096
bool gbl_roofs_write(const gbl_roofs *roofs, const char *device_class, char *line,
                     size_t line_bytes);
bool gbl_roofs_read(const char *line, gbl_roofs_source source, gbl_roofs *roofs);

/* Forgets what was read and measured: for tests. */
void gbl_roofs_forget(void);

#endif

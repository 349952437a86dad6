/* roofs.h: what a device can do: bandwidths, arithmetic, launch and hand-over costs, the host link.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * No library call measures: gable_calibrate, `gable info --roofs`, `bench` and `tune` do, once, and
 * store the result in the data folder (roofs.jsonl, one line a measurement, the last of a device class
 * counts). Until then a built-in table for known devices serves, else guesses from the device's properties.
 */
#ifndef GBL_ROOFS_H
#define GBL_ROOFS_H

#include "core/dtype.h"
#include "device/device.h"
#include "gable/gable.h"

#define GBL_ROOF_POINTS 24

/* Where a device's roofs come from, worst first. */
typedef enum gbl_roofs_source {
    GBL_ROOFS_GUESSED,  /* from the device's properties */
    GBL_ROOFS_BUILT_IN, /* measured on another device of the same kind */
    GBL_ROOFS_MEASURED
} gbl_roofs_source;

typedef struct gbl_roofs {
    gbl_roofs_source source;
    /* Bytes a second of operands far larger than the cache: read and written counted both in copy. */
    double copy, read, write;
    /* Bytes a second of reading a working set over and over, smallest set first. */
    int points;
    double point_bytes[GBL_ROOF_POINTS], point_read[GBL_ROOF_POINTS];
    double cache;             /* bytes a second out of the last-level cache */
    double cache_bytes;       /* the largest working set that it serves at that speed */
    double flops[GBL_DTYPES]; /* a second, fused multiply-adds counted as two, per dtype */
    double
        matrix_flops; /* of the matrix units in double or, where they have none, single; 0: none */
    double launch_replay; /* seconds of the smallest call in a recording ... */
    double launch_single; /* ... and alone on an idle queue, by the device's clock */
    double latency;       /* seconds of one load from memory that waits for the one before */
    double barrier;       /* seconds of a hand-over between groups within a launch */
    double link_to_device,
        link_to_host;    /* bytes a second between pinned host memory and the device; 0: none */
    double link_latency; /* seconds of the smallest copy to the host and its wait */
} gbl_roofs;

/* What identifies devices that behave alike: "cuda|NVIDIA H200|sm_90|132|139 GiB". No serial numbers, no
 * driver version. */
void gbl_device_class(const gbl_device *device, char *text, size_t text_bytes);

/* The roofs of a device: measured by this process or stored by another, else built in, else guessed. Kept
 * after the first question; cheap, safe from several threads. */
void gbl_roofs_get(const gbl_device *device, gbl_roofs *roofs);

/* Measures, about a second, stores and keeps. progress may be NULL: told of each step and the part done. */
gable_status gbl_roofs_measure(gable_context *ctx, gbl_roofs *roofs,
                               void (*progress)(const char *text, double done));

#endif

/* roofs_builtin.c: roofs of known devices, and guesses for all others.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A row is a line of roofs.jsonl as gable_calibrate wrote it, between LINE( and ): paste it as it is. It
 * serves devices of the same kind, title, architecture and number of units, whatever their memory. Guesses
 * are for ordering variants before anything was measured, not for judging a time.
 */
#include <string.h>
#include "core/json_line.h"
#include "model/roofs_private.h"

#define LINE(...) #__VA_ARGS__

/* The H200: bandwidths, launches, hand-over and link measured with CUDA samples of the project's reference
 * (limits-h200, 2026-11); the points of the cache are of another H200 (RRZE's gpu-benches); arithmetic is
 * the data sheet's; the latency is a GH200's (gpu-benches); unit and step are estimates from clock and
 * pipeline. */
/* clang-format off */
static const char *const lines[] = {
    LINE({"device":"cuda|NVIDIA H200|sm_90a|132|140 GiB","date":"2026-11-15","version":"0.1.0",
          "copy":4.3e12,"read":4.38e12,"write":4.33e12,"cache":9.8e12,"cache_bytes":4.4e7,"unit":8e10,
          "flops":{"s":6.69e13,"d":3.35e13,"c":6.69e13,"z":3.35e13},"matrix_flops":6.69e13,
          "launch_replay":5.4e-7,"launch_single":4.62e-6,"latency":3.5e-7,"barrier":9.5e-7,"step":1.5e-8,
          "link_to_device":5.55e10,"link_to_host":5.53e10,"link_latency":7.19e-6,
          "points":{"6000000":1.02e13,"12000000":9.8e12,"40000000":9.7e12,"44000000":9.1e12,
                    "48000000":7.5e12,"53000000":6.5e12,"58000000":5.05e12,"63000000":4.46e12,
                    "80000000":3.9e12}}),
};
/* clang-format on */

/* The length of a class up to its memory. */
static size_t before_memory(const char *device_class)
{
    const char *bar = strrchr(device_class, '|');
    return bar != NULL ? (size_t)(bar - device_class) : strlen(device_class);
}

bool gbl_roofs_builtin(const char *device_class, gbl_roofs *roofs)
{
    const size_t length = before_memory(device_class);
    char name[256];
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        if (gbl_json_text(lines[i], "device", name, sizeof name) && before_memory(name) == length &&
            strncmp(name, device_class, length) == 0)
            return gbl_roofs_read(lines[i], GBL_ROOFS_BUILT_IN, roofs);
    return false;
}

/* ---- Guesses ---- */

#define GIB 1073741824.0

/* GPUs with much memory have stacked memory and full-rate doubles, the others neither. Per unit: 128 lanes
 * at 1.5 GHz, as NVIDIA's; other vendors' units are within a factor of two. */
static void guess_gpu(const gbl_props *props, gbl_roofs *roofs)
{
    const double units = props->units > 0 ? props->units : 16;
    const bool large = (double)props->memory_bytes >= 32 * GIB;
    roofs->copy = units * (large ? 20e9 : 8e9);
    roofs->cache = 2.5 * roofs->copy;
    roofs->flops[GBL_S] = units * 128 * 2 * 1.5e9;
    roofs->flops[GBL_D] = roofs->flops[GBL_S] / (large ? 2 : 32);
    roofs->cache_bytes = props->cache_bytes > 0 ? 0.7 * (double)props->cache_bytes : 2e6;
    roofs->launch_replay = 1.5e-6;
    roofs->launch_single = 6e-6;
    roofs->latency = 6e-7;
    roofs->barrier = props->fence_device ? 1e-6 : 0;
    roofs->step = 2e-8;
    roofs->unit = large ? 60e9 : 30e9;
    roofs->link_to_device = roofs->link_to_host = 12e9;
    roofs->link_latency = 15e-6;
}

/* Per core: two units of 16 bytes at 2.5 GHz that multiply and add; a memory that a few cores fill. */
static void guess_cpu(const gbl_props *props, gbl_roofs *roofs)
{
    const double cores = props->units > 0 ? props->units : 1;
    roofs->copy = cores < 16 ? 10e9 * cores : 160e9;
    roofs->cache = cores * 25e9;
    roofs->flops[GBL_S] = cores * 2 * 4 * 2 * 2.5e9;
    roofs->flops[GBL_D] = roofs->flops[GBL_S] / 2;
    roofs->cache_bytes = props->cache_bytes > 0 ? (double)props->cache_bytes / 2 : cores * 1e6;
    roofs->latency = 1e-7;
    roofs->unit = 10e9;
    roofs->step = props->is_host ? 0 : 1e-8;
    roofs->launch_replay = props->is_host ? 1e-7 : 2e-5;
    roofs->launch_single = props->is_host ? 2e-7 : 5e-5;
    roofs->barrier = props->is_host ? 2e-6 : 0;
    if (!props->is_host) {
        roofs->link_to_device = roofs->link_to_host = 10e9;
        roofs->link_latency = 2e-5;
    }
}

void gbl_roofs_guess(const gbl_device *device, gbl_roofs *roofs)
{
    memset(roofs, 0, sizeof *roofs);
    roofs->source = GBL_ROOFS_GUESSED;
    if (device->props.is_gpu)
        guess_gpu(&device->props, roofs);
    else
        guess_cpu(&device->props, roofs);
    roofs->read = roofs->write = roofs->copy;
    if (roofs->cache < roofs->copy)
        roofs->cache = roofs->copy;
    roofs->flops[GBL_C] = roofs->flops[GBL_S];
    roofs->flops[GBL_Z] = roofs->flops[GBL_D];
    roofs->points = 2;
    roofs->point_bytes[0] = roofs->cache_bytes;
    roofs->point_read[0] = roofs->cache;
    roofs->point_bytes[1] = 8 * roofs->cache_bytes;
    roofs->point_read[1] = roofs->read;
}

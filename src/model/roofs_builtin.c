/* roofs_builtin.c: roofs of known devices, and guesses for all others.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * An entry is a line of roofs.jsonl as gable_calibrate wrote it, between LINE( and ): paste it as
 * it is. It serves devices of the same kind, title, architecture and number of units, whatever
 * their memory. Guesses are for ordering variants before anything was measured, not for judging a
 * time.
 */
#include <string.h>
#include "core/json_line.h"
#include "device/cpu_peak.h"
#include "model/roofs_private.h"

#define LINE(...) #__VA_ARGS__

/* The H200: driver 580 with CUDA 13.0, 2026-11. */
/* clang-format off */
static const char *const lines[] = {
    LINE({"device":"cuda|NVIDIA H200|sm_90a|132|140 GiB","date":"2026-11-15T15:58:20Z","version":"0.1.0",
          "copy":4.2e+12,"read":4.612e+12,"write":4.571e+12,"cache":1.162e+13,"cache_bytes":5.2e+07,"unit":1.952e+11,
          "flops":{"s":6.39e+13,"d":3.294e+13,"c":6.39e+13,"z":3.294e+13},"matrix_flops":6.595e+13,"tf32_flops":4.82e+14,
          "launch_replay":6.335e-07,"launch_single":6.144e-06,"latency":7.199e-07,"barrier":1.273e-06,"step":1.518e-08,
          "link_to_device":5.501e+10,"link_to_host":5.511e+10,"link_latency":7.726e-06,
          "points":{"1048576":2.158e+13,"2097152":1.401e+13,"4194304":1.25e+13,"8388608":9.942e+12,
                    "16777216":1.162e+13,"25165824":9.205e+12,"33554432":9.789e+12,"50331648":1.001e+13,
                    "67108864":8.708e+12,"100663296":6.09e+12,"134217728":5.558e+12,"268435456":4.822e+12,
                    "536870912":4.703e+12,"1073741824":4.645e+12,"2147483648":4.612e+12}}),
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

/* GPUs with much memory have stacked memory and full-rate doubles, the others neither. Per unit:
 * 128 lanes at 1.5 GHz, as NVIDIA's; other vendors' units are within a factor of two. */
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

/* Of their peak cores reach so much (cpu_rates.c says where). */
#define CPU_SHARE 0.6

/* Per core of another device: two units of 16 bytes at 2.5 GHz that multiply and add; a memory that
 * a few cores fill. */
static void guess_cpu(const gbl_props *props, gbl_roofs *roofs)
{
    const double cores = props->units > 0 ? props->units : 1;
    roofs->copy = cores < 16 ? 10e9 * cores : 160e9;
    roofs->cache = cores * 25e9;
    roofs->flops[GBL_S] =
        props->is_host ? CPU_SHARE * gbl_cpu_peak(GBL_S, props->units) : cores * 2 * 4 * 2 * 2.5e9;
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
    roofs->busy = roofs->unsteady = -1;
    if (device->props.is_gpu)
        guess_gpu(&device->props, roofs);
    else
        guess_cpu(&device->props, roofs);
    roofs->read = roofs->write = roofs->copy;
    if (roofs->cache < roofs->copy)
        roofs->cache = roofs->copy;
    if (strcmp(device->info.arch, "sm_90a") == 0)
        roofs->tf32_flops = GBL_TF32_FACTOR * roofs->flops[GBL_S];
    roofs->flops[GBL_C] = roofs->flops[GBL_S];
    roofs->flops[GBL_Z] = roofs->flops[GBL_D];
    roofs->points = 2;
    roofs->point_bytes[0] = roofs->cache_bytes;
    roofs->point_read[0] = roofs->cache;
    roofs->point_bytes[1] = 8 * roofs->cache_bytes;
    roofs->point_read[1] = roofs->read;
}

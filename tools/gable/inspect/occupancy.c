/* occupancy.c: how many work-items of a kernel a multiprocessor can hold.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdlib.h>
#include <string.h>
#include "occupancy.h"

#define WARP              32
#define REGISTER_PIECE    256  /* registers, given to whole warps */
#define WARP_PIECE        4    /* warps share the file by its four parts */
#define SHARED_FOR_SYSTEM 1024 /* bytes per group, from 8.0 on */

static const occupancy_limits known[] = {
    {.capability = 75, .registers = 65536, .threads = 1024, .groups = 16, .shared_kib = 64},
    {.capability = 80, .registers = 65536, .threads = 2048, .groups = 32, .shared_kib = 164},
    {.capability = 86, .registers = 65536, .threads = 1536, .groups = 16, .shared_kib = 100},
    {.capability = 87, .registers = 65536, .threads = 1536, .groups = 16, .shared_kib = 164},
    {.capability = 89, .registers = 65536, .threads = 1536, .groups = 24, .shared_kib = 100},
    {.capability = 90, .registers = 65536, .threads = 2048, .groups = 32, .shared_kib = 228},
    {.capability = 100, .registers = 65536, .threads = 2048, .groups = 32, .shared_kib = 228},
    {.capability = 103, .registers = 65536, .threads = 2048, .groups = 32, .shared_kib = 228},
    {.capability = 120, .registers = 65536, .threads = 1536, .groups = 24, .shared_kib = 100},
    {.capability = 121, .registers = 65536, .threads = 1536, .groups = 24, .shared_kib = 100},
};

static const occupancy_limits *limits_of(const char *arch)
{
    const char *number = strchr(arch, '_');
    const int capability = number != NULL ? atoi(number + 1) : 0;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (known[i].capability == capability)
            return &known[i];
    return NULL;
}

bool occupancy_of(const char *arch, int registers, int shared_bytes, int group_threads,
                  occupancy *result)
{
    const occupancy_limits *limits = limits_of(arch);
    if (limits == NULL || registers <= 0 || shared_bytes < 0 || group_threads <= 0)
        return false;
    const int warps = (group_threads + WARP - 1) / WARP;
    const int a_warp = (registers * WARP + REGISTER_PIECE - 1) / REGISTER_PIECE * REGISTER_PIECE;
    const int by_registers = limits->registers / a_warp / WARP_PIECE * WARP_PIECE / warps;
    const int by_threads = limits->threads / (warps * WARP);
    const int by_shared = limits->shared_kib * 1024 /
                          (shared_bytes + (limits->capability >= 80 ? SHARED_FOR_SYSTEM : 1));
    *result = (occupancy){.limits = limits, .groups = limits->groups, .limiter = "groups"};
    if (by_threads <= result->groups) {
        result->groups = by_threads;
        result->limiter = "threads";
    }
    if (by_registers < result->groups) {
        result->groups = by_registers;
        result->limiter = "registers";
    }
    if (by_shared < result->groups) {
        result->groups = by_shared;
        result->limiter = "shared memory";
    }
    result->fraction = (double)result->groups * warps * WARP / limits->threads;
    return true;
}

/* occupancy.h: how many work-items of a kernel a multiprocessor can hold, from its resources.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The limits are those of the CUDA C++ Programming Guide's table of compute capabilities; registers
 * are given out in pieces of 256 per warp, shared memory with 1 KiB per group for the system.
 */
#ifndef TOOL_OCCUPANCY_H
#define TOOL_OCCUPANCY_H

#include <stdbool.h>

typedef struct occupancy_limits {
    int capability; /* 90 for sm_90 */
    int registers, threads, groups, shared_kib;
} occupancy_limits;

typedef struct occupancy {
    const occupancy_limits *limits;
    int groups;          /* resident on a multiprocessor */
    double fraction;     /* of the threads it could hold */
    const char *limiter; /* "registers", "threads", "shared memory" or "groups" */
} occupancy;

/* arch is "sm_90a". false: the limits of that architecture are not known here. */
bool occupancy_of(const char *arch, int registers, int shared_bytes, int group_threads,
                  occupancy *result);

#endif

/* host_cost.c: what a variant of the cpu costs beside its bytes.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <string.h>
#include "blas/host_cost.h"

/* Two cores of a Neoverse V1, 2026-11: what triangular products, symv and dot take beyond their
 * bytes. */
#define START_WAITS 11     /* loads that wait before a long stream runs, */
#define HALF_BYTES  1600   /* and the length of a stream with half as many */
#define TWO_THREADS 131072 /* bytes for which a second one is forked (cpu_team.c) */

gbl_host_walk gbl_host_vectors(void)
{
    return (gbl_host_walk){.starts = 1, .forks = 1};
}

static double waits_of(double stream_bytes)
{
    return stream_bytes > 0 ? START_WAITS * stream_bytes / (stream_bytes + HALF_BYTES)
                            : START_WAITS;
}

void gbl_host_cost(const gbl_work *least, const gbl_host_walk *walk, const gbl_device *device,
                   gbl_cost *cost)
{
    const double units = device->props.units > 0 ? device->props.units : 1;
    memset(cost, 0, sizeof *cost);
    cost->memory_bytes = least->bytes_read + least->bytes_written;
    cost->flops = least->flops;
    cost->launches = 1;
    cost->groups = units;
    if (!device->props.is_host)
        return;
    const bool forked = cost->memory_bytes >= TWO_THREADS && units > 1;
    const double starts = forked ? walk->starts / units : walk->starts;
    cost->groups = forked ? units : 1;
    cost->barriers = forked ? walk->forks : 0;
    cost->waits = ((starts > 1 ? starts : 1) + walk->alone) * waits_of(walk->stream_bytes);
    cost->memory_bytes += walk->more_bytes;
    cost->written_bytes = least->bytes_written + walk->more_written;
}

/* host_cost.h: what a variant of the cpu costs beside its bytes: threads that are forked, streams
 * that begin.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A core reads at the speed of memory once the hardware's prefetch runs along a stream. Until then
 * loads wait for memory, one after the other: for a long stream 11 of them, for one of 1.6 KB half
 * as many. Where columns follow one another without gaps a matrix is a few streams; the columns of
 * a triangle begin again, eight of them side by side.
 */
#ifndef GBL_HOST_COST_H
#define GBL_HOST_COST_H

#include "core/op.h"

/* How threads go over their operands. */
typedef struct gbl_host_walk {
    double starts; /* of streams, by all threads together, those side by side counted as one */
    double stream_bytes; /* of one; 0: long */
    double alone;        /* starts by one thread while the others wait */
    double forks;
    double more_bytes;   /* through memory, beyond what the work must move, */
    double more_written; /* and of those the written ones */
} gbl_host_walk;

/* The walk of vectors: streams side by side, one fork. */
gbl_host_walk gbl_host_vectors(void);

/* The cost of a variant on the device. The walk is its own if the device is the cpu. */
void gbl_host_cost(const gbl_work *least, const gbl_host_walk *walk, const gbl_device *device,
                   gbl_cost *cost);

#endif

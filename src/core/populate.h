/* populate.h: pages of host memory that nobody has touched yet, made by threads beside the caller.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The first write to a page waits for the kernel to clear it. One thread gets 2 to 4 GB/s of fresh
 * memory in this way, and a copy into a fresh array is slower than the host link by far. So while a
 * device computes a result, the pages for it are made. No byte changes, and pages that are there
 * stay as they are.
 */
#ifndef GBL_POPULATE_H
#define GBL_POPULATE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#define GBL_POPULATE_THREADS 8

typedef struct gbl_populate {
    char *from; /* whole pages */
    size_t bytes;
    atomic_size_t taken; /* by threads, so far */
    atomic_bool stop;
    atomic_bool refused; /* by the kernel */
    pthread_t threads[GBL_POPULATE_THREADS];
    int count;
} gbl_populate;

/* Begins where that is worth it: much memory, of which some is not there, and CPUs that do not copy
 * (core/copy_team.h). The threads take no signals. */
void gbl_populate_begin(gbl_populate *job, void *address, size_t bytes);
/* Returns when no thread touches the memory any more. */
void gbl_populate_end(gbl_populate *job);

#endif

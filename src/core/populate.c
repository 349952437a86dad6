/* populate.c: pages of host memory that nobody has touched yet.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * MADV_POPULATE_WRITE (Linux 5.14) makes pages as a write would and changes nothing. Where it is
 * refused, by an older kernel or for memory of another kind, the copy makes the pages as before.
 * Threads live as long as one job: starting them takes some 30 us each, the job several ms.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>
#include "core/copy_team.h"
#include "core/populate.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

#define LEAST_BYTES ((size_t)16 << 20)
#define PORTION     ((size_t)4 << 20)
#define SAMPLES     16

static void *work(void *given)
{
    gbl_populate *job = given;
    while (!atomic_load(&job->stop) && !atomic_load(&job->refused)) {
        const size_t at = atomic_fetch_add(&job->taken, PORTION);
        if (at >= job->bytes)
            break;
        const size_t left = job->bytes - at;
        if (madvise(job->from + at, left < PORTION ? left : PORTION, MADV_POPULATE_WRITE) != 0)
            atomic_store(&job->refused, true);
    }
    return NULL;
}

/* Whether some of a few pages is not there. */
static bool is_fresh(const gbl_populate *job, size_t page)
{
    for (size_t i = 0; i < SAMPLES; i++) {
        unsigned char there = 1;
        const size_t at = (job->bytes - page) / (SAMPLES - 1) * i / page * page;
        if (mincore(job->from + at, page, &there) != 0)
            return false;
        if (!(there & 1))
            return true;
    }
    return false;
}

static void start(gbl_populate *job, int wanted)
{
    pthread_attr_t attributes;
    sigset_t all, before;
    if (pthread_attr_init(&attributes) != 0)
        return;
    pthread_attr_setstacksize(&attributes, (size_t)256 << 10);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (job->count < wanted &&
           pthread_create(&job->threads[job->count], &attributes, work, job) == 0)
        job->count++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
}

void gbl_populate_begin(gbl_populate *job, void *address, size_t bytes)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), head = -(uintptr_t)address % page;
    job->from = (char *)address + head;
    job->bytes = bytes > head ? (bytes - head) / page * page : 0;
    job->count = 0;
    atomic_init(&job->taken, 0);
    atomic_init(&job->stop, false);
    atomic_init(&job->refused, false);
    const int spare = gbl_copy_team_spare();
    if (job->bytes >= LEAST_BYTES && spare > 0 && is_fresh(job, page))
        start(job, spare < GBL_POPULATE_THREADS ? spare : GBL_POPULATE_THREADS);
}

void gbl_populate_end(gbl_populate *job)
{
    atomic_store(&job->stop, true);
    for (int i = 0; i < job->count; i++)
        pthread_join(job->threads[i], NULL);
}

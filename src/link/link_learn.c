/* link_learn.c: how fast the program's own library was, for the next run.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * One cell per library, threads, routine, precision and size within a factor of four. The lock is
 * only tried: a call that finds it taken, or left behind by a fork, is not counted.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "link/link_decide.h"
#include "link/link_lapack.h"
#include "link/link_learn.h"
#include "model/cpu_rates.h"

#define LEAST_TIME UINT64_C(10000000)
#define CELLS      64

typedef struct cell {
    gbl_cpu_sample sample; /* multiply_adds: those of its first call */
    double flops, nanoseconds;
} cell;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static cell cells[CELLS];
static int count;
static pid_t owner; /* a child of fork leaves its parent's times to the parent */

static bool same_cell(const gbl_cpu_sample *a, const gbl_cpu_sample *b)
{
    return a->threads == b->threads && a->dtype == b->dtype &&
           a->multiply_adds < 2 * b->multiply_adds && b->multiply_adds < 2 * a->multiply_adds &&
           strcmp(a->routine, b->routine) == 0 && strcmp(a->words, b->words) == 0;
}

static cell *find(const gbl_cpu_sample *sample)
{
    for (int i = 0; i < count; i++)
        if (same_cell(&cells[i].sample, sample))
            return &cells[i];
    if (count == CELLS)
        return NULL;
    cells[count] = (cell){.sample = *sample};
    return &cells[count++];
}

void gbl_link_learn(const gbl_link_binding *bound, const gbl_link_call *call, uint64_t nanoseconds)
{
    if (nanoseconds < LEAST_TIME || bound->alone)
        return;
    /* A call that LAPACK ends early says nothing of its rate. */
    if (call->info != NULL && gbl_link_integer_at(call->info, call->wide, 0) != 0)
        return;
    gbl_cpu_sample sample = {.tuned = bound->kind == GBL_LINK_TUNED,
                             .threads = bound->threads != NULL ? bound->threads() : 1,
                             .dtype = call->dtype,
                             .multiply_adds = gbl_link_multiply_adds(call)};
    snprintf(sample.words, sizeof sample.words, "%s", bound->words);
    gbl_link_rate_name(call, sample.routine);
    if (pthread_mutex_trylock(&lock) != 0)
        return;
    if (owner != getpid())
        count = 0;
    owner = getpid();
    cell *const own = find(&sample);
    if (own != NULL) {
        own->flops += gbl_link_flops_each(call->dtype) * sample.multiply_adds;
        own->nanoseconds += (double)nanoseconds;
    }
    pthread_mutex_unlock(&lock);
}

__attribute__((destructor)) static void store(void)
{
    if (count == 0 || owner != getpid() || pthread_mutex_trylock(&lock) != 0)
        return;
    for (int i = 0; i < count; i++) {
        cells[i].sample.flops = cells[i].flops / (cells[i].nanoseconds * 1e-9);
        gbl_cpu_rates_store(&cells[i].sample, 1);
    }
    pthread_mutex_unlock(&lock);
}

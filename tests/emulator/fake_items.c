/* fake_items.c: the fake device's way to run in which work-items are threads.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The groups of a launch, all rows of them, run one after another, because their LOCAL data is
 * static.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include "dialect_c.h"
#include "fake_device.h"

typedef pthread_barrier_t meeting;

static void meet(meeting *at)
{
    pthread_barrier_wait(at);
}

#include "fake_words.h"

/* Groups take turns, so none of them has to make way for another. */
void dialect_pause(void)
{
}

static void *work_item(void *lane)
{
    run_groups((i32)(intptr_t)lane);
    return NULL;
}

static void run_items(int count, int together)
{
    pthread_t threads[FAKE_MAX_ITEMS];
    int started = 0;
    pthread_barrier_init(&now.group, NULL, (unsigned)count);
    for (int i = 0; i < count / together; i++)
        pthread_barrier_init(&now.warps[i], NULL, (unsigned)together);
    while (started < count &&
           pthread_create(&threads[started], NULL, work_item, (void *)(intptr_t)started) == 0)
        started++;
    if (started < count) { /* the others would wait forever at a barrier */
        perror("fake_items.c: a work-item got no thread");
        exit(2);
    }
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&now.group);
    for (int i = 0; i < count / together; i++)
        pthread_barrier_destroy(&now.warps[i]);
}

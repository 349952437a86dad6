/* fake_items.c: the fake device's way to run in which work-items are threads.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The groups of a launch, all rows of them, run one after another, because their LOCAL data is static.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include "dialect_c.h"
#include "fake_device.h"

_Thread_local dialect_item dialect_here;

/* One launch; its work-items share it. Launches are serialised by `running`. */
static pthread_mutex_t running = PTHREAD_MUTEX_INITIALIZER;
static struct {
    const fake_kernel *kernel;
    const gbl_launch_spec *spec;
    const int64_t *order;
    int64_t count; /* of all rows of groups */
    pthread_barrier_t group;
    pthread_barrier_t bundles[FAKE_MAX_ITEMS];
    long double exchange[FAKE_MAX_ITEMS];
} now;

/* Groups take turns, so none of them has to make way for another. */
void dialect_pause(void)
{
}

void dialect_barrier(void)
{
    if (now.kernel->work_items > 1)
        pthread_barrier_wait(&now.group);
}

long double dialect_shuffle_xor(long double value, i32 mask)
{
    const i32 lane = dialect_here.lane;
    pthread_barrier_t *bundle = &now.bundles[lane / now.kernel->lanes_together];
    now.exchange[lane] = value;
    pthread_barrier_wait(bundle);
    const long double other = now.exchange[lane ^ mask];
    pthread_barrier_wait(bundle);
    return other;
}

i32 dialect_any(i32 condition)
{
    const i32 together = now.kernel->lanes_together, lane = dialect_here.lane;
    const i32 first = lane - lane % together;
    pthread_barrier_t *bundle = &now.bundles[lane / together];
    i32 any = 0;
    now.exchange[lane] = condition;
    pthread_barrier_wait(bundle);
    for (i32 i = 0; i < together; i++)
        any |= now.exchange[first + i] != 0;
    pthread_barrier_wait(bundle);
    return any;
}

static void *work_item(void *lane)
{
    dialect_here.lane = (i32)(intptr_t)lane;
    dialect_here.groups = now.spec->groups[0];
    for (int64_t i = 0; i < now.count; i++) {
        dialect_here.group = now.order[i] % now.spec->groups[0];
        dialect_here.row = now.order[i] / now.spec->groups[0];
        now.kernel->run(now.spec->buffers, now.spec->args);
        dialect_barrier(); /* the next group uses the same LOCAL memory */
    }
    return NULL;
}

void fake_run(const fake_kernel *kernel, const gbl_launch_spec *spec)
{
    const int items = kernel->work_items, together = kernel->lanes_together;
    pthread_mutex_lock(&running);
    int64_t *order = fake_order(kernel, spec);
    if (order == NULL) {
        pthread_mutex_unlock(&running);
        return;
    }
    now.kernel = kernel;
    now.spec = spec;
    now.order = order;
    now.count = spec->groups[0] * spec->groups[1];
    if (items == 1) {
        work_item(NULL);
    } else {
        pthread_t threads[FAKE_MAX_ITEMS];
        int started = 0;
        pthread_barrier_init(&now.group, NULL, (unsigned)items);
        for (int i = 0; i < items / together; i++)
            pthread_barrier_init(&now.bundles[i], NULL, (unsigned)together);
        while (started < items &&
               pthread_create(&threads[started], NULL, work_item, (void *)(intptr_t)started) == 0)
            started++;
        if (started < items) { /* the others would wait forever at a barrier */
            perror("fake_items.c: a work-item got no thread");
            exit(2);
        }
        for (int i = 0; i < items; i++)
            pthread_join(threads[i], NULL);
        pthread_barrier_destroy(&now.group);
        for (int i = 0; i < items / together; i++)
            pthread_barrier_destroy(&now.bundles[i]);
    }
    free(order);
    pthread_mutex_unlock(&running);
}

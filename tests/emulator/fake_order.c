/* fake_order.c: the order in which the fake device's ways to run take the groups of a launch.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "fake_device.h"

static unsigned shuffle_state = 1;

void fake_shuffle(unsigned seed)
{
    shuffle_state = seed | 1u;
}

/* Fisher-Yates with a small generator: any order may happen on a device. */
static void shuffle(int64_t *order, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        order[i] = i;
    for (int64_t i = count - 1; i > 0; i--) {
        shuffle_state = shuffle_state * 1664525u + 1013904223u;
        const int64_t j = (int64_t)(shuffle_state >> 8) % (i + 1);
        const int64_t kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
}

int64_t *fake_order(const fake_kernel *kernel, const gbl_launch_spec *spec)
{
    if (spec->group[0] != kernel->work_items || spec->group[1] != 1 || spec->groups[0] < 1 ||
        spec->groups[1] < 1 || spec->buffer_count != kernel->buffers ||
        kernel->work_items > FAKE_MAX_ITEMS) {
        fake_fault("a launch of %s with %lld x %lld groups of %d x %d and %d buffers", spec->name,
                   (long long)spec->groups[0], (long long)spec->groups[1], spec->group[0],
                   spec->group[1], spec->buffer_count);
        return NULL;
    }
    const int64_t count = spec->groups[0] * spec->groups[1];
    int64_t *order = fake_memory((size_t)count * sizeof *order);
    if (order == NULL)
        fake_fault("no memory for the order of %lld groups", (long long)count);
    else
        shuffle(order, count);
    return order;
}

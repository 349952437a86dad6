/* cpu_regions.c: which memory gable_alloc gave on the cpu device: a list sorted by address.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "device/cpu_regions.h"
#include "device/fork_guard.h"

typedef struct region {
    uintptr_t start;
    size_t bytes;
} region;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static region *regions;
static size_t count, capacity;
GBL_FORK_GUARD(.lock = &lock)

/* How many start at or before an address. Under the lock. */
static size_t started(uintptr_t address)
{
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (regions[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool gbl_cpu_regions_add(const void *start, size_t bytes)
{
    bool room = true;
    pthread_mutex_lock(&lock);
    if (count == capacity) {
        const size_t larger = capacity > 0 ? 2 * capacity : 64;
        region *grown = realloc(regions, larger * sizeof *grown);
        room = grown != NULL;
        if (room) {
            regions = grown;
            capacity = larger;
        }
    }
    if (room) {
        const size_t place = started((uintptr_t)start);
        memmove(regions + place + 1, regions + place, (count - place) * sizeof *regions);
        regions[place] = (region){(uintptr_t)start, bytes};
        count++;
    }
    pthread_mutex_unlock(&lock);
    return room;
}

void gbl_cpu_regions_remove(const void *start)
{
    pthread_mutex_lock(&lock);
    const size_t after = started((uintptr_t)start);
    if (after > 0 && regions[after - 1].start == (uintptr_t)start) {
        memmove(regions + after - 1, regions + after, (count - after) * sizeof *regions);
        count--;
    }
    if (count == 0) {
        free(regions);
        regions = NULL;
        capacity = 0;
    }
    pthread_mutex_unlock(&lock);
}

bool gbl_cpu_regions_hold(const void *address)
{
    pthread_mutex_lock(&lock);
    const size_t after = started((uintptr_t)address);
    const bool inside =
        after > 0 && (uintptr_t)address - regions[after - 1].start < regions[after - 1].bytes;
    pthread_mutex_unlock(&lock);
    return inside;
}

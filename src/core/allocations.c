/* allocations.c: what gable_alloc gave out, and what gable_free took back.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include "core/allocations.h"
#include "device/fork_guard.h"

typedef struct held_block {
    gbl_allocation allocation;
    const void *owner;
} held_block;

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER; /* guards all below but `ended` */
static gbl_allocation *live;                               /* sorted by start */
static size_t live_count, live_room;
static uint64_t last_serial;
static held_block held[GBL_HELD_BLOCKS + 1]; /* oldest first; one more while the oldest goes */
static int held_count;
static size_t held_bytes;
static atomic_uint_fast64_t ended;

/* Nobody who held the lock is in the child. */
static void free_lock(void)
{
    lock = (pthread_rwlock_t)PTHREAD_RWLOCK_INITIALIZER;
}
GBL_FORK_GUARD(.child = free_lock)

/* Index of the first one that starts after an address. */
static size_t first_after(const void *address)
{
    size_t low = 0, high = live_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if ((uintptr_t)live[middle].start <= (uintptr_t)address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool holds(const gbl_allocation *allocation, const void *address)
{
    return (uintptr_t)address - (uintptr_t)allocation->start < allocation->bytes;
}

gbl_known gbl_allocations_find(const void *address, gbl_allocation *found)
{
    gbl_known known = GBL_UNKNOWN;
    pthread_rwlock_rdlock(&lock);
    const size_t after = first_after(address);
    if (after > 0 && holds(&live[after - 1], address)) {
        *found = live[after - 1];
        known = GBL_LIVE;
    }
    for (int i = held_count - 1; known == GBL_UNKNOWN && i >= 0; i--) {
        if (holds(&held[i].allocation, address)) {
            *found = held[i].allocation;
            known = GBL_FREED;
        }
    }
    pthread_rwlock_unlock(&lock);
    return known;
}

bool gbl_allocations_alive(const void *start, uint64_t serial)
{
    gbl_allocation found;
    return gbl_allocations_find(start, &found) == GBL_LIVE && found.serial == serial;
}

uint64_t gbl_allocations_ended(void)
{
    return atomic_load(&ended);
}

/* Takes entries [from, to) out. */
static void cut(size_t from, size_t to)
{
    if (from == to)
        return;
    memmove(live + from, live + to, (live_count - to) * sizeof *live);
    live_count -= to - from;
    atomic_fetch_add(&ended, 1);
}

gable_status gbl_allocations_add(gbl_device *device, void *start, size_t bytes, const void *owner,
                                 gbl_message *message)
{
    gable_status status = GABLE_OK;
    pthread_rwlock_wrlock(&lock);
    /* What stood here before is gone: its device was closed, or another way than gable_free freed
     * it. */
    size_t to = first_after((char *)start + bytes - 1), from = to;
    while (from > 0 &&
           (holds(&live[from - 1], start) || (uintptr_t)live[from - 1].start >= (uintptr_t)start))
        from--;
    cut(from, to);
    if (live_count == live_room) {
        const size_t room = live_room > 0 ? 2 * live_room : 64;
        gbl_allocation *larger = realloc(live, room * sizeof *larger);
        if (larger == NULL) {
            status = gbl_fail(message, GABLE_OUT_OF_MEMORY,
                              "no host memory for the list of %zu allocations", room);
            goto done;
        }
        live = larger;
        live_room = room;
    }
    memmove(live + from + 1, live + from, (live_count - from) * sizeof *live);
    live[from] = (gbl_allocation){device, start, bytes, ++last_serial, owner};
    live_count++;
done:
    pthread_rwlock_unlock(&lock);
    return status;
}

uint64_t gbl_allocations_bytes(const void *owner)
{
    uint64_t bytes = 0;
    pthread_rwlock_rdlock(&lock);
    for (size_t i = 0; i < live_count; i++)
        bytes += live[i].owner == owner ? live[i].bytes : 0;
    pthread_rwlock_unlock(&lock);
    return bytes;
}

void gbl_allocations_disown(const void *owner)
{
    pthread_rwlock_wrlock(&lock);
    for (size_t i = 0; i < live_count; i++)
        if (live[i].owner == owner)
            live[i].owner = NULL;
    pthread_rwlock_unlock(&lock);
}

static void remove_locked(const gbl_allocation *allocation)
{
    const size_t after = first_after(allocation->start);
    if (after > 0 && live[after - 1].serial == allocation->serial)
        cut(after - 1, after);
}

void gbl_allocations_remove(const gbl_allocation *allocation)
{
    pthread_rwlock_wrlock(&lock);
    remove_locked(allocation);
    pthread_rwlock_unlock(&lock);
}

static gbl_allocation take_held(int index)
{
    const gbl_allocation taken = held[index].allocation;
    held_count--;
    held_bytes -= taken.bytes;
    memmove(held + index, held + index + 1, (size_t)(held_count - index) * sizeof *held);
    return taken;
}

void gbl_allocations_hold(const gbl_allocation *allocation, const void *owner)
{
    pthread_rwlock_wrlock(&lock);
    remove_locked(allocation);
    held[held_count++] = (held_block){*allocation, owner};
    held_bytes += allocation->bytes;
    while (held_count > GBL_HELD_BLOCKS || (held_count > 1 && held_bytes > GBL_HELD_BYTES)) {
        const gbl_allocation oldest = take_held(0);
        oldest.device->table->free(oldest.device, oldest.start, NULL);
    }
    pthread_rwlock_unlock(&lock);
}

bool gbl_allocations_release(const gbl_device *device, const void *owner)
{
    bool some = false;
    pthread_rwlock_wrlock(&lock);
    for (int i = held_count - 1; i >= 0; i--) {
        if ((device == NULL || held[i].allocation.device == device) &&
            (owner == NULL || held[i].owner == owner)) {
            const gbl_allocation taken = take_held(i);
            taken.device->table->free(taken.device, taken.start, NULL);
            some = true;
        }
    }
    pthread_rwlock_unlock(&lock);
    return some;
}

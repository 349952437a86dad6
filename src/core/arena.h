/* arena.h: workspace in device memory, taken and given back like a stack.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A list of chunks that never move. An op takes a mark, takes memory, enqueues its work and
 * releases the mark: the queue is in order, so the next op may reuse the memory at once.
 *
 * Chunks grow geometrically. A chunk that nothing uses any more is freed only after a sync: when
 * the caller syncs (all but one, and that one, too, where a second went by without a need for it),
 * when the arena would otherwise hold more than three times what it needs, and
 * before an allocation is refused. The arena of a recording keeps all its chunks: replays use them.
 *
 * Counters are a small block of zeroed 32-bit words for kernels whose last group finishes the work;
 * such a kernel leaves its counter at zero. They are handed out in turn, so that two launches that
 * overlap never share one.
 */
#ifndef GBL_ARENA_H
#define GBL_ARENA_H

#include "device/device.h"

#define GBL_ARENA_CHUNKS  32
#define GBL_COUNTERS      64
#define GBL_MANY_COUNTERS 8192

/* What all arenas of a context have, in bytes: gable_workspace. */
typedef struct gbl_arena_meter {
    size_t held, most_held;
    size_t most_taken; /* by one arena */
} gbl_arena_meter;

typedef struct gbl_arena {
    struct {
        char *base;
        size_t bytes;
    } chunks[GBL_ARENA_CHUNKS];
    gbl_queue *queue; /* whose work uses the memory; NULL: no chunk is freed before the end */
    struct gbl_arena *spare;        /* another one that can give memory back; or NULL */
    bool (*give_back)(void *giver); /* what else can: whether it gave something; or NULL */
    void *giver;
    gbl_arena_meter *meter; /* NULL: nobody asks */
    size_t taken;           /* bytes between all marks */
    size_t peak;            /* the most that was ever taken, or reserved; since memory aged */
    size_t recent;          /* the most that was taken since `since` */
    size_t reserved;        /* the most that was ever reserved */
    double since;           /* seconds, of the clock that gbl_arena_age is told */
    int count;              /* chunks that exist */
    int current;            /* chunk in use */
    size_t used;            /* bytes used of it */
    void *counters;
    int next_counter;
    void *many; /* for those who want more than GBL_COUNTERS in a row */
    int next_many;
} gbl_arena;

typedef struct gbl_arena_mark {
    int chunk;
    size_t used, taken;
} gbl_arena_mark;

static inline gbl_arena_mark gbl_arena_mark_get(const gbl_arena *arena)
{
    const gbl_arena_mark mark = {arena->current, arena->used, arena->taken};
    return mark;
}

static inline void gbl_arena_release(gbl_arena *arena, gbl_arena_mark mark)
{
    arena->current = mark.chunk;
    arena->used = mark.used;
    arena->taken = mark.taken;
}

/* bytes of device memory, aligned to 256, until the mark before is released. */
gable_status gbl_arena_take(gbl_arena *arena, gbl_device *device, size_t bytes, void **address,
                            gbl_message *message);
/* At least bytes free in one piece without further allocation. */
gable_status gbl_arena_reserve(gbl_arena *arena, gbl_device *device, size_t bytes,
                               gbl_message *message);
/* After a sync: frees the chunks that nothing needs. */
void gbl_arena_trim(gbl_arena *arena, gbl_device *device);
/* After a trim, `now` seconds by a clock that never goes back: what is above twice the most that
 * was taken since a call at least GBL_ARENA_AGE earlier, and more than GBL_ARENA_SMALL, is freed.
 * What was reserved stays. */
#define GBL_ARENA_AGE   1.0
#define GBL_ARENA_SMALL ((size_t)32 << 20) /* another allocation costs more than such memory */
void gbl_arena_age(gbl_arena *arena, gbl_device *device, double now);
/* Allocates on the device. Where it has no memory left, what the arenas do not use and what was
 * held back is freed, and it is tried once more. */
gable_status gbl_arena_alloc(gbl_arena *arena, gbl_device *device, size_t bytes, void **address,
                             gbl_message *message);
/* At most GBL_MANY_COUNTERS counters in a row that are 0 when the work enqueued next starts. */
gable_status gbl_arena_counters(gbl_arena *arena, gbl_queue *queue, int count, void **counters,
                                gbl_message *message);
static inline gable_status gbl_arena_counter(gbl_arena *arena, gbl_queue *queue, void **counter,
                                             gbl_message *message)
{
    return gbl_arena_counters(arena, queue, 1, counter, message);
}
/* The queue must have been synchronised. */
void gbl_arena_free(gbl_arena *arena, gbl_device *device);

#endif

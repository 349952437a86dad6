/* arena.c: workspace in device memory.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <string.h>
#include "core/allocations.h"
#include "core/arena.h"

#define ALIGNMENT   ((size_t)256)
#define FIRST_CHUNK ((size_t)1 << 20) /* holds the partial sums of any level-1 reduction */
#define LARGE_CHUNK ((size_t)1 << 30) /* twice as much would be a good part of a small GPU */

/* Up to the next multiple; what is too large for that is left alone, and no device has it. */
static size_t rounded(size_t bytes)
{
    return bytes > SIZE_MAX - ALIGNMENT ? bytes : (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* Memory of the device that the arena has more, or less. */
static void count_held(const gbl_arena *arena, size_t more, size_t less)
{
    gbl_arena_meter *meter = arena->meter;
    if (meter == NULL)
        return;
    meter->held += more - less;
    meter->most_held = meter->held > meter->most_held ? meter->held : meter->most_held;
}

static void free_chunk(gbl_arena *arena, gbl_device *device, int chunk)
{
    count_held(arena, 0, arena->chunks[chunk].bytes);
    device->table->free(device, arena->chunks[chunk].base, NULL);
    arena->count--;
    memmove(arena->chunks + chunk, arena->chunks + chunk + 1,
            (size_t)(arena->count - chunk) * sizeof arena->chunks[0]);
}

/* The first chunk in which nothing is taken; all behind it are empty too. */
static int first_empty(const gbl_arena *arena)
{
    return arena->used > 0 ? arena->current + 1 : arena->current;
}

static size_t held_bytes(const gbl_arena *arena)
{
    size_t held = 0;
    for (int chunk = 0; chunk < arena->count; chunk++)
        held += arena->chunks[chunk].bytes;
    return held;
}

/* Waits for the queue and frees all empty chunks; whether there were some. */
static bool free_empty(gbl_arena *arena, gbl_device *device)
{
    const int first = first_empty(arena);
    if (arena->queue == NULL || first >= arena->count ||
        device->table->sync(arena->queue, NULL) != GABLE_OK)
        return false;
    while (arena->count > first)
        free_chunk(arena, device, arena->count - 1);
    arena->peak = arena->taken;
    return true;
}

void gbl_arena_trim(gbl_arena *arena, gbl_device *device)
{
    if (arena->count <= 1 || arena->taken > 0 || arena->queue == NULL)
        return;
    int largest = 0;
    for (int chunk = 1; chunk < arena->count; chunk++)
        if (arena->chunks[chunk].bytes > arena->chunks[largest].bytes)
            largest = chunk;
    /* Where several together were needed they stay until one is as large: see grow. */
    if (arena->chunks[largest].bytes < arena->peak)
        return;
    for (int chunk = arena->count - 1; chunk >= 0; chunk--)
        if (chunk != largest)
            free_chunk(arena, device, chunk);
    arena->current = 0;
    arena->used = 0;
}

gable_status gbl_arena_alloc(gbl_arena *arena, gbl_device *device, size_t bytes, void **address,
                             gbl_message *message)
{
    const gable_status status = device->table->alloc(device, bytes, address, message);
    if (status != GABLE_OUT_OF_MEMORY)
        return status;
    bool freed = gbl_allocations_release(device, NULL);
    freed = free_empty(arena, device) || freed;
    if (arena->spare != NULL)
        freed = free_empty(arena->spare, device) || freed;
    const gbl_arena *const last = arena->spare != NULL ? arena->spare : arena;
    if (last->give_back != NULL)
        freed = last->give_back(last->giver) || freed;
    return freed ? device->table->alloc(device, bytes, address, message) : status;
}

/* How large the next chunk should be: it grows by its own size, from 1 GiB on by a quarter of what
 * is asked for, and holds all that was ever taken at once. */
static size_t next_chunk(const gbl_arena *arena, size_t bytes)
{
    size_t size = FIRST_CHUNK;
    if (arena->count > 0) {
        const size_t last = arena->chunks[arena->count - 1].bytes;
        size = last < LARGE_CHUNK ? 2 * last : bytes + bytes / 4;
    }
    size = size > bytes ? size : bytes;
    return rounded(size > arena->peak ? size : arena->peak);
}

/* Adds a chunk of at least bytes behind the existing ones. */
static gable_status grow(gbl_arena *arena, gbl_device *device, size_t bytes, gbl_message *message)
{
    if (bytes > SIZE_MAX / 16)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no device has %zu bytes of workspace",
                        bytes);
    const size_t all = arena->taken + bytes, most = 3 * (all > FIRST_CHUNK ? all : FIRST_CHUNK);
    size_t size = next_chunk(arena, bytes);
    if (held_bytes(arena) + size > most || arena->count == GBL_ARENA_CHUNKS)
        free_empty(arena, device);
    if (arena->count == GBL_ARENA_CHUNKS)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY,
                        "the workspace is in %d pieces already; gable_reserve gives it one large "
                        "piece up front",
                        GBL_ARENA_CHUNKS);
    const size_t held = held_bytes(arena);
    if (held + size > most) {
        const size_t left = held < most ? (most - held) / ALIGNMENT * ALIGNMENT : 0;
        size = left > rounded(bytes) ? left : rounded(bytes);
    }
    void *base = NULL;
    gable_status status = gbl_arena_alloc(arena, device, size, &base, message);
    if (status == GABLE_OUT_OF_MEMORY && size > rounded(bytes) && size > FIRST_CHUNK) {
        size = rounded(bytes);
        status = device->table->alloc(device, size, &base, message);
    }
    if (status != GABLE_OK)
        return status;
    arena->chunks[arena->count].base = base;
    arena->chunks[arena->count].bytes = size;
    arena->count++;
    count_held(arena, size, 0);
    return GABLE_OK;
}

/* Moves on to a chunk that has bytes free, without growing. */
static bool find_room(gbl_arena *arena, size_t bytes)
{
    for (int chunk = arena->current; chunk < arena->count; chunk++) {
        const size_t used = chunk == arena->current ? arena->used : 0;
        if (arena->chunks[chunk].bytes - used >= bytes) {
            arena->current = chunk;
            arena->used = used;
            return true;
        }
    }
    return false;
}

gable_status gbl_arena_take(gbl_arena *arena, gbl_device *device, size_t bytes, void **address,
                            gbl_message *message)
{
    bytes = rounded(bytes);
    if (!find_room(arena, bytes)) {
        TRY(grow(arena, device, bytes, message));
        arena->current = arena->count - 1;
        arena->used = 0;
    }
    *address = arena->chunks[arena->current].base + arena->used;
    arena->used += bytes;
    arena->taken += bytes;
    if (arena->taken > arena->peak)
        arena->peak = arena->taken;
    if (arena->taken > arena->recent)
        arena->recent = arena->taken;
    if (arena->meter != NULL && arena->taken > arena->meter->most_taken)
        arena->meter->most_taken = arena->taken;
    return GABLE_OK;
}

gable_status gbl_arena_reserve(gbl_arena *arena, gbl_device *device, size_t bytes,
                               gbl_message *message)
{
    bool there = false;
    for (int chunk = 0; chunk < arena->count; chunk++)
        there |= arena->chunks[chunk].bytes >= bytes;
    if (!there)
        TRY(grow(arena, device, bytes, message));
    if (bytes > arena->reserved)
        arena->reserved = rounded(bytes);
    if (there)
        return GABLE_OK;
    if (bytes > arena->peak) /* so that it outlives a trim */
        arena->peak = rounded(bytes);
    return GABLE_OK;
}

void gbl_arena_age(gbl_arena *arena, gbl_device *device, double now)
{
    if (arena->taken > 0 || arena->queue == NULL || now - arena->since < GBL_ARENA_AGE)
        return;
    const size_t need = arena->recent > arena->reserved ? arena->recent : arena->reserved;
    const size_t most = 2 * need > GBL_ARENA_SMALL ? 2 * need : GBL_ARENA_SMALL;
    arena->recent = 0;
    arena->since = now;
    if (held_bytes(arena) <= most)
        return;
    while (arena->count > 0)
        free_chunk(arena, device, arena->count - 1);
    arena->current = 0;
    arena->used = 0;
    arena->peak = need;      /* what is taken next comes in one piece */
    if (arena->reserved > 0) /* where that fails, later calls ask for it themselves */
        gbl_arena_reserve(arena, device, arena->reserved, NULL);
}

/* Zeroed counters, made when they are first asked for. */
static gable_status need_counters(gbl_queue *queue, int count, void **block, gbl_message *message)
{
    gbl_device *device = queue->device;
    const size_t bytes = (size_t)count * sizeof(int32_t);
    void *fresh = NULL;
    if (*block != NULL)
        return GABLE_OK;
    TRY(device->table->alloc(device, bytes, &fresh, message));
    const gbl_fill_spec zero = {fresh, 0, bytes};
    const gable_status status = device->table->fill(queue, &zero, message);
    if (status != GABLE_OK) {
        device->table->free(device, fresh, NULL);
        return status;
    }
    *block = fresh;
    return GABLE_OK;
}

gable_status gbl_arena_counters(gbl_arena *arena, gbl_queue *queue, int count, void **counters,
                                gbl_message *message)
{
    if (count < 1 || count > GBL_MANY_COUNTERS)
        return gbl_fail(message, GABLE_INTERNAL, "%d counters in a row were asked for, of %d",
                        count, GBL_MANY_COUNTERS);
    const bool few = count <= GBL_COUNTERS;
    const int all = few ? GBL_COUNTERS : GBL_MANY_COUNTERS;
    void **block = few ? &arena->counters : &arena->many;
    int *next = few ? &arena->next_counter : &arena->next_many;
    const bool fresh = *block == NULL;
    TRY(need_counters(queue, all, block, message));
    if (fresh)
        count_held(arena, (size_t)all * sizeof(int32_t), 0);
    if (*next + count > all)
        *next = 0;
    *counters = (int32_t *)*block + *next;
    *next = (*next + count) % all;
    return GABLE_OK;
}

void gbl_arena_free(gbl_arena *arena, gbl_device *device)
{
    count_held(arena, 0,
               held_bytes(arena) + (arena->counters != NULL ? GBL_COUNTERS * sizeof(int32_t) : 0) +
                   (arena->many != NULL ? GBL_MANY_COUNTERS * sizeof(int32_t) : 0));
    for (int chunk = 0; chunk < arena->count; chunk++)
        device->table->free(device, arena->chunks[chunk].base, NULL);
    if (arena->counters != NULL)
        device->table->free(device, arena->counters, NULL);
    if (arena->many != NULL)
        device->table->free(device, arena->many, NULL);
    memset(arena, 0, sizeof *arena);
}

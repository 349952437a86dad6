/* arena.c: workspace in device memory.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <string.h>
#include "core/arena.h"

#define ALIGNMENT   ((size_t)256)
#define FIRST_CHUNK ((size_t)1 << 20) /* holds the partial sums of any level-1 reduction */

/* Up to the next multiple; what is too large for that is left alone, and no device has it. */
static size_t rounded(size_t bytes)
{
    return bytes > SIZE_MAX - ALIGNMENT ? bytes : (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* Adds a chunk of at least bytes behind the existing ones; doubles, so that few are ever needed. */
static gable_status grow(gbl_arena *arena, gbl_device *device, size_t bytes, gbl_message *message)
{
    if (arena->count == GBL_ARENA_CHUNKS)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY,
                        "the workspace is in %d pieces already; gable_reserve gives it one large "
                        "piece up front",
                        GBL_ARENA_CHUNKS);
    size_t size = FIRST_CHUNK;
    if (arena->count > 0 && arena->chunks[arena->count - 1].bytes < ((size_t)1 << 30))
        size = 2 * arena->chunks[arena->count - 1].bytes;
    if (size < bytes)
        size = rounded(bytes);
    void *base = NULL;
    TRY(device->table->alloc(device, size, &base, message));
    arena->chunks[arena->count].base = base;
    arena->chunks[arena->count].bytes = size;
    arena->count++;
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
    return GABLE_OK;
}

gable_status gbl_arena_reserve(gbl_arena *arena, gbl_device *device, size_t bytes,
                               gbl_message *message)
{
    for (int chunk = 0; chunk < arena->count; chunk++)
        if (arena->chunks[chunk].bytes >= bytes)
            return GABLE_OK;
    return grow(arena, device, bytes, message);
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
    const bool few = count <= GBL_COUNTERS;
    const int all = few ? GBL_COUNTERS : GBL_MANY_COUNTERS;
    void **block = few ? &arena->counters : &arena->many;
    int *next = few ? &arena->next_counter : &arena->next_many;
    TRY(need_counters(queue, all, block, message));
    if (*next + count > all)
        *next = 0;
    *counters = (int32_t *)*block + *next;
    *next = (*next + count) % all;
    return GABLE_OK;
}

void gbl_arena_free(gbl_arena *arena, gbl_device *device)
{
    for (int chunk = 0; chunk < arena->count; chunk++)
        device->table->free(device, arena->chunks[chunk].base, NULL);
    if (arena->counters != NULL)
        device->table->free(device, arena->counters, NULL);
    if (arena->many != NULL)
        device->table->free(device, arena->many, NULL);
    memset(arena, 0, sizeof *arena);
}

/* owned_memory.c: memory with several owners, who let go in any thread.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each context has a pool. What its last owner let go is pushed onto the pool's list `dropped`,
 * from any thread. The context's own thread moves it on: memory of ours that only the context's
 * queue has used is kept, as the queue is in order and work enqueued later may write there at once;
 * all other memory is given back after a sync. Memory whose context is closed is given back by
 * whoever drops it last, for there is no queue left to wait for.
 *
 * A child of fork must not take the lock of a pool, which another thread of its parent may have
 * held. It never needs to: its parent's memory is its parent's.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include "gable/dlpack.h"
#include "core/allocations.h"
#include "core/owned_memory.h"
#include "device/fork_guard.h"

/* Kept pieces are looked through one by one: 64 take 0.1 us. */
#define KEPT_PIECES 64
/* A program that releases all it has keeps so much of the device's memory from others. */
#define KEPT_SHARE 16

struct gable_memory {
    atomic_int owners;
    atomic_bool shared;
    struct gbl_memory_pool *pool;
    void *address;
    size_t bytes;
    uint64_t serial; /* of its allocation */
    bool foreign;
    gable_give_back give_back;
    void *user;
    gable_memory *next; /* of the pool's list */
};

struct gbl_memory_pool {
    pthread_mutex_t lock; /* guards ctx and dropped */
    gable_context *ctx;   /* NULL: it closed */
    gable_memory *dropped;
    gbl_device *device;
    unsigned process;
    atomic_int users; /* the context, and each gable_memory */
    /* Of the context's thread alone. */
    gable_memory *kept[KEPT_PIECES]; /* oldest first */
    int kept_count;
    size_t kept_bytes;
};

/* The process ends: drivers may be gone already. */
static atomic_bool leaving;

static void leave(void)
{
    atomic_store(&leaving, true);
}

static void watch_exit(void)
{
    /* Behind the handlers of a driver that is open by now, so it runs before them. */
    if (atexit(leave) != 0)
        atomic_store(&leaving, true); /* nothing is given back then: a leak, not a crash */
}

static void leave_pool(gbl_memory_pool *pool)
{
    if (atomic_fetch_sub(&pool->users, 1) > 1)
        return;
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}

static void give_back(gable_memory *memory)
{
    gbl_memory_pool *const pool = memory->pool;
    gbl_allocation allocation;
    if (pool->process != gbl_process_number || atomic_load(&leaving)) {
        /* The parent's, or the operating system's. */
    } else if (memory->foreign) {
        if (memory->give_back != NULL)
            memory->give_back(memory->user);
    } else if (memory->address != NULL &&
               gbl_allocations_find(memory->address, &allocation) == GBL_LIVE &&
               allocation.serial == memory->serial) {
        gbl_allocations_remove(&allocation);
        pool->device->table->free(pool->device, allocation.start, NULL);
    }
    free(memory);
    leave_pool(pool);
}

static void give_back_list(gable_memory *list)
{
    while (list != NULL) {
        gable_memory *const next = list->next;
        give_back(list);
        list = next;
    }
}

/* ---- In the context's thread ---- */

static gable_memory *take_dropped(gbl_memory_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    gable_memory *const list = pool->dropped;
    pool->dropped = NULL;
    pthread_mutex_unlock(&pool->lock);
    return list;
}

static size_t kept_limit(const gbl_memory_pool *pool)
{
    return (size_t)(pool->device->info.memory_bytes / KEPT_SHARE);
}

static gable_memory *take_kept(gbl_memory_pool *pool, int index)
{
    gable_memory *const memory = pool->kept[index];
    pool->kept_count--;
    pool->kept_bytes -= memory->bytes;
    for (int i = index; i < pool->kept_count; i++)
        pool->kept[i] = pool->kept[i + 1];
    return memory;
}

/* Keeps it, and puts what there is no room for any more on the list. */
static void keep(gbl_memory_pool *pool, gable_memory *memory, gable_memory **list)
{
    const size_t limit = kept_limit(pool);
    if (memory->bytes > limit) {
        memory->next = *list;
        *list = memory;
        return;
    }
    while (pool->kept_count == KEPT_PIECES || pool->kept_bytes + memory->bytes > limit) {
        gable_memory *const oldest = take_kept(pool, 0);
        oldest->next = *list;
        *list = oldest;
    }
    pool->kept[pool->kept_count++] = memory;
    pool->kept_bytes += memory->bytes;
}

/* Whether anything was given back. Where the queue cannot be waited for, memory stays dropped. */
static bool give_back_after_sync(gable_context *ctx, gable_memory *list)
{
    gbl_memory_pool *const pool = ctx->memory_pool;
    if (list == NULL)
        return false;
    if (ctx->device->table->sync(ctx->queue, NULL) == GABLE_OK) {
        give_back_list(list);
        return true;
    }
    pthread_mutex_lock(&pool->lock);
    while (list != NULL) {
        gable_memory *const next = list->next;
        list->next = pool->dropped;
        pool->dropped = list;
        list = next;
    }
    pthread_mutex_unlock(&pool->lock);
    return false;
}

void gbl_pool_collect(gable_context *ctx)
{
    gbl_memory_pool *const pool = ctx->memory_pool;
    if (pool == NULL || ctx->recording != NULL)
        return;
    gable_memory *list = NULL, *dropped = take_dropped(pool);
    while (dropped != NULL) {
        gable_memory *const memory = dropped;
        dropped = memory->next;
        if (memory->foreign || memory->bytes == 0 || ctx->debug_check ||
            atomic_load(&memory->shared)) {
            memory->next = list;
            list = memory;
        } else {
            keep(pool, memory, &list);
        }
    }
    give_back_after_sync(ctx, list);
}

bool gbl_pool_empty(gable_context *ctx)
{
    gbl_memory_pool *const pool = ctx->memory_pool;
    if (pool == NULL)
        return false;
    gable_memory *list = take_dropped(pool);
    while (pool->kept_count > 0) {
        gable_memory *const memory = take_kept(pool, pool->kept_count - 1);
        memory->next = list;
        list = memory;
    }
    return give_back_after_sync(ctx, list);
}

static bool empty_for_arena(void *ctx)
{
    return gbl_pool_empty(ctx);
}

void gbl_pool_close(gable_context *ctx)
{
    gbl_memory_pool *const pool = ctx->memory_pool;
    if (pool == NULL)
        return;
    ctx->memory_pool = NULL;
    if (pool->process == gbl_process_number) {
        pthread_mutex_lock(&pool->lock);
        pool->ctx = NULL;
        gable_memory *const dropped = pool->dropped;
        pool->dropped = NULL;
        pthread_mutex_unlock(&pool->lock);
        /* Of a device that does not answer nothing is given back. */
        if (!ctx->abandoned) {
            give_back_list(dropped);
            while (pool->kept_count > 0)
                give_back(take_kept(pool, pool->kept_count - 1));
        }
    }
    leave_pool(pool);
}

static gable_status need_pool(gable_context *ctx)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (ctx->memory_pool != NULL)
        return GABLE_OK;
    pthread_once(&once, watch_exit);
    gbl_memory_pool *const pool = calloc(1, sizeof *pool);
    if (pool == NULL)
        return gbl_fail(&ctx->message, GABLE_OUT_OF_MEMORY, "no host memory");
    pthread_mutex_init(&pool->lock, NULL);
    atomic_init(&pool->users, 1);
    pool->ctx = ctx;
    pool->device = ctx->device;
    pool->process = ctx->process;
    ctx->memory_pool = pool;
    ctx->own_arena.giver = ctx;
    ctx->own_arena.give_back = empty_for_arena;
    return GABLE_OK;
}

static gable_status make(gable_context *ctx, gable_memory **memory)
{
    gable_memory *const made = calloc(1, sizeof *made);
    *memory = made;
    if (made == NULL)
        return gbl_fail(&ctx->message, GABLE_OUT_OF_MEMORY, "no host memory");
    made->pool = ctx->memory_pool;
    atomic_fetch_add(&made->pool->users, 1);
    atomic_init(&made->owners, 1);
    atomic_init(&made->shared, false);
    return GABLE_OK;
}

/* The smallest kept piece that is large enough and not larger by more than a quarter. */
static gable_memory *find_kept(gbl_memory_pool *pool, size_t bytes)
{
    int best = -1;
    for (int i = 0; i < pool->kept_count; i++)
        if (pool->kept[i]->bytes >= bytes && pool->kept[i]->bytes - bytes <= bytes / 4 &&
            (best < 0 || pool->kept[i]->bytes < pool->kept[best]->bytes))
            best = i;
    return best >= 0 ? take_kept(pool, best) : NULL;
}

gable_status gable_memory_create(gable_context *ctx, size_t bytes, gable_memory **memory)
{
    TRY(gbl_enter(ctx, "gable_memory_create"));
    CHECK_ARG(ctx, memory != NULL, 3, "memory", "is NULL");
    TRY(gbl_check_not_recording(ctx, "an allocation"));
    TRY(need_pool(ctx));
    gbl_pool_collect(ctx);
    gable_memory *made = find_kept(ctx->memory_pool, bytes);
    if (made != NULL) {
        atomic_store(&made->owners, 1);
        *memory = made;
        return GABLE_OK;
    }
    TRY(make(ctx, &made));
    const gable_status status = gable_alloc(ctx, bytes, &made->address);
    gbl_allocation allocation;
    if (status == GABLE_OK && bytes > 0 &&
        gbl_allocations_find(made->address, &allocation) == GBL_LIVE)
        made->serial = allocation.serial;
    if (status != GABLE_OK) {
        give_back(made);
        return status;
    }
    made->bytes = bytes;
    *memory = made;
    return GABLE_OK;
}

gable_status gable_memory_adopt(gable_context *ctx, void *address, size_t bytes,
                                gable_give_back give, void *user, gable_memory **memory)
{
    TRY(gbl_enter(ctx, "gable_memory_adopt"));
    if (bytes > 0)
        TRY(gbl_check_address(ctx, 2, "address", address));
    CHECK_ARG(ctx, memory != NULL, 6, "memory", "is NULL");
    TRY(need_pool(ctx));
    gbl_pool_collect(ctx);
    gable_memory *made;
    TRY(make(ctx, &made));
    made->address = address;
    made->bytes = bytes;
    made->foreign = true;
    made->give_back = give;
    made->user = user;
    *memory = made;
    return GABLE_OK;
}

gable_status gable_memory_trim(gable_context *ctx)
{
    TRY(gbl_enter(ctx, "gable_memory_trim"));
    TRY(gbl_check_not_recording(ctx, "memory that is given back"));
    TRY(ctx->device->table->sync(ctx->queue, &ctx->message));
    gbl_pool_empty(ctx);
    return GABLE_OK;
}

/* ---- In any thread ---- */

void *gable_memory_address(const gable_memory *memory)
{
    return memory != NULL ? memory->address : NULL;
}

void gable_memory_retain(gable_memory *memory)
{
    if (memory != NULL)
        atomic_fetch_add(&memory->owners, 1);
}

void gable_memory_share(gable_memory *memory)
{
    if (memory != NULL)
        atomic_store(&memory->shared, true);
}

void gable_memory_release(gable_memory *memory)
{
    if (memory == NULL || atomic_fetch_sub(&memory->owners, 1) > 1)
        return;
    gbl_memory_pool *const pool = memory->pool;
    if (pool->process != gbl_process_number) {
        give_back(memory);
        return;
    }
    /* Host memory that will not be kept need not wait: the cpu's queue is always empty. */
    const bool at_once =
        pool->device->props.is_host &&
        (memory->foreign || atomic_load(&memory->shared) || memory->bytes > kept_limit(pool));
    bool waits = false;
    pthread_mutex_lock(&pool->lock);
    if (pool->ctx != NULL && !at_once) {
        memory->next = pool->dropped;
        pool->dropped = memory;
        waits = true;
    }
    pthread_mutex_unlock(&pool->lock);
    if (!waits)
        give_back(memory);
}

/* test_arena.c: workspace: marks, growth, reserve and counters.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdint.h>
#include "core/arena.h"
#include "core/context.h"
#include "expect.h"
#include "fake_device.h"

#define MIB ((size_t)1 << 20)

static gable_context *ctx;

static void *take(gbl_arena *arena, size_t bytes)
{
    void *address = NULL;
    EXPECT_STATUS(ctx, GABLE_OK,
                  gbl_arena_take(arena, ctx->device, bytes, &address, &ctx->message));
    EXPECT((uintptr_t)address % 256 == 0, "%p is not aligned to 256", address);
    return address;
}

static void test_marks(void)
{
    gbl_arena arena = {.count = 0};
    const gbl_arena_mark empty = gbl_arena_mark_get(&arena);
    char *first = take(&arena, 100);
    const gbl_arena_mark outer = gbl_arena_mark_get(&arena);
    char *second = take(&arena, 1);
    char *third = take(&arena, 256);
    EXPECT(second - first == 256 && third - second == 256, "pieces of %td and %td bytes",
           second - first, third - second);
    gbl_arena_release(&arena, outer);
    EXPECT(take(&arena, 1000) == (void *)second, "released memory is not taken again");
    gbl_arena_release(&arena, empty);
    EXPECT(take(&arena, 1) == (void *)first, "the first piece is not taken again");
    EXPECT(arena.count == 1 && fake_calls(FAKE_ALLOC) >= 1, "%d chunks", arena.count);
    gbl_arena_free(&arena, ctx->device);
    EXPECT(arena.count == 0 && arena.counters == NULL, "a freed arena holds something");
}

static void test_growth(void)
{
    gbl_arena arena = {.count = 0};
    char *small = take(&arena, 1000);
    const gbl_arena_mark mark = gbl_arena_mark_get(&arena);
    memset(small, 1, 1000);
    char *large = take(&arena, 3 * MIB); /* does not fit the first chunk, which must not move */
    EXPECT(arena.count == 2, "%d chunks", arena.count);
    memset(large, 2, 3 * MIB);
    EXPECT(small[0] == 1 && small[999] == 1, "the first chunk moved");
    gbl_arena_release(&arena, mark);
    EXPECT(take(&arena, 3 * MIB) == (void *)large, "the second chunk is not taken again");
    gbl_arena_release(&arena, mark);
    EXPECT(take(&arena, 100) == (void *)(small + 1024),
           "the first chunk's rest is not taken again");
    const long before = fake_calls(FAKE_ALLOC);
    gbl_arena_release(&arena, mark);
    EXPECT_STATUS(ctx, GABLE_OK, gbl_arena_reserve(&arena, ctx->device, 3 * MIB, &ctx->message));
    EXPECT(fake_calls(FAKE_ALLOC) == before, "reserve allocates what is there");
    gbl_arena_free(&arena, ctx->device);

    /* Pieces that always are too large end in a sentence, not in memory past the list. */
    size_t bytes = MIB;
    gable_status status = GABLE_OK;
    int pieces = 0;
    void *address = NULL;
    while (status == GABLE_OK && pieces <= GBL_ARENA_CHUNKS) {
        gbl_arena_release(&arena, (gbl_arena_mark){0, 0, 0});
        bytes += 256;
        arena.current = arena.count > 0 ? arena.count - 1 : 0;
        arena.used = arena.count > 0 ? arena.chunks[arena.current].bytes : 0;
        /* Every chunk but a fresh one is full: doubled chunks stay small by shrinking the record.
         */
        if (arena.count > 0)
            arena.chunks[arena.count - 1].bytes = arena.used = 256;
        status = gbl_arena_take(&arena, ctx->device, bytes, &address, &ctx->message);
        pieces += status == GABLE_OK;
    }
    EXPECT(status == GABLE_OUT_OF_MEMORY && pieces == GBL_ARENA_CHUNKS, "%s after %d chunks",
           gable_status_name(status), pieces);
    EXPECT_MESSAGE(ctx, "gable_reserve");
    gbl_arena_free(&arena, ctx->device);
}

/* A failed growth leaves the arena as it was. */
static void test_failed_growth(void)
{
    gbl_arena arena = {.count = 0};
    char *small = take(&arena, 1000);
    const gbl_arena_mark mark = gbl_arena_mark_get(&arena);
    void *address = NULL;
    fake_fail(FAKE_ALLOC, 1);
    EXPECT_STATUS(ctx, GABLE_OUT_OF_MEMORY,
                  gbl_arena_take(&arena, ctx->device, 3 * MIB, &address, &ctx->message));
    EXPECT(gbl_arena_mark_get(&arena).chunk == mark.chunk &&
               gbl_arena_mark_get(&arena).used == mark.used && arena.count == 1,
           "a failed take moved the arena");
    EXPECT(take(&arena, 10) == (void *)(small + 1024), "the arena goes on elsewhere");
    gbl_arena_free(&arena, ctx->device);
}

/* Memory that was not needed for a second is given back; what is needed again and again, what is
 * small and what was reserved stays. */
static void test_age(void)
{
    gbl_arena arena = {.queue = ctx->queue};
    const gbl_arena_mark empty = gbl_arena_mark_get(&arena);
    take(&arena, 100 * MIB);
    gbl_arena_age(&arena, ctx->device, 10);
    EXPECT(arena.count == 1, "memory in use is given back");
    gbl_arena_release(&arena, empty);
    gbl_arena_age(&arena, ctx->device, 10);
    EXPECT(arena.count == 1, "what was needed since the last look is given back");
    gbl_arena_age(&arena, ctx->device, 10.9);
    EXPECT(arena.count == 1, "it is given back before a second went by");
    take(&arena, 60 * MIB);
    gbl_arena_release(&arena, empty);
    gbl_arena_age(&arena, ctx->device, 11.5);
    EXPECT(arena.count == 1, "a chunk of which more than half was needed is given back");
    gbl_arena_age(&arena, ctx->device, 12);
    EXPECT(arena.count == 1, "half a second counts as a second");
    take(&arena, 20 * MIB);
    gbl_arena_release(&arena, empty);
    const int blocks = fake_alive().blocks;
    gbl_arena_age(&arena, ctx->device, 12.5);
    EXPECT(arena.count == 0 && fake_alive().blocks == blocks - 1,
           "%d chunks stay, of which a fifth was needed", arena.count);
    take(&arena, 10 * MIB);
    EXPECT(arena.count == 1 && arena.chunks[0].bytes == 20 * MIB, "%zu bytes, not what was needed",
           arena.chunks[0].bytes);
    gbl_arena_release(&arena, empty);
    gbl_arena_age(&arena, ctx->device, 20);
    gbl_arena_age(&arena, ctx->device, 30);
    EXPECT(arena.count == 1, "a small chunk is given back");

    EXPECT_STATUS(ctx, GABLE_OK, gbl_arena_reserve(&arena, ctx->device, 50 * MIB, &ctx->message));
    take(&arena, 200 * MIB);
    gbl_arena_release(&arena, empty);
    gbl_arena_age(&arena, ctx->device, 40);
    gbl_arena_age(&arena, ctx->device, 50);
    EXPECT(arena.count == 1 && arena.chunks[0].bytes == 50 * MIB, "%d chunks, the first of %zu",
           arena.count, arena.count > 0 ? arena.chunks[0].bytes : 0);
    gbl_arena_age(&arena, ctx->device, 60);
    EXPECT(arena.count == 1, "what was reserved is given back");
    gbl_arena_free(&arena, ctx->device);
}

static void test_counters(void)
{
    gbl_arena arena = {.count = 0};
    int32_t *counters[2 * GBL_COUNTERS];
    for (int i = 0; i < 2 * GBL_COUNTERS; i++) {
        void *counter = NULL;
        EXPECT_STATUS(ctx, GABLE_OK,
                      gbl_arena_counter(&arena, ctx->queue, &counter, &ctx->message));
        counters[i] = counter;
    }
    EXPECT_STATUS(ctx, GABLE_OK, gable_sync(ctx));
    for (int i = 0; i < GBL_COUNTERS; i++) {
        EXPECT(counters[i] != NULL && *counters[i] == 0, "counter %d is not zero", i);
        EXPECT(counters[i + GBL_COUNTERS] == counters[i], "counter %d does not come again", i);
        for (int j = 0; j < i; j++)
            EXPECT(counters[i] != counters[j], "counters %d and %d are one", i, j);
    }
    gbl_arena_free(&arena, ctx->device);

    void *counter = NULL;
    const int blocks = fake_alive().blocks;
    fake_fail(FAKE_FILL, 1);
    EXPECT_STATUS(ctx, GABLE_DEVICE_FAILED,
                  gbl_arena_counter(&arena, ctx->queue, &counter, &ctx->message));
    EXPECT(fake_alive().blocks == blocks, "counters that could not be cleared are left");
    EXPECT_STATUS(ctx, GABLE_OK, gbl_arena_counter(&arena, ctx->queue, &counter, &ctx->message));
    EXPECT_STATUS(ctx, GABLE_OK, gable_sync(ctx));
    gbl_arena_free(&arena, ctx->device);
}

/* Runs of counters: side by side within the block, all zero; a run that does not fit what is left
 * starts again at the beginning. */
static void test_runs_of_counters(void)
{
    static const int counts[] = {1, 5, 3, GBL_COUNTERS / 2, GBL_COUNTERS / 2, 7, GBL_COUNTERS, 2};
    gbl_arena arena = {.count = 0};
    int next = 0;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        void *run = NULL;
        EXPECT_STATUS(ctx, GABLE_OK,
                      gbl_arena_counters(&arena, ctx->queue, counts[i], &run, &ctx->message));
        EXPECT_STATUS(ctx, GABLE_OK, gable_sync(ctx));
        const int first = next + counts[i] > GBL_COUNTERS ? 0 : next;
        EXPECT((int32_t *)run - (int32_t *)arena.counters == first,
               "run %zu of %d starts at counter %td, not %d", i, counts[i],
               (int32_t *)run - (int32_t *)arena.counters, first);
        for (int c = 0; c < counts[i]; c++)
            EXPECT(((int32_t *)run)[c] == 0, "counter %d of run %zu is not zero", c, i);
        next = (first + counts[i]) % GBL_COUNTERS;
    }
    /* A single one goes on behind the runs. */
    void *counter = NULL;
    EXPECT_STATUS(ctx, GABLE_OK, gbl_arena_counter(&arena, ctx->queue, &counter, &ctx->message));
    EXPECT((int32_t *)counter == (int32_t *)arena.counters + next, "a single counter is elsewhere");
    gbl_arena_free(&arena, ctx->device);
}

static size_t held_by(const gbl_arena *arena)
{
    size_t held = 0;
    for (int chunk = 0; chunk < arena->count; chunk++)
        held += arena->chunks[chunk].bytes;
    return held;
}

/* Requests that grow by 1 % a call, without a sync of the caller's: never more than three times of
 * what is needed, and few allocations. */
static void test_growing_requests(void)
{
    gbl_arena arena = {.queue = ctx->queue};
    const long before = fake_calls(FAKE_ALLOC);
    double worst = 0;
    size_t bytes = MIB;
    for (; bytes < 200 * MIB; bytes += bytes / 100) {
        const gbl_arena_mark mark = gbl_arena_mark_get(&arena);
        take(&arena, bytes);
        gbl_arena_release(&arena, mark);
        const double ratio = (double)held_by(&arena) / (double)bytes;
        worst = ratio > worst ? ratio : worst;
    }
    EXPECT(worst <= 3, "%.2f times the need was held", worst);
    EXPECT(fake_calls(FAKE_ALLOC) - before <= 10, "%ld allocations",
           fake_calls(FAKE_ALLOC) - before);

    /* In two pieces, of which the first is in use while the second makes the arena grow. */
    gbl_arena_free(&arena, ctx->device);
    arena = (gbl_arena){.queue = ctx->queue};
    worst = 0;
    for (bytes = MIB; bytes < 100 * MIB; bytes += bytes / 50 / 256 * 256) {
        const gbl_arena_mark mark = gbl_arena_mark_get(&arena);
        char *first = take(&arena, bytes);
        memset(first, 3, bytes);
        take(&arena, bytes);
        EXPECT(first[0] == 3 && first[bytes - 1] == 3, "memory in use was freed");
        gbl_arena_release(&arena, mark);
        const double ratio = (double)held_by(&arena) / (double)(2 * bytes);
        worst = ratio > worst ? ratio : worst;
    }
    EXPECT(worst <= 3, "%.2f times the need was held, in two pieces", worst);
    gbl_arena_free(&arena, ctx->device);
}

/* A sync leaves one chunk, large enough for all that was taken at once, and what was reserved. */
static void test_trim(void)
{
    EXPECT_STATUS(ctx, GABLE_OK, gable_reserve(ctx, 3 * MIB));
    for (size_t bytes = MIB; bytes <= 16 * MIB; bytes *= 2) {
        const gbl_arena_mark mark = gbl_arena_mark_get(ctx->arena);
        take(ctx->arena, bytes);
        gbl_arena_release(ctx->arena, mark);
    }
    EXPECT_STATUS(ctx, GABLE_OK, gable_sync(ctx));
    EXPECT(ctx->arena->count == 1 && ctx->arena->chunks[0].bytes >= 16 * MIB,
           "%d chunks, %zu bytes after a sync", ctx->arena->count, held_by(ctx->arena));
    const long before = fake_calls(FAKE_ALLOC);
    for (int round = 0; round < 3; round++) { /* two pieces settle in one chunk, and stay */
        const gbl_arena_mark mark = gbl_arena_mark_get(ctx->arena);
        take(ctx->arena, 14 * MIB);
        take(ctx->arena, 30 * MIB);
        gbl_arena_release(ctx->arena, mark);
        EXPECT_STATUS(ctx, GABLE_OK, gable_sync(ctx));
    }
    EXPECT(fake_calls(FAKE_ALLOC) - before <= 2, "%ld allocations for the same need",
           fake_calls(FAKE_ALLOC) - before);
}

/* On a device that has little: what is not in use is given back before a request is refused, for
 * workspace and for the caller's memory; a recording's workspace stays. */
static void test_small_device(void)
{
    void *x = NULL, *r = NULL, *address = NULL;
    gable_recording *recording = NULL;
    const size_t n = 100;
    EXPECT_STATUS(ctx, GABLE_OK,
                  gable_set_variant(ctx, "dot=two_pass:local=1:vec=4:unroll=2:range=1:groups=2"));
    EXPECT_STATUS(ctx, GABLE_OK, gable_alloc(ctx, n * sizeof(double), &x));
    EXPECT_STATUS(ctx, GABLE_OK, gable_alloc(ctx, sizeof(double), &r));
    const double two = 2;
    for (size_t i = 0; i < n; i++)
        EXPECT_STATUS(ctx, GABLE_OK,
                      gable_set_vector(ctx, 1, sizeof two, &two, 1, (double *)x + i, 1));
    EXPECT_STATUS(ctx, GABLE_OK, gable_record_begin(ctx));
    EXPECT_STATUS(ctx, GABLE_OK, gable_ddot(ctx, (int64_t)n, x, 1, x, 1, r));
    EXPECT_STATUS(ctx, GABLE_OK, gable_record_end(ctx, &recording));
    EXPECT_STATUS(ctx, GABLE_OK, gable_sync(ctx));

    const gbl_arena_mark mark = gbl_arena_mark_get(ctx->arena);
    const size_t mine = fake_alive_bytes() - held_by(ctx->arena);
    fake_limit(mine + 60 * MIB);
    take(ctx->arena, 35 * MIB);
    gbl_arena_release(ctx->arena, mark);
    take(ctx->arena, 50 * MIB); /* only without the 35 */
    gbl_arena_release(ctx->arena, mark);
    EXPECT_STATUS(ctx, GABLE_OK, gable_alloc(ctx, 55 * MIB, &address));
    take(ctx->arena, 4 * MIB);
    EXPECT_STATUS(
        ctx, GABLE_OUT_OF_MEMORY,
        gbl_arena_take(ctx->arena, ctx->device, 40 * MIB, &(void *){NULL}, &ctx->message));
    gbl_arena_release(ctx->arena, mark);
    EXPECT_STATUS(ctx, GABLE_OK, gable_free(ctx, address));
    fake_limit(0);

    double value = 0;
    EXPECT_STATUS(ctx, GABLE_OK, gable_replay(ctx, recording));
    EXPECT_STATUS(ctx, GABLE_OK, gable_get_vector(ctx, 1, sizeof value, r, 1, &value, 1));
    EXPECT(value == 4 * (double)n, "the replay gave %g", value);
    gable_recording_destroy(recording);
    EXPECT_STATUS(ctx, GABLE_OK, gable_free(ctx, x));
    EXPECT_STATUS(ctx, GABLE_OK, gable_free(ctx, r));
    EXPECT_STATUS(ctx, GABLE_OK, gable_set_variant(ctx, NULL));
}

/* More counters than there are end in a status, not behind the block. */
static void test_too_many_counters(void)
{
    gbl_arena arena = {.count = 0};
    void *run = NULL;
    EXPECT_STATUS(ctx, GABLE_OK,
                  gbl_arena_counters(&arena, ctx->queue, GBL_MANY_COUNTERS, &run, &ctx->message));
    EXPECT_STATUS(
        ctx, GABLE_INTERNAL,
        gbl_arena_counters(&arena, ctx->queue, GBL_MANY_COUNTERS + 1, &run, &ctx->message));
    EXPECT_STATUS(ctx, GABLE_OK, gable_sync(ctx));
    gbl_arena_free(&arena, ctx->device);
}

static void test_reserve(void)
{
    const long before = fake_calls(FAKE_ALLOC);
    EXPECT_STATUS(ctx, GABLE_OK, gable_reserve(ctx, 5 * MIB));
    EXPECT(fake_calls(FAKE_ALLOC) == before + 1, "reserve took %ld allocations",
           fake_calls(FAKE_ALLOC) - before);
    EXPECT_STATUS(ctx, GABLE_OK, gable_reserve(ctx, 5 * MIB));
    EXPECT_STATUS(ctx, GABLE_OK, gable_reserve(ctx, 100));
    take(ctx->arena, 4 * MIB);
    EXPECT(fake_calls(FAKE_ALLOC) == before + 1, "what was reserved is allocated again");
    gbl_arena_release(ctx->arena, (gbl_arena_mark){0, 0, 0});

    /* More than there is: a status, not a wrapped size. */
    EXPECT_STATUS(ctx, GABLE_OUT_OF_MEMORY, gable_reserve(ctx, SIZE_MAX));
    EXPECT_STATUS(ctx, GABLE_OUT_OF_MEMORY, gable_reserve(ctx, SIZE_MAX - 1000));
}

int main(void)
{
    const fake_settings settings = {.fence_device = true, .deferred = true};
    fake_install(&settings);
    EXPECT_STATUS(ctx, GABLE_OK, gable_open(&ctx, "fake"));
    test_marks();
    test_growth();
    test_failed_growth();
    test_age();
    test_counters();
    test_runs_of_counters();
    test_reserve();
    test_too_many_counters();
    test_growing_requests();
    test_trim();
    test_small_device();
    gable_close(ctx);
    EXPECT(fake_faults() == 0, "%d faults, the first: %s", fake_faults(), fake_first_fault());
    EXPECT(fake_alive().blocks == 0, "%d blocks are left", fake_alive().blocks);
    fake_remove();
    return expect_summary("test_arena");
}

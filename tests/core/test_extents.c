/* test_extents.c: how far operands reach, and which overlap, beside a count of single bytes.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdint.h>
#include <stdlib.h>
#include "core/allocations.h"
#include "core/extents.h"
#include "expect.h"
#include "fake_device.h"

#define SPACE 4096

static uint64_t state = 1;

static int64_t random_below(int64_t limit)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)((state >> 33) % (uint64_t)limit);
}

/* ---- 63 bits ---- */

/* Long division instead of products: whether ((runs - 1) * |pitch| + run) * elem is at most 2^63 -
 * 1. */
static bool fits_slowly(int64_t runs, int64_t pitch, int64_t run, size_t elem)
{
    if (runs == 0 || run == 0)
        return true;
    const uint64_t most = (uint64_t)INT64_MAX / elem;
    const uint64_t step = pitch < 0 ? (uint64_t)(-(pitch + 1)) + 1 : (uint64_t)pitch;
    if ((uint64_t)run > most)
        return false;
    return runs == 1 || step == 0 || (most - (uint64_t)run) / step >= (uint64_t)runs - 1;
}

static void test_fits(void)
{
    static const int64_t values[] = {0,
                                     1,
                                     2,
                                     3,
                                     ((int64_t)1 << 28) - 1,
                                     (int64_t)1 << 28,
                                     (int64_t)1 << 29,
                                     (int64_t)1 << 31,
                                     3037000499,
                                     3037000500,
                                     (int64_t)1 << 40,
                                     (int64_t)1 << 58,
                                     ((int64_t)1 << 59) - 1,
                                     (int64_t)1 << 59,
                                     ((int64_t)1 << 60) - 1,
                                     (int64_t)1 << 60,
                                     (int64_t)1 << 61,
                                     (int64_t)1 << 62,
                                     INT64_MAX - 1,
                                     INT64_MAX};
    enum { VALUES = sizeof values / sizeof values[0] };
    static const size_t elems[] = {1, 4, 8, 16, 24, (size_t)1 << 40};
    for (int a = 0; a < VALUES; a++)
        for (int b = 0; b < 2 * VALUES; b++)
            for (int c = 0; c < VALUES; c++)
                for (int e = 0; e < 6; e++) {
                    const int64_t pitch = b < VALUES ? values[b] : ~values[b - VALUES];
                    const bool fits = gbl_extent_fits(values[a], pitch, values[c], elems[e]);
                    EXPECT(fits == fits_slowly(values[a], pitch, values[c], elems[e]),
                           "%lld runs of %lld, %lld apart, of %zu bytes: %d", (long long)values[a],
                           (long long)values[c], (long long)pitch, elems[e], fits);
                }
}

/* ---- Overlaps ---- */

static void mark_bytes(const gbl_extent *operand, int64_t start, unsigned char *bytes)
{
    memset(bytes, 0, SPACE);
    for (int64_t i = 0; i < operand->runs; i++)
        for (int64_t j = 0; j < operand->run; j++) {
            const bool inside = operand->shape == GBL_WHOLE ||
                                (operand->shape == GBL_UPPER_PART && j <= i) ||
                                (operand->shape == GBL_LOWER_PART && j >= i) ||
                                (operand->shape == GBL_ABOVE_DIAGONAL && j < i) ||
                                (operand->shape == GBL_BELOW_DIAGONAL && j > i);
            const int64_t at = start + (i * operand->pitch + j) * (int64_t)operand->elem_bytes;
            if (inside)
                memset(bytes + at, 1, operand->elem_bytes);
        }
}

static gbl_extent random_operand(const char *base, int64_t *start)
{
    static const size_t elems[] = {4, 8, 16};
    const size_t elem = elems[random_below(3)];
    *start = random_below(600);
    const void *at = base + *start;
    const int64_t n = 1 + random_below(7), m = 1 + random_below(7);
    switch (random_below(4)) {
    case 0:
        return gbl_extent_vector("x", 1, GBL_WRITE, at, n, random_below(13) - 6, elem);
    case 1:
        return gbl_extent_triangle("A", 1, GBL_WRITE, at, n, n + random_below(5), elem,
                                   (gbl_shape)(1 + random_below(4)));
    default:
        return gbl_extent_matrix("A", 1, GBL_WRITE, at, m, n, m + random_below(9), elem);
    }
}

static void test_meet(void)
{
    static char memory[SPACE];
    static unsigned char one[SPACE], two[SPACE];
    int met = 0, apart = 0;
    for (int i = 0; i < 200000; i++) {
        int64_t starts[2];
        const gbl_extent a = random_operand(memory, &starts[0]);
        const gbl_extent b = random_operand(memory, &starts[1]);
        mark_bytes(&a, starts[0], one);
        mark_bytes(&b, starts[1], two);
        bool common = false;
        int64_t last = -1;
        for (int64_t j = 0; j < SPACE; j++) {
            common = common || (one[j] && two[j]);
            last = one[j] ? j : last;
        }
        EXPECT(gbl_extents_meet(&a, &b) == common,
               "%lld x %lld/%lld at %lld, %lld x %lld/%lld at %lld: %d", (long long)a.run,
               (long long)a.runs, (long long)a.pitch, (long long)starts[0], (long long)b.run,
               (long long)b.runs, (long long)b.pitch, (long long)starts[1], common);
        EXPECT(last < 0 || (size_t)(last - starts[0] + 1) <= a.after, "it reaches further");
        EXPECT(a.shape != GBL_WHOLE || (size_t)(last - starts[0] + 1) == a.after,
               "it does not reach so far");
        met += common;
        apart += !common;
    }
    EXPECT(met > 10000 && apart > 10000, "%d overlaps, %d not", met, apart);
}

/* ---- The table ---- */

static void test_table(void)
{
    gable_context *ctx = NULL;
    enum { MANY = 300 };
    void *list[MANY];
    gbl_allocation found;
    EXPECT_STATUS(ctx, GABLE_OK, gable_open(&ctx, "fake"));
    for (int i = 0; i < MANY; i++)
        EXPECT_STATUS(ctx, GABLE_OK, gable_alloc(ctx, (size_t)(1 + i % 40), &list[i]));
    for (int i = 0; i < MANY; i++) {
        char *start = list[i];
        const size_t bytes = (size_t)(1 + i % 40);
        EXPECT(gbl_allocations_find(start, &found) == GBL_LIVE && found.start == start &&
                   found.bytes == bytes && gbl_allocations_alive(start, found.serial),
               "allocation %d is not found", i);
        EXPECT(gbl_allocations_find(start + bytes - 1, &found) == GBL_LIVE && found.start == start,
               "the last byte of %d", i);
        EXPECT(gbl_allocations_find(start + bytes, &found) == GBL_UNKNOWN || found.start != start,
               "the byte behind %d", i);
    }
    for (int i = 0; i < MANY; i += 2) {
        EXPECT(gbl_allocations_find(list[i], &found) == GBL_LIVE, "%d is gone", i);
        const uint64_t ended = gbl_allocations_ended();
        EXPECT_STATUS(ctx, GABLE_OK, gable_free(ctx, list[i]));
        EXPECT(gbl_allocations_ended() != ended, "nothing ended");
        EXPECT(!gbl_allocations_alive(list[i], found.serial), "%d is still there", i);
    }
    for (int i = 1; i < MANY; i += 2)
        EXPECT_STATUS(ctx, GABLE_OK, gable_free(ctx, list[i]));
    EXPECT_STATUS(ctx, GABLE_BAD_ARGUMENT, gable_free(ctx, &found));
    gable_close(ctx);
}

/* Freed memory is held back under GABLE_DEBUG=check, up to a limit, and given back when it is short
 * or when the context closes. */
static void test_held(void)
{
    gable_context *ctx = NULL;
    void *list[GBL_HELD_BLOCKS + 50], *large = NULL;
    gbl_allocation found;
    enum { MANY = GBL_HELD_BLOCKS + 50 };
    setenv("GABLE_DEBUG", "check", 1);
    EXPECT_STATUS(ctx, GABLE_OK, gable_open(&ctx, "fake"));
    const int blocks = fake_alive().blocks;
    for (int i = 0; i < MANY; i++)
        EXPECT_STATUS(ctx, GABLE_OK, gable_alloc(ctx, 100, &list[i]));
    for (int i = 0; i < MANY; i++)
        EXPECT_STATUS(ctx, GABLE_OK, gable_free(ctx, list[i]));
    EXPECT(fake_alive().blocks == blocks + GBL_HELD_BLOCKS, "%d blocks are held back",
           fake_alive().blocks - blocks);
    EXPECT(gbl_allocations_find((char *)list[MANY - 1] + 7, &found) == GBL_FREED &&
               gbl_allocations_find(list[0], &found) == GBL_UNKNOWN,
           "the last is not known, or the first is");

    fake_limit(fake_alive_bytes() + 1000);
    EXPECT_STATUS(ctx, GABLE_OK,
                  gable_alloc(ctx, 5000, &large)); /* once the others are given back */
    fake_limit(0);
    EXPECT(fake_alive().blocks == blocks + 1, "%d blocks", fake_alive().blocks - blocks);
    EXPECT_STATUS(ctx, GABLE_OK, gable_free(ctx, large));
    gable_close(ctx);
    EXPECT(fake_alive().blocks == 0, "%d blocks are left", fake_alive().blocks);
    unsetenv("GABLE_DEBUG");
}

int main(void)
{
    const fake_settings settings = {.fence_device = true, .deferred = true};
    unsetenv("GABLE_DEBUG");
    unsetenv("GABLE_VARIANT");
    fake_install(&settings);
    test_fits();
    test_meet();
    test_table();
    test_held();
    EXPECT(fake_faults() == 0, "%d faults, the first: %s", fake_faults(), fake_first_fault());
    fake_remove();
    return expect_summary("test_extents");
}

/* test_roof_kernels.c: the kernels that measure a device, as plain C beside loops that say the
 * same.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Their results are of no use, but they show that a kernel does all the work that its rate is
 * counted by.
 */
#include <math.h>
#include "core/launch.h"
#include "expect.h"
#include "model/roofs_private.h"
#include "emulated.h"
#include "stream_args.h"

enum { GROUPS = 3, ITEMS = 4, ALL = GROUPS * ITEMS, WORDS = 64 };

static void *device_copy(gable_context *ctx, const void *from, int64_t count, size_t bytes)
{
    void *to = NULL;
    EXPECT_STATUS(ctx, GABLE_OK, gable_alloc(ctx, (size_t)count * bytes, &to));
    EXPECT_STATUS(ctx, GABLE_OK, gable_set_vector(ctx, count, bytes, from, 1, to, 1));
    return to;
}

static void launch(gable_context *ctx, const gbl_probe_launch *what)
{
    gbl_probe probe = {.ctx = ctx};
    EXPECT_STATUS(ctx, GABLE_OK, gbl_probe_enqueue(&probe, what));
}

static void check_read(gable_context *ctx)
{
    enum { VECTORS = 37, WIDTH = 4 };
    int64_t words[VECTORS * WIDTH], folded[ALL] = {0}, all = 0, sum = 0;
    for (int i = 0; i < VECTORS * WIDTH; i++)
        sum ^= words[i] = (int64_t)((uint64_t)(i + 1) * 0x9e3779b97f4a7c15u >> 2);
    void *x = device_copy(ctx, words, VECTORS * WIDTH, 8), *out = device_copy(ctx, folded, ALL, 8);
    const gbl_kernel_spec spec = {.file = "read.cl",
                                  .dtype = GBL_D,
                                  .macro_count = 6,
                                  .macros = {{"WX", ITEMS},
                                             {"VEC", WIDTH},
                                             {"UNROLL", 1},
                                             {"RANGE", 0},
                                             {"STRIDED", 0},
                                             {"ALIGN", 16}}};
    gbl_kernel *kernel = NULL;
    EXPECT_STATUS(ctx, GABLE_OK, gbl_kernel_get(ctx->device, &spec, &kernel, &ctx->message));
    const stream_args args = {.n = VECTORS * WIDTH, .vectors = VECTORS, .incx = 1, .incy = 1};
    gbl_launch_spec run = {.groups = {GROUPS, 1},
                           .group = {ITEMS, 1},
                           .buffer_count = 2,
                           .buffers = {x, out},
                           .args = &args,
                           .args_bytes = sizeof args};
    if (kernel != NULL)
        EXPECT_STATUS(ctx, GABLE_OK, gbl_launch(ctx, kernel, &run));
    EXPECT_STATUS(ctx, GABLE_OK, gable_get_vector(ctx, ALL, 8, out, 1, folded, 1));
    for (int i = 0; i < ALL; i++)
        all ^= folded[i];
    EXPECT(all == sum, "read.cl folds %llx, not %llx", (long long)all, (long long)sum);
    gable_free(ctx, x);
    gable_free(ctx, out);
}

static void check_sweep(gable_context *ctx)
{
    enum { SIZE = 24, ROUNDS = 5, UNROLL = 3, STEP = 5 * ITEMS };
    uint64_t words[2 * SIZE], seen[ALL] = {0};
    for (int i = 0; i < 2 * SIZE; i++)
        words[i] = (uint64_t)(i + 1) * 0x9e3779b97f4a7c15u;
    void *x = device_copy(ctx, words, 2 * SIZE, 8), *out = device_copy(ctx, seen, ALL, 8);
    launch(ctx, &(gbl_probe_launch){.file = "sweep.cl",
                                    .dtype = GBL_D,
                                    .macros = {{"WX", ITEMS}, {"VEC", 2}, {"UNROLL", UNROLL}},
                                    .groups = GROUPS,
                                    .items = ITEMS,
                                    .buffers = {x, out},
                                    .buffer_count = 2,
                                    .args = {ROUNDS, SIZE, ITEMS, STEP}});
    EXPECT_STATUS(ctx, GABLE_OK, gable_get_vector(ctx, ALL, 8, out, 1, seen, 1));
    for (int item = 0; item < ALL; item++) {
        uint64_t fold = 0;
        for (int k = 0; k < ROUNDS * UNROLL; k++) {
            const int at = (item + k * STEP) % SIZE;
            fold ^= words[2 * at] ^ words[2 * at + 1];
        }
        EXPECT(seen[item] == fold, "sweep.cl: work-item %d folds %llx, not %llx", item,
               (unsigned long long)seen[item], (unsigned long long)fold);
    }
    gable_free(ctx, x);
    gable_free(ctx, out);
}

static gbl_probe_launch muladd_launch(gbl_dtype dtype, const void *x, void *out, int64_t rounds)
{
    return (gbl_probe_launch){
        .file = "muladd.cl",
        .dtype = dtype,
        .macros = {{"WX", ITEMS}, {"CHAINS", 2}, {"MEET", dtype == GBL_S}},
        .groups = GROUPS,
        .items = ITEMS,
        .buffers = {x, out},
        .buffer_count = 2,
        .args = {.rounds = rounds},
    };
}

static void check_muladd(gable_context *ctx)
{
    enum { ROUNDS = 2 };
    const double numbers[] = {-1.875, 0.25, -0.5};
    const float floats[] = {-1.875f, 0.25f, -0.5f};
    double seen[ALL] = {0};
    float seen_floats[ALL] = {0};
    void *x = device_copy(ctx, numbers, 3, 8), *out = device_copy(ctx, seen, ALL, 8);
    void *fx = device_copy(ctx, floats, 3, 4), *fout = device_copy(ctx, seen_floats, ALL, 4);
    const gbl_probe_launch wide = muladd_launch(GBL_D, x, out, ROUNDS),
                           narrow = muladd_launch(GBL_S, fx, fout, ROUNDS);
    launch(ctx, &wide);
    launch(ctx, &narrow);
    EXPECT_STATUS(ctx, GABLE_OK, gable_get_vector(ctx, ALL, 8, out, 1, seen, 1));
    EXPECT_STATUS(ctx, GABLE_OK, gable_get_vector(ctx, ALL, 4, fout, 1, seen_floats, 1));
    for (int item = 0; item < ALL; item++) {
        double sum = 0;
        float float_sum = 0;
        for (int chain = 0; chain < 2; chain++) {
            double v = numbers[1 + chain] + (double)(item % ITEMS) / ITEMS;
            float f = floats[1 + chain] + (float)(item % ITEMS) / ITEMS;
            for (int step = 0; step < ROUNDS * ROOF_STEPS; step++) {
                v = fma(v, v, numbers[0]);
                f = fmaf(f, f, floats[0]);
            }
            sum += v;
            float_sum += f;
        }
        EXPECT(seen[item] == sum, "dmuladd: work-item %d gives %g, not %g", item, seen[item], sum);
        EXPECT(seen_floats[item] == float_sum, "smuladd: work-item %d gives %g, not %g", item,
               (double)seen_floats[item], (double)float_sum);
    }
    gable_free(ctx, x);
    gable_free(ctx, out);
    gable_free(ctx, fx);
    gable_free(ctx, fout);
}

static void check_chase(gable_context *ctx)
{
    enum { ROUNDS = 40, STEP = 77 };
    uint64_t words[WORDS], seen = 0, at = 0;
    for (int i = 0; i < WORDS; i++)
        words[i] = (uint64_t)(i + 1) * 0x9e3779b97f4a7c15u >> 3;
    void *x = device_copy(ctx, words, WORDS, 8), *out = device_copy(ctx, &seen, 1, 8);
    launch(ctx, &(gbl_probe_launch){.file = "chase.cl",
                                    .dtype = GBL_D,
                                    .groups = 1,
                                    .items = 1,
                                    .buffers = {x, out},
                                    .buffer_count = 2,
                                    .args = {.rounds = ROUNDS, .size = WORDS, .step = STEP}});
    EXPECT_STATUS(ctx, GABLE_OK, gable_get_vector(ctx, 1, 8, out, 1, &seen, 1));
    for (uint64_t k = 0; k < ROUNDS; k++)
        at = (words[at] + k * STEP) % WORDS;
    EXPECT(seen == at, "chase.cl ends at %llu, not at %llu", (unsigned long long)seen,
           (unsigned long long)at);
    gable_free(ctx, x);
    gable_free(ctx, out);
}

static void check_exchange(gable_context *ctx, int items, float together)
{
    enum { ROUNDS = 3, MOST = 64 };
    float numbers[1 + MOST] = {0.5f}, seen[MOST + 1] = {0};
    for (int i = 1; i <= MOST; i++)
        numbers[i] = (float)i;
    void *x = device_copy(ctx, numbers, 1 + MOST, 4), *out = device_copy(ctx, seen, MOST + 1, 4);
    launch(ctx, &(gbl_probe_launch){.file = "exchange.cl",
                                    .dtype = GBL_S,
                                    .macros = {{"WX", items}},
                                    .groups = 1,
                                    .items = items,
                                    .buffers = {x, out},
                                    .buffer_count = 2,
                                    .args = {.rounds = ROUNDS}});
    EXPECT_STATUS(ctx, GABLE_OK, gable_get_vector(ctx, MOST + 1, 4, out, 1, seen, 1));
    /* An even number of exchanges: each is back where it was. */
    for (int i = 0; i < items; i++)
        EXPECT(seen[i] == numbers[1 + i] + ROUNDS * ROOF_STEPS * 0.5f,
               "exchange.cl: work-item %d of %d has %g", i, items, (double)seen[i]);
    EXPECT(seen[items] == together, "exchange.cl: %g lanes together", (double)seen[items]);
    gable_free(ctx, x);
    gable_free(ctx, out);
}

static void check_arrive(gable_context *ctx)
{
    double numbers[ALL], partials[GROUPS] = {0}, result = 0;
    int32_t counter = 0;
    for (int i = 0; i < ALL; i++)
        numbers[i] = i + 1;
    void *x = device_copy(ctx, numbers, ALL, 8), *sums = device_copy(ctx, partials, GROUPS, 8),
         *count = device_copy(ctx, &counter, 1, 4), *all = device_copy(ctx, &result, 1, 8);
    for (int32_t one_pass = 0; one_pass < 2; one_pass++) {
        launch(ctx, &(gbl_probe_launch){.file = "arrive.cl",
                                        .dtype = GBL_D,
                                        .macros = {{"WX", ITEMS}, {"ONE_PASS", one_pass}},
                                        .groups = GROUPS,
                                        .items = ITEMS,
                                        .buffers = {x, sums, count, all},
                                        .buffer_count = 4});
        EXPECT_STATUS(ctx, GABLE_OK, gable_get_vector(ctx, GROUPS, 8, sums, 1, partials, 1));
        EXPECT_STATUS(ctx, GABLE_OK, gable_get_vector(ctx, 1, 8, all, 1, &result, 1));
        EXPECT_STATUS(ctx, GABLE_OK, gable_get_vector(ctx, 1, 4, count, 1, &counter, 1));
        EXPECT(partials[0] == 10 && partials[2] == 42, "arrive.cl: sums %g and %g", partials[0],
               partials[2]);
        EXPECT(result == (one_pass ? ALL * (ALL + 1) / 2 : 0), "arrive.cl: result %g", result);
        EXPECT(counter == 0, "arrive.cl leaves its counter at %d", counter);
    }
    gable_free(ctx, x);
    gable_free(ctx, sums);
    gable_free(ctx, count);
    gable_free(ctx, all);
}

int main(void)
{
    gable_context *ctx = NULL, *gpu = NULL;
    emulated_offer();
    EXPECT_STATUS(ctx, GABLE_OK, gable_open(&ctx, "emulated:1"));
    EXPECT_STATUS(gpu, GABLE_OK, gable_open(&gpu, "emulated:0"));
    check_read(ctx);
    check_sweep(ctx);
    check_muladd(ctx);
    check_chase(ctx);
    check_exchange(ctx, 4, 1);
    check_exchange(gpu, 64, 32);
    check_arrive(ctx);
    gable_close(ctx);
    gable_close(gpu);
    return expect_summary("test_roof_kernels");
}

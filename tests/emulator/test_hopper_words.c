/* test_hopper_words.c: the words of kernels/sm90/hopper.cuh in plain C: what they do, and that
 * their misuse shows.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * With an argument, a number of a mutant or 0, it runs that one only: for the thread sanitizer.
 */
#include <math.h>
#include <stdlib.h>
#include "core/context.h"
#include "core/kernel_args.h"
#include "expect.h"
#include "fake_device.h"
#include "gable/gable.h"
#include "hopper_words_args.h"

#define ITEMS         256
#define CLUSTER_ITEMS 128 /* the thread sanitizer has room for some 400 fibers */
#define STAGES        3
#define ROOM_BYTES    (STAGES * 2048 + 16 * STAGES)
#define ROWS          27
#define COLUMNS       45
#define LD            30
#define STEPS         5
#define ROUNDS        12 /* each with habits of its own */

static gable_context *ctx;
static double *matrix, *out;

static const fake_kernel *find(int form, int mutant)
{
    char macros[64];
    snprintf(macros, sizeof macros, "PREC=1 FORM=%d MUTANT=%d ITEMS=%d", form, mutant,
             form == 4 || form == 7 ? CLUSTER_ITEMS : ITEMS);
    for (const fake_kernel *kernel = fake_kernels; kernel->stem != NULL; kernel++)
        if (strcmp(kernel->macros, macros) == 0)
            return kernel;
    EXPECT(false, "there is no kernel with %s", macros);
    return NULL;
}

/* One launch; the number of faults that it made. */
static int launch(int form, int mutant, int groups, int cluster, hopper_words_args args)
{
    gbl_tensor_map map;
    const gbl_tensor_map_spec box = {.dtype = GBL_D,
                                     .rank = 2,
                                     .address = form == 6 ? out : matrix,
                                     .dims = {ROWS, COLUMNS},
                                     .strides = {LD * 8},
                                     .box = {16, 16},
                                     .swizzled = true};
    EXPECT_STATUS(ctx, GABLE_OK, gbl_device_tensor_map(ctx->device, &box, &map, &ctx->message));
    const gbl_launch_spec spec = {.name = "hopper_words",
                                  .groups = {groups, 1},
                                  .group = {form == 4 || form == 7 ? CLUSTER_ITEMS : ITEMS, 1},
                                  .dynamic_local_bytes = ROOM_BYTES,
                                  .cluster = cluster,
                                  .buffer_count = 2,
                                  .buffers = {matrix, out},
                                  .map_count = 1,
                                  .maps = &map,
                                  .args = &args,
                                  .args_bytes = sizeof args};
    const int before = fake_faults();
    const fake_kernel *kernel = find(form, mutant);
    if (kernel != NULL)
        fake_run(kernel, &spec);
    return fake_faults() - before;
}

/* ---- What each form must give; the number of wrong elements --------------------------------- */

static int run_boxes(int form, int mutant)
{
    int wrong = 0;
    for (int x = -3; x <= 14; x += 17) {
        const hopper_words_args args = {ROWS, COLUMNS, LD, x, -2, STEPS};
        for (int i = 0; i < STEPS * 256; i++)
            out[i] = -1;
        wrong += launch(form, mutant, 1, 1, args);
        for (int i = 0; i < STEPS * 256; i++) {
            const int p = x + i % 16, q = -2 + i / 16;
            const int inside = p >= 0 && p < ROWS && q >= 0 && q < COLUMNS;
            wrong += !(out[i] == (inside ? matrix[p + q * LD] : 0));
        }
    }
    return wrong;
}

static int run_products(int deep)
{
    const hopper_words_args args = {.steps = deep};
    double before[128];
    int wrong = 0;
    for (int i = 0; i < 128; i++)
        before[i] = out[i] = i % 7 - 3;
    wrong += launch(3, 0, 1, 1, args);
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < 8; j++) {
            double sum = before[i + 16 * j];
            for (int k = 0; k < deep; k++)
                sum += matrix[i + 16 * k] * matrix[256 + k + deep * j];
            wrong += !(out[i + 16 * j] == sum);
        }
    return wrong;
}

static int run_cluster(int mutant, int cluster)
{
    const hopper_words_args args = {.steps = cluster};
    int wrong = 0;
    for (int i = 0; i < 8 * CLUSTER_ITEMS; i++)
        out[i] = -1;
    wrong += launch(4, mutant, 8, cluster, args);
    for (int group = 0; group < 8; group++)
        for (int i = 0; i < CLUSTER_ITEMS; i++) {
            const int next = group / cluster * cluster + (group + 1) % cluster;
            wrong += !(out[group * CLUSTER_ITEMS + i] == next * 1000 + CLUSTER_ITEMS - 1 - i);
        }
    return wrong;
}

/* What the group before wrote into this one's room. */
static int run_pushed(int mutant, int cluster)
{
    const hopper_words_args args = {.steps = cluster};
    int wrong = 0;
    for (int i = 0; i < 8 * CLUSTER_ITEMS; i++)
        out[i] = -1;
    wrong += launch(7, mutant, 8, cluster, args);
    for (int group = 0; group < 8; group++)
        for (int i = 0; i < CLUSTER_ITEMS; i++) {
            const int from = group / cluster * cluster + (group + cluster - 1) % cluster;
            wrong += !(out[group * CLUSTER_ITEMS + i] == from * 1000 + CLUSTER_ITEMS - 1 - i + 0.5);
        }
    return wrong;
}

static int run_halves(int mutant)
{
    const hopper_words_args args = {0};
    int wrong = 0;
    for (int i = 0; i < ITEMS; i++)
        out[i] = -1;
    wrong += launch(5, mutant, 1, 1, args);
    for (int i = 0; i < ITEMS / 2; i++) {
        wrong += !(out[i] == ITEMS - 1 - i);
        wrong += !(out[ITEMS / 2 + i] == ITEMS / 2 + i + 0.5);
    }
    return wrong;
}

/* TMA tiles that go out: what lies outside of the matrix stays, but for the rest of 16 bytes that
 * begin inside. */
static int run_sent(int mutant)
{
    int wrong = 0;
    for (int x = -3; x <= 14; x += 17) {
        const hopper_words_args args = {ROWS, COLUMNS, LD, x, -34, STEPS};
        for (int i = 0; i < LD * COLUMNS; i++)
            out[i] = -1;
        wrong += launch(6, mutant, 1, 1, args);
        for (int i = 0; i < LD * COLUMNS; i++) {
            const int p = i % LD - x, q = i / LD + 34;
            const int inside = i % LD < (ROWS + 1) / 2 * 2 && p >= 0 && p < 16 && q < 16 * STEPS;
            const double wanted = inside ? matrix[q * 16 + p] : -1;
            wrong += !(out[i] == wanted || (isnan(out[i]) && isnan(wanted)));
        }
    }
    return wrong;
}

/* A mutant, or 0; how often it was wrong in all rounds. */
static int run_mutant(int mutant)
{
    int wrong = 0;
    for (int round = 0; round < ROUNDS; round++)
        wrong += mutant <= 6    ? run_boxes(1, mutant)
                 : mutant == 7  ? run_boxes(2, mutant)
                 : mutant <= 9  ? run_cluster(mutant, 2)
                 : mutant <= 11 ? run_halves(mutant)
                 : mutant <= 16 ? run_sent(mutant)
                                : run_pushed(mutant, 2);
    return wrong;
}

static void test_words(int most_groups)
{
    for (int round = 0; round < ROUNDS; round++) {
        EXPECT(run_boxes(1, 0) == 0, "TMA tiles");
        EXPECT(run_boxes(2, 0) == 0, "elements");
        EXPECT(run_products(8) == 0 && run_products(16) == 0, "products");
        for (int cluster = 1; cluster <= most_groups; cluster *= 2)
            EXPECT(run_cluster(0, cluster) == 0 && run_pushed(0, cluster) == 0, "a cluster of %d",
                   cluster);
        EXPECT(run_halves(0) == 0, "named barriers");
        EXPECT(run_sent(0) == 0, "TMA tiles that go out");
    }
    EXPECT(fake_faults() == 0, "%s", fake_first_fault());
}

/* What is left out shows as a wrong result, a launch that hangs or a broken rule; number 3, lanes
 * that release a stage for others that have not read it, and 16, that say a buffer is ready for
 * others, are some that only the thread sanitizer sees for certain. */
static void test_mutants(void)
{
    for (int mutant = 1; mutant <= 18; mutant++)
        if (mutant != 3 && mutant != 16)
            EXPECT(run_mutant(mutant) > 0, "mutant %d is not seen", mutant);
}

int main(int count, char **arguments)
{
    const fake_settings settings = {.hopper = true, .is_gpu = true};
    fake_install(&settings);
    if (gable_open(&ctx, "fake") != GABLE_OK ||
        gable_alloc(ctx, 2048 * sizeof *matrix, (void **)&matrix) != GABLE_OK ||
        gable_alloc(ctx, 8 * ITEMS * sizeof *out, (void **)&out) != GABLE_OK) {
        EXPECT(false, "%s", gable_message(ctx));
        return expect_summary("test_hopper_words");
    }
    for (int i = 0; i < 2048; i++) /* what lies between columns is no number */
        matrix[i] = i % LD < ROWS || i >= COLUMNS * LD ? i % 37 - 18 : NAN;
    for (int i = 0; i < 512; i++)
        if (isnan(matrix[i]))
            matrix[i] = 3;
    const int mutant = count > 1 ? atoi(arguments[1]) : -1;
    if (mutant > 0) {
        EXPECT(run_mutant(mutant) == 0, "mutant %d", mutant);
    } else {
        test_words(mutant == 0 ? 2 : 8);
        if (mutant < 0)
            test_mutants();
    }
    gable_free(ctx, matrix);
    gable_free(ctx, out);
    gable_close(ctx);
    fake_remove();
    return expect_summary("test_hopper_words");
}

/* test_space.c: parameter spaces: what is legal before compiling, what comes to the same work,
 * neighbours.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The spaces are those of the routines, on a GPU that is only its properties; nothing is compiled.
 * Whether equal plans come to the same launches is seen in recordings on a pretended GPU.
 */
#include <stdlib.h>
#include "../core/expect.h"
#include "blas/level1/level1.h"
#include "blas/level2/level2.h"
#include "core/recording.h"
#include "gable/inspect/dry_device.h"
#include "tune/space.h"

static gable_status no_build(gbl_device *device, const char *source, const char *const *macros,
                             const char *entry, gbl_code **code, gbl_message *message)
{
    (void)device;
    (void)source;
    (void)macros;
    (void)entry;
    (void)code;
    return gbl_fail(message, GABLE_NOT_SUPPORTED, "nothing is compiled here");
}

static gbl_device_table table;
static gbl_device gpu = {
    .table = &table,
    .info = {.name = "none:0"},
    .props = {.is_gpu = true,
              .fence_device = true,
              .units = 132,
              .simd = 32,
              .max_group = 1024,
              .max_cluster = 1,
              .max_local_bytes = 48 << 10,
              .max_dynamic_local_bytes = 227 << 10,
              .cache_bytes = 50 << 20,
              .memory_bytes = (size_t)100 << 30,
              .family = "sm_90"},
};

#define AT(k) ((void *)(uintptr_t)((k) * (1 << 20)))

static gbl_matrix_call matrix(int64_t m, int64_t n, gable_trans trans)
{
    return (gbl_matrix_call){.dtype = GBL_D,
                             .trans = trans,
                             .trans_b = GABLE_NO_TRANS,
                             .uplo = GABLE_LOWER,
                             .diag = GABLE_NON_UNIT,
                             .m = m,
                             .n = n,
                             .alpha = {NULL, 1, 0},
                             .A = AT(1),
                             .lda = m,
                             .B = AT(200),
                             .ldb = m,
                             .C = AT(400),
                             .ldc = trans == GABLE_NO_TRANS ? m : n,
                             .x = AT(600),
                             .incx = 1,
                             .y = AT(601),
                             .incy = 1,
                             .batch = 1};
}

static gbl_vector_call vector(int64_t n)
{
    return (gbl_vector_call){.dtype = GBL_D,
                             .n = n,
                             .count = 8,
                             .ldx = n,
                             .alpha = {NULL, 2, 0},
                             .x = AT(1),
                             .incx = 1,
                             .y = AT(500),
                             .incy = 1,
                             .result = AT(900)};
}

static int value_of(const gbl_choice *choice, const char *name)
{
    const int index = gbl_param_index(choice->variant, name);
    return index >= 0 ? choice->params.value[index] : -1;
}

/* What must hold for the space of any routine. */
static void check_space(const gbl_op *op, const void *call, const gbl_device *device)
{
    gbl_space space;
    EXPECT(gbl_space_make(&space, op, call, device, NULL), "%s: no memory", op->stem);
    EXPECT(space.count > 0 && space.count + space.illegal + space.repetitions == space.all,
           "%s: %d points, %lld illegal and %lld repeated of %lld", op->stem, space.count,
           (long long)space.illegal, (long long)space.repetitions, (long long)space.all);
    for (int i = 0; i < space.count; i++) {
        const gbl_choice *choice = &space.points[i].choice;
        uint64_t plan;
        const int items = value_of(choice, "items") > value_of(choice, "local")
                              ? value_of(choice, "items")
                              : value_of(choice, "local");
        EXPECT(gbl_space_legal(choice, call, device, &plan) && plan == space.points[i].plan,
               "%s: a point is illegal", op->stem);
        EXPECT(items <= device->props.max_group, "%s: a group of %d", op->stem, items);
        if (i % 97 == 0)
            EXPECT(gbl_space_find(&space, choice, call, device) == i, "%s: point %d is lost",
                   op->stem, i);
    }
    /* The untuned values of each variant are legal where the device is of their kind. */
    for (int v = 0; device->props.is_gpu && v < op->variant_count; v++) {
        gbl_choice choice = {.variant = &op->variants[v]};
        gbl_params_fallback(choice.variant, &choice.params);
        if (!choice.variant->vendor && choice.variant->fits(choice.variant, call, device))
            EXPECT(gbl_space_find(&space, &choice, call, device) >= 0,
                   "%s: %s is not legal untuned", op->stem, choice.variant->name);
    }
    gbl_space_free(&space);
}

static void test_all_spaces(void)
{
    const gbl_op *const vectors[] = {&gbl_copy_op, &gbl_axpy_op,  &gbl_dot_op,   &gbl_nrm2_op,
                                     &gbl_mdot_op, &gbl_maxpy_op, &gbl_random_op};
    const gbl_op *const matrices[] = {&gbl_gemv_op,        &gbl_trmv_op, &gbl_ger_op,
                                      &gbl_syr_op,         &gbl_geam_op, &gbl_transpose_op,
                                      &gbl_gemv_batched_op};
    gbl_device host = gpu;
    host.props.is_gpu = false;
    host.props.simd = 1;
    host.props.units = 2;
    host.props.max_group = 4096;
    for (int d = 0; d < 2; d++) {
        const gbl_device *device = d == 0 ? &gpu : &host;
        for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
            const gbl_vector_call call = vector(100000);
            check_space(vectors[i], &call, device);
        }
        for (size_t i = 0; i < sizeof matrices / sizeof matrices[0]; i++) {
            const gbl_matrix_call plain = matrix(500, 300, GABLE_NO_TRANS),
                                  turned = matrix(500, 300, GABLE_TRANS);
            check_space(matrices[i], &plain, device);
            check_space(matrices[i], &turned, device);
        }
    }
}

/* Settings without effect, and those that cannot be. */
static void test_gemv(void)
{
    const gbl_matrix_call call = matrix(4096, 4096, GABLE_NO_TRANS);
    gbl_space space;
    gbl_choice choice = {.variant = NULL, .params = {{256, 8, 2, 4, 1, 1, 0}}};
    for (int v = 0; v < gbl_gemv_op.variant_count; v++)
        if (strcmp(gbl_gemv_op.variants[v].name, "split_n") == 0)
            choice.variant = &gbl_gemv_op.variants[v];
    EXPECT(choice.variant != NULL && gbl_space_size(choice.variant) == 6 * 10 * 5 * 4 * 4 * 9 * 2,
           "the space of split_n has changed: so must this test");
    EXPECT(gbl_space_make(&space, &gbl_gemv_op, &call, &gpu, NULL), "no memory");
    const int point = gbl_space_find(&space, &choice, &call, &gpu);
    EXPECT(point >= 0, "a plain choice is not legal");
    /* Without splitting the number of groups says nothing, and batches are for the transposed
     * product. */
    choice.params = (gbl_params){{256, 8, 2, 4, 1, 12, 0}};
    EXPECT(gbl_space_find(&space, &choice, &call, &gpu) == point,
           "groups without split are another point");
    choice.params = (gbl_params){{256, 8, 2, 4, 8, 1, 0}};
    EXPECT(gbl_space_find(&space, &choice, &call, &gpu) == point, "a batch is another point");
    choice.params = (gbl_params){{256, 8, 2, 4, 1, 12, 1}};
    EXPECT(gbl_space_find(&space, &choice, &call, &gpu) != point, "split is the same point");
    /* wx above items. */
    choice.params = (gbl_params){{128, 512, 2, 4, 1, 1, 0}};
    const int wide = gbl_space_find(&space, &choice, &call, &gpu);
    choice.params = (gbl_params){{128, 128, 2, 4, 1, 1, 0}};
    EXPECT(wide >= 0 && wide == gbl_space_find(&space, &choice, &call, &gpu),
           "wx above items is another point");
    /* No value of the list; less lanes than run together; more than the device takes. */
    choice.params = (gbl_params){{100, 8, 2, 4, 1, 1, 0}};
    EXPECT(gbl_space_find(&space, &choice, &call, &gpu) < 0, "items = 100 is legal");
    choice.params = (gbl_params){{1, 1, 2, 4, 1, 1, 0}};
    EXPECT(gbl_space_find(&space, &choice, &call, &gpu) < 0, "items = 1 is legal");
    gbl_device small = gpu;
    small.props.max_group = 128;
    uint64_t plan;
    choice.params = (gbl_params){{256, 8, 2, 4, 1, 1, 0}};
    EXPECT(!gbl_space_legal(&choice, &call, &small, &plan), "256 of 128 is legal");

    /* Neighbours: one step of one tunable, over what changes nothing. */
    int list[2 * GBL_MAX_PARAMS];
    const int count = gbl_space_neighbours(&space, point, &call, &gpu, list);
    EXPECT(count >= 6, "%d neighbours", count);
    for (int i = 0; i < count; i++) {
        const gbl_choice *other = &space.points[list[i]].choice;
        EXPECT(list[i] != point && other->variant == space.points[point].choice.variant,
               "a point is its own neighbour");
    }
    gbl_space_free(&space);
}

/* ---- Equal plans, equal launches ---- */

/* Of kernels, groups and arguments; workspace is another one in each recording. */
static uint64_t hash_launches(const gable_recording *recording)
{
    uint64_t hash = (uint64_t)recording->count;
    for (int64_t i = 0; i < recording->count; i++) {
        const gbl_launch_spec *launch = &recording->steps[i].as.launch;
        if (recording->steps[i].kind != GBL_STEP_LAUNCH)
            continue;
        hash = 31 * hash + launch->code->identity;
        hash = 31 * hash + gbl_plan_hash(launch->groups, sizeof launch->groups);
        hash = 31 * hash + gbl_plan_hash(launch->group, sizeof launch->group);
        hash = 31 * hash + gbl_plan_hash(launch->args, launch->args_bytes);
    }
    return hash | 1;
}

/* Records a call with a choice; 0: it cannot run. */
static uint64_t record(gable_context *ctx, const gbl_op *op, const void *call,
                       const gbl_choice *choice)
{
    uint64_t hash = 0;
    EXPECT_STATUS(ctx, GABLE_OK, gbl_force_choice(ctx, op, choice));
    EXPECT_STATUS(ctx, GABLE_OK, gable_record_begin(ctx));
    if (gbl_op_run(ctx, op, call) == GABLE_OK)
        hash = hash_launches(ctx->recording);
    EXPECT_STATUS(ctx, GABLE_OK, gable_record_end(ctx, NULL));
    EXPECT_STATUS(ctx, GABLE_OK, gbl_force_choice(ctx, op, NULL)); /* composed routines ask too */
    return hash;
}

/* A sample of all combinations of a variant, legal ones recorded and compared with their point. */
static void compare_launches(gable_context *ctx, const gbl_op *op, const void *call,
                             const gbl_variant *variant, const gbl_space *space, uint64_t *seen)
{
    const int64_t size = gbl_space_size(variant), step = size / 1500 * 2 + 1;
    for (int64_t k = 0; k < size; k += step) {
        gbl_choice choice = {.variant = variant};
        int64_t rest = k;
        for (int i = 0; i < variant->space_count; i++) {
            choice.params.value[i] = variant->space[i].values[rest % variant->space[i].count];
            rest /= variant->space[i].count;
        }
        const int point = gbl_space_find(space, &choice, call, ctx->device);
        if (point < 0)
            continue;
        const uint64_t hash = record(ctx, op, call, &choice);
        if (seen[point] == 0)
            seen[point] = record(ctx, op, call, &space->points[point].choice);
        EXPECT(hash == seen[point] && hash != 0,
               "%s %s: combination %lld is not its point, or does not run: %s", op->stem,
               variant->name, (long long)k, gable_message(ctx));
    }
}

static void test_launches(void)
{
    const gbl_op *const vectors[] = {&gbl_axpy_op, &gbl_dot_op, &gbl_mdot_op};
    const gbl_op *const matrices[] = {&gbl_gemv_op,      &gbl_trmv_op,        &gbl_symv_op,
                                      &gbl_trsv_op,      &gbl_ger_op,         &gbl_geam_op,
                                      &gbl_transpose_op, &gbl_gemv_batched_op};
    gable_context *ctx = NULL;
    EXPECT_STATUS(ctx, GABLE_OK, dry_open(&ctx, "sm_90a"));
    const gbl_vector_call of_vectors = vector(70000);
    const gbl_matrix_call plain = matrix(700, 700, GABLE_NO_TRANS),
                          turned = matrix(700, 700, GABLE_TRANS);
    for (int i = 0; i < 3 + 2 * 8; i++) {
        const gbl_op *op = i < 3 ? vectors[i] : matrices[(i - 3) / 2];
        const void *call = i < 3 ? (const void *)&of_vectors : i % 2 ? &plain : &turned;
        gbl_space space;
        EXPECT(gbl_space_make(&space, op, call, ctx->device, NULL), "no memory");
        uint64_t *seen = calloc((size_t)space.count + 1, sizeof *seen);
        for (int v = 0; seen != NULL && v < op->variant_count; v++)
            /* steps runs gemv, whose choice is its own. */
            if (!op->variants[v].vendor && strcmp(op->variants[v].name, "steps") != 0 &&
                op->variants[v].fits(&op->variants[v], call, ctx->device))
                compare_launches(ctx, op, call, &op->variants[v], &space, seen);
        free(seen);
        gbl_space_free(&space);
    }
    dry_close(ctx);
}

static bool takes_blocks(void *user, const gbl_variant *variant)
{
    return strcmp(variant->name, user) == 0;
}

static bool holds_one(void *user, const gbl_choice *choice)
{
    (void)user;
    return value_of(choice, "block") == 64;
}

/* One variant alone, one value alone; variants without tunables are one point. */
static void test_variants(void)
{
    const gbl_matrix_call call = matrix(1000, 1000, GABLE_NO_TRANS);
    char name[] = "blocks_n";
    gbl_space space;
    gbl_space_filter filter = {takes_blocks, NULL, name};
    EXPECT(gbl_space_make(&space, &gbl_gemv_op, &call, &gpu, &filter), "no memory");
    EXPECT(space.all == 5 * 5 * 5 && space.count > 10, "%lld, %d", (long long)space.all,
           space.count);
    for (int i = 0; i < space.count; i++)
        EXPECT(strcmp(space.points[i].choice.variant->name, name) == 0, "another variant");
    gbl_space_free(&space);
    filter.choice = holds_one;
    EXPECT(gbl_space_make(&space, &gbl_gemv_op, &call, &gpu, &filter), "no memory");
    EXPECT(space.all == 5 * 5 && space.count > 2, "%lld, %d", (long long)space.all, space.count);
    for (int i = 0; i < space.count; i++)
        EXPECT(value_of(&space.points[i].choice, "block") == 64, "another block");
    gbl_space_free(&space);

    gable_context *ctx = NULL;
    EXPECT_STATUS(ctx, GABLE_OK, gable_open(&ctx, "cpu"));
    EXPECT(gbl_space_make(&space, &gbl_gemv_op, &call, ctx->device, NULL), "no memory");
    EXPECT(space.count >= 1 && space.count == space.all, "%d of %lld variants on cpu", space.count,
           (long long)space.all);
    gbl_space_free(&space);
    gable_close(ctx);
}

int main(void)
{
    table = gbl_cpu_table;
    table.kind = "none";
    table.build = no_build;
    test_all_spaces();
    test_gemv();
    test_variants();
    test_launches();
    return expect_summary("test_space");
}

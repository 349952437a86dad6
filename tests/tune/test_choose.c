/* test_choose.c: which measurement answers a call, and what is chosen without one.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <math.h>
#include "blas/level3/level3.h"
#include "core/call_class.h"
#include "core/key.h"
#include "device/cpu_blas.h"
#include "tune_scene.h"

#define N (1 << 20)

/* The value of `local` that the database answers with for copy, or -1. */
static int32_t found_local(gbl_device *device, int64_t n, gbl_match *match)
{
    const gbl_vector_call call = scene_vectors(n);
    gbl_choice choice;
    *match = gbl_database_find(device, &gbl_copy_op, NULL, &call, &choice);
    return *match == GBL_MATCH_NONE ? -1
                                    : choice.params.value[gbl_param_index(choice.variant, "local")];
}

static void add_local(gbl_device *device, int64_t n, int32_t local, double usec, bool winner)
{
    const gbl_vector_call call = scene_vectors(n);
    gbl_entry entry = scene_entry(device, &gbl_copy_op, "stream", &call, "local", local, usec);
    entry.winner = winner;
    scene_add(&entry);
}

static void expect_local(gbl_device *device, int64_t n, int32_t local, gbl_match match,
                         const char *what)
{
    gbl_match got;
    const int32_t value = found_local(device, n, &got);
    CHECK(value == local && got == match, "%s: n = %lld gives local=%d, %s; expected %d, %s", what,
          (long long)n, (int)value, gbl_match_name(got), (int)local, gbl_match_name(match));
}

static void test_sizes(void)
{
    test_case("exact and near sizes");
    scene_fresh();
    expect_local(&scene_gpu, N, -1, GBL_MATCH_NONE, "an empty database");
    add_local(&scene_gpu, N, 512, 10, true);
    expect_local(&scene_gpu, N, 512, GBL_MATCH_EXACT, "the bucket itself");
    expect_local(&scene_gpu, N + 1000, 512, GBL_MATCH_EXACT, "another n of the bucket");
    expect_local(&scene_gpu, 2 * N, 512, GBL_MATCH_NEAR_SIZE, "twice the size");
    expect_local(&scene_gpu, N / 4, 512, GBL_MATCH_NEAR_SIZE, "a quarter");
    expect_local(&scene_gpu, 8 * N, -1, GBL_MATCH_NONE, "eight times the size");
    add_local(&scene_gpu, 4 * N, 128, 40, true);
    expect_local(&scene_gpu, 8 * N, 128, GBL_MATCH_NEAR_SIZE, "the nearer of two");
    expect_local(&scene_gpu, 2 * N, 128, GBL_MATCH_NEAR_SIZE, "the larger of two equally near");
    add_local(&scene_gpu, 2 * N, 256, 20, false);
    expect_local(&scene_gpu, 2 * N, 256, GBL_MATCH_EXACT, "exact beats near");
}

static void test_flags(void)
{
    test_case("other flags, precisions and devices");
    scene_fresh();
    add_local(&scene_gpu, N, 512, 10, true);
    gbl_vector_call call = scene_vectors(N);
    gbl_choice choice;
    call.incx = 2;
    CHECK(gbl_database_find(&scene_gpu, &gbl_copy_op, NULL, &call, &choice) == GBL_MATCH_NONE,
          "an entry of contiguous vectors answered a strided call");
    call = scene_vectors(N);
    call.dtype = GBL_S;
    CHECK(gbl_database_find(&scene_gpu, &gbl_copy_op, NULL, &call, &choice) == GBL_MATCH_NONE,
          "an entry of d answered a call of s");
    call = scene_vectors(N);
    CHECK(gbl_database_find(&scene_gpu, &gbl_swap_op, NULL, &call, &choice) == GBL_MATCH_NONE,
          "an entry of copy answered a call of swap");
    gbl_device other = scene_gpu;
    other.props.units = other.info.units = 32;
    expect_local(&other, N, -1, GBL_MATCH_NONE, "a device of another class");
}

static void test_matrices(void)
{
    test_case("matrices");
    scene_fresh();
    gbl_matrix_call call = {.dtype = GBL_D,
                            .trans = GABLE_NO_TRANS,
                            .m = 4096,
                            .n = 4096,
                            .A = (void *)4096,
                            .lda = 4096,
                            .x = (void *)4096,
                            .incx = 1,
                            .y = (void *)8192,
                            .incy = 1};
    gbl_entry entry = scene_entry(&scene_gpu, &gbl_gemv_op, "split_n", &call, "items", 128, 30);
    gbl_choice choice;
    scene_add(&entry);
    CHECK(gbl_database_find(&scene_gpu, &gbl_gemv_op, NULL, &call, &choice) == GBL_MATCH_EXACT &&
              strcmp(choice.variant->name, "split_n") == 0,
          "gemv is not found");
    call.m = 8192;
    call.lda = 8192;
    call.n = 2048;
    CHECK(gbl_database_find(&scene_gpu, &gbl_gemv_op, NULL, &call, &choice) == GBL_MATCH_NEAR_SIZE,
          "m twice and n half as large is not near");
    call.n = 1024;
    CHECK(gbl_database_find(&scene_gpu, &gbl_gemv_op, NULL, &call, &choice) == GBL_MATCH_NONE,
          "three factors of two are near");
    call.m = call.n = call.lda = 4096;
    call.trans = GABLE_TRANS;
    CHECK(gbl_database_find(&scene_gpu, &gbl_gemv_op, NULL, &call, &choice) == GBL_MATCH_NONE,
          "a plain product answered for a transposed one");
    call.trans = GABLE_NO_TRANS;
    call.lda = 4097;
    CHECK(gbl_database_find(&scene_gpu, &gbl_gemv_op, NULL, &call, &choice) == GBL_MATCH_NONE,
          "aligned columns answered for others");
}

static void test_winners(void)
{
    test_case("winners");
    scene_fresh();
    add_local(&scene_gpu, N, 512, 10, false);
    add_local(&scene_gpu, N, 256, 8, false);
    add_local(&scene_gpu, N, 128, 9, false);
    expect_local(&scene_gpu, N, 256, GBL_MATCH_EXACT, "the fastest without a winner");
    add_local(&scene_gpu, N, 512, 10, true);
    expect_local(&scene_gpu, N, 512, GBL_MATCH_EXACT, "a winner beats faster times");
    add_local(&scene_gpu, N, 128, 11, true);
    expect_local(&scene_gpu, N, 128, GBL_MATCH_EXACT, "the last winner");
    add_local(&scene_gpu, N, 64, 1, false);
    expect_local(&scene_gpu, N, 128, GBL_MATCH_EXACT, "a later time is no winner");
}

static void test_wrong(void)
{
    test_case("what is never chosen");
    scene_fresh();
    const gbl_vector_call call = scene_vectors(N);
    gbl_entry entry = scene_entry(&scene_gpu, &gbl_copy_op, "stream", &call, "local", 512, 1);
    entry.winner = true;
    entry.error = 1.5;
    scene_add(&entry);
    entry.error = NAN;
    scene_add(&entry);
    entry.error = INFINITY;
    scene_add(&entry);
    expect_local(&scene_gpu, N, -1, GBL_MATCH_NONE, "a wrong result");
    entry.error = 0.5;
    snprintf(entry.kernel, sizeof entry.kernel, "0123456789abcdef");
    CHECK(!gbl_entry_current(&entry), "a made-up kernel is the library's");
    scene_add(&entry);
    expect_local(&scene_gpu, N, -1, GBL_MATCH_NONE, "an older kernel");
    gbl_database_state state;
    gbl_database_describe(&state);
    CHECK(state.entries == 4 && state.old_entries == 1, "%lld entries, %lld old",
          (long long)state.entries, (long long)state.old_entries);
    add_local(&scene_gpu, N, 128, 5, false);
    expect_local(&scene_gpu, N, 128, GBL_MATCH_EXACT, "a good one beside them");

    /* A device that takes smaller groups, in the same class as far as names go. */
    gbl_device small = scene_gpu;
    small.props.max_group = 64;
    expect_local(&small, N, -1, GBL_MATCH_NONE, "groups that the device does not take");

    setenv("GABLE_TUNING", "off", 1);
    expect_local(&scene_gpu, N, -1, GBL_MATCH_NONE, "GABLE_TUNING=off");
    unsetenv("GABLE_TUNING");
    expect_local(&scene_gpu, N, 128, GBL_MATCH_EXACT, "without it");
}

/* An edit of a kernel file changes the hash, and with it what counts. */
static void test_edited_kernel(void)
{
    test_case("an edited kernel");
    scene_fresh();
    add_local(&scene_gpu, N, 512, 10, true);
    char folder[SCRATCH_BYTES + 16], command[4096];
    snprintf(folder, sizeof folder, "%s/kernels", scene_folder);
    snprintf(command, sizeof command, "cp -r '%s/kernels' '%s'", GABLE_SOURCE_DIR, folder);
    CHECK(system(command) == 0, "the kernels were not copied");
    setenv("GABLE_KERNEL_DIR", folder, 1);
    gbl_database_reset();
    expect_local(&scene_gpu, N, 512, GBL_MATCH_EXACT, "the same text in a folder");
    snprintf(command, sizeof command, "echo '/* faster */  // by far' >>'%s/level1/map.h'", folder);
    CHECK(system(command) == 0, "the kernel was not edited");
    gbl_database_reset();
    expect_local(&scene_gpu, N, 512, GBL_MATCH_EXACT, "a comment more");
    snprintf(command, sizeof command, "echo '#define FASTER 1' >>'%s/level1/map.h'", folder);
    CHECK(system(command) == 0, "the kernel was not edited");
    gbl_database_reset();
    expect_local(&scene_gpu, N, -1, GBL_MATCH_NONE, "an edited piece of the kernel");
    unsetenv("GABLE_KERNEL_DIR");
    gbl_database_reset();
    expect_local(&scene_gpu, N, 512, GBL_MATCH_EXACT, "the library's own text again");
}

/* Variants that must not run by default do not, whatever was measured; when asked for by name they
 * do. */
static void test_default_rows(void)
{
    test_case("variants that are not for default choices");
    scene_fresh();
    const gbl_vector_call call = scene_vectors(N);
    gbl_entry entry = scene_entry(&scene_gpu, &gbl_copy_op, "vendor", &call, NULL, 0, 0.1);
    entry.winner = true;
    scene_add(&entry);
    expect_local(&scene_gpu, N, -1, GBL_MATCH_NONE, "the vendor's variant");
    entry = scene_entry(&scene_gpu, &gbl_copy_op, "omp", &call, NULL, 0, 0.1);
    entry.winner = true;
    scene_add(&entry);
    expect_local(&scene_gpu, N, -1, GBL_MATCH_NONE, "a variant that does not fit the device");
    add_local(&scene_gpu, N, 256, 10, false);
    expect_local(&scene_gpu, N, 256, GBL_MATCH_EXACT, "the variant that does");

    /* dot has two kernel variants; of a variant that was asked for only its own entries count. */
    gbl_choice choice;
    entry = scene_entry(&scene_gpu, &gbl_dot_op, "two_pass", &call, "local", 128, 5);
    scene_add(&entry);
    entry = scene_entry(&scene_gpu, &gbl_dot_op, "one_pass", &call, "local", 512, 6);
    scene_add(&entry);
    CHECK(gbl_database_find(&scene_gpu, &gbl_dot_op, NULL, &call, &choice) == GBL_MATCH_EXACT &&
              strcmp(choice.variant->name, "two_pass") == 0,
          "the faster variant is not the answer");
    CHECK(gbl_database_find(&scene_gpu, &gbl_dot_op, scene_variant(&gbl_dot_op, "one_pass"), &call,
                            &choice) == GBL_MATCH_EXACT &&
              choice.params.value[0] == 512,
          "the variant that was asked for is not the answer");
}

/* ---- The choice ---- */

static void expect_choice(gable_context *ctx, int64_t n, const char *variant, int32_t local,
                          const char *what)
{
    const gbl_vector_call call = scene_vectors(n);
    gbl_choice choice;
    CHECK_OK(ctx, gbl_op_choose(ctx, &gbl_dot_op, &call, &choice));
    CHECK(strcmp(choice.variant->name, variant) == 0 &&
              (local == 0 || choice.params.value[0] == local),
          "%s: %s with local=%d, expected %s with %d", what, choice.variant->name,
          (int)choice.params.value[0], variant, (int)local);
}

static void test_open_context(void)
{
    test_case("contexts that are open");
    scene_fresh();
    gable_context *ctx = scene_context(&scene_gpu), *other = scene_context(&scene_gpu);
    const gbl_vector_call call = scene_vectors(N);
    gbl_choice before, after;
    CHECK_OK(ctx, gbl_op_choose(ctx, &gbl_dot_op, &call, &before));
    gbl_entry entry = scene_entry(&scene_gpu, &gbl_dot_op, "two_pass", &call, "local", 64, 5);
    entry.winner = true;
    scene_add(&entry);
    CHECK_OK(ctx, gbl_op_choose(ctx, &gbl_dot_op, &call, &after));
    CHECK(memcmp(&before, &after, sizeof before) == 0, "a memoised choice changed");
    expect_choice(other, N, "two_pass", 64, "a fresh choice of another context");
    expect_choice(ctx, 4 * N, "two_pass", 64, "a fresh choice of the same context");

    /* Forced variants: their own tunables, those that were given stay. */
    CHECK_OK(ctx, gbl_force(ctx, "dot=two_pass:vec=8"));
    CHECK_OK(ctx, gbl_op_choose(ctx, &gbl_dot_op, &call, &after));
    CHECK(after.params.value[0] == 64 &&
              after.params.value[gbl_param_index(after.variant, "vec")] == 8,
          "a forced variant has local=%d and vec=%d, not 64 and 8", (int)after.params.value[0],
          (int)after.params.value[gbl_param_index(after.variant, "vec")]);
    CHECK_OK(ctx, gbl_force(ctx, "dot=one_pass:local=128"));
    expect_choice(ctx, N, "one_pass", 128, "another forced variant");
    free(ctx);
    free(other);
}

static void test_why(void)
{
    test_case("how good the evidence is");
    scene_fresh();
    gable_context *ctx = scene_context(&scene_gpu);
    const gbl_vector_call call = scene_vectors(N), far = scene_vectors(64);
    gbl_device hopper = scene_gpu;
    gbl_choice choice = {.variant = NULL, .params = {{0}}};
    gbl_match match;
    gbl_tune_choose_why(ctx, &gbl_dot_op, &call, &choice, &match);
    CHECK(match == GBL_MATCH_MODEL && choice.variant != NULL, "a new device: %s",
          gbl_match_name(match));
    gbl_entry entry = scene_entry(&scene_gpu, &gbl_dot_op, "one_pass", &call, "local", 64, 5),
              found;
    scene_add(&entry);
    choice.variant = NULL;
    gbl_tune_choose_why(ctx, &gbl_dot_op, &call, &choice, &match);
    CHECK(match == GBL_MATCH_EXACT && choice.params.value[0] == 64, "measured: %s",
          gbl_match_name(match));
    match = gbl_database_find_entry(&scene_gpu, &gbl_dot_op, NULL, &call, &choice, &found);
    CHECK(match == GBL_MATCH_EXACT && strcmp(found.date, entry.date) == 0 && found.usec == 5 &&
              strcmp(found.version, entry.version) == 0,
          "the entry that answered has another date, time or version");
    choice.variant = NULL;
    gbl_tune_choose_why(ctx, &gbl_dot_op, &far, &choice, &match);
    CHECK(match == GBL_MATCH_MODEL, "a far size: %s", gbl_match_name(match));
    snprintf(hopper.props.family, sizeof hopper.props.family, "sm_90");
    ctx->device = &hopper;
    choice.variant = NULL;
    gbl_tune_choose_why(ctx, &gbl_dot_op, &far, &choice, &match);
    CHECK(match == GBL_MATCH_BUILT_IN && strcmp(choice.variant->name, "one_pass") == 0,
          "a known family: %s", gbl_match_name(match));
    free(ctx);
}

/* ---- The model's ranking, with costs made up ---- */

static double made_bytes[2]; /* of the two variants */
static double made_items = 256;

static void made_work(const void *call, gbl_work *work)
{
    (void)call;
    *work = (gbl_work){1e9, 0, 0};
}

static bool made_fits(const gbl_variant *self, const void *call, const gbl_device *device)
{
    (void)self;
    (void)call;
    (void)device;
    return true;
}

/* All groups busy and enough on its way: time goes with the bytes. `waste` of the first variant
 * adds to them. */
static void made_cost(const gbl_variant *self, const void *call, const gbl_params *params,
                      const gbl_device *device, gbl_cost *cost)
{
    const int which = *(const int *)self->detail;
    (void)call;
    memset(cost, 0, sizeof *cost);
    cost->memory_bytes = made_bytes[which] * (1 + 0.01 * params->value[0]);
    cost->launches = 1;
    cost->groups = 1000 * device->props.units;
    cost->group_items = made_items;
    cost->bytes_in_flight = 1e6;
}

static const int32_t wastes[] = {0, 5, 8, 50, 100};
static const gbl_param made_space[] = {
    {.name = "waste", .values = wastes, .count = 5, .fallback = 50}};
static const int made_rows[] = {0, 1};
static const gbl_variant made_variants[] = {
    {.name = "first",
     .deterministic = true,
     .fits = made_fits,
     .cost = made_cost,
     .space = made_space,
     .space_count = 1,
     .detail = &made_rows[0]},
    {.name = "last",
     .deterministic = true,
     .fits = made_fits,
     .cost = made_cost,
     .detail = &made_rows[1]},
};
static uint64_t key_of(const void *call)
{
    return gbl_call_key(&gbl_copy_op, call);
}

static const gbl_op made_op = {.stem = "made",
                               .work = made_work,
                               .key = key_of,
                               .variants = made_variants,
                               .variant_count = 2};

static void expect_made(gable_context *ctx, const char *variant, int32_t waste, const char *what)
{
    const gbl_vector_call call = scene_vectors(N);
    gbl_choice choice = {.variant = NULL, .params = {{0}}};
    gbl_match match;
    gbl_tune_choose_why(ctx, &made_op, &call, &choice, &match);
    CHECK(match == GBL_MATCH_MODEL && strcmp(choice.variant->name, variant) == 0 &&
              choice.params.value[0] == waste,
          "%s: %s with waste=%d, expected %s with %d", what, choice.variant->name,
          (int)choice.params.value[0], variant, (int)waste);
}

static void test_model(void)
{
    test_case("the model's ranking");
    scene_fresh();
    gable_context *ctx = scene_context(&scene_gpu);
    made_bytes[0] = 1e9;
    made_bytes[1] = 2e9;
    expect_made(ctx, "first", 0, "a variant that is twice as fast, with its best tunable");
    made_bytes[1] = 1.05e9;
    expect_made(ctx, "last", 0, "a variant that is 5 % faster");
    made_bytes[1] = 1.2e9;
    expect_made(ctx, "first", 0, "a variant that is 20 % faster");
    made_items = 0;
    expect_made(ctx, "last", 0, "a cost that does not say how the work is cut");
    made_items = 256;

    /* Of a forced variant the tunables; the fallback stays where nothing is clearly better. */
    const gbl_vector_call call = scene_vectors(N);
    gbl_choice choice = {.variant = &made_variants[0], .params = {{0}}};
    gbl_match match;
    gbl_tune_choose_why(ctx, &made_op, &call, &choice, &match);
    CHECK(choice.params.value[0] == 0, "the best tunable is waste=%d", (int)choice.params.value[0]);
    static const gbl_param near_space[] = {
        {.name = "waste", .values = wastes, .count = 3, .fallback = 8}};
    gbl_variant near = made_variants[0];
    near.space = near_space;
    choice.variant = &near;
    gbl_tune_choose_why(ctx, &made_op, &call, &choice, &match);
    CHECK(choice.params.value[0] == 8, "a fallback that is 8 %% off gave way to waste=%d",
          (int)choice.params.value[0]);
    free(ctx);
}

static bool has_batch(const gbl_op *op)
{
    bool batch = false;
    for (int i = 0; i < op->operand_count; i++)
        batch = batch || op->operands[i].kind == GBL_BATCH;
    return batch;
}

/* Every op, many sizes: two contexts choose alike, what is chosen fits and is legal, and fresh
 * choices are cheap. */
static void test_determinism(void)
{
    test_case("two contexts");
    scene_fresh();
    gable_context *a = scene_context(&scene_gpu), *b = scene_context(&scene_gpu);
    double slowest = 0;
    for (const gbl_op *const *op = gbl_op_list(); *op != NULL; op++) {
        if (!gbl_op_described(*op))
            continue;
        for (int64_t n = 1; n <= (int64_t)1 << 24; n *= 8) {
            const int64_t side = n < 16384 ? n : 16384;
            gbl_vector_call vectors = scene_vectors(n);
            gbl_matrix_call matrix = {.dtype = GBL_D,
                                      .trans = GABLE_NO_TRANS,
                                      .trans_b = GABLE_NO_TRANS,
                                      .uplo = GABLE_LOWER,
                                      .diag = GABLE_NON_UNIT,
                                      .m = side,
                                      .n = side,
                                      .A = (void *)4096,
                                      .B = (void *)8192,
                                      .C = (void *)16384,
                                      .lda = side,
                                      .ldb = side,
                                      .ldc = side,
                                      .x = (void *)4096,
                                      .incx = 1,
                                      .y = (void *)8192,
                                      .incy = 1,
                                      .batch = 100,
                                      .stride_a = side * side,
                                      .stride_x = side,
                                      .stride_y = side};
            vectors.count = 30;
            vectors.ldx = n;
            if (!has_batch(*op))
                matrix.batch = 0;
            const gbl_product_call product = {.dtype = GBL_D,
                                              .trans = GABLE_NO_TRANS,
                                              .trans_b = GABLE_NO_TRANS,
                                              .uplo = GABLE_LOWER,
                                              .diag = GABLE_NON_UNIT,
                                              .side = GABLE_LEFT,
                                              .m = side,
                                              .n = side,
                                              .k = side,
                                              .lda = side,
                                              .ldb = side,
                                              .ldc = side,
                                              .batch = has_batch(*op) ? 100 : 0,
                                              .stride_a = side * side,
                                              .stride_b = side * side,
                                              .stride_c = side * side,
                                              .A = (void *)4096,
                                              .B = (void *)8192,
                                              .C = (void *)16384,
                                              .alpha = {.re = 2}};
            const void *call = (*op)->layout == &gbl_vector_layout    ? (const void *)&vectors
                               : (*op)->layout == &gbl_product_layout ? (const void *)&product
                                                                      : (const void *)&matrix;
            gbl_choice first = {.variant = NULL, .params = {{0}}}, second = first;
            gbl_match match;
            gbl_tune_choose_why(a, *op, call, &first, &match);
            double best = 1;
            for (int i = 0; i < 3; i++) {
                struct timespec from, to;
                second.variant = NULL;
                clock_gettime(CLOCK_MONOTONIC, &from);
                gbl_tune_choose_why(b, *op, call, &second, &match);
                clock_gettime(CLOCK_MONOTONIC, &to);
                const double seconds =
                    (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) * 1e-9;
                best = seconds < best ? seconds : best;
            }
            slowest = best > slowest ? best : slowest;
            CHECK(first.variant != NULL, "%s, n = %lld: nothing was chosen", (*op)->stem,
                  (long long)n);
            CHECK(memcmp(&first, &second, sizeof first) == 0,
                  "%s, n = %lld: two contexts choose differently", (*op)->stem, (long long)n);
            CHECK(first.variant == NULL || (first.variant->fits(first.variant, call, &scene_gpu) &&
                                            first.variant->deterministic && !first.variant->vendor),
                  "%s, n = %lld: the choice does not fit", (*op)->stem, (long long)n);
        }
    }
    /* Under 1 ms; ten times that with sanitizers, or on a loaded machine. */
    printf("the slowest fresh choice took %.3f ms\n", 1e3 * slowest);
    CHECK(slowest < 1e-2, "a fresh choice took %g s", slowest);
    free(a);
    free(b);
}

/* On the cpu the variants are OpenMP's and the installed BLAS's: a measurement decides between
 * them. */
static void test_cpu(void)
{
    test_case("cpu");
    scene_fresh();
    gable_context *ctx = NULL;
    CHECK_OK(ctx, gable_open(&ctx, "cpu"));
    const gbl_vector_call call = scene_vectors(N);
    gbl_choice choice = {.variant = NULL, .params = {{0}}};
    gbl_match match;
    gbl_tune_choose_why(ctx, &gbl_dot_op, &call, &choice, &match);
    CHECK(strcmp(choice.variant->name, "omp") == 0, "without a measurement: %s",
          choice.variant->name);
    if (gbl_cpu_blas_get() == NULL) {
        test_leave_out("blas", "no BLAS: there is only one variant");
    } else {
        gbl_entry entry = scene_entry(ctx->device, &gbl_dot_op, "blas", &call, NULL, 0, 5);
        entry.winner = true;
        scene_add(&entry);
        const gbl_variant *before = choice.variant;
        choice.variant = NULL;
        gbl_tune_choose_why(ctx, &gbl_dot_op, &call, &choice, &match);
        CHECK(choice.variant == before && match != GBL_MATCH_EXACT,
              "an open context sees what was measured later: %s, %s", choice.variant->name,
              gbl_match_name(match));
        gbl_choices_forget(ctx);
        choice.variant = NULL;
        gbl_tune_choose_why(ctx, &gbl_dot_op, &call, &choice, &match);
        CHECK(match == GBL_MATCH_EXACT && strcmp(choice.variant->name, "blas") == 0,
              "with one: %s, %s", choice.variant->name, gbl_match_name(match));
        unlink(scene_path);
        gable_context *later = NULL;
        CHECK_OK(later, gable_open(&later, "cpu"));
        CHECK_OK(later, gbl_op_choose(later, &gbl_dot_op, &call, &choice));
        CHECK(choice.variant == before, "a context sees a file that was gone when it opened");
        CHECK_OK(ctx, gbl_op_choose(ctx, &gbl_dot_op, &call, &choice));
        CHECK(strcmp(choice.variant->name, "blas") == 0,
              "a file that is gone took an answer along");
        gable_close(later);
    }
    gable_close(ctx);
}

int main(void)
{
    test_start("test_choose");
    scene_start();
    test_sizes();
    test_flags();
    test_matrices();
    test_winners();
    test_wrong();
    test_edited_kernel();
    test_default_rows();
    test_open_context();
    test_why();
    test_model();
    test_determinism();
    test_cpu();
    scene_end();
    return test_finish();
}

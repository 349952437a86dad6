/* test_op.c: choices: memoised, forced, from the environment; hooks; costs.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdlib.h>
#include <time.h>
#include "core/call_class.h"
#include "blas/level2/level2.h"
#include "blas/level3/level3.h"
#include "blas/level1/stream_plan.h"
#include "core/kernel.h"
#include "expect.h"
#include "fake_device.h"
#include "tune/choose.h"

#define TUNABLES ":local=1:vec=4:unroll=2:range=1:groups=2"

static const fake_settings plain = {.fence_device = true};

static gable_context *open_fake(const fake_settings *settings)
{
    gable_context *ctx = NULL;
    fake_install(settings);
    EXPECT_STATUS(ctx, GABLE_OK, gable_open(&ctx, "fake"));
    return ctx;
}

static void close_fake(gable_context *ctx)
{
    gable_close(ctx);
    EXPECT(fake_faults() == 0, "%d faults, the first: %s", fake_faults(), fake_first_fault());
    fake_remove();
}

/* ---- The hook and the memo ------------------------------------------------------------------ */

static int chosen_count;

static void counting_choose(gable_context *ctx, const gbl_question *question, gbl_choice *choice)
{
    chosen_count++;
    gbl_tune_choose(ctx, question, choice);
}

static const char *name_chosen(gable_context *ctx, const gbl_op *op, const gbl_vector_call *call)
{
    gbl_choice choice;
    return gbl_op_choose(ctx, op, call, &choice) == GABLE_OK ? choice.variant->name : "none";
}

static void test_memo(void)
{
    gable_context *ctx = open_fake(&plain);
    gbl_install_choose(counting_choose);
    gbl_vector_call call = {.dtype = GBL_D, .n = 1000, .incx = 1, .incy = 1};
    chosen_count = 0;
    for (int i = 0; i < 10; i++)
        EXPECT(strcmp(name_chosen(ctx, &gbl_dot_op, &call), "one_pass") == 0, "dot is %s",
               name_chosen(ctx, &gbl_dot_op, &call));
    EXPECT(chosen_count == 1, "the same key was chosen for %d times", chosen_count);
    call.n = 1001; /* the same class */
    name_chosen(ctx, &gbl_dot_op, &call);
    EXPECT(chosen_count == 1, "a size beside it was chosen for again");
    call.n = 4000;
    name_chosen(ctx, &gbl_dot_op, &call);
    EXPECT(chosen_count == 2, "another size class was not chosen for");
    EXPECT_STATUS(ctx, GABLE_OK, gable_set_variant(ctx, "dot=one_pass"));
    name_chosen(ctx, &gbl_dot_op, &call);
    EXPECT(chosen_count == 3, "the tunables of a forced variant were not asked for");
    name_chosen(ctx, &gbl_dot_op, &call);
    EXPECT(chosen_count == 3, "the tunables of a forced variant were not remembered");
    EXPECT_STATUS(ctx, GABLE_OK, gable_set_variant(ctx, NULL));
    name_chosen(ctx, &gbl_dot_op, &call);
    EXPECT(chosen_count == 3, "what was chosen before a variant was forced is forgotten");
    gbl_choices_forget(ctx);
    name_chosen(ctx, &gbl_dot_op, &call);
    EXPECT(chosen_count == 4, "a choice that was to be forgotten is remembered");
    chosen_count = 2;
    call.dtype = GBL_S;
    name_chosen(ctx, &gbl_dot_op, &call);
    EXPECT(chosen_count == 3, "another precision was not chosen for");
    name_chosen(ctx, &gbl_copy_op, &call);
    EXPECT(chosen_count == 4, "another op was not chosen for");

    /* All keys of two ops, so that slots are fought over: the answer is always the op's own. */
    for (int round = 0; round < 2; round++) {
        for (int shift = 0; shift < 60; shift++) {
            for (int dtype = 0; dtype < 4; dtype++) {
                gbl_vector_call any = {
                    .dtype = (gbl_dtype)dtype, .n = (int64_t)1 << shift, .incx = 1 + shift % 2};
                gbl_choice choice;
                EXPECT_STATUS(ctx, GABLE_OK, gbl_op_choose(ctx, &gbl_dot_op, &any, &choice));
                EXPECT(choice.variant == &gbl_dot_op.variants[1],
                       "dot got a variant of another op");
                EXPECT_STATUS(ctx, GABLE_OK, gbl_op_choose(ctx, &gbl_axpy_op, &any, &choice));
                EXPECT(choice.variant == &gbl_axpy_op.variants[0],
                       "axpy got a variant of another op");
            }
        }
    }

    /* Without a hook: the first variant that fits. What the hook chose for such calls is forgotten
     * first. */
    gbl_install_choose(NULL);
    gbl_choices_clear(ctx);
    call.n = 77777;
    EXPECT(strcmp(name_chosen(ctx, &gbl_dot_op, &call), "two_pass") == 0, "the first variant is %s",
           name_chosen(ctx, &gbl_dot_op, &call));
    gbl_install_choose(gbl_tune_choose);
    close_fake(ctx);
}

/* A choice of a call made before costs under 0.2 us; ten times that on a loaded machine. */
static void test_speed(void)
{
    gable_context *ctx = open_fake(&plain);
    const gbl_vector_call call = {.dtype = GBL_D, .n = 1000, .incx = 1, .incy = 1};
    enum { ROUNDS = 20, CALLS = 10000 };
    double best = 1;
    for (int round = 0; round < ROUNDS; round++) {
        struct timespec from, to;
        gbl_choice choice;
        clock_gettime(CLOCK_MONOTONIC, &from);
        for (int i = 0; i < CALLS; i++)
            if (gbl_op_choose(ctx, &gbl_dot_op, &call, &choice) != GABLE_OK)
                EXPECT(false, "a choice failed: %s", gable_message(ctx));
        clock_gettime(CLOCK_MONOTONIC, &to);
        const double each =
            ((double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) * 1e-9) /
            CALLS;
        best = each < best ? each : best;
    }
    printf("a memoised choice takes %.3f us\n", best * 1e6);
    EXPECT(best < 2e-6, "a memoised choice takes %g s", best);
    close_fake(ctx);
}

/* ---- Forced variants ------------------------------------------------------------------------ */

static void refuse(gable_context *ctx, const char *choice, const char *piece)
{
    gbl_choices before = ctx->choices;
    const gable_status status = gable_set_variant(ctx, choice);
    EXPECT(status == GABLE_BAD_ARGUMENT, "\"%s\" gave %s", choice, gable_status_name(status));
    EXPECT(strncmp(gable_message(ctx), "gable_set_variant: argument 2 (choice) ", 39) == 0,
           "\"%s\": %s", choice, gable_message(ctx));
    EXPECT_MESSAGE(ctx, piece);
    EXPECT(memcmp(&before.forced, &ctx->choices.forced, sizeof before.forced) == 0 &&
               before.forced_count == ctx->choices.forced_count,
           "\"%s\" was refused and left a trace", choice);
}

static void test_forced(void)
{
    gable_context *ctx = open_fake(&plain);
    const gbl_vector_call call = {.dtype = GBL_D, .n = 1000, .incx = 1, .incy = 1};
    gbl_choice choice;

    EXPECT_STATUS(ctx, GABLE_OK, gable_set_variant(ctx, "dot=two_pass:vec=8,copy=stream:local=64"));
    EXPECT_STATUS(ctx, GABLE_OK, gbl_op_choose(ctx, &gbl_dot_op, &call, &choice));
    EXPECT(strcmp(choice.variant->name, "two_pass") == 0 && choice.params.value[STREAM_VEC] == 8,
           "forced two_pass:vec=8, got %s:vec=%d", choice.variant->name,
           choice.params.value[STREAM_VEC]);
    EXPECT(choice.params.value[STREAM_LOCAL] == 256, "a tunable not given is %d, not the fallback",
           choice.params.value[STREAM_LOCAL]);
    EXPECT_STATUS(ctx, GABLE_OK, gbl_op_choose(ctx, &gbl_copy_op, &call, &choice));
    EXPECT(choice.params.value[STREAM_LOCAL] == 64, "local is %d",
           choice.params.value[STREAM_LOCAL]);

    refuse(ctx, "dot", "has \"dot\" where op=variant belongs");
    refuse(ctx, "doot=two_pass", "names the op \"doot\", which does not exist");
    refuse(
        ctx, "dot=three_pass",
        "asks for variant \"three_pass\" of dot, which has two_pass, one_pass, blas, omp, vendor");
    refuse(ctx, "dot=one_pass:vec", "has \"vec\" where name=value belongs");
    refuse(ctx, "dot=one_pass:wide=4", "names \"wide\"; one_pass has no such tunable");
    refuse(ctx, "dot=one_pass:vec=3", "sets vec to \"3\"; it must be one of 1, 2, 4, 8, 16");
    refuse(ctx, "dot=one_pass:vec=", "sets vec to \"\"; it must be one of 1, 2, 4, 8, 16");
    refuse(ctx, "dot=one_pass:vec=4x", "sets vec to \"4x\"; it must be one of 1, 2, 4, 8, 16");
    refuse(ctx, "dot=one_pass:vec=99999999999999999999", "it must be one of");
    refuse(ctx, "copy=stream,dot=omp:local=1", "names \"local\"; omp has no such tunable");

    EXPECT_STATUS(ctx, GABLE_OK, gable_set_variant(ctx, "dot="));
    EXPECT(strcmp(name_chosen(ctx, &gbl_dot_op, &call), "one_pass") == 0, "dot= does not lift");
    EXPECT_STATUS(ctx, GABLE_OK, gbl_op_choose(ctx, &gbl_copy_op, &call, &choice));
    EXPECT(choice.params.value[STREAM_LOCAL] == 64, "dot= lifted copy too");
    EXPECT_STATUS(ctx, GABLE_OK, gable_set_variant(ctx, NULL));
    EXPECT_STATUS(ctx, GABLE_OK, gbl_op_choose(ctx, &gbl_copy_op, &call, &choice));
    EXPECT(choice.params.value[STREAM_LOCAL] == 256, "NULL lifts not all");

    /* The variant runs: the launch must have the geometry asked for, or the fake device has a
     * fault. */
    double value = 3, result = 0;
    void *x = NULL;
    EXPECT_STATUS(ctx, GABLE_OK, gable_set_variant(ctx, "dot=two_pass" TUNABLES));
    EXPECT_STATUS(ctx, GABLE_OK, gable_alloc(ctx, sizeof value, &x));
    EXPECT_STATUS(ctx, GABLE_OK, gable_set_vector(ctx, 1, sizeof value, &value, 1, x, 1));
    EXPECT_STATUS(ctx, GABLE_OK, gable_ddot(ctx, 1, x, 1, x, 1, &result));
    EXPECT(result == 9 && fake_calls(FAKE_LAUNCH) == 2, "two_pass gave %g in %ld launches", result,
           fake_calls(FAKE_LAUNCH));

    /* What does not fit is refused when called, and says so. */
    static const char *const misfits[] = {"blas", "omp", "vendor"};
    for (size_t i = 0; i < sizeof misfits / sizeof misfits[0]; i++) {
        char text[32], piece[96];
        snprintf(text, sizeof text, "dot=%s", misfits[i]);
        snprintf(piece, sizeof piece, "gable_ddot: the forced variant %s of dot does not fit",
                 misfits[i]);
        EXPECT_STATUS(ctx, GABLE_OK, gable_set_variant(ctx, text));
        result = -1;
        EXPECT_STATUS(ctx, GABLE_NOT_SUPPORTED, gable_ddot(ctx, 1, x, 1, x, 1, &result));
        EXPECT_MESSAGE(ctx, piece);
        EXPECT(result == -1, "a refused call wrote %g", result);
    }
    EXPECT_STATUS(ctx, GABLE_OK, gable_free(ctx, x));
    close_fake(ctx);

    /* Without a fence between groups there is no hand-over. */
    const fake_settings no_fence = {.fence_device = false};
    ctx = open_fake(&no_fence);
    EXPECT(strcmp(name_chosen(ctx, &gbl_dot_op, &call), "two_pass") == 0, "no fence, and one pass");
    EXPECT_STATUS(ctx, GABLE_OK, gable_set_variant(ctx, "nrm2=one_pass"));
    EXPECT_STATUS(ctx, GABLE_NOT_SUPPORTED, gbl_op_choose(ctx, &gbl_nrm2_op, &call, &choice));
    close_fake(ctx);
}

static void test_environment(void)
{
    const gbl_vector_call call = {.dtype = GBL_D, .n = 1000, .incx = 1, .incy = 1};
    setenv("GABLE_VARIANT", "dot=two_pass:local=32,nrm2=one_pass", 1);
    gable_context *ctx = open_fake(&plain);
    gbl_choice choice;
    EXPECT_STATUS(ctx, GABLE_OK, gbl_op_choose(ctx, &gbl_dot_op, &call, &choice));
    EXPECT(strcmp(choice.variant->name, "two_pass") == 0 && choice.params.value[STREAM_LOCAL] == 32,
           "GABLE_VARIANT was not applied");
    close_fake(ctx);

    setenv("GABLE_VARIANT", "dot=fastest", 1);
    fake_install(&plain);
    EXPECT_STATUS(ctx, GABLE_BAD_ARGUMENT, gable_open(&ctx, "fake"));
    EXPECT_MESSAGE(ctx, "gable_open: GABLE_VARIANT cannot be used");
    EXPECT_MESSAGE(ctx, "\"fastest\" of dot");
    EXPECT_STATUS(ctx, GABLE_NO_DEVICE, gable_sync(ctx));
    close_fake(ctx);
    EXPECT(fake_alive().queues == 0, "the queue of a context that did not open is left");

    setenv("GABLE_VARIANT", "", 1);
    ctx = open_fake(&plain);
    EXPECT(ctx->choices.forced_count == 0, "an empty GABLE_VARIANT forces");
    close_fake(ctx);
    unsetenv("GABLE_VARIANT");
}

/* ---- Observers ------------------------------------------------------------------------------ */

static struct seen {
    const gbl_op *op;
    bool begin;
    gable_status status;
    int depth;
    const char *variant;
} seen[8];
static int seen_count;

static void observe(gable_context *ctx, const gbl_op *op, const void *call,
                    const gbl_choice *choice, bool begin, gable_status status)
{
    (void)call;
    if (seen_count < 8)
        seen[seen_count++] = (struct seen){op, begin, status, ctx->depth, choice->variant->name};
}

/* An op of one variant that runs copy inside, as a composed routine does. */
static gable_status run_outer(gable_context *ctx, const gbl_variant *self, const void *call,
                              const gbl_params *params)
{
    (void)self;
    (void)params;
    return gbl_copy(ctx, "inner_copy", call);
}

static bool fits_outer(const gbl_variant *self, const void *call, const gbl_device *device)
{
    (void)self;
    (void)call;
    (void)device;
    return true;
}

static const gbl_variant outer_rows[] = {
    {.name = "whole", .deterministic = true, .fits = fits_outer, .run = run_outer}};
static void no_work(const void *call, gbl_work *work)
{
    (void)call;
    *work = (gbl_work){0};
}
static uint64_t key_of(const void *call)
{
    return gbl_call_key(&gbl_copy_op, call);
}

static const gbl_op outer_op = {
    .stem = "outer", .work = no_work, .key = key_of, .variants = outer_rows, .variant_count = 1};

static void test_observe(void)
{
    gable_context *ctx = open_fake(&plain);
    void *x = NULL, *y = NULL;
    EXPECT_STATUS(ctx, GABLE_OK, gable_set_variant(ctx, "copy=stream" TUNABLES));
    EXPECT_STATUS(ctx, GABLE_OK, gable_alloc(ctx, 80, &x));
    EXPECT_STATUS(ctx, GABLE_OK, gable_alloc(ctx, 80, &y));
    gbl_install_observe(observe);
    const gbl_vector_call call = {.dtype = GBL_D, .n = 10, .x = x, .incx = 1, .y = y, .incy = 1};

    seen_count = 0;
    EXPECT_STATUS(ctx, GABLE_OK, gbl_enter(ctx, "gable_douter"));
    EXPECT_STATUS(ctx, GABLE_OK, gbl_op_run(ctx, &outer_op, &call));
    EXPECT(seen_count == 4, "%d notices of two ops", seen_count);
    EXPECT(seen[0].op == &outer_op && seen[0].begin && seen[0].depth == 0, "notice 1 is wrong");
    EXPECT(seen[1].op == &gbl_copy_op && seen[1].begin && seen[1].depth == 1, "notice 2 is wrong");
    EXPECT(seen[2].op == &gbl_copy_op && !seen[2].begin && seen[2].depth == 1, "notice 3 is wrong");
    EXPECT(seen[3].op == &outer_op && !seen[3].begin && seen[3].depth == 0 &&
               seen[3].status == GABLE_OK,
           "notice 4 is wrong");
    EXPECT(strcmp(seen[0].variant, "whole") == 0 && strcmp(seen[1].variant, "stream") == 0,
           "the notices name %s and %s", seen[0].variant, seen[1].variant);

    /* A failure inside is told to both, and the message names the outer routine. */
    seen_count = 0;
    fake_fail(FAKE_LAUNCH, 1);
    EXPECT_STATUS(ctx, GABLE_DEVICE_FAILED, gbl_op_run(ctx, &outer_op, &call));
    EXPECT_MESSAGE(ctx, "gable_douter: ");
    EXPECT(seen_count == 4 && seen[2].status == GABLE_DEVICE_FAILED &&
               seen[3].status == GABLE_DEVICE_FAILED,
           "the failure was not told");
    EXPECT(ctx->depth == 0, "the depth is %d after a failure", ctx->depth);
    gbl_install_observe(NULL);
    gable_free(ctx, x);
    gable_free(ctx, y);
    close_fake(ctx);
}

/* ---- Costs and launches --------------------------------------------------------------------- */

static bool is_square(const gbl_op *op)
{
    bool square = false;
    for (int i = 0; i < op->operand_count; i++)
        square = square || op->operands[i].kind == GBL_ORDER;
    return square;
}

static bool has_batch(const gbl_op *op)
{
    bool batch = false;
    for (int i = 0; i < op->operand_count; i++)
        batch = batch || op->operands[i].kind == GBL_BATCH;
    return batch;
}

static void test_costs(void)
{
    gable_context *ctx = open_fake(&plain);
    static const int64_t sizes[] = {1, 2, 1000, 10000000};
    for (const gbl_op *const *op = gbl_op_list(); *op != NULL; op++) {
        for (int v = 0; gbl_op_described(*op) && v < (*op)->variant_count; v++) {
            const gbl_variant *variant = &(*op)->variants[v];
            for (int i = 0; i < 4 * 4; i++) {
                const gbl_vector_call vectors = {.dtype = (gbl_dtype)(i % 4),
                                                 .n = sizes[i / 4],
                                                 .incx = 1,
                                                 .incy = 1,
                                                 .count = 11, /* columns, where there are any */
                                                 .ldx = sizes[i / 4]};
                const gbl_matrix_call matrix = {.dtype = (gbl_dtype)(i % 4),
                                                .trans = v % 2 ? GABLE_TRANS : GABLE_NO_TRANS,
                                                .m = sizes[i / 4],
                                                .n = is_square(*op) ? sizes[i / 4] : 37,
                                                .lda = sizes[i / 4],
                                                .incx = 1,
                                                .incy = 1,
                                                .batch = 5};
                const gbl_product_call product = {.dtype = (gbl_dtype)(i % 4),
                                                  .trans = v % 2 ? GABLE_TRANS : GABLE_NO_TRANS,
                                                  .trans_b = GABLE_NO_TRANS,
                                                  .uplo = GABLE_LOWER,
                                                  .diag = GABLE_NON_UNIT,
                                                  .side = v % 2 ? GABLE_RIGHT : GABLE_LEFT,
                                                  .m = sizes[i / 4],
                                                  .n = is_square(*op) ? sizes[i / 4] : 37,
                                                  .k = sizes[i / 4] < 11 ? sizes[i / 4] : 11,
                                                  .lda = sizes[i / 4],
                                                  .ldb = sizes[i / 4],
                                                  .ldc = sizes[i / 4],
                                                  .batch = has_batch(*op) ? 5 : 0,
                                                  .alpha = {.re = 2}};
                const void *call = (*op)->layout == &gbl_vector_layout    ? (const void *)&vectors
                                   : (*op)->layout == &gbl_product_layout ? (const void *)&product
                                                                          : &matrix;
                gbl_work work;
                gbl_cost cost;
                gbl_params params;
                gbl_params_fallback(variant, &params);
                (*op)->work(call, &work);
                variant->cost(variant, call, &params, ctx->device, &cost);
                EXPECT(work.bytes_read >= 0 && work.bytes_written > 0 && work.flops >= 0,
                       "the work of %s", (*op)->stem);
                EXPECT(cost.memory_bytes >= work.bytes_read + work.bytes_written &&
                           cost.flops + cost.matrix_flops >= work.flops && cost.launches >= 1 &&
                           cost.groups >= 1 && cost.bytes_in_flight >= 0 && cost.barriers >= 0,
                       "the cost of %s %s for n = %lld is below its work", (*op)->stem,
                       variant->name, (long long)sizes[i / 4]);
            }
        }
    }
    close_fake(ctx);
}

/* What a fake kernel is asked for and has not must be told with its macros. */
static void test_compile_message(void)
{
    gable_context *ctx = open_fake(&plain);
    double value = 1, result = 0;
    void *x = NULL;
    EXPECT_STATUS(ctx, GABLE_OK, gable_alloc(ctx, sizeof value, &x));
    EXPECT_STATUS(ctx, GABLE_OK, gable_set_variant(ctx, "nrm2=two_pass:local=1024"));
    EXPECT_STATUS(ctx, GABLE_COMPILE_FAILED, gable_dnrm2(ctx, 1, x, 1, &result));
    EXPECT_MESSAGE(ctx, "gable_dnrm2: ");
    EXPECT_MESSAGE(ctx, "WX=1024");
    EXPECT_STATUS(ctx, GABLE_OK, gable_free(ctx, x));
    close_fake(ctx);
}

/* Variants that a program adds stand behind those of the op; the library itself has no rungs of
 * gemm. */
static void test_extend(void)
{
    static const gbl_variant more[] = {{.name = "again",
                                        .deterministic = true,
                                        .fits = fits_outer,
                                        .run = run_outer,
                                        .rung = true}};
    gbl_op op = outer_op;
    EXPECT(gbl_op_extend(&op, more, 1), "a variant is not added");
    EXPECT(op.variant_count == 2 && strcmp(op.variants[0].name, "whole") == 0 &&
               strcmp(op.variants[1].name, "again") == 0 && op.variants[1].run == run_outer,
           "%d variants, %s behind", op.variant_count, op.variants[op.variant_count - 1].name);
    EXPECT(outer_op.variant_count == 1 && outer_op.variants == outer_rows,
           "the table of another op changed");
    const gbl_variant *const table = op.variants;
    op.variant_count = GBL_MAX_VARIANTS;
    EXPECT(!gbl_op_extend(&op, more, 1) && op.variants == table, "one too many is added");
    free((void *)table);

    gable_context *ctx = open_fake(&plain);
    for (int v = 0; v < gbl_gemm_op.variant_count; v++)
        EXPECT(!gbl_gemm_op.variants[v].rung, "the library has the rung %s",
               gbl_gemm_op.variants[v].name);
    refuse(ctx, "gemm=volkov", "asks for variant \"volkov\" of gemm, which has naive, tile");
    close_fake(ctx);
}

int main(void)
{
    unsetenv("GABLE_VARIANT");
    unsetenv("GABLE_DEBUG");
    test_memo();
    test_speed();
    test_forced();
    test_environment();
    test_observe();
    test_costs();
    test_compile_message();
    test_extend();
    return expect_summary("test_op");
}

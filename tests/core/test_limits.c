/* test_limits.c: what has a fixed limit keeps it, or is refused with a sentence.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdint.h>
#include <stdlib.h>
#include "blas/level1/stream_plan.h"
#include "core/context.h"
#include "core/kernel.h"
#include "core/launch.h"
#include "expect.h"
#include "fake_device.h"
#include "tune/database.h"

/* Of all ops: tunables, variants (bits of a word), names where they are kept. */
static void test_ops(void)
{
    const gbl_op *const *list = gbl_op_list();
    int count = 0;
    for (; list[count] != NULL; count++) {
        const gbl_op *op = list[count];
        EXPECT(strlen(op->stem) < sizeof((gbl_entry *)NULL)->op, "the name %s is too long",
               op->stem);
        EXPECT(op->variant_count <= 64, "%s has %d variants", op->stem, op->variant_count);
        for (int i = 0; i < op->variant_count; i++) {
            const gbl_variant *variant = &op->variants[i];
            EXPECT(variant->space_count <= GBL_MAX_PARAMS, "%s=%s has %d tunables", op->stem,
                   variant->name, variant->space_count);
            EXPECT(strlen(variant->name) < sizeof((gbl_entry *)NULL)->variant,
                   "the name %s=%s is too long", op->stem, variant->name);
        }
    }
    EXPECT(count > 0 && count <= GBL_MAX_OPS, "%d ops", count);
}

/* Every op can be forced at once. */
static void test_forced(gable_context *ctx)
{
    const gbl_op *const *list = gbl_op_list();
    for (int i = 0; list[i] != NULL; i++) {
        gbl_choice choice = {.variant = &list[i]->variants[0]};
        gbl_params_fallback(choice.variant, &choice.params);
        EXPECT_STATUS(ctx, GABLE_OK, gbl_force_choice(ctx, list[i], &choice));
    }
    EXPECT_STATUS(ctx, GABLE_OK, gable_set_variant(ctx, NULL));
}

static void test_kernels(gable_context *ctx)
{
    struct {
        gbl_kernel_spec spec;
        unsigned char behind[256];
    } room = {.spec = {.file = "dot.cl", .dtype = GBL_D}};
    gbl_kernel *kernel = NULL;
    memset(room.behind, 7, sizeof room.behind);
    for (int i = 0; i < GBL_MAX_MACROS + 3; i++)
        gbl_kernel_add_macro(&room.spec, "SOME", i);
    for (size_t i = 0; i < sizeof room.behind; i++)
        EXPECT(room.behind[i] == 7, "a macro was written behind the others");
    EXPECT_STATUS(ctx, GABLE_INTERNAL,
                  gbl_kernel_get(ctx->device, &room.spec, &kernel, &ctx->message));
    EXPECT_MESSAGE(ctx, "dot.cl has 27 macros, of at most 24");
    gbl_macro_list macros;
    gbl_kernel_macros(&room.spec, &macros);
    EXPECT(macros.list[GBL_MAX_MACROS + 1] == NULL, "the list of macros does not end");

    const gbl_kernel_spec long_macro = {.file = "dot.cl",
                                        .macro_count = 1,
                                        .macros = {{"A_NAME_OF_A_MACRO_THAT_WOULD_BE_CUT_OFF", 1}}};
    EXPECT_STATUS(ctx, GABLE_INTERNAL,
                  gbl_kernel_get(ctx->device, &long_macro, &kernel, &ctx->message));
    EXPECT_MESSAGE(ctx, "A_NAME_OF_A_MACRO_THAT_WOULD_BE_CUT_OFF");
    const gbl_kernel_spec long_file = {
        .file = "a_kernel_of_which_the_name_is_longer_than_any_entry_can_be.cl"};
    EXPECT_STATUS(ctx, GABLE_INTERNAL,
                  gbl_kernel_get(ctx->device, &long_file, &kernel, &ctx->message));
    EXPECT_MESSAGE(ctx, "more than 46 letters");
}

static void test_launches(gable_context *ctx)
{
    gbl_kernel kernel = {.entry = "dnothing"};
    gbl_launch_spec many = {.groups = {1, 1}, .group = {1, 1}, .buffer_count = GBL_MAX_BUFFERS + 1};
    EXPECT_STATUS(ctx, GABLE_INTERNAL, gbl_launch(ctx, &kernel, &many));
    EXPECT_MESSAGE(ctx, "17 buffers of 16");
    gbl_launch_spec long_args = {.groups = {1, 1}, .group = {1, 1}, .args_bytes = GBL_MAX_ARGS + 8};
    EXPECT_STATUS(ctx, GABLE_INTERNAL, gbl_launch(ctx, &kernel, &long_args));
    EXPECT_MESSAGE(ctx, "264 bytes of arguments of 256");
}

/* A value that the host waits for is not known while calls are written down. */
static void test_read_scalar(gable_context *ctx)
{
    void *x = NULL;
    double value = 3, read = 5;
    gable_recording *recording = NULL;
    EXPECT_STATUS(ctx, GABLE_OK, gable_alloc(ctx, sizeof value, &x));
    EXPECT_STATUS(ctx, GABLE_OK, gable_set_vector(ctx, 1, sizeof value, &value, 1, x, 1));
    EXPECT_STATUS(ctx, GABLE_OK, gable_record_begin(ctx));
    EXPECT_STATUS(ctx, GABLE_NOT_RECORDABLE, gbl_read_scalar(ctx, x, sizeof read, &read));
    EXPECT(read == 5, "a refused read wrote %g", read);
    EXPECT_STATUS(ctx, GABLE_OK, gable_record_end(ctx, &recording));
    EXPECT_STATUS(ctx, GABLE_OK, gbl_read_scalar(ctx, x, sizeof read, &read));
    EXPECT(read == 3, "%g was read", read);
    gable_recording_destroy(recording);
    EXPECT_STATUS(ctx, GABLE_OK, gable_free(ctx, x));
}

/* ---- Arguments of recorded tasks: of any size ---- */

#define MOST_ARGS 100000
static long tasks_right;

typedef struct long_args {
    size_t bytes;
    unsigned char list[MOST_ARGS];
} long_args;

static gable_status look(gbl_queue *queue, void *stream, const void *args, gbl_message *message)
{
    const long_args *given = args;
    (void)queue;
    (void)stream;
    (void)message;
    for (size_t i = 0; i < given->bytes; i++)
        if (given->list[i] != (unsigned char)(given->bytes + i))
            return GABLE_INTERNAL;
    tasks_right++;
    return GABLE_OK;
}

static void test_task_args(void)
{
    static const size_t sizes[] = {1,     100,   16383, 16384, 16385, 64,
                                   40000, 16320, 56,    0,     99999, MOST_ARGS};
    enum { SIZES = sizeof sizes / sizeof sizes[0] };
    gable_context *ctx = NULL;
    gable_recording *recording = NULL;
    static long_args args;
    EXPECT_STATUS(ctx, GABLE_OK, gable_open(&ctx, "cpu"));
    EXPECT_STATUS(ctx, GABLE_OK, gable_record_begin(ctx));
    for (int i = 0; i < SIZES; i++) {
        args.bytes = sizes[i];
        for (size_t j = 0; j < sizes[i]; j++)
            args.list[j] = (unsigned char)(sizes[i] + j);
        EXPECT_STATUS(ctx, GABLE_OK, gbl_task(ctx, "look", look, &args, sizeof(size_t) + sizes[i]));
    }
    EXPECT_STATUS(ctx, GABLE_OK, gable_record_end(ctx, &recording));
    EXPECT_STATUS(ctx, GABLE_OK, gable_replay(ctx, recording));
    EXPECT(tasks_right == SIZES, "%ld of %d tasks had their arguments", tasks_right, (int)SIZES);
    gable_recording_destroy(recording);
    gable_close(ctx);
}

int main(void)
{
    const fake_settings settings = {.fence_device = true, .deferred = true};
    gable_context *ctx = NULL;
    fake_install(&settings);
    EXPECT_STATUS(ctx, GABLE_OK, gable_open(&ctx, "fake"));
    test_ops();
    test_forced(ctx);
    test_kernels(ctx);
    test_launches(ctx);
    test_read_scalar(ctx);
    gable_close(ctx);
    fake_remove();
    test_task_args();
    return expect_summary("test_limits");
}

/* test_results.c: where a result may go, and who waits for it; tasks where there are none.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The fake device does its work when somebody waits, so a result that nobody waits for is not
 * there. A fill of bytes stands for the kernel that would write it.
 */
#include "core/context.h"
#include "core/launch.h"
#include "expect.h"
#include "fake_device.h"

static gable_context *ctx;

/* Writes a result as a routine does: sevens. */
static gable_status write_sevens(void *pointer)
{
    gbl_result result;
    TRY(gbl_enter(ctx, "gable_test"));
    TRY(gbl_result_begin(ctx, 2, "result", pointer, 8, &result));
    TRY(gbl_fill_bytes(ctx, result.address, 7, 8));
    return gbl_result_end(ctx, &result);
}

static bool sevens(const void *pointer)
{
    static const unsigned char wanted[8] = {7, 7, 7, 7, 7, 7, 7, 7};
    return memcmp(pointer, wanted, sizeof wanted) == 0;
}

/* pinned: memory that kernels reach, too, as CUDA's pinned and managed memory. */
static void test_waiting(void)
{
    unsigned char host[8] = {0};
    void *device = NULL, *pinned = NULL;
    EXPECT_STATUS(ctx, GABLE_OK, gable_alloc(ctx, 8, &device));
    EXPECT_STATUS(ctx, GABLE_OK,
                  ctx->device->table->pinned_alloc(ctx->device, 8, &pinned, &ctx->message));
    EXPECT(ctx->device->table->where(ctx->device, pinned) == GBL_AT_BOTH,
           "the fake device's pinned memory is not reached by kernels");
    memset(pinned, 0, 8);
    EXPECT_STATUS(ctx, GABLE_OK, write_sevens(host));
    EXPECT(sevens(host), "a result in host memory is not there when the call returns");
    EXPECT_STATUS(ctx, GABLE_OK, write_sevens(pinned));
    EXPECT(sevens(pinned), "a result in pinned memory is not there when the call returns");
    const long waits = fake_calls(FAKE_SYNC);
    EXPECT_STATUS(ctx, GABLE_OK, write_sevens(device));
    EXPECT(fake_calls(FAKE_SYNC) == waits, "a result in device memory is waited for");

    EXPECT_STATUS(ctx, GABLE_OK, gable_record_begin(ctx));
    EXPECT_STATUS(ctx, GABLE_NOT_RECORDABLE, write_sevens(host));
    EXPECT_STATUS(ctx, GABLE_NOT_RECORDABLE, write_sevens(pinned));
    EXPECT_STATUS(ctx, GABLE_OK, write_sevens(device));
    EXPECT_STATUS(ctx, GABLE_OK, gable_record_end(ctx, NULL));
    ctx->device->table->pinned_free(ctx->device, pinned);
    EXPECT_STATUS(ctx, GABLE_OK, gable_free(ctx, device));
}

static gable_status do_nothing(gbl_queue *queue, void *stream, const void *args,
                               gbl_message *message)
{
    (void)queue, (void)stream, (void)args, (void)message;
    return GABLE_OK;
}

/* As on OpenCL, host functions cannot join the fake device's queue. */
static void test_no_tasks(void)
{
    EXPECT(ctx->device->table->task == NULL, "the fake device has tasks");
    EXPECT_STATUS(ctx, GABLE_NOT_SUPPORTED, gbl_task(ctx, "nothing", do_nothing, NULL, 0));
    EXPECT(strstr(gable_message(ctx), "nothing") != NULL, "the message is %s", gable_message(ctx));
    EXPECT_STATUS(ctx, GABLE_OK, gable_record_begin(ctx));
    EXPECT_STATUS(ctx, GABLE_NOT_SUPPORTED, gbl_task(ctx, "nothing", do_nothing, NULL, 0));
    EXPECT_STATUS(ctx, GABLE_OK, gable_record_end(ctx, NULL));
}

int main(void)
{
    const fake_settings settings = {.pinned_is_address = true, .deferred = true};
    fake_install(&settings);
    if (EXPECT(gable_open(&ctx, "fake") == GABLE_OK, "%s", gable_message(ctx))) {
        test_waiting();
        test_no_tasks();
    }
    gable_close(ctx);
    EXPECT(fake_faults() == 0, "%s", fake_first_fault());
    fake_remove();
    return expect_summary("test_results");
}

/* test_candidates.c: kernels that are compiled only to be tried: not on disk, forgotten, adopted;
 * one compile each.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <pthread.h>
#include "core/context.h"
#include "core/kernel.h"
#include "expect.h"
#include "fake_device.h"
#include "scratch_folder.h"

#define THREADS 8

static char home[SCRATCH_BYTES], kernels[SCRATCH_BYTES + 64];

static int files(void)
{
    int count = 0;
    DIR *folder = opendir(kernels);
    for (struct dirent *item; folder != NULL && (item = readdir(folder)) != NULL;)
        count += item->d_name[0] != '.';
    if (folder != NULL)
        closedir(folder);
    return count;
}

static gable_context *open_fake(const fake_settings *settings)
{
    gable_context *ctx = NULL;
    scratch_clear(home, true);
    fake_install(settings);
    EXPECT_STATUS(ctx, GABLE_OK, gable_open(&ctx, "fake"));
    EXPECT_STATUS(ctx, GABLE_OK,
                  gable_set_variant(ctx, "nrm2=one_pass:local=1:vec=4:unroll=2:range=1"));
    return ctx;
}

static void close_fake(gable_context *ctx)
{
    gable_close(ctx);
    EXPECT(fake_faults() == 0, "%s", fake_first_fault());
    fake_remove();
}

/* One kernel is asked for, and launched. */
static void norm(gable_context *ctx)
{
    void *x = NULL;
    double value = 3, result = 0;
    EXPECT_STATUS(ctx, GABLE_OK, gable_alloc(ctx, 8, &x));
    EXPECT_STATUS(ctx, GABLE_OK, gable_set_vector(ctx, 1, 8, &value, 1, x, 1));
    EXPECT_STATUS(ctx, GABLE_OK, gable_dnrm2(ctx, 1, x, 1, &result));
    EXPECT(result == 3, "the norm is %g", result);
    gable_free(ctx, x);
}

static void test_try(bool image_at_build)
{
    const fake_settings settings = {
        .disk_cache = true, .image_at_build = image_at_build, .fence_device = true};
    gable_context *ctx = open_fake(&settings);

    /* Not stored, and gone when it is forgotten. */
    gbl_kernels_try(true);
    norm(ctx);
    norm(ctx);
    EXPECT(fake_calls(FAKE_BUILD) == 1 && files() == 0, "%ld compiled, %d stored",
           fake_calls(FAKE_BUILD), files());
    EXPECT(gbl_kernels_candidates(ctx->device) == 1, "%d candidates",
           gbl_kernels_candidates(ctx->device));
    gbl_kernels_forget_candidates(ctx->device);
    EXPECT(gbl_kernels_candidates(ctx->device) == 0 && fake_alive().codes == 0, "%d are left",
           fake_alive().codes);
    norm(ctx);
    EXPECT(fake_calls(FAKE_BUILD) == 2, "%ld compiled", fake_calls(FAKE_BUILD));

    /* Asked for after the trying: stored, and no candidate any more. */
    gbl_kernels_try(false);
    norm(ctx);
    EXPECT(fake_calls(FAKE_BUILD) == 2 && files() == 1, "%ld compiled, %d stored",
           fake_calls(FAKE_BUILD), files());
    EXPECT(gbl_kernels_candidates(ctx->device) == 0, "it is still a candidate");
    gbl_kernels_forget_candidates(ctx->device);
    norm(ctx);
    EXPECT(fake_calls(FAKE_BUILD) == 2, "what is in use was forgotten");

    /* What the disk has is no candidate. */
    gbl_kernels_forget(ctx->device);
    gbl_kernels_try(true);
    norm(ctx);
    EXPECT(fake_calls(FAKE_BUILD) == 2 && gbl_kernels_candidates(ctx->device) == 0,
           "%ld compiled, %d candidates", fake_calls(FAKE_BUILD),
           gbl_kernels_candidates(ctx->device));
    gbl_kernels_try(false);
    close_fake(ctx);
}

static void *ask(void *user)
{
    gable_context *ctx = NULL;
    (void)user;
    if (gable_open(&ctx, "fake") == GABLE_OK &&
        gable_set_variant(ctx, "nrm2=one_pass:local=1:vec=4:unroll=2:range=1") == GABLE_OK)
        norm(ctx);
    gable_close(ctx);
    return NULL;
}

/* Threads that want a kernel which is being compiled wait for it; after a failure the next
 * tries. */
static void test_once(void)
{
    const fake_settings settings = {.fence_device = true, .build_msec = 30};
    gable_context *ctx = open_fake(&settings);
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        EXPECT(pthread_create(&threads[i], NULL, ask, NULL) == 0, "no thread");
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    EXPECT(fake_calls(FAKE_BUILD) == 1, "%ld compiled for one kernel", fake_calls(FAKE_BUILD));
    gbl_kernels_forget(ctx->device);
    fake_fail(FAKE_BUILD, 1);
    void *x = NULL;
    double result;
    EXPECT_STATUS(ctx, GABLE_OK, gable_alloc(ctx, 8, &x));
    EXPECT_STATUS(ctx, GABLE_COMPILE_FAILED, gable_dnrm2(ctx, 1, x, 1, &result));
    gable_free(ctx, x);
    norm(ctx);
    close_fake(ctx);
}

int main(void)
{
    EXPECT(scratch_make(home), "no scratch folder");
    setenv("XDG_CACHE_HOME", home, 1);
    snprintf(kernels, sizeof kernels, "%s/gable/kernels", home);
    test_try(true);
    test_try(false);
    test_once();
    scratch_clear(home, false);
    return expect_summary("test_candidates");
}

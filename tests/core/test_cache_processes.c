/* test_cache_processes.c: eight processes at once on an empty kernel cache, then one on a warm one.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The program starts itself eight times; each child waits until all are there, compiles its kernels
 * on the fake device, uses them and tells how many it compiled. Where GABLE_DEVICE names a device
 * whose images are kept (CUDA, a vendor's OpenCL), children open that too, and its real images are
 * stored.
 */
#include <sys/wait.h>
#include <time.h>
#include "core/context.h"
#include "expect.h"
#include "fake_device.h"
#include "gable/gable.h"
#include "scratch_folder.h"

#define CHILDREN 8
#define ROUNDS   6

/* The child on the fake device: the number of builds, or 100 for a wrong answer. */
static int fake_child(const char *folder)
{
    const fake_settings settings = {
        .disk_cache = true, .image_at_build = true, .fence_device = true, .build_msec = 20};
    char path[SCRATCH_BYTES + 64];
    snprintf(path, sizeof path, "%s/here.%ld", folder, (long)getpid());
    FILE *mark = fopen(path, "wb");
    if (mark == NULL)
        return 101;
    fclose(mark);
    const struct timespec nap = {0, 1000000};
    for (int i = 0; i < 20000 && scratch_count(folder) < atoi(getenv("GABLE_TEST_CHILDREN")); i++)
        nanosleep(&nap, NULL);

    gable_context *ctx = NULL;
    void *x = NULL;
    double values[40], norm = 0, dot = 0, want = 0;
    for (int i = 0; i < 40; i++)
        want += (double)(i % 5) * (double)(i % 5);
    for (int i = 0; i < 40; i++)
        values[i] = i % 5;
    fake_install(&settings);
    const bool good =
        gable_open(&ctx, "fake") == GABLE_OK &&
        gable_set_variant(ctx, "nrm2=one_pass:local=1:vec=4:unroll=2:range=1,"
                               "dot=two_pass:local=1:vec=4:unroll=2:range=1") == GABLE_OK &&
        gable_alloc(ctx, sizeof values, &x) == GABLE_OK &&
        gable_set_vector(ctx, 40, 8, values, 1, x, 1) == GABLE_OK &&
        gable_dnrm2(ctx, 40, x, 1, &norm) == GABLE_OK && norm * norm > want * 0.999999 &&
        norm * norm < want * 1.000001 && gable_ddot(ctx, 40, x, 1, x, 1, &dot) == GABLE_OK &&
        dot == want;
    if (!good)
        fprintf(stderr, "a child: %g, %g of %g: %s\n", norm, dot, want, gable_message(ctx));
    const int builds = (int)fake_calls(FAKE_BUILD);
    gable_free(ctx, x);
    gable_close(ctx);
    fake_remove();
    return good ? builds : 100;
}

/* The child on a real device: 0, or 100 for a wrong answer. */
static int real_child(void)
{
    gable_context *ctx = NULL;
    void *x = NULL;
    float values[40], dot = 0;
    for (int i = 0; i < 40; i++)
        values[i] = (float)(i % 5);
    const bool good = gable_open(&ctx, NULL) == GABLE_OK &&
                      gable_alloc(ctx, sizeof values, &x) == GABLE_OK &&
                      gable_set_vector(ctx, 40, 4, values, 1, x, 1) == GABLE_OK &&
                      gable_sdot(ctx, 40, x, 1, x, 1, &dot) == GABLE_OK && dot == 240;
    if (!good)
        fprintf(stderr, "a child on a real device: %g: %s\n", (double)dot, gable_message(ctx));
    gable_free(ctx, x);
    gable_close(ctx);
    return good ? 0 : 100;
}

/* Whether GABLE_DEVICE is one whose images core keeps. */
static bool keeps_images(void)
{
    gable_context *ctx = NULL;
    const bool keeps = getenv("GABLE_DEVICE") != NULL && gable_open(&ctx, NULL) == GABLE_OK &&
                       ctx->device->props.disk_cache;
    gable_close(ctx);
    return keeps;
}

/* Starts `count` children at once; the sum of their builds. */
static int start(const char *self, const char *role, const char *meeting, int count)
{
    pid_t children[CHILDREN];
    char number[8];
    int builds = 0;
    snprintf(number, sizeof number, "%d", count);
    setenv("GABLE_TEST_CHILDREN", number, 1);
    setenv("ASAN_OPTIONS", "detect_leaks=0",
           0); /* seconds a child; test_disk_cache looks for leaks */
    scratch_clear(meeting, true);
    fflush(NULL);
    for (int i = 0; i < count; i++) {
        children[i] = fork();
        if (children[i] == 0) {
            execl(self, self, role, meeting, (char *)NULL);
            _exit(102);
        }
        EXPECT(children[i] > 0, "child %d was not started", i);
    }
    for (int i = 0; i < count; i++) {
        int status = 0;
        if (children[i] > 0 && waitpid(children[i], &status, 0) == children[i])
            EXPECT(WIFEXITED(status) && WEXITSTATUS(status) < 100, "child %d ended with %d", i,
                   status);
        builds += WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    }
    return builds;
}

int main(int argc, char **argv)
{
    if (argc == 3)
        return strcmp(argv[1], "fake") == 0 ? fake_child(argv[2]) : real_child();

    char home[SCRATCH_BYTES], meeting[SCRATCH_BYTES], kernels[SCRATCH_BYTES], self[SCRATCH_BYTES];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (!scratch_make(home) || !scratch_make(meeting) || length <= 0) {
        perror("test_cache_processes: no scratch folder");
        return 1;
    }
    self[length] = '\0';
    snprintf(kernels, sizeof kernels, "%.400s/gable/kernels", home);
    setenv("XDG_CACHE_HOME", home, 1);
    unsetenv("GABLE_VARIANT");
    unsetenv("GABLE_DEBUG");
    unsetenv("GABLE_KERNEL_DIR");

    for (int round = 0; round < ROUNDS; round++) {
        scratch_clear(home, true);
        const int cold = start(self, "fake", meeting, CHILDREN);
        EXPECT(cold > 3 && cold <= 3 * CHILDREN, "%d builds by eight processes: they did not meet",
               cold);
        EXPECT(scratch_count(kernels) == 3, "%d files for 3 kernels", scratch_count(kernels));
        const int warm = start(self, "fake", meeting, 1);
        EXPECT(warm == 0, "a process on a warm cache compiled %d kernels", warm);
        printf("eight at once: %d builds; one after: %d\n", cold, warm);
    }
    if (keeps_images()) {
        scratch_clear(home, true);
        start(self, "real", meeting, CHILDREN);
        EXPECT(scratch_count(kernels) >= 1, "no image of %s was stored", getenv("GABLE_DEVICE"));
        const int files = scratch_count(kernels);
        start(self, "real", meeting, CHILDREN);
        EXPECT(scratch_count(kernels) == files, "a warm cache went from %d to %d files", files,
               scratch_count(kernels));
    }
    scratch_clear(home, false);
    scratch_clear(meeting, false);
    return expect_summary("test_cache_processes");
}

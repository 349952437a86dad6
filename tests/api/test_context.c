/* test_context.c: devices, contexts, messages, waiting, streams, workspace.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "harness/check.h"
#include "harness/data.h"

static void version_and_statuses(void)
{
    char version[32];
    test_case("version and statuses");
    snprintf(version, sizeof version, "%d.%d.%d", GABLE_VERSION_MAJOR, GABLE_VERSION_MINOR,
             GABLE_VERSION_PATCH);
    CHECK(strcmp(gable_version(), version) == 0, "the version is \"%s\"", gable_version());
#define CHECK_NAMES(name, number, text)                                                            \
    CHECK(strcmp(gable_status_name(name), #name) == 0, "%d is \"%s\"", number,                     \
          gable_status_name(name));                                                                \
    CHECK(strcmp(gable_status_text(name), text) == 0, "%d is \"%s\"", number,                      \
          gable_status_text(name));
    GABLE_STATUS_LIST(CHECK_NAMES)
    for (int odd = -1; odd < 1000; odd += 500) {
        CHECK(gable_status_name((gable_status)odd) != NULL, "no name for %d", odd);
        CHECK(gable_status_text((gable_status)odd) != NULL, "no text for %d", odd);
    }
}

static void list_of_devices(void)
{
    const int count = gable_device_count();
    gable_device_info info;
    bool cpu = false;
    test_case("list of devices");
    CHECK(count >= 1, "%d devices", count);
    for (int i = 0; i < count; i++) {
        memset(&info, 0xff, sizeof info);
        if (!CHECK_OK(NULL, gable_device_describe(i, &info)))
            continue;
        cpu = cpu || (strcmp(info.name, "cpu") == 0 && info.usable == 1);
        CHECK(info.name[0] != '\0' && info.title[0] != '\0', "device %d has no name", i);
        CHECK((info.reason[0] == '\0') == (info.usable == 1), "device %d: usable %d, reason \"%s\"",
              i, info.usable, info.reason);
        if (info.usable)
            CHECK(info.units >= 1 && info.memory_bytes > 0, "%s has %d units", info.name,
                  info.units);
    }
    CHECK(cpu, "the cpu is not listed as usable");
    CHECK_STATUS(NULL, gable_device_describe(-1, &info), GABLE_BAD_ARGUMENT);
    CHECK_STATUS(NULL, gable_device_describe(count, &info), GABLE_BAD_ARGUMENT);
    CHECK_STATUS(NULL, gable_device_describe(0, NULL), GABLE_BAD_ARGUMENT);
}

/* All that may be done with a context that has no device: nothing, with a reason. */
static void refused_open(const char *device, gable_status wanted, const char *piece)
{
    gable_context *ctx = NULL;
    double value = 0, *address = NULL;
    const gable_status status = gable_open(&ctx, device);
    CHECK_REFUSED(ctx, status, wanted, "gable_open", piece);
    CHECK(ctx != NULL, "no context to tell the reason");
    CHECK_STATUS(ctx, gable_alloc(ctx, 8, (void **)&address), GABLE_NO_DEVICE);
    CHECK(strstr(gable_message(ctx), piece) != NULL, "the reason is lost: \"%s\"",
          gable_message(ctx));
    CHECK_STATUS(ctx, gable_ddot(ctx, 1, &value, 1, &value, 1, &value), GABLE_NO_DEVICE);
    CHECK_STATUS(ctx, gable_sync(ctx), GABLE_NO_DEVICE);
    CHECK_STATUS(ctx, gable_record_begin(ctx), GABLE_NO_DEVICE);
    CHECK(gable_message(ctx)[0] != '\0', "no reason is given");
    gable_device_info info;
    CHECK_STATUS(ctx, gable_context_describe(ctx, &info), GABLE_NO_DEVICE);
    gable_close(ctx);
}

static void unknown_devices(void)
{
    static const char *const names[] = {"nosuch", "nosuch:0",  "cpu:7",         "cpux",
                                        "CPU ",   "opencl:99", "opencl:nosuch", "cuda:99"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        test_case("open \"%s\"", names[i]);
        refused_open(names[i], GABLE_NO_DEVICE, "");
    }
    test_case("unknown names are quoted");
    refused_open("nosuch", GABLE_NO_DEVICE, "there is no device \"nosuch\"");
    refused_open("cpu:7", GABLE_NO_DEVICE, "there is no device \"cpu:7\"");
    CHECK_STATUS(NULL, gable_open(NULL, "cpu"), GABLE_BAD_ARGUMENT);
}

/* Opens, describes, computes, closes. */
static void works(const char *device, const char *wanted)
{
    gable_context *ctx = NULL;
    gable_device_info info;
    const gable_status status = gable_open(&ctx, device);
    if (CHECK_OK(ctx, status)) {
        CHECK_OK(ctx, gable_context_describe(ctx, &info));
        CHECK(info.usable == 1 && info.reason[0] == '\0', "%s is open but not usable", info.name);
        if (wanted != NULL)
            CHECK(strcmp(info.name, wanted) == 0, "%s was opened, not %s", info.name, wanted);
        const double given[3] = {1, 2, 3};
        double *x = NULL, sum = 0;
        CHECK_OK(ctx, gable_alloc(ctx, sizeof given, (void **)&x));
        CHECK_OK(ctx, gable_set_vector(ctx, 3, sizeof(double), given, 1, x, 1));
        CHECK_OK(ctx, gable_ddot(ctx, 3, x, 1, x, 1, &sum));
        CHECK(sum == 14, "the sum is %g", sum);
        CHECK_OK(ctx, gable_free(ctx, x));
        CHECK(gable_message(ctx) != NULL, "no message");
    }
    gable_close(ctx);
}

static void ways_to_open(void)
{
    char name[64], own[64];
    gable_context *ctx = test_open();
    gable_device_info info;
    snprintf(name, sizeof name, "%s", test_device());
    CHECK_OK(ctx, gable_context_describe(ctx, &info));
    snprintf(own, sizeof own, "%s", info.name);
    gable_close(ctx);

    test_case("open \"%s\", \"%s\", NULL and \"\"", name, own);
    works(name, own);
    works(own, own);
    works(NULL, own);
    works("", own);
    works("cpu", "cpu");

    test_case("GABLE_DEVICE");
    setenv("GABLE_DEVICE", "cpu", 1);
    works(NULL, "cpu");
    setenv("GABLE_DEVICE", "nosuch", 1);
    refused_open(NULL, GABLE_NO_DEVICE, "nosuch");
    works("cpu", "cpu");
    unsetenv("GABLE_DEVICE");
    works(NULL, NULL); /* the best there is */
    setenv("GABLE_DEVICE", name, 1);

    test_case("GABLE_DEBUG");
    setenv("GABLE_DEBUG", "verbose", 1);
    refused_open(name, GABLE_BAD_ARGUMENT, "GABLE_DEBUG has \"verbose\"");
    setenv("GABLE_DEBUG", "sync,logs", 1);
    refused_open(name, GABLE_BAD_ARGUMENT, "\"logs\"");
    setenv("GABLE_DEBUG", "sync", 1);
    works(name, own);
    setenv("GABLE_DEBUG", "sync,log", 1);
    works(name, own);
    setenv("GABLE_DEBUG", "", 1);
    works(name, own);
    unsetenv("GABLE_DEBUG");

    test_case("GABLE_VARIANT");
    setenv("GABLE_VARIANT", "dot=nosuch", 1);
    refused_open(name, GABLE_BAD_ARGUMENT, "GABLE_VARIANT");
    refused_open(name, GABLE_BAD_ARGUMENT, "nosuch");
    setenv("GABLE_VARIANT", strcmp(own, "cpu") == 0 ? "dot=omp" : "dot=two_pass", 1);
    works(name, own);
    unsetenv("GABLE_VARIANT");
}

static void errors_leave_the_context_usable(void)
{
    gable_context *ctx = test_open();
    double *x = NULL, sum = 0;
    const double one = 1;
    test_case("a context after errors");
    CHECK(gable_message(ctx) != NULL, "no message at the start");
    CHECK(gable_message(NULL) != NULL && gable_message(NULL)[0] != '\0', "none without a context");
    CHECK_OK(ctx, gable_alloc(ctx, sizeof(double), (void **)&x));
    CHECK_OK(ctx, gable_set_vector(ctx, 1, sizeof one, &one, 1, x, 1));
    for (int i = 0; i < 10; i++) {
        CHECK_REFUSED(ctx, gable_ddot(ctx, -1, x, 1, x, 1, &sum), GABLE_BAD_ARGUMENT, "gable_ddot",
                      "argument 2 (n)");
        char kept[256];
        snprintf(kept, sizeof kept, "%s", gable_message(ctx));
        CHECK_OK(ctx, gable_ddot(ctx, 1, x, 1, x, 1, &sum));
        CHECK(sum == 1, "the sum is %g", sum);
        CHECK(strcmp(gable_message(ctx), kept) == 0, "success changed the message to \"%s\"",
              gable_message(ctx));
    }
    CHECK_OK(ctx, gable_free(ctx, x));
    CHECK_STATUS(NULL, gable_sync(NULL), GABLE_BAD_ARGUMENT);
    CHECK_STATUS(NULL, gable_wait(NULL, ctx), GABLE_BAD_ARGUMENT);
    CHECK_STATUS(NULL, gable_reserve(NULL, 1), GABLE_BAD_ARGUMENT);
    CHECK_STATUS(NULL, gable_set_variant(NULL, "dot="), GABLE_BAD_ARGUMENT);
    CHECK_STATUS(NULL, gable_set_math(NULL, GABLE_MATH_PLAIN), GABLE_BAD_ARGUMENT);
    CHECK_STATUS(NULL, gable_get_math(NULL, NULL), GABLE_BAD_ARGUMENT);
    CHECK_STATUS(NULL, gable_context_describe(NULL, NULL), GABLE_BAD_ARGUMENT);
    CHECK_STATUS(ctx, gable_context_describe(ctx, NULL), GABLE_BAD_ARGUMENT);
    gable_close(NULL);
    gable_close(ctx);
}

/* Work of one context is seen by another that waits for it. */
static void waiting(void)
{
    enum { N = 200000, ROUNDS = 40 };
    gable_context *first = test_open(), *second = test_open();
    double *x = NULL, *y = NULL, *z = NULL;
    double *host = malloc(N * sizeof *host);
    test_case("gable_wait");
    CHECK_OK(first, gable_alloc(first, N * sizeof *x, (void **)&x));
    CHECK_OK(first, gable_alloc(first, N * sizeof *y, (void **)&y));
    CHECK_OK(second, gable_alloc(second, N * sizeof *z, (void **)&z));
    for (int i = 0; host != NULL && i < N; i++)
        host[i] = data_integer(1, (uint64_t)i, 5);
    CHECK_OK(first, gable_set_vector(first, N, sizeof *x, host, 1, x, 1));
    CHECK_OK(first, gable_fill_bytes(first, y, 0, N * sizeof *y));
    for (int round = 1; host != NULL && round <= ROUNDS; round++) {
        CHECK_OK(first, gable_daxpy(first, N, 1, x, 1, y, 1));
        CHECK_OK(second, gable_wait(second, first));
        CHECK_OK(second, gable_dcopy(second, N, y, 1, z, 1));
        CHECK_OK(first, gable_wait(first, second)); /* y is read before it changes again */
    }
    CHECK_OK(second, gable_get_vector(second, N, sizeof *z, z, 1, host, 1));
    for (int i = 0; host != NULL && i < N; i++) {
        if (host[i] != ROUNDS * data_integer(1, (uint64_t)i, 5)) {
            CHECK(false, "element %d is %g", i, host[i]);
            break;
        }
    }
    CHECK_OK(first, gable_wait(first, first));
    CHECK_REFUSED(first, gable_wait(first, NULL), GABLE_BAD_ARGUMENT, "gable_wait",
                  "argument 2 (other)");
    if (strcmp(test_device(), "cpu") != 0) {
        gable_context *cpu = NULL;
        CHECK_OK(NULL, gable_open(&cpu, "cpu"));
        CHECK_REFUSED(first, gable_wait(first, cpu), GABLE_BAD_ARGUMENT, "gable_wait",
                      "argument 2 (other)", "cpu");
        gable_close(cpu);
    }
    gable_context *none = NULL;
    CHECK_STATUS(NULL, gable_open(&none, "nosuch"), GABLE_NO_DEVICE);
    CHECK_REFUSED(first, gable_wait(first, none), GABLE_BAD_ARGUMENT, "gable_wait",
                  "argument 2 (other)");
    gable_close(none);
    CHECK_OK(first, gable_free(first, x));
    CHECK_OK(first, gable_free(first, y));
    CHECK_OK(second, gable_free(second, z));
    free(host);
    gable_close(second);
    gable_close(first);
}

static void streams(void)
{
    gable_context *ctx = test_open();
    void *stream = &stream;
    test_case("streams");
    CHECK_REFUSED(ctx, gable_get_stream(ctx, NULL), GABLE_BAD_ARGUMENT, "gable_get_stream",
                  "argument 2 (stream)");
    CHECK_OK(ctx, gable_get_stream(ctx, &stream));
    if (strncmp(test_device(), "cuda", 4) == 0) {
        CHECK_OK(ctx, gable_set_stream(ctx, stream));
        CHECK_OK(ctx, gable_set_stream(ctx, NULL));
    } else {
        int some = 0;
        CHECK(stream == NULL, "a stream where there are none");
        CHECK_REFUSED(ctx, gable_set_stream(ctx, &some), GABLE_NOT_SUPPORTED, "gable_set_stream",
                      "stream");
        CHECK_REFUSED(ctx, gable_set_stream(ctx, NULL), GABLE_NOT_SUPPORTED, "gable_set_stream",
                      "stream");
    }
    gable_close(ctx);
}

static void workspace(void)
{
    gable_context *ctx = test_open();
    float *x = NULL, sum = 0;
    test_case("gable_reserve");
    CHECK_OK(ctx, gable_reserve(ctx, 0));
    CHECK_OK(ctx, gable_reserve(ctx, 1));
    CHECK_OK(ctx, gable_reserve(ctx, (size_t)3 << 20));
    CHECK_OK(ctx, gable_reserve(ctx, (size_t)20 << 20));
    CHECK_OK(ctx, gable_reserve(ctx, (size_t)2 << 20));
    /* More than any machine has: refused, and the context goes on. */
    CHECK_STATUS(ctx, gable_reserve(ctx, (size_t)1 << 60), GABLE_OUT_OF_MEMORY);
    CHECK_STATUS(ctx, gable_reserve(ctx, SIZE_MAX), GABLE_OUT_OF_MEMORY);
    CHECK_OK(ctx, gable_alloc(ctx, 1000 * sizeof *x, (void **)&x));
    CHECK_OK(ctx, gable_fill_bytes(ctx, x, 0, 1000 * sizeof *x));
    CHECK_OK(ctx, gable_sdot(ctx, 1000, x, 1, x, 1, &sum));
    CHECK(sum == 0, "the sum of zeros is %g", sum);
    CHECK_OK(ctx, gable_free(ctx, x));
    gable_close(ctx);
}

/* What a context says that it holds: its workspace, that of recordings, and what was allocated on
 * it. */
static void held(void)
{
    enum { ROWS = 3000, COLUMNS = 200 };
    gable_context *ctx = test_open(), *other = test_open();
    gable_workspace_info before, info;
    gable_recording *recording = NULL;
    void *x = NULL, *y = NULL;
    test_case("gable_workspace");
    CHECK_STATUS(NULL, gable_workspace(NULL, &info), GABLE_BAD_ARGUMENT);
    CHECK_REFUSED(ctx, gable_workspace(ctx, NULL), GABLE_BAD_ARGUMENT, "gable_workspace",
                  "argument 2 (info)");
    CHECK_OK(ctx, gable_workspace(ctx, &before));
    CHECK(before.held == 0 && before.most_held == 0 && before.most_taken == 0 &&
              before.allocated == 0,
          "a fresh context holds %llu, %llu, %llu, %llu bytes", (unsigned long long)before.held,
          (unsigned long long)before.most_held, (unsigned long long)before.most_taken,
          (unsigned long long)before.allocated);
    CHECK_OK(ctx, gable_alloc(ctx, 1000, &x));
    CHECK_OK(ctx, gable_alloc(ctx, ROWS * COLUMNS * sizeof(float), &y));
    CHECK_OK(ctx, gable_reserve(ctx, (size_t)3 << 20));
    CHECK_OK(ctx, gable_workspace(ctx, &before));
    CHECK(before.allocated == 1000 + ROWS * COLUMNS * sizeof(float), "%llu bytes are allocated",
          (unsigned long long)before.allocated);
    CHECK(before.held >= (size_t)3 << 20 && before.most_held == before.held &&
              before.most_taken == 0,
          "3 MiB were reserved, %llu are held, %llu at most, %llu taken",
          (unsigned long long)before.held, (unsigned long long)before.most_held,
          (unsigned long long)before.most_taken);

    /* A recording has workspace of its own; it goes with it, and the most stays. */
    CHECK_OK(ctx, gable_fill_bytes(ctx, y, 0, ROWS * COLUMNS * sizeof(float)));
    CHECK_OK(ctx, gable_record_begin(ctx));
    CHECK_OK(ctx, gable_reserve(ctx, (size_t)5 << 20));
    CHECK_OK(ctx, gable_snrm2(ctx, ROWS * COLUMNS, y, 1, x));
    CHECK_OK(ctx, gable_record_end(ctx, &recording));
    CHECK_OK(ctx, gable_workspace(ctx, &info));
    CHECK(info.held >= before.held + ((size_t)5 << 20) && info.most_held == info.held,
          "with a recording of 5 MiB %llu are held, %llu at most", (unsigned long long)info.held,
          (unsigned long long)info.most_held);
    gable_recording_destroy(recording);
    const uint64_t most = info.most_held;
    CHECK_OK(ctx, gable_workspace(ctx, &info));
    CHECK(info.held <= before.held + ((size_t)1 << 20) && info.most_held == most,
          "without the recording %llu are held, %llu at most", (unsigned long long)info.held,
          (unsigned long long)info.most_held);

    /* Any context of the device frees, and the one that asked has it no more. */
    CHECK_OK(other, gable_free(other, x));
    CHECK_OK(ctx, gable_workspace(ctx, &info));
    CHECK(info.allocated == ROWS * COLUMNS * sizeof(float), "%llu bytes are allocated",
          (unsigned long long)info.allocated);
    gable_close(ctx);
    CHECK_OK(other, gable_workspace(other, &info));
    CHECK(info.allocated == 0, "a closed context left %llu bytes to another",
          (unsigned long long)info.allocated);
    CHECK_OK(other, gable_free(other, y));
    gable_close(other);
}

/* What names the drivers of OpenCL is for the programs that this one starts, too: ocl-icd 2.3.2
 * cuts the list apart where it stands. Before the first device is listed. */
static void environment_stays(void)
{
    static const char list[] = "libpocl.so.2:libnot-a-driver.so.1";
    char before[256] = "";
    const char *given = getenv("OCL_ICD_FILENAMES");
    if (given == NULL)
        setenv("OCL_ICD_FILENAMES", list, 1);
    snprintf(before, sizeof before, "%s", getenv("OCL_ICD_FILENAMES"));
    gable_device_count();
    const char *after = getenv("OCL_ICD_FILENAMES");
    test_case("the environment");
    CHECK(after != NULL && strcmp(before, after) == 0, "OCL_ICD_FILENAMES was \"%s\" and is \"%s\"",
          before, after != NULL ? after : "(unset)");
    if (given == NULL)
        unsetenv("OCL_ICD_FILENAMES");
}

int main(void)
{
    test_start("test_context");
    environment_stays();
    gable_close(test_open()); /* skips without the device */
    version_and_statuses();
    list_of_devices();
    unknown_devices();
    ways_to_open();
    errors_leave_the_context_usable();
    waiting();
    streams();
    workspace();
    held();
    return test_finish();
}

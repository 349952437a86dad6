/* test_interop.c: streams and memory that a program got from CUDA itself.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The test plays a program that uses the CUDA driver beside Gable: it allocates with cuMemAlloc,
 * makes a stream of its own and hands both to a context. On other devices there are no streams: the
 * refusal is tested by test_context, and here that get_stream gives NULL.
 */
#include <string.h>
#include "device/dynlib.h"
#include "harness/check.h"

#define N 1000003

/* The driver's functions by the names in the library; CUstream and CUcontext are pointers. */
static struct {
    int (*device_get)(int *device, int ordinal);
    int (*retain)(void **context, int device);
    int (*release)(int device);
    int (*push)(void *context);
    int (*pop)(void **context);
    int (*alloc)(uint64_t *address, size_t bytes);
    int (*release_memory)(uint64_t address);
    int (*to_device)(uint64_t target, const void *source, size_t bytes);
    int (*to_host)(void *target, uint64_t source, size_t bytes);
    int (*stream_create)(void **stream, unsigned flags);
    int (*stream_destroy)(void *stream);
    int (*stream_sync)(void *stream);
    int (*sync)(void);
    int (*copy)(uint64_t target, uint64_t source, size_t bytes, void *stream);
    int (*host_alloc)(void **address, size_t bytes, unsigned flags);
    int (*host_free)(void *address);
    int (*host_register)(void *address, size_t bytes, unsigned flags);
    int (*host_unregister)(void *address);
    int (*managed_alloc)(uint64_t *address, size_t bytes, unsigned flags);
} cuda;

static bool load(void)
{
    const gbl_symbol symbols[] = {
        {.name = "cuDeviceGet", .slot = &cuda.device_get},
        {.name = "cuDevicePrimaryCtxRetain", .slot = &cuda.retain},
        {.name = "cuDevicePrimaryCtxRelease_v2", .slot = &cuda.release},
        {.name = "cuCtxPushCurrent_v2", .slot = &cuda.push},
        {.name = "cuCtxPopCurrent_v2", .slot = &cuda.pop},
        {.name = "cuMemAlloc_v2", .slot = &cuda.alloc},
        {.name = "cuMemFree_v2", .slot = &cuda.release_memory},
        {.name = "cuMemcpyHtoD_v2", .slot = &cuda.to_device},
        {.name = "cuMemcpyDtoH_v2", .slot = &cuda.to_host},
        {.name = "cuStreamCreate", .slot = &cuda.stream_create},
        {.name = "cuStreamDestroy_v2", .slot = &cuda.stream_destroy},
        {.name = "cuStreamSynchronize", .slot = &cuda.stream_sync},
        {.name = "cuCtxSynchronize", .slot = &cuda.sync},
        {.name = "cuMemcpyDtoDAsync_v2", .slot = &cuda.copy},
        {.name = "cuMemHostAlloc", .slot = &cuda.host_alloc},
        {.name = "cuMemFreeHost", .slot = &cuda.host_free},
        {.name = "cuMemHostRegister_v2", .slot = &cuda.host_register},
        {.name = "cuMemHostUnregister", .slot = &cuda.host_unregister},
        {.name = "cuMemAllocManaged", .slot = &cuda.managed_alloc},
    };
    void *library = gbl_dynlib_open("libcuda.so.1", false, NULL);
    const char *missing =
        library != NULL ? gbl_dynlib_load(library, symbols, sizeof symbols / sizeof symbols[0])
                        : "";
    CHECK(missing == NULL, "libcuda.so.1 cannot be used: %s", missing);
    return missing == NULL;
}

static double host[N], got[N];

static void *pointer(uint64_t address)
{
    return (void *)(uintptr_t)address;
}

/* Routines take memory of cuMemAlloc, whole and from its middle; results may go there too. */
static void foreign_memory(gable_context *ctx, uint64_t x, uint64_t y)
{
    double sum = 0, value = -1;
    test_case("memory of cuMemAlloc");
    for (int64_t i = 0; i < N; i++)
        host[i] = (double)(i % 7) - 3;
    for (int64_t i = 5; i < N; i++)
        sum += host[i] * host[i];
    CHECK(cuda.to_device(x, host, sizeof host) == 0 && cuda.sync() == 0, "cuMemcpyHtoD failed");
    CHECK_OK(ctx, gable_dcopy(ctx, N, pointer(x), 1, pointer(y), 1));
    CHECK_OK(ctx, gable_ddot(ctx, N - 5, (double *)pointer(x) + 5, 1, (double *)pointer(y) + 5, 1,
                             &value));
    CHECK(value == sum, "dot is %.17g, not %.17g", value, sum);
    CHECK_OK(ctx, gable_get_vector(ctx, N, 8, pointer(y), 1, got, 1));
    CHECK(memcmp(host, got, sizeof host) == 0, "the copy differs");
}

/* Work enqueued before a change of stream is seen by work after it, in both directions. */
static void foreign_stream(gable_context *ctx, void *stream, uint64_t x, uint64_t y)
{
    void *own = NULL, *now = NULL;
    test_case("a stream of cuStreamCreate");
    CHECK_OK(ctx, gable_get_stream(ctx, &own));
    for (int round = 0; round < 20; round++) {
        CHECK_OK(ctx, gable_dcopy(ctx, N, pointer(x), 1, pointer(y), 1)); /* own stream: y = x */
        CHECK_OK(ctx, gable_set_stream(ctx, stream));
        CHECK_OK(ctx, gable_get_stream(ctx, &now));
        CHECK(now == stream, "get_stream gives %p, not %p", now, stream);
        CHECK_OK(ctx, gable_daxpy(ctx, N, 2.0, pointer(x), 1, pointer(y), 1)); /* y = 3 x */
        CHECK_OK(ctx, gable_set_stream(ctx, NULL));
        CHECK_OK(ctx, gable_daxpy(ctx, N, 1.0, pointer(x), 1, pointer(y), 1)); /* own: y = 4 x */
        CHECK_OK(ctx, gable_set_stream(ctx, stream));
        CHECK(cuda.stream_sync(stream) == 0, "cuStreamSynchronize failed");
        memset(got, 0, sizeof got);
        CHECK(cuda.to_host(got, y, sizeof got) == 0, "cuMemcpyDtoH failed");
        int64_t wrong = 0;
        for (int64_t i = 0; i < N; i++)
            wrong += got[i] != 4 * host[i];
        CHECK(wrong == 0, "%lld elements are not 4 x in round %d", (long long)wrong, round);
        CHECK_OK(ctx, gable_set_stream(ctx, NULL));
    }
    CHECK_OK(ctx, gable_get_stream(ctx, &now));
    CHECK(now == own, "the context's own stream did not come back");
}

/* The program copies on the default stream, as most do, and calls Gable in between: without the
 * right stream the copies and the calls would not wait for each other. name: 0 or
 * CU_STREAM_PER_THREAD, as the program says it. */
static void default_stream(gable_context *ctx, void *ours, void *name, uint64_t x, uint64_t y,
                           uint64_t z)
{
    void *now = NULL;
    gable_recording *recording = NULL;
    CHECK_OK(ctx, gable_record_begin(ctx));
    CHECK_OK(ctx, gable_daxpy(ctx, N, 2.0, pointer(x), 1, pointer(y), 1));
    if (!CHECK_OK(ctx, gable_record_end(ctx, &recording)))
        return;
    if (!CHECK_OK(ctx, gable_set_stream(ctx, ours)))
        return;
    CHECK_OK(ctx, gable_get_stream(ctx, &now));
    CHECK(now == ours, "get_stream gives %p, not %p", now, ours);
    for (int round = 0; round < 20; round++) {
        CHECK(cuda.copy(y, x, sizeof host, name) == 0, "a copy failed"); /* y = x */
        for (int i = 0; i < 10; i++)
            CHECK_OK(ctx, gable_daxpy(ctx, N, 1.0, pointer(x), 1, pointer(y), 1)); /* 11 x */
        CHECK_OK(ctx, gable_replay(ctx, recording));                               /* 13 x */
        CHECK(cuda.copy(z, y, sizeof host, name) == 0, "a copy failed");
        CHECK(cuda.copy(y, x, sizeof host, name) == 0, "a copy failed");
        CHECK_OK(ctx, gable_dscal(ctx, N, 0, pointer(y), 1));
        CHECK(cuda.stream_sync(name) == 0, "cuStreamSynchronize failed");
        memset(got, 0, sizeof got);
        CHECK(cuda.to_host(got, z, sizeof got) == 0, "cuMemcpyDtoH failed");
        int64_t wrong = 0;
        for (int64_t i = 0; i < N; i++)
            wrong += got[i] != 13 * host[i];
        CHECK(wrong == 0, "%lld elements are not 13 x in round %d", (long long)wrong, round);
    }
    double value = -1, sum = 0;
    for (int64_t i = 0; i < N; i++)
        sum += host[i] * host[i];
    CHECK_OK(ctx, gable_ddot(ctx, N, pointer(x), 1, pointer(x), 1, &value));
    CHECK(value == sum, "dot is %.17g, not %.17g", value, sum);
    CHECK_OK(ctx, gable_set_stream(ctx, NULL));
    gable_recording_destroy(recording);
}

/* A result in memory that the host reads, too, is there when the call returns, though much work is
 * before it. */
static void late_result(gable_context *ctx, const char *what, volatile double *result, uint64_t x,
                        uint64_t y)
{
    double sum = 0;
    test_case("a result in %s memory", what);
    for (int64_t i = 0; i < N; i++)
        sum += host[i] * host[i];
    for (int round = 0; round < 5; round++) {
        CHECK_OK(ctx, gable_sync(ctx));
        *result = -1;
        for (int i = 0; i < 200; i++)
            CHECK_OK(ctx, gable_dcopy(ctx, N, pointer(x), 1, pointer(y), 1));
        CHECK_OK(ctx, gable_ddot(ctx, N, pointer(x), 1, pointer(y), 1, (double *)result));
        const double seen = *result;
        CHECK(seen == sum, "dot is %.17g when the call returns, not %.17g", seen, sum);
    }
    CHECK_OK(ctx, gable_record_begin(ctx));
    CHECK_STATUS(ctx, gable_ddot(ctx, N, pointer(x), 1, pointer(y), 1, (double *)result),
                 GABLE_NOT_RECORDABLE);
    CHECK_OK(ctx, gable_record_end(ctx, NULL));
}

static void results(gable_context *ctx, uint64_t x, uint64_t y)
{
    static double page[4096];
    void *pinned = NULL;
    uint64_t managed = 0;
    if (cuda.host_alloc(&pinned, 64, 0) == 0) {
        late_result(ctx, "pinned", pinned, x, y);
        cuda.host_free(pinned);
    } else {
        test_leave_out(NULL, "the driver gives no pinned memory");
    }
    if (cuda.host_register(page, sizeof page, 0) == 0) {
        late_result(ctx, "registered", page, x, y);
        cuda.host_unregister(page);
    } else {
        test_leave_out(NULL, "the driver registers no host memory");
    }
    if (cuda.managed_alloc(&managed, 64, 1) == 0) {
        late_result(ctx, "managed", pointer(managed), x, y);
        cuda.release_memory(managed);
    } else {
        test_leave_out(NULL, "the driver gives no managed memory");
    }
}

/* A recording made on one stream replays on the other. */
static void recorded(gable_context *ctx, void *stream, uint64_t x, uint64_t y)
{
    gable_recording *recording = NULL;
    test_case("a recording on a foreign stream");
    CHECK_OK(ctx, gable_record_begin(ctx));
    CHECK_OK(ctx, gable_dcopy(ctx, N, pointer(x), 1, pointer(y), 1));
    CHECK_OK(ctx, gable_daxpy(ctx, N, 4.0, pointer(x), 1, pointer(y), 1));
    if (!CHECK_OK(ctx, gable_record_end(ctx, &recording)))
        return;
    CHECK_OK(ctx, gable_set_stream(ctx, stream));
    CHECK_OK(ctx, gable_replay(ctx, recording));
    CHECK(cuda.stream_sync(stream) == 0, "cuStreamSynchronize failed");
    CHECK(cuda.to_host(got, y, sizeof got) == 0, "cuMemcpyDtoH failed");
    int64_t wrong = 0;
    for (int64_t i = 0; i < N; i++)
        wrong += got[i] != 5 * host[i];
    CHECK(wrong == 0, "%lld elements are not 5 x", (long long)wrong);
    CHECK_OK(ctx, gable_set_stream(ctx, NULL));
    gable_recording_destroy(recording);
}

int main(void)
{
    test_start("test_interop");
    gable_context *ctx = test_open();
    gable_device_info info;
    CHECK_OK(ctx, gable_context_describe(ctx, &info));
    if (strncmp(info.name, "cuda", 4) != 0) {
        void *stream = &info;
        CHECK_OK(ctx, gable_get_stream(ctx, &stream));
        CHECK(stream == NULL, "%s has no streams but gives %p", info.name, stream);
    } else if (load()) {
        int device = 0;
        void *context = NULL, *stream = NULL;
        uint64_t x = 0, y = 0, z = 0;
        CHECK(cuda.device_get(&device, 0) == 0 && cuda.retain(&context, device) == 0 &&
                  cuda.push(context) == 0 && cuda.alloc(&x, sizeof host) == 0 &&
                  cuda.alloc(&y, sizeof host) == 0 && cuda.alloc(&z, sizeof host) == 0 &&
                  cuda.stream_create(&stream, 1) == 0,
              "the CUDA driver refuses memory or a stream");
        foreign_memory(ctx, x, y);
        foreign_stream(ctx, stream, x, y);
        recorded(ctx, stream, x, y);
        test_case("the legacy default stream");
        default_stream(ctx, GABLE_STREAM_LEGACY, NULL, x, y, z);
        test_case("the default stream of a thread");
        default_stream(ctx, GABLE_STREAM_PER_THREAD, GABLE_STREAM_PER_THREAD, x, y, z);
        results(ctx, x, y);
        CHECK_OK(ctx, gable_sync(ctx));
        cuda.stream_destroy(stream);
        cuda.release_memory(x);
        cuda.release_memory(y);
        cuda.release_memory(z);
        cuda.pop(&context);
        cuda.release(device);
    }
    gable_close(ctx);
    return test_finish();
}

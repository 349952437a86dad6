/* cuda_stream.c: Gable between the copies of a program that has its own CUDA stream and memory.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The program copies vectors to memory of cuMemAlloc, lets Gable compute there, and copies the
 * result back, all on one stream of its own: the order of the stream is the order of the work, and
 * the only wait is at its end. cudaMalloc and cudaStream_t serve the same way. The driver's
 * functions are declared here by hand and found with dlopen, so that this compiles without CUDA
 * (add -ldl with a C library older than glibc 2.34). Without a CUDA device it says so and exits
 * with 0.
 *
 * In the checkout, after `make`:
 *   cc examples/cuda_stream.c -Iinclude -Lbuild -lgable -Wl,-rpath,$PWD/build -o cuda_stream && ./cuda_stream
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <gable/gable.h>

enum { N = 4, BYTES = N * sizeof(double) };

/* From cuda.h: a CUresult and a CUdevice are ints, a CUcontext and a CUstream pointers, a
 * CUdeviceptr is an unsigned 64-bit integer. */
static struct {
    int (*device_get)(int *device, int ordinal);
    int (*retain)(void **context, int device);
    int (*release)(int device);
    int (*set_current)(void *context);
    int (*stream_create)(void **stream, unsigned flags);
    int (*stream_synchronize)(void *stream);
    int (*stream_destroy)(void *stream);
    int (*alloc)(uint64_t *address, size_t bytes);
    int (*free)(uint64_t address);
    int (*to_device)(uint64_t target, const void *source, size_t bytes, void *stream);
    int (*to_host)(void *target, uint64_t source, size_t bytes, void *stream);
} cuda;

static void load(const char *name, void *function)
{
    static void *library;
    if (library == NULL)
        library = dlopen("libcuda.so.1", RTLD_NOW);
    void *address = library != NULL ? dlsym(library, name) : NULL;
    if (address == NULL) {
        fprintf(stderr, "libcuda.so.1 has no function %s\n", name);
        exit(1);
    }
    *(void **)function = address;
}

static void check_cuda(const char *what, int result)
{
    if (result == 0)
        return;
    fprintf(stderr, "%s failed with CUDA error %d\n", what, result);
    exit(1);
}

static void check(gable_context *ctx, gable_status status)
{
    if (status == GABLE_OK)
        return;
    fprintf(stderr, "%s: %s\n", gable_status_name(status), gable_message(ctx));
    exit(1);
}

static double *pointer(uint64_t address)
{
    return (double *)(uintptr_t)address;
}

int main(void)
{
    const double x[N] = {1, 2, 3, 4};
    double y[N] = {10, 20, 30, 40};
    gable_context *ctx;
    const gable_status opened = gable_open(&ctx, "cuda:0");
    if (opened == GABLE_NO_DEVICE) {
        printf("This example needs a CUDA device: %s\n", gable_message(ctx));
        gable_close(ctx);
        return 0;
    }
    check(ctx, opened);
    load("cuDeviceGet", &cuda.device_get);
    load("cuDevicePrimaryCtxRetain", &cuda.retain);
    load("cuDevicePrimaryCtxRelease_v2", &cuda.release);
    load("cuCtxSetCurrent", &cuda.set_current);
    load("cuStreamCreate", &cuda.stream_create);
    load("cuStreamSynchronize", &cuda.stream_synchronize);
    load("cuStreamDestroy_v2", &cuda.stream_destroy);
    load("cuMemAlloc_v2", &cuda.alloc);
    load("cuMemFree_v2", &cuda.free);
    load("cuMemcpyHtoDAsync_v2", &cuda.to_device);
    load("cuMemcpyDtoHAsync_v2", &cuda.to_host);

    /* What the program owns. Gable works in the device's primary context, as the CUDA runtime
     * does. */
    int device;
    void *context, *stream;
    uint64_t dx, dy;
    check_cuda("cuDeviceGet", cuda.device_get(&device, 0));
    check_cuda("cuDevicePrimaryCtxRetain", cuda.retain(&context, device));
    check_cuda("cuCtxSetCurrent", cuda.set_current(context));
    check_cuda("cuStreamCreate", cuda.stream_create(&stream, 1)); /* CU_STREAM_NON_BLOCKING */
    check_cuda("cuMemAlloc", cuda.alloc(&dx, BYTES));
    check_cuda("cuMemAlloc", cuda.alloc(&dy, BYTES));

    check_cuda("cuMemcpyHtoDAsync", cuda.to_device(dx, x, BYTES, stream));
    check_cuda("cuMemcpyHtoDAsync", cuda.to_device(dy, y, BYTES, stream));
    check(ctx, gable_set_stream(ctx, stream));
    check(ctx, gable_daxpy(ctx, N, 2.0, pointer(dx), 1, pointer(dy), 1));
    check_cuda("cuMemcpyDtoHAsync", cuda.to_host(y, dy, BYTES, stream));
    check_cuda("cuStreamSynchronize", cuda.stream_synchronize(stream));
    printf("y = %g %g %g %g\n", y[0], y[1], y[2], y[3]);

    /* The stream must outlive its use: Gable lets go of it first. */
    check(ctx, gable_set_stream(ctx, NULL));
    gable_close(ctx);
    check_cuda("cuStreamDestroy", cuda.stream_destroy(stream));
    check_cuda("cuMemFree", cuda.free(dx));
    check_cuda("cuMemFree", cuda.free(dy));
    check_cuda("cuDevicePrimaryCtxRelease", cuda.release(device));
    return y[0] == 12 && y[1] == 24 && y[2] == 36 && y[3] == 48 ? 0 : 1;
}

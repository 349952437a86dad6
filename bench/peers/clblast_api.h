/* clblast_api.h: the part of CLBlast and of OpenCL's buffers that its peer calls, in own
 * declarations. SPDX-License-Identifier: BSD-3-Clause
 *
 * The library's own OpenCL side (src/device) works with shared virtual memory; CLBlast wants
 * buffers, so the peer has a context of its own on the same device.
 */
#ifndef BENCH_CLBLAST_API_H
#define BENCH_CLBLAST_API_H

#include <stddef.h>
#include <stdint.h>

typedef struct peer_cl_object peer_cl_object; /* platforms, devices, contexts, queues, events */
typedef struct peer_cl_buffer peer_cl_buffer;

enum {
    PEER_CL_DEVICE_NAME = 0x102B,
    PEER_CL_PROFILING_ENABLE = 1 << 1,
    PEER_CL_READ_WRITE = 1 << 0,
    PEER_CL_PROFILING_END = 0x1283
};
#define PEER_CL_ALL_DEVICES 0xFFFFFFFFu

/* Every function of OpenCL: result, name without "cl", parameters. */
#define PEER_CL_FUNCTIONS(X)                                                                       \
    X(int32_t, GetPlatformIDs, (uint32_t, peer_cl_object **, uint32_t *))                          \
    X(int32_t, GetDeviceIDs,                                                                       \
      (peer_cl_object *, uint64_t, uint32_t, peer_cl_object **, uint32_t *))                       \
    X(int32_t, GetDeviceInfo, (peer_cl_object *, uint32_t, size_t, void *, size_t *))              \
    X(peer_cl_object *, CreateContext,                                                             \
      (const intptr_t *, uint32_t, peer_cl_object *const *,                                        \
       void (*)(const char *, const void *, size_t, void *), void *, int32_t *))                   \
    X(int32_t, ReleaseContext, (peer_cl_object *))                                                 \
    X(peer_cl_object *, CreateCommandQueue,                                                        \
      (peer_cl_object *, peer_cl_object *, uint64_t, int32_t *))                                   \
    X(int32_t, ReleaseCommandQueue, (peer_cl_object *))                                            \
    X(int32_t, Finish, (peer_cl_object *))                                                         \
    X(peer_cl_buffer *, CreateBuffer, (peer_cl_object *, uint64_t, size_t, void *, int32_t *))     \
    X(int32_t, ReleaseMemObject, (peer_cl_buffer *))                                               \
    X(int32_t, EnqueueWriteBuffer,                                                                 \
      (peer_cl_object *, peer_cl_buffer *, uint32_t, size_t, size_t, const void *, uint32_t,       \
       peer_cl_object *const *, peer_cl_object **))                                                \
    X(int32_t, EnqueueReadBuffer,                                                                  \
      (peer_cl_object *, peer_cl_buffer *, uint32_t, size_t, size_t, void *, uint32_t,             \
       peer_cl_object *const *, peer_cl_object **))                                                \
    X(int32_t, EnqueueCopyBuffer,                                                                  \
      (peer_cl_object *, peer_cl_buffer *, peer_cl_buffer *, size_t, size_t, size_t, uint32_t,     \
       peer_cl_object *const *, peer_cl_object **))                                                \
    X(int32_t, EnqueueFillBuffer,                                                                  \
      (peer_cl_object *, peer_cl_buffer *, const void *, size_t, size_t, size_t, uint32_t,         \
       peer_cl_object *const *, peer_cl_object **))                                                \
    X(int32_t, EnqueueMarkerWithWaitList,                                                          \
      (peer_cl_object *, uint32_t, peer_cl_object *const *, peer_cl_object **))                    \
    X(int32_t, GetEventProfilingInfo, (peer_cl_object *, uint32_t, size_t, void *, size_t *))      \
    X(int32_t, ReleaseEvent, (peer_cl_object *))

#define PEER_CL_MEMBER(result, name, parameters) result(*name) parameters;
typedef struct peer_cl_functions {
    PEER_CL_FUNCTIONS(PEER_CL_MEMBER)
} peer_cl_functions;
#undef PEER_CL_MEMBER

/* cl_float2 and cl_double2 are passed as these are, in two floating-point registers or halves. */
typedef struct peer_float2 {
    float re, im;
} peer_float2;
typedef struct peer_double2 {
    double re, im;
} peer_double2;

/* A vector is a buffer, an offset and a stride in elements; the last two are queue and event. */
#define PEER_CL_X    peer_cl_buffer *, size_t, size_t
#define PEER_CL_LAST peer_cl_object **, peer_cl_object **
typedef struct clblast_functions {
    int (*copy[4])(size_t, PEER_CL_X, PEER_CL_X, PEER_CL_LAST);
    int (*swap[4])(size_t, PEER_CL_X, PEER_CL_X, PEER_CL_LAST);
    int (*sscal)(size_t, float, PEER_CL_X, PEER_CL_LAST);
    int (*dscal)(size_t, double, PEER_CL_X, PEER_CL_LAST);
    int (*cscal)(size_t, peer_float2, PEER_CL_X, PEER_CL_LAST);
    int (*zscal)(size_t, peer_double2, PEER_CL_X, PEER_CL_LAST);
    int (*saxpy)(size_t, float, PEER_CL_X, PEER_CL_X, PEER_CL_LAST);
    int (*daxpy)(size_t, double, PEER_CL_X, PEER_CL_X, PEER_CL_LAST);
    int (*caxpy)(size_t, peer_float2, PEER_CL_X, PEER_CL_X, PEER_CL_LAST);
    int (*zaxpy)(size_t, peer_double2, PEER_CL_X, PEER_CL_X, PEER_CL_LAST);
    int (*dot[4])(size_t, peer_cl_buffer *, size_t, PEER_CL_X, PEER_CL_X, PEER_CL_LAST);
    int (*dotc[2])(size_t, peer_cl_buffer *, size_t, PEER_CL_X, PEER_CL_X, PEER_CL_LAST);
    /* nrm2, asum and amax; the last leaves a 32-bit position that counts from 0. */
    int (*nrm2[4])(size_t, peer_cl_buffer *, size_t, PEER_CL_X, PEER_CL_LAST);
    int (*asum[4])(size_t, peer_cl_buffer *, size_t, PEER_CL_X, PEER_CL_LAST);
    int (*amax[4])(size_t, peer_cl_buffer *, size_t, PEER_CL_X, PEER_CL_LAST);
} clblast_functions;
#undef PEER_CL_X
#undef PEER_CL_LAST

#endif

/* opencl_api.h: the part of OpenCL that Gable calls, in its own declarations.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * No vendor header is needed to build. Numbers and signatures are those of the OpenCL 3.0
 * specification; everything used exists since OpenCL 2.0. The functions are members of one struct,
 * filled once by opencl_list.c and constant afterwards: gbl_cl.EnqueueNDRangeKernel(...).
 */
#ifndef GBL_OPENCL_API_H
#define GBL_OPENCL_API_H

#include <stddef.h>
#include <stdint.h>

/* The objects behind cl_platform_id, cl_device_id, cl_context and so on. */
typedef struct gbl_cl_platform gbl_cl_platform;
typedef struct gbl_cl_device gbl_cl_device;
typedef struct gbl_cl_context gbl_cl_context;
typedef struct gbl_cl_queue gbl_cl_queue;
typedef struct gbl_cl_program gbl_cl_program;
typedef struct gbl_cl_kernel gbl_cl_kernel;
typedef struct gbl_cl_event gbl_cl_event;

/* Error codes: name and number. */
#define GBL_CL_ERRORS(X)                                                                           \
    X(CL_SUCCESS, 0)                                                                               \
    X(CL_DEVICE_NOT_FOUND, -1)                                                                     \
    X(CL_DEVICE_NOT_AVAILABLE, -2)                                                                 \
    X(CL_COMPILER_NOT_AVAILABLE, -3)                                                               \
    X(CL_MEM_OBJECT_ALLOCATION_FAILURE, -4)                                                        \
    X(CL_OUT_OF_RESOURCES, -5)                                                                     \
    X(CL_OUT_OF_HOST_MEMORY, -6)                                                                   \
    X(CL_PROFILING_INFO_NOT_AVAILABLE, -7)                                                         \
    X(CL_MEM_COPY_OVERLAP, -8)                                                                     \
    X(CL_BUILD_PROGRAM_FAILURE, -11)                                                               \
    X(CL_MISALIGNED_SUB_BUFFER_OFFSET, -13)                                                        \
    X(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, -14)                                           \
    X(CL_COMPILE_PROGRAM_FAILURE, -15)                                                             \
    X(CL_LINK_PROGRAM_FAILURE, -17)                                                                \
    X(CL_INVALID_VALUE, -30)                                                                       \
    X(CL_INVALID_PLATFORM, -32)                                                                    \
    X(CL_INVALID_DEVICE, -33)                                                                      \
    X(CL_INVALID_CONTEXT, -34)                                                                     \
    X(CL_INVALID_QUEUE_PROPERTIES, -35)                                                            \
    X(CL_INVALID_COMMAND_QUEUE, -36)                                                               \
    X(CL_INVALID_MEM_OBJECT, -38)                                                                  \
    X(CL_INVALID_BINARY, -42)                                                                      \
    X(CL_INVALID_BUILD_OPTIONS, -43)                                                               \
    X(CL_INVALID_PROGRAM, -44)                                                                     \
    X(CL_INVALID_PROGRAM_EXECUTABLE, -45)                                                          \
    X(CL_INVALID_KERNEL_NAME, -46)                                                                 \
    X(CL_INVALID_KERNEL_DEFINITION, -47)                                                           \
    X(CL_INVALID_KERNEL, -48)                                                                      \
    X(CL_INVALID_ARG_INDEX, -49)                                                                   \
    X(CL_INVALID_ARG_VALUE, -50)                                                                   \
    X(CL_INVALID_ARG_SIZE, -51)                                                                    \
    X(CL_INVALID_KERNEL_ARGS, -52)                                                                 \
    X(CL_INVALID_WORK_DIMENSION, -53)                                                              \
    X(CL_INVALID_WORK_GROUP_SIZE, -54)                                                             \
    X(CL_INVALID_WORK_ITEM_SIZE, -55)                                                              \
    X(CL_INVALID_EVENT_WAIT_LIST, -57)                                                             \
    X(CL_INVALID_EVENT, -58)                                                                       \
    X(CL_INVALID_OPERATION, -59)                                                                   \
    X(CL_INVALID_BUFFER_SIZE, -61)                                                                 \
    X(CL_INVALID_GLOBAL_WORK_SIZE, -63)                                                            \
    X(CL_PLATFORM_NOT_FOUND_KHR, -1001)                                                            \
    X(NVIDIA_ILLEGAL_MEMORY_ACCESS, -9999)

#define GBL_CL_ERROR_ENUM(name, number) GBL_##name = number,
enum { GBL_CL_ERRORS(GBL_CL_ERROR_ENUM) };
#undef GBL_CL_ERROR_ENUM

/* Names of queries and bits of flags. */
enum {
    GBL_CL_PLATFORM_VERSION = 0x0901,
    GBL_CL_PLATFORM_NAME = 0x0902,

    GBL_CL_DEVICE_TYPE = 0x1000, /* bits: */
    GBL_CL_DEVICE_TYPE_GPU = 1 << 2,
    GBL_CL_DEVICE_VENDOR_ID = 0x1001, /* a PCI number: */
    GBL_CL_VENDOR_AMD = 0x1002,
    GBL_CL_DEVICE_MAX_COMPUTE_UNITS = 0x1002,
    GBL_CL_DEVICE_MAX_WORK_GROUP_SIZE = 0x1004,
    GBL_CL_DEVICE_MAX_MEM_ALLOC_SIZE = 0x1010,
    GBL_CL_DEVICE_SINGLE_FP_CONFIG = 0x101B, /* bit: */
    GBL_CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT = 1 << 7,
    GBL_CL_DEVICE_GLOBAL_MEM_CACHE_SIZE = 0x101E,
    GBL_CL_DEVICE_GLOBAL_MEM_SIZE = 0x101F,
    GBL_CL_DEVICE_LOCAL_MEM_SIZE = 0x1023,
    GBL_CL_DEVICE_AVAILABLE = 0x1027,
    GBL_CL_DEVICE_COMPILER_AVAILABLE = 0x1028,
    GBL_CL_DEVICE_NAME = 0x102B,
    GBL_CL_DRIVER_VERSION = 0x102D,
    GBL_CL_DEVICE_VERSION = 0x102F,
    GBL_CL_DEVICE_DOUBLE_FP_CONFIG = 0x1032,
    GBL_CL_DEVICE_SVM_CAPABILITIES = 0x1053, /* bits: */
    GBL_CL_DEVICE_SVM_COARSE_GRAIN_BUFFER = 1 << 0,
    GBL_CL_DEVICE_SVM_FINE_GRAIN_BUFFER = 1 << 1,
    GBL_CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV = 0x4000,
    GBL_CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV = 0x4001,

    GBL_CL_QUEUE_PROPERTIES = 0x1093, /* bit: */
    GBL_CL_QUEUE_PROFILING_ENABLE = 1 << 1,
    GBL_CL_MEM_READ_WRITE = 1 << 0,
    GBL_CL_MEM_SVM_FINE_GRAIN_BUFFER = 1 << 10,

    GBL_CL_PROGRAM_BINARY_SIZES = 0x1165,
    GBL_CL_PROGRAM_BINARIES = 0x1166,
    GBL_CL_PROGRAM_BUILD_LOG = 0x1183,
    GBL_CL_KERNEL_WORK_GROUP_SIZE = 0x11B0,
    GBL_CL_KERNEL_EXEC_INFO_SVM_PTRS = 0x11B6,
    GBL_CL_KERNEL_LOCAL_MEM_SIZE = 0x11B2,
    GBL_CL_KERNEL_PRIVATE_MEM_SIZE = 0x11B4,
    GBL_CL_PROFILING_COMMAND_END = 0x1283,
    GBL_CL_EVENT_COMMAND_EXECUTION_STATUS = 0x11D3,
    GBL_CL_COMPLETE = 0
};
#define GBL_CL_DEVICE_TYPE_ALL 0xFFFFFFFFu /* too large for an enumerator */

/* Every function: result, name without "cl", parameters. */
#define GBL_CL_FUNCTIONS(X)                                                                        \
    X(int32_t, GetPlatformIDs, (uint32_t, gbl_cl_platform **, uint32_t *))                         \
    X(int32_t, GetPlatformInfo, (gbl_cl_platform *, uint32_t, size_t, void *, size_t *))           \
    X(int32_t, GetDeviceIDs,                                                                       \
      (gbl_cl_platform *, uint64_t, uint32_t, gbl_cl_device **, uint32_t *))                       \
    X(int32_t, GetDeviceInfo, (gbl_cl_device *, uint32_t, size_t, void *, size_t *))               \
    X(gbl_cl_context *, CreateContext,                                                             \
      (const intptr_t *, uint32_t, gbl_cl_device *const *,                                         \
       void (*)(const char *, const void *, size_t, void *), void *, int32_t *))                   \
    X(int32_t, ReleaseContext, (gbl_cl_context *))                                                 \
    X(gbl_cl_queue *, CreateCommandQueueWithProperties,                                            \
      (gbl_cl_context *, gbl_cl_device *, const uint64_t *, int32_t *))                            \
    X(int32_t, ReleaseCommandQueue, (gbl_cl_queue *))                                              \
    X(int32_t, Flush, (gbl_cl_queue *))                                                            \
    X(int32_t, Finish, (gbl_cl_queue *))                                                           \
    X(void *, SVMAlloc, (gbl_cl_context *, uint64_t, size_t, uint32_t))                            \
    X(void, SVMFree, (gbl_cl_context *, void *))                                                   \
    X(int32_t, EnqueueSVMMemcpy,                                                                   \
      (gbl_cl_queue *, uint32_t, void *, const void *, size_t, uint32_t, gbl_cl_event *const *,    \
       gbl_cl_event **))                                                                           \
    X(int32_t, EnqueueSVMMemFill,                                                                  \
      (gbl_cl_queue *, void *, const void *, size_t, size_t, uint32_t, gbl_cl_event *const *,      \
       gbl_cl_event **))                                                                           \
    X(gbl_cl_program *, CreateProgramWithSource,                                                   \
      (gbl_cl_context *, uint32_t, const char **, const size_t *, int32_t *))                      \
    X(gbl_cl_program *, CreateProgramWithBinary,                                                   \
      (gbl_cl_context *, uint32_t, gbl_cl_device *const *, const size_t *, const unsigned char **, \
       int32_t *, int32_t *))                                                                      \
    X(int32_t, BuildProgram,                                                                       \
      (gbl_cl_program *, uint32_t, gbl_cl_device *const *, const char *,                           \
       void (*)(gbl_cl_program *, void *), void *))                                                \
    X(int32_t, GetProgramInfo, (gbl_cl_program *, uint32_t, size_t, void *, size_t *))             \
    X(int32_t, GetProgramBuildInfo,                                                                \
      (gbl_cl_program *, gbl_cl_device *, uint32_t, size_t, void *, size_t *))                     \
    X(int32_t, ReleaseProgram, (gbl_cl_program *))                                                 \
    X(gbl_cl_kernel *, CreateKernel, (gbl_cl_program *, const char *, int32_t *))                  \
    X(int32_t, GetKernelWorkGroupInfo,                                                             \
      (gbl_cl_kernel *, gbl_cl_device *, uint32_t, size_t, void *, size_t *))                      \
    X(int32_t, ReleaseKernel, (gbl_cl_kernel *))                                                   \
    X(int32_t, SetKernelArg, (gbl_cl_kernel *, uint32_t, size_t, const void *))                    \
    X(int32_t, SetKernelArgSVMPointer, (gbl_cl_kernel *, uint32_t, const void *))                  \
    X(int32_t, SetKernelExecInfo, (gbl_cl_kernel *, uint32_t, size_t, const void *))               \
    X(int32_t, EnqueueNDRangeKernel,                                                               \
      (gbl_cl_queue *, gbl_cl_kernel *, uint32_t, const size_t *, const size_t *, const size_t *,  \
       uint32_t, gbl_cl_event *const *, gbl_cl_event **))                                          \
    X(int32_t, EnqueueMarkerWithWaitList,                                                          \
      (gbl_cl_queue *, uint32_t, gbl_cl_event *const *, gbl_cl_event **))                          \
    X(int32_t, EnqueueBarrierWithWaitList,                                                         \
      (gbl_cl_queue *, uint32_t, gbl_cl_event *const *, gbl_cl_event **))                          \
    X(int32_t, WaitForEvents, (uint32_t, gbl_cl_event *const *))                                   \
    X(int32_t, GetEventInfo, (gbl_cl_event *, uint32_t, size_t, void *, size_t *))                 \
    X(int32_t, GetEventProfilingInfo, (gbl_cl_event *, uint32_t, size_t, void *, size_t *))        \
    X(int32_t, ReleaseEvent, (gbl_cl_event *))

#define GBL_CL_MEMBER(result, name, parameters) result(*name) parameters;
typedef struct gbl_cl_functions {
    GBL_CL_FUNCTIONS(GBL_CL_MEMBER)
} gbl_cl_functions;
#undef GBL_CL_MEMBER

/* Filled before the first device is listed. */
extern gbl_cl_functions gbl_cl;

#endif

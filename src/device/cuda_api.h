/* cuda_api.h: the part of the CUDA driver interface that Gable calls, declared here.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Own declarations, so that no vendor header is needed to build. Layouts and numbers are the
 * driver's binary interface, which never changes; the symbols are the oldest that do the work
 * (CUDA 11.2), newer ones are optional and NULL when absent. Every function returns a result, 0 for
 * success.
 */
#ifndef GBL_CUDA_API_H
#define GBL_CUDA_API_H

#include <stddef.h>
#include <stdint.h>

typedef struct gbl_cu_context gbl_cu_context;
typedef struct gbl_cu_stream gbl_cu_stream;
typedef struct gbl_cu_event gbl_cu_event;
typedef struct gbl_cu_module gbl_cu_module;
typedef struct gbl_cu_function gbl_cu_function;
typedef struct gbl_cu_graph gbl_cu_graph;
typedef struct gbl_cu_node gbl_cu_node;
typedef struct gbl_cu_exec gbl_cu_exec;
typedef uintptr_t gbl_cu_address;

enum gbl_cu_result {
    CU_OUT_OF_MEMORY = 2,
    CU_NOT_INITIALIZED = 3,
    CU_DEINITIALIZED = 4,
    CU_STUB_LIBRARY = 34,
    CU_NO_DEVICE = 100,
    CU_INVALID_IMAGE = 200,
    CU_NO_BINARY_FOR_GPU = 209,
    CU_ECC_UNCORRECTABLE = 214,
    CU_NVLINK_UNCORRECTABLE = 220,
    CU_UNSUPPORTED_PTX_VERSION = 222,
    CU_CONTAINED = 226,
    CU_NOT_READY = 600,
    CU_ILLEGAL_ADDRESS = 700,
    CU_LAUNCH_TIMEOUT = 702,
    CU_CONTEXT_IS_DESTROYED = 709,
    CU_ASSERT = 710,
    CU_HARDWARE_STACK_ERROR = 714,
    CU_ILLEGAL_INSTRUCTION = 715,
    CU_MISALIGNED_ADDRESS = 716,
    CU_INVALID_ADDRESS_SPACE = 717,
    CU_INVALID_PC = 718,
    CU_LAUNCH_FAILED = 719,
    CU_COOPERATIVE_TOO_LARGE = 720,
    CU_TENSOR_MEMORY_LEAK = 721,
    CU_INVALID_CLUSTER_SIZE = 912,
    CU_SYSTEM_DRIVER_MISMATCH = 803
};

enum gbl_cu_device_attribute {
    CU_DEVICE_MAX_GROUP = 1,
    CU_DEVICE_SHARED_BYTES = 8,
    CU_DEVICE_WARP = 10,
    CU_DEVICE_MAX_PITCH = 11,
    CU_DEVICE_UNITS = 16,
    CU_DEVICE_COMPUTE_MODE = 20,
    CU_DEVICE_L2_BYTES = 38,
    CU_DEVICE_UNIFIED_ADDRESSING = 41,
    CU_DEVICE_MAJOR = 75,
    CU_DEVICE_MINOR = 76,
    CU_DEVICE_COOPERATIVE = 95,
    CU_DEVICE_SHARED_BYTES_OPTIN = 97,
    CU_DEVICE_CLUSTER_LAUNCH = 120
};
#define CU_COMPUTE_MODE_PROHIBITED 2

enum gbl_cu_function_attribute {
    CU_FUNCTION_MAX_GROUP = 0,
    CU_FUNCTION_SHARED_BYTES = 1,
    CU_FUNCTION_LOCAL_BYTES = 3,
    CU_FUNCTION_REGISTERS = 4,
    CU_FUNCTION_MAX_DYNAMIC_SHARED_BYTES = 8,
    CU_FUNCTION_WIDE_CLUSTERS = 14
};

enum gbl_cu_pointer_attribute { CU_POINTER_MEMORY_TYPE = 2, CU_POINTER_IS_MANAGED = 8 };
enum gbl_cu_memory_type { CU_MEMORY_HOST = 1, CU_MEMORY_DEVICE = 2, CU_MEMORY_UNIFIED = 4 };
enum gbl_cu_jit_option { CU_JIT_ERROR_LOG = 5, CU_JIT_ERROR_LOG_BYTES = 6 };

#define CU_STREAM_LEGACY             ((gbl_cu_stream *)1)
#define CU_STREAM_PER_THREAD         ((gbl_cu_stream *)2)
#define CU_STREAM_NON_BLOCKING       1u
#define CU_EVENT_DEFAULT             0u
#define CU_EVENT_NO_TIMING           2u
#define CU_HOST_PORTABLE_AND_MAPPED  3u
#define CU_CAPTURE_MODE_THREAD_LOCAL 1

typedef struct gbl_cu_copy_2d {
    size_t source_x, source_y;
    int source_type;
    const void *source_host;
    gbl_cu_address source;
    void *source_array;
    size_t source_pitch;
    size_t target_x, target_y;
    int target_type;
    void *target_host;
    gbl_cu_address target;
    void *target_array;
    size_t target_pitch;
    size_t width_bytes, height;
} gbl_cu_copy_2d;

typedef struct gbl_cu_copy_3d {
    size_t source_x, source_y, source_z, source_level;
    int source_type;
    const void *source_host;
    gbl_cu_address source;
    void *source_array, *reserved_0;
    size_t source_pitch, source_height;
    size_t target_x, target_y, target_z, target_level;
    int target_type;
    void *target_host;
    gbl_cu_address target;
    void *target_array, *reserved_1;
    size_t target_pitch, target_height;
    size_t width_bytes, height, depth;
} gbl_cu_copy_3d;

typedef struct gbl_cu_fill_node {
    gbl_cu_address target;
    size_t pitch;
    unsigned value, element_bytes;
    size_t width, height;
} gbl_cu_fill_node;

typedef struct gbl_cu_kernel_node {
    gbl_cu_function *function;
    unsigned grid[3], group[3], dynamic_bytes;
    void **parameters, **extra;
} gbl_cu_kernel_node;

enum gbl_cu_launch_attribute_id {
    CU_LAUNCH_COOPERATIVE = 2,
    CU_LAUNCH_CLUSTER = 4,
    CU_LAUNCH_PROGRAMMATIC = 6
};
typedef union gbl_cu_launch_value {
    char room[64];
    int cooperative;
    int programmatic;
    unsigned cluster[3];
} gbl_cu_launch_value;
typedef struct gbl_cu_launch_attribute {
    int id;
    char padding[4];
    gbl_cu_launch_value value;
} gbl_cu_launch_attribute;
typedef struct gbl_cu_launch_config {
    unsigned grid[3], group[3], dynamic_bytes;
    gbl_cu_stream *stream;
    gbl_cu_launch_attribute *attributes;
    unsigned attribute_count;
} gbl_cu_launch_config;

/* Of tensor maps: types of elements, and the other choices that are made here. */
enum gbl_cu_tensor_type { CU_TENSOR_FLOAT32 = 7, CU_TENSOR_FLOAT64 = 8 };
#define CU_TENSOR_NOT_INTERLEAVED 0
#define CU_TENSOR_SWIZZLE_NONE    0
#define CU_TENSOR_SWIZZLE_128B    3
#define CU_TENSOR_L2_256B         3
#define CU_TENSOR_OUTSIDE_ZEROS   0

/* When the edge of a graph is passed; zeroed: when the upper node is done. */
#define CU_PORT_PROGRAMMATIC       1
#define CU_DEPENDENCY_PROGRAMMATIC 1
typedef struct gbl_cu_edge {
    unsigned char from_port, to_port, type, reserved[5];
} gbl_cu_edge;

/* X(field, symbol, optional, parameters) */
#define GBL_CUDA_FUNCTIONS(X)                                                                      \
    X(init, "cuInit", 0, (unsigned flags))                                                         \
    X(driver_version, "cuDriverGetVersion", 0, (int *version))                                     \
    X(error_name, "cuGetErrorName", 0, (int result, const char **text))                            \
    X(error_text, "cuGetErrorString", 0, (int result, const char **text))                          \
    X(device_count, "cuDeviceGetCount", 0, (int *count))                                           \
    X(device_get, "cuDeviceGet", 0, (int *device, int ordinal))                                    \
    X(device_name, "cuDeviceGetName", 0, (char *name, int bytes, int device))                      \
    X(device_memory, "cuDeviceTotalMem_v2", 0, (size_t * bytes, int device))                       \
    X(device_attribute, "cuDeviceGetAttribute", 0, (int *value, int attribute, int device))        \
    X(context_retain, "cuDevicePrimaryCtxRetain", 0, (gbl_cu_context * *context, int device))      \
    X(context_release, "cuDevicePrimaryCtxRelease_v2", 0, (int device))                            \
    X(context_push, "cuCtxPushCurrent_v2", 0, (gbl_cu_context * context))                          \
    X(context_pop, "cuCtxPopCurrent_v2", 0, (gbl_cu_context * *context))                           \
    X(context_current, "cuCtxGetCurrent", 0, (gbl_cu_context * *context))                          \
    X(memory_info, "cuMemGetInfo_v2", 0, (size_t * free_bytes, size_t * total_bytes))              \
    X(memory_alloc, "cuMemAlloc_v2", 0, (gbl_cu_address * address, size_t bytes))                  \
    X(memory_free, "cuMemFree_v2", 0, (gbl_cu_address address))                                    \
    X(host_alloc, "cuMemHostAlloc", 0, (void **address, size_t bytes, unsigned flags))             \
    X(host_free, "cuMemFreeHost", 0, (void *address))                                              \
    X(host_register, "cuMemHostRegister_v2", 0, (void *address, size_t bytes, unsigned flags))     \
    X(host_unregister, "cuMemHostUnregister", 0, (void *address))                                  \
    X(pointer_attributes, "cuPointerGetAttributes", 0,                                             \
      (unsigned count, int *attributes, void **data, gbl_cu_address address))                      \
    X(copy, "cuMemcpyAsync", 0,                                                                    \
      (gbl_cu_address target, gbl_cu_address source, size_t bytes, gbl_cu_stream * stream))        \
    X(copy_2d, "cuMemcpy2DAsync_v2", 0, (const gbl_cu_copy_2d *copy, gbl_cu_stream *stream))       \
    X(fill_8, "cuMemsetD8Async", 0,                                                                \
      (gbl_cu_address target, unsigned char value, size_t count, gbl_cu_stream *stream))           \
    X(fill_32, "cuMemsetD32Async", 0,                                                              \
      (gbl_cu_address target, unsigned value, size_t count, gbl_cu_stream *stream))                \
    X(stream_create, "cuStreamCreate", 0, (gbl_cu_stream * *stream, unsigned flags))               \
    X(stream_destroy, "cuStreamDestroy_v2", 0, (gbl_cu_stream * stream))                           \
    X(stream_context, "cuStreamGetCtx", 0, (gbl_cu_stream * stream, gbl_cu_context * *context))    \
    X(stream_sync, "cuStreamSynchronize", 0, (gbl_cu_stream * stream))                             \
    X(stream_wait, "cuStreamWaitEvent", 0,                                                         \
      (gbl_cu_stream * stream, gbl_cu_event * event, unsigned flags))                              \
    X(capture_begin, "cuStreamBeginCapture_v2", 0, (gbl_cu_stream * stream, int mode))             \
    X(capture_end, "cuStreamEndCapture", 0, (gbl_cu_stream * stream, gbl_cu_graph * *graph))       \
    X(event_create, "cuEventCreate", 0, (gbl_cu_event * *event, unsigned flags))                   \
    X(event_destroy, "cuEventDestroy_v2", 0, (gbl_cu_event * event))                               \
    X(event_record, "cuEventRecord", 0, (gbl_cu_event * event, gbl_cu_stream * stream))            \
    X(event_sync, "cuEventSynchronize", 0, (gbl_cu_event * event))                                 \
    X(event_query, "cuEventQuery", 0, (gbl_cu_event * event))                                      \
    X(event_elapsed, "cuEventElapsedTime", 0,                                                      \
      (float *milliseconds, gbl_cu_event *from, gbl_cu_event *to))                                 \
    X(module_load, "cuModuleLoadDataEx", 0,                                                        \
      (gbl_cu_module * *module, const void *image, unsigned count, int *options, void **values))   \
    X(module_unload, "cuModuleUnload", 0, (gbl_cu_module * module))                                \
    X(module_function, "cuModuleGetFunction", 0,                                                   \
      (gbl_cu_function * *function, gbl_cu_module * module, const char *name))                     \
    X(function_attribute, "cuFuncGetAttribute", 0,                                                 \
      (int *value, int attribute, gbl_cu_function *function))                                      \
    X(function_set_attribute, "cuFuncSetAttribute", 0,                                             \
      (gbl_cu_function * function, int attribute, int value))                                      \
    X(launch, "cuLaunchKernel", 0,                                                                 \
      (gbl_cu_function * function, unsigned grid_x, unsigned grid_y, unsigned grid_z,              \
       unsigned group_x, unsigned group_y, unsigned group_z, unsigned dynamic_bytes,               \
       gbl_cu_stream *stream, void **parameters, void **extra))                                    \
    X(launch_cooperative, "cuLaunchCooperativeKernel", 0,                                          \
      (gbl_cu_function * function, unsigned grid_x, unsigned grid_y, unsigned grid_z,              \
       unsigned group_x, unsigned group_y, unsigned group_z, unsigned dynamic_bytes,               \
       gbl_cu_stream *stream, void **parameters))                                                  \
    X(launch_with, "cuLaunchKernelEx", 1,                                                          \
      (const gbl_cu_launch_config *config, gbl_cu_function *function, void **parameters,           \
       void **extra))                                                                              \
    X(active_clusters, "cuOccupancyMaxActiveClusters", 1,                                          \
      (int *count, gbl_cu_function *function, const gbl_cu_launch_config *config))                 \
    X(active_groups, "cuOccupancyMaxActiveBlocksPerMultiprocessor", 1,                             \
      (int *count, gbl_cu_function *function, int group_items, size_t dynamic_bytes))              \
    X(tensor_map_tiled, "cuTensorMapEncodeTiled", 1,                                               \
      (void *map, int type, uint32_t rank, void *address, const uint64_t *dims,                    \
       const uint64_t *strides, const uint32_t *box, const uint32_t *steps, int interleave,        \
       int swizzle, int promotion, int outside))                                                   \
    X(graph_create, "cuGraphCreate", 0, (gbl_cu_graph * *graph, unsigned flags))                   \
    X(graph_destroy, "cuGraphDestroy", 0, (gbl_cu_graph * graph))                                  \
    X(graph_add_kernel, "cuGraphAddKernelNode", 0,                                                 \
      (gbl_cu_node * *node, gbl_cu_graph * graph, gbl_cu_node *const *after, size_t after_count,   \
       const gbl_cu_kernel_node *kernel))                                                          \
    X(graph_add_edges, "cuGraphAddDependencies_v2", 1,                                             \
      (gbl_cu_graph * graph, gbl_cu_node *const *from, gbl_cu_node *const *to,                     \
       const gbl_cu_edge *edges, size_t count))                                                    \
    X(graph_set_attribute, "cuGraphKernelNodeSetAttribute", 1,                                     \
      (gbl_cu_node * node, int id, const gbl_cu_launch_value *value))                              \
    X(graph_add_copy, "cuGraphAddMemcpyNode", 0,                                                   \
      (gbl_cu_node * *node, gbl_cu_graph * graph, gbl_cu_node *const *after, size_t after_count,   \
       const gbl_cu_copy_3d *copy, gbl_cu_context *context))                                       \
    X(graph_add_fill, "cuGraphAddMemsetNode", 0,                                                   \
      (gbl_cu_node * *node, gbl_cu_graph * graph, gbl_cu_node *const *after, size_t after_count,   \
       const gbl_cu_fill_node *fill, gbl_cu_context *context))                                     \
    X(graph_add_child, "cuGraphAddChildGraphNode", 0,                                              \
      (gbl_cu_node * *node, gbl_cu_graph * graph, gbl_cu_node *const *after, size_t after_count,   \
       gbl_cu_graph *child))                                                                       \
    X(graph_instantiate, "cuGraphInstantiateWithFlags", 1,                                         \
      (gbl_cu_exec * *exec, gbl_cu_graph * graph, unsigned long long flags))                       \
    X(graph_instantiate_old, "cuGraphInstantiate_v2", 1,                                           \
      (gbl_cu_exec * *exec, gbl_cu_graph * graph, gbl_cu_node * *culprit, char *log,               \
       size_t log_bytes))                                                                          \
    X(graph_upload, "cuGraphUpload", 1, (gbl_cu_exec * exec, gbl_cu_stream * stream))              \
    X(graph_launch, "cuGraphLaunch", 0, (gbl_cu_exec * exec, gbl_cu_stream * stream))              \
    X(exec_destroy, "cuGraphExecDestroy", 0, (gbl_cu_exec * exec))

#define GBL_CUDA_FIELD(field, symbol, optional, parameters) int(*field) parameters;
typedef struct gbl_cuda_api {
    GBL_CUDA_FUNCTIONS(GBL_CUDA_FIELD)
} gbl_cuda_api;
#undef GBL_CUDA_FIELD

#endif

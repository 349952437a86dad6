/* cuda_device.h: what the files of the CUDA device share.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *   cuda.c        the list of devices, opening, the table
 *   cuda_load.c   the driver library, errors as sentences, the current context
 *   cuda_memory.c allocations, where a pointer points, copies, fills
 *   cuda_queue.c  queues, the second stream, marks, tasks
 *   cuda_code.c   kernels: build, load, launch
 *   cuda_map.c    tensor maps
 *   cuda_graph.c  recordings as graphs
 *
 * Everything lives in the device's primary context, the one the CUDA runtime uses, so that pointers
 * and streams of cudaMalloc, PyTorch or CuPy work here and ours there. The context is made current
 * around each function and the caller's put back after it.
 */
#ifndef GBL_CUDA_DEVICE_H
#define GBL_CUDA_DEVICE_H

#include <stdatomic.h>
#include "device/device.h"
#include "device/cuda_api.h"
#include "device/nvrtc.h"

typedef struct gbl_cuda_device {
    gbl_device base;
    int handle; /* the driver's CUdevice */
    int major, minor;
    size_t max_pitch;
    gbl_cu_context *context;
    char target[GBL_NVRTC_ARCH_BYTES]; /* what NVRTC compiles for: "sm_90a", or "compute_90" where
                                          PTX must do */
    int target_number; /* 90: it decides what kernels say, not what the GPU could do */
} gbl_cuda_device;

typedef struct gbl_cuda_queue {
    gbl_queue base;
    gbl_cu_stream *own;    /* ours */
    gbl_cu_stream *stream; /* in use: ours or the caller's */
    gbl_cu_event *order;   /* for waits between streams */

    /* The second stream (cuda_queue.c says how it is used). */
    gbl_cu_stream *side;
    gbl_cu_event *before; /* the point before the last launch, if before_known */
    gbl_cu_event *side_done;
    bool before_known;
    bool side_busy; /* side holds work that stream has not been told to wait for */
    int watch;      /* launches left before which `before` is recorded */

    /* A vendor library's handle, made and destroyed by the file that knows it (cublas.c). */
    void *vendor;
    void (*vendor_close)(struct gbl_cuda_queue *queue);
} gbl_cuda_queue;

typedef struct gbl_cuda_code {
    gbl_code base;
    gbl_cu_module *module;
    gbl_cu_function *function;
    void *image; /* a cubin (ELF) or PTX text with its final NUL */
    size_t image_bytes;
    atomic_bool limit_raised;  /* dynamic local memory beyond the plain limit is allowed */
    atomic_bool wide_clusters; /* so are clusters beyond the portable size */
} gbl_cuda_code;

/* A spec checked and turned into what the driver takes. */
typedef struct gbl_cuda_call {
    gbl_cu_function *function;
    unsigned grid[2], group[2], dynamic_bytes, cluster;
    bool cooperative;
    bool early; /* may be made ready while the launch before it runs */
    void *parameters[GBL_MAX_MAPS + GBL_MAX_BUFFERS + 1];
} gbl_cuda_call;

/* ---- cuda_load.c ---- */

#define GBL_CUDA_HOPPER                                                                            \
    90 /* the first target with clusters, tensor maps and kernels that wait themselves */

extern gbl_cuda_api gbl_cuda; /* filled by the first successful gbl_cuda_load */

/* Loads and initialises the driver once in a process; the answer is kept. *version: 13000 for 13.0.
 */
gable_status gbl_cuda_load(int *count, int *version, gbl_message *message);

/* The sentence for a failed driver call. what: "the copy", "cuStreamCreate"... */
gable_status gbl_cuda_fail(int result, const char *what, gbl_message *message);

/* CUDA_TRY(call, what, message): returns from the calling function unless the driver says 0. */
#define CUDA_TRY(call, what, message)                                                              \
    do {                                                                                           \
        const int cuda_result_ = (call);                                                           \
        if (cuda_result_ != 0)                                                                     \
            return gbl_cuda_fail(cuda_result_, what, message);                                     \
    } while (0)

/* Makes the device's context current if it is not; *pushed goes to gbl_cuda_leave. */
gable_status gbl_cuda_enter(const gbl_cuda_device *device, bool *pushed, gbl_message *message);
void gbl_cuda_leave(bool pushed);

/* ---- cuda_memory.c ---- */

gable_status gbl_cuda_alloc(gbl_device *device, size_t bytes, void **address, gbl_message *message);
gable_status gbl_cuda_free(gbl_device *device, void *address, gbl_message *message);
gable_status gbl_cuda_pinned_alloc(gbl_device *device, size_t bytes, void **address,
                                   gbl_message *message);
void gbl_cuda_pinned_free(gbl_device *device, void *address);
gable_status gbl_cuda_pin(gbl_device *device, void *address, size_t bytes, gbl_message *message);
gable_status gbl_cuda_unpin(gbl_device *device, void *address, gbl_message *message);
gbl_where gbl_cuda_where(gbl_device *device, const void *address);
gable_status gbl_cuda_copy(gbl_queue *queue, const gbl_copy_spec *spec, gbl_message *message);
gable_status gbl_cuda_fill(gbl_queue *queue, const gbl_fill_spec *spec, gbl_message *message);

/* How a copy is cut: pieces of `rows` runs each (the last may be shorter), every piece one run of
 * width_bytes (rows of a contiguous copy are joined) or one rectangle the driver takes. */
typedef struct gbl_cuda_cut {
    size_t width_bytes;
    int64_t runs, rows;
} gbl_cuda_cut;
gbl_cuda_cut gbl_cuda_cut_copy(const gbl_cuda_device *device, const gbl_copy_spec *spec);

/* ---- cuda_queue.c ---- */

gable_status gbl_cuda_queue_open(gbl_device *device, gbl_queue **queue, gbl_message *message);
void gbl_cuda_queue_close(gbl_queue *queue);
gable_status gbl_cuda_queue_use(gbl_queue *queue, void *stream, gbl_message *message);
void *gbl_cuda_queue_stream(gbl_queue *queue);
gable_status gbl_cuda_sync(gbl_queue *queue, gbl_message *message);
gable_status gbl_cuda_wait(gbl_queue *queue, gbl_queue *other, gbl_message *message);
gable_status gbl_cuda_task(gbl_queue *queue, const gbl_task_spec *spec, gbl_message *message);
gable_status gbl_cuda_mark_create(gbl_queue *queue, gbl_mark **mark, gbl_message *message);
gable_status gbl_cuda_mark_set(gbl_mark *mark, gbl_message *message);
gable_status gbl_cuda_mark_wait(gbl_mark *mark, gbl_message *message);
gable_status gbl_cuda_mark_wait_until(gbl_mark *mark, double seconds, bool *reached,
                                      gbl_message *message);
gable_status gbl_cuda_mark_seconds(gbl_mark *from, gbl_mark *to, double *seconds,
                                   gbl_message *message);
void gbl_cuda_mark_destroy(gbl_mark *mark);

/* Makes the main stream wait for the second one; called before everything but launches. */
gable_status gbl_cuda_join(gbl_cuda_queue *queue, gbl_message *message);

/* The stream for a launch, which must follow at once. */
gable_status gbl_cuda_launch_stream(gbl_cuda_queue *queue, bool overlap_previous,
                                    gbl_cu_stream **stream, gbl_message *message);

/* ---- cuda_code.c ---- */

gable_status gbl_cuda_build(gbl_device *device, const char *source, const char *const *macros,
                            const char *entry, gbl_code **code, gbl_message *message);
gable_status gbl_cuda_load_image(gbl_device *device, const void *image, size_t image_bytes,
                                 const char *entry, gbl_code **code, gbl_message *message);
gable_status gbl_cuda_image(const gbl_code *code, void **image, size_t *image_bytes,
                            gbl_message *message);
void gbl_cuda_unload(gbl_code *code);
gable_status gbl_cuda_active_clusters(gbl_device *device, const gbl_launch_spec *spec, int *count,
                                      gbl_message *message);
gable_status gbl_cuda_active_groups(gbl_device *device, const gbl_launch_spec *spec, int64_t *count,
                                    gbl_message *message);
gable_status gbl_cuda_launch(gbl_queue *queue, const gbl_launch_spec *spec, gbl_message *message);

/* Checks a spec against the device and fills the call; the pointers in it point into the spec. */
gable_status gbl_cuda_prepare(const gbl_cuda_device *device, const gbl_launch_spec *spec,
                              gbl_cuda_call *call, gbl_message *message);

/* ---- cuda_map.c ---- */

gable_status gbl_cuda_tensor_map(gbl_device *device, const gbl_tensor_map_spec *box,
                                 gbl_tensor_map *map, gbl_message *message);

/* ---- cuda_graph.c ---- */

gable_status gbl_cuda_graph_build(gbl_queue *queue, const gbl_step *steps, int64_t step_count,
                                  gbl_graph **graph, gbl_message *message);
gable_status gbl_cuda_graph_run(gbl_queue *queue, gbl_graph *graph, gbl_message *message);
void gbl_cuda_graph_free(gbl_graph *graph);

#endif

/* opencl_private.h: what the files of the opencl device share.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *   opencl.c         opening, queues, marks, errors, the table
 *   opencl_list.c    the library and the list of its devices
 *   opencl_vendors.c which drivers that library would load
 *   opencl_memory.c  allocations, where a pointer points, copies and fills
 *   opencl_code.c    programs, kernels, launches
 */
#ifndef GBL_OPENCL_PRIVATE_H
#define GBL_OPENCL_PRIVATE_H

#include <pthread.h>
#include "device/device.h"
#include "device/opencl_api.h"

/* One line of the list of devices. A platform that failed has a line without id, so that its reason
 * is seen. */
typedef struct gbl_opencl_listing {
    gbl_cl_device *id;
    gable_device_info info;
    bool is_nvidia; /* NVIDIA's own platform */
    bool is_pocl;
    char platform_version[128];
    char driver_version[64];
} gbl_opencl_listing;

/* One live allocation. */
typedef struct gbl_opencl_region {
    char *start;
    size_t bytes;
    void *raw;   /* what the allocator gave */
    bool pinned; /* host memory of pinned_alloc, else shared virtual memory */
} gbl_opencl_region;

typedef struct gbl_opencl_device {
    gbl_device base;
    gbl_cl_device *id;
    gbl_cl_context *context;
    bool is_nvidia;
    bool rounds_divide;    /* the compiler knows -cl-fp32-correctly-rounded-divide-sqrt */
    bool host_reaches_svm; /* a CPU device with fine-grained memory: no map is needed */
    uint64_t svm_flags;
    uint32_t svm_alignment; /* the largest, up to 256, that the driver grants */

    pthread_rwlock_t regions_lock; /* where() reads it for each pointer of each call */
    gbl_opencl_region *regions;    /* sorted by start */
    size_t region_count, region_capacity;
    uint64_t regions_version; /* another after each change */

    pthread_mutex_t lock; /* guards what follows */
    gbl_code
        *run_copiers[2]; /* kernels that copy strided runs by bytes, by words; built when needed */
    bool marks_probed;
    void *mark_scratch; /* set where a marker has no time: marks are fills of it instead */
} gbl_opencl_device;

typedef struct gbl_opencl_queue {
    gbl_queue base;
    gbl_cl_queue *handle;
} gbl_opencl_queue;

static inline gbl_opencl_device *gbl_opencl_device_of(const gbl_queue *queue)
{
    return (gbl_opencl_device *)queue->device;
}

static inline gbl_cl_queue *gbl_opencl_handle_of(const gbl_queue *queue)
{
    return ((const gbl_opencl_queue *)queue)->handle;
}

/* ---- opencl.c ---- */

/* "CL_INVALID_VALUE", or "unknown error". */
const char *gbl_opencl_error_name(int32_t code);

/* The status and sentence for a call that returned `code`. _wait: for calls that wait for the
 * device, whose code may tell of an earlier kernel. */
gable_status gbl_opencl_fail(const char *call, int32_t code, gbl_message *message);
gable_status gbl_opencl_fail_wait(const gbl_opencl_device *device, const char *call, int32_t code,
                                  gbl_message *message);

/* ---- opencl_list.c ---- */

/* opencl_vendors.c: PoCL is the only driver that the loader would load. Nothing is loaded. */
bool gbl_opencl_only_pocl(void);

gable_status gbl_opencl_count(int *count, gbl_message *message);
/* The line of an index in [0, count); lines never change. */
gable_status gbl_opencl_listed(int index, const gbl_opencl_listing **line, gbl_message *message);
/* A number of 4 or 8 bytes that a device answers; 0 when it does not know the question. */
uint64_t gbl_opencl_number(gbl_cl_device *id, uint32_t what);

/* ---- opencl_memory.c ---- */

/* Finds svm_alignment: refused alignments and exhausted memory look alike later on. */
gable_status gbl_opencl_memory_open(gbl_opencl_device *device, gbl_message *message);
/* Frees what is still allocated, too. */
void gbl_opencl_memory_close(gbl_opencl_device *device);

gable_status gbl_opencl_alloc(gbl_device *device, size_t bytes, void **address,
                              gbl_message *message);
gable_status gbl_opencl_free(gbl_device *device, void *address, gbl_message *message);
gable_status gbl_opencl_pinned_alloc(gbl_device *device, size_t bytes, void **address,
                                     gbl_message *message);
void gbl_opencl_pinned_free(gbl_device *device, void *address);
gbl_where gbl_opencl_where(gbl_device *device, const void *address);
/* All live allocations of shared virtual memory, as the driver gave them, from malloc; and the
 * list's version. NULL without host memory; a list of none is not NULL. */
void **gbl_opencl_allocations(gbl_opencl_device *device, size_t *count, uint64_t *version);
/* The version alone. */
uint64_t gbl_opencl_regions_version(gbl_opencl_device *device);
gable_status gbl_opencl_copy(gbl_queue *queue, const gbl_copy_spec *spec, gbl_message *message);
gable_status gbl_opencl_fill(gbl_queue *queue, const gbl_fill_spec *spec, gbl_message *message);

/* ---- opencl_code.c ---- */

gable_status gbl_opencl_build(gbl_device *device, const char *source, const char *const *macros,
                              const char *entry, gbl_code **code, gbl_message *message);
gable_status gbl_opencl_load(gbl_device *device, const void *image, size_t image_bytes,
                             const char *entry, gbl_code **code, gbl_message *message);
gable_status gbl_opencl_image(const gbl_code *code, void **image, size_t *image_bytes,
                              gbl_message *message);
void gbl_opencl_unload(gbl_code *code);
gable_status gbl_opencl_launch(gbl_queue *queue, const gbl_launch_spec *spec, gbl_message *message);

#endif

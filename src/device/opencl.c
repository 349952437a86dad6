/* opencl.c: the opencl device: opening, queues, marks, errors and the table.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A device has one cl_context; a gbl_queue is one in-order queue with profiling, which costs PoCL
 * 0.1 us of a 1 us enqueue. GPU drivers may hold work back until a flush, so each enqueue on a GPU
 * is flushed; CPU devices start work at once. The list of devices is in opencl_list.c, memory in
 * opencl_memory.c, kernels in opencl_code.c.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "device/opencl_private.h"
#include "device/patience.h"

/* ---- Errors ---- */

const char *gbl_opencl_error_name(int32_t code)
{
#define ERROR_CASE(name, number)                                                                   \
    case number:                                                                                   \
        return #name;
    switch (code) {
        GBL_CL_ERRORS(ERROR_CASE)
    default:
        return "unknown error";
    }
#undef ERROR_CASE
}

gable_status gbl_opencl_fail(const char *call, int32_t code, gbl_message *message)
{
    if (code == GBL_CL_MEM_OBJECT_ALLOCATION_FAILURE || code == GBL_CL_OUT_OF_HOST_MEMORY)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY,
                        "%s returned %s (%d): no %s memory is left; free some", call,
                        gbl_opencl_error_name(code), (int)code,
                        code == GBL_CL_OUT_OF_HOST_MEMORY ? "host" : "device");
    return gbl_fail(message, GABLE_DEVICE_FAILED, "%s returned %s (%d)", call,
                    gbl_opencl_error_name(code), (int)code);
}

gable_status gbl_opencl_fail_wait(const gbl_opencl_device *device, const char *call, int32_t code,
                                  gbl_message *message)
{
    /* What NVIDIA's driver says at the next wait after a kernel touched memory it must not; nothing
     * works in that process's context any more. */
    const bool faulted = code == GBL_CL_OUT_OF_RESOURCES || code == GBL_CL_INVALID_COMMAND_QUEUE ||
                         code == GBL_CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST ||
                         code == GBL_NVIDIA_ILLEGAL_MEMORY_ACCESS;
    if (device->is_nvidia && faulted)
        return gbl_fail(message, GABLE_DEVICE_LOST,
                        "%s returned %s (%d): an earlier kernel on %s failed, most likely by a bad "
                        "address; run again with GABLE_DEBUG=sync to see which one",
                        call, gbl_opencl_error_name(code), (int)code, device->base.info.name);
    return gbl_opencl_fail(call, code, message);
}

/* ---- Opening ---- */

static gable_status opencl_describe(int index, gable_device_info *info, gbl_message *message)
{
    const gbl_opencl_listing *line;
    TRY(gbl_opencl_listed(index, &line, message));
    *info = line->info;
    return GABLE_OK;
}

/* The library's own choice of a device is never PoCL, whatever it runs on. */
static bool is_pocl(int index)
{
    const gbl_opencl_listing *line;
    return gbl_opencl_listed(index, &line, NULL) == GABLE_OK && line->is_pocl;
}

static void name_family(const gbl_opencl_listing *line, char *family, size_t bytes)
{
    snprintf(family, bytes, "%s", line->info.is_gpu ? "gpu" : "opencl-cpu");
    if (line->is_nvidia && line->info.is_gpu) {
        /* cl_nv_device_attribute_query; a driver without it leaves both 0. */
        const int major =
            (int)gbl_opencl_number(line->id, GBL_CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV);
        const int minor =
            (int)gbl_opencl_number(line->id, GBL_CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV);
        if (major > 0)
            snprintf(family, bytes, "opencl-sm_%d%d", major, minor);
    }
}

static void fill_props(const gbl_opencl_listing *line, gbl_props *props)
{
    const gable_device_info *info = &line->info;
    props->is_gpu = info->is_gpu;
    props->guard_operands = true;
    /* May a group trust what groups with earlier tickets wrote? OpenCL C 1.2 does not promise it.
     * NVIDIA: atomics act in the second-level cache, where the dialect's FENCE_DEVICE has put the
     * writes before. PoCL on a CPU: one thread runs a whole group, and atomic_inc is the
     * processor's acquire-release instruction (PoCL 3.1, aarch64: ldaddal or ldaxr/stlxr; x86: a
     * locked one), so the ticket itself orders the writes. Others run the variants with two
     * launches. */
    props->fence_device = line->is_nvidia || (line->is_pocl && !info->is_gpu);
    /* PoCL caches by itself, keyed by more than we can know. */
    props->disk_cache = !line->is_pocl;
    props->max_cluster = 1;
    props->units = info->units;
    const uint64_t vendor = gbl_opencl_number(line->id, GBL_CL_DEVICE_VENDOR_ID);
    props->simd = !info->is_gpu ? 1 : vendor == GBL_CL_VENDOR_AMD ? 64 : 32;
    props->max_group = (int)gbl_opencl_number(line->id, GBL_CL_DEVICE_MAX_WORK_GROUP_SIZE);
    props->max_local_bytes = (size_t)gbl_opencl_number(line->id, GBL_CL_DEVICE_LOCAL_MEM_SIZE);
    props->cache_bytes = (size_t)info->cache_bytes;
    props->memory_bytes = (size_t)info->memory_bytes;
    name_family(line, props->family, sizeof props->family);
    snprintf(props->build_key, sizeof props->build_key, "%.110s | %.80s | %.50s",
             line->platform_version, info->title, line->driver_version);
}

static gable_status opencl_open(int index, gbl_device **device, gbl_message *message)
{
    const gbl_opencl_listing *line;
    TRY(gbl_opencl_listed(index, &line, message));
    if (!line->info.usable)
        return gbl_fail(message, GABLE_NO_DEVICE, "%s (%s) cannot be used: %s", line->info.name,
                        line->info.title, line->info.reason);
    gbl_opencl_device *opened = calloc(1, sizeof *opened);
    if (opened == NULL)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory to open %s", line->info.name);

    gable_status status = GABLE_OK;
    int32_t error = GBL_CL_SUCCESS;
    opened->base.table = &gbl_opencl_table;
    opened->base.info = line->info;
    fill_props(line, &opened->base.props);
    opened->id = line->id;
    opened->is_nvidia = line->is_nvidia;
    opened->rounds_divide = (gbl_opencl_number(line->id, GBL_CL_DEVICE_SINGLE_FP_CONFIG) &
                             GBL_CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0;
    opened->host_reaches_svm =
        !line->info.is_gpu && (gbl_opencl_number(line->id, GBL_CL_DEVICE_SVM_CAPABILITIES) &
                               GBL_CL_DEVICE_SVM_FINE_GRAIN_BUFFER) != 0;
    opened->svm_flags =
        GBL_CL_MEM_READ_WRITE | (opened->host_reaches_svm ? GBL_CL_MEM_SVM_FINE_GRAIN_BUFFER : 0);
    opened->context = gbl_cl.CreateContext(NULL, 1, &opened->id, NULL, NULL, &error);
    if (opened->context == NULL) {
        status =
            gbl_fail(message, GABLE_NO_DEVICE,
                     "%s (%s) could not be opened: clCreateContext returned %s (%d)",
                     line->info.name, line->info.title, gbl_opencl_error_name(error), (int)error);
        goto done;
    }
    status = gbl_opencl_memory_open(opened, message);
    if (status != GABLE_OK)
        goto done;
    pthread_mutex_init(&opened->lock, NULL);
    *device = &opened->base;
done:
    if (status != GABLE_OK) {
        if (opened->context != NULL)
            gbl_cl.ReleaseContext(opened->context);
        free(opened);
    }
    return status;
}

static void opencl_close(gbl_device *device)
{
    gbl_opencl_device *opencl = (gbl_opencl_device *)device;
    if (opencl == NULL)
        return;
    gbl_opencl_unload(opencl->run_copiers[0]);
    gbl_opencl_unload(opencl->run_copiers[1]);
    gbl_opencl_memory_close(opencl);
    pthread_mutex_destroy(&opencl->lock);
    gbl_cl.ReleaseContext(opencl->context);
    free(opencl);
}

/* ---- Queues ---- */

static gable_status opencl_queue_open(gbl_device *device, gbl_queue **queue, gbl_message *message)
{
    const gbl_opencl_device *opencl = (const gbl_opencl_device *)device;
    const uint64_t properties[] = {GBL_CL_QUEUE_PROPERTIES, GBL_CL_QUEUE_PROFILING_ENABLE, 0};
    int32_t error = GBL_CL_SUCCESS;
    gbl_opencl_queue *opened = calloc(1, sizeof *opened);
    if (opened == NULL)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory for a queue");
    opened->base.device = device;
    opened->handle =
        gbl_cl.CreateCommandQueueWithProperties(opencl->context, opencl->id, properties, &error);
    if (opened->handle == NULL) {
        free(opened);
        return gbl_opencl_fail("clCreateCommandQueueWithProperties", error, message);
    }
    *queue = &opened->base;
    return GABLE_OK;
}

static void opencl_queue_close(gbl_queue *queue)
{
    if (queue == NULL)
        return;
    gbl_cl.Finish(gbl_opencl_handle_of(queue));
    gbl_cl.ReleaseCommandQueue(gbl_opencl_handle_of(queue));
    free(queue);
}

static gable_status opencl_queue_use(gbl_queue *queue, void *stream, gbl_message *message)
{
    (void)queue;
    if (stream != NULL)
        return gbl_fail(message, GABLE_NOT_SUPPORTED,
                        "streams of the caller are for cuda devices; OpenCL has none");
    return GABLE_OK;
}

static void *opencl_queue_stream(gbl_queue *queue)
{
    (void)queue;
    return NULL;
}

static gable_status opencl_sync(gbl_queue *queue, gbl_message *message)
{
    const int32_t error = gbl_cl.Finish(gbl_opencl_handle_of(queue));
    return error == GBL_CL_SUCCESS
               ? GABLE_OK
               : gbl_opencl_fail_wait(gbl_opencl_device_of(queue), "clFinish", error, message);
}

static gable_status opencl_wait(gbl_queue *queue, gbl_queue *other, gbl_message *message)
{
    if (queue == other)
        return GABLE_OK;
    if (queue->device != other->device)
        return gbl_fail(message, GABLE_BAD_ARGUMENT,
                        "a queue on %s cannot wait for one on %s; both must be on one device",
                        queue->device->info.name, other->device->info.name);
    gbl_cl_event *reached = NULL;
    const char *call = "clEnqueueMarkerWithWaitList";
    int32_t error =
        gbl_cl.EnqueueMarkerWithWaitList(gbl_opencl_handle_of(other), 0, NULL, &reached);
    if (error == GBL_CL_SUCCESS) {
        /* An event of another queue must be flushed there before it is waited for. */
        call = "clFlush";
        error = gbl_cl.Flush(gbl_opencl_handle_of(other));
        if (error == GBL_CL_SUCCESS) {
            call = "clEnqueueBarrierWithWaitList";
            error =
                gbl_cl.EnqueueBarrierWithWaitList(gbl_opencl_handle_of(queue), 1, &reached, NULL);
        }
        gbl_cl.ReleaseEvent(reached);
    }
    return error == GBL_CL_SUCCESS
               ? GABLE_OK
               : gbl_opencl_fail_wait(gbl_opencl_device_of(queue), call, error, message);
}

/* ---- Marks ---- */

typedef struct opencl_mark {
    gbl_mark base;
    gbl_cl_event *event; /* NULL before the first mark_set */
} opencl_mark;

/* The end of a command on the device's clock, in nanoseconds. */
static int32_t end_time(gbl_cl_event *event, uint64_t *nanoseconds)
{
    return gbl_cl.GetEventProfilingInfo(event, GBL_CL_PROFILING_COMMAND_END, sizeof *nanoseconds,
                                        nanoseconds, NULL);
}

/* A driver may give markers no time. Then a mark is a fill of 16 bytes, which has one. */
static gable_status probe_marks(gbl_opencl_device *device, gbl_message *message)
{
    gbl_queue *queue = NULL;
    gbl_cl_event *event = NULL;
    uint64_t nanoseconds = 0;
    TRY(opencl_queue_open(&device->base, &queue, message));
    gbl_cl_queue *handle = gbl_opencl_handle_of(queue);
    const bool timed =
        gbl_cl.EnqueueMarkerWithWaitList(handle, 0, NULL, &event) == GBL_CL_SUCCESS &&
        gbl_cl.Finish(handle) == GBL_CL_SUCCESS &&
        end_time(event, &nanoseconds) == GBL_CL_SUCCESS && nanoseconds > 0;
    if (event != NULL)
        gbl_cl.ReleaseEvent(event);
    opencl_queue_close(queue);
    if (!timed)
        TRY(gbl_opencl_alloc(&device->base, 16, &device->mark_scratch, message));
    device->marks_probed = true;
    return GABLE_OK;
}

static gable_status opencl_mark_create(gbl_queue *queue, gbl_mark **mark, gbl_message *message)
{
    gbl_opencl_device *device = gbl_opencl_device_of(queue);
    pthread_mutex_lock(&device->lock);
    const gable_status status = device->marks_probed ? GABLE_OK : probe_marks(device, message);
    pthread_mutex_unlock(&device->lock);
    TRY(status);
    opencl_mark *made = calloc(1, sizeof *made);
    if (made == NULL)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory for a mark");
    made->base.queue = queue;
    *mark = &made->base;
    return GABLE_OK;
}

static gable_status opencl_mark_set(gbl_mark *mark, gbl_message *message)
{
    opencl_mark *opencl = (opencl_mark *)mark;
    void *scratch = gbl_opencl_device_of(mark->queue)->mark_scratch;
    gbl_cl_queue *handle = gbl_opencl_handle_of(mark->queue);
    static const unsigned char zeros[16];
    if (opencl->event != NULL)
        gbl_cl.ReleaseEvent(opencl->event);
    opencl->event = NULL;
    int32_t error = scratch == NULL
                        ? gbl_cl.EnqueueMarkerWithWaitList(handle, 0, NULL, &opencl->event)
                        : gbl_cl.EnqueueSVMMemFill(handle, scratch, zeros, sizeof zeros,
                                                   sizeof zeros, 0, NULL, &opencl->event);
    /* The host, or another queue, may wait for it. */
    if (error == GBL_CL_SUCCESS)
        error = gbl_cl.Flush(handle);
    return error == GBL_CL_SUCCESS ? GABLE_OK
                                   : gbl_opencl_fail("setting a mark in the queue", error, message);
}

static gable_status opencl_mark_wait(gbl_mark *mark, gbl_message *message)
{
    const opencl_mark *opencl = (const opencl_mark *)mark;
    if (opencl->event == NULL)
        return GABLE_OK; /* nothing was marked, so nothing is to be waited for */
    const int32_t error = gbl_cl.WaitForEvents(1, &opencl->event);
    return error == GBL_CL_SUCCESS ? GABLE_OK
                                   : gbl_opencl_fail_wait(gbl_opencl_device_of(mark->queue),
                                                          "clWaitForEvents", error, message);
}

/* clWaitForEvents waits for ever. */
static gable_status opencl_mark_wait_until(gbl_mark *mark, double seconds, bool *reached,
                                           gbl_message *message)
{
    const opencl_mark *opencl = (const opencl_mark *)mark;
    gbl_patience patience = gbl_patience_begin(seconds);
    int32_t state = GBL_CL_COMPLETE, error = GBL_CL_SUCCESS;
    *reached = true;
    if (opencl->event == NULL)
        return GABLE_OK;
    do {
        error = gbl_cl.GetEventInfo(opencl->event, GBL_CL_EVENT_COMMAND_EXECUTION_STATUS,
                                    sizeof state, &state, NULL);
        *reached = error != GBL_CL_SUCCESS || state <= GBL_CL_COMPLETE;
    } while (!*reached && gbl_patience_wait(&patience));
    /* A negative state is the error of a command. */
    if (*reached && error == GBL_CL_SUCCESS && state < GBL_CL_COMPLETE)
        error = state;
    return error == GBL_CL_SUCCESS ? GABLE_OK
                                   : gbl_opencl_fail_wait(gbl_opencl_device_of(mark->queue),
                                                          "waiting for a mark", error, message);
}

static gable_status opencl_mark_seconds(gbl_mark *from, gbl_mark *to, double *seconds,
                                        gbl_message *message)
{
    const opencl_mark *first = (const opencl_mark *)from, *last = (const opencl_mark *)to;
    uint64_t begin = 0, end = 0;
    if (first->event == NULL || last->event == NULL)
        return gbl_fail(message, GABLE_BAD_ARGUMENT,
                        "a time was asked between two marks, but the %s one was never set",
                        first->event == NULL ? "first" : "second");
    TRY(opencl_mark_wait(from, message));
    TRY(opencl_mark_wait(to, message));
    int32_t error = end_time(first->event, &begin);
    if (error == GBL_CL_SUCCESS)
        error = end_time(last->event, &end);
    if (error != GBL_CL_SUCCESS)
        return gbl_opencl_fail("clGetEventProfilingInfo", error, message);
    *seconds = 1e-9 * (double)(int64_t)(end - begin);
    return GABLE_OK;
}

static void opencl_mark_destroy(gbl_mark *mark)
{
    opencl_mark *opencl = (opencl_mark *)mark;
    if (opencl == NULL)
        return;
    if (opencl->event != NULL)
        gbl_cl.ReleaseEvent(opencl->event);
    free(opencl);
}

/* OpenCL cannot run a host function in a queue, so there is no task; nor a graph that every driver
 * has, so core replays recordings step by step. */
const gbl_device_table gbl_opencl_table = {
    .kind = "opencl",
    .count = gbl_opencl_count,
    .only_by_name = gbl_opencl_only_pocl,
    .is_only_by_name = is_pocl,
    .describe = opencl_describe,
    .open = opencl_open,
    .close = opencl_close,
    .queue_open = opencl_queue_open,
    .queue_close = opencl_queue_close,
    .queue_use = opencl_queue_use,
    .queue_stream = opencl_queue_stream,
    .sync = opencl_sync,
    .wait = opencl_wait,
    .alloc = gbl_opencl_alloc,
    .free = gbl_opencl_free,
    .pinned_alloc = gbl_opencl_pinned_alloc,
    .pinned_free = gbl_opencl_pinned_free,
    .where = gbl_opencl_where,
    .copy = gbl_opencl_copy,
    .fill = gbl_opencl_fill,
    .build = gbl_opencl_build,
    .load = gbl_opencl_load,
    .image = gbl_opencl_image,
    .unload = gbl_opencl_unload,
    .launch = gbl_opencl_launch,
    .mark_create = opencl_mark_create,
    .mark_set = opencl_mark_set,
    .mark_wait = opencl_mark_wait,
    .mark_wait_until = opencl_mark_wait_until,
    .mark_seconds = opencl_mark_seconds,
    .mark_destroy = opencl_mark_destroy,
};

/* inherited_device.c: devices that the parent of this process opened.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Drivers do not survive a fork: their threads are gone, and what they were told about the process
 * is not true. So a child must not call them, not even to free: memory and queues on the device are
 * the parent's. The contexts in the child are refused before (core/context.c); this table is for
 * what closing them still does.
 */
#include "device/device.h"

gable_status gbl_fail_inherited(const char *kind, gbl_message *message)
{
    return gbl_fail(message, GABLE_NO_DEVICE,
                    "the process that forked this one had used %s, and its driver does not work in "
                    "a child; fork before the first use of %s, start a new program instead (in "
                    "Python: the start method \"spawn\"), or open cpu",
                    kind, kind);
}

static gable_status refuse(gbl_message *message)
{
    return gbl_fail(message, GABLE_DEVICE_LOST,
                    "the device was opened by the process that forked this one");
}

static void no_close(gbl_device *device)
{
    (void)device;
}

static gable_status no_queue_open(gbl_device *device, gbl_queue **queue, gbl_message *message)
{
    (void)device, (void)queue;
    return refuse(message);
}

static void no_queue_close(gbl_queue *queue)
{
    (void)queue;
}

static gable_status no_queue_use(gbl_queue *queue, void *stream, gbl_message *message)
{
    (void)queue, (void)stream;
    return refuse(message);
}

static void *no_queue_stream(gbl_queue *queue)
{
    (void)queue;
    return NULL;
}

static gable_status no_sync(gbl_queue *queue, gbl_message *message)
{
    (void)queue;
    return refuse(message);
}

static gable_status no_wait(gbl_queue *queue, gbl_queue *other, gbl_message *message)
{
    (void)queue, (void)other;
    return refuse(message);
}

static gable_status no_alloc(gbl_device *device, size_t bytes, void **address, gbl_message *message)
{
    (void)device, (void)bytes, (void)address;
    return refuse(message);
}

static gable_status no_free(gbl_device *device, void *address, gbl_message *message)
{
    (void)device, (void)address;
    return refuse(message);
}

static void no_pinned_free(gbl_device *device, void *address)
{
    (void)device, (void)address;
}

static gbl_where no_where(gbl_device *device, const void *address)
{
    (void)device, (void)address;
    return GBL_AT_HOST;
}

static gable_status no_copy(gbl_queue *queue, const gbl_copy_spec *spec, gbl_message *message)
{
    (void)queue, (void)spec;
    return refuse(message);
}

static gable_status no_fill(gbl_queue *queue, const gbl_fill_spec *spec, gbl_message *message)
{
    (void)queue, (void)spec;
    return refuse(message);
}

static gable_status no_build(gbl_device *device, const char *source, const char *const *macros,
                             const char *entry, gbl_code **code, gbl_message *message)
{
    (void)device, (void)source, (void)macros, (void)entry, (void)code;
    return refuse(message);
}

static gable_status no_load(gbl_device *device, const void *image, size_t image_bytes,
                            const char *entry, gbl_code **code, gbl_message *message)
{
    (void)device, (void)image, (void)image_bytes, (void)entry, (void)code;
    return refuse(message);
}

static gable_status no_image(const gbl_code *code, void **image, size_t *image_bytes,
                             gbl_message *message)
{
    (void)code, (void)image, (void)image_bytes;
    return refuse(message);
}

static void no_unload(gbl_code *code)
{
    (void)code;
}

static gable_status no_launch(gbl_queue *queue, const gbl_launch_spec *spec, gbl_message *message)
{
    (void)queue, (void)spec;
    return refuse(message);
}

static gable_status no_tensor_map(gbl_device *device, const gbl_tensor_map_spec *box,
                                  gbl_tensor_map *map, gbl_message *message)
{
    (void)device, (void)box, (void)map;
    return refuse(message);
}

static gable_status no_task(gbl_queue *queue, const gbl_task_spec *spec, gbl_message *message)
{
    (void)queue, (void)spec;
    return refuse(message);
}

static gable_status no_graph_build(gbl_queue *queue, const gbl_step *steps, int64_t step_count,
                                   gbl_graph **graph, gbl_message *message)
{
    (void)queue, (void)steps, (void)step_count, (void)graph;
    return refuse(message);
}

static gable_status no_graph_run(gbl_queue *queue, gbl_graph *graph, gbl_message *message)
{
    (void)queue, (void)graph;
    return refuse(message);
}

static void no_graph_free(gbl_graph *graph)
{
    (void)graph;
}

static gable_status no_mark_create(gbl_queue *queue, gbl_mark **mark, gbl_message *message)
{
    (void)queue, (void)mark;
    return refuse(message);
}

static gable_status no_mark(gbl_mark *mark, gbl_message *message)
{
    (void)mark;
    return refuse(message);
}

static gable_status no_mark_wait_until(gbl_mark *mark, double seconds, bool *reached,
                                       gbl_message *message)
{
    (void)mark, (void)seconds, (void)reached;
    return refuse(message);
}

static gable_status no_pin(gbl_device *device, void *address, size_t bytes, gbl_message *message)
{
    (void)device, (void)address, (void)bytes;
    return refuse(message);
}

static gable_status no_mark_seconds(gbl_mark *from, gbl_mark *to, double *seconds,
                                    gbl_message *message)
{
    (void)from, (void)to, (void)seconds;
    return refuse(message);
}

static void no_mark_destroy(gbl_mark *mark)
{
    (void)mark;
}

#define INHERITED(table)                                                                           \
    {                                                                                              \
        .kind = table, .close = no_close, .queue_open = no_queue_open,                             \
        .queue_close = no_queue_close, .queue_use = no_queue_use, .queue_stream = no_queue_stream, \
        .sync = no_sync, .wait = no_wait, .alloc = no_alloc, .free = no_free,                      \
        .pinned_alloc = no_alloc, .pinned_free = no_pinned_free, .where = no_where,                \
        .copy = no_copy, .fill = no_fill, .build = no_build, .load = no_load, .image = no_image,   \
        .unload = no_unload, .launch = no_launch, .tensor_map = no_tensor_map, .task = no_task,    \
        .graph_build = no_graph_build, .graph_run = no_graph_run, .graph_free = no_graph_free,     \
        .mark_create = no_mark_create, .mark_set = no_mark, .mark_wait = no_mark,                  \
        .mark_wait_until = no_mark_wait_until, .pin = no_pin, .unpin = no_free,                    \
        .mark_seconds = no_mark_seconds, .mark_destroy = no_mark_destroy,                          \
    }

const gbl_device_table *gbl_inherited_table(const gbl_device_table *table)
{
    static const gbl_device_table cuda = INHERITED("cuda"), opencl = INHERITED("opencl");
    return table == &gbl_cuda_table ? &cuda : &opencl;
}

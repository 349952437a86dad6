/* fake_device.c: the fake device's queues, graphs, marks and table.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Deferred work is a list in each queue that is done when somebody waits.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/kernel.h"
#include "fake_device.h"

#define EMULATED_DEVICES   2 /* the second is like a CPU behind OpenCL */
#define HOPPER_UNITS       4 /* few, so that persistent groups take more than one tile */
#define HOPPER_LOCAL_BYTES (227 * 1024)

/* A step with the memory behind its arguments. */
typedef struct work {
    gbl_step step;
    unsigned char args[GBL_MAX_ARGS];
    gbl_tensor_map maps[GBL_MAX_MAPS];
    struct work *next;
} work;

typedef struct fake_queue {
    gbl_queue base;
    work *first, **last; /* deferred work */
} fake_queue;

typedef struct fake_graph {
    gbl_graph base;
    gbl_step *steps;
    int64_t count;
} fake_graph;

typedef struct fake_mark {
    gbl_mark base;
    double seconds;
    bool set;
} fake_mark;

static gbl_device *opened[EMULATED_DEVICES];
static double clock_seconds;
fake_settings fake_set;

/* ---- Queues --------------------------------------------------------------------------------- */

static void do_copy(const gbl_copy_spec *spec)
{
    for (int64_t i = 0; i < spec->runs; i++) {
        char *target = (char *)spec->target + (size_t)i * spec->target_pitch;
        const char *source = (const char *)spec->source + (size_t)i * spec->source_pitch;
        if (spec->direction != GBL_TO_HOST)
            fake_need_memory(target, spec->run_bytes, "the target of a copy");
        if (spec->direction != GBL_TO_DEVICE)
            fake_need_memory(source, spec->run_bytes, "the source of a copy");
        memcpy(target, source, spec->run_bytes);
    }
}

static void do_step(const gbl_step *step)
{
    if (step->kind == GBL_STEP_COPY) {
        do_copy(&step->as.copy);
    } else if (step->kind == GBL_STEP_FILL) {
        fake_need_memory(step->as.fill.target, step->as.fill.bytes, "the target of a fill");
        memset(step->as.fill.target, step->as.fill.value, step->as.fill.bytes);
    } else if (step->kind == GBL_STEP_LAUNCH) {
        const gbl_launch_spec *launch = &step->as.launch;
        for (int i = 0; i < launch->buffer_count; i++)
            if (launch->buffers[i] != NULL || !fake_set.emulated) /* a kernel may not look at all */
                fake_need_memory(launch->buffers[i], 1, launch->name);
        fake_run(((const fake_code *)launch->code)->kernel, launch);
    }
}

static void flush(fake_queue *queue)
{
    while (queue->first != NULL) {
        work *item = queue->first;
        do_step(&item->step);
        queue->first = item->next;
        free(item);
    }
    queue->last = &queue->first;
}

static gable_status enqueue(gbl_queue *base, const gbl_step *step, gbl_message *message)
{
    fake_queue *queue = (fake_queue *)base;
    if (!fake_set.deferred) {
        do_step(step);
        return GABLE_OK;
    }
    work *item = fake_memory(sizeof *item);
    if (item == NULL)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory for deferred work");
    item->step = *step;
    if (step->kind == GBL_STEP_LAUNCH && step->as.launch.args_bytes > 0) {
        memcpy(item->args, step->as.launch.args, step->as.launch.args_bytes);
        item->step.as.launch.args = item->args;
    }
    if (step->kind == GBL_STEP_LAUNCH && step->as.launch.map_count > 0) {
        memcpy(item->maps, step->as.launch.maps,
               (size_t)step->as.launch.map_count * sizeof *item->maps);
        item->step.as.launch.maps = item->maps;
    }
    *queue->last = item;
    queue->last = &item->next;
    return GABLE_OK;
}

static gable_status fake_queue_open(gbl_device *device, gbl_queue **out, gbl_message *message)
{
    if (fake_must_fail(FAKE_QUEUE_OPEN, message))
        return fake_status(FAKE_QUEUE_OPEN);
    fake_queue *queue = fake_memory(sizeof *queue);
    if (queue == NULL)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory for a queue");
    queue->base.device = device;
    queue->last = &queue->first;
    fake_count(&fake_live.queues, 1);
    *out = &queue->base;
    return GABLE_OK;
}

static void fake_queue_close(gbl_queue *queue)
{
    flush((fake_queue *)queue);
    fake_count(&fake_live.queues, -1);
    free(queue);
}

static gable_status fake_sync(gbl_queue *queue, gbl_message *message)
{
    flush((fake_queue *)queue);
    if (fake_set.emulated && fake_faults() > 0)
        return gbl_fail(message, GABLE_DEVICE_FAILED, "%s", fake_first_fault());
    return fake_must_fail(FAKE_SYNC, message) ? fake_status(FAKE_SYNC) : GABLE_OK;
}

static gable_status fake_wait(gbl_queue *queue, gbl_queue *other, gbl_message *message)
{
    if (fake_must_fail(FAKE_WAIT, message))
        return fake_status(FAKE_WAIT);
    if (fake_set.streams)
        flush((fake_queue *)queue); /* one of the legal orders */
    flush((fake_queue *)other);
    return GABLE_OK;
}

static gable_status fake_copy(gbl_queue *queue, const gbl_copy_spec *spec, gbl_message *message)
{
    if (fake_must_fail(FAKE_COPY, message))
        return fake_status(FAKE_COPY);
    const gbl_step step = {.kind = GBL_STEP_COPY, .as.copy = *spec};
    const void *host = spec->direction == GBL_TO_DEVICE ? spec->source
                       : spec->direction == GBL_TO_HOST ? spec->target
                                                        : NULL;
    if (host != NULL && !fake_holds(host)) {
        flush((fake_queue *)queue); /* pageable memory: the copy waits */
        do_step(&step);
        return GABLE_OK;
    }
    return enqueue(queue, &step, message);
}

static gable_status fake_fill(gbl_queue *queue, const gbl_fill_spec *spec, gbl_message *message)
{
    if (fake_must_fail(FAKE_FILL, message))
        return fake_status(FAKE_FILL);
    const gbl_step step = {.kind = GBL_STEP_FILL, .as.fill = *spec};
    return enqueue(queue, &step, message);
}

static _Thread_local fake_geometry last_launch;

fake_geometry fake_last_launch(void)
{
    return last_launch;
}

static gable_status fake_launch(gbl_queue *queue, const gbl_launch_spec *spec, gbl_message *message)
{
    if (fake_must_fail(FAKE_LAUNCH, message))
        return fake_status(FAKE_LAUNCH);
    last_launch = (fake_geometry){.groups = spec->groups[0] * spec->groups[1],
                                  .cluster = spec->cluster > 1 ? spec->cluster : 1};
    const gbl_step step = {.kind = GBL_STEP_LAUNCH, .as.launch = *spec};
    return enqueue(queue, &step, message);
}

/* The map is the box itself. */
static gable_status fake_tensor_map(gbl_device *device, const gbl_tensor_map_spec *box,
                                    gbl_tensor_map *map, gbl_message *message)
{
    (void)device, (void)message;
    _Static_assert(sizeof *box <= sizeof *map, "a map of the fake device holds its box");
    memset(map, 0, sizeof *map);
    memcpy(map, box, sizeof *box);
    return GABLE_OK;
}

static gable_status fake_active_clusters(gbl_device *device, const gbl_launch_spec *spec,
                                         int *count, gbl_message *message)
{
    (void)message;
    *count = spec->cluster > 8 ? 0 : device->props.units / (spec->cluster > 1 ? spec->cluster : 1);
    return GABLE_OK;
}

static gable_status fake_active_groups(gbl_device *device, const gbl_launch_spec *spec,
                                       int64_t *count, gbl_message *message)
{
    (void)spec, (void)message;
    *count = device->props.units;
    return GABLE_OK;
}

/* ---- Graphs and marks ----------------------------------------------------------------------- */

static gable_status fake_graph_build(gbl_queue *queue, const gbl_step *steps, int64_t count,
                                     gbl_graph **out, gbl_message *message)
{
    if (fake_must_fail(FAKE_GRAPH_BUILD, message))
        return fake_status(FAKE_GRAPH_BUILD);
    fake_graph *graph = fake_memory(sizeof *graph);
    gbl_step *copied = fake_memory((size_t)count * sizeof *copied);
    if (graph == NULL || copied == NULL) {
        free(graph);
        free(copied);
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory for a graph");
    }
    memcpy(copied, steps, (size_t)count * sizeof *copied);
    graph->base.device = queue->device;
    graph->steps = copied;
    graph->count = count;
    fake_count(&fake_live.graphs, 1);
    *out = &graph->base;
    return GABLE_OK;
}

/* The second chain of a fork at *step before the first; *step becomes the join. */
static gable_status enqueue_chains(gbl_queue *queue, const fake_graph *graph, int64_t *step,
                                   gbl_message *message)
{
    const int64_t fork = *step;
    int64_t beside = fork + 1;
    while (graph->steps[beside].kind != GBL_STEP_BESIDE)
        beside++;
    for (*step = beside + 1; graph->steps[*step].kind != GBL_STEP_JOIN; ++*step)
        TRY(enqueue(queue, &graph->steps[*step], message));
    for (int64_t i = fork + 1; i < beside; i++)
        TRY(enqueue(queue, &graph->steps[i], message));
    return GABLE_OK;
}

static gable_status fake_graph_run(gbl_queue *queue, gbl_graph *base, gbl_message *message)
{
    const fake_graph *graph = (const fake_graph *)base;
    if (fake_must_fail(FAKE_GRAPH_RUN, message))
        return fake_status(FAKE_GRAPH_RUN);
    for (int64_t i = 0; i < graph->count; i++)
        if (graph->steps[i].kind == GBL_STEP_FORK)
            TRY(enqueue_chains(queue, graph, &i, message));
        else
            TRY(enqueue(queue, &graph->steps[i], message));
    return GABLE_OK;
}

static void fake_graph_free(gbl_graph *base)
{
    fake_graph *graph = (fake_graph *)base;
    fake_count(&fake_live.graphs, -1);
    free(graph->steps);
    free(graph);
}

static gable_status fake_mark_create(gbl_queue *queue, gbl_mark **out, gbl_message *message)
{
    if (fake_must_fail(FAKE_MARK_CREATE, message))
        return fake_status(FAKE_MARK_CREATE);
    fake_mark *mark = fake_memory(sizeof *mark);
    if (mark == NULL)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory for a mark");
    mark->base.queue = queue;
    fake_count(&fake_live.marks, 1);
    *out = &mark->base;
    return GABLE_OK;
}

static gable_status fake_mark_set(gbl_mark *base, gbl_message *message)
{
    fake_mark *mark = (fake_mark *)base;
    if (fake_must_fail(FAKE_MARK_SET, message))
        return fake_status(FAKE_MARK_SET);
    mark->seconds = clock_seconds += 0.5;
    mark->set = true;
    return GABLE_OK;
}

static gable_status fake_mark_wait(gbl_mark *mark, gbl_message *message)
{
    if (!((fake_mark *)mark)->set)
        fake_fault("a mark that was never set is waited for");
    if (fake_must_fail(FAKE_MARK_WAIT, message))
        return fake_status(FAKE_MARK_WAIT);
    flush((fake_queue *)mark->queue);
    return GABLE_OK;
}

static gable_status fake_mark_wait_until(gbl_mark *mark, double seconds, bool *reached,
                                         gbl_message *message)
{
    (void)seconds;
    *reached = true;
    return fake_mark_wait(mark, message);
}

static gable_status fake_mark_seconds(gbl_mark *from, gbl_mark *to, double *seconds,
                                      gbl_message *message)
{
    if (fake_must_fail(FAKE_MARK_SECONDS, message))
        return fake_status(FAKE_MARK_SECONDS);
    if (!((fake_mark *)from)->set || !((fake_mark *)to)->set)
        fake_fault("the time of a mark that was never set");
    flush((fake_queue *)to->queue);
    *seconds = ((fake_mark *)to)->seconds - ((fake_mark *)from)->seconds;
    return GABLE_OK;
}

static void fake_mark_destroy(gbl_mark *mark)
{
    fake_count(&fake_live.marks, -1);
    free(mark);
}

/* ---- The device ----------------------------------------------------------------------------- */

static gable_status fake_device_count(int *count, gbl_message *message)
{
    (void)message;
    *count = fake_set.emulated ? EMULATED_DEVICES : 1;
    return GABLE_OK;
}

static gbl_device_table table;

static gable_status fake_describe(int index, gable_device_info *info, gbl_message *message)
{
    (void)message;
    memset(info, 0, sizeof *info);
    snprintf(info->name, sizeof info->name, "%s:%d", table.kind, index);
    snprintf(info->title, sizeof info->title, "%s",
             !fake_set.emulated ? "host memory that fails on demand"
             : index == 0       ? "kernels as plain C, on a GPU like Hopper"
                                : "kernels as plain C, on a CPU behind OpenCL");
    info->usable = 1;
    info->units = 3;
    return GABLE_OK;
}

static gable_status fake_open(int index, gbl_device **out, gbl_message *message)
{
    if (fake_must_fail(FAKE_OPEN, message))
        return fake_status(FAKE_OPEN);
    gbl_device *device = fake_memory(sizeof *device);
    if (device == NULL)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory for the fake device");
    const bool hopper = fake_set.hopper && index == 0;
    fake_describe(index, &device->info, NULL);
    device->props = (gbl_props){
        .is_gpu = fake_set.is_gpu && index == 0,
        .fence_device = fake_set.fence_device,
        .cooperative = fake_set.emulated && hopper,
        .pinned_is_address = fake_set.pinned_is_address,
        .disk_cache = fake_set.disk_cache,
        .streams = fake_set.streams,
        .image_at_build = fake_set.image_at_build,
        /* The emulated one has no room for more than 8, and says so when it is asked. */
        .max_cluster = !hopper             ? 1
                       : fake_set.emulated ? 16
                                           : 8,
        .max_tensor_maps = hopper ? GBL_MAX_MAPS : 0,
        .units = hopper ? HOPPER_UNITS : 3,
        .simd = hopper ? 32 : 1,
        .max_group = 1024,
        .max_local_bytes = 65536,
        .max_dynamic_local_bytes = hopper ? HOPPER_LOCAL_BYTES : 0,
    };
    device->info.units = device->props.units;
    strcpy(device->props.family, hopper ? "sm_90" : fake_set.emulated ? "opencl-cpu" : "fake");
    device->table = &table;
    snprintf(device->props.build_key, sizeof device->props.build_key, "%s%s",
             fake_set.emulated && index > 0 ? "1 " : "",
             fake_set.build_key != NULL ? fake_set.build_key
             : hopper                   ? "sm_90a fake-1"
                                        : "fake-1");
    if (hopper)
        strcpy(device->info.arch, "sm_90a");
    fake_count(&fake_live.devices, 1);
    *out = opened[index] = device;
    return GABLE_OK;
}

static void fake_close(gbl_device *device)
{
    fake_count(&fake_live.devices, -1);
    for (int i = 0; i < EMULATED_DEVICES; i++)
        if (opened[i] == device)
            opened[i] = NULL;
    free(device);
}

static gbl_device_table table = {
    .kind = "fake",
    .count = fake_device_count,
    .describe = fake_describe,
    .open = fake_open,
    .close = fake_close,
    .queue_open = fake_queue_open,
    .queue_close = fake_queue_close,
    .sync = fake_sync,
    .wait = fake_wait,
    .alloc = fake_alloc,
    .free = fake_free,
    .pinned_alloc = fake_pinned_alloc,
    .pinned_free = fake_pinned_free,
    .where = fake_where,
    .copy = fake_copy,
    .fill = fake_fill,
    .build = fake_build,
    .load = fake_load,
    .image = fake_image,
    .unload = fake_unload,
    .launch = fake_launch,
    .graph_run = fake_graph_run,
    .graph_free = fake_graph_free,
    .mark_create = fake_mark_create,
    .mark_set = fake_mark_set,
    .mark_wait = fake_mark_wait,
    .mark_wait_until = fake_mark_wait_until,
    .mark_seconds = fake_mark_seconds,
    .mark_destroy = fake_mark_destroy,
};

void fake_install(const fake_settings *given)
{
    fake_set = *given;
    fake_books_clear();
    table.kind = fake_set.emulated ? "emulated" : "fake";
    table.tensor_map = fake_set.hopper ? fake_tensor_map : NULL;
    table.active_clusters = fake_set.hopper ? fake_active_clusters : NULL;
    table.active_groups = fake_active_groups;
    table.graph_build = fake_set.graphs ? fake_graph_build : NULL;
    gbl_device_add_table(&table);
}

void fake_remove(void)
{
    for (int i = 0; i < EMULATED_DEVICES; i++)
        if (opened[i] != NULL)
            gbl_kernels_forget(opened[i]);
    gbl_device_add_table(NULL);
}

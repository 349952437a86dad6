/* fake_device.c: the fake device's memory, queues, marks and graphs.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * One lock guards all lists; kernels run outside it. Memory comes from posix_memalign, so that a test
 * that makes malloc fail reaches the library only, and exactly as many bytes as asked, so that the
 * address sanitizer sees an overrun of one byte. Without it each block ends in a pattern.
 */
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/kernel.h"
#include "fake_device.h"

#if defined(__SANITIZE_ADDRESS__)
#define PATTERN_BYTES 0
#else
#define PATTERN_BYTES 64
#endif
#define PATTERN     0xA5
#define MAX_BLOCKS  1024
#define MEMORY_BYTES ((size_t)1 << 32)
#define DEVICE_NAME "fake:0"

typedef struct block {
    char *base;
    size_t bytes;
    bool pinned;
} block;

/* A step with the memory behind its arguments. */
typedef struct work {
    gbl_step step;
    unsigned char args[GBL_MAX_ARGS];
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

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static gbl_device *opened;
static block blocks[MAX_BLOCKS];
static long calls[FAKE_KIND_COUNT];
static fake_kind armed_kind;
static long armed_at; /* 0: nothing is armed */
static bool fired;
static int fault_count;
static char first_fault[512];
static double clock_seconds;
fake_counts fake_live;
fake_settings fake_set;

/* ---- Failures, faults, counts ---------------------------------------------------------------------- */

static const gable_status statuses[] = {
#define STATUS(name, status) status,
    FAKE_KINDS(STATUS)
#undef STATUS
};
static const char *const names[] = {
#define NAME_OF(name, status) #name,
    FAKE_KINDS(NAME_OF)
#undef NAME_OF
};

gable_status fake_status(fake_kind kind)
{
    return statuses[kind];
}

const char *fake_kind_name(fake_kind kind)
{
    return names[kind];
}

void fake_fail(fake_kind kind, int nth)
{
    pthread_mutex_lock(&lock);
    armed_kind = kind;
    armed_at = nth > 0 ? calls[kind] + nth : 0;
    fired = false;
    pthread_mutex_unlock(&lock);
}

bool fake_fired(void)
{
    return fired;
}

bool fake_must_fail(fake_kind kind, gbl_message *message)
{
    pthread_mutex_lock(&lock);
    const bool now = ++calls[kind] == armed_at && kind == armed_kind;
    if (now) {
        fired = true;
        armed_at = 0;
    }
    pthread_mutex_unlock(&lock);
    if (now)
        gbl_fail(message, statuses[kind], "the fake device failed %s on demand", names[kind]);
    return now;
}

long fake_calls(fake_kind kind)
{
    return calls[kind];
}

void fake_fault(const char *format, ...)
{
    pthread_mutex_lock(&lock);
    if (fault_count++ == 0) {
        va_list list;
        va_start(list, format);
        vsnprintf(first_fault, sizeof first_fault, format, list);
        va_end(list);
    }
    pthread_mutex_unlock(&lock);
}

int fake_faults(void)
{
    return fault_count;
}

const char *fake_first_fault(void)
{
    return first_fault;
}

void fake_count(int *count, int change)
{
    pthread_mutex_lock(&lock);
    *count += change;
    pthread_mutex_unlock(&lock);
}

fake_counts fake_alive(void)
{
    return fake_live;
}

void *fake_memory(size_t bytes)
{
    void *memory = NULL;
    if (posix_memalign(&memory, 256, bytes) != 0)
        return NULL;
    memset(memory, 0, bytes);
    return memory;
}

/* ---- Memory ---------------------------------------------------------------------------------------- */

static bool new_block(size_t bytes, bool pinned, void **address)
{
    void *base = NULL;
    if (posix_memalign(&base, 256, bytes + PATTERN_BYTES) != 0)
        return false;
    memset(base, 0xCD, bytes); /* device memory is not zero */
    for (size_t i = 0; i < PATTERN_BYTES; i++)
        ((unsigned char *)base)[bytes + i] = PATTERN;
    pthread_mutex_lock(&lock);
    int slot = 0;
    while (slot < MAX_BLOCKS && blocks[slot].base != NULL)
        slot++;
    if (slot < MAX_BLOCKS) {
        blocks[slot] = (block){base, bytes, pinned};
        ++*(pinned ? &fake_live.pinned : &fake_live.blocks);
    }
    pthread_mutex_unlock(&lock);
    if (slot == MAX_BLOCKS) {
        free(base);
        return false;
    }
    *address = base;
    return true;
}

static void end_block(void *address, bool pinned)
{
    block found = {NULL, 0, false};
    pthread_mutex_lock(&lock);
    for (int i = 0; i < MAX_BLOCKS; i++) {
        if (address != NULL && blocks[i].base == address && blocks[i].pinned == pinned) {
            found = blocks[i];
            blocks[i].base = NULL;
            --*(pinned ? &fake_live.pinned : &fake_live.blocks);
        }
    }
    pthread_mutex_unlock(&lock);
    if (found.base == NULL) {
        fake_fault("%p was freed, which is no live %s", address, pinned ? "pinned block" : "block");
        return;
    }
    for (int i = 0; i < PATTERN_BYTES; i++) {
        if ((unsigned char)found.base[found.bytes + (size_t)i] != PATTERN) {
            fake_fault("byte %d past the end of a block of %zu was overwritten", i, found.bytes);
            break;
        }
    }
    free(found.base);
}

/* The live block that holds bytes at address, or false. */
static bool holding(const void *address, size_t bytes, block *found)
{
    bool is = false;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < MAX_BLOCKS && !is; i++) {
        is = blocks[i].base != NULL && (const char *)address >= blocks[i].base &&
             (const char *)address + bytes <= blocks[i].base + blocks[i].bytes;
        if (is)
            *found = blocks[i];
    }
    pthread_mutex_unlock(&lock);
    return is;
}

static void need_device_memory(const void *address, size_t bytes, const char *what)
{
    block found;
    if (!holding(address, bytes, &found) || (found.pinned && !fake_set.pinned_is_address))
        fake_fault("%s at %p of %zu bytes is no live memory of the device", what, address, bytes);
}

static gable_status fake_alloc(gbl_device *device, size_t bytes, void **address, gbl_message *message)
{
    (void)device;
    if (bytes == 0)
        fake_fault("an allocation of 0 bytes");
    if (fake_must_fail(FAKE_ALLOC, message))
        return statuses[FAKE_ALLOC];
    if (bytes > MEMORY_BYTES || !new_block(bytes, false, address))
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "the fake device has no %zu bytes", bytes);
    return GABLE_OK;
}

static gable_status fake_free(gbl_device *device, void *address, gbl_message *message)
{
    (void)device;
    if (fake_must_fail(FAKE_FREE, message))
        return statuses[FAKE_FREE];
    end_block(address, false);
    return GABLE_OK;
}

static gable_status fake_pinned_alloc(gbl_device *device, size_t bytes, void **address,
                                      gbl_message *message)
{
    (void)device;
    if (fake_must_fail(FAKE_PINNED, message))
        return statuses[FAKE_PINNED];
    if (!new_block(bytes, true, address))
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no %zu bytes of pinned memory", bytes);
    return GABLE_OK;
}

static void fake_pinned_free(gbl_device *device, void *address)
{
    (void)device;
    end_block(address, true);
}

static gbl_where fake_where(gbl_device *device, const void *address)
{
    block found;
    (void)device;
    if (!holding(address, 1, &found))
        return GBL_AT_HOST;
    if (found.pinned)
        return fake_set.pinned_is_address ? GBL_AT_BOTH : GBL_AT_HOST;
    return GBL_AT_DEVICE;
}

/* ---- Queues ---------------------------------------------------------------------------------------- */

static void do_copy(const gbl_copy_spec *spec)
{
    for (int64_t i = 0; i < spec->runs; i++) {
        char *target = (char *)spec->target + (size_t)i * spec->target_pitch;
        const char *source = (const char *)spec->source + (size_t)i * spec->source_pitch;
        if (spec->direction != GBL_TO_HOST)
            need_device_memory(target, spec->run_bytes, "the target of a copy");
        if (spec->direction != GBL_TO_DEVICE)
            need_device_memory(source, spec->run_bytes, "the source of a copy");
        memcpy(target, source, spec->run_bytes);
    }
}

static void do_step(const gbl_step *step)
{
    if (step->kind == GBL_STEP_COPY) {
        do_copy(&step->as.copy);
    } else if (step->kind == GBL_STEP_FILL) {
        need_device_memory(step->as.fill.target, step->as.fill.bytes, "the target of a fill");
        memset(step->as.fill.target, step->as.fill.value, step->as.fill.bytes);
    } else {
        const gbl_launch_spec *launch = &step->as.launch;
        for (int i = 0; i < launch->buffer_count; i++)
            need_device_memory(launch->buffers[i], 1, launch->name);
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
    if (step->kind == GBL_STEP_LAUNCH) {
        memcpy(item->args, step->as.launch.args, step->as.launch.args_bytes);
        item->step.as.launch.args = item->args;
    }
    *queue->last = item;
    queue->last = &item->next;
    return GABLE_OK;
}

static gable_status fake_queue_open(gbl_device *device, gbl_queue **out, gbl_message *message)
{
    if (fake_must_fail(FAKE_QUEUE_OPEN, message))
        return statuses[FAKE_QUEUE_OPEN];
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
    return fake_must_fail(FAKE_SYNC, message) ? statuses[FAKE_SYNC] : GABLE_OK;
}

static gable_status fake_wait(gbl_queue *queue, gbl_queue *other, gbl_message *message)
{
    (void)queue;
    if (fake_must_fail(FAKE_WAIT, message))
        return statuses[FAKE_WAIT];
    flush((fake_queue *)other); /* one of the legal orders */
    return GABLE_OK;
}

static gable_status fake_copy(gbl_queue *queue, const gbl_copy_spec *spec, gbl_message *message)
{
    if (fake_must_fail(FAKE_COPY, message))
        return statuses[FAKE_COPY];
    const gbl_step step = {.kind = GBL_STEP_COPY, .as.copy = *spec};
    const void *host = spec->direction == GBL_TO_DEVICE ? spec->source
                       : spec->direction == GBL_TO_HOST ? spec->target
                                                        : NULL;
    block found;
    if (host != NULL && !holding(host, 1, &found)) {
        flush((fake_queue *)queue); /* pageable memory: the copy waits */
        do_step(&step);
        return GABLE_OK;
    }
    return enqueue(queue, &step, message);
}

static gable_status fake_fill(gbl_queue *queue, const gbl_fill_spec *spec, gbl_message *message)
{
    if (fake_must_fail(FAKE_FILL, message))
        return statuses[FAKE_FILL];
    const gbl_step step = {.kind = GBL_STEP_FILL, .as.fill = *spec};
    return enqueue(queue, &step, message);
}

static gable_status fake_launch(gbl_queue *queue, const gbl_launch_spec *spec, gbl_message *message)
{
    if (fake_must_fail(FAKE_LAUNCH, message))
        return statuses[FAKE_LAUNCH];
    const gbl_step step = {.kind = GBL_STEP_LAUNCH, .as.launch = *spec};
    return enqueue(queue, &step, message);
}

/* ---- Graphs and marks ------------------------------------------------------------------------------ */

static gable_status fake_graph_build(gbl_queue *queue, const gbl_step *steps, int64_t count,
                                     gbl_graph **out, gbl_message *message)
{
    if (fake_must_fail(FAKE_GRAPH_BUILD, message))
        return statuses[FAKE_GRAPH_BUILD];
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

static gable_status fake_graph_run(gbl_queue *queue, gbl_graph *base, gbl_message *message)
{
    const fake_graph *graph = (const fake_graph *)base;
    if (fake_must_fail(FAKE_GRAPH_RUN, message))
        return statuses[FAKE_GRAPH_RUN];
    for (int64_t i = 0; i < graph->count; i++)
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
        return statuses[FAKE_MARK_CREATE];
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
        return statuses[FAKE_MARK_SET];
    mark->seconds = clock_seconds += 0.5;
    mark->set = true;
    return GABLE_OK;
}

static gable_status fake_mark_wait(gbl_mark *mark, gbl_message *message)
{
    if (!((fake_mark *)mark)->set)
        fake_fault("a mark that was never set is waited for");
    if (fake_must_fail(FAKE_MARK_WAIT, message))
        return statuses[FAKE_MARK_WAIT];
    flush((fake_queue *)mark->queue);
    return GABLE_OK;
}

static gable_status fake_mark_seconds(gbl_mark *from, gbl_mark *to, double *seconds,
                                      gbl_message *message)
{
    if (fake_must_fail(FAKE_MARK_SECONDS, message))
        return statuses[FAKE_MARK_SECONDS];
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

/* ---- The device ------------------------------------------------------------------------------------ */

static gable_status fake_device_count(int *count, gbl_message *message)
{
    (void)message;
    *count = 1;
    return GABLE_OK;
}

static gable_status fake_describe(int index, gable_device_info *info, gbl_message *message)
{
    (void)index;
    (void)message;
    memset(info, 0, sizeof *info);
    snprintf(info->name, sizeof info->name, DEVICE_NAME);
    snprintf(info->title, sizeof info->title, "host memory that fails on demand");
    info->usable = 1;
    info->units = 3;
    return GABLE_OK;
}

static gbl_device_table table;

static gable_status fake_open(int index, gbl_device **out, gbl_message *message)
{
    if (fake_must_fail(FAKE_OPEN, message))
        return statuses[FAKE_OPEN];
    gbl_device *device = fake_memory(sizeof *device);
    if (device == NULL)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory for the fake device");
    fake_describe(index, &device->info, NULL);
    device->props = (gbl_props){
        .is_gpu = fake_set.is_gpu,
        .fence_device = fake_set.fence_device,
        .pinned_is_address = fake_set.pinned_is_address,
        .disk_cache = fake_set.disk_cache,
        .image_at_build = fake_set.image_at_build,
        .max_cluster = 1,
        .units = 3,
        .simd = 1,
        .max_group = 1024,
        .max_local_bytes = 65536,
        .family = "fake",
    };
    device->table = &table;
    snprintf(device->props.build_key, sizeof device->props.build_key, "%s",
             fake_set.build_key != NULL ? fake_set.build_key : "fake-1");
    fake_count(&fake_live.devices, 1);
    *out = opened = device;
    return GABLE_OK;
}

static void fake_close(gbl_device *device)
{
    fake_count(&fake_live.devices, -1);
    opened = NULL;
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
    .mark_seconds = fake_mark_seconds,
    .mark_destroy = fake_mark_destroy,
};

void fake_install(const fake_settings *given)
{
    fake_set = *given;
    memset(calls, 0, sizeof calls);
    armed_at = 0;
    fault_count = 0;
    first_fault[0] = '\0';
    table.graph_build = fake_set.graphs ? fake_graph_build : NULL;
    gbl_device_add_table(&table);
}

void fake_remove(void)
{
    if (opened != NULL)
        gbl_kernels_forget(opened);
    gbl_device_add_table(NULL);
}

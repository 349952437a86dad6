/* beside_device.c: the cpu as a device beside the host.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "beside_device.h"
#include "device/device.h"
#include "device/patience.h"

static gbl_device_table table;
static beside_kind armed;
static int armed_at, count_down;
static bool always_armed, blocks_instead;
static atomic_bool fired;
static int hang_at, waits;
static double busy_seconds;
static struct {
    const char *start;
    size_t bytes;
} pinned;

void beside_fail(beside_kind kind, int nth, bool always)
{
    armed = kind;
    armed_at = nth;
    count_down = nth;
    always_armed = always;
    fired = false;
}

bool beside_fired(void)
{
    return fired;
}

void beside_hang(int nth)
{
    hang_at = nth;
    waits = 0;
}

void beside_busy(double seconds)
{
    busy_seconds = seconds;
}

void beside_block(bool blocks)
{
    blocks_instead = blocks;
}

static bool must_fail(beside_kind kind)
{
    if (armed_at == 0 || kind != armed)
        return false;
    if (count_down > 0)
        count_down--;
    const bool now = count_down == 0 && (always_armed || !fired);
    if (now)
        fired = true;
    while (now && blocks_instead)
        pause();
    return now;
}

#define FAIL(kind, status, message)                                                                \
    do {                                                                                           \
        if (must_fail(kind))                                                                       \
            return gbl_fail(message, status, "%s failed on demand", #kind);                        \
    } while (0)

static gable_status queue_open(gbl_device *device, gbl_queue **queue, gbl_message *message)
{
    FAIL(BESIDE_QUEUE, GABLE_DEVICE_FAILED, message);
    return gbl_cpu_table.queue_open(device, queue, message);
}

static gable_status wait_for(gbl_queue *queue, gbl_queue *other, gbl_message *message)
{
    FAIL(BESIDE_WAIT, GABLE_DEVICE_FAILED, message);
    return gbl_cpu_table.wait(queue, other, message);
}

static gable_status alloc_memory(gbl_device *device, size_t bytes, void **address,
                                 gbl_message *message)
{
    FAIL(BESIDE_ALLOC, GABLE_OUT_OF_MEMORY, message);
    return gbl_cpu_table.alloc(device, bytes, address, message);
}

static gable_status alloc_pinned(gbl_device *device, size_t bytes, void **address,
                                 gbl_message *message)
{
    FAIL(BESIDE_PINNED, GABLE_OUT_OF_MEMORY, message);
    return gbl_cpu_table.pinned_alloc(device, bytes, address, message);
}

static gable_status pin(gbl_device *device, void *address, size_t bytes, gbl_message *message)
{
    (void)device, (void)message;
    pinned.start = address;
    pinned.bytes = bytes;
    return GABLE_OK;
}

static gable_status unpin(gbl_device *device, void *address, gbl_message *message)
{
    (void)device;
    if (pinned.start != address)
        return gbl_fail(message, GABLE_BAD_ARGUMENT, "%p is not pinned", address);
    pinned.start = NULL;
    return GABLE_OK;
}

static gbl_where where(gbl_device *device, const void *address)
{
    if (pinned.start != NULL && (const char *)address >= pinned.start &&
        (const char *)address < pinned.start + pinned.bytes)
        return GBL_AT_BOTH;
    return gbl_cpu_table.where(device, address) == GBL_AT_DEVICE ? GBL_AT_DEVICE : GBL_AT_HOST;
}

static gable_status copy(gbl_queue *queue, const gbl_copy_spec *spec, gbl_message *message)
{
    FAIL(BESIDE_COPY, GABLE_DEVICE_FAILED, message);
    return gbl_cpu_table.copy(queue, spec, message);
}

static gable_status task(gbl_queue *queue, const gbl_task_spec *spec, gbl_message *message)
{
    FAIL(BESIDE_TASK, GABLE_DEVICE_FAILED, message);
    return gbl_cpu_table.task(queue, spec, message);
}

static gable_status mark_create(gbl_queue *queue, gbl_mark **mark, gbl_message *message)
{
    FAIL(BESIDE_MARK_CREATE, GABLE_DEVICE_FAILED, message);
    return gbl_cpu_table.mark_create(queue, mark, message);
}

static gable_status mark_set(gbl_mark *mark, gbl_message *message)
{
    FAIL(BESIDE_MARK_SET, GABLE_DEVICE_FAILED, message);
    return gbl_cpu_table.mark_set(mark, message);
}

static gable_status mark_wait_until(gbl_mark *mark, double seconds, bool *reached,
                                    gbl_message *message)
{
    FAIL(BESIDE_MARK_WAIT, GABLE_DEVICE_FAILED, message);
    if (hang_at > 0 && ++waits >= hang_at) {
        *reached = false;
        return GABLE_OK;
    }
    if (busy_seconds > 0) {
        const double before = gbl_host_seconds();
        gbl_patience patience = gbl_patience_begin(seconds < busy_seconds ? seconds : busy_seconds);
        while (gbl_patience_wait(&patience)) {
        }
        busy_seconds -= gbl_host_seconds() - before;
        *reached = busy_seconds <= 0;
        return GABLE_OK;
    }
    return gbl_cpu_table.mark_wait_until(mark, seconds, reached, message);
}

static gable_status describe(int index, gable_device_info *info, gbl_message *message)
{
    TRY(gbl_cpu_table.describe(index, info, message));
    snprintf(info->name, sizeof info->name, "beside:%d", index);
    return GABLE_OK;
}

static gable_status open_device(int index, gbl_device **device, gbl_message *message)
{
    TRY(gbl_cpu_table.open(index, device, message));
    (*device)->table = &table;
    snprintf((*device)->info.name, sizeof(*device)->info.name, "beside:%d", index);
    return GABLE_OK;
}

void beside_install(void)
{
    table = gbl_cpu_table;
    table.kind = "beside";
    table.describe = describe;
    table.open = open_device;
    table.queue_open = queue_open;
    table.wait = wait_for;
    table.alloc = alloc_memory;
    table.pinned_alloc = alloc_pinned;
    table.pin = pin;
    table.unpin = unpin;
    table.where = where;
    table.copy = copy;
    table.task = task;
    table.mark_create = mark_create;
    table.mark_set = mark_set;
    table.mark_wait_until = mark_wait_until;
    beside_fail(BESIDE_QUEUE, 0, false);
    beside_hang(0);
    gbl_device_add_table(&table);
}

void beside_remove(void)
{
    gbl_device_add_table(NULL);
}

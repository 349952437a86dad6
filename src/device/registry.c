/* registry.c: the list of devices, their names, and one shared gbl_device for each.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * An opened device stays open until the process ends: kernels loaded on it serve the next context,
 * and opening again costs far more than the memory it holds. Order of the list is order of
 * preference for the default choice: CUDA GPUs, OpenCL GPUs, the cpu. CPU OpenCL devices and PoCL
 * open only by name; where PoCL is the only driver of OpenCL, the default choice does not load it.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "device/device.h"
#include "device/fork_guard.h"

#define MAX_TABLES  4
#define MAX_DEVICES 64

static const gbl_device_table *tables[MAX_TABLES] = {&gbl_cuda_table, &gbl_opencl_table,
                                                     &gbl_cpu_table, NULL};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    gbl_device *device;
    const gbl_device_table *table;
    int index;
} opened[MAX_DEVICES];

/* In a child of fork: what the parent had opened is not the child's, except on the host. */
static void disown_devices(void)
{
    for (int i = 0; i < MAX_DEVICES; i++) {
        if (opened[i].device != NULL &&
            (opened[i].table == &gbl_cuda_table || opened[i].table == &gbl_opencl_table)) {
            opened[i].device->table = gbl_inherited_table(opened[i].table);
            opened[i].device = NULL;
        }
    }
}
GBL_FORK_GUARD(.lock = &lock, .child = disown_devices)

void gbl_device_add_table(const gbl_device_table *table)
{
    pthread_mutex_lock(&lock);
    for (int i = 0; i < MAX_DEVICES; i++) {
        if (opened[i].device != NULL && opened[i].table == tables[MAX_TABLES - 1]) {
            opened[i].table->close(opened[i].device);
            opened[i].device = NULL;
        }
    }
    tables[MAX_TABLES - 1] = table;
    pthread_mutex_unlock(&lock);
}

/* Entries of one table in the list: its devices, or one that tells why there are none. */
static int entries(const gbl_device_table *table, bool *absent)
{
    int count = 0;
    const gable_status status = table->count(&count, NULL);
    *absent = status != GABLE_OK || count == 0;
    return *absent ? 1 : count;
}

int gbl_device_count(void)
{
    int total = 0;
    for (int t = 0; t < MAX_TABLES && tables[t] != NULL; t++) {
        bool absent;
        total += entries(tables[t], &absent);
    }
    return total;
}

static gable_status describe_all(const gbl_device_table *table, int index, gable_device_info *info,
                                 gbl_message *message)
{
    TRY(table->describe(index, info, message));
    if (table->describe_rest != NULL)
        table->describe_rest(info);
    return GABLE_OK;
}

static void describe_absent(const gbl_device_table *table, gable_device_info *info)
{
    gbl_message why = {NULL, ""};
    int count = 0;
    table->count(&count, &why);
    memset(info, 0, sizeof *info);
    snprintf(info->name, sizeof info->name, "%s", table->kind);
    snprintf(info->title, sizeof info->title, "(none)");
    snprintf(info->reason, sizeof info->reason, "%.500s",
             why.text[0] ? why.text : "no device was found");
}

gable_status gbl_device_describe(int index, gable_device_info *info, gbl_message *message)
{
    for (int t = 0, first = 0; index >= 0 && t < MAX_TABLES && tables[t] != NULL; t++) {
        bool absent;
        const int here = entries(tables[t], &absent);
        if (index < first + here) {
            if (!absent)
                return describe_all(tables[t], index - first, info, message);
            describe_absent(tables[t], info);
            return GABLE_OK;
        }
        first += here;
    }
    return gbl_fail(message, GABLE_BAD_ARGUMENT,
                    "argument 1 (index) is %d; it must be in [0, %d), the number of devices", index,
                    gbl_device_count());
}

void gbl_device_describe_open(const gbl_device *device, gable_device_info *info)
{
    *info = device->info;
    if (device->table->describe_rest != NULL)
        device->table->describe_rest(info);
}

/* Opens or shares the device `index` of a table. */
static gable_status share(const gbl_device_table *table, int index, gbl_device **device,
                          gbl_message *message)
{
    gable_status status = GABLE_OK;
    int slot = -1;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < MAX_DEVICES; i++) {
        if (opened[i].device == NULL) {
            slot = slot < 0 ? i : slot;
        } else if (opened[i].table == table && opened[i].index == index) {
            slot = i;
            break;
        }
    }
    if (slot < 0) {
        status = gbl_fail(message, GABLE_NO_DEVICE, "more than %d devices are open", MAX_DEVICES);
        goto done;
    }
    if (opened[slot].device == NULL) {
        gbl_device *fresh = NULL;
        status = table->open(index, &fresh, message);
        if (status != GABLE_OK)
            goto done;
        opened[slot].device = fresh;
        opened[slot].table = table;
        opened[slot].index = index;
    }
    *device = opened[slot].device;
done:
    pthread_mutex_unlock(&lock);
    return status;
}

/* Names are ASCII: tolower would follow the locale, and the Turkish one has another small I. */
static int lower(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? letter - 'A' + 'a' : letter;
}

static bool contains(const char *text, const char *piece)
{
    const size_t length = strlen(piece);
    for (; *text; text++) {
        size_t i = 0;
        while (i < length && text[i] && lower(text[i]) == lower(piece[i]))
            i++;
        if (i == length)
            return true;
    }
    return false;
}

static gable_status open_named(const char *name, gbl_device **device, gbl_message *message)
{
    const char *colon = strchr(name, ':');
    const size_t kind_length = colon != NULL ? (size_t)(colon - name) : strlen(name);
    const gbl_device_table *table = NULL;
    for (int t = 0; t < MAX_TABLES && tables[t] != NULL; t++)
        if (strlen(tables[t]->kind) == kind_length &&
            strncmp(tables[t]->kind, name, kind_length) == 0)
            table = tables[t];
    if (table == NULL)
        return gbl_fail(
            message, GABLE_NO_DEVICE,
            "there is no device \"%s\"; names are cuda, cuda:0, opencl:0, opencl:pocl (a "
            "piece of the device's name) or cpu, and `gable info` lists them",
            name);

    int count = 0;
    TRY(table->count(&count, message));
    const char *which = colon != NULL ? colon + 1 : "";
    if (which[0] == '\0') {
        /* The first usable one; with none, the first one's reason. */
        for (int i = 0; i < count; i++) {
            gable_device_info info;
            if (table->describe(i, &info, NULL) == GABLE_OK && info.usable)
                return share(table, i, device, message);
        }
        return share(table, 0, device, message);
    }
    char *end;
    const long number = strtol(which, &end, 10);
    if (*end == '\0') {
        if (number < 0 || number >= count)
            return gbl_fail(message, GABLE_NO_DEVICE,
                            "there is no device \"%s\"; %s has %d device%s, counted from 0", name,
                            table->kind, count, count == 1 ? "" : "s");
        return share(table, (int)number, device, message);
    }
    for (int i = 0; i < count; i++) {
        gable_device_info info;
        if (describe_all(table, i, &info, NULL) == GABLE_OK &&
            (contains(info.title, which) || contains(info.driver, which)))
            return share(table, i, device, message);
    }
    return gbl_fail(message, GABLE_NO_DEVICE,
                    "there is no device \"%s\"; no %s device has \"%s\" in its name (`gable info` "
                    "lists them)",
                    name, table->kind, which);
}

gable_status gbl_device_open(const char *name, gbl_device **device, gbl_message *note,
                             gbl_message *message)
{
    if (name != NULL && name[0] != '\0')
        return open_named(name, device, message);

    char passed_over[1024] = "";
    for (int t = 0; t < MAX_TABLES && tables[t] != NULL; t++) {
        int count = 0;
        gbl_message why = {NULL, ""};
        if (tables[t]->only_by_name != NULL && tables[t]->only_by_name())
            continue;
        gable_status status = tables[t]->count(&count, &why);
        for (int i = 0; status == GABLE_OK && i < count; i++) {
            gable_device_info info;
            if (tables[t]->describe(i, &info, &why) != GABLE_OK)
                continue;
            if (!info.is_gpu && tables[t] != &gbl_cpu_table)
                continue;
            if (tables[t]->is_only_by_name != NULL && tables[t]->is_only_by_name(i))
                continue;
            if (!info.usable) {
                gbl_fail(&why, GABLE_NO_DEVICE, "%s", info.reason);
                continue;
            }
            if (share(tables[t], i, device, &why) == GABLE_OK) {
                if (note != NULL)
                    gbl_fail(note, GABLE_OK, "%s", passed_over);
                return GABLE_OK;
            }
        }
        if (why.text[0]) {
            const size_t used = strlen(passed_over);
            snprintf(passed_over + used, sizeof passed_over - used, "%s%s is passed over: %.300s",
                     used ? "; " : "", tables[t]->kind, why.text);
        }
    }
    return gbl_fail(message, GABLE_NO_DEVICE, "no device could be opened: %s", passed_over);
}

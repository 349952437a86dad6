/* roofs.c: what a device can do, kept for the process: measured, else built in, else guessed.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * One table under a lock, with one entry per device class. The file is read at the first question
 * about a class; what another process measures later counts from the next process on.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/data_folder.h"
#include "core/json_line.h"
#include "device/fork_guard.h"
#include "model/roofs_private.h"

#define CLASSES 64
#define GIB     1073741824.0

/* What a class is made of: compared without writing texts. */
typedef struct kept_roofs {
    const char *kind;
    char title[128], arch[32];
    int units, gib;
    gbl_roofs roofs;
} kept_roofs;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
GBL_FORK_GUARD(.lock = &lock)
static kept_roofs kept[CLASSES];
static int kept_count;

const char *gbl_roofs_source_name(gbl_roofs_source source)
{
    static const char *const names[] = {"guessed", "built in", "measured"};
    return names[source];
}

/* ---- Classes ---- */

/* Of GPUs: drivers differ in what they keep of it, by less than half a GiB. A CPU's says nothing of
 * its speed, and OpenCL on CPUs gives now this part of it, now that: 0. */
static int gib_of(const gbl_device *device)
{
    return device->info.is_gpu ? (int)((double)device->info.memory_bytes / GIB + 0.5) : 0;
}

/* A text for use between bars in a JSON string. */
static void plain(const char *from, char *to, size_t bytes)
{
    size_t used = 0;
    for (; *from != '\0' && used + 1 < bytes; from++) {
        const unsigned char c = (unsigned char)*from;
        to[used++] = c < ' ' || c == '"' || c == '\\' || c == '|' ? ' ' : (char)c;
    }
    to[used] = '\0';
}

void gbl_device_class(const gbl_device *device, char *text, size_t text_bytes)
{
    char title[128], arch[32], memory[32] = "";
    plain(device->info.title, title, sizeof title);
    plain(device->info.arch, arch, sizeof arch);
    if (gib_of(device) > 0)
        snprintf(memory, sizeof memory, "%d GiB", gib_of(device));
    snprintf(text, text_bytes, "%s|%s|%s|%d|%s", device->table->kind, title, arch,
             device->info.units, memory);
}

static bool is_class_of(const kept_roofs *entry, const gbl_device *device)
{
    return strcmp(entry->kind, device->table->kind) == 0 &&
           strcmp(entry->title, device->info.title) == 0 &&
           strcmp(entry->arch, device->info.arch) == 0 && entry->units == device->info.units &&
           entry->gib == gib_of(device);
}

/* ---- The table; its functions are called under the lock ---- */

static kept_roofs *find_kept(const gbl_device *device)
{
    for (int i = 0; i < kept_count; i++)
        if (is_class_of(&kept[i], device))
            return &kept[i];
    return NULL;
}

static void put(const gbl_device *device, const gbl_roofs *roofs)
{
    kept_roofs *entry = find_kept(device);
    if (entry == NULL && kept_count == CLASSES)
        return;
    if (entry == NULL) {
        entry = &kept[kept_count++];
        entry->kind = device->table->kind;
        snprintf(entry->title, sizeof entry->title, "%s", device->info.title);
        snprintf(entry->arch, sizeof entry->arch, "%s", device->info.arch);
        entry->units = device->info.units;
        entry->gib = gib_of(device);
    }
    entry->roofs = *roofs;
}

/* The last good line of a class. */
static bool read_stored(const char *device_class, gbl_roofs *roofs)
{
    char path[1024], name[256];
    bool found = false;
    if (!gbl_data_path("roofs.jsonl", path, sizeof path))
        return false;
    char *text = gbl_data_read_own(path);
    for (const char *line = text; line != NULL && *line != '\0';) {
        if (gbl_json_text(line, "device", name, sizeof name) && strcmp(name, device_class) == 0)
            found = gbl_roofs_read(line, GBL_ROOFS_MEASURED, roofs) || found;
        line = strchr(line, '\n');
        line = line != NULL ? line + 1 : NULL;
    }
    free(text);
    return found;
}

bool gbl_roofs_stored(const gbl_device *device, gbl_roofs *roofs)
{
    char name[256];
    gbl_device_class(device, name, sizeof name);
    return read_stored(name, roofs);
}

void gbl_roofs_get(const gbl_device *device, gbl_roofs *roofs)
{
    pthread_mutex_lock(&lock);
    const kept_roofs *entry = find_kept(device);
    if (entry != NULL) {
        *roofs = entry->roofs;
    } else {
        char name[256];
        gbl_device_class(device, name, sizeof name);
        if (!read_stored(name, roofs) && !gbl_roofs_builtin(name, roofs))
            gbl_roofs_guess(device, roofs);
        put(device, roofs);
    }
    pthread_mutex_unlock(&lock);
}

double gbl_roofs_matrix_flops(const gbl_roofs *roofs, gbl_dtype dtype)
{
    const bool in_double = gbl_dtype_real_bytes(dtype) == 8;
    const double rate = in_double ? roofs->matrix_flops : roofs->tf32_flops;
    if (rate > 0)
        return rate;
    return roofs->flops[dtype] * (in_double ? 1 : GBL_TF32_FACTOR);
}

double gbl_roofs_product_flops(const gbl_roofs *roofs, gbl_dtype dtype, int math)
{
    const double plain = roofs->flops[dtype];
    double matrix = 0;
    if (gbl_dtype_real_bytes(dtype) == 8)
        matrix = roofs->matrix_flops;
    else if (dtype == GBL_S && math == GABLE_MATH_TF32X3)
        matrix = roofs->tf32_flops / 3;
    return matrix > plain ? matrix : plain;
}

void gbl_roofs_keep(const gbl_device *device, const gbl_roofs *roofs)
{
    pthread_mutex_lock(&lock);
    put(device, roofs);
    pthread_mutex_unlock(&lock);
}

void gbl_roofs_forget(void)
{
    pthread_mutex_lock(&lock);
    kept_count = 0;
    pthread_mutex_unlock(&lock);
}

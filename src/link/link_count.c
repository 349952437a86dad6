/* link_count.c: the slot of this process in the file of counters.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "link/link_count.h"
#include "link/link_settings.h"

_Atomic(gbl_link_process *) gbl_link_counted;

uint64_t gbl_link_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* The file, if it is one that `gable run` made. */
static gbl_link_counters *map_counters(const char *path)
{
    struct stat about;
    void *map = MAP_FAILED;
    const int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0)
        return NULL;
    if (fstat(file, &about) == 0 && about.st_uid == geteuid() &&
        about.st_size == (off_t)sizeof(gbl_link_counters))
        map = mmap(NULL, sizeof(gbl_link_counters), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (map == MAP_FAILED)
        return NULL;
    gbl_link_counters *const counters = map;
    if (counters->magic == GBL_LINK_COUNTERS_MAGIC && counters->bytes == sizeof *counters)
        return counters;
    munmap(map, sizeof *counters);
    return NULL;
}

static gbl_link_process *take_slot(gbl_link_counters *counters)
{
    const int32_t own = (int32_t)getpid();
    gbl_link_process *slot = NULL;
    for (int i = 0; i < GBL_LINK_COUNTERS_SLOTS && slot == NULL; i++) {
        int32_t free_slot = 0;
        if (atomic_compare_exchange_strong(&counters->processes[i].number, &free_slot, own))
            slot = &counters->processes[i];
    }
    if (slot == NULL)
        return &counters->processes[GBL_LINK_COUNTERS_SLOTS - 1];
    const int file = open("/proc/self/comm", O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
        const ssize_t length = read(file, slot->program, sizeof slot->program - 1);
        if (length > 0)
            slot->program[slot->program[length - 1] == '\n' ? length - 1 : length] = '\0';
        close(file);
    }
    return slot;
}

static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER;
static bool refused; /* the file is not one of counters */

/* A child of fork takes a slot of its own, at its first call. */
static void forget_slot(void)
{
    atomic_store(&gbl_link_counted, NULL);
    atomic_store(&gbl_link_floor, 0);
    pthread_mutex_init(&starting, NULL);
}

static gbl_link_process *start(void)
{
    const char *const path = gbl_link_settings_get()->counters_path;
    pthread_mutex_lock(&starting);
    if (path != NULL && !refused && atomic_load(&gbl_link_counted) == NULL) {
        static bool watching;
        if (!watching)
            watching = pthread_atfork(NULL, NULL, forget_slot) == 0;
        gbl_link_counters *const counters = map_counters(path);
        refused = counters == NULL;
        if (counters != NULL)
            atomic_store(&gbl_link_counted, take_slot(counters));
    }
    pthread_mutex_unlock(&starting);
    return atomic_load(&gbl_link_counted);
}

void gbl_link_count_start(const gbl_link_binding *bound)
{
    const int error = errno;
    if (gbl_link_settings_get()->counters_path != NULL && atomic_load(&gbl_link_counted) == NULL) {
        gbl_link_process *const slot = start();
        if (slot != NULL) {
            snprintf(slot->library, sizeof slot->library, "%s", bound->library);
            atomic_store(&slot->integers, !bound->readable ? 0 : bound->wide ? 64 : 32);
            atomic_store(&slot->threads, bound->threads != NULL ? bound->threads() : 1);
        }
    }
    errno = error;
}

static void keep_largest(gbl_link_cell *cell, const gbl_link_call *call)
{
    const int64_t k = call->k > 0 ? call->k : call->side == GABLE_LEFT ? call->m : call->n;
    const uint64_t packed = gbl_link_pack_sizes(call->m, call->n, k);
    uint64_t known = atomic_load_explicit(&cell->largest, memory_order_relaxed);
    int64_t is[3], was[3];
    gbl_link_unpack_sizes(packed, is);
    do
        gbl_link_unpack_sizes(known, was);
    while (is[0] * is[1] * is[2] > was[0] * was[1] * was[2] &&
           !atomic_compare_exchange_weak(&cell->largest, &known, packed));
}

void gbl_link_count(const gbl_link_call *call, gbl_link_outcome outcome, uint64_t nanoseconds,
                    uint64_t predicted, uint64_t link_bytes)
{
    gbl_link_process *const counted = atomic_load(&gbl_link_counted);
    if (counted == NULL)
        return;
    gbl_link_cell *const cell = &counted->cells[call->routine][call->dtype];
    atomic_fetch_add(&cell->calls[outcome], 1);
    atomic_fetch_add(outcome == GBL_LINK_WAS_OFFLOADED ? &cell->device_time : &cell->cpu_time,
                     nanoseconds);
    atomic_fetch_add(&cell->predicted_time, predicted);
    atomic_fetch_add(&cell->link_bytes, link_bytes);
    keep_largest(cell, call);
}

void gbl_link_count_device(const char *device, uint64_t nanoseconds, const char *reason)
{
    gbl_link_process *const counted = atomic_load(&gbl_link_counted);
    if (counted == NULL)
        return;
    if (device != NULL)
        snprintf(counted->device, sizeof counted->device, "%s", device);
    snprintf(counted->reason, sizeof counted->reason, "%s", reason);
    atomic_fetch_add(&counted->opening_time, nanoseconds);
}

void gbl_link_count_rates(bool measured)
{
    gbl_link_process *const counted = atomic_load(&gbl_link_counted);
    if (counted != NULL && !measured)
        atomic_store(&counted->guessed, 1);
}

/* ---- A process that called nothing ---- */

static int note_object(struct dl_phdr_info *info, size_t info_bytes, void *user)
{
    char *const text = user;
    const char *const slash = info->dlpi_name != NULL ? strrchr(info->dlpi_name, '/') : NULL;
    const char *const name = slash != NULL ? slash + 1 : "";
    const size_t used = strlen(text);
    (void)info_bytes;
    if (strncmp(name, "libgable", 8) != 0 &&
        (strstr(name, "blas") != NULL || strstr(name, "blis") != NULL ||
         strstr(name, "lapack") != NULL || strstr(name, "mkl") != NULL))
        snprintf(text + used, GBL_LINK_COUNTERS_OBJECTS - used, "%s%s", used > 0 ? ", " : "", name);
    return 0;
}

/* At the end of a process that called no entry, where somebody counts: which libraries it had. */
__attribute__((destructor)) static void note_objects(void)
{
    if (gbl_link_settings_get()->counters_path == NULL || atomic_load(&gbl_link_counted) != NULL)
        return;
    gbl_link_process *const slot = start();
    if (slot != NULL)
        dl_iterate_phdr(note_object, slot->objects);
}

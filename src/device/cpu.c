/* cpu.c: the plain CPU as a device: host memory, host threads, no kernels.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Everything runs at once in the calling thread and the team of cpu_team.h, so a queue is always
 * empty and waiting is free. Any host pointer is an address.
 *
 * Memory is not touched when it is allocated: a page is placed near the thread that first writes
 * it, and copies and fills cut their range as the kernels do.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include "device/cpu_blas.h"
#include "device/cpu_regions.h"
#include "device/cpu_team.h"
#include "device/device.h"
#include "device/system_file.h"

#define HUGE_PAGE_BYTES ((size_t)2 << 20)

typedef struct cpu_mark {
    gbl_mark base;
    struct timespec time;
} cpu_mark;

/* ---- what this CPU is ---- */

/* aarch64 gives no name, only numbers: implementer and part (Arm, MIDR_EL1). */
static bool arm_name(char *title, size_t title_bytes)
{
    static const struct {
        unsigned implementer, part;
        const char *name;
    } cores[] = {
        {0x41, 0xd03, "Arm Cortex-A53"},    {0x41, 0xd07, "Arm Cortex-A57"},
        {0x41, 0xd08, "Arm Cortex-A72"},    {0x41, 0xd0b, "Arm Cortex-A76"},
        {0x41, 0xd0c, "Arm Neoverse N1"},   {0x41, 0xd40, "Arm Neoverse V1"},
        {0x41, 0xd49, "Arm Neoverse N2"},   {0x41, 0xd4f, "Arm Neoverse V2"},
        {0x41, 0xd83, "Arm Neoverse V3AE"}, {0x41, 0xd84, "Arm Neoverse V3"},
        {0x41, 0xd8e, "Arm Neoverse N3"},   {0x46, 0x001, "Fujitsu A64FX"},
        {0x43, 0x0af, "Cavium ThunderX2"},  {0x48, 0xd01, "HiSilicon Kunpeng 920"},
        {0xc0, 0xac3, "Ampere AmpereOne"},  {0xc0, 0xac4, "Ampere AmpereOne A"},
    };
    char text[64];
    if (!gbl_read_field("/proc/cpuinfo", "CPU implementer", text, sizeof text))
        return false;
    const unsigned implementer = (unsigned)strtoul(text, NULL, 0);
    if (!gbl_read_field("/proc/cpuinfo", "CPU part", text, sizeof text))
        return false;
    const unsigned part = (unsigned)strtoul(text, NULL, 0);
    for (size_t i = 0; i < sizeof cores / sizeof cores[0]; i++) {
        if (cores[i].implementer == implementer && cores[i].part == part) {
            snprintf(title, title_bytes, "%s", cores[i].name);
            return true;
        }
    }
    snprintf(title, title_bytes, "aarch64 CPU, implementer 0x%02x, part 0x%03x", implementer, part);
    return true;
}

/* The largest cache of CPU 0 that holds data; 0 when the system does not tell. */
static uint64_t last_level_cache(void)
{
    uint64_t largest = 0;
    for (int index = 0; index < 16; index++) {
        char path[96], text[64];
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/type", index);
        if (!gbl_read_line(path, text, sizeof text))
            break;
        if (strcmp(text, "Instruction") == 0)
            continue;
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/size", index);
        if (!gbl_read_line(path, text, sizeof text))
            continue;
        char *unit;
        uint64_t bytes = strtoull(text, &unit, 10);
        bytes *= *unit == 'K' ? 1024u : *unit == 'M' ? 1048576u : 1u;
        largest = bytes > largest ? bytes : largest;
    }
    return largest;
}

static uint64_t memory_of_machine(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
    return pages > 0 && page_bytes > 0 ? (uint64_t)pages * (uint64_t)page_bytes : 0;
}

/* Cores this process may run on, and no more than OpenMP will use. */
static int usable_cores(void)
{
    cpu_set_t allowed;
    const int threads = omp_get_max_threads();
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        return threads;
    const int cores = CPU_COUNT(&allowed);
    return cores > 0 && cores < threads ? cores : threads;
}

static gable_status cpu_count(int *count, gbl_message *message)
{
    (void)message;
    *count = 1;
    return GABLE_OK;
}

/* The BLAS is found and loaded for these words: 5 ms, its threads and their memory. A context waits
 * for that until a call asks which variants fit. */
static void describe_blas(gable_device_info *info)
{
    if (gbl_cpu_blas_get() != NULL)
        snprintf(info->driver, sizeof info->driver, "%.127s", gbl_cpu_blas_name());
    else
        snprintf(info->driver, sizeof info->driver, "no BLAS: %.118s", gbl_cpu_blas_reason());
}

static gable_status cpu_describe(int index, gable_device_info *info, gbl_message *message)
{
    if (index != 0)
        return gbl_fail(message, GABLE_NO_DEVICE, "there is no device cpu:%d; there is one, cpu:0",
                        index);
    memset(info, 0, sizeof *info);
    snprintf(info->name, sizeof info->name, "cpu");
    if (!gbl_read_field("/proc/cpuinfo", "model name", info->title, sizeof info->title) &&
        !arm_name(info->title, sizeof info->title))
        snprintf(info->title, sizeof info->title, "CPU");
    snprintf(info->compiler, sizeof info->compiler, "the library's own C");
    info->usable = 1;
    info->units = usable_cores();
    info->memory_bytes = memory_of_machine();
    info->cache_bytes = last_level_cache();
    return GABLE_OK;
}

static gable_status cpu_open(int index, gbl_device **device, gbl_message *message)
{
    gable_device_info info;
    TRY(cpu_describe(index, &info, message));
    gbl_device *fresh = calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "out of memory: %zu bytes for the device cpu",
                        sizeof *fresh);
    fresh->table = &gbl_cpu_table;
    fresh->info = info;
    fresh->props = (gbl_props){.is_host = true,
                               .pinned_is_address = true,
                               .max_cluster = 1,
                               .units = info.units,
                               .simd = 1,
                               .max_group = 1,
                               .cache_bytes = (size_t)info.cache_bytes,
                               .memory_bytes = (size_t)info.memory_bytes,
                               .family = "cpu",
                               .build_key = "cpu"};
    *device = fresh;
    return GABLE_OK;
}

static void cpu_close(gbl_device *device)
{
    free(device);
}

/* ---- queues: always empty ---- */

static gable_status cpu_queue_open(gbl_device *device, gbl_queue **queue, gbl_message *message)
{
    gbl_queue *fresh = calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "out of memory: %zu bytes for a queue",
                        sizeof *fresh);
    fresh->device = device;
    *queue = fresh;
    return GABLE_OK;
}

static void cpu_queue_close(gbl_queue *queue)
{
    free(queue);
}

static void *cpu_queue_stream(gbl_queue *queue)
{
    (void)queue;
    return NULL;
}

static gable_status cpu_sync(gbl_queue *queue, gbl_message *message)
{
    (void)queue, (void)message;
    return GABLE_OK;
}

static gable_status cpu_wait(gbl_queue *queue, gbl_queue *other, gbl_message *message)
{
    (void)queue, (void)other, (void)message;
    return GABLE_OK;
}

/* ---- memory ---- */

/* Blocks of several huge pages start on one and ask for them: first writes to 160 MiB take 7 ms and
 * not 80 (Neoverse V1, Linux 6.18, 2026-11). A system that will not give them gives small ones. */
static gable_status cpu_pinned_alloc(gbl_device *device, size_t bytes, void **address,
                                     gbl_message *message)
{
    const bool large = bytes >= 2 * HUGE_PAGE_BYTES;
    void *fresh = NULL;
    if (posix_memalign(&fresh, large ? HUGE_PAGE_BYTES : GBL_CPU_LINE, bytes) != 0)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY,
                        "out of memory: %zu bytes could not be allocated; the machine has %" PRIu64
                        " in all",
                        bytes, device->info.memory_bytes);
#ifdef MADV_HUGEPAGE
    if (large)
        madvise(fresh, bytes, MADV_HUGEPAGE);
#endif
    *address = fresh;
    return GABLE_OK;
}

static gable_status cpu_alloc(gbl_device *device, size_t bytes, void **address,
                              gbl_message *message)
{
    TRY(cpu_pinned_alloc(device, bytes, address, message));
    if (*address == NULL || gbl_cpu_regions_add(*address, bytes))
        return GABLE_OK;
    free(*address);
    *address = NULL;
    return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory for the list of allocations");
}

static gable_status cpu_free(gbl_device *device, void *address, gbl_message *message)
{
    (void)device, (void)message;
    gbl_cpu_regions_remove(address);
    free(address);
    return GABLE_OK;
}

static void cpu_pinned_free(gbl_device *device, void *address)
{
    (void)device;
    free(address);
}

static gbl_where cpu_where(gbl_device *device, const void *address)
{
    (void)device;
    return gbl_cpu_regions_hold(address) ? GBL_AT_DEVICE : GBL_AT_BOTH;
}

/* One long run is cut into lines, several runs are dealt out whole. */
static void copy_lines(void *job, int piece, int64_t begin, int64_t end)
{
    (void)piece;
    const gbl_copy_spec *spec = job;
    const size_t first = (size_t)begin;
    memcpy((char *)spec->target + first, (const char *)spec->source + first, (size_t)(end - begin));
}

/* Calls memcpy with a constant length, which is a plain move, where a run is one number. */
static void copy_runs(void *job, int piece, int64_t begin, int64_t end)
{
    (void)piece;
    const gbl_copy_spec *spec = job;
    const size_t target_pitch = spec->target_pitch, source_pitch = spec->source_pitch;
    char *target = (char *)spec->target + (size_t)begin * target_pitch;
    const char *source = (const char *)spec->source + (size_t)begin * source_pitch;
    const int64_t runs = end - begin;
    if (spec->run_bytes == 4) {
        for (int64_t run = 0; run < runs; run++, target += target_pitch, source += source_pitch)
            memcpy(target, source, 4);
    } else if (spec->run_bytes == 8) {
        for (int64_t run = 0; run < runs; run++, target += target_pitch, source += source_pitch)
            memcpy(target, source, 8);
    } else {
        for (int64_t run = 0; run < runs; run++, target += target_pitch, source += source_pitch)
            memcpy(target, source, spec->run_bytes);
    }
}

static gable_status cpu_copy(gbl_queue *queue, const gbl_copy_spec *spec, gbl_message *message)
{
    (void)queue, (void)message;
    gbl_copy_spec job = *spec;
    if (job.runs <= 0 || job.run_bytes == 0 ||
        (job.target == job.source && job.target_pitch == job.source_pitch))
        return GABLE_OK;
    if (job.run_bytes == job.target_pitch && job.run_bytes == job.source_pitch) {
        job.run_bytes *= (size_t)job.runs;
        job.runs = 1;
    }
    if (job.runs == 1)
        gbl_cpu_share((int64_t)job.run_bytes, 1, 2, copy_lines, &job);
    else
        gbl_cpu_share(job.runs, (int64_t)job.run_bytes, 2 * (int64_t)job.run_bytes, copy_runs,
                      &job);
    return GABLE_OK;
}

static void fill_lines(void *job, int piece, int64_t begin, int64_t end)
{
    (void)piece;
    const gbl_fill_spec *spec = job;
    memset((char *)spec->target + begin, spec->value, (size_t)(end - begin));
}

static gable_status cpu_fill(gbl_queue *queue, const gbl_fill_spec *spec, gbl_message *message)
{
    (void)queue, (void)message;
    gbl_fill_spec job = *spec;
    if (job.bytes > 0)
        gbl_cpu_share((int64_t)job.bytes, 1, 1, fill_lines, &job);
    return GABLE_OK;
}

/* ---- work and time ---- */

static gable_status cpu_task(gbl_queue *queue, const gbl_task_spec *spec, gbl_message *message)
{
    return spec->function(queue, NULL, spec->args, message);
}

static gable_status cpu_mark_create(gbl_queue *queue, gbl_mark **mark, gbl_message *message)
{
    cpu_mark *fresh = calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "out of memory: %zu bytes for a mark",
                        sizeof *fresh);
    fresh->base.queue = queue;
    *mark = &fresh->base;
    return GABLE_OK;
}

static gable_status cpu_mark_set(gbl_mark *mark, gbl_message *message)
{
    (void)message;
    clock_gettime(CLOCK_MONOTONIC, &((cpu_mark *)mark)->time);
    return GABLE_OK;
}

static gable_status cpu_mark_wait(gbl_mark *mark, gbl_message *message)
{
    (void)mark, (void)message;
    return GABLE_OK;
}

static gable_status cpu_mark_wait_until(gbl_mark *mark, double seconds, bool *reached,
                                        gbl_message *message)
{
    (void)mark, (void)seconds, (void)message;
    *reached = true;
    return GABLE_OK;
}

static gable_status cpu_mark_seconds(gbl_mark *from, gbl_mark *to, double *seconds,
                                     gbl_message *message)
{
    (void)message;
    const struct timespec a = ((cpu_mark *)from)->time, b = ((cpu_mark *)to)->time;
    *seconds = (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec);
    return GABLE_OK;
}

static void cpu_mark_destroy(gbl_mark *mark)
{
    free(mark);
}

const gbl_device_table gbl_cpu_table = {
    .kind = "cpu",
    .count = cpu_count,
    .describe = cpu_describe,
    .open = cpu_open,
    .describe_rest = describe_blas,
    .close = cpu_close,
    .queue_open = cpu_queue_open,
    .queue_close = cpu_queue_close,
    .queue_stream = cpu_queue_stream,
    .sync = cpu_sync,
    .wait = cpu_wait,
    .alloc = cpu_alloc,
    .free = cpu_free,
    .pinned_alloc = cpu_pinned_alloc,
    .pinned_free = cpu_pinned_free,
    .where = cpu_where,
    .copy = cpu_copy,
    .fill = cpu_fill,
    .task = cpu_task,
    .mark_create = cpu_mark_create,
    .mark_set = cpu_mark_set,
    .mark_wait = cpu_mark_wait,
    .mark_wait_until = cpu_mark_wait_until,
    .mark_seconds = cpu_mark_seconds,
    .mark_destroy = cpu_mark_destroy,
};

/* opencl_memory.c: allocations, where a pointer points, copies and fills of the opencl device.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Device memory is shared virtual memory, so an address is a plain pointer and interior pointers
 * work. A sorted list of the live allocations tells device memory from host memory; OpenCL has no
 * query for that. Memory of pinned_alloc is plain memory, listed too: copies from and to it need
 * not wait, while a copy with any other host memory is done when the call returns.
 *
 * Strided copies, which OpenCL lacks for shared virtual memory:
 *   - a CPU device with fine-grained memory: wait for the queue, then plain copies by the host;
 *   - otherwise the host side is packed into one contiguous piece and a small kernel scatters or
 *     gathers on the device. Mapping the whole range instead would write back the gaps between the
 *     runs, over what another queue may have put there meanwhile.
 * Strided copies with host memory return when done, from pinned memory too.
 */
#include <stdlib.h>
#include <string.h>
#include "device/opencl_private.h"

#define ALIGNMENT 256 /* what gable_alloc promises */

/* Beyond this a run is copied by a call of its own: 256 KiB take 5 us on a 50 GB/s link, which is
 * the cost of that call. */
#define LONG_RUN_BYTES ((size_t)256 << 10)
/* Up to this many runs on the device are copied by calls too, rather than by a kernel that must be
 * compiled first (40 ms on PoCL from its cache, against 3 to 8 us per call). */
#define FEW_RUNS 16
/* Size of the pieces that pass through a temporary: 1 ms of a 50 GB/s link, so that the 10 us of
 * calls a piece needs do not show. */
#define PIECE_BYTES ((size_t)48 << 20)

/* ---- The list of allocations ---- */

/* Index of the first region that starts after `address`. The lock is held. */
static size_t first_after(const gbl_opencl_device *device, const char *address)
{
    size_t low = 0, high = device->region_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if ((uintptr_t)device->regions[middle].start <= (uintptr_t)address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* True, and the region, when the address lies in one. The region is copied: the list may move. */
static bool find_region(gbl_opencl_device *device, const void *address, gbl_opencl_region *found)
{
    bool inside = false;
    pthread_rwlock_rdlock(&device->regions_lock);
    const size_t after = first_after(device, address);
    if (after > 0) {
        *found = device->regions[after - 1];
        inside = (uintptr_t)address - (uintptr_t)found->start < found->bytes;
    }
    pthread_rwlock_unlock(&device->regions_lock);
    return inside;
}

static gable_status add_region(gbl_opencl_device *device, gbl_opencl_region region,
                               gbl_message *message)
{
    gable_status status = GABLE_OK;
    pthread_rwlock_wrlock(&device->regions_lock);
    if (device->region_count == device->region_capacity) {
        const size_t capacity = device->region_capacity > 0 ? 2 * device->region_capacity : 64;
        gbl_opencl_region *larger = realloc(device->regions, capacity * sizeof *larger);
        if (larger == NULL) {
            status = gbl_fail(message, GABLE_OUT_OF_MEMORY,
                              "no host memory for the list of %zu allocations", capacity);
            goto done;
        }
        device->regions = larger;
        device->region_capacity = capacity;
    }
    const size_t place = first_after(device, region.start);
    memmove(device->regions + place + 1, device->regions + place,
            (device->region_count - place) * sizeof *device->regions);
    device->regions[place] = region;
    device->region_count++;
    device->regions_version++;
done:
    pthread_rwlock_unlock(&device->regions_lock);
    return status;
}

/* Takes the region that starts at `address` out of the list. */
static bool take_region(gbl_opencl_device *device, const void *address, bool pinned,
                        gbl_opencl_region *taken)
{
    bool found = false;
    pthread_rwlock_wrlock(&device->regions_lock);
    const size_t after = first_after(device, address);
    if (after > 0 && device->regions[after - 1].start == address &&
        device->regions[after - 1].pinned == pinned) {
        *taken = device->regions[after - 1];
        memmove(device->regions + after - 1, device->regions + after,
                (device->region_count - after) * sizeof *device->regions);
        device->region_count--;
        device->regions_version++;
        found = true;
    }
    pthread_rwlock_unlock(&device->regions_lock);
    return found;
}

void **gbl_opencl_allocations(gbl_opencl_device *device, size_t *count, uint64_t *version)
{
    *count = 0;
    pthread_rwlock_rdlock(&device->regions_lock);
    void **list = malloc((device->region_count + 1) * sizeof *list);
    for (size_t i = 0; list != NULL && i < device->region_count; i++)
        if (!device->regions[i].pinned)
            list[(*count)++] = device->regions[i].raw;
    *version = device->regions_version;
    pthread_rwlock_unlock(&device->regions_lock);
    return list;
}

uint64_t gbl_opencl_regions_version(gbl_opencl_device *device)
{
    pthread_rwlock_rdlock(&device->regions_lock);
    const uint64_t version = device->regions_version;
    pthread_rwlock_unlock(&device->regions_lock);
    return version;
}

gbl_where gbl_opencl_where(gbl_device *device, const void *address)
{
    gbl_opencl_region region;
    return find_region((gbl_opencl_device *)device, address, &region) && !region.pinned
               ? GBL_AT_DEVICE
               : GBL_AT_HOST;
}

/* ---- Allocation ---- */

/* Two threads that allocated at once saw NULL from NVIDIA's driver (580) with 140 GB free; why is
 * not known. One by one it has not been seen since; a refused allocation is still tried again. */
static void *svm_alloc(gbl_opencl_device *device, size_t bytes)
{
    static pthread_mutex_t one_by_one = PTHREAD_MUTEX_INITIALIZER;
    void *raw = NULL;
    pthread_mutex_lock(&one_by_one);
    for (int tries = 0; raw == NULL && tries < 3; tries++)
        raw = gbl_cl.SVMAlloc(device->context, device->svm_flags, bytes, device->svm_alignment);
    pthread_mutex_unlock(&one_by_one);
    return raw;
}

gable_status gbl_opencl_memory_open(gbl_opencl_device *device, gbl_message *message)
{
    void *trial = NULL;
    uint32_t alignment = ALIGNMENT;
    for (; trial == NULL && alignment >= 64; alignment /= 2) {
        trial = gbl_cl.SVMAlloc(device->context, device->svm_flags, ALIGNMENT, alignment);
        device->svm_alignment = alignment;
    }
    if (trial == NULL) {
        device->svm_alignment = 0; /* that of the largest type */
        trial = gbl_cl.SVMAlloc(device->context, device->svm_flags, ALIGNMENT, 0);
    }
    if (trial == NULL)
        return gbl_fail(
            message, GABLE_NO_DEVICE,
            "%s (%s) gives no shared virtual memory (clSVMAlloc of %d bytes returned NULL)",
            device->base.info.name, device->base.info.title, ALIGNMENT);
    gbl_cl.SVMFree(device->context, trial);
    pthread_rwlock_init(&device->regions_lock, NULL);
    return GABLE_OK;
}

static void free_region(gbl_opencl_device *device, const gbl_opencl_region *region)
{
    if (region->pinned)
        free(region->raw);
    else
        gbl_cl.SVMFree(device->context, region->raw);
}

void gbl_opencl_memory_close(gbl_opencl_device *device)
{
    for (size_t i = 0; i < device->region_count; i++)
        free_region(device, &device->regions[i]);
    free(device->regions);
    pthread_rwlock_destroy(&device->regions_lock);
}

gable_status gbl_opencl_alloc(gbl_device *device, size_t bytes, void **address,
                              gbl_message *message)
{
    gbl_opencl_device *opencl = (gbl_opencl_device *)device;
    *address = NULL;
    if (bytes == 0)
        return GABLE_OK;
    /* A driver that grants less than 256 (PoCL 3.1: 128) gives a little more memory instead. */
    const size_t slack = opencl->svm_alignment < ALIGNMENT ? ALIGNMENT : 0;
    void *raw = bytes <= SIZE_MAX - slack ? svm_alloc(opencl, bytes + slack) : NULL;
    if (raw == NULL) {
        /* Asked now, not at open: PoCL's sizes move with the memory of the machine. */
        uint64_t largest = 0, total = 0;
        gbl_cl.GetDeviceInfo(opencl->id, GBL_CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof largest, &largest,
                             NULL);
        gbl_cl.GetDeviceInfo(opencl->id, GBL_CL_DEVICE_GLOBAL_MEM_SIZE, sizeof total, &total, NULL);
        return gbl_fail(
            message, GABLE_OUT_OF_MEMORY,
            "%zu bytes of device memory were asked for; %s (%s) gives at most %llu bytes "
            "in one piece and has %llu bytes in all, part of them in use",
            bytes, device->info.name, device->info.title, (unsigned long long)largest,
            (unsigned long long)total);
    }
    const size_t past = (uintptr_t)raw % ALIGNMENT;
    char *start = (char *)raw + (past > 0 && slack > 0 ? ALIGNMENT - past : 0);
    const gbl_opencl_region region = {.start = start, .bytes = bytes, .raw = raw};
    const gable_status status = add_region(opencl, region, message);
    if (status != GABLE_OK)
        free_region(opencl, &region);
    else
        *address = start;
    return status;
}

gable_status gbl_opencl_free(gbl_device *device, void *address, gbl_message *message)
{
    gbl_opencl_device *opencl = (gbl_opencl_device *)device;
    gbl_opencl_region region;
    if (address == NULL)
        return GABLE_OK;
    if (!take_region(opencl, address, false, &region))
        return gbl_fail(message, GABLE_BAD_ARGUMENT,
                        "the address %p is not the start of an allocation on %s; free what "
                        "gable_alloc gave, once",
                        address, device->info.name);
    free_region(opencl, &region);
    return GABLE_OK;
}

gable_status gbl_opencl_pinned_alloc(gbl_device *device, size_t bytes, void **address,
                                     gbl_message *message)
{
    gbl_opencl_device *opencl = (gbl_opencl_device *)device;
    *address = NULL;
    if (bytes == 0)
        return GABLE_OK;
    void *memory = NULL;
    if (posix_memalign(&memory, 4096, bytes) != 0)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "%zu bytes of host memory could not be had",
                        bytes);
    const gbl_opencl_region region = {
        .start = memory, .bytes = bytes, .raw = memory, .pinned = true};
    const gable_status status = add_region(opencl, region, message);
    if (status != GABLE_OK)
        free(memory);
    else
        *address = memory;
    return status;
}

void gbl_opencl_pinned_free(gbl_device *device, void *address)
{
    gbl_opencl_region region;
    if (address != NULL && take_region((gbl_opencl_device *)device, address, true, &region))
        free_region((gbl_opencl_device *)device, &region);
}

/* ---- Copies ---- */

/* Copies one contiguous piece; waits if told so. */
static gable_status copy_piece(gbl_queue *queue, bool waits, void *target, const void *source,
                               size_t bytes, gbl_message *message)
{
    gbl_cl_queue *handle = gbl_opencl_handle_of(queue);
    int32_t error = gbl_cl.EnqueueSVMMemcpy(handle, waits, target, source, bytes, 0, NULL, NULL);
    if (error == GBL_CL_SUCCESS && !waits && queue->device->props.is_gpu)
        error = gbl_cl.Flush(handle);
    if (error != GBL_CL_SUCCESS)
        return gbl_opencl_fail_wait(gbl_opencl_device_of(queue), "clEnqueueSVMMemcpy", error,
                                    message);
    return GABLE_OK;
}

static gable_status copy_each_run(gbl_queue *queue, bool waits, const gbl_copy_spec *spec,
                                  gbl_message *message)
{
    for (int64_t i = 0; i < spec->runs; i++)
        TRY(copy_piece(queue, waits, (char *)spec->target + (size_t)i * spec->target_pitch,
                       (const char *)spec->source + (size_t)i * spec->source_pitch, spec->run_bytes,
                       message));
    return GABLE_OK;
}

static void copy_runs_on_host(const gbl_copy_spec *spec)
{
    for (int64_t i = 0; i < spec->runs; i++)
        memcpy((char *)spec->target + (size_t)i * spec->target_pitch,
               (const char *)spec->source + (size_t)i * spec->source_pitch, spec->run_bytes);
}

/* Work-items along x walk along a run, those along y from run to run. Not in kernels/: a device
 * must be able to copy before, and without, the kernel cache above it. */
static const char copier_source[] =
    "typedef struct { long target_pitch, source_pitch, words, runs; } copier_args;\n"
    "__kernel void copy_runs(__global WORD *target, __global const WORD *source,\n"
    "                        const copier_args args)\n"
    "{\n"
    "    for (long run = get_global_id(1); run < args.runs; run += get_global_size(1))\n"
    "        for (long i = get_global_id(0); i < args.words; i += get_global_size(0))\n"
    "            target[run * args.target_pitch + i] = source[run * args.source_pitch + i];\n"
    "}\n";

typedef struct copier_args {
    int64_t target_pitch, source_pitch, words, runs; /* a word is 1 or 4 bytes */
} copier_args;

/* Builds the copier at its first use; later calls find it. */
static gable_status get_copier(gbl_opencl_device *device, bool wide, const gbl_code **code,
                               gbl_message *message)
{
    static const char *const macros[2][2] = {{"WORD=uchar", NULL}, {"WORD=uint", NULL}};
    gable_status status = GABLE_OK;
    pthread_mutex_lock(&device->lock);
    if (device->run_copiers[wide] == NULL)
        status = gbl_opencl_build(&device->base, copier_source, macros[wide], "copy_runs",
                                  &device->run_copiers[wide], message);
    *code = device->run_copiers[wide];
    pthread_mutex_unlock(&device->lock);
    return status;
}

/* Enqueues the kernel that copies strided runs within device memory. */
static gable_status launch_copier(gbl_queue *queue, const gbl_copy_spec *spec, gbl_message *message)
{
    enum { GROUP = 64, MAX_GROUPS = 1024 }; /* 64 lanes fit every device; 1024 groups fill it */
    const bool wide = ((uintptr_t)spec->target | (uintptr_t)spec->source | spec->target_pitch |
                       spec->source_pitch | spec->run_bytes) %
                          4 ==
                      0;
    const size_t word_bytes = wide ? 4 : 1;
    const copier_args args = {.target_pitch = (int64_t)(spec->target_pitch / word_bytes),
                              .source_pitch = (int64_t)(spec->source_pitch / word_bytes),
                              .words = (int64_t)(spec->run_bytes / word_bytes),
                              .runs = spec->runs};
    gbl_launch_spec launch = {.name = "copy_runs",
                              .buffer_count = 2,
                              .buffers = {spec->target, spec->source},
                              .args = &args,
                              .args_bytes = sizeof args};
    TRY(get_copier(gbl_opencl_device_of(queue), wide, &launch.code, message));

    int along = 1; /* short runs share a group */
    while (along < GROUP && along < args.words)
        along *= 2;
    launch.group[0] = along;
    launch.group[1] = GROUP / along;
    const int64_t length[2] = {args.words, args.runs};
    for (int i = 0; i < 2; i++) {
        launch.groups[i] = (length[i] + launch.group[i] - 1) / launch.group[i];
        if (launch.groups[i] > MAX_GROUPS)
            launch.groups[i] = MAX_GROUPS;
    }
    return gbl_opencl_launch(queue, &launch, message);
}

/* One piece of a strided copy with host memory: through `packed` (host) where the host side has
 * gaps, through `gathered` (device) where the device side has. NULL: that side is contiguous. */
static gable_status stage_piece(gbl_queue *queue, const gbl_copy_spec *piece, void *packed,
                                void *gathered, gbl_message *message)
{
    const size_t bytes = (size_t)piece->runs * piece->run_bytes;
    gbl_copy_spec outer = *piece, inner = *piece;
    if (piece->direction == GBL_TO_DEVICE) {
        if (packed != NULL) {
            outer.target = packed;
            outer.target_pitch = piece->run_bytes;
            copy_runs_on_host(&outer);
        }
        TRY(copy_piece(queue, true, gathered != NULL ? gathered : piece->target,
                       packed != NULL ? packed : piece->source, bytes, message));
        if (gathered != NULL) {
            inner.source = gathered;
            inner.source_pitch = piece->run_bytes;
            TRY(launch_copier(queue, &inner, message));
        }
        return GABLE_OK;
    }
    if (gathered != NULL) {
        inner.target = gathered;
        inner.target_pitch = piece->run_bytes;
        TRY(launch_copier(queue, &inner, message));
    }
    TRY(copy_piece(queue, true, packed != NULL ? packed : piece->target,
                   gathered != NULL ? gathered : piece->source, bytes, message));
    if (packed != NULL) {
        outer.source = packed;
        outer.source_pitch = piece->run_bytes;
        copy_runs_on_host(&outer);
    }
    return GABLE_OK;
}

static gable_status copy_staged(gbl_queue *queue, const gbl_copy_spec *spec, gbl_message *message)
{
    gbl_opencl_device *device = gbl_opencl_device_of(queue);
    const bool to_device = spec->direction == GBL_TO_DEVICE;
    const size_t host_pitch = to_device ? spec->source_pitch : spec->target_pitch;
    const size_t device_pitch = to_device ? spec->target_pitch : spec->source_pitch;
    int64_t at_once = (int64_t)(PIECE_BYTES / spec->run_bytes); /* runs are below LONG_RUN_BYTES */
    if (at_once > spec->runs)
        at_once = spec->runs;
    const size_t bytes = (size_t)at_once * spec->run_bytes;

    gable_status status = GABLE_OK;
    void *packed = NULL, *gathered = NULL;
    if (host_pitch != spec->run_bytes) {
        packed = malloc(bytes);
        if (packed == NULL) {
            status = gbl_fail(message, GABLE_OUT_OF_MEMORY,
                              "no %zu bytes of host memory to pack a strided copy", bytes);
            goto done;
        }
    }
    if (device_pitch != spec->run_bytes) {
        status = gbl_opencl_alloc(&device->base, bytes, &gathered, message);
        if (status != GABLE_OK)
            goto done;
    }
    gbl_copy_spec piece = *spec;
    for (int64_t run = 0; status == GABLE_OK && run < spec->runs; run += at_once) {
        piece.target = (char *)spec->target + (size_t)run * spec->target_pitch;
        piece.source = (const char *)spec->source + (size_t)run * spec->source_pitch;
        piece.runs = spec->runs - run < at_once ? spec->runs - run : at_once;
        status = stage_piece(queue, &piece, packed, gathered, message);
    }
done:
    if (gathered != NULL) {
        /* The last kernel may still read it, also after a failure. */
        const int32_t error = gbl_cl.Finish(gbl_opencl_handle_of(queue));
        if (error != GBL_CL_SUCCESS && status == GABLE_OK)
            status = gbl_opencl_fail_wait(device, "clFinish", error, message);
        gbl_opencl_free(&device->base, gathered, NULL);
    }
    free(packed);
    return status;
}

gable_status gbl_opencl_copy(gbl_queue *queue, const gbl_copy_spec *spec, gbl_message *message)
{
    gbl_opencl_device *device = gbl_opencl_device_of(queue);
    if (spec->runs <= 0 || spec->run_bytes == 0)
        return GABLE_OK;

    const bool on_device = spec->direction == GBL_ON_DEVICE;
    const void *host = spec->direction == GBL_TO_DEVICE ? spec->source : spec->target;
    gbl_opencl_region region;
    const bool waits = !on_device && !(find_region(device, host, &region) && region.pinned);
    if (spec->runs == 1 ||
        (spec->target_pitch == spec->run_bytes && spec->source_pitch == spec->run_bytes))
        return copy_piece(queue, waits, spec->target, spec->source,
                          (size_t)spec->runs * spec->run_bytes, message);
    if (on_device)
        return spec->runs <= FEW_RUNS ? copy_each_run(queue, false, spec, message)
                                      : launch_copier(queue, spec, message);
    if (device->host_reaches_svm) {
        const int32_t error = gbl_cl.Finish(gbl_opencl_handle_of(queue));
        if (error != GBL_CL_SUCCESS)
            return gbl_opencl_fail_wait(device, "clFinish", error, message);
        copy_runs_on_host(spec);
        return GABLE_OK;
    }
    if (spec->run_bytes >= LONG_RUN_BYTES)
        return copy_each_run(queue, waits, spec, message);
    return copy_staged(queue, spec, message);
}

gable_status gbl_opencl_fill(gbl_queue *queue, const gbl_fill_spec *spec, gbl_message *message)
{
    gbl_cl_queue *handle = gbl_opencl_handle_of(queue);
    if (spec->bytes == 0)
        return GABLE_OK;
    /* A GPU stores wide patterns faster; OpenCL wants start and length to be multiples of them.
     * PoCL makes a memset of a single byte (50 GB/s on two cores, against 34 with 16 bytes). */
    unsigned char pattern[16];
    memset(pattern, spec->value, sizeof pattern);
    size_t width = queue->device->props.is_gpu ? sizeof pattern : 1;
    while (((uintptr_t)spec->target | spec->bytes) % width != 0)
        width /= 2;
    int32_t error =
        gbl_cl.EnqueueSVMMemFill(handle, spec->target, pattern, width, spec->bytes, 0, NULL, NULL);
    if (error == GBL_CL_SUCCESS && queue->device->props.is_gpu)
        error = gbl_cl.Flush(handle);
    if (error != GBL_CL_SUCCESS)
        return gbl_opencl_fail("clEnqueueSVMMemFill", error, message);
    return GABLE_OK;
}

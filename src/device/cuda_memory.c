/* cuda_memory.c: CUDA memory: allocations, where a pointer points, copies and fills.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * With unified addressing a pointer says by itself where it points, so a contiguous copy needs no
 * direction. Strided copies are rectangles to the driver, as long as it accepts the pitch.
 */
#include "device/cuda_device.h"

/* Rows of one rectangle. The driver states no limit; this keeps every count far inside 32 bits, and
 * one more call every 16 million rows costs nothing. */
#define MAX_ROWS ((int64_t)1 << 24)

static gbl_cuda_device *cuda_of(gbl_device *device)
{
    return (gbl_cuda_device *)device;
}

static gable_status fail_memory(int result, const char *what, size_t bytes, gbl_message *message)
{
    size_t free_bytes = 0, total_bytes = 0;
    if (result != CU_OUT_OF_MEMORY || gbl_cuda.memory_info(&free_bytes, &total_bytes) != 0)
        return gbl_cuda_fail(result, what, message);
    return gbl_fail(
        message, GABLE_OUT_OF_MEMORY,
        "%s of %zu bytes failed: the device has %zu bytes free of %zu; free some or use a "
        "smaller problem",
        what, bytes, free_bytes, total_bytes);
}

gable_status gbl_cuda_alloc(gbl_device *device, size_t bytes, void **address, gbl_message *message)
{
    bool pushed;
    gable_status status = GABLE_OK;
    gbl_cu_address made = 0;
    *address = NULL;
    if (bytes == 0)
        return GABLE_OK;
    TRY(gbl_cuda_enter(cuda_of(device), &pushed, message));
    const int result = gbl_cuda.memory_alloc(&made, bytes);
    if (result != 0)
        status = fail_memory(result, "an allocation", bytes, message);
    else
        *address = (void *)made;
    gbl_cuda_leave(pushed);
    return status;
}

gable_status gbl_cuda_free(gbl_device *device, void *address, gbl_message *message)
{
    bool pushed;
    gable_status status = GABLE_OK;
    if (address == NULL)
        return GABLE_OK;
    TRY(gbl_cuda_enter(cuda_of(device), &pushed, message));
    const int result = gbl_cuda.memory_free((gbl_cu_address)address);
    if (result != 0)
        status = gbl_cuda_fail(result, "freeing device memory", message);
    gbl_cuda_leave(pushed);
    return status;
}

gable_status gbl_cuda_pinned_alloc(gbl_device *device, size_t bytes, void **address,
                                   gbl_message *message)
{
    bool pushed;
    gable_status status = GABLE_OK;
    *address = NULL;
    if (bytes == 0)
        return GABLE_OK;
    TRY(gbl_cuda_enter(cuda_of(device), &pushed, message));
    const int result = gbl_cuda.host_alloc(address, bytes, CU_HOST_PORTABLE_AND_MAPPED);
    if (result == CU_OUT_OF_MEMORY)
        status =
            gbl_fail(message, GABLE_OUT_OF_MEMORY,
                     "%zu bytes of pinned host memory cannot be had; free host memory or raise "
                     "the limit of locked memory (ulimit -l)",
                     bytes);
    else if (result != 0)
        status = gbl_cuda_fail(result, "allocating pinned host memory", message);
    if (status != GABLE_OK)
        *address = NULL;
    gbl_cuda_leave(pushed);
    return status;
}

void gbl_cuda_pinned_free(gbl_device *device, void *address)
{
    bool pushed;
    if (address == NULL || gbl_cuda_enter(cuda_of(device), &pushed, NULL) != GABLE_OK)
        return;
    gbl_cuda.host_free(address);
    gbl_cuda_leave(pushed);
}

gable_status gbl_cuda_pin(gbl_device *device, void *address, size_t bytes, gbl_message *message)
{
    bool pushed;
    gable_status status = GABLE_OK;
    TRY(gbl_cuda_enter(cuda_of(device), &pushed, message));
    const int result = gbl_cuda.host_register(address, bytes, CU_HOST_PORTABLE_AND_MAPPED);
    if (result == CU_OUT_OF_MEMORY)
        status = gbl_fail(message, GABLE_OUT_OF_MEMORY,
                          "%zu bytes at %p cannot be pinned; free host memory or raise the limit "
                          "of locked memory (ulimit -l)",
                          bytes, address);
    else if (result != 0)
        status = gbl_cuda_fail(result, "pinning host memory", message);
    gbl_cuda_leave(pushed);
    return status;
}

gable_status gbl_cuda_unpin(gbl_device *device, void *address, gbl_message *message)
{
    bool pushed;
    gable_status status = GABLE_OK;
    TRY(gbl_cuda_enter(cuda_of(device), &pushed, message));
    const int result = gbl_cuda.host_unregister(address);
    if (result != 0)
        status = gbl_cuda_fail(result, "unpinning host memory", message);
    gbl_cuda_leave(pushed);
    return status;
}

gbl_where gbl_cuda_where(gbl_device *device, const void *address)
{
    /* The call for several attributes answers zeros for memory that CUDA does not know, where the
     * one for a single attribute fails, which checkers report as an error of the program. */
    static const int asked[] = {CU_POINTER_MEMORY_TYPE, CU_POINTER_IS_MANAGED};
    unsigned type = 0, managed = 0; /* managed: the driver writes one byte, the lowest */
    void *answers[] = {&type, &managed};
    bool pushed;
    if (address == NULL || gbl_cuda_enter(cuda_of(device), &pushed, NULL) != GABLE_OK)
        return GBL_AT_HOST;
    const int result =
        gbl_cuda.pointer_attributes(2, (int *)asked, answers, (gbl_cu_address)address);
    gbl_cuda_leave(pushed);
    if (result != 0 || type == 0)
        return GBL_AT_HOST;
    return type == CU_MEMORY_DEVICE && (managed & 0xff) == 0 ? GBL_AT_DEVICE : GBL_AT_BOTH;
}

gbl_cuda_cut gbl_cuda_cut_copy(const gbl_cuda_device *device, const gbl_copy_spec *spec)
{
    gbl_cuda_cut cut = {spec->run_bytes, spec->runs, 1};
    const bool joined = spec->runs <= 1 || (spec->target_pitch == spec->run_bytes &&
                                            spec->source_pitch == spec->run_bytes);
    if (spec->run_bytes == 0 || spec->runs <= 0) {
        cut.runs = 0;
    } else if (joined) {
        cut.width_bytes = spec->run_bytes * (size_t)spec->runs;
        cut.runs = 1;
    } else if (spec->target_pitch >= spec->run_bytes && spec->source_pitch >= spec->run_bytes &&
               spec->target_pitch <= device->max_pitch && spec->source_pitch <= device->max_pitch) {
        cut.rows = spec->runs < MAX_ROWS ? spec->runs : MAX_ROWS;
    }
    return cut;
}

static int copy_rectangle(const gbl_copy_spec *spec, char *target, const char *source, int64_t rows,
                          gbl_cu_stream *stream)
{
    /* The host's side is named as such, because plain host memory is unknown to the driver; the
     * other may be any address of the unified space. */
    gbl_cu_copy_2d copy = {.source_type = CU_MEMORY_UNIFIED,
                           .source = (gbl_cu_address)source,
                           .source_pitch = spec->source_pitch,
                           .target_type = CU_MEMORY_UNIFIED,
                           .target = (gbl_cu_address)target,
                           .target_pitch = spec->target_pitch,
                           .width_bytes = spec->run_bytes,
                           .height = (size_t)rows};
    if (spec->direction == GBL_TO_DEVICE) {
        copy.source_type = CU_MEMORY_HOST;
        copy.source_host = source;
    } else if (spec->direction == GBL_TO_HOST) {
        copy.target_type = CU_MEMORY_HOST;
        copy.target_host = target;
    }
    return gbl_cuda.copy_2d(&copy, stream);
}

static gable_status copy_inside(gbl_cuda_queue *queue, const gbl_copy_spec *spec,
                                gbl_message *message)
{
    TRY(gbl_cuda_join(queue, message));
    const gbl_cuda_cut cut = gbl_cuda_cut_copy(cuda_of(queue->base.device), spec);
    for (int64_t run = 0; run < cut.runs; run += cut.rows) {
        char *target = (char *)spec->target + (size_t)run * spec->target_pitch;
        const char *source = (const char *)spec->source + (size_t)run * spec->source_pitch;
        const int64_t rows = cut.runs - run < cut.rows ? cut.runs - run : cut.rows;
        const int result = cut.rows == 1
                               ? gbl_cuda.copy((gbl_cu_address)target, (gbl_cu_address)source,
                                               cut.width_bytes, queue->stream)
                               : copy_rectangle(spec, target, source, rows, queue->stream);
        if (result != 0)
            return gbl_cuda_fail(result, "a copy", message);
    }
    return GABLE_OK;
}

gable_status gbl_cuda_copy(gbl_queue *queue, const gbl_copy_spec *spec, gbl_message *message)
{
    bool pushed;
    TRY(gbl_cuda_enter(cuda_of(queue->device), &pushed, message));
    const gable_status status = copy_inside((gbl_cuda_queue *)queue, spec, message);
    gbl_cuda_leave(pushed);
    return status;
}

static gable_status fill_inside(gbl_cuda_queue *queue, const gbl_fill_spec *spec,
                                gbl_message *message)
{
    const gbl_cu_address target = (gbl_cu_address)spec->target;
    TRY(gbl_cuda_join(queue, message));
    if (spec->bytes == 0)
        return GABLE_OK;
    const bool by_word = target % 4 == 0 && spec->bytes % 4 == 0;
    CUDA_TRY(by_word ? gbl_cuda.fill_32(target, spec->value * 0x01010101u, spec->bytes / 4,
                                        queue->stream)
                     : gbl_cuda.fill_8(target, spec->value, spec->bytes, queue->stream),
             "a fill", message);
    return GABLE_OK;
}

gable_status gbl_cuda_fill(gbl_queue *queue, const gbl_fill_spec *spec, gbl_message *message)
{
    bool pushed;
    TRY(gbl_cuda_enter(cuda_of(queue->device), &pushed, message));
    const gable_status status = fill_inside((gbl_cuda_queue *)queue, spec, message);
    gbl_cuda_leave(pushed);
    return status;
}

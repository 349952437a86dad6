/* dlpack.c: memory with several owners as DLPack tensors, and capsules over them.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The structs are those of DLPack's ABI: the older one without a version, and 1.0. A tensor, its
 * shape and its strides are one piece of host memory, which its deleter frees.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include "gable/dlpack.h"
#include "core/context.h"

enum { DL_CPU = 1, DL_CUDA = 2, DL_OPENCL = 4 };
enum { DL_INT = 0, DL_FLOAT = 2, DL_COMPLEX = 5 };

#define MOST_DIMENSIONS 32

typedef struct dl_tensor {
    void *data;
    int32_t device_type, device_id;
    int32_t dimensions;
    uint8_t code, bits;
    uint16_t lanes;
    int64_t *shape, *strides;
    uint64_t byte_offset;
} dl_tensor;

typedef struct dl_managed {
    dl_tensor tensor;
    void *manager;
    void (*deleter)(struct dl_managed *);
} dl_managed;

typedef struct dl_versioned {
    uint32_t major, minor;
    void *manager;
    void (*deleter)(struct dl_versioned *);
    uint64_t flags;
    dl_tensor tensor;
} dl_versioned;

static void delete_managed(dl_managed *tensor)
{
    if (tensor == NULL)
        return;
    gable_memory_release(tensor->manager);
    free(tensor);
}

static void delete_versioned(dl_versioned *tensor)
{
    if (tensor == NULL)
        return;
    gable_memory_release(tensor->manager);
    free(tensor);
}

static gable_status type_of(gable_context *ctx, char dtype, dl_tensor *tensor)
{
    static const struct {
        char letter;
        uint8_t code, bits;
    } types[] = {{'s', DL_FLOAT, 32},
                 {'d', DL_FLOAT, 64},
                 {'c', DL_COMPLEX, 64},
                 {'z', DL_COMPLEX, 128},
                 {'i', DL_INT, 64}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (types[i].letter == dtype) {
            tensor->code = types[i].code;
            tensor->bits = types[i].bits;
            tensor->lanes = 1;
            return GABLE_OK;
        }
    }
    return gbl_fail_argument(ctx, 4, "dtype", "is number %d; it must be one of s, d, c, z and i",
                             dtype);
}

static void device_of(const gbl_device *device, dl_tensor *tensor)
{
    const char *const number = strchr(device->info.name, ':');
    tensor->device_type = device->props.is_host                        ? DL_CPU
                          : strncmp(device->info.name, "cuda", 4) == 0 ? DL_CUDA
                                                                       : DL_OPENCL;
    tensor->device_id = number != NULL ? (int32_t)strtol(number + 1, NULL, 10) : 0;
}

gable_status gable_dlpack_export(gable_context *ctx, gable_memory *memory, const void *address,
                                 char dtype, int dimensions, const int64_t *shape,
                                 const int64_t *strides, uint64_t flags, int versioned,
                                 void **tensor)
{
    TRY(gbl_enter(ctx, "gable_dlpack_export"));
    CHECK_ARG(ctx, memory != NULL, 2, "memory", "is NULL");
    dl_tensor made = {.data = (void *)(uintptr_t)address, .dimensions = dimensions};
    TRY(type_of(ctx, dtype, &made));
    CHECK_ARG(ctx, dimensions >= 0 && dimensions <= MOST_DIMENSIONS, 5, "dimensions",
              "is %d; it must be at least 0 and at most %d", dimensions, MOST_DIMENSIONS);
    CHECK_ARG(ctx, shape != NULL || dimensions == 0, 6, "shape", "is NULL");
    CHECK_ARG(ctx, strides != NULL || dimensions == 0, 7, "strides", "is NULL");
    CHECK_ARG(ctx, versioned || flags == 0, 8, "flags",
              "is %llu; a tensor without a version has none", (unsigned long long)flags);
    CHECK_ARG(ctx, tensor != NULL, 10, "tensor", "is NULL");
    device_of(ctx->device, &made);

    const size_t head = versioned ? sizeof(dl_versioned) : sizeof(dl_managed);
    const size_t numbers = (size_t)dimensions * sizeof(int64_t);
    char *const room = malloc(head + 2 * numbers);
    if (room == NULL)
        return gbl_fail(&ctx->message, GABLE_OUT_OF_MEMORY, "no host memory for a tensor");
    made.shape = (int64_t *)(void *)(room + head);
    made.strides = made.shape + dimensions;
    if (dimensions > 0) {
        memcpy(made.shape, shape, numbers);
        memcpy(made.strides, strides, numbers);
    }
    gable_memory_retain(memory);
    gable_memory_share(memory);
    if (versioned)
        *(dl_versioned *)(void *)room = (dl_versioned){.major = 1,
                                                       .manager = memory,
                                                       .deleter = delete_versioned,
                                                       .flags = flags,
                                                       .tensor = made};
    else
        *(dl_managed *)(void *)room =
            (dl_managed){.tensor = made, .manager = memory, .deleter = delete_managed};
    *tensor = room;
    return GABLE_OK;
}

void gable_dlpack_delete(void *tensor, int versioned)
{
    if (tensor == NULL)
        return;
    if (versioned) {
        dl_versioned *const managed = tensor;
        if (managed->deleter != NULL)
            managed->deleter(managed);
    } else {
        dl_managed *const managed = tensor;
        if (managed->deleter != NULL)
            managed->deleter(managed);
    }
}

/* ---- Capsules ---- */

static _Atomic(gable_capsule_is_valid) is_valid_call;
static _Atomic(gable_capsule_get_pointer) get_pointer_call;

void gable_dlpack_capsule_calls(gable_capsule_is_valid is_valid,
                                gable_capsule_get_pointer get_pointer)
{
    atomic_store(&is_valid_call, is_valid);
    atomic_store(&get_pointer_call, get_pointer);
}

void gable_dlpack_capsule_drop(void *capsule)
{
    static const char *const names[] = {"dltensor", "dltensor_versioned"};
    const gable_capsule_is_valid is_valid = atomic_load(&is_valid_call);
    const gable_capsule_get_pointer get_pointer = atomic_load(&get_pointer_call);
    if (capsule == NULL || is_valid == NULL || get_pointer == NULL)
        return;
    for (int versioned = 0; versioned < 2; versioned++)
        if (is_valid(capsule, names[versioned]))
            gable_dlpack_delete(get_pointer(capsule, names[versioned]), versioned);
}

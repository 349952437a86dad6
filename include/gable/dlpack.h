/* dlpack.h: device memory with several owners, and how other libraries get it as DLPack tensors.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * <gable/gable.h> does not include it. For languages with garbage collection, where nobody knows
 * which owner lets go last, in which thread, and whether the context is still open then. The
 * Python package is made of this.
 *
 *     gable_memory_create(ctx, bytes, &memory);
 *     gable_dlpack_export(ctx, memory, gable_memory_address(memory), 'd', 2, shape, strides, 0, 1,
 *                         &tensor);
 *     gable_memory_release(memory);   // the tensor owns it, too, until its consumer calls deleter
 */
#ifndef GABLE_DLPACK_H
#define GABLE_DLPACK_H

#include "gable/gable.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Memory with a count of its owners: one when it is made, one more per retain and per tensor. */
typedef struct gable_memory gable_memory;

/* What gives foreign memory back. Called once, in any thread, when no work of the context uses the
 * memory any more. It must not call the context. */
typedef void (*gable_give_back)(void *user);

/* Device memory as gable_alloc gives it, of at least so many bytes; bytes = 0 has the address NULL.
 * Its contents are anything. Owners let go by gable_memory_release, never by gable_free.
 *
 * Memory that its last owner released is kept for a later gable_memory_create on the context, which
 * then neither allocates nor waits: at most a sixteenth of the device's memory and 64 pieces, the
 * oldest going first. gable_workspace counts it as allocated. */
GABLE_API gable_status gable_memory_create(gable_context *ctx, size_t bytes, gable_memory **memory);

/* Memory of somebody else's that the device can address. give_back(user) is called when the last
 * owner has released it and the queue is done with it: on cpu in gable_memory_release itself,
 * elsewhere in a later gable_memory_create, gable_memory_adopt, gable_memory_trim, gable_sync or
 * gable_close of the context. Where this function fails, it is not called. give_back may be
 * NULL. */
GABLE_API gable_status gable_memory_adopt(gable_context *ctx, void *address, size_t bytes,
                                          gable_give_back give_back, void *user,
                                          gable_memory **memory);

/* Where it starts; NULL of NULL. */
GABLE_API void *gable_memory_address(const gable_memory *memory);

/* One owner more, one less: in any thread, also beside calls of the context, after its context
 * closed, and while the process ends. Neither waits for the device unless the context is closed:
 * memory of an open one is given back later, after the work that was enqueued by then. After the
 * context closed the caller of the last release answers for work on other contexts. In a child of
 * fork nothing is given back. NULL is legal. */
GABLE_API void gable_memory_retain(gable_memory *memory);
GABLE_API void gable_memory_release(gable_memory *memory);

/* From now on others than the context's queue may use the memory: another context, another
 * library's stream. It is not kept for a later call then, but given back to the device, which on
 * CUDA waits for all streams. gable_dlpack_export does this itself. */
GABLE_API void gable_memory_share(gable_memory *memory);

/* Waits, and gives back to the device what no owner has. So do gable_close, and any allocation
 * before it is refused. Not during a recording. */
GABLE_API gable_status gable_memory_trim(gable_context *ctx);

/* A DLPack tensor over a part of the memory: *tensor is a DLManagedTensorVersioned of version 1.0
 * where versioned is not 0, else a DLManagedTensor. address is that of element (0, 0, ...), dtype
 * 's', 'd', 'c', 'z' or 'i' (int64_t). shape and strides have `dimensions` numbers each, which are
 * copied; strides count elements. flags are those of DLPack (1: read-only, 2: a copy) and must be 0
 * without a version. The device is kDLCPU, kDLCUDA or kDLOpenCL with the context's number.
 *
 * Its deleter is C, needs no interpreter, and may be called in any thread at any time, as
 * gable_memory_release. Nothing is enqueued or waited for: order the consumer's queue first. */
GABLE_API gable_status gable_dlpack_export(gable_context *ctx, gable_memory *memory,
                                           const void *address, char dtype, int dimensions,
                                           const int64_t *shape, const int64_t *strides,
                                           uint64_t flags, int versioned, void **tensor);

/* Calls the deleter of a tensor that nobody took. NULL is legal. */
GABLE_API void gable_dlpack_delete(void *tensor, int versioned);

/* The destructor of a Python capsule over such a tensor, in C: it deletes the tensor where the
 * capsule is still called "dltensor" or "dltensor_versioned". The library knows no Python: it is
 * given PyCapsule_IsValid and PyCapsule_GetPointer first. */
typedef int (*gable_capsule_is_valid)(void *capsule, const char *name);
typedef void *(*gable_capsule_get_pointer)(void *capsule, const char *name);
GABLE_API void gable_dlpack_capsule_calls(gable_capsule_is_valid is_valid,
                                          gable_capsule_get_pointer get_pointer);
GABLE_API void gable_dlpack_capsule_drop(void *capsule);

#ifdef __cplusplus
}
#endif

#endif

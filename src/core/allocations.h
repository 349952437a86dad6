/* allocations.h: what gable_alloc gave out, and what gable_free took back.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * One table for the process, sorted by address: addresses of all devices are distinct. Operands are
 * compared with it where core/extents.h says so. Under GABLE_DEBUG=check memory that was freed is
 * held back for a while: the address is not given out again meanwhile, so a pointer to it is known
 * to be stale.
 */
#ifndef GBL_ALLOCATIONS_H
#define GBL_ALLOCATIONS_H

#include "device/device.h"

/* Freed memory that is held back: so many blocks at most, and so many bytes unless it is a single
 * block. */
#define GBL_HELD_BLOCKS 256
#define GBL_HELD_BYTES  ((size_t)256 << 20)

typedef struct gbl_allocation {
    gbl_device *device;
    char *start;
    size_t bytes;
    uint64_t serial;   /* never the same again */
    const void *owner; /* the context that asked for it; NULL: it closed */
} gbl_allocation;

typedef enum gbl_known { GBL_UNKNOWN, GBL_LIVE, GBL_FREED } gbl_known;

/* What an address points into. */
gbl_known gbl_allocations_find(const void *address, gbl_allocation *found);
/* Whether the allocation of a serial number that started there is still alive. */
bool gbl_allocations_alive(const void *start, uint64_t serial);
/* Changes with every allocation that ends. */
uint64_t gbl_allocations_ended(void);

/* Enters fresh memory; fails without host memory. */
gable_status gbl_allocations_add(gbl_device *device, void *start, size_t bytes, const void *owner,
                                 gbl_message *message);
/* The bytes that are alive of an owner, and that it is one no longer. */
uint64_t gbl_allocations_bytes(const void *owner);
void gbl_allocations_disown(const void *owner);
/* Forgets an allocation: it was given back to the device. */
void gbl_allocations_remove(const gbl_allocation *allocation);
/* Forgets it likewise, but keeps the memory from being used again for a while. `owner` frees what
 * is still held back when it closes. */
void gbl_allocations_hold(const gbl_allocation *allocation, const void *owner);
/* Gives memory back that is held for an owner, or on a device (NULL: any); whether there was
 * some. */
bool gbl_allocations_release(const gbl_device *device, const void *owner);

#endif

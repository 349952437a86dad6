/* owned_memory.h: memory with several owners, as contexts see it.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Owners let go in any thread, at any time; memory goes back to the device in the thread of its
 * context. In between it lies in the context's pool. The pool outlives the context for as long as
 * there is memory that knows it.
 */
#ifndef GBL_OWNED_MEMORY_H
#define GBL_OWNED_MEMORY_H

#include "core/context.h"

typedef struct gbl_memory_pool gbl_memory_pool;

/* What owners let go since is kept for later or, if it cannot be, given back: after a sync. */
void gbl_pool_collect(gable_context *ctx);
/* Waits and gives everything back that has no owner; whether there was some. */
bool gbl_pool_empty(gable_context *ctx);
/* The context closes; the queue is done, unless the device is lost. */
void gbl_pool_close(gable_context *ctx);

#endif

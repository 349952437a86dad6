/* dry_device.h: a pretended GPU on which nothing runs, to see which kernels a call would launch.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * It has the properties that choices and plans look at, hands out addresses behind which there is
 * no memory, "builds" every kernel without a compiler and notes what is launched. The disk's cache
 * of kernels is neither read nor written, and what was kept in memory is forgotten when it closes.
 */
#ifndef TOOL_DRY_DEVICE_H
#define TOOL_DRY_DEVICE_H

#include "core/context.h"
#include "core/kernel.h"

#define DRY_NAME_BYTES 32

/* A kernel as it was launched. */
typedef struct dry_kernel {
    char entry[GBL_ENTRY_BYTES]; /* "ddot"; empty: none was launched */
    int items;                   /* work-items per group */
    int macro_count;             /* without PREC */
    char names[GBL_MAX_MACROS][DRY_NAME_BYTES];
    int32_t values[GBL_MAX_MACROS];
} dry_kernel;

/* A context on a GPU of an architecture such as "sm_90a", to be closed also where opening failed;
 * one at a time. It is listed among the devices until then. */
gable_status dry_open(gable_context **ctx, const char *arch);
void dry_close(gable_context *ctx);

/* Whether kernels that are "built" from here on are compiled for the architecture, where NVIDIA's
 * compiler is found, to know their registers and local memory. Off at first: it takes about a
 * second per kernel. */
void dry_compile(bool wanted);

/* Kernels that were "built" so far. */
int dry_built(void);

/* Empties *kernel; the next launch of the entry is noted there. Both stay with the caller. */
void dry_watch(const char *entry, dry_kernel *kernel);

#endif

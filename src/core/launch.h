/* launch.h: work on its way to the queue, or into a recording.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Variants enqueue through these four only. Each logs and, under GABLE_DEBUG=sync, waits and names
 * what failed.
 */
#ifndef GBL_LAUNCH_H
#define GBL_LAUNCH_H

#include "core/context.h"
#include "core/kernel.h"

/* kernel is put into spec->code and spec->name; the spec may live on the stack. */
gable_status gbl_launch(gable_context *ctx, gbl_kernel *kernel, gbl_launch_spec *spec);
/* How many groups of such a launch are resident at once: a cooperative launch may have no more. 0:
 * the device has no cooperative launches. While calls are prepared nothing is known of kernels that
 * are not compiled yet: then it is the number of units. */
gable_status gbl_launch_resident(gable_context *ctx, gbl_kernel *kernel, gbl_launch_spec *spec,
                                 int64_t *groups);
/* How many clusters of such a launch are resident at once; 0: the device has no room for one. While
 * calls are prepared it is 1. */
gable_status gbl_launch_clusters(gable_context *ctx, gbl_kernel *kernel, gbl_launch_spec *spec,
                                 int *clusters);
gable_status gbl_task(gable_context *ctx, const char *name, gbl_task_function function,
                      const void *args, size_t args_bytes);
gable_status gbl_copy_on_device(gable_context *ctx, void *target, const void *source, size_t bytes);
gable_status gbl_fill_bytes(gable_context *ctx, void *target, unsigned char value, size_t bytes);

/* Under GABLE_DEBUG=sync: waits, and says that `what` failed if the device did. */
gable_status gbl_debug_sync(gable_context *ctx, const char *what);

#endif

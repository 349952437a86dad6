/* launch.c: work on its way to the queue, or into a recording.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "core/launch.h"
#include "core/prepare.h"
#include "core/recording.h"

gable_status gbl_debug_sync(gable_context *ctx, const char *what)
{
    if (!ctx->debug_sync)
        return GABLE_OK;
    gbl_message detail = {NULL, ""};
    const gable_status status = ctx->device->table->sync(ctx->queue, &detail);
    if (status == GABLE_OK)
        return GABLE_OK;
    return gbl_fail(&ctx->message, status, "%s failed: %s", what, detail.text);
}

/* What becomes of a launch, for the log. */
static const char *verb(const gable_context *ctx, const char *at_once)
{
    return ctx->recording == NULL ? at_once : gbl_preparing(ctx) != NULL ? "prepare" : "record";
}

gable_status gbl_launch(gable_context *ctx, gbl_kernel *kernel, gbl_launch_spec *spec)
{
    spec->code = kernel->code;
    spec->name = kernel->entry;
    spec->waits_itself = !spec->not_early; /* all in kernels/ can: scripts/check_layers.sh */
    if (spec->args_bytes % 8 != 0 || spec->args_bytes > GBL_MAX_ARGS || spec->buffer_count < 0 ||
        spec->buffer_count > GBL_MAX_BUFFERS || spec->map_count < 0 ||
        spec->map_count > GBL_MAX_MAPS)
        return gbl_fail(&ctx->message, GABLE_INTERNAL,
                        "the launch of %s breaks a limit: %zu bytes of arguments of %d, %d buffers "
                        "of %d, %d tensor maps of %d",
                        kernel->entry, spec->args_bytes, GBL_MAX_ARGS, spec->buffer_count,
                        GBL_MAX_BUFFERS, spec->map_count, GBL_MAX_MAPS);
    gbl_log(ctx, "%s %s: %lld x %lld groups of %d x %d", verb(ctx, "launch"), kernel->entry,
            (long long)spec->groups[0], (long long)spec->groups[1], spec->group[0], spec->group[1]);
    if (ctx->recording != NULL) {
        const gbl_step step = {.kind = GBL_STEP_LAUNCH, .as.launch = *spec};
        return gbl_recording_append(ctx, &step);
    }
    TRY(ctx->device->table->launch(ctx->queue, spec, &ctx->message));
    gbl_loan_show_life(&ctx->loan);
    gbl_kernel_launched(kernel);
    return gbl_debug_sync(ctx, kernel->entry);
}

gable_status gbl_launch_resident(gable_context *ctx, gbl_kernel *kernel, gbl_launch_spec *spec,
                                 int64_t *groups)
{
    const gbl_device *device = ctx->device;
    spec->code = kernel->code;
    spec->name = kernel->entry;
    *groups = 0;
    if (!device->props.cooperative || device->table->active_groups == NULL)
        return GABLE_OK;
    if (gbl_preparing(ctx) != NULL) {
        *groups = device->props.units;
        return GABLE_OK;
    }
    return device->table->active_groups(ctx->device, spec, groups, &ctx->message);
}

gable_status gbl_launch_clusters(gable_context *ctx, gbl_kernel *kernel, gbl_launch_spec *spec,
                                 int *clusters)
{
    const gbl_device *device = ctx->device;
    spec->code = kernel->code;
    spec->name = kernel->entry;
    *clusters = 0;
    if (spec->cluster > device->props.max_cluster || device->table->active_clusters == NULL)
        return GABLE_OK;
    if (gbl_preparing(ctx) != NULL) {
        *clusters = 1;
        return GABLE_OK;
    }
    return device->table->active_clusters(ctx->device, spec, clusters, &ctx->message);
}

gable_status gbl_task(gable_context *ctx, const char *name, gbl_task_function function,
                      const void *args, size_t args_bytes)
{
    const gbl_task_spec task = {
        .function = function, .name = name, .args = args, .args_bytes = args_bytes};
    if (ctx->device->table->task == NULL)
        return gbl_fail(&ctx->message, GABLE_NOT_SUPPORTED,
                        "%s cannot run %s: host functions cannot join its queue",
                        ctx->device->info.name, name);
    if (ctx->debug_log)
        gbl_log(ctx, "%s task %s", verb(ctx, "run"), name);
    if (ctx->recording != NULL) {
        const gbl_step step = {.kind = GBL_STEP_TASK, .as.task = task};
        return gbl_recording_append(ctx, &step);
    }
    TRY(ctx->device->table->task(ctx->queue, &task, &ctx->message));
    gbl_loan_show_life(&ctx->loan);
    return ctx->debug_sync ? gbl_debug_sync(ctx, name) : GABLE_OK;
}

gable_status gbl_copy_on_device(gable_context *ctx, void *target, const void *source, size_t bytes)
{
    const gbl_step step = {.kind = GBL_STEP_COPY,
                           .as.copy = {.direction = GBL_ON_DEVICE,
                                       .target = target,
                                       .target_pitch = bytes,
                                       .source = source,
                                       .source_pitch = bytes,
                                       .run_bytes = bytes,
                                       .runs = 1}};
    if (ctx->recording != NULL)
        return gbl_recording_append(ctx, &step);
    TRY(ctx->device->table->copy(ctx->queue, &step.as.copy, &ctx->message));
    gbl_loan_show_life(&ctx->loan);
    return gbl_debug_sync(ctx, "a copy on the device");
}

gable_status gbl_fill_bytes(gable_context *ctx, void *target, unsigned char value, size_t bytes)
{
    const gbl_step step = {.kind = GBL_STEP_FILL,
                           .as.fill = {.target = target, .value = value, .bytes = bytes}};
    if (ctx->recording != NULL)
        return gbl_recording_append(ctx, &step);
    TRY(ctx->device->table->fill(ctx->queue, &step.as.fill, &ctx->message));
    gbl_loan_show_life(&ctx->loan);
    return gbl_debug_sync(ctx, "a fill on the device");
}

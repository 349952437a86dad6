/* roofs_measure.c: measures what a device can do, step by step, and stores it.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "core/data_folder.h"
#include "model/roofs_private.h"

static void say_nothing(const char *text, double done)
{
    (void)text;
    (void)done;
}

/* The steps, and the part of the time that is over when each begins. */
static const struct step {
    const char *text;
    double done;
    gable_status (*measure)(gbl_probe *probe, gbl_roofs *roofs);
} steps[] = {
    {"measuring memory", 0.1, gbl_measure_bandwidth},
    {"measuring caches", 0.3, gbl_measure_caches},
    {"measuring arithmetic", 0.7, gbl_measure_arithmetic},
    {"measuring launches and latency", 0.8, gbl_measure_latencies},
    {"measuring the host link", 0.9, gbl_measure_link},
};

/* A folder that cannot be written is no error: the process keeps what it measured. */
static void store(const gbl_device *device, const gbl_roofs *roofs)
{
    char path[1024], name[256], line[GBL_ROOFS_LINE_BYTES];
    gbl_device_class(device, name, sizeof name);
    if (gbl_data_path("roofs.jsonl", path, sizeof path) &&
        gbl_roofs_write(roofs, name, line, sizeof line))
        gbl_data_append(path, line);
}

gable_status gbl_roofs_measure(gable_context *ctx, gbl_roofs *roofs,
                               void (*progress)(const char *text, double done))
{
    gbl_probe probe;
    gbl_roofs fresh = {.source = GBL_ROOFS_MEASURED};
    TRY(gbl_check_not_recording(ctx, "a measurement of the device"));
    if (progress == NULL)
        progress = say_nothing;
    progress("making random data", 0);
    gable_status status = gbl_probe_make(&probe, ctx, 0);
    for (size_t i = 0; status == GABLE_OK && i < sizeof steps / sizeof steps[0]; i++) {
        progress(steps[i].text, steps[i].done);
        status = steps[i].measure(&probe, &fresh);
    }
    gbl_probe_free(&probe);
    if (status != GABLE_OK)
        return status;
    gbl_roofs_keep(ctx->device, &fresh);
    gbl_choices_forget(ctx); /* they rest on roofs */
    store(ctx->device, &fresh);
    *roofs = fresh;
    return GABLE_OK;
}

gable_status gbl_roofs_launch_all(gable_context *ctx)
{
    gbl_probe probe;
    if (ctx->device->props.is_host)
        return gbl_fail(&ctx->message, GABLE_NOT_SUPPORTED, "%s runs no kernels",
                        ctx->device->info.name);
    gable_status status = gbl_probe_make(&probe, ctx, (size_t)1 << 20);
    if (status == GABLE_OK)
        status = gbl_launch_bandwidth(&probe);
    if (status == GABLE_OK)
        status = gbl_launch_arithmetic(&probe);
    if (status == GABLE_OK)
        status = gbl_launch_latencies(&probe);
    gbl_probe_free(&probe);
    return status;
}

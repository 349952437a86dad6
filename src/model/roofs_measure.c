/* roofs_measure.c: measures what a device can do, step by step, and stores it.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "core/data_folder.h"
#include "model/busy.h"
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
    {.text = "measuring memory", .done = 0.1, .measure = gbl_measure_bandwidth},
    {.text = "measuring caches", .done = 0.3, .measure = gbl_measure_caches},
    {.text = "measuring arithmetic", .done = 0.7, .measure = gbl_measure_arithmetic},
    {.text = "measuring launches and latency", .done = 0.8, .measure = gbl_measure_latencies},
    {.text = "measuring the host link", .done = 0.9, .measure = gbl_measure_link},
};

/* A folder that cannot be written is no error: the process keeps what it measured. */
static void store(const gbl_device *device, const gbl_roofs *roofs, gbl_roofs_outcome *outcome)
{
    char path[1024], name[256], line[GBL_ROOFS_LINE_BYTES];
    gbl_device_class(device, name, sizeof name);
    if (!gbl_data_path("roofs.jsonl", path, sizeof path)) {
        snprintf(outcome->unstored, sizeof outcome->unstored,
                 "there is no folder for them; set HOME or XDG_DATA_HOME");
        return;
    }
    errno = 0;
    outcome->stored =
        gbl_roofs_write(roofs, name, line, sizeof line) && gbl_data_append(path, line);
    if (!outcome->stored)
        snprintf(outcome->unstored, sizeof outcome->unstored, "%s cannot be written%s%s", path,
                 errno != 0 ? ": " : "", errno != 0 ? strerror(errno) : "");
}

/* Keeps products by the installed BLAS; of a measurement that was disturbed those that are faster
 * than what is known. */
static void store_products(const gbl_roofs *fresh, const gbl_cpu_sample *products, int count)
{
    const bool disturbed = gbl_roofs_disturbed(fresh) > GBL_ROOFS_BUSY;
    for (int i = 0; i < count; i++) {
        const gbl_cpu_sample *const at = &products[i];
        const gbl_cpu_library library = {at->words, at->tuned, at->threads};
        gbl_cpu_rate_source source;
        const double known =
            gbl_cpu_rate(&library, at->routine, at->dtype, at->multiply_adds, 0, &source);
        if (!disturbed || source != GBL_CPU_RATE_MEASURED || at->flops > known)
            gbl_cpu_rates_store(at, 1);
    }
    gbl_cpu_rates_forget();
}

/* All steps, and how busy the machine was meanwhile. */
static gable_status measure(gable_context *ctx, gbl_roofs *fresh,
                            void (*progress)(const char *text, double done))
{
    gbl_probe probe;
    gbl_busy before, after;
    progress("making random data", 0);
    gable_status status = gbl_probe_make(&probe, ctx, 0);
    gbl_busy_look(&before);
    for (size_t i = 0; status == GABLE_OK && i < sizeof steps / sizeof steps[0]; i++) {
        progress(steps[i].text, steps[i].done);
        status = steps[i].measure(&probe, fresh);
    }
    gbl_busy_look(&after);
    fresh->busy = ctx->device->props.is_gpu ? -1 : gbl_busy_between(&before, &after);
    fresh->unsteady = probe.works > 0 ? probe.unsteady / probe.works : -1;
    gbl_probe_free(&probe);
    return status;
}

gable_status gbl_roofs_measure(gable_context *ctx, bool again, gbl_roofs *roofs,
                               gbl_roofs_outcome *outcome,
                               void (*progress)(const char *text, double done))
{
    gbl_roofs_outcome unasked;
    gbl_roofs old;
    TRY(gbl_check_not_recording(ctx, "a measurement of the device"));
    if (outcome == NULL)
        outcome = &unasked;
    memset(outcome, 0, sizeof *outcome);
    outcome->fresh.source = GBL_ROOFS_MEASURED;
    TRY(measure(ctx, &outcome->fresh, progress != NULL ? progress : say_nothing));
    *roofs = outcome->fresh;
    /* What counted so far: this process's own where its file cannot be written. */
    bool before = gbl_roofs_stored(ctx->device, &old);
    if (!before) {
        gbl_roofs_get(ctx->device, &old);
        before = old.source == GBL_ROOFS_MEASURED;
    }
    outcome->whole = again || !before || gbl_roofs_better(&ctx->device->props, &old, roofs);
    gbl_roofs_keep(ctx->device, roofs);
    gbl_choices_forget(ctx); /* they rest on roofs */
    store(ctx->device, roofs, outcome);
    outcome->product_count = gbl_measure_products(ctx, outcome->products);
    store_products(&outcome->fresh, outcome->products, outcome->product_count);
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

/* timer.c: stopwatches on the device's clock.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdlib.h>
#include "core/context.h"
#include "core/observe.h"

gable_status gable_timer_create(gable_context *ctx, gable_timer **out)
{
    TRY(gbl_enter(ctx, "gable_timer_create"));
    CHECK_ARG(ctx, out != NULL, 2, "timer", "is NULL");
    const gbl_device_table *table = ctx->device->table;
    gable_timer *timer = calloc(1, sizeof *timer);
    if (timer == NULL)
        return gbl_fail(&ctx->message, GABLE_OUT_OF_MEMORY, "no host memory for a timer");
    gable_status status = table->mark_create(ctx->queue, &timer->from, &ctx->message);
    if (status == GABLE_OK)
        status = table->mark_create(ctx->queue, &timer->to, &ctx->message);
    if (status != GABLE_OK) {
        if (timer->from != NULL)
            table->mark_destroy(timer->from);
        free(timer);
        return status;
    }
    timer->ctx = ctx;
    timer->next = ctx->timers;
    timer->link = &ctx->timers;
    if (ctx->timers != NULL)
        ctx->timers->link = &timer->next;
    ctx->timers = timer;
    *out = timer;
    return GABLE_OK;
}

gable_status gable_timer_start(gable_timer *timer)
{
    if (timer == NULL)
        return GABLE_BAD_ARGUMENT;
    TRY(gbl_enter(timer->ctx, "gable_timer_start"));
    TRY(gbl_check_not_recording(timer->ctx, "a timer"));
    timer->started = timer->stopped = false;
    TRY(timer->ctx->device->table->mark_set(timer->from, &timer->ctx->message));
    timer->started = true;
    return GABLE_OK;
}

gable_status gable_timer_stop(gable_timer *timer)
{
    if (timer == NULL)
        return GABLE_BAD_ARGUMENT;
    TRY(gbl_enter(timer->ctx, "gable_timer_stop"));
    TRY(gbl_check_not_recording(timer->ctx, "a timer"));
    CHECK_ARG(timer->ctx, timer->started, 1, "timer", "was not started");
    TRY(timer->ctx->device->table->mark_set(timer->to, &timer->ctx->message));
    timer->stopped = true;
    return GABLE_OK;
}

gable_status gable_timer_seconds(gable_timer *timer, double *seconds)
{
    if (timer == NULL)
        return GABLE_BAD_ARGUMENT;
    TRY(gbl_enter(timer->ctx, "gable_timer_seconds"));
    CHECK_ARG(timer->ctx, timer->stopped, 1, "timer", "was not started and stopped");
    CHECK_ARG(timer->ctx, seconds != NULL, 2, "seconds", "is NULL");
    const gbl_span span = {.kind = GBL_EVENT_WAIT, .name = "gable_timer_seconds"};
    gbl_span_begin(timer->ctx, &span);
    return gbl_span_end(timer->ctx, &span,
                        timer->ctx->device->table->mark_seconds(timer->from, timer->to, seconds,
                                                                &timer->ctx->message));
}

void gable_timer_destroy(gable_timer *timer)
{
    if (timer == NULL)
        return;
    const gbl_device_table *table = timer->ctx->device->table;
    table->mark_destroy(timer->from);
    table->mark_destroy(timer->to);
    *timer->link = timer->next;
    if (timer->next != NULL)
        timer->next->link = timer->link;
    free(timer);
}

void gbl_timers_free(gable_context *ctx)
{
    while (ctx->timers != NULL)
        gable_timer_destroy(ctx->timers);
}

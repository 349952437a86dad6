/* late_read.c: numbers that come back from the device while it goes on.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "sparse/solver/solver.h"

static gable_status open(gable_context *ctx, size_t bytes, gbl_late_read *late)
{
    const gbl_device_table *table = ctx->device->table;
    *late = (gbl_late_read){.ctx = ctx, .bytes = bytes};
    gable_status status = GABLE_OK;
    for (int i = 0; i < 2 && status == GABLE_OK; i++) {
        status = table->pinned_alloc(ctx->device, bytes, &late->slots[i], &ctx->message);
        if (status == GABLE_OK)
            status = table->mark_create(ctx->queue, &late->marks[i], &ctx->message);
    }
    if (status != GABLE_OK)
        gbl_late_close(late);
    return status;
}

gable_status gbl_late_get(gable_solver *solver, size_t bytes, gbl_late_read **late)
{
    *late = &solver->late;
    gbl_late_rest(&solver->late);
    if (solver->late.ctx != NULL && solver->late.bytes == bytes)
        return GABLE_OK;
    gbl_late_close(&solver->late);
    return open(solver->ctx, bytes, &solver->late);
}

gable_status gbl_late_ask(gbl_late_read *late, const void *address)
{
    gable_context *ctx = late->ctx;
    if (late->waiting == 2)
        return gbl_fail(&ctx->message, GABLE_INTERNAL, "three late reads at a time");
    const gbl_copy_spec copy = {.direction = GBL_TO_HOST,
                                .target = late->slots[late->next],
                                .target_pitch = late->bytes,
                                .source = address,
                                .source_pitch = late->bytes,
                                .run_bytes = late->bytes,
                                .runs = 1};
    TRY(ctx->device->table->copy(ctx->queue, &copy, &ctx->message));
    TRY(ctx->device->table->mark_set(late->marks[late->next], &ctx->message));
    late->next = 1 - late->next;
    late->waiting++;
    return GABLE_OK;
}

gable_status gbl_late_take(gbl_late_read *late, const void **values)
{
    gable_context *ctx = late->ctx;
    if (late->waiting == 0)
        return gbl_fail(&ctx->message, GABLE_INTERNAL, "no late read is under way");
    const int oldest = late->waiting == 2 ? late->next : 1 - late->next;
    TRY(ctx->device->table->mark_wait(late->marks[oldest], &ctx->message));
    late->waiting--;
    *values = late->slots[oldest];
    return GABLE_OK;
}

/* What is under way still writes to the slots: the queue is waited for. */
void gbl_late_rest(gbl_late_read *late)
{
    if (late->waiting > 0)
        late->ctx->device->table->sync(late->ctx->queue, NULL);
    late->waiting = 0;
}

void gbl_late_close(gbl_late_read *late)
{
    if (late->ctx == NULL)
        return;
    const gbl_device_table *table = late->ctx->device->table;
    gbl_late_rest(late);
    for (int i = 0; i < 2; i++) {
        if (late->marks[i] != NULL)
            table->mark_destroy(late->marks[i]);
        if (late->slots[i] != NULL)
            table->pinned_free(late->ctx->device, late->slots[i]);
    }
    *late = (gbl_late_read){0};
}

/* branch.c: two chains of calls beside each other.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "core/branch.h"
#include "core/prepare.h"
#include "core/recording.h"

/* One after the other: marks of a profile belong to the context's queue. */
static bool in_order(const gable_context *ctx)
{
    if (!ctx->device->props.streams || ctx->debug_sync || ctx->branched)
        return true;
    if (ctx->recording != NULL)
        return ctx->device->table->graph_build == NULL || gbl_preparing(ctx) != NULL;
    return ctx->observer != NULL;
}

static gable_status run_in_order(gable_context *ctx, gbl_chain first, gbl_chain second, void *what)
{
    TRY(first(ctx, what));
    return second(ctx, what);
}

static gable_status note(gable_context *ctx, gbl_step_kind kind)
{
    const gbl_step step = {.kind = kind};
    return gbl_recording_append(ctx, &step);
}

/* Steps are appended in the order of the chains; marks between them say what is beside what. A
 * chain that fails ends the call, whose steps are taken back. */
static gable_status record(gable_context *ctx, gbl_chain first, gbl_chain second, void *what)
{
    gbl_arena *const arena = ctx->arena, *const branch = &ctx->recording->branch_arena;
    branch->spare = &ctx->own_arena;
    branch->meter = &ctx->meter;
    TRY(note(ctx, GBL_STEP_FORK));
    ctx->branched = true;
    ctx->arena = branch;
    gable_status status = first(ctx, what);
    ctx->arena = arena;
    if (status == GABLE_OK)
        status = note(ctx, GBL_STEP_BESIDE);
    if (status == GABLE_OK)
        status = second(ctx, what);
    ctx->branched = false;
    return status == GABLE_OK ? note(ctx, GBL_STEP_JOIN) : status;
}

static gable_status need_queue(gable_context *ctx)
{
    if (ctx->branch_queue != NULL)
        return GABLE_OK;
    TRY(ctx->device->table->queue_open(ctx->device, &ctx->branch_queue, &ctx->message));
    ctx->branch_arena.queue = ctx->branch_queue;
    ctx->branch_arena.spare = &ctx->own_arena;
    ctx->branch_arena.meter = &ctx->meter;
    return GABLE_OK;
}

static gable_status enqueue(gable_context *ctx, gbl_chain first, gbl_chain second, void *what)
{
    const gbl_device_table *table = ctx->device->table;
    gbl_queue *const queue = ctx->queue;
    gbl_arena *const arena = ctx->arena;
    TRY(need_queue(ctx));
    TRY(table->wait(ctx->branch_queue, queue, &ctx->message));
    ctx->branched = true;
    ctx->queue = ctx->branch_queue;
    ctx->arena = &ctx->branch_arena;
    gable_status status = first(ctx, what);
    ctx->queue = queue;
    ctx->arena = arena;
    if (status == GABLE_OK)
        status = second(ctx, what);
    ctx->branched = false;
    /* Also what a failed chain has enqueued comes before what follows. */
    const gable_status joined =
        table->wait(queue, ctx->branch_queue, status == GABLE_OK ? &ctx->message : NULL);
    if (joined != GABLE_OK)
        table->sync(ctx->branch_queue, NULL);
    return status != GABLE_OK ? status : joined;
}

gable_status gbl_beside(gable_context *ctx, gbl_chain first, gbl_chain second, void *what)
{
    if (in_order(ctx))
        return run_in_order(ctx, first, second, what);
    return (ctx->recording != NULL ? record : enqueue)(ctx, first, second, what);
}

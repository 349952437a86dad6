/* prepare.c: calls whose kernels are compiled before any of them runs.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdlib.h>
#include <string.h>
#include "core/context.h"
#include "core/prepare.h"
#include "core/recording.h"

/* Each round asks for kernels of half the group size, at least: more than there are sizes. */
#define MOST_ROUNDS 16

typedef struct gbl_prepared_call {
    const gbl_op *op;
    _Alignas(16) unsigned char call[GBL_MAX_CALL_BYTES];
} gbl_prepared_call;

gbl_preparation *gbl_preparing(const gable_context *ctx)
{
    return ctx->recording != NULL ? ctx->recording->preparation : NULL;
}

gable_status gbl_prepare_keep(gable_context *ctx, const gbl_op *op, const void *call)
{
    gbl_preparation *preparation = gbl_preparing(ctx);
    if (op->layout == NULL) /* then nobody knows how long a call is; it has no kernels of its own */
        return GABLE_OK;
    if (preparation->call_count == preparation->call_room) {
        const int room = preparation->call_room > 0 ? 2 * preparation->call_room : 8;
        gbl_prepared_call *more = realloc(preparation->calls, (size_t)room * sizeof *more);
        if (more == NULL)
            return gbl_fail(&ctx->message, GABLE_OUT_OF_MEMORY, "no host memory to keep a call");
        preparation->calls = more;
        preparation->call_room = room;
    }
    gbl_prepared_call *kept = &preparation->calls[preparation->call_count++];
    kept->op = op;
    memcpy(kept->call, call, op->layout->call_bytes);
    return GABLE_OK;
}

void gbl_preparation_free(gbl_preparation *preparation)
{
    if (preparation == NULL)
        return;
    gbl_kernel_list_clear(&preparation->kernels);
    free(preparation->calls);
    free(preparation);
}

/* Compiles what was noted, and what calls ask for when they know the kernels. */
static gable_status compile_all(gable_context *ctx, gbl_preparation *preparation)
{
    const int kept = preparation->call_count;
    for (int round = 0; preparation->kernels.count > 0 && round < MOST_ROUNDS; round++) {
        TRY(gbl_kernel_list_compile(&preparation->kernels, ctx->device, &ctx->message));
        for (int i = 0; i < kept; i++)
            TRY(gbl_op_run(ctx, preparation->calls[i].op, preparation->calls[i].call));
        preparation->call_count = kept;
    }
    return GABLE_OK;
}

gable_status gable_prepare_begin(gable_context *ctx)
{
    TRY(gbl_enter(ctx, "gable_prepare_begin"));
    if (gbl_preparing(ctx) != NULL)
        return gbl_fail(&ctx->message, GABLE_BAD_ARGUMENT,
                        "calls are being prepared already; gable_prepare_end ends that");
    TRY(gbl_check_not_recording(ctx, "a preparation"));
    return gbl_recording_prepare(ctx);
}

gable_status gable_prepare_end(gable_context *ctx)
{
    TRY(gbl_enter(ctx, "gable_prepare_end"));
    gbl_preparation *preparation = gbl_preparing(ctx);
    if (preparation == NULL)
        return gbl_fail(&ctx->message, GABLE_BAD_ARGUMENT,
                        "no calls are being prepared; gable_prepare_begin starts that");
    const gable_status status = compile_all(ctx, preparation);
    gable_recording_destroy(ctx->recording);
    return status;
}

void gbl_prepare_composed(gable_context *ctx, const gbl_op *op, const gbl_choice *choice,
                          const void *call)
{
    gable_recording *const recording = ctx->recording;
    gbl_arena *const arena = ctx->arena;
    gbl_message *said = malloc(sizeof *said);
    if (said == NULL)
        return;
    *said = ctx->message;
    if (gbl_recording_prepare(ctx) == GABLE_OK) {
        gbl_preparation *preparation = gbl_preparing(ctx);
        gbl_op_note(ctx, op, choice, call);
        gbl_loan_host_begin(&ctx->loan);
        gbl_kernel_list_compile(&preparation->kernels, ctx->device, NULL);
        gbl_loan_host_end(&ctx->loan);
        gable_recording_destroy(ctx->recording);
        ctx->recording = recording;
        ctx->arena = arena;
    }
    ctx->message = *said;
    free(said);
}

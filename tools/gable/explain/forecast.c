/* forecast.c: what the library would do with a case of the benchmark, and what the model says of
 * it.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "core/context.h"
#include "core/recording.h"
#include "forecast.h"
#include "operands.h"
#include "tune/choose.h"

/* The call as the benchmark makes it, on addresses as aligned as an allocation's. */
static void make_call(const bench_case *what, bench_call *call)
{
    static bench_operands operands;
    bench_operands_pretend(&operands, what);
    bench_operands_call(&operands, 0, call);
}

static void add_kernel(const gable_context *ctx, const gbl_launch_spec *launch, forecast *made)
{
    forecast_kernel kernel = {.groups = (double)launch->groups[0] * (double)launch->groups[1],
                              .items = launch->group[0] * launch->group[1],
                              .registers = launch->code->registers,
                              .spill_bytes = launch->code->spill_bytes,
                              .local_bytes = launch->code->local_bytes};
    snprintf(kernel.name, sizeof kernel.name, "%s", launch->name);
    if (kernel.local_bytes >= 0)
        kernel.local_bytes += (int)launch->dynamic_local_bytes;
    kernel.has_occupancy = occupancy_of(ctx->device->info.arch, kernel.registers,
                                        kernel.local_bytes, kernel.items, &kernel.occupancy);
    if (made->launches < FORECAST_KERNELS)
        made->kernels[made->launches] = kernel;
    made->launches++;
}

/* The launch that most of the work is in. */
static void find_resident(forecast *made)
{
    double most = 0;
    for (int i = 0; i < made->launches && i < FORECAST_KERNELS; i++) {
        const forecast_kernel *kernel = &made->kernels[i];
        if (kernel->groups * kernel->items <= most)
            continue;
        most = kernel->groups * kernel->items;
        made->resident = kernel->has_occupancy ? kernel->occupancy.groups : 0;
    }
}

static gable_status find_kernels(gable_context *ctx, forecast *made)
{
    const gbl_variant *variant = made->choice.variant;
    TRY(gable_record_begin(ctx));
    ctx->depth++;
    gable_status status = variant->run(ctx, variant, &made->call, &made->choice.params);
    ctx->depth--;
    for (int64_t i = 0; status == GABLE_OK && i < ctx->recording->count; i++)
        if (ctx->recording->steps[i].kind == GBL_STEP_LAUNCH)
            add_kernel(ctx, &ctx->recording->steps[i].as.launch, made);
    gable_record_end(ctx, NULL);
    made->waits = status == GABLE_NOT_RECORDABLE;
    if (made->waits)
        status = GABLE_OK;
    find_resident(made);
    return status;
}

static bool is_forced(const gable_context *ctx, const gbl_op *op)
{
    for (int i = 0; i < ctx->choices.forced_count; i++)
        if (ctx->choices.forced[i].op == op)
            return true;
    return false;
}

/* Whether one variant fits, but for those that are there to compare with. */
static bool is_alone(const gable_context *ctx, const gbl_op *op, const void *call)
{
    gbl_question question;
    int count = 0;
    gbl_question_make(ctx->device, op, call, NULL, &question);
    for (int i = 0; i < op->variant_count; i++)
        count += question.of.fitting >> i & 1 && !op->variants[i].rung;
    return count == 1;
}

gable_status forecast_make(gable_context *ctx, const bench_case *what, bool kernels, forecast *made)
{
    const gbl_op *op = what->op->op;
    memset(made, 0, sizeof *made);
    made->what = *what;
    make_call(what, &made->call);
    TRY(gbl_op_choose(ctx, op, &made->call, &made->choice));
    made->forced = is_forced(ctx, op);
    made->alone = is_alone(ctx, op, &made->call);
    if (!made->forced) {
        gbl_choice same = {.variant = NULL};
        gbl_tune_choose_why(ctx, op, &made->call, &same, &made->match);
    }
    op->work(&made->call, &made->work);
    const gbl_variant *variant = made->choice.variant;
    variant->cost(variant, &made->call, &made->choice.params, ctx->device, &made->cost);
    if (made->cost.written_bytes == 0)
        made->cost.written_bytes = made->work.bytes_written;
    return kernels ? find_kernels(ctx, made) : GABLE_OK;
}

void forecast_predict(const forecast *made, const gbl_device *device, const gbl_roofs *roofs,
                      const gbl_situation *situation, gbl_prediction *prediction)
{
    gbl_situation known = *situation;
    known.resident = made->resident;
    gbl_predict_call(device, made->what.op->op, &made->call, &made->choice, roofs, &known,
                     prediction);
}

void forecast_choice_text(const forecast *made, char *text, size_t text_bytes)
{
    const gbl_variant *variant = made->choice.variant;
    snprintf(text, text_bytes, "%s", variant->name);
    for (int i = 0; i < variant->space_count; i++) {
        const size_t used = strlen(text);
        snprintf(text + used, text_bytes - used, ":%s=%d", variant->space[i].name,
                 (int)made->choice.params.value[i]);
    }
}

/* The model ranks variants whose cost says how the work is cut into groups, and those made of such;
 * those of the cpu are neither. */
static bool by_order(const forecast *made)
{
    return made->match == GBL_MATCH_MODEL && !(made->cost.group_items > 0) &&
           (made->choice.variant->parts == NULL || made->alone);
}

const char *forecast_source_word(const forecast *made)
{
    if (made->forced)
        return "forced";
    return by_order(made) ? "order" : gbl_match_name(made->match);
}

const char *forecast_source(const forecast *made)
{
    if (made->forced)
        return "forced";
    if (by_order(made) && made->alone)
        return "the only way that fits";
    if (by_order(made))
        return "the usual one; the model ranks none here, `gable tune` measures";
    switch (made->match) {
    case GBL_MATCH_EXACT:
        return "measured on this device for this size";
    case GBL_MATCH_NEAR_SIZE:
        return "measured on this device for a size nearby";
    case GBL_MATCH_BUILT_IN:
        return "from the built-in table";
    case GBL_MATCH_MODEL:
        return "the model's choice";
    case GBL_MATCH_NONE:
        break;
    }
    return "the only way that fits";
}

double forecast_roof_seconds(const forecast *made, const gbl_roofs *roofs, bool hot)
{
    const bench_roof_kind roof = bench_op_roof(made->what.op);
    const double bytes = made->work.bytes_read + made->work.bytes_written;
    const gbl_dtype dtype = made->what.dtype;
    const double rate = made->work.flops <= 0 ? 0
                        : bench_op_is_product(made->what.op)
                            ? gbl_roofs_product_flops(roofs, dtype, made->what.math)
                            : roofs->flops[dtype];
    double bandwidth = roof == BENCH_ROOF_READ    ? roofs->read
                       : roof == BENCH_ROOF_WRITE ? roofs->write
                                                  : roofs->copy;
    if (hot && bytes <= roofs->cache_bytes)
        bandwidth = fmax(bandwidth, roofs->cache);
    const double moving = bandwidth > 0 ? bytes / bandwidth : 0;
    return fmax(moving, rate > 0 ? made->work.flops / rate : 0);
}

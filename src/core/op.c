/* op.c: chooses a variant for a call and runs it.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A choice is a function of the call's class (gbl_class) and of what the context knew when it
 * opened. It is memoised by class, so that a repeated call pays one hash and one look at which
 * variants fit. The hooks keep this layer free of models and databases.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/call_class.h"
#include "core/choice_memo.h"
#include "core/context.h"
#include "core/former_names.h"
#include "core/kernel.h"
#include "core/known_calls.h"
#include "core/number_text.h"
#include "core/prepare.h"
#include "core/recording.h"

/* Written when a context opens (the same values each time), read by every call. */
static _Atomic(gbl_choose_hook) choose_hook;
static _Atomic(gbl_foresee_hook) foresee_hook;
static _Atomic(gbl_observe_hook) observe_hook;
static _Atomic(const gbl_op *const *) op_list;
static _Atomic(const gbl_evidence_hooks *) evidence_hooks;

void gbl_install_choose(gbl_choose_hook hook)
{
    atomic_store(&choose_hook, hook);
}

void gbl_install_foresee(gbl_foresee_hook hook)
{
    atomic_store(&foresee_hook, hook);
}

void gbl_install_observe(gbl_observe_hook hook)
{
    atomic_store(&observe_hook, hook);
}

void gbl_install_evidence(const gbl_evidence_hooks *hooks)
{
    atomic_store(&evidence_hooks, hooks);
}

bool gbl_evidence_take(gable_context *ctx)
{
    const gbl_evidence_hooks *hooks = atomic_load(&evidence_hooks);
    ctx->evidence = hooks != NULL ? hooks->take(ctx->device) : NULL;
    return hooks == NULL || ctx->evidence != NULL;
}

void gbl_evidence_drop(gable_context *ctx)
{
    const gbl_evidence_hooks *hooks = atomic_load(&evidence_hooks);
    if (hooks != NULL && ctx->evidence != NULL)
        hooks->drop(ctx->evidence);
    ctx->evidence = NULL;
}

void gbl_install_ops(const gbl_op *const *list)
{
    atomic_store(&op_list, list);
}

const gbl_op *const *gbl_op_list(void)
{
    static const gbl_op *const none[] = {NULL};
    const gbl_op *const *list = atomic_load(&op_list);
    return list != NULL ? list : none;
}

const gbl_op *gbl_op_find(const char *stem)
{
    for (const gbl_op *const *op = gbl_op_list(); *op != NULL; op++)
        if (strcmp((*op)->stem, stem) == 0)
            return *op;
    return NULL;
}

bool gbl_op_extend(gbl_op *op, const gbl_variant *more, int count)
{
    const int all = op->variant_count + count;
    gbl_variant *table = all <= GBL_MAX_VARIANTS ? malloc((size_t)all * sizeof *table) : NULL;
    if (table == NULL)
        return false;
    memcpy(table, op->variants, (size_t)op->variant_count * sizeof *table);
    memcpy(&table[op->variant_count], more, (size_t)count * sizeof *table);
    op->variants = table;
    op->variant_count = all;
    return true;
}

void gbl_params_fallback(const gbl_variant *variant, gbl_params *params)
{
    memset(params, 0, sizeof *params);
    for (int i = 0; i < variant->space_count; i++)
        params->value[i] = variant->space[i].fallback;
}

const gbl_variant *gbl_variant_find(const gbl_op *op, const char *name)
{
    for (; name != NULL; name = gbl_former_variant(name))
        for (int i = 0; i < op->variant_count; i++)
            if (strcmp(op->variants[i].name, name) == 0)
                return &op->variants[i];
    return NULL;
}

int gbl_param_index(const gbl_variant *variant, const char *name)
{
    for (; name != NULL; name = gbl_former_tunable(name))
        for (int i = 0; i < variant->space_count; i++)
            if (strcmp(variant->space[i].name, name) == 0)
                return i;
    return -1;
}

/* A work-item of a GPU has 255 registers of 4 bytes at most; half of them for what is on its way.
 * Elsewhere the loads are code. */
#define MOST_ITEM_BYTES      512
#define MOST_HOST_ITEM_BYTES 4096

bool gbl_group_legal(const gbl_device *device, int64_t items, int64_t item_bytes)
{
    const gbl_props *props = &device->props;
    if (items < 1 || (props->max_group > 0 && items > props->max_group))
        return false;
    if (props->is_gpu)
        return items % (props->simd > 0 ? props->simd : 1) == 0 && item_bytes <= MOST_ITEM_BYTES;
    return item_bytes <= MOST_HOST_ITEM_BYTES;
}

static uint64_t mixed_in(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 32;
}

/* Eight bytes at a time: one choice of tunables hashes about a hundred plans. */
uint64_t gbl_plan_hash(const void *plan, size_t bytes)
{
    const unsigned char *at = plan;
    uint64_t hash = 0xcbf29ce484222325u ^ bytes, word = 0;
    for (; bytes >= sizeof word; at += sizeof word, bytes -= sizeof word) {
        memcpy(&word, at, sizeof word);
        hash = mixed_in(hash, word);
    }
    word = 0;
    memcpy(&word, at, bytes);
    return bytes > 0 ? mixed_in(hash, word) : hash;
}

/* Whether variants of an op are forced, and none of them is calling it. */
static bool is_forced(const gbl_choices *choices, const gbl_op *op)
{
    bool forced = false;
    for (int i = 0; i < choices->forced_count; i++) {
        if (choices->forced[i].op != op)
            continue;
        forced = true;
        if (choices->forced[i].variant == choices->within)
            return false;
    }
    return forced;
}

/* ---- Questions ---- */

static void make_class(const gbl_device *device, const gbl_op *op, const void *call,
                       const gbl_variant *forced, bool within, gbl_class *of)
{
    *of = (gbl_class){.op = op, .forced = forced, .within = within && !device->props.is_host};
    if (of->within && op->key == NULL) {
        gbl_call_rounded(op, call, &of->key, &of->ranking);
    } else {
        of->key = gbl_call_key(op, call);
        of->ranking = gbl_call_ranking(op, call, device);
    }
    for (int i = 0; i < op->variant_count; i++) {
        const gbl_variant *variant = &op->variants[i];
        if (variant->deterministic && !variant->vendor && variant->fits(variant, call, device))
            of->fitting |= (uint64_t)1 << i;
    }
}

/* The call that stands for the class; of an op with a key of its own that may be the call
 * itself. */
static void make_call(const void *call, gbl_question *question)
{
    const gbl_class *of = &question->of;
    question->call = call;
    if (of->op->canonical != NULL)
        of->op->canonical(call, question->canonical);
    else if (of->op->key == NULL)
        gbl_call_canonical(of->op, of->key, of->ranking, question->canonical);
    else
        return;
    question->call = question->canonical;
}

void gbl_question_make(const gbl_device *device, const gbl_op *op, const void *call,
                       const gbl_variant *forced, gbl_question *question)
{
    make_class(device, op, call, forced, false, &question->of);
    make_call(call, question);
}

void gbl_question_part(const gbl_device *device, const gbl_op *op, const void *call, bool within,
                       gbl_question *question)
{
    make_class(device, op, call, NULL, within, &question->of);
    make_call(call, question);
}

static void choose_first(const gbl_class *of, gbl_choice *choice)
{
    const gbl_variant *variant = of->forced;
    for (int i = 0; variant == NULL && i < of->op->variant_count; i++)
        if (of->fitting >> i & 1)
            variant = &of->op->variants[i];
    if (variant != NULL) {
        choice->variant = variant;
        gbl_params_fallback(variant, &choice->params);
    }
}

/* A choice from the hook, or the first that fits; NULL variant: none does. */
static void choose_fresh(gable_context *ctx, const gbl_class *of, const void *call,
                         gbl_choice *choice)
{
    gbl_question question;
    *choice = (gbl_choice){.variant = NULL};
    const gbl_choose_hook hook = atomic_load(&choose_hook);
    if (hook == NULL) {
        choose_first(of, choice);
        return;
    }
    question.of = *of;
    make_call(call, &question);
    hook(ctx, &question, choice);
}

void gbl_op_foresee(const gbl_device *device, const gbl_op *op, const void *call,
                    gbl_choice *choice)
{
    gbl_op_foresee_part(device, op, call, false, choice);
}

void gbl_op_foresee_part(const gbl_device *device, const gbl_op *op, const void *call, bool within,
                         gbl_choice *choice)
{
    const gbl_foresee_hook hook = atomic_load(&foresee_hook);
    gbl_question question;
    *choice = (gbl_choice){.variant = NULL};
    gbl_question_part(device, op, call, within, &question);
    if (hook != NULL)
        hook(device, &question, choice);
    else
        choose_first(&question.of, choice);
}

/* ---- The memo ---- */

static void choose_known(gable_context *ctx, const gbl_class *of, const void *call,
                         gbl_choice *choice)
{
    if (gbl_memo_find(&ctx->choices.memo, of, choice))
        return;
    choose_fresh(ctx, of, call, choice);
    ctx->choices.made++;
    if (choice->variant != NULL)
        gbl_memo_put(&ctx->choices.memo, of, choice);
}

/* The first of an op's forced variants that fits a call, or NULL: then the call is refused by their
 * names. */
static const gbl_forced *fitting_forced(gable_context *ctx, const gbl_op *op, const void *call)
{
    char names[256] = "";
    int count = 0;
    for (int i = 0; i < ctx->choices.forced_count; i++) {
        const gbl_forced *forced = &ctx->choices.forced[i];
        if (forced->op != op)
            continue;
        if (forced->variant->fits(forced->variant, call, ctx->device))
            return forced;
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", count++ > 0 ? ", " : "",
                 forced->variant->name);
    }
    if (count == 1)
        gbl_fail(&ctx->message, GABLE_NOT_SUPPORTED,
                 "the forced variant %s of %s does not fit this call on %s", names, op->stem,
                 ctx->device->info.name);
    else
        gbl_fail(&ctx->message, GABLE_NOT_SUPPORTED,
                 "none of the forced variants of %s (%s) fits this call on %s", op->stem, names,
                 ctx->device->info.name);
    return NULL;
}

/* The forced variant; tunables that were not given are those the choice has for it. */
static gable_status choose_forced(gable_context *ctx, const gbl_op *op, const void *call,
                                  gbl_choice *choice)
{
    const gbl_forced *forced = fitting_forced(ctx, op, call);
    if (forced == NULL)
        return GABLE_NOT_SUPPORTED;
    const unsigned all = (1u << forced->variant->space_count) - 1;
    *choice = (gbl_choice){.variant = forced->variant, .params = forced->params};
    if ((forced->set & all) == all)
        return GABLE_OK;
    gbl_class of;
    make_class(ctx->device, forced->op, call, forced->variant, ctx->choices.rounding, &of);
    choose_known(ctx, &of, call, choice);
    for (int i = 0; i < forced->variant->space_count; i++)
        if (forced->set & (1u << i))
            choice->params.value[i] = forced->params.value[i];
    return GABLE_OK;
}

gable_status gbl_op_choose(gable_context *ctx, const gbl_op *op, const void *call,
                           gbl_choice *choice)
{
    if (ctx->choices.forced_count > 0 && is_forced(&ctx->choices, op))
        return choose_forced(ctx, op, call, choice);
    gbl_class of;
    make_class(ctx->device, op, call, NULL, ctx->choices.rounding, &of);
    choose_known(ctx, &of, call, choice);
    if (choice->variant != NULL)
        return GABLE_OK;
    return gbl_fail(&ctx->message, GABLE_NOT_SUPPORTED, "no way to compute %s fits this call on %s",
                    op->stem, ctx->device->info.name);
}

void gbl_choices_clear(gable_context *ctx)
{
    gbl_memo_clear(&ctx->choices.memo);
    memset(ctx->choices.known, 0, sizeof ctx->choices.known);
}

void gbl_choices_forget(gable_context *ctx)
{
    gbl_choices_clear(ctx);
    gbl_evidence_drop(ctx);
    gbl_evidence_take(ctx);
}

/* ---- Running ---- */

static gable_status run_chosen(gable_context *ctx, const gbl_op *op, const gbl_choice *choice,
                               const void *call)
{
    const gbl_arena_mark mark = gbl_arena_mark_get(ctx->arena);
    const gbl_variant *const outer = ctx->choices.within;
    const bool rounding = ctx->choices.rounding;
    for (int i = 0; i < ctx->choices.forced_count; i++)
        if (ctx->choices.forced[i].variant == choice->variant)
            ctx->choices.within = choice->variant;
    ctx->choices.rounding = rounding || op->rounded_parts;
    ctx->depth++;
    const gable_status status = choice->variant->run(ctx, choice->variant, call, &choice->params);
    ctx->depth--;
    ctx->choices.rounding = rounding;
    ctx->choices.within = outer;
    gbl_arena_release(ctx->arena, mark);
    return status;
}

/* A call that took 0.1 s and more to compile its kernels says so. */
static void log_compiled(const gable_context *ctx, const gbl_op *op, const gbl_compiled *before)
{
    const gbl_compiled after = gbl_kernels_compiled();
    const int count = after.count - before->count;
    if (count > 0)
        gbl_log(ctx, "%s: %d kernel%s compiled in %s s, which later calls find ready", op->stem,
                count, count == 1 ? " was" : "s were",
                gbl_number_fixed(after.seconds - before->seconds, 3, (char[GBL_NUMBER_BYTES]){0}));
}

/* The kernels of a call are compiled side by side, those of all its parts too. */
static void prepare(gable_context *ctx, const gbl_op *op, const gbl_choice *choice,
                    const void *call)
{
    gbl_kernel_spec specs[GBL_MAX_SPECS];
    const gbl_variant *variant = choice->variant;
    if (variant->parts != NULL) {
        if (ctx->device->props.image_at_build)
            gbl_prepare_composed(ctx, op, choice, call);
        return;
    }
    if (variant->specs != NULL && !ctx->debug_lanes) /* specs do not know of that */
        gbl_kernels_prepare(ctx->device, specs,
                            variant->specs(variant, call, &choice->params, ctx->device, specs));
}

gable_status gbl_op_note(gable_context *ctx, const gbl_op *op, const gbl_choice *choice,
                         const void *call)
{
    gbl_kernel_list *const outer = gbl_kernels_note(&gbl_preparing(ctx)->kernels);
    const gable_status status = run_chosen(ctx, op, choice, call);
    gbl_kernels_note(outer);
    return status;
}

/* A call of which only the kernels are wanted. */
static gable_status note_call(gable_context *ctx, const gbl_op *op, const void *call)
{
    gbl_choice choice;
    const gbl_preparation *preparation = gbl_preparing(ctx);
    const int before = preparation->kernels.count;
    TRY(gbl_op_choose(ctx, op, call, &choice));
    TRY(gbl_op_note(ctx, op, &choice, call));
    if (ctx->depth == 0 && preparation->kernels.count > before)
        return gbl_prepare_keep(ctx, op, call);
    return GABLE_OK;
}

/* A choice as gbl_op_choose makes it, told and, where it fails, undone. Kernels are prepared only
 * where the choice is a new one, so that known calls do not pay for it. */
static gable_status run_watched(gable_context *ctx, const gbl_op *op, const void *call,
                                gbl_observe_hook observe)
{
    gbl_choice choice;
    const unsigned made = ctx->choices.made;
    if (gbl_preparing(ctx) != NULL)
        return note_call(ctx, op, call);
    TRY(gbl_op_choose(ctx, op, call, &choice));
    const int64_t steps = gbl_recording_position(ctx);
    const gbl_compiled before = ctx->debug_log ? gbl_kernels_compiled() : (gbl_compiled){0, 0};
    if (observe != NULL)
        observe(ctx, op, call, &choice, true, GABLE_OK);
    if (ctx->choices.made != made)
        prepare(ctx, op, &choice, call);
    const gable_status status = run_chosen(ctx, op, &choice, call);
    if (ctx->debug_log && ctx->depth == 0)
        log_compiled(ctx, op, &before);
    if (status != GABLE_OK)
        gbl_recording_rewind(ctx, steps);
    if (observe != NULL)
        observe(ctx, op, call, &choice, false, status);
    return status;
}

/* ---- Calls like one before ---- */

/* Whether calls are known at all. */
static bool are_known(const gable_context *ctx, const gbl_op *op)
{
    const bool watched = atomic_load_explicit(&observe_hook, memory_order_acquire) != NULL;
    return ctx->device->props.is_host && !watched && op->layout != NULL &&
           op->layout->shape_bytes > 0 && ctx->recording == NULL && ctx->choices.forced_count == 0;
}

const gbl_known_call *gbl_op_known(gable_context *ctx, const gbl_op *op, const void *call)
{
    if (!are_known(ctx, op) || ctx->guarded)
        return NULL;
    const gbl_known_call *place = gbl_known_place(ctx->choices.known, op, call);
    return gbl_known_holds(place, op, call) ? place : NULL;
}

gable_status gbl_op_run_known(gable_context *ctx, const gbl_known_call *known, const void *call)
{
    if (known->choice.variant->parts == NULL)
        return run_chosen(ctx, known->op, &known->choice, call);
    const gbl_choice choice = known->choice; /* an op inside this one may take its place */
    const gbl_op *const op = known->op;
    return run_chosen(ctx, op, &choice, call);
}

gable_status gbl_op_run_learning(gable_context *ctx, const gbl_op *op, const void *call,
                                 const gbl_known_call *learned)
{
    if (!are_known(ctx, op))
        return run_watched(ctx, op, call,
                           atomic_load_explicit(&observe_hook, memory_order_acquire));
    gbl_known_call *place = gbl_known_place(ctx->choices.known, op, call);
    if (!gbl_known_holds(place, op, call)) {
        place->op = NULL;
        TRY(gbl_op_choose(ctx, op, call, &place->choice));
        gbl_known_put(place, op, call);
    }
    if (learned != NULL) {
        place->checked = learned->checked;
        place->operand_count = learned->operand_count;
        memcpy(place->operands, learned->operands, sizeof place->operands);
    }
    return gbl_op_run_known(ctx, place, call);
}

gable_status gbl_op_run(gable_context *ctx, const gbl_op *op, const void *call)
{
    return gbl_op_run_learning(ctx, op, call, NULL);
}

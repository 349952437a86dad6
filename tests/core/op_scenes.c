/* op_scenes.c: every op among the calls that test_failures.c makes fail.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls are made from the ops' descriptions; no op is named. What is right the cpu says, for the
 * same call. The fake device has some kernels only, of groups of one work-item: flags, variant and
 * tunables that come to those are looked for by trying. An op that is made of others calls those
 * with what was found for them before.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "failure_scenes.h"
#include "fake_device.h"
#include "harness/described_call.h"

#define MOST_OPS    128
#define MOST_BYTES  8192
#define MOST_BUILDS 12000 /* that are tried for an op */
#define MOST_ROUNDED                                                                               \
    8 /* roundings that an element may be off: quotients and roots, the rest is exact */

typedef struct op_play {
    described_call made;
    gbl_choice choice; /* no variant: none was found */
    _Alignas(64) char before[MOST_BYTES], after[MOST_BYTES];
} op_play;

static struct {
    const gbl_op *op;
    char name[48];
    op_play with, without; /* groups that hand over */
} plays[MOST_OPS];
static scene list[MOST_OPS + 1];

static op_play *play_of(scene_stage *s)
{
    return s->ctx->device->props.fence_device ? &plays[s->play].with : &plays[s->play].without;
}

/* ---- A scene ---- */

static gable_status call_op(scene_stage *s)
{
    const op_play *play = play_of(s);
    return gbl_call_run(s->ctx, plays[s->play].name, play->made.op, play->made.call);
}

static gable_status put_memory(scene_stage *s)
{
    op_play *play = play_of(s);
    gable_free(s->ctx, s->extra);
    gable_status status = gable_alloc(s->ctx, play->made.bytes, &s->extra);
    if (status == GABLE_OK)
        status =
            gable_set_vector(s->ctx, (int64_t)play->made.bytes, 1, play->before, 1, s->extra, 1);
    described_place(&play->made, s->extra);
    return status;
}

/* What was found for the ops before this one, which may be called by it. */
static gable_status force_others(scene_stage *s)
{
    const bool fence = s->ctx->device->props.fence_device;
    gable_status status = GABLE_OK;
    for (int i = 0; status == GABLE_OK && i < s->play; i++) {
        const op_play *other = fence ? &plays[i].with : &plays[i].without;
        if (other->choice.variant != NULL)
            status = gbl_force_choice(s->ctx, other->made.op, &other->choice);
    }
    return status;
}

static gable_status prepare_op(scene_stage *s)
{
    const op_play *play = play_of(s);
    gable_status status = put_memory(s);
    if (status == GABLE_OK)
        status = force_others(s);
    return status == GABLE_OK ? gbl_force_choice(s->ctx, play->made.op, &play->choice) : status;
}

static bool get_memory(scene_stage *s, void *now)
{
    return gable_get_vector(s->ctx, (int64_t)play_of(s)->made.bytes, 1, s->extra, 1, now, 1) ==
           GABLE_OK;
}

static bool op_untouched(scene_stage *s)
{
    _Alignas(64) char now[MOST_BYTES];
    return get_memory(s, now) && memcmp(now, play_of(s)->before, play_of(s)->made.bytes) == 0;
}

static bool op_right(scene_stage *s)
{
    const op_play *play = play_of(s);
    const described_call *made = &play->made;
    const bool is_double = gbl_op_has(made->op, GBL_D);
    const size_t elem = is_double ? sizeof(double) : sizeof(float);
    const double u = is_double ? DBL_EPSILON / 2 : FLT_EPSILON / 2;
    _Alignas(64) char now[MOST_BYTES];
    bool same = get_memory(s, now);
    for (size_t i = 0; same && i < made->bytes / elem; i++) {
        const double got = described_get(made, now, i), want = described_get(made, play->after, i);
        same = memcmp(now + i * elem, play->after + i * elem, elem) == 0 ||
               fabs(got - want) <= MOST_ROUNDED * u * fabs(want);
    }
    return same;
}

/* ---- Choices ---- */

/* The first tunable is the size of a group: its first value is the smallest. The next combination
 * of the others; false: all were there. */
static bool next_params(const gbl_variant *variant, int places[GBL_MAX_PARAMS], gbl_params *params)
{
    int i = variant->space_count - 1;
    while (i > 0 && ++places[i] == variant->space[i].count)
        places[i--] = 0;
    for (int k = 1; k < variant->space_count; k++)
        params->value[k] = variant->space[k].values[places[k]];
    return i > 0;
}

/* Whether one of a variant's kernels is there at all. One without kernels is made of other ops. */
static bool is_made(const gbl_variant *variant)
{
    const char *words = variant->kernels != NULL ? variant->kernels : "";
    if (variant->kernels == NULL)
        return true;
    for (const fake_kernel *kernel = fake_kernels; kernel->stem != NULL; kernel++) {
        const size_t length = strlen(kernel->stem);
        for (const char *at = words; (at = strstr(at, kernel->stem)) != NULL; at += length)
            if ((at == words || at[-1] == ' ') &&
                (at[length] == '.' || at[length] == ' ' || at[length] == '\0'))
                return true;
    }
    return false;
}

static bool works(scene_stage *s, const op_play *play, const gbl_choice *choice)
{
    const long launches = fake_calls(FAKE_LAUNCH);
    const bool worked =
        gbl_force_choice(s->ctx, play->made.op, choice) == GABLE_OK && call_op(s) == GABLE_OK;
    /* Made of other ops, each of which changes the output. */
    list[s->play].several =
        choice->variant->kernels == NULL && fake_calls(FAKE_LAUNCH) > launches + 1;
    return worked;
}

static bool find_params(scene_stage *s, op_play *play, const gbl_variant *variant)
{
    int places[GBL_MAX_PARAMS] = {0};
    gbl_choice *tried = &play->choice;
    *tried = (gbl_choice){.variant = variant};
    for (int k = 0; k < variant->space_count; k++)
        tried->params.value[k] = variant->space[k].values[0];
    do {
        if (works(s, play, tried))
            return true;
    } while (fake_calls(FAKE_BUILD) < MOST_BUILDS && next_params(variant, places, &tried->params));
    tried->variant = NULL;
    return false;
}

static bool find_variant(scene_stage *s, op_play *play)
{
    const gbl_op *op = play->made.op;
    for (int v = 0; v < op->variant_count; v++) {
        const gbl_variant *variant = &op->variants[v];
        if (!variant->vendor && is_made(variant) &&
            variant->fits(variant, play->made.call, s->ctx->device) &&
            find_params(s, play, variant))
            return true;
    }
    return false;
}

bool op_scene_find(scene_stage *s)
{
    static const described_flags flags[] = {{GABLE_NO_TRANS, GABLE_NON_UNIT},
                                            {GABLE_TRANS, GABLE_NON_UNIT},
                                            {GABLE_NO_TRANS, GABLE_UNIT}};
    op_play *play = play_of(s);
    const op_play *with = &plays[s->play].with;
    if (force_others(s) != GABLE_OK)
        return false;
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        described_make(plays[s->play].op, flags[i], &play->made);
        if (play->made.bytes > MOST_BYTES)
            return false;
        described_fill(&play->made, play->before);
        if (put_memory(s) != GABLE_OK)
            return false;
        if (play != with && with->choice.variant != NULL && works(s, play, &with->choice)) {
            play->choice = with->choice;
            return true;
        }
        if (find_variant(s, play))
            return true;
    }
    return false;
}

/* The calls on the cpu. */
static bool make_after(gable_context *cpu, op_play *play, const char *name)
{
    if (play->choice.variant == NULL)
        return true;
    memcpy(play->after, play->before, play->made.bytes);
    described_place(&play->made, play->after);
    return gbl_call_run(cpu, name, play->made.op, play->made.call) == GABLE_OK &&
           gable_sync(cpu) == GABLE_OK && memcmp(play->before, play->after, play->made.bytes) != 0;
}

bool op_scene_make(const scene *play)
{
    gable_context *cpu = NULL;
    const bool done = gable_open(&cpu, "cpu") == GABLE_OK &&
                      make_after(cpu, &plays[play->play].with, play->name) &&
                      make_after(cpu, &plays[play->play].without, play->name);
    gable_close(cpu);
    return done;
}

bool op_scene_known(const scene *play, bool fence_device)
{
    return (fence_device ? &plays[play->play].with : &plays[play->play].without)->choice.variant !=
           NULL;
}

bool op_scene_composed(const scene *play)
{
    const gbl_op *op = plays[play->play].op;
    for (int v = 0; v < op->variant_count; v++)
        if (op->variants[v].kernels != NULL && op->variants[v].parts == NULL)
            return false;
    return op->variants[0].parts != NULL;
}

const scene *op_scenes(void)
{
    gable_context *cpu = NULL;
    if (gable_open(&cpu, "cpu") != GABLE_OK) /* it brings the list of ops */
        return NULL;
    gable_close(cpu);
    const gbl_op *const *ops = gbl_op_list();
    for (int i = 0; ops[i] != NULL && gbl_op_described(ops[i]); i++) { /* the others stand last */
        if (i == MOST_OPS)
            return NULL;
        plays[i].op = ops[i];
        snprintf(plays[i].name, sizeof plays[i].name, "call_of_%s", ops[i]->stem);
        list[i] = (scene){.name = plays[i].name,
                          .routine = plays[i].name,
                          .play = i,
                          .prepare = prepare_op,
                          .call = call_op,
                          .untouched = op_untouched,
                          .right = op_right};
    }
    return list;
}

/* choose.c: which variant of an op runs, and with which tunables.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * What was measured comes first: the database, then the lines that the library carries. Without a
 * measurement the model ranks variants and tunables. Its choice must be clearly better than the
 * last variant that fits with its fallback tunables, because tables go from the plain reference to
 * the fastest variant, and fallbacks were chosen with care. Clearly better means predicted to be
 * more than 8 % faster, which is about the model's error, and by more than a launch takes. 3 % are
 * enough for tunables that the variant names, because the model's constants were measured with
 * them. They are also enough for a variant that calls other ops, beside a plain one.
 *
 * A variant that calls other ops takes as long as its parts, each with a choice for it; its
 * tunables stay as they start. Parts may call other ops in turn, and are predicted in the same way,
 * through all levels: a factorization is made of solves, which are made of products. For a part the
 * model is asked PART_PREDICTIONS times at most, and the choice is kept with what the context
 * knows, because many variants have the same parts. Variants whose cost does not say how the work
 * is divided into groups (those of the cpu and of other libraries) are not ranked.
 *
 * Calls within factorizations (`rounded_parts` of an op) are many, and differ little: their sizes
 * are rounded before anything is asked, and a variant may name the few tunables that they share.
 * The first of those that are hardly slower than the best are theirs. A factorization itself is
 * ranked by parts of exact sizes.
 *
 * The model is asked GBL_MOST_PREDICTIONS times at most: first for each variant as it starts, then
 * for tunables that the variant names. Then it is asked for tunables beside the best so far, one
 * tunable at a time, of the last variant and of the fastest other that is not made of calls of
 * others.
 */
#include <math.h>
#include <string.h>
#include "core/context.h"
#include "core/key.h"
#include "device/cpu_family.h"
#include "model/predict.h"
#include "tune/builtin.h"
#include "tune/choose.h"
#include "tune/evidence.h"
#include "tune/space.h"

#define CLEARLY_FASTER 0.92
#define NAMED_FASTER   0.97 /* of tunables that the variant names */
#define LEAST_GAIN     1    /* launches: another kernel is another 0.1 s of compiling */
#define TUNABLES_GAIN                                                                              \
    4 /* a variant that starts slower than another by this factor is not looked into */
#define FAR_STEPS        2  /* of a tunable's list, to each side, that are tried from one point */
#define PART_PREDICTIONS 12 /* for a call that a variant makes */
/* Of tunables that calls within factorizations share: the first that take at most so many times as
 * long as the best of them. */
#define SHARED_LOSS   1.02
#define POINTS_RANKED 48 /* of the tunables of a variant, for the first choices */
/* Calls within calls that are looked into: gesv, getrf, trsm, gemm and the pieces of a product are
 * five. */
#define MOST_LEVELS 8

/* ---- The model ---- */

/* The first choices of a question, by the time that the model predicts. */
typedef struct ranking {
    const gbl_variant *taken; /* the choice in use, which is none of them, and its plan */
    uint64_t taken_plan;
    int count, most;
    struct ranked {
        gbl_choice choice;
        double seconds; /* INFINITY: not predicted; such come last */
        uint64_t plan;
    } list[GBL_MOST_RANKED];
} ranking;

/* A question on its way to an answer. */
typedef struct asked {
    const gbl_device *device;
    const gbl_question *question;
    gbl_tune_known *known;
    int level; /* 0: a call; 1: a part of it; 2: a part of that; ... */
    int most;  /* predictions */
    int predictions;
    double enough;  /* seconds: of variants that take longer nobody asks how long; 0: of all */
    ranking *first; /* what was predicted is noted there; NULL: nobody wants to know */
} asked;

static void choose_part(const asked *ask, const gbl_part_call *part, int level, gbl_choice *choice);

/* Seconds as the tuner measures: replayed, operands not in the cache; in the mean over the sizes of
 * the class. 0: the cost does not say enough. */
static double predict_cost(const asked *ask, gbl_dtype dtype, const gbl_cost *cost)
{
    const gbl_situation situation = {.replayed = true, .in_mean = true};
    gbl_prediction prediction;
    if (cost->group_items <= 0)
        return 0;
    gbl_predict(cost, dtype, &ask->device->props, &ask->known->roofs, &situation, &prediction);
    return prediction.seconds;
}

/* Of a variant that calls no other op. */
static double predict_call(const asked *ask, const gbl_op *op, const void *call,
                           const gbl_choice *choice)
{
    gbl_cost cost;
    gbl_work work;
    if (choice->variant->cost == NULL || choice->variant->parts != NULL)
        return 0;
    memset(&cost, 0, sizeof cost);
    choice->variant->cost(choice->variant, call, &choice->params, ask->device, &cost);
    op->work(call, &work);
    if (cost.written_bytes == 0)
        cost.written_bytes = work.bytes_written;
    return predict_cost(ask, ((const gbl_call *)call)->dtype, &cost);
}

/* The sum of the parts of a variant, which is itself on some level, each with a choice for it.
 * 0: of one of them nothing is known. */
static double predict_parts(const asked *ask, const void *call, const gbl_choice *choice, int level)
{
    gbl_part_call parts[GBL_MAX_PARTS];
    const gbl_variant *variant = choice->variant;
    if (level == MOST_LEVELS)
        return 0;
    const int count = variant->parts(variant, call, &choice->params, ask->device, parts);
    double seconds = 0, chain[2] = {0, 0};
    for (int i = 0; i < count && (ask->enough == 0 || seconds < ask->enough); i++) {
        gbl_choice chosen = {.variant = NULL};
        double each = 0;
        if (parts[i].op == NULL)
            each = predict_cost(ask, ((const gbl_call *)call)->dtype, &parts[i].cost);
        else
            choose_part(ask, &parts[i], level + 1, &chosen);
        if (chosen.variant != NULL)
            each = chosen.variant->parts != NULL
                       ? predict_parts(ask, parts[i].call, &chosen, level + 1)
                       : predict_call(ask, parts[i].op, parts[i].call, &chosen);
        if (each <= 0)
            return 0;
        if (parts[i].chain > 0 && ask->device->props.streams)
            chain[parts[i].chain - 1] += parts[i].count * each;
        else
            seconds += parts[i].count * each;
    }
    return seconds + (chain[0] > chain[1] ? chain[0] : chain[1]);
}

/* Keeps a choice among the first, unless one that does the same work is there. */
static void note_ranked(asked *ask, const gbl_choice *choice, double seconds)
{
    ranking *first = ask->first;
    uint64_t plan;
    if (!gbl_space_legal(choice, ask->question->call, ask->device, &plan) ||
        (choice->variant == first->taken && plan == first->taken_plan))
        return;
    for (int i = 0; i < first->count; i++)
        if (first->list[i].choice.variant == choice->variant && first->list[i].plan == plan)
            return;
    int at = first->count;
    while (at > 0 && first->list[at - 1].seconds > seconds)
        at--;
    if (at == first->most)
        return;
    first->count += first->count < first->most;
    memmove(&first->list[at + 1], &first->list[at],
            (size_t)(first->count - 1 - at) * sizeof first->list[0]);
    first->list[at] = (struct ranked){*choice, seconds, plan};
}

static double predict(asked *ask, const gbl_choice *choice)
{
    const gbl_question *question = ask->question;
    ask->predictions++;
    const double seconds = choice->variant->parts != NULL
                               ? predict_parts(ask, question->call, choice, ask->level)
                               : predict_call(ask, question->of.op, question->call, choice);
    if (ask->first != NULL && seconds > 0)
        note_ranked(ask, choice, seconds);
    return seconds;
}

/* A walk through the tunables of one variant. */
typedef struct descent {
    asked *ask;
    gbl_choice best;
    double seconds; /* of it */
    bool legal;     /* what it started from was */
    int left;       /* points that may still be looked at */
    uint64_t seen[GBL_MOST_PREDICTIONS];
    int seen_count;
} descent;

/* Looks at a point; true: it is the best so far. Points that come to the same work as one before
 * are not predicted again. */
static bool try_point(descent *walk, const gbl_choice *choice)
{
    const gbl_question *question = walk->ask->question;
    uint64_t plan;
    if (walk->left == 0)
        return false;
    walk->left--;
    if (!gbl_space_legal(choice, question->call, walk->ask->device, &plan))
        return false;
    for (int i = 0; i < walk->seen_count; i++)
        if (walk->seen[i] == plan)
            return false;
    if (walk->seen_count == GBL_MOST_PREDICTIONS)
        return false;
    walk->seen[walk->seen_count++] = plan;
    const double seconds = predict(walk->ask, choice);
    if (walk->legal && seconds >= walk->seconds)
        return false;
    walk->best = *choice;
    walk->seconds = seconds;
    walk->legal = true;
    return true;
}

/* Whether a time is worth another choice than the one that stands without the model. */
static bool clearly_faster(const asked *ask, double seconds, double than)
{
    return seconds < CLEARLY_FASTER * than &&
           than - seconds > LEAST_GAIN * ask->known->roofs.launch_replay;
}

static int index_of(const gbl_param *param, int32_t value)
{
    int at = 0;
    while (at < param->count - 1 && param->values[at] != value)
        at++;
    return at;
}

/* Goes along one tunable, both ways, as long as that is faster. */
static bool try_tunable(descent *walk, int index)
{
    const gbl_param *param = &walk->best.variant->space[index];
    bool better = false;
    for (int way = 1; way >= -1; way -= 2) {
        int at = index_of(param, walk->best.params.value[index]), misses = 0;
        for (at += way; at >= 0 && at < param->count && misses < FAR_STEPS; at += way) {
            gbl_choice choice = walk->best;
            choice.params.value[index] = param->values[at];
            if (try_point(walk, &choice))
                better = true;
            else
                misses++;
        }
    }
    return better;
}

/* Whether the variant names these tunables. */
static bool is_named(const gbl_choice *choice)
{
    for (int i = 0; i < choice->variant->start_count; i++)
        if (memcmp(&choice->variant->starts[i], &choice->params, sizeof choice->params) == 0)
            return true;
    return false;
}

/* Of a call within a factorization: of the tunables that such calls share, the first that are
 * hardly slower than the best of them. */
static void rank_shared(asked *ask, gbl_choice *choice, double *seconds)
{
    const gbl_variant *variant = choice->variant;
    const gbl_dtype dtype = ((const gbl_call *)ask->question->call)->dtype;
    double each[GBL_MOST_SHARED] = {0}, best = 0;
    for (int i = 0; i < variant->shared_count; i++) {
        const gbl_choice shared = {variant, variant->shared[i].params};
        uint64_t plan;
        if (variant->shared[i].dtypes >> dtype & 1 &&
            gbl_space_legal(&shared, ask->question->call, ask->device, &plan))
            each[i] = predict(ask, &shared);
        if (each[i] > 0 && (best == 0 || each[i] < best))
            best = each[i];
    }
    for (int i = 0; i < variant->shared_count && best > 0; i++) {
        if (each[i] > 0 && each[i] <= SHARED_LOSS * best) {
            *choice = (gbl_choice){variant, variant->shared[i].params};
            *seconds = each[i];
            return;
        }
    }
}

/* Betters the tunables of a choice whose time is predicted, looking at so many points; keeps them
 * unless others are clearly faster, or they are not legal. */
static void rank_tunables(asked *ask, gbl_choice *choice, double *seconds, int points)
{
    descent walk = {.ask = ask, .best = *choice, .seconds = *seconds, .left = points};
    uint64_t plan;
    if (choice->variant->parts != NULL) /* each point would ask for all parts anew */
        return;
    const gbl_question *question = ask->question;
    /* They were found for devices with TMA; others choose freely. */
    if (question->of.within && choice->variant->shared != NULL &&
        ask->device->props.max_tensor_maps > 0) {
        rank_shared(ask, choice, seconds);
        return;
    }
    const bool legal = gbl_space_legal(choice, question->call, ask->device, &plan);
    walk.legal = legal;
    if (legal)
        walk.seen[walk.seen_count++] = plan;
    for (int i = 0; i < choice->variant->start_count; i++)
        try_point(&walk, &(gbl_choice){choice->variant, choice->variant->starts[i]});
    for (bool better = true; better && walk.left > 0;) {
        better = false;
        for (int i = 0; i < choice->variant->space_count; i++)
            better = try_tunable(&walk, i) || better;
    }
    const bool faster = clearly_faster(ask, walk.seconds, *seconds) ||
                        (is_named(&walk.best) && walk.seconds < NAMED_FASTER * *seconds);
    if (walk.legal && (!legal || faster)) {
        *choice = walk.best;
        *seconds = walk.seconds;
    }
}

/* ---- The choice ---- */

/* Lines for sizes nearby would be a kernel for each size within a factorization. Of an op with a
 * key of its own calls do not say all. */
static gbl_builtin_query ask_builtin(const asked *ask)
{
    const gbl_class *of = &ask->question->of;
    const bool nearby = !of->within && gbl_op_described(of->op);
    return gbl_builtin_ask(of->op, of->key, nearby ? ask->question->call : NULL);
}

/* Tunables of a variant to start from; true: they were measured for this family of devices. */
static bool start(const asked *ask, gbl_choice *choice)
{
    const gbl_props *props = &ask->device->props;
    const gbl_builtin_query query = ask_builtin(ask);
    const gbl_builtin *line = gbl_builtin_find(gbl_family_of(ask->device), choice->variant, &query);
    const bool known = line != NULL;
    gbl_params_fallback(choice->variant, &choice->params);
    if (!known && props->is_gpu)
        line = gbl_builtin_find("gpu", choice->variant, &query);
    if (line != NULL)
        choice->params = line->params;
    return known;
}

static gbl_match choose_tunables(asked *ask, gbl_choice *choice)
{
    if (start(ask, choice))
        return GBL_MATCH_BUILT_IN;
    double seconds = predict(ask, choice);
    if (seconds > 0)
        rank_tunables(ask, choice, &seconds, ask->most - ask->predictions);
    return GBL_MATCH_MODEL;
}

/* Whether a variant before this one may be chosen. */
static bool has_another(const gbl_class *of, int last)
{
    for (int i = 0; i < last; i++)
        if (of->fitting >> i & 1 && !of->op->variants[i].rung)
            return true;
    return false;
}

/* A variant that may be chosen. */
typedef struct candidate {
    gbl_choice choice;
    double seconds;
    bool tunable; /* its tunables are neither known nor those of parts */
} candidate;

/* Fitting variants before the last one whose time is predicted, as they start. */
static int take_candidates(asked *ask, int last, candidate *list)
{
    const gbl_class *of = &ask->question->of;
    int count = 0;
    for (int i = last - 1; i >= 0 && ask->predictions < ask->most / 2; i--) {
        if (!(of->fitting >> i & 1) || of->op->variants[i].rung)
            continue;
        candidate *next = &list[count];
        *next = (candidate){.choice.variant = &of->op->variants[i]};
        next->tunable = !start(ask, &next->choice) && next->choice.variant->parts == NULL;
        next->seconds = predict(ask, &next->choice);
        count += next->seconds > 0;
    }
    return count;
}

/* The last fitting variant and its tunables as predicted, unless the model is sure of another. */
static void rank_variants(asked *ask, int last, gbl_choice *choice)
{
    candidate list[GBL_MAX_VARIANTS], *other = NULL, *plain = NULL;
    if (choice->variant->parts != NULL && !has_another(&ask->question->of, last))
        return;
    double seconds = predict(ask, choice);
    if (seconds <= 0)
        return;
    ask->enough = seconds;
    const int count = take_candidates(ask, last, list);
    for (int i = 0; i < count; i++) {
        if (other == NULL || list[i].seconds < other->seconds)
            other = &list[i];
        if (list[i].tunable && (plain == NULL || list[i].seconds < plain->seconds))
            plain = &list[i];
    }
    if (plain != NULL && plain->seconds > TUNABLES_GAIN * fmin(seconds, other->seconds))
        plain = NULL;
    const int points = ask->most - ask->predictions;
    rank_tunables(ask, choice, &seconds, plain != NULL ? points / 2 : points);
    if (plain != NULL)
        rank_tunables(ask, &plain->choice, &plain->seconds, ask->most - ask->predictions);
    if (other == NULL)
        return;
    if (plain != NULL && plain->seconds < other->seconds)
        other = plain;
    /* Parts of a variant that calls others are plain variants: their predictions have the same
     * errors as this one's. */
    const bool alike = choice->variant->parts == NULL && other->choice.variant->parts != NULL &&
                       other->seconds < NAMED_FASTER * seconds;
    if (alike || clearly_faster(ask, other->seconds, seconds))
        *choice = other->choice;
}

/* The last variant that fits; one that is there to compare with only where no other does. -1: none
 * fits. */
static int last_fitting(const gbl_class *of)
{
    int last = of->op->variant_count - 1, rung = -1;
    for (; last >= 0; last--) {
        if (!(of->fitting >> last & 1))
            continue;
        if (!of->op->variants[last].rung)
            return last;
        rung = rung < 0 ? last : rung;
    }
    return rung;
}

static gbl_match choose_variant(asked *ask, gbl_choice *choice)
{
    const gbl_class *of = &ask->question->of;
    const char *family = gbl_family_of(ask->device);
    const gbl_builtin_query query = ask_builtin(ask);
    const gbl_builtin *winner = gbl_builtin_winner(family, of->fitting, &query);
    const int last = last_fitting(of);
    if (last < 0)
        return GBL_MATCH_NONE;
    choice->variant = winner != NULL ? winner->variant : &of->op->variants[last];
    if (start(ask, choice))
        return GBL_MATCH_BUILT_IN;
    rank_variants(ask, last, choice);
    return GBL_MATCH_MODEL;
}

/* Measured here for this size class; or elsewhere for it, in the library; or here for a class
 * nearby; or predicted. */
static gbl_match answer(asked *ask, gbl_choice *choice)
{
    const gbl_question *question = ask->question;
    gbl_choice measured = {.variant = NULL};
    const gbl_match found =
        ask->known->snapshot != NULL
            ? gbl_database_answer(ask->known->snapshot, ask->device, question, &measured, NULL)
            : GBL_MATCH_NONE;
    if (found == GBL_MATCH_EXACT) {
        *choice = measured;
        return found;
    }
    *choice = (gbl_choice){.variant = question->of.forced};
    const gbl_match match =
        choice->variant != NULL ? choose_tunables(ask, choice) : choose_variant(ask, choice);
    if (found == GBL_MATCH_NEAR_SIZE && match != GBL_MATCH_BUILT_IN) {
        *choice = measured;
        return found;
    }
    return match;
}

/* For a part on a level. variant NULL: none fits. What was asked before is known; an answer that
 * the last level cut short is not kept. */
static void choose_part(const asked *ask, const gbl_part_call *part, int level, gbl_choice *choice)
{
    gbl_question question;
    gbl_question_part(ask->device, part->op, part->call, ask->question->of.within, &question);
    if (gbl_memo_find(&ask->known->parts, &question.of, choice))
        return;
    asked inside = {.device = ask->device,
                    .question = &question,
                    .known = ask->known,
                    .level = level,
                    .most = PART_PREDICTIONS};
    answer(&inside, choice);
    if (choice->variant != NULL && level < MOST_LEVELS)
        gbl_memo_put(&ask->known->parts, &question.of, choice);
}

static gbl_match answer_question(const gbl_device *device, gbl_tune_known *known,
                                 const gbl_question *question, gbl_choice *choice)
{
    asked ask = {
        .device = device, .question = question, .known = known, .most = GBL_MOST_PREDICTIONS};
    return answer(&ask, choice);
}

/* By what there is now. */
static gbl_match answer_now(const gbl_device *device, const gbl_question *question,
                            gbl_choice *choice)
{
    gbl_tune_known *now = gbl_evidence_of(device);
    if (now == NULL)
        return GBL_MATCH_NONE;
    const gbl_match match = answer_question(device, now, question, choice);
    gbl_tune_evidence.drop(now);
    return match;
}

void gbl_tune_foresee(const gbl_device *device, const gbl_question *question, gbl_choice *choice)
{
    answer_now(device, question, choice);
}

/* A context that was made without evidence looks at what there is now. */
static gbl_match answer_for(gable_context *ctx, const gbl_question *question, gbl_choice *choice)
{
    return ctx->evidence != NULL ? answer_question(ctx->device, ctx->evidence, question, choice)
                                 : answer_now(ctx->device, question, choice);
}

void gbl_tune_choose(gable_context *ctx, const gbl_question *question, gbl_choice *choice)
{
    answer_for(ctx, question, choice);
}

void gbl_tune_choose_why(gable_context *ctx, const gbl_op *op, const void *call, gbl_choice *choice,
                         gbl_match *match)
{
    gbl_question question;
    gbl_question_make(ctx->device, op, call, choice->variant, &question);
    *match = answer_for(ctx, &question, choice);
}

/* ---- The first choices ---- */

/* Notes a variant as it starts, and tunables beside; one that the model does not rank comes behind
 * all that it does. */
static void rank_one(asked *ask, const gbl_variant *variant)
{
    gbl_choice choice = {.variant = variant};
    start(ask, &choice);
    double seconds = predict(ask, &choice);
    if (seconds > 0)
        rank_tunables(ask, &choice, &seconds, POINTS_RANKED);
    else
        note_ranked(ask, &choice, INFINITY);
}

static void rank_all(asked *ask)
{
    const gbl_class *of = &ask->question->of;
    for (int i = of->op->variant_count - 1; i >= 0; i--)
        if ((of->fitting >> i & 1) && !of->op->variants[i].rung)
            rank_one(ask, &of->op->variants[i]);
}

int gbl_tune_rank(gable_context *ctx, const gbl_op *op, const void *call, gbl_choice *list,
                  int most)
{
    gbl_question question;
    gbl_choice choice = {.variant = NULL};
    gbl_tune_known *known = ctx->evidence != NULL ? ctx->evidence : gbl_evidence_of(ctx->device);
    most = most < GBL_MOST_RANKED ? most : GBL_MOST_RANKED;
    if (most < 1 || known == NULL || gbl_op_choose(ctx, op, call, &choice) != GABLE_OK) {
        if (known != NULL && ctx->evidence == NULL)
            gbl_tune_evidence.drop(known);
        return 0;
    }
    ranking first = {.taken = choice.variant, .most = most - 1};
    gbl_question_make(ctx->device, op, call, NULL, &question);
    gbl_space_legal(&choice, question.call, ctx->device, &first.taken_plan);
    asked ask = {.device = ctx->device, .question = &question, .known = known, .first = &first};
    if (first.most > 0)
        rank_all(&ask);
    list[0] = choice;
    for (int i = 0; i < first.count; i++)
        list[i + 1] = first.list[i].choice;
    if (ctx->evidence == NULL)
        gbl_tune_evidence.drop(known);
    return first.count + 1;
}

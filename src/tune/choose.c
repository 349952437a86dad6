/* choose.c: which row of an op's table runs, and with which tunables.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * What was measured comes first: the database, then the built-in table. Else the model ranks, but it has to be
 * sure: tables go from the plain reference to the fastest row, and fallback tunables were chosen with care, so
 * another row or other tunables must be predicted to be more than 10 % faster, which is about the model's
 * error. Rows whose cost does not say how the work is cut into groups (those of the cpu and of other
 * libraries) are not ranked.
 */
#include "core/context.h"
#include "core/key.h"
#include "model/predict.h"
#include "tune/choose.h"
#include "tune/space.h"
#include <string.h>

#define CLEARLY_FASTER 0.9
#define THROUGH_OPENCL                                                                             \
    "opencl-" /* families with such names have the rows of the rest of their name, too */
#define MOST_CANDIDATES 200 /* predictions a row: some 0.1 ms */

bool gbl_builtin_serves(const gbl_builtin *row, const char *stem)
{
    const size_t length = strlen(stem);
    for (const char *word = row->stems; *word != '\0';) {
        const size_t end = strcspn(word, " ");
        if (end == length && memcmp(word, stem, length) == 0)
            return true;
        word += end + (word[end] == ' ');
    }
    return false;
}

/* The built-in row of a variant for a family of devices, or NULL. */
static const gbl_builtin *find(const char *family, const gbl_op *op, const gbl_variant *variant,
                               uint64_t key)
{
    const gbl_builtin *found = NULL;
    for (int i = 0; i < gbl_builtin_count; i++) {
        const gbl_builtin *row = &gbl_builtins[i];
        if ((row->dtypes >> gbl_key_dtype(key) & 1) && row->from <= gbl_key_size(key, GBL_KEY_M) &&
            strcmp(row->family, family) == 0 && gbl_builtin_serves(row, op->stem) &&
            strcmp(row->variant, variant->name) == 0)
            found = row;
    }
    return found;
}

/* ---- The model's ranking ---- */

/* A call to choose for. */
typedef struct asked {
    const gbl_device *device;
    const gbl_op *op;
    const void *call;
    uint64_t key;
    gbl_roofs roofs;
    bool roofs_known;
} asked;

/* As the tuner measures: replayed, operands not in the cache. */
static double predict(asked *ask, const gbl_choice *choice)
{
    const gbl_situation situation = {.replayed = true};
    gbl_prediction prediction;
    if (!ask->roofs_known) {
        gbl_roofs_get(ask->device, &ask->roofs);
        ask->roofs_known = true;
    }
    gbl_predict_call(ask->device, ask->op, ask->call, choice, &ask->roofs, &situation, &prediction);
    return prediction.seconds;
}

/* Whether the row's cost says enough to be ranked by it. */
static bool ranked(const asked *ask, const gbl_choice *choice)
{
    gbl_cost cost;
    if (choice->variant->cost == NULL)
        return false;
    choice->variant->cost(choice->variant, ask->call, &choice->params, ask->device, &cost);
    return cost.group_items > 0;
}

static int64_t common_divisor(int64_t a, int64_t b)
{
    return b == 0 ? a : common_divisor(b, a % b);
}

/* The candidate of a number: its digits, one a tunable. */
static void candidate(const gbl_variant *variant, int64_t number, gbl_params *params)
{
    for (int i = 0; i < variant->space_count; i++) {
        const gbl_param *param = &variant->space[i];
        params->value[i] = param->values[number % param->count];
        number /= param->count;
    }
}

/* Betters the tunables of a choice; returns the seconds predicted for them. Of a large space every so many
 * are tried: the stride is near the golden section of the space, and has no divisor with it in common, so
 * that all values of all tunables come up. */
static double rank_tunables(asked *ask, gbl_choice *choice)
{
    const gbl_variant *variant = choice->variant;
    uint64_t plan;
    const bool legal = gbl_space_legal(ask->op, choice, ask->call, ask->device, &plan);
    double best = predict(ask, choice);
    const double needed = best * CLEARLY_FASTER;
    const int64_t total = gbl_space_size(variant);
    int64_t stride = total <= MOST_CANDIDATES ? 1 : total * 618 / 1000;
    while (common_divisor(total, stride) != 1)
        stride++;
    bool found = false;
    int64_t number = 0;
    for (int64_t i = 0; i < total && i < MOST_CANDIDATES; i++, number = (number + stride) % total) {
        gbl_choice other = {.variant = variant};
        candidate(variant, number, &other.params);
        if (!gbl_space_legal(ask->op, &other, ask->call, ask->device, &plan))
            continue;
        const double seconds = predict(ask, &other);
        if (found || !legal ? !found || seconds < best : seconds < needed) {
            *choice = other;
            best = seconds;
            found = true;
        }
    }
    return best;
}

/* ---- The choice ---- */

/* The tunables of a row without a measurement; *seconds: as predicted, or 0 where the row is not ranked. */
static gbl_match choose_tunables(asked *ask, gbl_choice *choice, double *seconds)
{
    const gbl_props *props = &ask->device->props;
    const gbl_variant *variant = choice->variant;
    gbl_params_fallback(variant, &choice->params);
    const gbl_builtin *row = find(props->family, ask->op, variant, ask->key);
    if (row == NULL && strncmp(props->family, THROUGH_OPENCL, strlen(THROUGH_OPENCL)) == 0)
        row = find(props->family + strlen(THROUGH_OPENCL), ask->op, variant, ask->key);
    const bool known = row != NULL;
    if (row == NULL && props->is_gpu)
        row = find("gpu", ask->op, variant, ask->key);
    for (int p = 0; row != NULL && p < variant->space_count; p++)
        choice->params.value[p] = row->values[p];
    *seconds = 0;
    if (!known && ranked(ask, choice))
        *seconds = rank_tunables(ask, choice);
    return known ? GBL_MATCH_BUILT_IN : GBL_MATCH_MODEL;
}

static bool fits_by_default(const asked *ask, const gbl_variant *variant)
{
    return variant->deterministic && !variant->vendor &&
           variant->fits(variant, ask->call, ask->device);
}

/* The last fitting row, unless nothing was measured for it on such devices and the model is sure of another. */
static gbl_match choose_row(asked *ask, gbl_choice *choice)
{
    const gbl_op *op = ask->op;
    int last = op->variant_count - 1;
    while (last >= 0 && !fits_by_default(ask, &op->variants[last]))
        last--;
    if (last < 0)
        return GBL_MATCH_NONE;
    double seconds, best;
    choice->variant = &op->variants[last];
    const gbl_match match = choose_tunables(ask, choice, &seconds);
    best = seconds * CLEARLY_FASTER;
    for (int i = last - 1; i >= 0 && match == GBL_MATCH_MODEL && seconds > 0; i--) {
        gbl_choice other = {.variant = &op->variants[i]};
        double other_seconds;
        if (!fits_by_default(ask, other.variant))
            continue;
        choose_tunables(ask, &other, &other_seconds);
        if (other_seconds == 0 && ranked(ask, &other))
            other_seconds = predict(ask, &other); /* a row of the table, beside one without */
        if (other_seconds > 0 && other_seconds < best) {
            *choice = other;
            best = other_seconds;
        }
    }
    return match;
}

/* Measured here for this size class; or measured elsewhere for it, in the table; or here for a class nearby; or
 * predicted. */
void gbl_tune_choose_why(gable_context *ctx, const gbl_op *op, const void *call, gbl_choice *choice,
                         gbl_match *match)
{
    asked ask = {.device = ctx->device, .op = op, .call = call, .key = op->key(call)};
    const gbl_choice given = *choice;
    gbl_choice near;
    double seconds;
    gbl_match found = gbl_database_find(ctx->device, op, choice->variant, call, choice);
    near = *choice;
    *match = found;
    if (found != GBL_MATCH_EXACT) {
        *choice = given;
        *match = choice->variant != NULL ? choose_tunables(&ask, choice, &seconds)
                                         : choose_row(&ask, choice);
        if (found == GBL_MATCH_NEAR_SIZE && *match != GBL_MATCH_BUILT_IN) {
            *choice = near;
            *match = found;
        }
    }
    choice->for_this_size = *match != GBL_MATCH_BUILT_IN;
}

void gbl_tune_choose(gable_context *ctx, const gbl_op *op, const void *call, gbl_choice *choice)
{
    gbl_match match;
    gbl_tune_choose_why(ctx, op, call, choice, &match);
}

/* forced.c: variants that a user forces: GABLE_VARIANT, gable_set_variant.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * "gemv=split_n:items=256" forces a variant of an op, with tunables; "gemv=blocks_n|blocks_t"
 * forces a list, of which the first that fits a call runs. What a text says about an op replaces
 * what was said before.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/context.h"
#include "core/former_names.h"
#include "core/number_text.h"

/* The variant names of an op as "a, b, c". */
static void list_variants(const gbl_op *op, char *text, size_t bytes)
{
    text[0] = '\0';
    for (int i = 0; i < op->variant_count; i++) {
        const size_t used = strlen(text);
        snprintf(text + used, bytes - used, "%s%s", i ? ", " : "", op->variants[i].name);
    }
}

/* Whoever says a former name is told the present one: in the log, and by the message of a call that
 * is right. */
static void tell_renamed(gable_context *ctx, const char *what, const char *former, const char *now)
{
    if (strcmp(former, now) == 0)
        return;
    gbl_fail(&ctx->message, GABLE_OK, "the %s %s is called %s now; the next version knows no other",
             what, former, now);
    gbl_log(ctx, "the %s %s is called %s now", what, former, now);
}

/* One tunable "vec=4" of a forced variant. */
static gable_status force_param(gable_context *ctx, gbl_forced *forced, char *item)
{
    char *equals = strchr(item, '=');
    if (equals == NULL)
        return gbl_fail_argument(ctx, 2, "choice", "has \"%s\" where name=value belongs", item);
    *equals = '\0';
    const int index = gbl_param_index(forced->variant, item);
    if (index < 0)
        return gbl_fail_argument(ctx, 2, "choice", "names \"%s\"; %s has no such tunable", item,
                                 forced->variant->name);
    char *end;
    const long value = strtol(equals + 1, &end, 10);
    const gbl_param *param = &forced->variant->space[index];
    tell_renamed(ctx, "tunable", item, param->name);
    for (int i = 0; *end == '\0' && end != equals + 1 && i < param->count; i++) {
        if (param->values[i] == value) {
            forced->params.value[index] = (int32_t)value;
            forced->set |= 1u << index;
            return GABLE_OK;
        }
    }
    char legal[256] = "";
    for (int i = 0; i < param->count; i++) {
        const size_t used = strlen(legal);
        snprintf(legal + used, sizeof legal - used, "%s%d", i ? ", " : "", (int)param->values[i]);
    }
    return gbl_fail_argument(ctx, 2, "choice", "sets %s to \"%s\"; it must be one of %s", item,
                             equals + 1, legal);
}

/* Cuts a text at the next mark; what stands behind it, or NULL. */
static char *cut(char *text, char mark)
{
    char *behind = strchr(text, mark);
    if (behind != NULL)
        *behind++ = '\0';
    return behind;
}

/* The others keep their order. */
static void lift(gbl_choices *choices, const gbl_op *op)
{
    int kept = 0;
    for (int i = 0; i < choices->forced_count; i++)
        if (choices->forced[i].op != op)
            choices->forced[kept++] = choices->forced[i];
    choices->forced_count = kept;
}

/* One variant "name:tunable=value:..." of an op, behind those that are forced already. */
static gable_status force_variant(gable_context *ctx, gbl_choices *choices, const gbl_op *op,
                                  char *text)
{
    char *rest = cut(text, ':');
    gbl_forced forced = {.op = op, .variant = gbl_variant_find(op, text)};
    if (forced.variant == NULL) {
        char known[256];
        list_variants(op, known, sizeof known);
        return gbl_fail_argument(ctx, 2, "choice", "asks for variant \"%s\" of %s, which has %s",
                                 text, op->stem, known);
    }
    tell_renamed(ctx, "variant", text, forced.variant->name);
    while (rest != NULL) {
        char *item = rest;
        rest = cut(rest, ':');
        TRY(force_param(ctx, &forced, item));
    }
    if (choices->forced_count == GBL_MAX_OPS)
        return gbl_fail_argument(ctx, 2, "choice", "forces more than %d variants", GBL_MAX_OPS);
    choices->forced[choices->forced_count++] = forced;
    return GABLE_OK;
}

/* One entry "stem=variant" or "stem=variant|variant"; an empty variant lifts. text is cut up. */
static gable_status force_one(gable_context *ctx, gbl_choices *choices, char *text)
{
    char *variants = cut(text, '=');
    if (variants == NULL)
        return gbl_fail_argument(ctx, 2, "choice", "has \"%s\" where op=variant belongs", text);
    const gbl_op *op = gbl_op_find(text);
    if (op == NULL)
        return gbl_fail_argument(ctx, 2, "choice", "names the op \"%s\", which does not exist",
                                 text);
    lift(choices, op);
    if (variants[0] == '\0')
        return GABLE_OK;
    while (variants != NULL) {
        char *variant = variants;
        variants = cut(variants, '|');
        TRY(force_variant(ctx, choices, op, variant));
    }
    return GABLE_OK;
}

gable_status gbl_force(gable_context *ctx, const char *choice)
{
    if (choice == NULL) {
        ctx->choices.forced_count = 0;
        return GABLE_OK;
    }
    /* Work on copies, so that an error changes nothing. */
    const size_t length = strlen(choice);
    char *text = malloc(length + 1);
    gbl_choices *choices = malloc(sizeof *choices);
    gable_status status = GABLE_OK;
    if (text == NULL || choices == NULL) {
        status =
            gbl_fail(&ctx->message, GABLE_OUT_OF_MEMORY, "no host memory for %zu bytes", length);
        goto done;
    }
    memcpy(text, choice, length + 1);
    *choices = ctx->choices;
    for (char *entry = text; entry != NULL && *entry != '\0';) {
        char *next = cut(entry, ',');
        status = force_one(ctx, choices, entry);
        if (status != GABLE_OK)
            goto done;
        entry = next;
    }
    ctx->choices = *choices;
done:
    free(text);
    free(choices);
    return status;
}

gable_status gbl_force_choice(gable_context *ctx, const gbl_op *op, const gbl_choice *choice)
{
    gbl_choices *choices = &ctx->choices;
    lift(choices, op);
    if (choice == NULL)
        return GABLE_OK;
    if (choices->forced_count == GBL_MAX_OPS)
        return gbl_fail(&ctx->message, GABLE_INTERNAL, "more than %d ops are forced", GBL_MAX_OPS);
    choices->forced[choices->forced_count++] = (gbl_forced){.op = op,
                                                            .variant = choice->variant,
                                                            .params = choice->params,
                                                            .set = (1u << GBL_MAX_PARAMS) - 1};
    return GABLE_OK;
}

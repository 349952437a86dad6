/* choose.c: which row of an op's table runs, and with which tunables.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <string.h>
#include "core/context.h"
#include "tune/choose.h"

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
                               gbl_dtype dtype, int size)
{
    const gbl_builtin *found = NULL;
    for (int i = 0; i < gbl_builtin_count; i++) {
        const gbl_builtin *row = &gbl_builtins[i];
        if ((row->dtypes >> dtype & 1) && row->from <= size && strcmp(row->family, family) == 0 &&
            gbl_builtin_serves(row, op->stem) && strcmp(row->variant, variant->name) == 0)
            found = row;
    }
    return found;
}

/* The last fitting row that may run by default, or NULL. */
static const gbl_variant *last_fitting(const gable_context *ctx, const gbl_op *op, const void *call)
{
    for (int i = op->variant_count - 1; i >= 0; i--) {
        const gbl_variant *variant = &op->variants[i];
        if (variant->deterministic && !variant->vendor && variant->fits(variant, call, ctx->device))
            return variant;
    }
    return NULL;
}

void gbl_tune_choose(gable_context *ctx, const gbl_op *op, const void *call, gbl_choice *choice)
{
    const gbl_dtype dtype = ((const gbl_call *)call)->dtype;
    const gbl_props *props = &ctx->device->props;
    const int size = (int)(op->key(call) & 0xff);
    if (choice->variant == NULL)
        choice->variant = last_fitting(ctx, op, call);
    const gbl_variant *variant = choice->variant;
    if (variant == NULL)
        return;
    gbl_params_fallback(variant, &choice->params);
    const gbl_builtin *row = find(props->family, op, variant, dtype, size);
    if (row == NULL && props->is_gpu)
        row = find("gpu", op, variant, dtype, size);
    for (int p = 0; row != NULL && p < variant->space_count; p++)
        choice->params.value[p] = row->values[p];
}

/* plane_choice.h: the tunables of transpose and geam that kernels_c.cmake has kernels for.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The last variant that fits; items, tile, vec, groups, strip, or items, wx, vec, unroll, groups.
 */
#ifndef PLANE_CHOICE_H
#define PLANE_CHOICE_H

#include <string.h>
#include "blas/level2/level2.h"

static inline bool is_plane(const gbl_op *op)
{
    return op == &gbl_transpose_op || op == &gbl_geam_op;
}

static inline void choose_plane(gable_context *ctx, const gbl_op *op, const gbl_matrix_call *call,
                                gbl_choice *choice)
{
    static const int32_t tiles[] = {4, 8, 2, 1, 2}, stream[] = {4, 2, 2, 2, 1};
    for (int i = 0; i < op->variant_count; i++) {
        const gbl_variant *variant = &op->variants[i];
        if (!variant->vendor && variant->fits(variant, call, ctx->device))
            choice->variant = variant;
    }
    const bool plain = strcmp(choice->variant->name, "stream") == 0;
    memcpy(choice->params.value, plain ? stream : tiles, sizeof tiles);
}

#endif

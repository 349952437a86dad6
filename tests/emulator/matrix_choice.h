/* matrix_choice.h: the tunables of symv, triangles and many products that kernels_c.cmake has
 * kernels for.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef MATRIX_CHOICE_H
#define MATRIX_CHOICE_H

#include <string.h>
#include "blas/level2/level2.h"
#include "core/context.h"

static enum { TWO_PASS, READ_TWICE } symv_row; /* in the order of its table */

/* Tunables of symv by precision, those of kernels_c.cmake: items, wx, vec, deep, columns, groups,
 * helpers; of `read_twice` items, wx, rows, vec, loads. */
static inline void choose_symmetric(const gbl_op *op, const gbl_matrix_call *call,
                                    gbl_choice *choice)
{
    static const int32_t values[][7] = {[GBL_D] = {1, 1, 4, 2, 4, 2, 1},
                                        [GBL_S] = {8, 4, 2, 1, 2, 2, 2},
                                        [GBL_C] = {8, 4, 2, 2, 2, 2, 1}};
    static const int32_t twice[][5] = {
        [GBL_D] = {8, 4, 4, 2, 2}, [GBL_S] = {8, 4, 4, 2, 4}, [GBL_C] = {8, 4, 2, 2, 2}};
    choice->variant = &op->variants[symv_row];
    if (symv_row == READ_TWICE)
        memcpy(choice->params.value, twice[call->dtype], sizeof twice[0]);
    else
        memcpy(choice->params.value, values[call->dtype], sizeof values[0]);
}

static inline void choose_blocks(const gbl_op *op, const gbl_matrix_call *call, gbl_choice *choice)
{
    const int32_t values[] = {8, 1, 2};
    choice->variant = &op->variants[call->trans != GABLE_NO_TRANS]; /* the first two variants */
    memcpy(choice->params.value, values, sizeof values);
}

/* Many products: one lane on a CPU, four and two products per group on a GPU. */
static inline void choose_batch(gable_context *ctx, const gbl_op *op, const gbl_matrix_call *call,
                                gbl_choice *choice)
{
    const int32_t cpu[] = {1, 1, 1, 2, 2, 2, 2}, gpu[] = {8, 4, 2, 2, 2, 2, 0};
    choice->variant = &op->variants[call->trans != GABLE_NO_TRANS]; /* the first two variants */
    memcpy(choice->params.value, ctx->device->props.is_gpu ? gpu : cpu, sizeof cpu);
}

/* Tunables of triangular products and solves, those of kernels_c.cmake. */
static inline void choose_triangle(const gbl_op *op, const gbl_matrix_call *call, bool is_gpu,
                                   gbl_choice *choice)
{
    const bool plain = call->trans == GABLE_NO_TRANS, odd = call->dtype % 2 == 1;
    const int32_t product[] = {odd ? 8 : 4, odd && !plain ? 8 : 2, 2, 2, 2, 2};
    const int32_t progress[7] = {8, 8, 4, plain ? 2 : 4, 2, 4, 1}, steps[7] = {4, 8};
    if (op == &gbl_trmv_op) {
        choice->variant = &op->variants[plain ? 0 : 1];
        memcpy(choice->params.value, product, sizeof product);
        return;
    }
    choice->variant = &op->variants[is_gpu ? 1 : 0];
    memcpy(choice->params.value, is_gpu ? progress : steps, sizeof progress);
}

#endif

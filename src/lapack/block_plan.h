/* block_plan.h: reflectors that geqrf left in a matrix, taken out block by block as V and T: what
 * ormqr and orgqr share.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A block's vectors are copied to the workspace with their ones and zeros (lacpy, laset). T comes
 * from the products G = V^H V: blocks of `columns` by larft_leaf.cl, or a task, and from there by
 * products of twice the size each time.
 *
 * Of sytrd the upper triangle has vectors that end on the diagonal: v_i has its one in row i and
 * zeros behind it, and Q = H_k ... H_2 H_1. So Q^H is the product H_1^H H_2^H ... H_k^H in forward
 * order, and a block of it is I - V T V^H with T from the conjugates of tau. A call asks for them
 * with uplo = GABLE_UPPER, which the public ormqr and orgqr do not have.
 */
#ifndef GBL_BLOCK_PLAN_H
#define GBL_BLOCK_PLAN_H

#include "core/kernel.h"
#include "lapack/reflect.h"

enum { BLOCK_ITEMS, BLOCK_COLUMNS, BLOCK_SIZE, BLOCK_PARAMS };
extern const gbl_param gbl_block_space[BLOCK_PARAMS];

typedef struct gbl_block_plan {
    int32_t items, columns;
    int64_t block;
} gbl_block_plan;

typedef struct gbl_blocks {
    gable_context *ctx;
    const char *routine;
    const gbl_product_call *call; /* A, lda, tau and k */
    int64_t rows;                 /* of A */
    bool above;                   /* vectors end on the diagonal */
    const void *tau;              /* of the call; their conjugates where vectors end there */
    gbl_block_plan plan;
    gbl_kernel *kernel; /* NULL: leaves are tasks */
    gbl_reflectors h;   /* the block that was taken out */
    void *G;
    int64_t ldg;
    gbl_reflect_room room;
} gbl_blocks;

/* Plans for the call's k reflectors and takes the workspace: products are wide by as many columns,
 * or high by as many rows from the right. */
gable_status gbl_blocks_begin(gable_context *ctx, const gbl_variant *self, const char *routine,
                              const gbl_product_call *call, const gbl_params *params, int64_t rows,
                              gable_side side, int64_t wide, gbl_blocks *blocks);
/* The same for larft: all k reflectors are one block, and no other matrix is multiplied. */
gable_status gbl_blocks_begin_whole(gable_context *ctx, const gbl_variant *self,
                                    const char *routine, const gbl_product_call *call,
                                    const gbl_params *params, int64_t rows, gbl_blocks *blocks);
/* Takes out the reflectors from number `at` on, as many as a block has. They change rows from `at`
 * on, or those before at + h.k where vectors end on the diagonal. */
gable_status gbl_blocks_take(gbl_blocks *blocks, int64_t at);
/* C := op(H) C or C op(H) with that block: gbl_reflect. */
gable_status gbl_blocks_apply(const gbl_blocks *blocks, gable_side side, bool adjoint, int64_t n,
                              void *C, int64_t ldc);

bool gbl_block_fits(const gbl_variant *self, const void *call, const gbl_device *device);
bool gbl_block_legal(const gbl_variant *self, const void *call, const gbl_params *params,
                     const gbl_device *device, uint64_t *hash);
int gbl_block_specs(const gbl_variant *self, const void *call, const gbl_params *params,
                    const gbl_device *device, gbl_kernel_spec *specs);
void gbl_block_make_plan(const gbl_product_call *call, const gbl_params *params,
                         const gbl_device *device, gbl_block_plan *plan);
void gbl_block_make_whole(const gbl_product_call *call, const gbl_params *params,
                          const gbl_device *device, gbl_block_plan *plan);
/* What taking out all blocks of a matrix of so many rows, and applying them to so many columns, is
 * made of. */
int gbl_block_parts(const gbl_product_call *call, const gbl_block_plan *plan, int64_t rows,
                    gable_side side, int64_t wide, gbl_part_call *parts);
double gbl_block_launches(const gbl_product_call *call, const gbl_block_plan *plan);

/* trans of Q: complex matrices are not just transposed. Argument `number` of the call. */
gable_status gbl_block_trans(gable_context *ctx, const gbl_product_call *call, int number);

#endif

/* trsm_blocks.h: a triangular solve by halves: the blocks on the diagonal are left to a leaf, all
 * else is products.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The triangle is cut in two, one half of the unknowns is solved for, taken out of the other by one
 * product, and then comes the other half. B is scaled where it is touched first: by the leaf that
 * solves the first block, and as beta of the products that reach the others.
 */
#ifndef GBL_TRSM_BLOCKS_H
#define GBL_TRSM_BLOCKS_H

#include "blas/level3/composed.h"
#include "core/launch.h"
#include "trsm_args.h"

/* The unknowns of one right-hand side, and how many of those there are. */
int64_t gbl_trsm_unknowns(const gbl_product_call *call);
int64_t gbl_trsm_sides(const gbl_product_call *call);
/* The matrix of the equations is A turned: op(A), or its transpose where it is on the right. */
bool gbl_trsm_turned(const gbl_product_call *call);
bool gbl_trsm_conjugated(const gbl_product_call *call);
/* The last unknowns are found first. */
bool gbl_trsm_backward(const gbl_product_call *call);

/* A leaf: the kernel that solves for up to `rows` unknowns, and how it is launched. */
typedef struct gbl_trsm_leaf {
    gbl_kernel *kernel;
    int64_t rows;
    int64_t slabs;  /* parts of the right-hand sides */
    int64_t groups; /* that share them */
    int32_t items;
    int64_t local_bytes;
} gbl_trsm_leaf;

/* Bytes of local memory that a group can have. */
int64_t gbl_trsm_room(const gbl_props *props);

/* The whole solve. */
gable_status gbl_trsm_solve(gable_context *ctx, const gbl_product_call *call,
                            const gbl_trsm_leaf *leaf);

/* Every block is solved once; B goes through memory twice for each, by its leaf and by the products
 * that reach it. */
void gbl_trsm_cost(const gbl_product_call *call, const gbl_trsm_leaf *leaf, gbl_cost *out);

/* The parts of a solve, level by level: one launch of the leaf costs `leaf_cost`. */
int gbl_trsm_parts(const gbl_product_call *call, int64_t rows, const gbl_cost *leaf_cost,
                   gbl_part_call *parts);

/* alpha = 0: B := 0. */
gable_status gbl_trsm_clear(gable_context *ctx, const gbl_product_call *call);

/* ---- strips (trsm_strip.c) ---- */

#define GBL_STRIP_PARAMS 4
extern const gbl_param gbl_strip_space[GBL_STRIP_PARAMS];
GBL_DECLARE_KERNEL_VARIANT(gbl_strip)
int gbl_strip_parts(const gbl_variant *self, const void *call, const gbl_params *params,
                    const gbl_device *device, gbl_part_call *parts);

#endif

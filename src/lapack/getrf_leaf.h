/* getrf_leaf.h: a few columns of an LU factorization: their plan, their launch, what they cost
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_GETRF_LEAF_H
#define GBL_GETRF_LEAF_H

#include "core/kernel.h"
#include "lapack/lapack.h"

typedef enum gbl_lu_way { GBL_LU_GROUP, GBL_LU_GRID, GBL_LU_CLUSTER } gbl_lu_way;

/* A leaf of a factorization: at most so many columns, by groups of so many work-items. On cpu
 * leaves are tasks, and `items` is 0. */
typedef struct gbl_lu_leaf {
    gbl_lu_way way;
    int32_t items, columns;
} gbl_lu_leaf;

bool gbl_lu_leaf_fits(gbl_lu_way way, const gbl_product_call *call, const gbl_device *device);
/* items and columns are what tunables say; only GBL_LU_GROUP has those. The others have groups of
 * most_items at most; where that is too few for them, another way is taken. */
void gbl_lu_leaf_plan(gbl_lu_way way, const gbl_product_call *call, int32_t items, int32_t columns,
                      const gbl_device *device, int32_t most_items, gbl_lu_leaf *leaf);
void gbl_lu_leaf_spec(const gbl_lu_leaf *leaf, gbl_dtype dtype, gbl_kernel_spec *spec);

/* The leaves of one factorization. The caller gives `leaf` and its kernel. */
typedef struct gbl_lu_leaves {
    gbl_lu_leaf leaf;
    gbl_kernel *kernel; /* NULL: leaves are tasks */
    int64_t *state;     /* as info, and near to the device */
    /* Of `grid`: what groups leave to each other, and how many came to barriers before. */
    void *bests, *rows, *counter;
    int64_t arrived;
} gbl_lu_leaves;

/* Takes workspace. Changes the leaf and its kernel where the device has no room for its cluster. */
gable_status gbl_lu_leaves_prepare(gable_context *ctx, const gbl_product_call *call,
                                   gbl_lu_leaves *leaves);
/* Factors columns [first, first + count) from the diagonal down. */
gable_status gbl_lu_leaf_run(gable_context *ctx, const gbl_product_call *call,
                             gbl_lu_leaves *leaves, int64_t first, int64_t count);
/* One leaf of so many rows. */
void gbl_lu_leaf_cost(const gbl_product_call *call, const gbl_lu_leaf *leaf, double rows,
                      gbl_cost *out);

#endif

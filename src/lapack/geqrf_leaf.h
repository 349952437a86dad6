/* geqrf_leaf.h: the leaf of a QR factorization: a few columns over all rows, their V and T.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * By one group or a task, by many groups with a barrier of all of them per column, or by the groups
 * of one cluster, which send sums to each other.
 */
#ifndef GBL_GEQRF_LEAF_H
#define GBL_GEQRF_LEAF_H

#include "core/kernel.h"
#include "lapack/reflect.h"

/* Who makes leaves, and where the rows of many groups stay. */
typedef enum gbl_qr_leaf { GBL_QR_ALONE, GBL_QR_KEPT, GBL_QR_STREAMED, GBL_QR_CLUSTER } gbl_qr_leaf;

/* The detail of a variant; none is GBL_QR_ALONE. */
typedef struct gbl_qr_leaf_detail {
    gbl_qr_leaf leaf;
} gbl_qr_leaf_detail;

/* Parameters of variants with leaves of one group; those of others have the last alone. */
enum { GBL_QR_ITEMS, GBL_QR_COLUMNS, GBL_QR_BLOCK, GBL_QR_PARAMS };

typedef struct gbl_qr_plan {
    gbl_qr_leaf leaf;
    int32_t items, columns, block;
    int32_t wide;  /* of one group: columns that a work-item has under way */
    int32_t rows;  /* of a cluster: rows of a work-item */
    int32_t units; /* groups at most; 0: a leaf is made by one, or by a task */
} gbl_qr_plan;

/* Whether variants with such leaves take a call. */
bool gbl_qr_leaf_fits(gbl_qr_leaf leaf, const gbl_product_call *call, const gbl_device *device);

void gbl_qr_plan_make(const gbl_variant *self, const gbl_product_call *call,
                      const gbl_params *params, const gbl_device *device, gbl_qr_plan *plan);
int gbl_qr_specs(const gbl_variant *self, const void *call, const gbl_params *params,
                 const gbl_device *device, gbl_kernel_spec *specs);
bool gbl_qr_legal(const gbl_variant *self, const void *call, const gbl_params *params,
                  const gbl_device *device, uint64_t *hash);

/* What leaves of a call need: taken once. */
typedef struct gbl_qr_leaves {
    gbl_qr_plan plan;
    gbl_kernel *kernel;   /* NULL: leaves are tasks */
    void *sums, *squares; /* that groups leave to each other */
} gbl_qr_leaves;
gable_status gbl_qr_leaves_prepare(gable_context *ctx, const gbl_variant *self,
                                   const gbl_product_call *call, const gbl_params *params,
                                   gbl_qr_leaves *leaves);

/* Columns [from, from + count) of a panel that begins at column `first`; earlier ones were applied
 * to them. */
gable_status gbl_qr_leaf_run(gable_context *ctx, const gbl_qr_leaves *leaves,
                             const gbl_product_call *call, const gbl_reflectors *panel,
                             int64_t first, int64_t from, int64_t count);

/* One leaf over so many rows. */
void gbl_qr_leaf_cost(const gbl_product_call *call, const gbl_qr_plan *plan, int64_t rows,
                      gbl_cost *out);

/* Reflectors of a call. */
static inline int64_t gbl_qr_order(const gbl_product_call *call)
{
    return call->m < call->n ? call->m : call->n;
}

#endif

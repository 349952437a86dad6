/* sparse_plan.h: products with sparse matrices: what their variants share.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_SPARSE_PLAN_H
#define GBL_SPARSE_PLAN_H

#include "core/context.h"
#include "core/kernel.h"
#include "core/op.h"
#include "device/sparse_args.h"

/* The tunables of all variants; a variant has one value of those that say nothing to it. */
enum {
    SPARSE_ITEMS,   /* work-items per group */
    SPARSE_UNROLL,  /* entries of a row in flight; of COO and merge: steps of a work-item */
    SPARSE_ROWS,    /* rows of a work-item, side by side */
    SPARSE_LANES,   /* per row */
    SPARSE_STAGE,   /* entries in local memory per work-item */
    SPARSE_COLUMNS, /* of X in one pass */
    SPARSE_RUN,     /* on CPUs: rows, or entries of COO, per work-item */
    SPARSE_PARAMS
};

/* How a variant goes over rows. */
typedef enum gbl_rows_form {
    GBL_ROWS_PLAIN,      /* one work-item per row, an entry at a time */
    GBL_ROWS_LANES,      /* several lanes per row */
    GBL_ROWS_STAGED,     /* entries through local memory */
    GBL_ROWS_ITEMS,      /* one work-item per row, entries and rows in flight */
    GBL_ROWS_SINGLE_ITEM /* one work-item per group with a run of rows */
} gbl_rows_form;

extern const gbl_rows_form gbl_rows_plain, gbl_rows_lanes, gbl_rows_staged, gbl_rows_items,
    gbl_rows_single_item;

/* ---- sparse_plan.c: CSR, ELL, SELL. The detail of such a variant is its form. ---- */

gable_status gbl_sparse_rows_run(gable_context *ctx, const gbl_variant *self, const void *call,
                                 const gbl_params *params);
int gbl_sparse_rows_specs(const gbl_variant *self, const void *call, const gbl_params *params,
                          const gbl_device *device, gbl_kernel_spec *specs);
void gbl_sparse_rows_cost(const gbl_variant *self, const void *call, const gbl_params *params,
                          const gbl_device *device, gbl_cost *cost);
bool gbl_sparse_rows_legal(const gbl_variant *self, const void *call, const gbl_params *params,
                           const gbl_device *device, uint64_t *plan);

/* ---- sparse_merge.c: CSR ---- */

gable_status gbl_sparse_merge_run(gable_context *ctx, const gbl_variant *self, const void *call,
                                  const gbl_params *params);
int gbl_sparse_merge_specs(const gbl_variant *self, const void *call, const gbl_params *params,
                           const gbl_device *device, gbl_kernel_spec *specs);
void gbl_sparse_merge_cost(const gbl_variant *self, const void *call, const gbl_params *params,
                           const gbl_device *device, gbl_cost *cost);
bool gbl_sparse_merge_legal(const gbl_variant *self, const void *call, const gbl_params *params,
                            const gbl_device *device, uint64_t *plan);

/* ---- sparse_coo.c: COO, HYB ---- */

gable_status gbl_sparse_coo_run(gable_context *ctx, const gbl_variant *self, const void *call,
                                const gbl_params *params);
int gbl_sparse_coo_specs(const gbl_variant *self, const void *call, const gbl_params *params,
                         const gbl_device *device, gbl_kernel_spec *specs);
void gbl_sparse_coo_cost(const gbl_variant *self, const void *call, const gbl_params *params,
                         const gbl_device *device, gbl_cost *cost);
bool gbl_sparse_coo_legal(const gbl_variant *self, const void *call, const gbl_params *params,
                          const gbl_device *device, uint64_t *plan);

/* ---- What a call comes to ---- */

/* Bytes of the arrays of a layout that a product reads. */
double gbl_sparse_matrix_bytes(const gbl_sparse_layout *layout);

/* Of a call: the matrix once, X and Y once, and Y read where beta is not 0. */
void gbl_sparse_work(const void *call, gbl_work *least);

/* Places of a row in the mean; at least 1. */
double gbl_sparse_mean(const gbl_sparse_layout *layout);
/* Entries of a row that a work-item asks for at once: at most so many, and alike in all rounds of a
 * row. */
int32_t gbl_sparse_unroll(const gbl_sparse_layout *A, int32_t most);

/* Columns that a launch takes whose groups have them along y: CUDA takes no more such groups. */
#define GBL_SPARSE_MOST_COLUMNS 65535
/* Runs a variant for fewer columns at a time, all alike. */
gable_status gbl_sparse_run_pieces(gable_context *ctx, const gbl_variant *self,
                                   const gbl_sparse_args *call, const gbl_params *params);

/* An array that is not there: kernels are given another address, which they do not look at. */
static inline const void *gbl_sparse_array(const void *array, const void *other)
{
    return array != NULL ? array : other;
}

#endif

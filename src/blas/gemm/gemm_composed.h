/* gemm_composed.h: variants of gemm that call other ops.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * They are `aligned_copy`, `tail_split` and `vector`. None has kernels or tunables: each call that
 * they make has a choice of its own. Products that they call have `is_part` set
 * (device/product_args.h).
 */
#ifndef GBL_GEMM_COMPOSED_H
#define GBL_GEMM_COMPOSED_H

#include "blas/gemm/gemm_plan.h"

/* ---- gemm_aligned_copy.c: factors whose columns do not start on 16 bytes are copied first ---- */

/* Replaces such factors of a call by copies in the workspace, which last until the op is done. */
gable_status gbl_gemm_align(gable_context *ctx, gbl_product_call *call);
/* The same without memory behind it. Adds the copies to the parts of a variant and returns how many
 * parts there are then. */
int gbl_gemm_align_parts(gbl_product_call *call, gbl_part_call *parts, int count);
/* Bytes that copies take, all together; 0: none is needed. */
double gbl_gemm_align_bytes(const gbl_product_call *call);
/* Whether there is room for them, and a kernel that makes them. */
bool gbl_gemm_align_fits(const gbl_product_call *call, const gbl_device *device);

bool gbl_gemm_aligned_copy_fits(const gbl_variant *self, const void *call,
                                const gbl_device *device);
gable_status gbl_gemm_aligned_copy_run(gable_context *ctx, const gbl_variant *self,
                                       const void *call, const gbl_params *params);
void gbl_gemm_aligned_copy_cost(const gbl_variant *self, const void *call, const gbl_params *params,
                                const gbl_device *device, gbl_cost *cost);
int gbl_gemm_aligned_copy_parts(const gbl_variant *self, const void *call, const gbl_params *params,
                                const gbl_device *device, gbl_part_call *parts);
#define GBL_GEMM_ALIGNED_COPY_VARIANT                                                              \
    GBL_VARIANT("aligned_copy", .fits = gbl_gemm_aligned_copy_fits,                                \
                .run = gbl_gemm_aligned_copy_run, .cost = gbl_gemm_aligned_copy_cost,              \
                .parts = gbl_gemm_aligned_copy_parts)

/* ---- gemm_tail_split.c: the tiles of a last round become products of their own ---- */

/* Rows and columns of C's largest piece; the others lie right of it and below. */
typedef struct gbl_gemm_tail_split {
    int64_t rows, columns;
} gbl_gemm_tail_split;

/* Where a product is cut; false: that does not pay, or it cannot be cut. */
bool gbl_gemm_tail_split_make(const gbl_product_call *call, const gbl_device *device,
                              gbl_gemm_tail_split *cut);

bool gbl_gemm_tail_split_fits(const gbl_variant *self, const void *call, const gbl_device *device);
gable_status gbl_gemm_tail_split_run(gable_context *ctx, const gbl_variant *self, const void *call,
                                     const gbl_params *params);
void gbl_gemm_tail_split_cost(const gbl_variant *self, const void *call, const gbl_params *params,
                              const gbl_device *device, gbl_cost *cost);
int gbl_gemm_tail_split_parts(const gbl_variant *self, const void *call, const gbl_params *params,
                              const gbl_device *device, gbl_part_call *parts);
#define GBL_GEMM_TAIL_SPLIT_VARIANT                                                                \
    GBL_VARIANT("tail_split", .fits = gbl_gemm_tail_split_fits, .run = gbl_gemm_tail_split_run,    \
                .cost = gbl_gemm_tail_split_cost, .parts = gbl_gemm_tail_split_parts)

/* ---- gemm_vector.c: C is a single row or column ---- */

bool gbl_gemm_vector_fits(const gbl_variant *self, const void *call, const gbl_device *device);
gable_status gbl_gemm_vector_run(gable_context *ctx, const gbl_variant *self, const void *call,
                                 const gbl_params *params);
void gbl_gemm_vector_cost(const gbl_variant *self, const void *call, const gbl_params *params,
                          const gbl_device *device, gbl_cost *cost);
int gbl_gemm_vector_parts(const gbl_variant *self, const void *call, const gbl_params *params,
                          const gbl_device *device, gbl_part_call *parts);
#define GBL_GEMM_VECTOR_VARIANT                                                                    \
    GBL_VARIANT("vector", .fits = gbl_gemm_vector_fits, .run = gbl_gemm_vector_run,                \
                .cost = gbl_gemm_vector_cost, .parts = gbl_gemm_vector_parts)

#endif

/* gemm_pieces.h: the variants of gemm that are made of other calls: `packed`, `cut` and `vector`.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * None of them has kernels or tunables: what they call is chosen for by itself. Products that they call have `piece` set
 * (device/product_args.h).
 */
#ifndef GBL_GEMM_PIECES_H
#define GBL_GEMM_PIECES_H

#include "blas/gemm/gemm_plan.h"

/* ---- gemm_packed.c: factors whose columns do not start on 16 bytes are copied first ---- */

/* Replaces such factors of a call by copies in the workspace, which last until the op is done. */
gable_status gbl_gemm_pack(gable_context *ctx, gbl_product_call *call);
/* The same without memory behind it, and adds the copies to the parts of a variant; gives how many there are then. */
int gbl_gemm_pack_parts(gbl_product_call *call, gbl_part_call *parts, int count);
/* Bytes that copies take, all together; 0: none is needed. */
double gbl_gemm_pack_bytes(const gbl_product_call *call);
/* Whether there is room for them, and a kernel that makes them. */
bool gbl_gemm_pack_fits(const gbl_product_call *call, const gbl_device *device);

bool gbl_gemm_packed_fits(const gbl_variant *self, const void *call, const gbl_device *device);
gable_status gbl_gemm_packed_run(gable_context *ctx, const gbl_variant *self, const void *call,
                                 const gbl_params *params);
void gbl_gemm_packed_cost(const gbl_variant *self, const void *call, const gbl_params *params,
                          const gbl_device *device, gbl_cost *cost);
int gbl_gemm_packed_parts(const gbl_variant *self, const void *call, const gbl_params *params,
                          const gbl_device *device, gbl_part_call *parts);
#define GBL_GEMM_PACKED_VARIANT                                                                    \
    {                                                                                              \
        .name = "packed", .deterministic = true, .fits = gbl_gemm_packed_fits,                     \
        .run = gbl_gemm_packed_run, .cost = gbl_gemm_packed_cost, .parts = gbl_gemm_packed_parts   \
    }

/* ---- gemm_cut.c: the last tiles of C, which few units would have, become products of their own ---- */

/* Rows and columns of C's largest piece; the others lie right of it and below. */
typedef struct gbl_gemm_cut {
    int64_t rows, columns;
} gbl_gemm_cut;

/* Where a product is cut; false: that does not pay, or it cannot be cut. */
bool gbl_gemm_cut_make(const gbl_product_call *call, const gbl_device *device, gbl_gemm_cut *cut);

bool gbl_gemm_cut_fits(const gbl_variant *self, const void *call, const gbl_device *device);
gable_status gbl_gemm_cut_run(gable_context *ctx, const gbl_variant *self, const void *call,
                              const gbl_params *params);
void gbl_gemm_cut_cost(const gbl_variant *self, const void *call, const gbl_params *params,
                       const gbl_device *device, gbl_cost *cost);
int gbl_gemm_cut_parts(const gbl_variant *self, const void *call, const gbl_params *params,
                       const gbl_device *device, gbl_part_call *parts);
#define GBL_GEMM_CUT_VARIANT                                                                       \
    {                                                                                              \
        .name = "cut", .deterministic = true, .fits = gbl_gemm_cut_fits, .run = gbl_gemm_cut_run,  \
        .cost = gbl_gemm_cut_cost, .parts = gbl_gemm_cut_parts                                     \
    }

/* ---- gemm_vector.c: C is a single row or column ---- */

bool gbl_gemm_vector_fits(const gbl_variant *self, const void *call, const gbl_device *device);
gable_status gbl_gemm_vector_run(gable_context *ctx, const gbl_variant *self, const void *call,
                                 const gbl_params *params);
void gbl_gemm_vector_cost(const gbl_variant *self, const void *call, const gbl_params *params,
                          const gbl_device *device, gbl_cost *cost);
int gbl_gemm_vector_parts(const gbl_variant *self, const void *call, const gbl_params *params,
                          const gbl_device *device, gbl_part_call *parts);
#define GBL_GEMM_VECTOR_VARIANT                                                                    \
    {                                                                                              \
        .name = "vector", .deterministic = true, .fits = gbl_gemm_vector_fits,                     \
        .run = gbl_gemm_vector_run, .cost = gbl_gemm_vector_cost, .parts = gbl_gemm_vector_parts   \
    }

#endif

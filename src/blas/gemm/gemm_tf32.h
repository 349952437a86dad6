/* gemm_tf32.h: products in single precision as three of TF32 numbers.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_GEMM_TF32_H
#define GBL_GEMM_TF32_H

#include "blas/gemm/gemm_plan.h"

#define GBL_GEMM_TF32_PARAMS 4
extern const gbl_param gbl_gemm_tf32_space[GBL_GEMM_TF32_PARAMS];

/* The call as a context's mode permits it: `math` is set where the variant fits and, unless it is
 * forced, may pay. */
gbl_product_call gbl_gemm_permitted(const gable_context *ctx, const gbl_variant *variant,
                                    const gbl_product_call *call);

bool gbl_gemm_tf32_fits(const gbl_variant *self, const void *call, const gbl_device *device);
GBL_DECLARE_KERNEL_VARIANT(gbl_gemm_tf32)
#define GBL_GEMM_TF32_VARIANT                                                                      \
    GBL_VARIANT("tf32x3", .fits = gbl_gemm_tf32_fits, .run = gbl_gemm_tf32_run,                    \
                .cost = gbl_gemm_tf32_cost, .space = gbl_gemm_tf32_space,                          \
                .space_count = GBL_GEMM_TF32_PARAMS, .legal = gbl_gemm_tf32_legal,                 \
                .kernels = "gemm_tf32.cu", .specs = gbl_gemm_tf32_specs)

#endif

/* gemm_small.h: the variant of gemm_batched that has several small batch entries per group.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_GEMM_SMALL_H
#define GBL_GEMM_SMALL_H

#include "blas/batched/batch_plan.h"

/* Batch entries of at most GBL_GEMM_SMALL_MOST rows, columns and terms. */
#define GBL_GEMM_SMALL_MOST 32
enum {
    GBL_SMALL_ITEMS,
    GBL_SMALL_ROWS,
    GBL_SMALL_COLUMNS,
    GBL_SMALL_LOADS,
    GBL_SMALL_PAD,
    GBL_SMALL_RESIDENT,
    GBL_SMALL_GROUPS,
    GBL_SMALL_PARAMS
};
extern const gbl_param gbl_gemm_small_space[GBL_SMALL_PARAMS];
bool gbl_gemm_small_fits(const gbl_variant *self, const void *call, const gbl_device *device);
GBL_DECLARE_KERNEL_VARIANT(gbl_gemm_small)
#define GBL_GEMM_SMALL_VARIANT                                                                     \
    GBL_VARIANT("small", .fits = gbl_gemm_small_fits, .run = gbl_gemm_small_run,                   \
                .cost = gbl_gemm_small_cost, .space = gbl_gemm_small_space,                        \
                .space_count = GBL_SMALL_PARAMS, .legal = gbl_gemm_small_legal,                    \
                .kernels = "gemm_small.cl", .specs = gbl_gemm_small_specs)

#endif

/* gemm_pipeline_ffma.c: the part of a pipeline that multiplies in single precision.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Plans of kernels/sm90/gemm_ffma.cu, real and complex. A warp has 128 x 32 sums of a tile, or 64 x
 * 32 complex ones: 16 x 8 or 8 x 8 per work-item. Smaller tiles have more slices of warps, never
 * fewer sums per work-item: those would need more loads for each sum.
 */
#include "blas/gemm/gemm_pipeline_plan.h"

#define WARP_COLUMNS 32
#define PRODUCERS    128

static bool ffma_warps(gbl_dtype dtype, gbl_pipeline_plan *plan)
{
    plan->warp_rows = dtype == GBL_C ? 64 : 128;
    plan->warp_columns = WARP_COLUMNS;
    const int32_t area = plan->warp_rows * plan->warp_columns;
    /* Where the bytes of C cost more than the steps, and go beside them, half as many compute: two
     * buffers fit then. */
    const bool half = plan->staged_c > 0 && plan->rows * plan->columns == 4 * area;
    const int32_t warps = plan->resident > 1 || half ? 4 : 8;
    plan->items = 32 * warps + PRODUCERS;
    /* A group that shares a tile with others gives away half of its sums at least, 16 bytes per
     * work-item at a time. */
    const int32_t kept = area / 32 / plan->split_k / plan->cluster;
    return plan->rows % plan->warp_rows == 0 && plan->columns % plan->warp_columns == 0 &&
           plan->rows * plan->columns * plan->split_k == area * warps && plan->stagger == 0 &&
           (plan->cluster == 1 || plan->split_k > 1) &&
           kept * (int32_t)gbl_dtype_bytes(dtype) >= 16;
}

/* Slices show each other half of their sums. */
static int64_t ffma_sums(const gbl_pipeline_plan *plan)
{
    return plan->split_k > 1 ? (int64_t)256 * (plan->items - PRODUCERS) : 0;
}

const gbl_pipeline_core gbl_pipeline_ffma = {.file = "gemm_ffma.cu",
                                             .warps = ffma_warps,
                                             .sums = ffma_sums,
                                             .pairs = true,
                                             .staged_columns = 32};

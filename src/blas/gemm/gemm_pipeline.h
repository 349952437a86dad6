/* gemm_pipeline.h: the variant of gemm for multiprocessors with TMA; its plan is that of
 * gemm_pipeline_plan.h.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_GEMM_PIPELINE_H
#define GBL_GEMM_PIPELINE_H

#include "blas/gemm/gemm_pipeline_plan.h"

/* gemm_pipeline_cost.c */
GBL_DECLARE_KERNEL_VARIANT(gbl_pipeline)
void gbl_pipeline_tell(const gbl_variant *self, const void *call, const gbl_params *params,
                       const gbl_device *device, char *text, size_t text_bytes);

bool gbl_pipeline_fits(const gbl_variant *self, const void *call, const gbl_device *device);

#define GBL_PIPELINE_VARIANT(fits_)                                                                \
    GBL_VARIANT("pipeline", .fits = fits_, .run = gbl_pipeline_run, .cost = gbl_pipeline_cost,     \
                .space = gbl_pipeline_space, .space_count = GBL_PIPELINE_PARAMS,                   \
                .legal = gbl_pipeline_legal, .starts = gbl_pipeline_starts,                        \
                .start_count = GBL_PIPELINE_STARTS, .shared = gbl_pipeline_shared,                 \
                .shared_count = GBL_PIPELINE_SHARED, .kernels = "gemm_dmma.cu gemm_ffma.cu",       \
                .specs = gbl_pipeline_specs, .tell = gbl_pipeline_tell)
#define GBL_GEMM_PIPELINE_VARIANT GBL_PIPELINE_VARIANT(gbl_pipeline_fits)

#endif

/* gemm_batched.h: the variant of gemm_batched for multiprocessors with TMA.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_GEMM_BATCHED_H
#define GBL_GEMM_BATCHED_H

#include "blas/batched/batch_plan.h"
#include "blas/gemm/gemm_pipeline.h"

/* gemm_batched_pipeline.c: pipelines of stages over the tiles of all batch entries; plans, launches
 * and costs are those of gemm_pipeline.h. */
bool gbl_batched_pipeline_fits(const gbl_variant *self, const void *call, const gbl_device *device);
#define GBL_BATCHED_PIPELINE_VARIANT                                                               \
    {                                                                                              \
        .name = "pipeline", .deterministic = true, .fits = gbl_batched_pipeline_fits,              \
        .run = gbl_pipeline_run, .cost = gbl_pipeline_cost, .space = gbl_pipeline_space,           \
        .space_count = GBL_PIPELINE_PARAMS, .legal = gbl_pipeline_legal,                           \
        .starts = gbl_pipeline_starts, .start_count = GBL_PIPELINE_STARTS,                         \
        .kernels = "gemm_dmma.cu gemm_ffma.cu", .specs = gbl_pipeline_specs,                       \
        .tell = gbl_pipeline_tell                                                                  \
    }

#endif

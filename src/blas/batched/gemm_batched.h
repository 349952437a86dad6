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
#define GBL_BATCHED_PIPELINE_VARIANT GBL_PIPELINE_VARIANT(gbl_batched_pipeline_fits)

#endif

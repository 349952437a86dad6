/* gemm_ring.h: the variant of gemm for multiprocessors with a copy engine; its plan is that of gemm_ring_plan.h.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_GEMM_RING_H
#define GBL_GEMM_RING_H

#include "blas/gemm/gemm_ring_plan.h"

/* gemm_ring_cost.c */
void gbl_ring_cost(const gbl_variant *self, const void *call, const gbl_params *params,
                   const gbl_device *device, gbl_cost *cost);
void gbl_ring_tell(const gbl_variant *self, const void *call, const gbl_params *params,
                   const gbl_device *device, char *text, size_t text_bytes);

bool gbl_ring_fits(const gbl_variant *self, const void *call, const gbl_device *device);
gable_status gbl_ring_run(gable_context *ctx, const gbl_variant *self, const void *call,
                          const gbl_params *params);
int gbl_ring_specs(const gbl_variant *self, const void *call, const gbl_params *params,
                   const gbl_device *device, gbl_kernel_spec *specs);
bool gbl_ring_legal(const gbl_variant *self, const void *call, const gbl_params *params,
                    const gbl_device *device, uint64_t *hash);

#define GBL_GEMM_RING_VARIANT                                                                      \
    {                                                                                              \
        .name = "ring", .deterministic = true, .fits = gbl_ring_fits, .run = gbl_ring_run,         \
        .cost = gbl_ring_cost, .space = gbl_ring_space, .space_count = GBL_RING_PARAMS,            \
        .legal = gbl_ring_legal, .starts = gbl_ring_starts, .start_count = GBL_RING_STARTS,        \
        .kernels = "gemm_dmma.cu gemm_ffma.cu", .specs = gbl_ring_specs, .tell = gbl_ring_tell     \
    }

#endif

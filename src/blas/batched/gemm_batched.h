/* gemm_batched.h: the variant of gemm_batched for multiprocessors with a copy engine.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_GEMM_BATCHED_H
#define GBL_GEMM_BATCHED_H

#include "blas/batched/batch_plan.h"
#include "blas/gemm/gemm_ring.h"

/* gemm_batched_ring.c: rings of stages over the tiles of all members; plans, launches and costs are those of gemm_ring.h. */
bool gbl_batched_ring_fits(const gbl_variant *self, const void *call, const gbl_device *device);
#define GBL_BATCHED_RING_VARIANT                                                                   \
    {                                                                                              \
        .name = "ring", .deterministic = true, .fits = gbl_batched_ring_fits, .run = gbl_ring_run, \
        .cost = gbl_ring_cost, .space = gbl_ring_space, .space_count = GBL_RING_PARAMS,            \
        .legal = gbl_ring_legal, .starts = gbl_ring_starts, .start_count = GBL_RING_STARTS,        \
        .kernels = "gemm_dmma.cu gemm_ffma.cu", .specs = gbl_ring_specs, .tell = gbl_ring_tell     \
    }

#endif

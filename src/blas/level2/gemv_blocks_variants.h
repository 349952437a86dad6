/* gemv_blocks_variants.h: the variants of gemv that move square blocks through the matrix.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_GEMV_BLOCKS_VARIANTS_H
#define GBL_GEMV_BLOCKS_VARIANTS_H

#include "blas/level2/level2.h"
#include "core/kernel.h"

enum { BLOCKS_BLOCK, BLOCKS_THREAD_Y, BLOCKS_ELEMENTS, BLOCKS_PARAMS };
extern const gbl_param gbl_gemv_blocks_space[BLOCKS_PARAMS];

/* The detail of the variants is a gbl_matrix_routine. */
bool gbl_gemv_blocks_fits_n(const gbl_variant *self, const void *call, const gbl_device *device);
bool gbl_gemv_blocks_fits_t(const gbl_variant *self, const void *call, const gbl_device *device);
gable_status gbl_gemv_blocks_run(gable_context *ctx, const gbl_variant *self, const void *call,
                                 const gbl_params *params);
void gbl_gemv_blocks_cost(const gbl_variant *self, const void *call, const gbl_params *params,
                          const gbl_device *device, gbl_cost *cost);

bool gbl_gemv_blocks_legal(const gbl_variant *self, const void *call, const gbl_params *params,
                           const gbl_device *device, uint64_t *hash);
int gbl_gemv_blocks_specs(const gbl_variant *self, const void *call, const gbl_params *params,
                          const gbl_device *device, gbl_kernel_spec *specs);

#define GBL_GEMV_BLOCKS_VARIANTS(routine)                                                          \
    {.name = "blocks_n",                                                                           \
     .deterministic = true,                                                                        \
     .fits = gbl_gemv_blocks_fits_n,                                                               \
     .run = gbl_gemv_blocks_run,                                                                   \
     .cost = gbl_gemv_blocks_cost,                                                                 \
     .space = gbl_gemv_blocks_space,                                                               \
     .space_count = BLOCKS_PARAMS,                                                                 \
     .legal = gbl_gemv_blocks_legal,                                                               \
     .detail = routine,                                                                            \
     .kernels = "gemv_blocks_n.cl",                                                                \
     .specs = gbl_gemv_blocks_specs,                                                               \
     .rung = true},                                                                                \
    {                                                                                              \
        .name = "blocks_t", .deterministic = true, .fits = gbl_gemv_blocks_fits_t,                 \
        .run = gbl_gemv_blocks_run, .cost = gbl_gemv_blocks_cost, .space = gbl_gemv_blocks_space,  \
        .space_count = BLOCKS_PARAMS, .legal = gbl_gemv_blocks_legal, .detail = routine,           \
        .kernels = "gemv_blocks_t.cl", .specs = gbl_gemv_blocks_specs, .rung = true                \
    }

#endif

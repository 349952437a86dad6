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
GBL_DECLARE_KERNEL_VARIANT(gbl_gemv_blocks)

#define GBL_GEMV_BLOCKS_VARIANTS(routine)                                                          \
    GBL_VARIANT("blocks_n", .fits = gbl_gemv_blocks_fits_n, .run = gbl_gemv_blocks_run,            \
                .cost = gbl_gemv_blocks_cost, .space = gbl_gemv_blocks_space,                      \
                .space_count = BLOCKS_PARAMS, .legal = gbl_gemv_blocks_legal, .detail = routine,   \
                .kernels = "gemv_blocks_n.cl", .specs = gbl_gemv_blocks_specs, .rung = true),      \
        GBL_VARIANT("blocks_t", .fits = gbl_gemv_blocks_fits_t, .run = gbl_gemv_blocks_run,        \
                    .cost = gbl_gemv_blocks_cost, .space = gbl_gemv_blocks_space,                  \
                    .space_count = BLOCKS_PARAMS, .legal = gbl_gemv_blocks_legal,                  \
                    .detail = routine, .kernels = "gemv_blocks_t.cl",                              \
                    .specs = gbl_gemv_blocks_specs, .rung = true)

#endif

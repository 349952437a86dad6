/* bdsdc_divide.h: singular values and vectors of a bidiagonal matrix by divide and conquer, on
 * devices with kernels.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Nothing is read back, as in stedc_divide.h, with which it shares its plan and half of its
 * kernels.
 */
#ifndef GBL_BDSDC_DIVIDE_H
#define GBL_BDSDC_DIVIDE_H

#include "lapack/stedc_divide.h"

#define GBL_BDSDC_DIVIDE_KERNELS                                                                   \
    "stedc_begin.cl bdsdc_leaf.cl bdsdc_sort.cl bdsdc_deflate.cl stedc_gather.cl "                 \
    "stedc_secular.cl stedc_weights.cl bdsdc_vectors.cl stedc_product.cl stedc_columns.cl "        \
    "bdsdc_end.cl"

/* With vectors, on devices with kernels. The variant's call is that of bdsdc: `uplo`, `n`, d and e,
 * U and Vt as B and C, info. */
bool gbl_bdsdc_divide_fits(const gbl_variant *self, const void *call, const gbl_device *device);
gable_status gbl_bdsdc_divide_run(gable_context *ctx, const gbl_variant *self, const void *call,
                                  const gbl_params *params);
void gbl_bdsdc_divide_cost(const gbl_variant *self, const void *call, const gbl_params *params,
                           const gbl_device *device, gbl_cost *out);
int gbl_bdsdc_divide_parts(const gbl_variant *self, const void *call, const gbl_params *params,
                           const gbl_device *device, gbl_part_call *parts);
int gbl_bdsdc_divide_specs(const gbl_variant *self, const void *call, const gbl_params *params,
                           const gbl_device *device, gbl_kernel_spec *specs);
bool gbl_bdsdc_divide_legal(const gbl_variant *self, const void *call, const gbl_params *params,
                            const gbl_device *device, uint64_t *hash);
#define GBL_BDSDC_DIVIDE_VARIANT                                                                   \
    GBL_VARIANT("divide", .fits = gbl_bdsdc_divide_fits, .run = gbl_bdsdc_divide_run,              \
                .cost = gbl_bdsdc_divide_cost, .parts = gbl_bdsdc_divide_parts,                    \
                .space = gbl_divide_space, .space_count = GBL_DIVIDE_PARAMS,                       \
                .legal = gbl_bdsdc_divide_legal, .kernels = GBL_BDSDC_DIVIDE_KERNELS,              \
                .specs = gbl_bdsdc_divide_specs)

#endif
